"""Scenes to pictures: as PNG, or as frames of an animation."""

import io
from collections.abc import Collection, Sequence

from PIL import Image, ImageOps

from render.pixels.letters import Letters
from render.pixels.shapes import Inks, shapes
from render.scene import Scene
from render.theme import Colour, load

COLOURS = 80
SAMPLE = 8
"""One pixel in so many, across and down, tells which blends there are."""

COMPRESSION = 4
"""Of PNG, 0 to 9: the next one takes 5 ms more for a map and saves 6 % of the file."""

LARGE, HARDER = 190_000, 7
"""Bytes above which a picture is compressed once more, and how hard: that takes 70 ms for the largest maps."""

MOST_PIXELS = 2600
"""Longest side of a picture; a larger one is painted smaller."""


def png(scene: Scene, palette: str, width: int | None = None) -> bytes:
    """Return a scene as a PNG of at most ``COLOURS`` colours."""
    wide = width or scene.pixels
    wide = min(wide, MOST_PIXELS, max(1, int(MOST_PIXELS * scene.width / scene.height)))
    inks = Inks(load(palette))
    return encoded(painted(scene, inks, wide), inks.colours())


def frame(scene: Scene, palette: str, width: int) -> Image.Image:
    """Return a scene as a frame of an animation."""
    return painted(scene, Inks(load(palette)), width)


def animated(frames: Sequence[Image.Image], times: tuple[int, int], quality: int) -> bytes:
    """Return frames as an animated WebP; ``times`` in milliseconds for each and for the last one."""
    size = (max(frame.width for frame in frames), max(frame.height for frame in frames))
    whole = [ImageOps.pad(frame, size, color=(255, 255, 255), centering=(0, 0)) for frame in frames]
    out = io.BytesIO()
    durations = [times[0]] * (len(whole) - 1) + [times[1]]
    whole[0].save(out, "WEBP", save_all=True, append_images=whole[1:], duration=durations, loop=0, quality=quality)
    return out.getvalue()


def painted(scene: Scene, inks: Inks, width: int) -> Image.Image:
    """Return a scene as an RGB image of a width in pixels; ``inks`` learns its colours."""
    scale = width / scene.width
    image = shapes(scene, inks, (width, max(1, round(scene.height * scale))))
    Letters(inks, image, scale).paint(scene.items, (0.0, 0.0))
    return image


def encoded(image: Image.Image, exact: Collection[Colour]) -> bytes:
    """Return an image as PNG: some colours exact, the blends between them by what is there."""
    own = sorted(exact)[: COLOURS // 2]
    sample = image.resize((max(1, image.width // SAMPLE), max(1, image.height // SAMPLE)), Image.Resampling.NEAREST)
    blends = sample.quantize(COLOURS - len(own), method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    colours = [part for colour in own for part in colour] + (blends.getpalette() or [])
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours[: COLOURS * 3])
    plain = image.quantize(palette=palette, dither=Image.Dither.NONE)
    data = _saved(plain, COMPRESSION)
    return data if len(data) < LARGE else _saved(plain, HARDER)


def _saved(image: Image.Image, level: int) -> bytes:
    """Return an image as PNG, compressed by a level from 0 to 9."""
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=level)
    return out.getvalue()
