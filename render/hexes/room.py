"""Room on a hex: where a label finds a place that nothing else covers.

A hex is a raster of small cells, a set of cells one whole number, so that
"does it collide" is one ``&`` and a thousand places are tried in no time.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from operator import itemgetter
from types import MappingProxyType
from typing import Literal, get_args

from engine.hex_view import Layout
from render.geometry import HALF, flatten_curve, measure_line
from render.scene import Point

CELL = 0.05
COLUMNS = 64
MID_COLUMN, MID_ROW = 32, 24
EDGE = 0.05
"""How far labels keep from the sides of the hex."""

Cells = int
Wish = Literal["near", "value", "letter", "coord", "number", "name", "high name", "cost"]
RING = 0.155
"""Breadth of the rim along the sides where a hex is marked."""
OUTSIDE, BEYOND, OVER, WELL_INSIDE = EDGE, -0.01, -0.015, 0.08
"""How far from the sides text keeps, and discs, which may touch the sides, and the letters of plates, which may reach
over them, but not where they would meet those of the next hex."""
OUTER = 0.7
"""From here on upwards or downwards a place lies along a side."""
GROUP = 24
"""Places that are looked at together."""
ORIGIN = MID_ROW * COLUMNS + MID_COLUMN
_cost = itemgetter(0)
EVERYWHERE = (1 << (2 * MID_ROW * COLUMNS)) - 1


def _make_bit(column: int, row: int) -> Cells:
    return 1 << (row * COLUMNS + column) if 0 <= row < 2 * MID_ROW and 0 <= column < COLUMNS else 0


def _find_cells_inside(inside: Callable[[float, float], bool], box: tuple[float, float, float, float]) -> Cells:
    """Return the cells in a box whose middle lies inside a shape."""
    left, top, right, low = box
    cells = 0
    for row in range(math.floor(top / CELL), math.ceil(low / CELL) + 1):
        for column in range(math.floor(left / CELL), math.ceil(right / CELL) + 1):
            if inside((column + 0.5) * CELL, (row + 0.5) * CELL):
                cells |= _make_bit(column + MID_COLUMN, row + MID_ROW)
    return cells


@lru_cache(maxsize=4096)
def find_disc_cells(x: float, y: float, r: float) -> Cells:
    """Return the cells of a circle: those whose middle lies inside, row by row."""
    cells = 0
    for row in range(math.ceil((y - r) / CELL - 0.5), math.floor((y + r) / CELL - 0.5) + 1):
        half = math.sqrt(max(0.0, r * r - ((row + 0.5) * CELL - y) ** 2))
        first = max(-MID_COLUMN, math.ceil((x - half) / CELL - 0.5))
        last = min(MID_COLUMN - 1, math.floor((x + half) / CELL - 0.5))
        if last >= first and -MID_ROW <= row < MID_ROW:
            cells |= ((1 << (last - first + 1)) - 1) << ((row + MID_ROW) * COLUMNS + first + MID_COLUMN)
    return cells


@lru_cache(maxsize=1024)
def find_box_cells(left: float, top: float, right: float, low: float) -> Cells:
    """Return the cells of a rectangle, those whose middle lies inside."""
    first, last = round(left / CELL), round(right / CELL)
    run = ((1 << max(0, last - first)) - 1) << max(0, first + MID_COLUMN)
    cells = 0
    for row in range(round(top / CELL) + MID_ROW, round(low / CELL) + MID_ROW):
        cells |= run << (row * COLUMNS) if row >= 0 else 0
    return cells


@lru_cache(maxsize=1024)
def find_stroke_cells(points: tuple[Point, ...], width: float) -> Cells:
    """Return the cells of a stroke along a curve."""
    line = flatten_curve(points, 16)
    if len(line) == 2:
        (ax, ay), (bx, by) = line
        steps = max(1, round(measure_line(line) / CELL))
        line = [(ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps) for k in range(steps + 1)]
    cells = 0
    for x, y in line:
        cells |= find_disc_cells(round(x, 2), round(y, 2), width / 2)
    return cells


def is_on_hex(x: float, y: float, layout: Layout, edge: float = 0.0) -> bool:
    """Return whether a point lies on a hex but for a rim."""
    across, along = (abs(x), abs(y)) if layout == "flat" else (abs(y), abs(x))
    far = HALF - edge
    return along <= far and across * HALF + along / 2 <= far


@cache
def find_rim_cells(layout: Layout, edge: float) -> Cells:
    """Return the cells that do not lie on a hex, and those of a rim along its sides."""
    return ~_find_cells_inside(lambda x, y: is_on_hex(x, y, layout, edge), (-1.0, -1.0, 1.0, 1.0))


@cache
def find_plate_cells(layout: Layout, *, inside: bool) -> Cells:
    """Return the cells where letters on a plate may lie: at a corner over the sides a little, or well ``inside``."""
    return ~find_rim_cells(layout, WELL_INSIDE if inside else OVER) & _find_cells_inside(
        lambda x, y: abs(y if layout == "flat" else x) < HALF, (-1.0, -1.0, 1.0, 1.0)
    )


def _list_places_on(layout: Layout) -> list[tuple[int, int]]:
    square = ((column, row) for row in range(-20, 21) for column in range(-20, 21))
    return [(x, y) for x, y in square if is_on_hex(x * CELL, y * CELL, layout, 1e-9)]


PLACES: tuple[tuple[int, int], ...] = tuple(
    sorted({place for layout in get_args(Layout) for place in _list_places_on(layout)}, key=lambda at: (at[1], at[0]))
)
"""Where the middle of a label may lie, on a hex of either layout, row by row."""


ANCHORS: dict[str, tuple[Point, ...]] = {
    "letter": ((0.66, 0.0), (-0.5, 0.5), (0.5, 0.5), (0.48, -0.52), (-0.66, 0.0), (-0.48, -0.52)),
    "coord": ((-0.36, -0.7), (-0.74, 0.0), (0.42, -0.68), (-0.42, 0.68), (0.42, 0.68), (0.74, 0.0)),
    "number": ((0.76, 0.0), (0.45, 0.7), (-0.45, 0.7), (0.45, -0.7), (-0.45, -0.7), (-0.76, 0.0)),
    "cost": ((0.0, 0.5), (0.0, -0.4), (0.4, 0.4), (-0.4, 0.4), (0.4, -0.4), (-0.4, -0.4)),
}
"""Where labels of a kind belong, the best place first."""


class TryOrder:
    """Places in the order in which they are tried; many at once, by the cells they are."""

    def __init__(self, places: Iterable[tuple[int, int]]) -> None:
        self.places = tuple(places)
        self._groups: list[tuple[Cells, tuple[tuple[int, int], ...]]] = []

    def find_first(self, fits: Cells) -> tuple[int, int] | None:
        """Return the first place among some cells."""
        return next(self.list_among(fits), None)

    def list_among(self, fits: Cells) -> Iterator[tuple[int, int]]:
        """Yield the places among some cells, in order."""
        for number in range(0, len(self.places) if fits else 0, GROUP):
            cells, group = self._load_group(number)
            among = fits & cells
            if among:
                yield from (place for place in group if among & _CELL_OF[place])

    def _load_group(self, number: int) -> tuple[Cells, tuple[tuple[int, int], ...]]:
        """Return places that follow one another, with the cells they are."""
        if number // GROUP == len(self._groups):
            group = self.places[number : number + GROUP]
            self._groups.append((sum(map(_CELL_OF.__getitem__, group)), group))
        return self._groups[number // GROUP]


_CELL_OF: dict[tuple[int, int], Cells] = {place: 1 << (ORIGIN + place[1] * COLUMNS + place[0]) for place in PLACES}
_ON: Mapping[Layout, Cells] = MappingProxyType(
    {layout: sum(_CELL_OF[place] for place in _list_places_on(layout)) for layout in get_args(Layout)}
)
"""The places on a hex."""


@lru_cache(maxsize=2048)
def order_by_wish(wish: Wish, x: float = 0.0, y: float = 0.0) -> TryOrder:
    """Return all places on a hex, the most wished for first; x, y is what the label belongs to."""

    def cost(place: tuple[int, int]) -> float:
        px, py = place[0] * CELL, place[1] * CELL
        if wish in ANCHORS:
            return min(math.dist((px, py), anchor) + 0.16 * k for k, anchor in enumerate(ANCHORS[wish]))
        if wish == "high name":
            return abs(px - x) * 0.8 + abs(py - 0.1)
        if wish == "name":
            return abs(px - x) * 0.8 + abs(py - 0.56) + (0.12 if py < 0 else 0.0)
        return _measure_value_cost(px, py, x, y) + (0.0 if wish == "value" else 0.06 * px)

    return TryOrder(sorted(PLACES, key=cost))


@cache
def _list_steps_within(limit: float) -> tuple[tuple[int, int, int], ...]:
    """Return the steps to the cells within a limit, those to the places for a value first, each with its square."""
    reach = math.floor(limit / CELL + 1e-9)
    steps = [(dx, dy) for dy in range(-reach, reach + 1) for dx in range(-reach, reach + 1)]
    near = [(dx, dy, dx * dx + dy * dy) for dx, dy in steps if math.hypot(dx, dy) * CELL <= limit + 1e-9]
    return tuple(sorted(near, key=lambda step: _measure_value_cost(step[0] * CELL, step[1] * CELL, 0.0, 0.0)))


@lru_cache(maxsize=2048)
def order_by_distance(x: float, y: float, limit: float, others: tuple[Point, ...]) -> TryOrder:
    """Return the places within a limit of a point and no nearer to any other point, the nearest first."""
    column, row = round(x / CELL), round(y / CELL)
    places = [
        (place, square)
        for dx, dy, square in _list_steps_within(limit)
        if (place := (column + dx, row + dy)) in _CELL_OF
    ]
    for ox, oy in others:
        to, down = ox / CELL, oy / CELL
        places = [one for one in places if (one[0][0] - to) ** 2 + (one[0][1] - down) ** 2 > one[1]]
    return TryOrder(place for place, _ in places)


@lru_cache(maxsize=2048)
def order_along_sides(x: float, y: float, limit: float, others: tuple[Point, ...]) -> TryOrder:
    """Return those of the places near a point that lie along the upper or lower side, the outermost first."""
    near = [place for place in order_by_distance(x, y, limit, others).places if abs(place[1]) * CELL >= OUTER]
    return TryOrder(sorted(near, key=lambda place: -abs(place[1])))


_ALL_PLACES: Cells = sum(_CELL_OF.values())


class Near:
    """The places within a limit of a point and no nearer to any other point, in the order of what they cost.

    ``weights`` are the costs of a step to the side and of one down, and the gain of a step away from the other points.
    Only places where something fits are priced: on a crowded hex they are few.
    """

    def __init__(self, at: Point, limit: float, others: tuple[Point, ...], weights: tuple[float, float, float]) -> None:
        self.at, self.limit, self.others, self.weights = at, limit, others, weights

    def list_among(self, fits: Cells) -> Iterator[tuple[int, int]]:
        """Yield the places among some cells, in the order in which they are tried."""
        return (place for _, place in sorted(self._measure_places(fits & _ALL_PLACES), key=_cost))

    def find_first(self, fits: Cells) -> tuple[int, int] | None:
        """Return the first place among some cells."""
        return min(self._measure_places(fits & _ALL_PLACES), key=_cost, default=(0.0, None))[1]

    def _measure_places(self, cells: Cells) -> Iterator[tuple[float, tuple[int, int]]]:
        """Yield what each of some places costs, row by row."""
        (x, y), most, (aside, down, away) = self.at, self.limit * self.limit, self.weights
        for column, row in _list_places(cells):
            px, py = column * CELL, row * CELL
            square = (px - x) * (px - x) + (py - y) * (py - y)
            if square > most:
                continue
            far = min([(px - ox) * (px - ox) + (py - oy) * (py - oy) for ox, oy in self.others], default=math.inf)
            if far > square:
                gain = away * math.sqrt(far) if self.others else 0.0
                yield aside * abs(px - x) + down * abs(py - y) - gain, (column, row)


def _list_places(cells: Cells) -> Iterator[tuple[int, int]]:
    """Yield the places that cells are, row by row."""
    for row in range(2 * MID_ROW):
        line = cells >> (row * COLUMNS) & ((1 << COLUMNS) - 1)
        while line:
            low = line & -line
            yield low.bit_length() - 1 - MID_COLUMN, row - MID_ROW
            line ^= low


def _measure_value_cost(px: float, py: float, x: float, y: float) -> float:
    """Return how far a value is from its stop; up and to the right is better."""
    return math.hypot(px - x, py - y) + 0.1 * py - 0.06 * px


@lru_cache(maxsize=4096)
def _list_shape_rows(shape: Cells) -> tuple[tuple[int, int], ...]:
    """Return the rows of a shape as (first cell from the centre, number of cells)."""
    rows: list[tuple[int, int]] = []
    for row in range(2 * MID_ROW):
        cells = shape >> (row * COLUMNS) & ((1 << COLUMNS) - 1)
        if cells:
            first = (cells & -cells).bit_length() - 1
            rows.append((row * COLUMNS + first - ORIGIN, cells.bit_length() - first))
    return tuple(rows)


def find_fitting_cells(shape: Cells, free: Cells) -> Cells:
    """Return the cells that a shape can be moved to, all at once.

    A row of n cells fits where n free cells follow one another; the places of
    the shape are those where each of its rows fits.
    """
    runs = {1: free}
    fits = EVERYWHERE
    for offset, count in _list_shape_rows(shape):
        run = _find_free_runs(count, runs)
        fits &= run >> offset if offset >= 0 else run << -offset
        if not fits:
            break
    return fits


def _find_free_runs(count: int, runs: dict[int, Cells]) -> Cells:
    """Return the cells at which ``count`` free cells begin; ``runs`` holds what is known."""
    if count not in runs:
        half = (count + 1) // 2
        run = _find_free_runs(half, runs)
        runs[count] = run & run >> (count - half)
    return runs[count]


def move_cells(cells: Cells, place: tuple[int, int]) -> Cells:
    """Return cells moved to the right and down."""
    shift = place[1] * COLUMNS + place[0]
    return cells << shift if shift >= 0 else cells >> -shift


def find_least_harm(
    shape: Cells, places: Iterable[tuple[int, int]], harms: Iterable[tuple[int, Cells]]
) -> tuple[tuple[int, int] | None, int]:
    """Return the first of the places where a shape does least harm, and how much; ``harms`` is what a cell counts."""
    best, least = None, EVERYWHERE
    for place in places:
        cells, harm = move_cells(shape, place), 0
        for weight, where in harms:
            harm += weight * (cells & where).bit_count()
            if harm >= least:
                break
        else:
            best, least = place, harm
            if not harm:
                break
    return best, least


class Room:
    """The free room of one hex."""

    def __init__(self, layout: Layout = "flat") -> None:
        self.layout: Layout = layout
        self.taken: Cells = 0
        self.crossed: Cells = 0
        self.marked: Cells = 0
        self.squeezed = 0
        self.inside = False

    def copy(self) -> "Room":
        """Return a room with the same cells taken."""
        other = Room(self.layout)
        other.taken, other.crossed, other.marked = self.taken, self.crossed, self.marked
        other.squeezed, other.inside = self.squeezed, self.inside
        return other

    def take(self, cells: Cells) -> None:
        """Keep cells free of labels."""
        self.taken |= cells

    def mark_track(self, cells: Cells) -> None:
        """Mark cells as track: to be kept free if at all possible."""
        self.crossed |= cells

    def mark_outline(self, cells: Cells) -> None:
        """Mark cells as the outline of the hex: rather that is covered than anything else."""
        self.marked |= cells

    def take_first_fit(self, shape: Cells, order: TryOrder | Near, beyond: float = OUTSIDE) -> Point | None:
        """Take the first place where a shape, given around the centre, fits."""
        place = order.find_first(self.find_fits(shape, beyond))
        return self._take_at(shape, place) if place else None

    def find_fits(self, shape: Cells, beyond: float = OUTSIDE) -> Cells:
        """Return the cells to which a shape, given around the centre, can be moved."""
        return find_fitting_cells(
            shape, EVERYWHERE & ~(self.taken | self.crossed | self.marked | find_rim_cells(self.layout, beyond))
        )

    def take_best_fit(self, shape: Cells, order: TryOrder | Near, beyond: float = OUTSIDE) -> Point:
        """Take the place where a shape fits best, over the outline of the hex or over track if it must be."""
        found = self.take_first_fit(shape, order, beyond)
        if found:
            return found
        outside, on = find_rim_cells(self.layout, beyond), _ON[self.layout]
        inside = find_fitting_cells(shape, EVERYWHERE & ~outside) & on
        harms = ((20, self.taken | outside), (3, self.crossed), (1, self.marked))
        best, harm = find_least_harm(shape, order.list_among(inside), harms)
        if not best:
            best, harm = find_least_harm(shape, order.list_among(on), harms)
        assert best
        self.squeezed += harm
        return self._take_at(shape, best)

    def take_over_track(self, shape: Cells, order: TryOrder, letters: Cells = 0) -> Point | None:
        """Take the place where a shape covers least track and outline and nothing else, if there is one.

        ``letters`` is what of it has to stay on the hex, if not the whole: the rim of a plate may reach over its sides.
        """
        fits = find_fitting_cells(letters or shape, find_plate_cells(self.layout, inside=self.inside))
        fits &= find_fitting_cells(shape, EVERYWHERE & ~self.taken)
        best, _ = find_least_harm(shape, order.list_among(fits), ((1, self.crossed | self.marked),))
        return self._take_at(shape, best) if best else None

    def _take_at(self, shape: Cells, place: tuple[int, int]) -> Point:
        self.taken |= move_cells(shape, place)
        return place[0] * CELL, place[1] * CELL
