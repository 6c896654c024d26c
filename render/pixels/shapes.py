"""Shapes to pixels: all of a scene but its letters.

They are painted twice as large as they are shown, because Pillow does not
smooth them, and by the number of their colour, a byte a pixel.
"""

import threading
from collections.abc import Iterable, Sequence

from PIL import Image, ImageDraw

from render.geometry import cut_into_dashes, flatten_curve, make_stroke_outline
from render.scene import Box, Chip, Curve, Disc, Inset, Item, Livery, Point, Polygon, Scene, flatten_items
from render.theme import Colour, Theme, draw_emblem, mix_colours

FINE = 2
MAX_COLOURS = 256
FAINT = 0.19
"""Share of the letters' colour in an emblem behind them."""
SHEETS = 3
"""Sizes of sheets that a thread keeps: those of the map, the market and the table of a turn."""
BAND = 64
"""Lines of a picture that are halved together; an even number."""


class Inks:
    """The colours of a picture by number."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._of_role: dict[str, int] = {}
        self._numbers: dict[Colour, int] = {}
        self._colours: list[Colour] = []

    def take_rgb(self, role: str) -> Colour:
        """Return a role's colour, and have it counted as one of the picture's."""
        return self._colours[self.take_number(role)]

    def take_between(self, role: str, other: str, share: float) -> str:
        """Return the colour between two, as ``#rrggbb``; ``share`` is how much there is of the second."""
        return "#" + bytes(mix_colours(self._theme.find_rgb(role), self._theme.find_rgb(other), share)).hex()

    def take_number(self, role: str) -> int:
        """Return the number of a role's colour; of too many colours one that is like it."""
        number = self._of_role.get(role)
        if number is None:
            number = self._of_role[role] = self._find_number(self._theme.find_rgb(role))
        return number

    def _find_number(self, colour: Colour) -> int:
        known = self._numbers
        if colour not in known and len(known) >= MAX_COLOURS:
            return known[min(known, key=lambda other: sum((a - b) ** 2 for a, b in zip(colour, other, strict=True)))]
        if colour not in known:
            known[colour] = len(known)
            self._colours.append(colour)
        return known[colour]

    def list_colours(self) -> Sequence[Colour]:
        """Return the colours in the order of their numbers."""
        return self._colours


def paint_shapes(scene: Scene, inks: Inks, size: tuple[int, int]) -> Image.Image:
    """Return the shapes of a scene in a size in pixels, smoothed."""
    fine = _take_sheet((size[0] * FINE, size[1] * FINE))
    fine.paste(inks.take_number(scene.ground), (0, 0, *fine.size))
    Shapes(inks, fine, size[0] * FINE / scene.width).paint(scene.items, (0.0, 0.0))
    return halve_smoothly(fine, [part for colour in inks.list_colours() for part in colour])


def _take_sheet(size: tuple[int, int]) -> Image.Image:
    """Return a sheet to paint on; a thread keeps its last ones, for new memory costs more than painting it over."""
    kept = _SHEETS.kept
    sheet = kept.pop(size, None) or Image.new("L", size)
    kept[size] = sheet
    if len(kept) > SHEETS:
        del kept[next(iter(kept))]
    return sheet


class _Sheets(threading.local):
    """The sheets of a thread by size, the one used last at the end."""

    def __init__(self) -> None:
        self.kept: dict[tuple[int, int], Image.Image] = {}


_SHEETS = _Sheets()


