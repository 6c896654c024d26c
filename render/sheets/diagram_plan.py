"""What a diagram of railway networks is drawn from: a coast, relief, lines with their companies, and stations.

Both kinds of board become the same parts, first in the board's own units, then in pixels of the sheet.
"""

import math
from collections.abc import Collection, Iterator, Sequence

import msgspec

from engine.hex_view import FIRST_STOP, HexView
from engine.record import Record
from engine.view import Broadsheet, MapView, Network
from render.geometry import find_centre, find_neighbour_step, find_side_corners, flatten_curve
from render.hexes.track import end_point, make_leg_curve, place_stops_and_track
from render.scene import Point

Key = tuple[int, int]
Frame = tuple[float, float, float, float]


class Segment(Record, frozen=True):
    """A piece of line: its points, the companies on it, and whether its ends are stations."""

    points: tuple[Point, ...]
    companies: tuple[str, ...]
    stops: tuple[bool, bool]


class Station(Record, frozen=True):
    """A stop: where, of which kind ("area" is off the board), whose tokens lie there, its name, if a line calls."""

    at: Point
    kind: str
    tokens: tuple[str, ...]
    name: str
    used: bool


class Diagram(Record, frozen=True):
    """What is drawn: loops of the coast, hills and waters, lines and stations."""

    coast: tuple[tuple[Point, ...], ...]
    relief: tuple[tuple[str, Point, float], ...]
    pieces: tuple[Segment, ...]
    stations: tuple[Station, ...]


def plan_diagram(view: Broadsheet, frame: Frame) -> Diagram:
    """Return what is drawn, as large as it fits into a frame: left, top, width, height."""
    board = view.board
    return _fit(_plan_hexes(board, view) if isinstance(board, MapView) else _plan_places(board), frame)


def _plan_hexes(board: MapView, view: Broadsheet) -> Diagram:
    """Return what is drawn of a board of hexes, in hex sides."""
    by_coord = {each.coord: each for each in board.hexes}
    users: dict[tuple[str, tuple[Point, ...]], list[str]] = {}
    calls: set[tuple[str, int]] = set()
    for network in view.networks:
        for leg in network.legs:
            here = by_coord[leg.coord]
            calls |= {(leg.coord, end) for end in (leg.a, leg.b)}
            for curve in make_leg_curve(here, leg.a, leg.b):
                known = users.setdefault((leg.coord, min(curve, curve[::-1])), [])
                known += [network.company] if network.company not in known else []
    pieces: list[Segment] = []
    stations: list[Station] = []
    relief: list[tuple[str, Point, float]] = []
    for each in board.hexes:
        cx, cy = find_centre(each.x, each.y, each.layout)
        relief += [(each.terrain, (cx, cy), 1.0)] * bool(each.terrain and each.ink != "sea")
        for curve in place_stops_and_track(each).curves:
            ends = [any(math.dist(curve[k], end_point(each, side)) < 0.02 for side in range(6)) for k in (0, -1)]
            moved = tuple((x + cx, y + cy) for x, y in flatten_curve(curve, 10))
            companies = users.get((each.coord, min(curve, curve[::-1])), ())
            pieces.append(Segment(moved, tuple(companies), (not ends[0], not ends[1])))
        stations += _list_stations(each, (cx, cy), calls)
    stations = _name_areas_once(stations)
    land = [each for each in board.hexes if each.ink != "sea"]
    return Diagram(tuple(_trace_coast(land)), tuple(relief), tuple(pieces), tuple(stations))


def _name_areas_once(stations: Sequence[Station]) -> list[Station]:
    """Return stations of which each area off the board is named once, where most lines go."""
    named: set[str] = set()
    kept: list[Station] = []
    for station in sorted(stations, key=lambda each: (each.kind != "area", not each.used, each.at[1], each.at[0])):
        again = station.kind == "area" and station.name in named
        if station.used or not again:
            kept.append(msgspec.structs.replace(station, name="") if again else station)
        named |= {station.name} if station.kind == "area" else set()
    return kept


def _list_stations(each: HexView, middle: Point, calls: Collection[tuple[str, int]]) -> Iterator[Station]:
    """Yield the stops of a hex; its name stands at the largest."""
    order = {"city": 0, "offboard": 1, "town": 2, "halt": 3}
    first = min(range(len(each.stops)), key=lambda k: (order[each.stops[k].kind], k), default=-1)
    for k, (stop, spot) in enumerate(zip(each.stops, place_stops_and_track(each).spots, strict=True)):
        tokens = tuple(token.company for token in stop.tokens if token is not None)
        name = stop.name or (each.name if k == first else "")
        kind = "area" if stop.kind == "offboard" or each.ink in ("red", "sea") else stop.kind
        yield Station(
            (middle[0] + spot.x, middle[1] + spot.y), kind, tokens, name, (each.coord, FIRST_STOP + k) in calls
        )


