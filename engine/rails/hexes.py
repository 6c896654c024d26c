"""Coordinates of flat-topped hexes: a letter for the column, a number for the half-row.

Two hexes one above the other differ by 2 in their numbers. Sides are numbered
clockwise from the south: 0 S, 1 SW, 2 NW, 3 N, 4 NE, 5 SE.
"""

SIDES = range(6)
SIDE_NAMES = ("south", "south-west", "north-west", "north", "north-east", "south-east")

# How column and number change across each side.
_STEPS = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))


def opposite(side: int) -> int:
    """Return the side across the hex; also the same hexside seen from the neighbour."""
    return (side + 3) % 6


def column_row(coord: str) -> tuple[int, int]:
    """Return column and half-row, both from 0: A1 is (0, 0), F2 is (5, 1)."""
    return ord(coord[0]) - ord("A"), int(coord[1:]) - 1


def neighbour(coord: str, side: int) -> str:
    """Return the coordinate beyond a side; it may lie off the map."""
    across, down = _STEPS[side]
    return f"{chr(ord(coord[0]) + across)}{int(coord[1:]) + down}"


def distance(here: str, there: str) -> int:
    """Return the number of steps from hex to hex, 0 for the same hex."""
    (column, row), (other_column, other_row) = column_row(here), column_row(there)
    across, down = abs(column - other_column), abs(row - other_row)
    return across + max(0, (down - across) // 2)
