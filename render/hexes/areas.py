"""Areas off the board: what they pay, in the printed order, the present value larger and coloured, and their names."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from engine.hex_view import HexView, Stop
from engine.record import Record
from render import fonts
from render.fonts import clean_text
from render.hexes import room
from render.hexes.room import BEYOND, Near, Room, order_by_distance
from render.hexes.track import StopSpot
from render.scene import Box, Item, Label, Point

GROUNDS = ("yellow", "green", "russet", "grey")
"""Names of values that are those of a tile's colour, on which the value then stands."""

PAD, RIM = 0.24, 0.03
"""Blank beside a value, of the size of its figures; rim of the plate."""

FRAME = 0.05
NAME_SIZES = (0.3, 0.28, 0.26, 0.24, 0.22, 0.2)
MIN_NAME_SIZE = 0.18
"""Size of a name for which there is no room."""

REACH = 0.85
"""How far from its place in the hex an area's values or name may stand."""

ASIDE = (0.42, 0.54, 0.3)
"""How far from the centre the values of two areas may belong."""

Shape = Literal["row", "column"]
COORDINATE = room.find_box_cells(-0.18, -0.09, 0.18, 0.09)
"""Room that is left for the coordinate of the hex."""
ByPoint = Callable[[float, float, tuple[Point, ...]], Near]
Place = tuple[Stop, Point]
"""An area and where on the hex it belongs."""


class ValueLayout(Record, frozen=True):
    """How values are set in their printed order: side by side, or one below the other.

    ``now`` is the size of the present value, ``rest`` that of the others.
    """

    now: float
    rest: float
    shape: Shape


FORMS: tuple[ValueLayout, ...] = (
    ValueLayout(0.48, 0.32, "row"),
    ValueLayout(0.44, 0.3, "row"),
    ValueLayout(0.4, 0.28, "row"),
    ValueLayout(0.37, 0.26, "row"),
    ValueLayout(0.35, 0.24, "row"),
    ValueLayout(0.42, 0.3, "column"),
    ValueLayout(0.33, 0.24, "row"),
    ValueLayout(0.35, 0.26, "column"),
    ValueLayout(0.31, 0.22, "row"),
    ValueLayout(0.32, 0.23, "column"),
    ValueLayout(0.29, 0.21, "row"),
    ValueLayout(0.29, 0.21, "column"),
    ValueLayout(0.27, 0.2, "row"),
    ValueLayout(0.26, 0.19, "column"),
)
"""Tried in this order."""

PLAIN: tuple[ValueLayout, ...] = tuple(
    ValueLayout(size, size, "row") for size in (0.4, 0.36, 0.32, 0.28, 0.25, 0.22, 0.19)
)
"""How values are set of which none is the present one."""


class _Figure(Record, frozen=True):
    """A value with the colour of its ground; ``x``, ``y`` is its middle on the plate."""

    text: str
    ground: str
    size: float
    present: bool
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        """How much of the plate it takes."""
        return fonts.measure_text(self.text, self.size) + PAD * self.size + (FRAME if self.present else 0.0)

    @property
    def height(self) -> float:
        """How much of the plate it takes."""
        return self.size * (0.94 if self.present else 0.82)

    def move_to(self, x: float, y: float) -> "_Figure":
        """Return the figure in its place."""
        return _Figure(self.text, self.ground, self.size, self.present, round(x, 3), round(y, 3))


class Plate(Record, frozen=True):
    """Values set around the middle of their plate, and how much room they take."""

    figures: tuple[_Figure, ...]
    width: float
    height: float

    def draw(self, at: Point) -> list[Item]:
        """Return the plate around a point: the values to come and gone, over them the present one in its frame."""
        left, top = round(at[0] - self.width / 2, 3), round(at[1] - self.height / 2, 3)
        items: list[Item] = [Box(left, top, round(self.width, 3), round(self.height, 3), 0.07, "casing")]
        placed = [figure.move_to(at[0] + figure.x, at[1] + figure.y) for figure in self.figures]
        for figure in sorted(placed, key=lambda figure: figure.present):
            items.append(_make_plate_box(figure))
        single = any(figure.present for figure in placed)
        for figure in placed:
            colour = "ink" if figure.present or not single else "ink_soft"
            items.append(Label(figure.x, figure.y, figure.text, figure.size, colour))
        return items


