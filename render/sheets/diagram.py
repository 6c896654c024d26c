"""Railway networks as a diagram: lines in the companies' colours side by side, over a drawn coast with its relief.

Everything is in pixels of the sheet.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from engine.view import Broadsheet
from render import fonts
from render.hexes.station import Liveries
from render.scene import Box, Curve, Disc, Face, Item, Label, Point, Polygon
from render.sheets.diagram_plan import Diagram, Frame, Key, Segment, Station, plan_diagram
from render.theme import load_theme

CITY, DENSE, TOWN = 40.0, 34.0, 29.0
MAX_LARGE = 16
"""Sizes of the names of large stations, where there are many of them, and of small ones."""
LANE, BUNDLE = 15.0, 58.0
"""Width of one line, and of all that share track at most."""
RIM = 3.0
WATERLINES = (92.0, 72.0, 54.0, 38.0, 24.0, 12.0)
"""Widths of the strokes between which the lines along a coast are left."""
BLEND = 0.34
"""Share of a piece of track on which a line goes over to the lane of the next one."""
MAX_COST = 15.0
"""Above which a small station goes without a name."""
NEAR = 8.0
"""Side of the squares by which room for names is kept."""


def draw_diagram(view: Broadsheet, palette: str, frame: Frame) -> list[Item]:
    """Return the diagram as large as it fits into a frame: left, top, width, height."""
    plan = plan_diagram(view, frame)
    liveries = Liveries(view.board.brands, load_theme(palette))
    return [
        *_draw_coast(plan.coast),
        *_draw_relief(plan.relief),
        *_draw_lines(plan.pieces, liveries),
        *(item for station in plan.stations for item in _draw_station(station, liveries)),
        *_draw_names(plan, (frame[0] - 70, frame[1] - 30, frame[2] + 140, frame[3] + 60)),
    ]


def _draw_coast(loops: Sequence[Sequence[Point]]) -> list[Item]:
    """Return the sea's lines along the coast, as engravers draw them, and the land."""
    closed = [(*loop, loop[0]) for loop in loops if len(loop) > 2]
    items: list[Item] = []
    for number, width in enumerate(WATERLINES):
        role = "shoal_1" if number < 3 else "shoal_2"
        items += [Curve(loop, role, width, round=True, joined=True) for loop in closed]
        items += [Curve(loop, "sea", width - 3.4, round=True, joined=True) for loop in closed]
    largest = max(closed, key=lambda loop: abs(_measure_area(loop)), default=())
    way = _measure_area(largest) > 0
    outer = [loop for loop in closed if (_measure_area(loop) > 0) == way]
    inner = [loop for loop in closed if (_measure_area(loop) > 0) != way]
    items += [Polygon(loop, "land") for loop in outer]
    items += [Polygon(loop, "sea") for loop in inner]
    return [*items, *(Curve(loop, "coast", 4.5, round=True, joined=True) for loop in closed)]


def _measure_area(loop: Sequence[Point]) -> float:
    """Return twice the area of a loop, less than 0 if it runs the other way round."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(loop, [*loop[1:], *loop[:1]], strict=True))


def _draw_relief(relief: Iterable[tuple[str, Point, float]]) -> Iterator[Item]:
    """Yield hills in hachures, strokes that run down their sides, and waters in waves."""
    for kind, (x, y), size in relief:
        if kind == "water":
            for row in (-0.22, 0.0, 0.22):
                points = tuple(
                    (round(x + size * (k / 8 - 0.5) * 0.8, 1), round(y + size * (row + 0.035 * math.sin(k * 1.6)), 1))
                    for k in range(9)
                )
                yield Curve(points, "shoal_2", 3, round=True, joined=True)
            continue
        for ring, (inside, outside, count) in enumerate(((0.16, 0.34, 14), (0.42, 0.62, 26))):
            for k in range(count):
                turn = 2 * math.pi * (k + 0.5 * ring) / count
                wave = 1 + 0.12 * math.sin(5 * turn + x) + 0.08 * math.sin(9 * turn + y)
                dx, dy = math.cos(turn), math.sin(turn) * 0.82
                ends = tuple(
                    (round(x + dx * reach * wave * size, 1), round(y + dy * reach * wave * size, 1))
                    for reach in (inside, outside)
                )
                yield Curve(ends, "relief", 2.6 if dy > 0 else 1.7, round=True)


# --- lines --------------------------------------------------------------------------------


def _draw_lines(pieces: Sequence[Segment], liveries: Liveries) -> list[Item]:
    """Return all lines: track that no one uses thin, the others side by side, each with a dark rim."""
    order = {code: k for k, code in enumerate(sorted({c for piece in pieces for c in piece.companies}))}
    used = _orient([piece for piece in pieces if piece.companies])
    items: list[Item] = [
        Curve(piece.points, "rule", 5, round=True, joined=True) for piece in pieces if not piece.companies
    ]
    lanes = [_choose_lanes(piece, order) for piece in used]
    at_end: dict[tuple[Key, str], list[float]] = {}
    for piece, lane in zip(used, lanes, strict=True):
        for end, stop in ((0, piece.stops[0]), (-1, piece.stops[1])):
            for code in piece.companies if not stop else ():
                at_end.setdefault((_round(piece.points[end]), code), []).append(lane[code])
    drawn: list[tuple[tuple[Point, ...], str, float]] = []
    for piece, lane in zip(used, lanes, strict=True):
        width = min(LANE, BUNDLE / len(piece.companies))
        for code in piece.companies:
            ends = [
                lane[code] if stop else sum(met := at_end[_round(piece.points[end]), code]) / len(met)
                for end, stop in ((0, piece.stops[0]), (-1, piece.stops[1]))
            ]
            drawn.append((_shift(piece.points, ends[0], lane[code], ends[1]), code, width))
    casing = [Curve(points, "casing", width + 3 * RIM, round=True, joined=True) for points, _, width in drawn]
    rims = [Curve(points, "ink", width + RIM, round=True, joined=True) for points, _, width in drawn]
    fills = [
        Curve(points, liveries.find(code).fill, width - RIM / 2, round=True, joined=True)
        for points, code, width in drawn
    ]
    return [*items, *casing, *rims, *fills]


def _round(point: Point) -> Key:
    return round(point[0] / 3), round(point[1] / 3)


def _choose_lanes(piece: Segment, order: Mapping[str, int]) -> dict[str, float]:
    """Return how far to the right of its middle each company's line lies on a piece."""
    codes = sorted(piece.companies, key=lambda code: order[code])
    width = min(LANE, BUNDLE / len(codes))
    return {code: (k - (len(codes) - 1) / 2) * width for k, code in enumerate(codes)}


