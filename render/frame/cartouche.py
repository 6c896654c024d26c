"""What maps of the time have in their empty seas: a compass, and the name of the land in a frame of two lines."""

import math
from collections.abc import Sequence

from engine.record import Record
from render import fonts
from render.scene import Box, Disc, Face, Item, Label, Point, Polygon

STEP = 1.02
"""Distance of lines, of the size of the letters."""

PAD, INNER = 0.5, 0.11
"""Blank around the words, and between the two lines of the frame, of the size of the letters."""


COMPASS = 2.1
"""Width of a compass for which the widths of its lines are given."""


class Cartouche(Record, frozen=True):
    """Its items around its upper left corner, and the room it takes."""

    items: tuple[Item, ...]
    width: float
    height: float


def cartouche(lines: Sequence[str], face: Face, size: float) -> Cartouche:
    """Return the name of a land in its frame; ``size`` is that of the letters."""
    wide = max(fonts.width(line, size, face) for line in lines) + 2 * PAD * size
    high = (len(lines) - 1) * STEP * size + 0.72 * size + 2 * PAD * size
    inner = INNER * size
    items: list[Item] = [
        Box(0, 0, wide, high, 0.16 * size, "shoal_1", "coast", 0.05 * size),
        Box(inner, inner, wide - 2 * inner, high - 2 * inner, 0.1 * size, "", "coast", 0.02 * size),
    ]
    for x in (0.0, wide):
        items.append(_lozenge(x, high / 2, 0.14 * size))
    for k, line in enumerate(lines):
        y = PAD * size + 0.36 * size + k * STEP * size
        items.append(Label(round(wide / 2, 3), round(y, 3), line, size, "sea_ink", face))
    return Cartouche(tuple(items), round(wide, 3), round(high, 3))


def compass(at: Point, wide: float) -> list[Item]:
    """Return a compass around a point, in a square of a width."""
    (x, y), r = at, wide * 0.36
    unit = wide / COMPASS
    items: list[Item] = [Disc(x, y, round(r * 0.8, 3), "", "coast", 0.03 * unit)]
    for turn in range(8):
        reach = r if turn % 2 == 0 else r * 0.6
        ux, uy = math.sin(turn * math.pi / 4), -math.cos(turn * math.pi / 4)
        side = r * 0.13
        tip, left, right = (ux * reach, uy * reach), (uy * side, -ux * side), (-uy * side, ux * side)
        for edge, role in ((left, "coast"), (right, "casing")):
            points = tuple((round(x + px, 3), round(y + py, 3)) for px, py in ((0.0, 0.0), edge, tip))
            items.append(Polygon(points, role, "coast", 0.014 * unit))
    return [*items, Label(x, round(y - r - 0.17 * unit, 3), "N", 0.4 * unit, "sea_ink")]


def _lozenge(x: float, y: float, r: float) -> Polygon:
    return Polygon(((x, y - r), (x + r, y), (x, y + r), (x - r, y)), "coast")
