"""Scenes to pictures: as PNG, or as frames of an animation."""

import io
import math
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from PIL import Image, ImageDraw, ImageOps

from render import fonts
from render.pixels.shapes import Inks, inset_frame, paint_shapes, wash_out_like
from render.scene import CAP, Chip, Inset, Item, Label, Point, Scene, flatten_items
from render.theme import Colour, load_theme

MAX_WORDS = 4096
"""Words kept as they were painted: all that stand on a few maps, a kilobyte each."""

Word = tuple[Image.Image, int, int]
"""A mask of letters, and where it lies from the pen's point: to the right, and down."""


THIN = (20.2, 22.7)
"""Sizes in pixels at which the hinting of our face thins round figures: there words are painted doubled and halved."""
COLOURS, MIN_BLENDS, MAX_EXACT = 80, 40, 88
"""Colours of a picture, how many of them are blends at least, and how many are exact at most."""
SAMPLE, MAX_COUNTED = 8, 1 << 16
"""One pixel in so many, across and down, tells which blends there are; colours that are counted at most."""
NEAR = 10
"""Levels by which two colours must differ so that Pillow's table of colours, of cells of 4, parts them."""
MIN_PIXELS = 200
"""What a colour covers that stays exact."""
COMPRESSION = 4
"""Of PNG, 0 to 9: the next one takes 5 ms more for a map and saves 6 % of the file."""
LARGE, HARDER = 190_000, 7
"""Bytes above which a picture is compressed once more, and how hard: that takes 70 ms for the largest maps."""
MAX_PIXELS = 2600
"""Longest side of a picture; a larger one is painted smaller."""


@lru_cache(maxsize=MAX_WORDS)
def paint_word(face: str, pixels: float, text: str, rim: int) -> Word | None:
    """Return how a text of one font is painted, ``None`` if nothing is; ``rim`` is how much broader, in pixels."""
    if THIN[0] < pixels < THIN[1]:
        return _halve_word(paint_word(face, 2 * pixels, text, 2 * rim))
    font = fonts.load_font(face, pixels)
    left, top, right, low = (round(edge) for edge in font.getbbox(text, anchor="ls", stroke_width=rim))
    if right <= left or low <= top:
        return None
    mask = Image.new("L", (right - left + 2, low - top + 2))
    ImageDraw.Draw(mask).text((1 - left, 1 - top), text, fill=255, font=font, anchor="ls", stroke_width=rim)
    return mask, left - 1, top - 1


def _halve_word(doubled: Word | None) -> Word | None:
    """Return a word at half its size."""
    if doubled is None:
        return None
    mask, right, down = doubled
    left, top = right % 2, down % 2
    even = Image.new("L", (mask.width + left + 1, mask.height + top + 1))
    even.paste(mask, (left, top))
    return even.reduce(2), (right - left) // 2, (down - top) // 2


class Letters:
    """Paints the letters of labels and chips over everything else."""

    def __init__(self, inks: Inks, image: Image.Image, scale: float) -> None:
        self.inks, self.image, self.scale = inks, image, scale
        self.draw = ImageDraw.Draw(image)

    def paint(self, items: Iterable[Item], origin: Point) -> None:
        """Paint the letters of items around an origin in the scene's units."""
        for item, at in flatten_items(items, origin):
            if isinstance(item, Label):
                self._paint_label(item, at)
            elif isinstance(item, Chip):
                self._paint_chip(item, at)
            elif isinstance(item, Inset):
                self._paint_inset(item, at)

    def _paint_inset(self, item: Inset, origin: Point) -> None:
        """Paint the letters of a scene within this one, cut off at its frame."""
        box, scale = inset_frame(item, origin, self.scale)
        part = self.image.crop(box)
        Letters(self.inks, part, scale).paint(item.scene.items, (0.0, 0.0))
        self.image.paste(part, box[:2])

    def _paint_label(self, item: Label, origin: Point) -> None:
        pixels = item.size * self.scale
        pieces = fonts.split_by_font(item.text, item.face)
        widths = [fonts.load_font(name, pixels).getlength(piece) for name, piece in pieces]
        x = (item.x + origin[0]) * self.scale - {"l": 0.0, "m": 0.5, "r": 1.0}[item.side] * sum(widths)
        y = round((item.y + origin[1]) * self.scale + CAP / 2 * pixels)
        for (name, piece), wide in zip(pieces, widths, strict=True):
            if item.halo:
                self._paint_word(paint_word(name, pixels, piece, math.ceil(pixels * 0.09)), (round(x), y), item.halo)
            self._paint_word(paint_word(name, pixels, piece, 0), (round(x), y), item.colour)
            x += wide

    def _paint_word(self, drawn: Word | None, at: tuple[int, int], role: str) -> None:
        if drawn:
            mask, right, down = drawn
            self.image.paste(self.inks.take_rgb(role), (at[0] + right, at[1] + down), mask)

    def _paint_chip(self, item: Chip, origin: Point) -> None:
        colour = wash_out_like(item, "ink_soft") if item.ghost else item.livery.ink
        for k, line in enumerate(item.lines):
            drop = (k - (len(item.lines) - 1) / 2) * item.size * 0.84
            self._paint_label(Label(item.x + item.aside, item.y + drop, line, item.size, colour), origin)
        if item.flipped:
            left, top = (item.x + origin[0]) * self.scale, (item.y + origin[1]) * self.scale
            reach, thick = item.width * 0.36 * self.scale, max(2, round(item.height * 0.1 * self.scale))
            self.draw.line(
                [left - reach, top + reach, left + reach, top - reach],
                fill=self.inks.take_rgb(wash_out_like(item, "bad")),
                width=thick,
            )