def _orient(pieces: Sequence[Segment]) -> list[Segment]:
    """Return pieces turned so that those which follow one another run the same way: their lanes don't cross."""
    left = dict(enumerate(pieces))
    by_end: dict[Key, list[int]] = {}
    for number, piece in left.items():
        for end in (0, -1):
            by_end.setdefault(_round(piece.points[end]), []).append(number)
    turned: dict[int, Segment] = {}
    while left:
        number = next(iter(left))
        todo = [left.pop(number)]
        turned[number] = todo[0]
        while todo:
            piece = todo.pop()
            for end in (0, -1):
                at = _round(piece.points[end])
                for other in by_end[at]:
                    if other in left:
                        found = left.pop(other)
                        runs_on = (_round(found.points[0]) == at) == (end == -1)
                        found = found if runs_on else _turn(found)
                        turned[other] = found
                        todo.append(found)
    return [turned[number] for number in range(len(pieces))]


def _turn(piece: Segment) -> Segment:
    return Segment(piece.points[::-1], piece.companies, piece.stops[::-1])


def _shift(points: Sequence[Point], first: float, lane: float, last: float) -> tuple[Point, ...]:
    """Return points moved to the right, by an amount that changes near the ends."""
    if first == lane == last == 0:
        return tuple(points)
    if len(points) == 2:
        points = [
            (points[0][0] + (points[1][0] - points[0][0]) * k / 8, points[0][1] + (points[1][1] - points[0][1]) * k / 8)
            for k in range(9)
        ]
    moved: list[Point] = []
    most = len(points) - 1
    for k, (x, y) in enumerate(points):
        share = k / most
        aside = lane
        if share < BLEND:
            aside = first + (lane - first) * _ease(share / BLEND)
        elif share > 1 - BLEND:
            aside = last + (lane - last) * _ease((1 - share) / BLEND)
        (ax, ay), (bx, by) = points[max(0, k - 1)], points[min(most, k + 1)]
        span = math.hypot(bx - ax, by - ay) or 1.0
        moved.append((round(x - (by - ay) / span * aside, 1), round(y + (bx - ax) / span * aside, 1)))
    return tuple(moved)


def _ease(share: float) -> float:
    return share * share * (3 - 2 * share)


# --- stations and names -------------------------------------------------------------------


def _draw_station(station: Station, liveries: Liveries) -> Iterator[Item]:
    """Yield a station: large ones hold the colours of the companies that have a token there."""
    x, y = station.at
    if station.kind == "area":
        r = 15.0 if station.used else 9.0
        yield Box(
            x - r, y - r, 2 * r, 2 * r, 4, "casing" if station.used else "paper_2", "ink" if station.used else "rule", 4
        )
        return
    if station.kind != "city":
        if station.used:
            r = 11.0 if station.kind == "town" else 7.0
            yield Disc(x, y, r, "casing", "ink", 4.0 if station.kind == "town" else 3.0)
        elif station.kind == "town":
            yield Disc(x, y, 7, "paper_2", "rule", 3)
        return
    count = len(station.tokens)
    if not station.used and not count:
        yield Disc(x, y, 12, "paper_2", "ink_soft", 3)
        return
    reach = 13.0 * max(0, count - 1)
    ends = ((x - reach, y), (x + reach, y)) if count > 1 else ((x, y), (x + 0.1, y))
    yield Curve(ends, "ink", 50, round=True)
    yield Curve(ends, "casing", 39, round=True)
    for k, code in enumerate(station.tokens):
        yield Disc(x - reach + 26 * k, y, 12, liveries.find(code).fill, "ink", 2.5)


