"""Runs as bands along the track: alone under the rails, and beside one another where they share track."""

import math
from collections.abc import Iterator, Mapping, Sequence

from engine.hex_view import HexView, Line
from engine.record import Record
from engine.view import MapView
from render.geometry import find_centre, find_point_at, flatten_curve
from render.hexes.tile import BAND, CASING, LANES, Visit
from render.hexes.track import end_point, has_end, make_leg_curve
from render.scene import Curve, Item, Point
from render.theme import Stroke, load_theme

RIM = 0.07
"""White on both sides of a band, together."""

EVERY = 5
"""Legs after which a run's number is shown again."""

Piece = tuple[str, tuple[Point, ...]]
"""A piece of track: its hex and its curve, from the end that comes first by number."""


class _Step(Record, frozen=True):
    """A piece of track as a run goes along it: its points on the map, in the order of travel."""

    piece: Piece
    points: tuple[Point, ...]


class _Stretch(Record, frozen=True):
    """Steps of a run with the same neighbours: points, how far to their right the band lies, and its width."""

    points: tuple[Point, ...]
    aside: float
    width: float


def draw_bands(view: MapView, palette: str) -> list[Item]:
    """Return the runs of a map as bands: one alone seen on both sides of its track, several each on a lane."""
    theme = load_theme(palette)
    by_coord = {h.coord: h for h in view.hexes}
    ways = [_list_steps(line, by_coord) for line in view.lines]
    first: dict[Piece, tuple[Point, ...]] = {}
    users: dict[Piece, list[int]] = {}
    for number, way in enumerate(ways):
        for step in way:
            first.setdefault(step.piece, step.points)
            if number not in users.setdefault(step.piece, []):
                users[step.piece].append(number)
    items: list[Item] = []
    for number, (line, way) in enumerate(zip(view.lines, ways, strict=True)):
        stretches = list(_split_into_stretches(number, way, users, first))
        items += [
            Curve(_shift_to_lane(s), "casing", round(s.width + RIM, 3), round=True, joined=True) for s in stretches
        ]
        stroke = theme.choose_stroke(line.number - 1)
        items += [_colour_stretch(s, stroke) for s in stretches]
    return items


def _colour_stretch(stretch: _Stretch, stroke: Stroke) -> Curve:
    """Return a stretch in the colour of its run; its dashes are as long on a lane as on a whole band."""
    dash = tuple(round(d * BAND / stretch.width, 3) for d in stroke.dash)
    return Curve(_shift_to_lane(stretch), stroke.colour, stretch.width, dash, round=not dash, joined=True)


def _list_steps(line: Line, by_coord: Mapping[str, HexView]) -> list[_Step]:
    """Return the pieces of track of a run, in the order of travel."""
    steps: list[_Step] = []
    for leg in line.legs:
        hex_view = by_coord.get(leg.coord)
        if hex_view is None or not has_end(hex_view, leg.a) or not has_end(hex_view, leg.b):
            continue
        cx, cy = find_centre(hex_view.x, hex_view.y, hex_view.layout)
        here = end_point(hex_view, leg.a)
        for curve in make_leg_curve(hex_view, leg.a, leg.b):
            points = flatten_curve(curve, 10)
            if math.dist(points[-1], here) < math.dist(points[0], here):
                points.reverse()
            here = points[-1]
            moved = tuple((round(x + cx, 3), round(y + cy, 3)) for x, y in points)
            steps.append(_Step((leg.coord, min(curve, curve[::-1])), moved))
    return steps


def _split_into_stretches(
    number: int, way: Sequence[_Step], users: Mapping[Piece, list[int]], first: Mapping[Piece, tuple[Point, ...]]
) -> Iterator[_Stretch]:
    """Yield the stretches of a run; lanes lie to the right and left of the run that is told first."""
    points: list[Point] = []
    now = (0.0, 0.0)
    for step in way:
        sharing = users[step.piece]
        along = math.dist(step.points[0], first[step.piece][0]) < math.dist(step.points[0], first[step.piece][-1])
        aside, width = _choose_lane(sharing.index(number), len(sharing))
        lane = (aside if along else -aside, width)
        joined = bool(points) and math.dist(points[-1], step.points[0]) < 0.05
        if points and (lane != now or not joined):
            yield _Stretch(tuple(points), *now)
            points = []
        points += step.points[1:] if points else step.points
        now = lane
    if len(points) > 1:
        yield _Stretch(tuple(points), *now)


def _choose_lane(rank: int, count: int) -> tuple[float, float]:
    """Return how far beside its track a run lies, and how broad it is there."""
    if count == 1:
        return 0.0, BAND
    width = LANES[min(count, len(LANES) - 1)]
    side = 1 if rank % 2 else -1
    return side * round(CASING / 2 + width * (rank // 2 + 0.5), 4), width


def _shift_to_lane(stretch: _Stretch) -> tuple[Point, ...]:
    """Return the points of a stretch, moved to its lane."""
    points = stretch.points
    if not stretch.aside:
        return points
    moved: list[Point] = []
    last = len(points) - 1
    for k, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(0, k - 1)], points[min(last, k + 1)]
        span = math.hypot(bx - ax, by - ay) or 1.0
        moved.append((
            round(x - (by - ay) / span * stretch.aside, 3),
            round(y + (bx - ax) / span * stretch.aside, 3),
        ))  # fmt: skip
    return tuple(moved)


def collect_visits(view: MapView) -> dict[str, Visit]:
    """Return what the runs of a map do, by hex: legs, and where their numbers stand."""
    by_coord = {h.coord: h for h in view.hexes}
    badges: dict[str, list[tuple[int, Point]]] = {}
    again: dict[str, list[tuple[int, Point]]] = {}
    legs: dict[str, list[tuple[int, int]]] = {}
    for line in view.lines:
        for k, leg in enumerate(line.legs):
            hex_view = by_coord.get(leg.coord)
            if hex_view is None or not has_end(hex_view, leg.a) or not has_end(hex_view, leg.b):
                continue
            legs.setdefault(leg.coord, []).append((leg.a, leg.b))
            if k == 0:
                badges.setdefault(leg.coord, []).append((line.number, end_point(hex_view, leg.a)))
            if k == len(line.legs) - 1:
                badges.setdefault(leg.coord, []).append((line.number, end_point(hex_view, leg.b)))
            elif k and k % EVERY == 0:
                again.setdefault(leg.coord, []).append((line.number, _find_leg_middle(hex_view, leg.a, leg.b)))
    return {
        coord: Visit(tuple(badges.get(coord, ())), tuple(mine), tuple(again.get(coord, ())))
        for coord, mine in legs.items()
    }


def _find_leg_middle(hex_view: HexView, a: int, b: int) -> Point:
    """Return a point half way along a leg."""
    curves = make_leg_curve(hex_view, a, b)
    if not curves:
        return end_point(hex_view, a)
    return find_point_at(curves[0], 0.5)
