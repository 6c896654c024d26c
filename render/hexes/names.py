"""Names on a hex: in free room in letters as large as they can be, else on a plate over the track."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from engine.record import Record
from render import fonts
from render.fonts import clean_text
from render.hexes import room
from render.hexes.room import Room, TryOrder
from render.scene import Box, Face, Item, Label, Point, Stamp

WIDE, SMALL, TIGHT = 0.05, 0.028, 0.02
"""What is kept free around a text, if it can be, around small letters, and at the least."""

Size = tuple[float, float]
"""Size of a font, and what is kept free around the text."""

NAME_SIZES: tuple[Size, ...] = ((0.34, WIDE), (0.3, WIDE), (0.27, WIDE), (0.25, WIDE), (0.25, TIGHT))
NAME_COSTS = (0.0, 0.0, 0.5, 2.0, 4.0)
"""What each of these sizes costs in legibility."""

PLATE_SIZES = (0.25, 0.235, 0.22, 0.2, 0.18, 0.16)
PLATE_COSTS = (8.0, 9.0, 12.0, 15.0, 45.0, 60.0)
STOP_SIZES = (0.24, 0.22, 0.2, 0.18, 0.16)
"""Sizes of the name of a stop that is not that of its hex."""

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
    might_fit = any(free.find_fits(find_text_cells(lines, NAME_SIZES[-1], LOOK[1])) for lines in breaks)
    for size, cost in zip(NAME_SIZES, NAME_COSTS, strict=True) if might_fit else ():
        for lines in breaks:
            at = free.take_first_fit(find_text_cells(lines, size, LOOK[1]), order)
            if at:
                return PlacedName(tuple(make_labels(lines, at, size[0], LOOK, kind="name")), cost)
    placed = place_on_plate(free, breaks, order)
    if placed:
        return placed
    line = fonts.cut_to_fit(" ".join(breaks[0]), PLATE_SIZES[-1], MAX_CUT_WIDTH, LOOK[1])
    at = free.take_best_fit(find_text_cells((line,), (PLATE_SIZES[-1], PLATE), LOOK[1]), order)
    return PlacedName(_draw_plate((line,), at, PLATE_SIZES[-1], "name"), NO_ROOM)


def place_stop_name(free: Room, name: str, order: TryOrder) -> PlacedName | None:
    """Return the name of a stop near it, or nothing if it has no room there."""
    for rank, size in enumerate(STOP_SIZES):
        at = free.take_first_fit(find_text_cells((name,), (size, TIGHT), LOOK[1]), order)
        if at:
            return PlacedName(tuple(make_labels((name,), at, size, LOOK, kind="name")), rank)
    return place_on_plate(free, [(name,)], order)


def place_on_plate(
    free: Room, breaks: Sequence[tuple[str, ...]], order: TryOrder, kind: str = "name"
) -> PlacedName | None:
    """Return a name over track but over nothing else, in the largest letters in which it can be."""
    for size, cost in zip(PLATE_SIZES, PLATE_COSTS, strict=True):
        for lines in breaks:
            wide = max(fonts.measure_text(line, size, LOOK[1]) for line in lines) / 2 + PLATE
            high = len(lines) * LINE * size / 2 + 0.02
            at = free.take_over_track(room.find_box_cells(-wide, -high, wide, high), order)
            if at:
                return PlacedName(_draw_plate(lines, at, size, kind), cost)
    return None


def _draw_plate(lines: Sequence[str], at: Point, size: float, kind: str) -> tuple[Item, ...]:
    labels = make_labels(lines, at, size, LOOK, kind=kind)
    high = LINE * size
    plates: list[Item] = []
    for label in labels:
        wide = fonts.measure_text(label.text, size, LOOK[1]) + 2 * PLATE
        x, y = round(label.x - wide / 2, 3), round(label.y - high / 2, 3)
        plates.append(Box(x, y, round(wide, 3), round(high, 3), 0.05, "casing"))
    return (Stamp(0, 0, tuple(plates), layer=f"{kind}-plate"), *labels)


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
