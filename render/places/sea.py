"""Where the empty sea of a board has room: for a compass, and for the name of the land."""

from collections.abc import Sequence
from functools import lru_cache

from render.places.spread import Frame
from render.scene import Point

STEP, PROBE = 20, 24
"""Pixels between the places that are tried, and between the points of one that must not lie on land."""

SHORE = 30.0
"""How far from the coast, from the edges and from what stands on the board."""

Outlines = tuple[tuple[Point, ...], ...]


@lru_cache(maxsize=64)
def free(
    outlines: Outlines, taken: tuple[Frame, ...], board: tuple[float, float, float], size: tuple[float, float]
) -> Point | None:
    """Return the upper left corner of a rectangle at sea, as far down as there is one, ``None`` if there is none.

    Args:
        outlines: of the land.
        taken: what stands on the board.
        board: its upper edge, width and height.
        size: of the rectangle.
    """
    top, wide, high = board
    columns = list(range(int(SHORE), int(wide - SHORE - size[0]) + 1, STEP))
    for y in range(int(high - size[1] - SHORE / 2), int(top), -STEP):
        for x in sorted(columns, key=lambda x: min(x, wide - size[0] - x)):
            if _clear((float(x), float(y)), size, taken) and _at_sea((float(x), float(y)), size, outlines):
                return float(x), float(y)
    return None


def _clear(at: Point, size: tuple[float, float], taken: Sequence[Frame]) -> bool:
    """Tell whether nothing stands in a rectangle or near it."""
    x, y = at[0] + size[0] / 2, at[1] + size[1] / 2
    reach = SHORE / 2
    return not any(
        abs(x - f.x) < (size[0] + f.width) / 2 + reach and abs(y - f.y) < (size[1] + f.height) / 2 + reach
        for f in taken
    )


def _at_sea(at: Point, size: tuple[float, float], outlines: Outlines) -> bool:
    """Tell whether no land is in a rectangle or near it."""
    left, top, right, low = at[0] - SHORE, at[1] - SHORE, at[0] + size[0] + SHORE, at[1] + size[1] + SHORE
    if any(left < x < right and top < y < low for line in outlines for x, y in line):
        return False
    across = [left + k * PROBE for k in range(int((right - left) / PROBE) + 1)] + [right]
    down = [top + k * PROBE for k in range(int((low - top) / PROBE) + 1)] + [low]
    edge = [(x, y) for x in across for y in (top, low)] + [(x, y) for y in down for x in (left, right)]
    return not any(_inside(point, line) for point in edge for line in outlines)


def _inside(point: Point, line: Sequence[Point]) -> bool:
    """Tell whether a point lies within a closed line."""
    x, y = point
    within = False
    for (ax, ay), (bx, by) in zip(line, (*line[1:], line[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            within = not within
    return within