def _draw_names(plan: Diagram, frame: Frame) -> Iterator[Item]:
    """Yield the names of the stations, each where it covers least, the large ones first."""
    track: dict[Key, float] = {}
    for piece in plan.pieces:
        weight = 0.07 + 0.02 * len(piece.companies) if piece.companies else 0.015
        for a, b in pairwise(piece.points):
            steps = max(1, round(math.dist(a, b) / NEAR))
            for k in range(steps + 1):
                at = _find_square((a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps))
                track[at] = max(track.get(at, 0.0), weight)
    shown = ("city", "area")
    named = [each for each in plan.stations if each.name and (each.used or each.kind in shown)]
    dense = sum(each.kind == "city" and each.used for each in named) > MAX_LARGE
    room = _Room(track, {each: _make_box(each) for each in plan.stations if each.used or each.kind in shown}, frame)
    for station in sorted(named, key=lambda each: (each.kind != "city", not each.used, each.at[1])):
        large = station.kind == "city" and station.used
        size = (DENSE if dense else CITY) if large else TOWN
        letters: Face = "bold" if large else "semi"
        box = room.take(station, (fonts.measure_text(station.name, size, letters), size * 0.8))
        ink = "ink" if station.used else "ink_soft"
        if box is not None:
            yield Label(
                round(box[0], 1), round((box[1] + box[3]) / 2, 1), station.name, size, ink, letters, "l", "land"
            )


def _make_box(station: Station) -> Frame:
    """Return what a station covers."""
    (x, y), high = station.at, {"city": 25.0, "area": 15.0}.get(station.kind, 11.0)
    wide = high + 13.0 * max(0, len(station.tokens) - 1)
    return x - wide, y - high, x + wide, y + high


class _Room:
    """What names must keep clear of: track by squares, stations, and names that are placed."""

    def __init__(self, track: Mapping[Key, float], stations: Mapping[Station, Frame], frame: Frame) -> None:
        self._track, self._stations, self._frame = track, stations, frame
        self._names: list[Frame] = []

    def take(self, station: Station, size: tuple[float, float]) -> Frame | None:
        """Return the box of a name beside its station where least lies under it, and take it.

        A small station goes without a name where that would cover what matters more.
        """
        cost, best = min((self._rate(station, *each), each[0]) for each in self._list_boxes(station, size))
        if station.kind in ("town", "halt") and cost > MAX_COST:
            return None
        self._names.append(best)
        return best

    def _list_boxes(self, station: Station, size: tuple[float, float]) -> Iterator[tuple[Frame, float]]:
        """Yield boxes around a station, each with how far away it is."""
        (wide, high), own = size, self._stations[station]
        x, y = station.at
        for far in (4.0, 12.0, 22.0, 34.0):
            for across in (0.0, 0.25, -0.25, 0.4, -0.4):
                left = x - wide / 2 + across * wide
                yield (left, own[1] - far - high, left + wide, own[1] - far), far + abs(across) * 6
                yield (left, own[3] + far, left + wide, own[3] + far + high), far + abs(across) * 6
            for down in (0.0, -0.5, 0.5, -0.9, 0.9):
                top = y - high / 2 + down * high
                yield (own[2] + far, top, own[2] + far + wide, top + high), far + abs(down) * 6 - 3
                yield (own[0] - far - wide, top, own[0] - far, top + high), far + abs(down) * 6 - 2

    def _rate(self, station: Station, box: Frame, far: float) -> float:
        """Return what a place for a name costs."""
        cost = far / 12 + sum(self._track.get(square, 0.0) for square in _list_squares(*box))
        cost += sum(60.0 for name in self._names if _overlap(name, box))
        own, nearer = _measure_gap(station.at, box), False
        for other, frame in self._stations.items():
            if other is not station:
                cost += 18.0 * _overlap(frame, box)
                nearer = nearer or bool(other.name and _measure_gap(other.at, box) < own)
        left, top, wide, high = self._frame
        cost += 5.0 * nearer
        return cost + 20.0 * (box[0] < left or box[2] > left + wide or box[1] < top or box[3] > top + high)


def _overlap(one: Frame, other: Frame) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _measure_gap(at: Point, box: Frame) -> float:
    """Return how far a point is from a box."""
    return math.hypot(max(box[0] - at[0], 0, at[0] - box[2]), max(box[1] - at[1], 0, at[1] - box[3]))


def _find_square(at: Point) -> Key:
    return int(at[0] // NEAR), int(at[1] // NEAR)


def _list_squares(left: float, top: float, right: float, low: float) -> list[Key]:
    (x0, y0), (x1, y1) = _find_square((left, top)), _find_square((right, low))
    return [(x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1)]
