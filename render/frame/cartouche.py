"""A cartouche: the name of the land in a frame of two lines, as maps of the time have it in their empty seas."""

from collections.abc import Sequence

from engine.record import Record
from render import fonts
from render.scene import Box, Face, Item, Label, Polygon

STEP = 1.02
"""Distance of lines, of the size of the letters."""

PAD, INNER = 0.5, 0.11
"""Blank around the words, and between the two lines of the frame, of the size of the letters."""


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


def _lozenge(x: float, y: float, r: float) -> Polygon:
    return Polygon(((x, y - r), (x + r, y), (x, y + r), (x - r, y)), "coast")