def halve_smoothly(fine: Image.Image, palette: Sequence[int]) -> Image.Image:
    """Return a picture of numbered colours halved, band by band: a band fits into a processor's cache."""
    whole = Image.new("RGB", (fine.width // FINE, fine.height // FINE))
    for top in range(0, fine.height, BAND):
        band = fine.crop((0, top, fine.width, min(fine.height, top + BAND)))
        band.putpalette(palette)
        whole.paste(band.convert("RGB").reduce(FINE), (0, top // FINE))
    return whole


def inset_frame(item: Inset, origin: Point, scale: float) -> tuple[tuple[int, int, int, int], float]:
    """Return the pixels that a scene within another fills, from left and top to right and bottom, and its own scale."""
    left, top = round((item.x + origin[0]) * scale), round((item.y + origin[1]) * scale)
    wide = round(item.width * scale)
    within = wide / item.scene.width
    return (left, top, left + wide, top + max(1, round(item.scene.height * within))), within


class Shapes:
    """Paints all but the letters, in order."""

    def __init__(self, inks: Inks, image: Image.Image, scale: float) -> None:
        self.inks, self.image, self.scale = inks, image, scale
        self.draw = ImageDraw.Draw(image)

    def paint(self, items: Iterable[Item], origin: Point) -> None:
        """Paint items around an origin in the scene's units."""
        for item, at in flatten_items(items, origin):
            if isinstance(item, Curve):
                self._paint_curve(item, at)
            elif isinstance(item, Polygon):
                self._paint_polygon(item, at)
            elif isinstance(item, Disc):
                self._paint_disc(item, at)
            elif isinstance(item, Box):
                self._paint_box(item, at)
            elif isinstance(item, Chip):
                self._paint_chip(item, at)
            elif isinstance(item, Inset):
                self._paint_inset(item, at)

    def _paint_inset(self, item: Inset, origin: Point) -> None:
        """Paint a scene within this one, cut off at its frame."""
        (left, top, right, low), scale = inset_frame(item, origin, self.scale)
        part = Image.new("L", (right - left, low - top), self.inks.take_number(item.scene.ground))
        Shapes(self.inks, part, scale).paint(item.scene.items, (0.0, 0.0))
        self.image.paste(part, (left, top))

    def _find_ink_number(self, role: str) -> int | None:
        return self.inks.take_number(role) if role else None

    def _place_points(self, points: Iterable[Point], origin: Point) -> list[Point]:
        ox, oy, scale = origin[0], origin[1], self.scale
        return [((x + ox) * scale, (y + oy) * scale) for x, y in points]

    def _convert_to_pixels(self, width: float) -> int:
        return max(1, round(width * self.scale)) if width else 0

    def _paint_polygon(self, item: Polygon, origin: Point) -> None:
        points = self._place_points(item.points, origin)
        if item.fill:
            self.draw.polygon(points, fill=self._find_ink_number(item.fill))
        if item.line and item.width:
            self._paint_stroke([*points, points[0]], self._convert_to_pixels(item.width), item.line, round_ends=True)

    def _paint_curve(self, item: Curve, origin: Point) -> None:
        points = self._place_points(item.points if item.joined else flatten_curve(item.points), origin)
        wide = item.width * self.scale
        pieces = cut_into_dashes(points, [length * wide for length in item.dash]) if item.dash else [points]
        for piece in pieces:
            self._paint_stroke(piece, wide, item.colour, round_ends=item.round, has_corners=item.joined)

    def _paint_stroke(
        self, points: Sequence[Point], wide: float, role: str, *, round_ends: bool, has_corners: bool = True
    ) -> None:
        ink = self._find_ink_number(role)
        if len(points) == 2 or not (round_ends or has_corners):
            self.draw.polygon(make_stroke_outline(points, wide), fill=ink)
        else:
            self.draw.line(list(points), fill=ink, width=max(1, round(wide)), joint="curve")
        if round_ends:
            for x, y in (points[0], points[-1]):
                self.draw.ellipse([x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2], fill=ink)

    def _paint_disc(self, item: Disc, origin: Point) -> None:
        x, y, r = (item.x + origin[0]) * self.scale, (item.y + origin[1]) * self.scale, item.r * self.scale
        self.draw.ellipse(
            [x - r, y - r, x + r, y + r],
            fill=self._find_ink_number(item.fill),
            outline=self._find_ink_number(item.line) if item.width else None,
            width=self._convert_to_pixels(item.width),
        )

    def _paint_box(self, item: Box, origin: Point) -> None:
        x, y = (item.x + origin[0]) * self.scale, (item.y + origin[1]) * self.scale
        right, low = x + item.width * self.scale - 1, y + item.height * self.scale - 1
        self.draw.rounded_rectangle(
            [x, y, max(x, right), max(y, low)],
            radius=item.round * self.scale,
            fill=self._find_ink_number(item.fill),
            outline=self._find_ink_number(item.line) if item.border else None,
            width=self._convert_to_pixels(item.border),
        )

    def _paint_chip(self, item: Chip, origin: Point) -> None:
        x, y = (item.x + origin[0]) * self.scale, (item.y + origin[1]) * self.scale
        _ChipShape(self.inks, self.draw, item, (x, y), self.scale).paint()
        if item.livery.emblem and not item.ghost:
            self.paint(self._find_chip_emblem(item), origin)

    def _find_chip_emblem(self, item: Chip) -> list[Item]:
        """Return the emblem on a chip: before its letters where there is room, on a token faint behind them.

        A narrow chip has its letters only: behind them an emblem is no more than dirt.
        """
        look = item.livery
        if item.aside:
            left = item.x - item.width / 2 + item.height * 0.5
            return draw_emblem(look.emblem, (left, item.y), 0.3 * item.height, look.ink, look.fill)
        if not item.disc:
            return []
        faint = self.inks.take_between(look.fill, look.ink, FAINT)
        return draw_emblem(look.emblem, (item.x, item.y), 0.31 * item.width, faint, look.fill)


def wash_out_like(chip: Chip, role: str) -> str:
    """Return a role as washed out as a chip is."""
    return f"pale:{role}" if chip.livery.fill.startswith("pale:") else role


class _ChipShape:
    """Paints the ground and the pattern of one chip around its middle, in pixels."""

    def __init__(self, inks: Inks, draw: ImageDraw.ImageDraw, chip: Chip, middle: Point, scale: float) -> None:
        self.draw, self.chip, self.inks = draw, chip, inks
        self.wide, self.high = chip.width * scale, chip.height * scale
        x, y = middle
        self.frame = (x - self.wide / 2, y - self.high / 2, x + self.wide / 2, y + self.high / 2)

    def paint(self) -> None:
        """Paint the chip."""
        look = self.chip.livery
        rim, line = max(2, round(self.high * 0.045)), wash_out_like(self.chip, "slot_line")
        if self.chip.ghost:
            self._paint_kept(look.fill, line, rim)
            return
        self._paint_shadow()
        self._paint_ground(self.frame, look.fill, line, rim)
        self._paint_pattern(look, _shrink_box(self.frame, rim))

    def _paint_shadow(self) -> None:
        """Paint the edge of the token below and beside it, so that it lies on the board."""
        drop = max(2, round(self.high * 0.055))
        left, top, right, low = self.frame
        self._paint_ground(
            (left + drop / 2, top + drop, right + drop / 2, low + drop), wash_out_like(self.chip, "shadow"), "", 0
        )

    def _paint_kept(self, colour: str, line: str, rim: int) -> None:
        """Paint a place that is only kept for a company: a broken ring in its colour."""
        self._paint_ground(self.frame, "slot", line, max(1, rim // 2))
        inner, band = _shrink_box(self.frame, rim * 1.5), max(2, round(self.high * 0.085))
        for k in range(7):
            self.draw.arc(list(inner), k * 360 / 7, k * 360 / 7 + 28, fill=self.inks.take_number(colour), width=band)

    def _paint_ground(self, frame: Sequence[float], fill: str, line: str, width: int) -> None:
        ground, border = self.inks.take_number(fill) if fill else None, self.inks.take_number(line) if line else None
        if self.chip.disc:
            self.draw.ellipse(list(frame), fill=ground, outline=border, width=width)
        else:
            self.draw.rounded_rectangle(list(frame), self.high * 0.22, fill=ground, outline=border, width=width)

    def _paint_pattern(self, look: Livery, frame: tuple[float, float, float, float]) -> None:
        """Paint the pattern in the rim of the chip, where no letters are."""
        accent, band = self.inks.take_number(look.accent), max(2, round(self.high * 0.075))
        if look.pattern == "ring":
            self._paint_ground(_shrink_box(frame, band * 0.5), "", look.accent, band)
        elif self.chip.disc:
            for start, end in ARCS.get(look.pattern, ()):
                self.draw.arc(list(_shrink_box(frame, band * 0.4)), start, end, fill=accent, width=band)
        else:
            for line in list_edge_lines(look.pattern, frame, band):
                self.draw.line(line, fill=accent, width=band)


def list_edge_lines(pattern: str, frame: tuple[float, float, float, float], band: float) -> list[list[float]]:
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


ARCS: dict[str, tuple[tuple[float, float], ...]] = {
    "caps": ((215, 325), (35, 145)),
    "flanks": ((125, 235), (-55, 55)),
    "dash": tuple((k * 60, k * 60 + 32) for k in range(6)),
    "dots": tuple((k * 24, k * 24 + 11) for k in range(15)),
}


def _shrink_box(frame: Sequence[float], by: float) -> tuple[float, float, float, float]:
    return frame[0] + by, frame[1] + by, frame[2] - by, frame[3] - by
