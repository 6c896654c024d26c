"""Names on a hex: in free room in letters as large as they can be, else on a plate over the track."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from engine.record import Record
from render import fonts
from render.fonts import clean_text
from render.hexes import room
from render.hexes.room import Room, TryOrder
from render.scene import CAP, Box, Face, Item, Label, Point, Stamp

WIDE, SMALL, TIGHT = 0.05, 0.028, 0.02
"""What is kept free around a text, if it can be, around small letters, and at the least."""

Size = tuple[float, float]
"""Size of a font, and what is kept free around the text."""


class Way(Record, frozen=True):
    """A way to write a name.

    Args:
        cost: what it costs in legibility.
        size: that of the font.
        free: what is kept free around the text; ``None`` on a plate, which may lie over track.
        parted: with a hyphen before the last part of a long name, as "Black-water".
    """

    cost: float
    size: float
    free: float | None = None
    parted: bool = False

    @property
    def text(self) -> Size:
        """The size of the font and what is kept free around the text."""
        return self.size, self.free or 0.0


PLATES = (
    Way(8.0, 0.25), Way(9.0, 0.235), Way(12.0, 0.22), Way(15.0, 0.2), Way(19.0, 0.22, parted=True),
    Way(21.0, 0.2, parted=True), Way(45.0, 0.18), Way(48.0, 0.18, parted=True), Way(60.0, 0.16),
    Way(63.0, 0.16, parted=True),
)  # fmt: skip
"""Ways on plates. From 0.2 on a phone shows the letters of close-ups large enough; what is smaller costs much more."""

NAMES = (Way(0.0, 0.34, WIDE), Way(0.0, 0.3, WIDE), Way(0.5, 0.27, WIDE), Way(2.0, 0.25, WIDE), Way(4.0, 0.25, TIGHT))
STOP_NAMES = (
    Way(0.0, 0.24, TIGHT), Way(1.0, 0.22, TIGHT), Way(2.0, 0.2, TIGHT), *PLATES[:-4],
    Way(44.0, 0.18, TIGHT), *PLATES[-4:-2], Way(59.0, 0.16, TIGHT), *PLATES[-2:],
)  # fmt: skip
"""Ways of the name of a hex in free room, and of a stop that has a name of its own."""

PLATE = 0.035
"""What a plate leaves free around its letters."""

MAX_CUT_WIDTH = 1.3
"""Hex sides to which a name is cut that covers something wherever it stands."""

LINE = 0.98
"""Distance of lines, of the size of the font."""

NO_ROOM = 60
"""What it counts that a label covers something."""

LOOK: tuple[str, Face] = ("ink", "semi")


class PlacedName(Record, frozen=True):
    """A name as it stands, and what that costs in legibility."""

    items: tuple[Item, ...]
    cost: float


def place_name(free: Room, name: str, order: TryOrder) -> PlacedName:
    """Return the name of a hex where there is room; where there is none it is cut, and covers as little as it can."""
    breaks = list_line_breaks(name)
    might_fit = any(free.find_fits(find_text_cells(lines, NAMES[-1].text, LOOK[1])) for lines in breaks)
    placed = _place_in_ways(free, name, order, (*NAMES, *PLATES) if might_fit else PLATES)
    if placed:
        return placed
    size = PLATES[-1].size
    line = fonts.cut_to_fit(" ".join(breaks[0]), size, MAX_CUT_WIDTH, LOOK[1])
    at = free.take_best_fit(find_text_cells((line,), (size, PLATE), LOOK[1]), order)
    return PlacedName(_draw_plate((line,), at, size, "name"), NO_ROOM)


def place_stop_name(free: Room, name: str, order: TryOrder) -> PlacedName | None:
    """Return the name of a stop near it, or nothing if it has no room there."""
    return _place_in_ways(free, name, order, STOP_NAMES)


def place_on_plate(free: Room, text: str, order: TryOrder, kind: str = "name") -> PlacedName | None:
    """Return a text over track but over nothing else, in the largest letters in which it can be."""
    return _place_in_ways(free, text, order, PLATES, kind)


def _place_in_ways(
    free: Room, text: str, order: TryOrder, ways: Sequence[Way], kind: str = "name"
) -> PlacedName | None:
    """Return a text in the first of some ways for which there is room."""
    for way in ways:
        for lines in list_parted_lines(text) if way.parted else list_line_breaks(text):
            if way.free is not None:
                at = free.take_first_fit(find_text_cells(lines, way.text, LOOK[1]), order)
                if at:
                    return PlacedName(tuple(make_labels(lines, at, way.size, LOOK, kind=kind)), way.cost)
                continue
            wide = max(fonts.measure_text(line, way.size, LOOK[1]) for line in lines) / 2 + PLATE
            high = len(lines) * LINE * way.size / 2 + 0.02
            tall = ((len(lines) - 1) * LINE + CAP) * way.size / 2
            letters = room.find_box_cells(PLATE - wide, -tall, wide - PLATE, tall)
            at = free.take_over_track(room.find_box_cells(-wide, -high, wide, high), order, letters)
            if at:
                return PlacedName(_draw_plate(lines, at, way.size, kind), way.cost)
    return None


def _draw_plate(lines: Sequence[str], at: Point, size: float, kind: str) -> tuple[Item, ...]:
    """Return lines on one plate: beside a shorter line of two, ends of track would look like brackets."""
    wide = max(fonts.measure_text(line, size, LOOK[1]) for line in lines) + 2 * PLATE
    high = len(lines) * LINE * size
    x, y = round(at[0] - wide / 2, 3), round(at[1] - high / 2, 3)
    plate = Box(x, y, round(wide, 3), round(high, 3), 0.05, "casing")
    return (Stamp(0, 0, (plate,), layer=f"{kind}-plate"), *make_labels(lines, at, size, LOOK, kind=kind))


def make_labels(
    lines: Sequence[str], at: Point, size: float, look: tuple[str, Face], halo: str = "", kind: str = ""
) -> list[Label]:
    """Return lines of text around a point, in a colour and a face."""
    drops = [(k - (len(lines) - 1) / 2) * size * LINE for k in range(len(lines))]
    return [
        Label(at[0], round(at[1] + drop, 4), line, size, look[0], look[1], halo=halo, kind=kind)
        for line, drop in zip(lines, drops, strict=True)
    ]


@lru_cache(maxsize=4096)
def find_text_cells(lines: tuple[str, ...], size: Size, face: Face) -> room.Cells:
    """Return the cells that lines of text need, around their middle."""
    letters, free = size
    half = max(fonts.measure_text(line, letters, face) for line in lines) / 2 + free
    high = ((len(lines) - 1) * LINE + 0.72) * letters / 2 + free * 0.7
    hang = 0.2 * letters if any(sign in "gjpqy,;()Q" for sign in lines[-1]) else 0.0
    return room.find_box_cells(-half, -high, half, high + hang)


@lru_cache(maxsize=512)
def list_line_breaks(name: str) -> Sequence[tuple[str, ...]]:
    """Return a name in one line, and in two or three if it can be broken at blanks or hyphens."""
    name = clean_text(name)[:60]
    cuts = [k + 1 for k, sign in enumerate(name[:-1]) if sign in " -"]
    found: list[tuple[str, ...]] = [(name,)]
    for count in (1, 2):
        places = [(0, *chosen, len(name)) for chosen in combinations(cuts, count)]
        breaks = [tuple(name[a:b].strip() for a, b in pairwise(each)) for each in places]
        found += sorted(breaks, key=lambda lines: max(fonts.measure_text(part, 1.0, "semi") for part in lines))[:1]
    return found


_ENDING = re.compile(
    r"(?<=[a-z]{3})(?=(?:water|stone|chester|market|bridge|bourne|borne|brooke|ford|ham|ton|mouth|stowe|well|wich)$)"
)
"""Where a place name of one word is parted."""


@lru_cache(maxsize=512)
def list_parted_lines(name: str) -> Sequence[tuple[str, ...]]:
    """Return a name of one word in two lines, with a hyphen before its ending; none if it has no ending known."""
    name = clean_text(name)[:60]
    found = _ENDING.search(name) if " " not in name else None
    return [(f"{name[: found.start()]}-", name[found.start() :])] if found else []
