"""The way of a run through a hex."""

from engine.hex_view import HexView
from render.geometry import into_hex, middle
from render.hexes.track import FIRST_STOP, SIDES, course
from render.scene import Point


def is_on(hex_view: HexView, end: int) -> bool:
    """Tell whether a hex has an end: one of its sides, or one of its stops."""
    return 0 <= end < SIDES or 0 <= end - FIRST_STOP < len(hex_view.stops)


def leg_curve(hex_view: HexView, a: int, b: int) -> list[tuple[Point, ...]]:
    """Return the track between two ends of a leg: a piece, or the pieces that lead there."""
    the_course = course(hex_view)
    pieces = {frozenset((t.a, t.b)): curve for t, curve in zip(hex_view.track, the_course.curves, strict=True)}
    if frozenset((a, b)) in pieces:
        return [pieces[frozenset((a, b))]]
    steps: list[tuple[int, list[tuple[Point, ...]]]] = [(a, [])]
    seen = {a}
    for end, way in steps:
        if end == b:
            return way
        for track, curve in zip(hex_view.track, the_course.curves, strict=True):
            if end in (track.a, track.b):
                other = track.b if track.a == end else track.a
                if other not in seen and (other == b or other >= FIRST_STOP):
                    seen.add(other)
                    steps.append((other, [*way, curve]))
    return [] if max(a, b) >= FIRST_STOP else [into_hex(end, (0.0, 0.0), hex_view.layout) for end in (a, b)]


def end_point(hex_view: HexView, end: int) -> Point:
    """Return where a leg ends: the middle of a side, or a stop."""
    spots = course(hex_view).spots
    if end < SIDES:
        return middle(end, hex_view.layout)
    return (spots[end - FIRST_STOP].x, spots[end - FIRST_STOP].y)
