"""Scenes to pixels: the only module besides ``fonts`` that knows Pillow.

Shapes are painted at twice the size and halved, because Pillow does not
smooth them; letters are painted afterwards at full size, sharp as the font
draws them.
"""

import io
import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from PIL import Image, ImageDraw, ImageOps

from render import fonts
from render.geometry import dashes, flatten, ribbon
from render.scene import CAP, Box, Chip, Curve, Disc, Inset, Item, Label, Livery, Point, Polygon, Scene, Stamp
from render.theme import Theme, load

FINE = 2
COLOURS = 128
SAMPLE = 4
"""One pixel in so many, across and down, tells which blends there are."""

COMPRESSION = 5
"""Of PNG, 0 to 9: the next one takes 12 ms more for a map and saves 5 % of the file."""

MOST_PIXELS = 2600
"""Longest side of a picture; a larger one is painted smaller."""


def png(scene: Scene, palette: str, width: int | None = None) -> bytes:
    """Return a scene as a PNG of at most ``COLOURS`` colours."""
    theme = load(palette)
    wide = width or scene.pixels
    wide = min(wide, MOST_PIXELS, max(1, int(MOST_PIXELS * scene.width / scene.height)))
    return encoded(painted(scene, theme, wide), theme, scene)


def frame(scene: Scene, palette: str, width: int) -> Image.Image:
    """Return a scene as a frame of an animation."""
    return painted(scene, load(palette), width)


def animated(frames: Sequence[Image.Image], times: tuple[int, int], quality: int) -> bytes:
    """Return frames as an animated WebP; ``times`` in milliseconds for each and for the last one."""
    size = (max(frame.width for frame in frames), max(frame.height for frame in frames))
    whole = [ImageOps.pad(frame, size, color=(255, 255, 255), centering=(0, 0)) for frame in frames]
    out = io.BytesIO()
    durations = [times[0]] * (len(whole) - 1) + [times[1]]
    whole[0].save(out, "WEBP", save_all=True, append_images=whole[1:], duration=durations, loop=0, quality=quality)
    return out.getvalue()


def painted(scene: Scene, theme: Theme, width: int) -> Image.Image:
    """Return a scene as an RGB image of a width in pixels."""
    scale = width / scene.width
    size = (width, max(1, round(scene.height * scale)))
    image = Image.new("RGB", (size[0] * FINE, size[1] * FINE), theme.rgb(scene.ground))
    _Shapes(theme, image, scale * FINE).paint(scene.items, (0.0, 0.0))
    image = image.reduce(FINE)
    _Letters(theme, image, scale).paint(scene.items, (0.0, 0.0))
    return image


@lru_cache(maxsize=256)
def _inset(scene: Scene, palette: str, width: int) -> Image.Image:
    """Return the shapes of a scene within a scene, not yet halved."""
    scale = width / scene.width
    theme = load(palette)
    image = Image.new("RGB", (width, max(1, round(scene.height * scale))), theme.rgb(scene.ground))
    _Shapes(theme, image, scale).paint(scene.items, (0.0, 0.0))
    return image


