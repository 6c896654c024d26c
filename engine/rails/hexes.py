"""Coordinates of hexes: a letter and a number, on maps of flat-topped or of pointy hexes.

Flat-topped: the letter is the column, the number the half-row; two hexes one
above the other differ by 2 in their numbers. Pointy: the letter is the row,
the number the half-column. Sides are numbered clockwise, for flat hexes from
the south: 0 S, 1 SW, 2 NW, 3 N, 4 NE, 5 SE; a pointy hex is one turned by half
a side: 0 SW, 1 W, 2 NW, 3 NE, 4 E, 5 SE.
"""

from collections.abc import Mapping
from types import MappingProxyType

from engine.hex_view import Layout

SIDES = range(6)

_NAMES: Mapping[Layout, tuple[str, ...]] = MappingProxyType({
    "flat": ("south", "south-west", "north-west", "north", "north-east", "south-east"),
    "pointy": ("south-west", "west", "north-west", "north-east", "east", "south-east"),
})  # fmt: skip

# How letter and number change across each side.
_STEPS: Mapping[Layout, tuple[tuple[int, int], ...]] = MappingProxyType({
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1)),
})  # fmt: skip


def opposite(side: int) -> int:
    """Return the side across the hex; also the same hexside seen from the neighbour."""
    return (side + 3) % 6


def side_name(side: int, layout: Layout = "flat") -> str:
    """Return where a side lies: "south-west"."""
    return _NAMES[layout][side]


def column_row(coord: str, layout: Layout = "flat") -> tuple[int, int]:
    """Return column and row from 0, rows halved on a flat map and columns on a pointy one: flat F2 is (5, 1)."""
    letter, number = ord(coord[0]) - ord("A"), int(coord[1:]) - 1
    return (letter, number) if layout == "flat" else (number, letter)


def neighbour(coord: str, side: int, layout: Layout = "flat") -> str:
    """Return the coordinate beyond a side; it may lie off the map."""
    letter, number = _STEPS[layout][side]
    return f"{chr(ord(coord[0]) + letter)}{int(coord[1:]) + number}"


def distance(here: str, there: str) -> int:
    """Return the number of steps from hex to hex, 0 for the same hex; the same on either kind of map."""
    (letter, number), (other_letter, other_number) = column_row(here), column_row(there)
    across, along = abs(letter - other_letter), abs(number - other_number)
    return across + max(0, (along - across) // 2)