def _plan_places(board: Network) -> Diagram:
    """Return what is drawn of a board of places and links, in its own units."""
    spots = {place.id: (place.x, place.y) for place in board.places}
    built = [link for link in board.links if link.a in spots and link.b in spots and link.company]
    used = {name for link in built for name in (link.a, link.b)}
    pieces = tuple(Segment((spots[link.a], spots[link.b]), (link.company,), (True, True)) for link in built)
    stations = tuple(
        Station(
            spots[place.id], "city" if place.shape == "hexagon" or place.value >= 40 else "town", (), place.name,
            place.id in used,
        )
        for place in board.places
    )  # fmt: skip
    return Diagram(tuple(tuple(outline) for outline in board.outlines), (), pieces, stations)


def _fit(plan: Diagram, frame: Frame) -> Diagram:
    """Return a plan as large as it fits into a frame, in the middle of it."""
    left, top, wide, high = frame
    points = [point for loop in plan.coast for point in loop] or [station.at for station in plan.stations]
    points += [station.at for station in plan.stations]
    x0, y0 = min(x for x, _ in points), min(y for _, y in points)
    x1, y1 = max(x for x, _ in points), max(y for _, y in points)
    scale = min(wide / (x1 - x0), high / (y1 - y0))
    dx = left + (wide - (x1 - x0) * scale) / 2 - x0 * scale
    dy = top + (high - (y1 - y0) * scale) / 2 - y0 * scale

    def move(point: Point) -> Point:
        return round(point[0] * scale + dx, 1), round(point[1] * scale + dy, 1)

    replace = msgspec.structs.replace
    return Diagram(
        tuple(tuple(_wobble([move(point) for point in loop])) for loop in plan.coast),
        tuple((kind, move(at), size * scale) for kind, at, size in plan.relief),
        tuple(replace(piece, points=tuple(map(move, piece.points))) for piece in plan.pieces),
        tuple(replace(station, at=move(station.at)) for station in plan.stations),
    )


def _trace_coast(land: Sequence[HexView]) -> Iterator[tuple[Point, ...]]:
    """Yield the outlines of the land as loops of corners."""
    here = {(each.x, each.y) for each in land}
    after: dict[Key, list[tuple[Key, Point]]] = {}
    for each in land:
        cx, cy = find_centre(each.x, each.y, each.layout)
        for side in range(6):
            dx, dy = find_neighbour_step(side, each.layout)
            if (each.x + dx, each.y + dy) not in here:
                a, b = find_side_corners(side, each.layout)
                start, end = (a[0] + cx, a[1] + cy), (b[0] + cx, b[1] + cy)
                after.setdefault(_make_key(start), []).append((_make_key(end), end))
    while after:
        first = here_now = next(iter(after))
        loop: list[Point] = []
        while here_now in after:
            following, point = after[here_now].pop()
            if not after[here_now]:
                del after[here_now]
            loop.append(point)
            here_now = following
            if here_now == first:
                break
        yield tuple(loop)


def _make_key(point: Point) -> Key:
    return round(point[0] * 100), round(point[1] * 100)


def _wobble(loop: Sequence[Point]) -> list[Point]:
    """Return a loop as if drawn by hand: bays and headlands between its corners, its corners rounded."""
    points: list[Point] = []
    for k, (x, y) in enumerate(loop):
        bx, by = loop[(k + 1) % len(loop)]
        long = math.hypot(bx - x, by - y) or 1.0
        nx, ny = (by - y) / long, -(bx - x) / long
        for step in range(4):
            share = step / 4
            px, py = x + (bx - x) * share, y + (by - y) * share
            swing = min(11.0, long * 0.13) * math.sin(px * 0.083 + py * 0.057) * math.cos(px * 0.031 - py * 0.071)
            points.append((px + nx * swing, py + ny * swing))
    for _ in range(2):
        points = [
            (a[0] * near + b[0] * (1 - near), a[1] * near + b[1] * (1 - near))
            for a, b in zip(points, [*points[1:], points[0]], strict=True)
            for near in (0.75, 0.25)
        ]
    return [(round(x, 1), round(y, 1)) for x, y in points]
