"""Where the stops of a hex lie and how its track runs, as on printed tiles.

Track from side to side is an arc that meets both sides at right angles; small
stations with two exits sit on the arc, all other stops are hubs to which the
track leads. Runs go along it from end to end.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

from engine.hex_view import FIRST_STOP, HexView, Layout, Stop, Track
from engine.record import Record
from render.geometry import (
    cut_curve,
    find_direction_at,
    find_direction_to,
    find_point_at,
    find_side_middle,
    flatten_curve,
    make_curve_between_sides,
    make_curve_into_hex,
)
from render.scene import Point

Curve = tuple[Point, ...]
SIDES = 6
SHORE = (0.45, 0.58)
"""Distance from the centre at which the only track into an area ends, short of its values; for one area and for two."""

SLOT_RADII = {1: 0.335, 2: 0.31, 3: 0.285, 4: 0.265}


class StopSpot(Record, frozen=True):
    """Where a stop lies; ``along`` is the direction of the track through it, ``None`` for a hub."""

    x: float
    y: float
    along: Point | None = None


class HexTrack(Record, frozen=True):
    """The track of a hex: a spot for each stop, a curve for each piece of track, in their order."""

    spots: tuple[StopSpot, ...]
    curves: tuple[Curve, ...]


def place_stops_and_track(hex_view: HexView) -> HexTrack:
    """Return the course of a hex as it lies."""
    return _place_stops_and_track(
        tuple(classify_stop(stop) for stop in hex_view.stops), hex_view.track, hex_view.layout
    )


def classify_stop(stop: Stop) -> tuple[str, int, float | None]:
    """Return what matters for the place of a stop: its kind, slots and printed place."""
    return stop.kind, stop.slots, stop.place


@lru_cache(maxsize=2048)
def _place_stops_and_track(
    stops: tuple[tuple[str, int, float | None], ...], track: tuple[Track, ...], layout: Layout
) -> HexTrack:
    degrees = [sum((FIRST_STOP + k in (t.a, t.b)) for t in track) for k in range(len(stops))]
    through = {k for k, stop in enumerate(stops) if stop[0] in ("town", "halt") and degrees[k] == 2}
    sides = [[min(t.a, t.b) for t in track if FIRST_STOP + k == max(t.a, t.b) >= SIDES] for k in range(len(stops))]
    sides = [[side for side in mine if side < SIDES] for mine in sides]
    spots = _place_hubs(stops, through, sides, {end for t in track for end in (t.a, t.b) if end < SIDES}, layout)
    curves: dict[int, Curve] = {}
    chains = _join_chains(track, through)
    for number, chain in enumerate(chains):
        whole = _make_chain_curve(chain, spots, layout)
        others = [_make_chain_curve(other, spots, layout) for k, other in enumerate(chains) if k != number]
        placed = [(spot.x, spot.y) for k, spot in spots.items() if k in through]
        cuts = _place_stations_on_curve(chain, whole, stops, (others, placed))
        for k, stop in enumerate(chain.stops):
            spots[stop] = StopSpot(*find_point_at(whole, cuts[k]), along=find_direction_at(whole, cuts[k]))
        bounds = [0.0, *cuts, 1.0]
        for k, index in enumerate(chain.track):
            curve = cut_curve(whole, bounds[k], bounds[k + 1])
            curves[index] = curve if track[index].a == chain.ends[k] else curve[::-1]
    return HexTrack(tuple(spots[k] for k in range(len(stops))), tuple(curves[k] for k in range(len(track))))


class _Chain(Record, frozen=True):
    """Pieces of track from side or hub to side or hub, by index, and the small stations between."""

    ends: tuple[int, ...]
    track: tuple[int, ...]
    stops: tuple[int, ...]


def _join_chains(track: Sequence[Track], through: set[int]) -> list[_Chain]:
    left = dict(enumerate(track))
    chains: list[_Chain] = []
    while left:
        start = next((k for k, t in left.items() if _is_end(t.a, through) or _is_end(t.b, through)), next(iter(left)))
        piece = left.pop(start)
        ends = [piece.a, piece.b] if _is_end(piece.a, through) else [piece.b, piece.a]
        used = [start]
        while not _is_end(ends[-1], through):
            following = next((k for k, t in left.items() if ends[-1] in (t.a, t.b)), None)
            if following is None:
                break
            piece = left.pop(following)
            ends.append(piece.b if piece.a == ends[-1] else piece.a)
            used.append(following)
        chains.append(_Chain(tuple(ends), tuple(used), tuple(end - FIRST_STOP for end in ends[1:-1])))
    return chains


def _is_end(end: int, through: set[int]) -> bool:
    return end < SIDES or end - FIRST_STOP not in through


def _place_hubs(
    stops: Sequence[tuple[str, int, float | None]],
    through: set[int],
    sides: Sequence[Sequence[int]],
    used: set[int],
    layout: Layout,
) -> dict[int, StopSpot]:
    """Return the spots of the stops to which track leads: at their printed place, else round the centre.

    ``sides`` are those from which track leads to each stop, ``used`` all that have track.
    """
    exits = [len(mine) for mine in sides]
    hubs = [k for k in range(len(stops)) if k not in through]
    wild = not any(exits) and all(stop[0] != "offboard" for stop in stops)
    villages = wild and all(stop[0] in ("town", "halt") for stop in stops)
    central = [k for k in hubs if villages or (stops[k][2] is None and (exits[k] or not any(exits)))]
    areas = [k for k in central if stops[k][0] == "offboard"]
    spots: dict[int, StopSpot] = {}
    for k in hubs:
        kind, _, place = stops[k]
        if kind == "offboard" and place is None and exits[k] == 1:
            x, y = find_direction_to(sides[k][0], layout)
            reach = SHORE[len(areas) > 1]
            spots[k] = StopSpot(x * reach, y * reach)
        elif areas and len(hubs) > 1 and place is None:
            spots[k] = _place_beside_areas(k, areas)
        elif k in central:
            aside = (central.index(k) - (len(central) - 1) / 2) * (0.62 if kind != "city" else 0.8)
            spots[k] = StopSpot(aside, (-0.17 if kind == "city" else -0.3) if wild else 0.0)
        else:
            x, y = find_direction_to(_find_side_away_from_track(used) if place is None else place, layout)
            reach = _measure_distance_from_centre(kind, exits[k], corner=place is not None and place % 1 > 0)
            spots[k] = StopSpot(x * reach, y * reach)
    return spots


def _place_beside_areas(stop: int, areas: Sequence[int]) -> StopSpot:
    """Return the spot of a stop beside offboard areas: the areas above, the city below."""
    if stop not in areas:
        return StopSpot(0.0, 0.36)
    return StopSpot(0.0, -0.36 + 0.62 * areas.index(stop))


def _find_side_away_from_track(used: set[int]) -> int:
    """Return a side away from the track, for a village that no track has reached yet."""
    return max((3, 0, 2, 4, 1, 5), key=lambda side: min(2, *(min((side - u) % 6, (u - side) % 6) for u in used), 2))


def _measure_distance_from_centre(kind: str, exits: int, *, corner: bool) -> float:
    """Return how far from the centre a stop lies that is printed towards a side or a corner.

    A city with many exits lies nearer to the centre, so that its track is seen.
    """
    if kind != "city":
        return 0.5
    if exits > 2:
        return 0.26
    return 0.56 if corner else 0.47


def _make_chain_curve(chain: _Chain, spots: dict[int, StopSpot], layout: Layout) -> Curve:
    """Return the curve of a chain from end to end."""
    a, b = chain.ends[0], chain.ends[-1]
    if a < SIDES and b < SIDES:
        return (
            make_curve_between_sides(a, b, layout)
            if a != b
            else (find_side_middle(a, layout), (0.0, 0.0), find_side_middle(a, layout))
        )
    if a < SIDES:
        return make_curve_into_hex(a, _make_point(b, spots), layout)
    if b < SIDES:
        return make_curve_into_hex(b, _make_point(a, spots), layout)[::-1]
    return _make_point(a, spots), _make_point(b, spots)


def _make_point(end: int, spots: dict[int, StopSpot]) -> Point:
    spot = spots.get(end - FIRST_STOP)
    return (spot.x, spot.y) if spot else (0.0, 0.0)


def _place_stations_on_curve(
    chain: _Chain,
    whole: Curve,
    stops: Sequence[tuple[str, int, float | None]],
    others: tuple[Sequence[Curve], Sequence[Point]],
) -> list[float]:
    """Return where on its curve the small stations of a chain lie, from 0 to 1."""
    count = len(chain.stops)
    if not count:
        return []
    start, end = (
        _measure_share_covered(chain.ends[0], stops, whole),
        1 - _measure_share_covered(chain.ends[-1], stops, whole),
    )
    if count > 1:
        step = (end - start) / (count + (0.2 if count == 2 else 1))
        first = start + step * (0.6 if count == 2 else 1)
        return [first + step * k for k in range(count)]
    tracks, placed = others
    around = [point for other in tracks for point in flatten_curve(other, 8 if len(other) > 2 else 1)]
    around += [find_point_at(other, t / 8) for other in tracks if len(other) == 2 for t in range(9)]
    tries = [start + (end - start) * share for share in (0.5, 0.36, 0.64, 0.25, 0.75)]

    def merit(t: float) -> float:
        point = find_point_at(whole, t)
        from_stops = min((math.dist(point, other) for other in placed), default=0.8)
        from_track = min([0.3, *(math.dist(point, other) for other in around)])  # 0.3: farther does not matter
        return from_track + 0.15 * min(0.8, from_stops) - 0.02 * tries.index(t)

    return [max(tries, key=merit)]


def _measure_share_covered(end: int, stops: Sequence[tuple[str, int, float | None]], whole: Curve) -> float:
    """Return the share of a curve that is hidden under the stop at its end."""
    if end < SIDES:
        return 0.0
    kind, slots, _ = stops[end - FIRST_STOP]
    radius = SLOT_RADII.get(max(1, slots), 0.3) if kind == "city" else 0.18
    return min(0.45, radius / max(0.1, math.dist(whole[0], whole[-1])))


def find_slot_centres(stop: Stop, spot: StopSpot) -> tuple[Point, ...]:
    """Return the centres of a city's slots around its spot."""
    count = min(4, max(1, stop.slots))
    r = SLOT_RADII[count]
    if count == 1:
        return ((spot.x, spot.y),)
    if count == 2:
        ux, uy = (1.0, 0.0) if stop.place is None else _find_direction_across(spot)
        return ((spot.x - ux * r, spot.y - uy * r), (spot.x + ux * r, spot.y + uy * r))
    if count == 3:
        return tuple(
            (spot.x + 1.155 * r * x, spot.y + 1.155 * r * y)
            for x, y in (find_direction_to(2), find_direction_to(4), find_direction_to(0))
        )
    return tuple((spot.x + r * x, spot.y + r * y) for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1)))