def encoded(image: Image.Image, theme: Theme, scene: Scene) -> bytes:
    """Return an image as PNG: the scene's own colours exact, the blends between them by what is there."""
    own = sorted({theme.rgb(role) for role in _roles(scene.items)} | {theme.rgb(scene.ground)})[: COLOURS // 2]
    sample = image.resize((max(1, image.width // SAMPLE), max(1, image.height // SAMPLE)), Image.Resampling.NEAREST)
    blends = sample.quantize(COLOURS - len(own), method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    colours = [part for colour in own for part in colour] + (blends.getpalette() or [])
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours[: COLOURS * 3])
    out = io.BytesIO()
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", compress_level=COMPRESSION)
    return out.getvalue()


def _roles(items: Iterable[Item]) -> set[str]:
    """Return the colours a scene names."""
    roles: set[str] = set()
    for item in items:
        if isinstance(item, Stamp):
            roles |= _roles(item.items)
        elif isinstance(item, Chip):
            roles |= {item.livery.fill, item.livery.ink, item.livery.accent}
        elif isinstance(item, Inset):
            roles |= _roles(item.scene.items)
        elif isinstance(item, (Curve, Label)):
            roles.add(item.colour)
        else:
            roles |= {role for role in (item.fill, item.line) if role}
    return roles


class _Shapes:
    """Paints all but the letters, in order."""

    def __init__(self, theme: Theme, image: Image.Image, scale: float) -> None:
        self.theme, self.image, self.scale = theme, image, scale
        self.draw = ImageDraw.Draw(image)

    def paint(self, items: Iterable[Item], origin: Point) -> None:
        """Paint items around an origin in the scene's units."""
        for item in items:
            if isinstance(item, Curve):
                self._curve(item, origin)
            elif isinstance(item, Polygon):
                self._polygon(item, origin)
            elif isinstance(item, Disc):
                self._disc(item, origin)
            elif isinstance(item, Box):
                self._box(item, origin)
            elif isinstance(item, Chip):
                self._chip(item, origin)
            elif isinstance(item, Stamp):
                self.paint(item.items, (origin[0] + item.x, origin[1] + item.y))
            elif isinstance(item, Inset):
                picture = _inset(item.scene, self.theme.name, round(item.width * self.scale))
                self.image.paste(picture, self._corner(item, origin))

    def _corner(self, item: Inset, origin: Point) -> tuple[int, int]:
        return round((item.x + origin[0]) * self.scale), round((item.y + origin[1]) * self.scale)

    def _ink(self, role: str) -> tuple[int, int, int] | None:
        return self.theme.rgb(role) if role else None

    def _placed(self, points: Iterable[Point], origin: Point) -> list[Point]:
        ox, oy, scale = origin[0], origin[1], self.scale
        return [((x + ox) * scale, (y + oy) * scale) for x, y in points]

    def _pixels(self, width: float) -> int:
        return max(1, round(width * self.scale)) if width else 0

    def _polygon(self, item: Polygon, origin: Point) -> None:
        points = self._placed(item.points, origin)
        if item.fill:
            self.draw.polygon(points, fill=self._ink(item.fill))
        if item.line and item.width:
            self._stroke([*points, points[0]], self._pixels(item.width), item.line, round_ends=True)

    def _curve(self, item: Curve, origin: Point) -> None:
        points = self._placed(item.points if item.joined else flatten(item.points), origin)
        wide = item.width * self.scale
        if not item.dash:
            self._stroke(points, wide, item.colour, round_ends=item.round)
            return
        for piece in dashes(points, [length * wide for length in item.dash]):
            self._stroke(piece, wide, item.colour, round_ends=item.round)

    def _stroke(self, points: Sequence[Point], wide: float, role: str, *, round_ends: bool) -> None:
        ink = self._ink(role)
        if len(points) == 2 or not round_ends:
            self.draw.polygon(ribbon(points, wide), fill=ink)
        else:
            self.draw.line(list(points), fill=ink, width=max(1, round(wide)), joint="curve")
        if round_ends:
            for x, y in (points[0], points[-1]):
                self.draw.ellipse([x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2], fill=ink)

    def _disc(self, item: Disc, origin: Point) -> None:
        x, y, r = (item.x + origin[0]) * self.scale, (item.y + origin[1]) * self.scale, item.r * self.scale
        self.draw.ellipse(
            [x - r, y - r, x + r, y + r],
            fill=self._ink(item.fill),
            outline=self._ink(item.line) if item.width else None,
            width=self._pixels(item.width),
        )

    def _box(self, item: Box, origin: Point) -> None:
        x, y = (item.x + origin[0]) * self.scale, (item.y + origin[1]) * self.scale
        right, low = x + item.width * self.scale - 1, y + item.height * self.scale - 1
        self.draw.rounded_rectangle(
            [x, y, max(x, right), max(y, low)],
            radius=item.round * self.scale,
            fill=self._ink(item.fill),
            outline=self._ink(item.line) if item.border else None,
            width=self._pixels(item.border),
        )

    def _chip(self, item: Chip, origin: Point) -> None:
        x, y = (item.x + origin[0]) * self.scale, (item.y + origin[1]) * self.scale
        _ChipShape(self.theme, self.draw, item, (x, y), self.scale).paint()


def _like(chip: Chip, role: str) -> str:
    """Return a role as washed out as a chip is."""
    return f"pale:{role}" if chip.livery.fill.startswith("pale:") else role


class _ChipShape:
    """Paints the ground and the pattern of one chip around its middle, in pixels."""

    def __init__(self, theme: Theme, draw: ImageDraw.ImageDraw, chip: Chip, middle: Point, scale: float) -> None:
        self.draw, self.chip, self.theme = draw, chip, theme
        self.wide, self.high = chip.width * scale, chip.height * scale
        x, y = middle
        self.frame = (x - self.wide / 2, y - self.high / 2, x + self.wide / 2, y + self.high / 2)

    def paint(self) -> None:
        """Paint the chip."""
        look = self.chip.livery
        rim, line = max(2, round(self.high * 0.045)), _like(self.chip, "slot_line")
        if self.chip.ghost:
            self._kept(look.fill, line, rim)
            return
        self._shadow()
        self._ground(self.frame, look.fill, line, rim)
        self._pattern(look, _smaller(self.frame, rim))

    def _shadow(self) -> None:
        """Paint the edge of the token below and beside it, so that it lies on the board."""
        drop = max(2, round(self.high * 0.055))
        left, top, right, low = self.frame
        self._ground((left + drop / 2, top + drop, right + drop / 2, low + drop), _like(self.chip, "shadow"), "", 0)

    def _kept(self, colour: str, line: str, rim: int) -> None:
        """Paint a place that is only kept for a company: a broken ring in its colour."""
        self._ground(self.frame, "slot", line, max(1, rim // 2))
        inner, band = _smaller(self.frame, rim * 1.5), max(2, round(self.high * 0.085))
        for k in range(7):
            self.draw.arc(list(inner), k * 360 / 7, k * 360 / 7 + 28, fill=self.theme.rgb(colour), width=band)

    def _ground(self, frame: Sequence[float], fill: str, line: str, width: int) -> None:
        ground, border = self.theme.rgb(fill) if fill else None, self.theme.rgb(line) if line else None
        if self.chip.disc:
            self.draw.ellipse(list(frame), fill=ground, outline=border, width=width)
        else:
            self.draw.rounded_rectangle(list(frame), self.high * 0.22, fill=ground, outline=border, width=width)

    def _pattern(self, look: Livery, frame: tuple[float, float, float, float]) -> None:
        """Paint the pattern in the rim of the chip, where no letters are."""
        accent, band = self.theme.rgb(look.accent), max(2, round(self.high * 0.075))
        if look.pattern == "ring":
            self._ground(_smaller(frame, band * 0.5), "", look.accent, band)
        elif self.chip.disc:
            for start, end in _ARCS.get(look.pattern, ()):
                self.draw.arc(list(_smaller(frame, band * 0.4)), start, end, fill=accent, width=band)
        else:
            for line in _edge_lines(look.pattern, frame, band):
                self.draw.line(line, fill=accent, width=band)


def _edge_lines(pattern: str, frame: tuple[float, float, float, float], band: int) -> list[list[float]]:
    """Return the lines of a pattern along the edges of an oblong chip."""
    left, top, right, low = frame
    if pattern == "caps":
        return [[left + band * 2, y, right - band * 2, y] for y in (top + band, low - band)]
    if pattern == "flanks":
        return [[x, top + band * 2, x, low - band * 2] for x in (left + band, right - band)]
    if pattern == "plain":
        return []
    step = band * (4 if pattern == "dash" else 2.2)
    starts = [left + band * 2 + k * step for k in range(int((right - left - band * 3) / step))]
    return [[x, y, x + step / 2, y] for x in starts for y in (top + band, low - band)]


_ARCS: dict[str, tuple[tuple[float, float], ...]] = {
    "caps": ((215, 325), (35, 145)),
    "flanks": ((125, 235), (-55, 55)),
    "dash": tuple((k * 60, k * 60 + 32) for k in range(6)),
    "dots": tuple((k * 24, k * 24 + 11) for k in range(15)),
}


def _smaller(frame: Sequence[float], by: float) -> tuple[float, float, float, float]:
    return frame[0] + by, frame[1] + by, frame[2] - by, frame[3] - by


class _Letters:
    """Paints the letters of labels and chips over everything else."""

    def __init__(self, theme: Theme, image: Image.Image, scale: float) -> None:
        self.theme, self.image, self.scale = theme, image, scale
        self.draw = ImageDraw.Draw(image)

    def paint(self, items: Iterable[Item], origin: Point) -> None:
        """Paint the letters of items around an origin in the scene's units."""
        for item in items:
            if isinstance(item, Label):
                self._label(item, origin)
            elif isinstance(item, Chip):
                self._chip(item, origin)
            elif isinstance(item, Stamp):
                self.paint(item.items, (origin[0] + item.x, origin[1] + item.y))
            elif isinstance(item, Inset):
                self._inset(item, origin)

    def _inset(self, item: Inset, origin: Point) -> None:
        """Paint the letters of a scene within this one, cut off at its frame."""
        scale = round(item.width * self.scale) / item.scene.width
        left, top = round((item.x + origin[0]) * self.scale), round((item.y + origin[1]) * self.scale)
        frame = (left, top, left + round(item.width * self.scale), top + round(item.scene.height * scale))
        part = self.image.crop(frame)
        _Letters(self.theme, part, scale).paint(item.scene.items, (0.0, 0.0))
        self.image.paste(part, frame[:2])

    def _label(self, item: Label, origin: Point) -> None:
        pixels = item.size * self.scale
        pieces = fonts.runs(item.text, item.face)
        widths = [fonts.font(name, pixels).getlength(piece) for name, piece in pieces]
        x = (item.x + origin[0]) * self.scale - {"l": 0.0, "m": 0.5, "r": 1.0}[item.side] * sum(widths)
        y = (item.y + origin[1]) * self.scale + CAP / 2 * pixels
        ink = self.theme.rgb(item.colour)
        rim = math.ceil(pixels * 0.09) if item.halo else 0
        halo = self.theme.rgb(item.halo) if item.halo else None
        for (name, piece), wide in zip(pieces, widths, strict=True):
            font = fonts.font(name, pixels)
            self.draw.text((x, y), piece, font=font, fill=ink, anchor="ls", stroke_width=rim, stroke_fill=halo)
            x += wide

    def _chip(self, item: Chip, origin: Point) -> None:
        colour = _like(item, "ink_soft") if item.ghost else item.livery.ink
        for k, line in enumerate(item.lines):
            drop = (k - (len(item.lines) - 1) / 2) * item.size * 0.84
            self._label(Label(item.x, item.y + drop, line, item.size, colour), origin)
        if item.flipped:
            left, top = (item.x + origin[0]) * self.scale, (item.y + origin[1]) * self.scale
            reach, thick = item.width * 0.36 * self.scale, max(2, round(item.height * 0.1 * self.scale))
            self.draw.line(
                [left - reach, top + reach, left + reach, top - reach],
                fill=self.theme.rgb(_like(item, "bad")),
                width=thick,
            )
