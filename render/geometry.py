"""Hexes of side 1, flat-topped or pointy, and the curves of track on them.

Sides are numbered clockwise from 0, south on a flat hex; a pointy one is a
flat one turned clockwise by half a side, so that 0 is south-west. x runs
right, y down; the centre of a hex is its origin.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from types import MappingProxyType

from engine.hex_view import Layout
from render.scene import Point

HALF = math.sqrt(3) / 2
"""Distance from the centre of a hex to the middle of a side."""

SHARP = 4 / 3 * math.tan(math.pi / 6) * 0.5
GENTLE = 4 / 3 * math.tan(math.pi / 12) * 1.5
_BEHIND: Mapping[Layout, tuple[tuple[int, int], ...]] = MappingProxyType({
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
})  # fmt: skip


def find_centre(x: int, y: int, layout: Layout = "flat") -> Point:
    """Return the centre of the hex in a column and a row; flat hexes halve the rows, pointy ones the columns."""
    return (1.5 * x, HALF * y) if layout == "flat" else (HALF * x, 1.5 * y)


def measure_half(layout: Layout) -> Point:
    """Return how far a hex reaches from its centre, across and down."""
    return (1.0, HALF) if layout == "flat" else (HALF, 1.0)


@cache
def list_corners(layout: Layout = "flat") -> tuple[Point, ...]:
    """Return the corners clockwise from the east, of a pointy hex from the south-east."""
    turn = _count_turns(layout)
    return tuple((math.cos(math.pi / 3 * (k + turn)), math.sin(math.pi / 3 * (k + turn))) for k in range(6))


def _count_turns(layout: Layout) -> float:
    """Return by how many sides a hex is turned clockwise from a flat one."""
    return 0.0 if layout == "flat" else 0.5


def find_side_corners(side: int, layout: Layout = "flat") -> tuple[Point, Point]:
    """Return the two corners of a side, in clockwise order."""
    return list_corners(layout)[(side + 1) % 6], list_corners(layout)[(side + 2) % 6]


@cache
def find_direction_to(place: float, layout: Layout = "flat") -> Point:
    """Return the unit vector towards a side, or towards the corner between two (0.5)."""
    angle = math.pi / 3 * (place + _count_turns(layout))
    return -math.sin(angle), math.cos(angle)


def find_side_middle(side: int, layout: Layout = "flat") -> Point:
    """Return the middle of a side."""
    x, y = find_direction_to(side, layout)
    return x * HALF, y * HALF


def find_neighbour_step(side: int, layout: Layout = "flat") -> tuple[int, int]:
    """Return the step in columns and rows to the hex behind a side."""
    return _BEHIND[layout][side]


def make_curve_between_sides(a: int, b: int, layout: Layout = "flat") -> tuple[Point, ...]:
    """Return the curve of track from side to side; it leaves both at right angles."""
    apart = min((a - b) % 6, (b - a) % 6)
    start, end = find_side_middle(a, layout), find_side_middle(b, layout)
    if apart == 3:
        return start, end
    bend = SHARP if apart == 1 else GENTLE
    (ax, ay), (bx, by) = find_direction_to(a, layout), find_direction_to(b, layout)
    return start, (start[0] - ax * bend, start[1] - ay * bend), (end[0] - bx * bend, end[1] - by * bend), end


def make_curve_into_hex(side: int, to: Point, layout: Layout = "flat") -> tuple[Point, ...]:
    """Return the curve from a side to a point inside; it leaves the side at a right angle."""
    start = find_side_middle(side, layout)
    nx, ny = find_direction_to(side, layout)
    dx, dy = to[0] - start[0], to[1] - start[1]
    depth = -(dx * nx + dy * ny)
    if abs(dx * ny - dy * nx) < 0.02:
        return start, to
    bend = max(0.22, depth * 0.62)
    return start, (start[0] - nx * bend, start[1] - ny * bend), to


def find_point_at(curve: Sequence[Point], t: float) -> Point:
    """Return the point of a Bézier curve at ``t`` from 0 to 1."""
    points = list(curve)
    while len(points) > 1:
        points = [(p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t) for p, q in pairwise(points)]
    return points[0]


def find_direction_at(curve: Sequence[Point], t: float) -> Point:
    """Return the unit vector along a curve at ``t``."""
    (ax, ay), (bx, by) = find_point_at(curve, max(0.0, t - 0.01)), find_point_at(curve, min(1.0, t + 0.01))
    length = math.hypot(bx - ax, by - ay) or 1.0
    return (bx - ax) / length, (by - ay) / length


def cut_curve(curve: Sequence[Point], start: float, end: float) -> tuple[Point, ...]:
    """Return the part of a Bézier curve between two values of ``t``, as a curve of the same degree."""
    head = _split_curve(curve, end)[0]
    return _split_curve(head, start / end)[1] if end else tuple(head)


def _split_curve(curve: Sequence[Point], t: float) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    points = list(curve)
    left, right = [points[0]], [points[-1]]
    while len(points) > 1:
        points = [(p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t) for p, q in pairwise(points)]
        left.append(points[0])
        right.append(points[-1])
    return tuple(left), tuple(reversed(right))


def flatten_curve(curve: Sequence[Point], steps: int = 12) -> list[Point]:
    """Return points along a Bézier curve; a straight line needs only its two."""
    if len(curve) == 2:
        return list(curve)
    return [find_point_at(curve, k / steps) for k in range(steps + 1)]


def measure_line(points: Sequence[Point]) -> float:
    """Return the length of joined lines."""
    return sum(math.dist(p, q) for p, q in pairwise(points))


def make_stroke_outline(points: Sequence[Point], width: float) -> list[Point]:
    """Return the outline of a stroke along joined lines, its ends cut square."""
    left: list[Point] = []
    right: list[Point] = []
    last = len(points) - 1
    for k, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(0, k - 1)], points[min(last, k + 1)]
        span = math.hypot(bx - ax, by - ay) or 1.0
        ox, oy = -(by - ay) / span * width / 2, (bx - ax) / span * width / 2
        left.append((x + ox, y + oy))
        right.append((x - ox, y - oy))
    return left + right[::-1]


def cut_into_dashes(points: Sequence[Point], pattern: Sequence[float]) -> list[list[Point]]:
    """Return the drawn pieces of joined lines under a pattern of lengths on and off."""
    pieces: list[list[Point]] = []
    current: list[Point] = [points[0]]
    index, left, drawn = 0, pattern[0], True
    for start, end in pairwise(points):
        span, done = math.dist(start, end), 0.0
        while span - done > left:
            done += left
            spot = (start[0] + (end[0] - start[0]) * done / span, start[1] + (end[1] - start[1]) * done / span)
            if drawn:
                pieces.append([*current, spot])
            current, drawn, index = [spot], not drawn, index + 1
            left = pattern[index % len(pattern)]
        left -= span - done
        if drawn:
            current.append(end)
    if drawn and len(current) > 1:
        pieces.append(current)
    return pieces