@lru_cache(maxsize=1024)
def make_plate(values: tuple[tuple[str, int], ...], now: int | None, form: ValueLayout) -> Plate:
    """Return values on a plate; ``now`` is the present one, ``None`` for none of them."""
    index = next((k for k, (_, value) in enumerate(values) if value == now), -1)
    figures = [
        _Figure(str(value), key if key in GROUNDS else "disc", form.now if k == index else form.rest, k == index)
        for k, (key, value) in enumerate(values)
    ]
    placed = _arrange_figures(figures, form.shape)
    width = 2 * max(abs(f.x) + f.width / 2 for f in placed) + 2 * RIM
    height = max(f.y + f.height / 2 for f in placed) - min(f.y - f.height / 2 for f in placed) + 2 * RIM
    return Plate(tuple(placed), width, height)


def _make_plate_box(figure: _Figure) -> Box:
    left, top = round(figure.x - figure.width / 2, 3), round(figure.y - figure.height / 2, 3)
    if figure.present:
        ground = "present" if figure.ground == "disc" else figure.ground
        frame = round(min(FRAME, 0.1 * figure.size), 3)
        return Box(left, top, round(figure.width, 3), round(figure.height, 3), 0.08, ground, "ink", frame)
    return Box(left, top, round(figure.width, 3), round(figure.height, 3), 0.0, figure.ground)


def _arrange_figures(figures: Sequence[_Figure], shape: Shape) -> list[_Figure]:
    """Return figures in their places around the middle of the plate."""
    if shape == "row":
        return _arrange_in_line(figures, 0.0, 0.0)
    top = -sum(figure.height for figure in figures) / 2
    placed: list[_Figure] = []
    for figure in figures:
        placed.append(figure.move_to(0.0, top + figure.height / 2))
        top += figure.height
    return placed


def _arrange_in_line(figures: Sequence[_Figure], x: float, y: float) -> list[_Figure]:
    """Return figures side by side around a point."""
    left = x - sum(figure.width for figure in figures) / 2
    placed: list[_Figure] = []
    for figure in figures:
        placed.append(figure.move_to(left + figure.width / 2, y))
        left += figure.width
    return placed


def draw_areas(hex_view: HexView, spots: Sequence[StopSpot], free: Room) -> list[Item]:
    """Return the areas of a hex with values and names in the largest form that fits, and take their room."""
    found = [
        (stop, (spot.x, spot.y))
        for stop, spot in zip(hex_view.stops, spots, strict=True)
        if stop.kind == "offboard" and stop.values
    ]
    if not found:
        return []
    tried = _try_forms(hex_view, found, free)
    free.take(tried.room.taken)
    return tried.items


def _try_forms(hex_view: HexView, found: Sequence[Place], free: Room) -> "_Try":
    """Return the areas in the largest form in which all have their room; two areas also with their names first."""
    present = all(any(value == stop.value for _, value in stop.values) for stop, _ in found)
    forms = FORMS if present else PLAIN
    several = len(found) > 1
    ways = [_locate_areas(hex_view, found, aside) for aside in (ASIDE if several else ASIDE[:1])]
    for form in forms:
        for places in ways:
            tried = _Try(hex_view, places, free, form)
            if several and tried.valued and not tried.fits:
                tried = _Try(hex_view, places, free, form, names_first=True)
            if tried.fits:
                return tried
    return _Try(hex_view, ways[0], free, forms[-1], forced=True)