def _find_direction_across(spot: StopSpot) -> Point:
    """Return the direction at right angles to the way from the centre to a spot, pointing right."""
    reach = math.hypot(spot.x, spot.y) or 1.0
    ux, uy = -spot.y / reach, spot.x / reach
    return (ux, uy) if ux >= 0 else (-ux, -uy)


def has_end(hex_view: HexView, end: int) -> bool:
    """Return whether a hex has an end: one of its sides, or one of its stops."""
    return 0 <= end < SIDES or 0 <= end - FIRST_STOP < len(hex_view.stops)


def make_leg_curve(hex_view: HexView, a: int, b: int) -> list[tuple[Point, ...]]:
    """Return the track between two ends of a leg: a piece, or the pieces that lead there."""
    the_course = place_stops_and_track(hex_view)
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
    return [] if max(a, b) >= FIRST_STOP else [make_curve_into_hex(end, (0.0, 0.0), hex_view.layout) for end in (a, b)]


def end_point(hex_view: HexView, end: int) -> Point:
    """Return where a leg ends: the middle of a side, or a stop."""
    spots = place_stops_and_track(hex_view).spots
    if end < SIDES:
        return find_side_middle(end, hex_view.layout)
    return (spots[end - FIRST_STOP].x, spots[end - FIRST_STOP].y)