def paint_png(scene: Scene, palette: str, width: int | None = None) -> bytes:
    """Return a scene as a PNG of few colours."""
    wide = width or scene.pixels
    wide = min(wide, MAX_PIXELS, max(1, int(MAX_PIXELS * scene.width / scene.height)))
    inks = Inks(load_theme(palette))
    return encode_png(paint_scene(scene, inks, wide), inks.list_colours())


def paint_film_frame(scene: Scene, palette: str, width: int) -> Image.Image:
    """Return a scene as a frame of an animation."""
    return paint_scene(scene, Inks(load_theme(palette)), width)


def encode_webp(frames: Sequence[Image.Image], times: tuple[int, int], quality: int) -> bytes:
    """Return frames as an animated WebP; ``times`` in milliseconds for each and for the last one."""
    size = (max(frame.width for frame in frames), max(frame.height for frame in frames))
    whole = [ImageOps.pad(frame, size, color=(255, 255, 255), centering=(0, 0)) for frame in frames]
    out = io.BytesIO()
    durations = [times[0]] * (len(whole) - 1) + [times[1]]
    whole[0].save(out, "WEBP", save_all=True, append_images=whole[1:], duration=durations, loop=0, quality=quality)
    return out.getvalue()


def paint_scene(scene: Scene, inks: Inks, width: int) -> Image.Image:
    """Return a scene as an RGB image of a width in pixels; ``inks`` learns its colours."""
    scale = width / scene.width
    image = paint_shapes(scene, inks, (width, max(1, round(scene.height * scale))))
    Letters(inks, image, scale).paint(scene.items, (0.0, 0.0))
    return image


def encode_png(image: Image.Image, exact: Collection[Colour]) -> bytes:
    """Return an image as PNG: colours exact that are seen, the blends between them by what is there."""
    own = _find_seen_colours(image, exact)
    count = max(COLOURS, len(own) + MIN_BLENDS)
    sample = image.resize((max(1, image.width // SAMPLE), max(1, image.height // SAMPLE)), Image.Resampling.NEAREST)
    blends = sample.quantize(count - len(own), method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    parts = blends.getpalette() or []
    found = zip(parts[0::3], parts[1::3], parts[2::3], strict=True)
    between = [colour for colour in found if not _is_near(colour, own)]
    colours = [part for colour in (*own, *between) for part in colour]
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours[: count * 3])
    plain = image.quantize(palette=palette, dither=Image.Dither.NONE)
    data = _save_png(plain, COMPRESSION)
    return data if len(data) < LARGE else _save_png(plain, HARDER)


def _is_near(colour: Colour, others: Collection[Colour]) -> bool:
    """Return whether a colour is so like another that Pillow may take one for the other."""
    red, green, blue = colour
    return any(abs(r - red) < NEAR and abs(g - green) < NEAR and abs(b - blue) < NEAR for r, g, b in others)


def _find_seen_colours(image: Image.Image, exact: Collection[Colour]) -> list[Colour]:
    """Return those of some colours that cover more than ``MIN_PIXELS``, the largest areas first."""
    often = {colour: count for count, colour in image.getcolors(MAX_COUNTED) or ()}
    seen = sorted((-often[colour], colour) for colour in exact if often.get(colour, 0) >= MIN_PIXELS)
    return [colour for _, colour in seen[:MAX_EXACT]]


def _save_png(image: Image.Image, level: int) -> bytes:
    """Return an image as PNG, compressed by a level from 0 to 9."""
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=level)
    return out.getvalue()