class _Try:
    """All areas of a hex set in one form.

    ``valued`` tells whether the values of each have their room, ``fits`` whether its name has it too.
    """

    def __init__(
        self,
        hex_view: HexView,
        places: Sequence[Place],
        free: Room,
        form: ValueLayout,
        *,
        names_first: bool = False,
        forced: bool = False,
    ) -> None:
        self.hex, self.places, self.forced, self.fits = hex_view, places, forced, True
        self.room = free.copy()
        self.crossed = free.crossed
        self.parts: list[tuple[Plate, Point] | Label] = []
        aims = [at for _, at in places]
        if names_first:
            self._place_all_names(aims, list_places_at_edge, NAME_SIZES[-2:])
        spots = self._place_all_values(form) if self._can_succeed() else aims
        self.valued = self.fits
        if not names_first and self._can_succeed():
            self._place_all_names(spots, list_places_beside, NAME_SIZES)
        if self._can_succeed() and not self.room.copy().take_first_fit(COORDINATE, room.order_by_wish("coord")):
            self.fits = False

    @property
    def items(self) -> list[Item]:
        """The areas as they are drawn."""
        items: list[Item] = []
        for part in self.parts:
            items += [part] if isinstance(part, Label) else part[0].draw(part[1])
        return items

    def _can_succeed(self) -> bool:
        """Return whether it is worth going on."""
        return self.fits or self.forced

    def _place_all_values(self, form: ValueLayout) -> list[Point]:
        """Place the values of all areas, on land also over runs, and return where."""
        self.room.crossed = self.crossed if self.hex.ink == "sea" else 0
        spots = [
            self._place_values(stop, at, form, [o for s, o in self.places if s is not stop]) for stop, at in self.places
        ]
        self.room.crossed = self.crossed
        return spots

    def _place_values(self, stop: Stop, at: Point, form: ValueLayout, others: Sequence[Point]) -> Point:
        """Place the values of an area near where it belongs, and return where."""
        drawn = make_plate(stop.values, stop.value, form)
        wide, high = drawn.width / 2 + 0.02, drawn.height / 2 + 0.02
        shape = room.find_box_cells(-wide, -high, wide, high)
        places = order_by_distance(at[0], at[1], REACH, tuple(others))
        found = self.room.take_first_fit(shape, places, BEYOND)
        if found is None:
            self.fits = False
            found = self.room.take_best_fit(shape, places, BEYOND) if self.forced else at
        self.parts.append((drawn, found))
        return found

    def _place_all_names(self, spots: Sequence[Point], near: ByPoint, sizes: Sequence[float]) -> None:
        """Place the names of all areas, each by a point of its own."""
        for (stop, _), (x, y) in zip(self.places, spots, strict=True):
            others = tuple(other for other in spots if other != (x, y))
            self._place_name(clean_text(stop.name)[:24], near(round(x, 2), round(y, 2), others), sizes)

    def _place_name(self, text: str, order: Near, sizes: Sequence[float]) -> None:
        """Place a name as large as it fits."""
        for size in sizes if text else ():
            half, hang = fonts.measure_text(text, size) / 2 + 0.03, 0.2 * size if set(text) & set("gjpqy") else 0.0
            found = self.room.take_first_fit(
                room.find_box_cells(-half, -0.36 * size - 0.02, half, 0.36 * size + 0.02 + hang), order
            )
            if found:
                self.parts.append(Label(*found, text, size, "ink", kind="name"))
                return
        if text and self.forced:
            size = MIN_NAME_SIZE
            half = fonts.measure_text(text, size) / 2
            at = self.room.take_best_fit(room.find_box_cells(-half, -0.08, half, 0.08), order)
            self.parts.append(Label(*at, text, size, "ink", kind="name"))
        self.fits = self.fits and not text


@lru_cache(maxsize=1024)
def list_places_beside(x: float, y: float, others: tuple[Point, ...]) -> Near:
    """Return the places for the name of what stands at a point: under or over it, rather away from others."""
    return Near((round(x, 2), round(y, 2)), REACH, others, (1.3, 1.0, 0.5))


@lru_cache(maxsize=1024)
def list_places_at_edge(x: float, y: float, others: tuple[Point, ...]) -> Near:
    """Return the places for the name of what stands at a point: as far from others as may be."""
    return Near((round(x, 2), round(y, 2)), REACH, others, (0.6, 0.0, 1.0))


def _locate_areas(hex_view: HexView, found: Sequence[Place], aside: float) -> list[Place]:
    """Return areas with the points where their values belong, of the points that track reaches.

    Two areas part a hex between them; one at sea has its values off the end of its pier, on land in the middle.
    """
    places: list[Place] = []
    for stop, (x, y) in found:
        others = [at for _, at in found if at != (x, y)]
        if others:
            dx, dy = x - others[0][0], y - others[0][1]
            far = math.hypot(dx, dy) / aside
            places.append((stop, (round(dx / far, 2), round(dy / far, 2))))
        else:
            away = -0.3 if hex_view.ink == "sea" else 0.0
            places.append((stop, (round(x * away, 2), round(y * away, 2))))
    return places
