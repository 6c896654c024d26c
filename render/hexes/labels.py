"""The labels of one hex: values, letter, cost, coordinate, name, numbers, each in free room.

They are placed one after the other; several orders are tried, and the one
that leaves least to be desired is taken.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial

from engine.hex_view import HexView, Stop
from engine.record import Record
from render import fonts
from render.fonts import clean_text
from render.hexes import names, room, station
from render.hexes.names import NO_ROOM, TIGHT, WIDE, Size, find_text_cells, make_labels
from render.hexes.room import BEYOND, Room, order_along_sides, order_by_distance, order_by_wish
from render.hexes.track import HexTrack, StopSpot
from render.scene import Box, Curve, Disc, Face, Item, Label, Point, Polygon
from render.theme import load_theme

Badge = tuple[int, Point]
"""The number of a run that ends in a hex, and the point it belongs to."""

COORD_SIZES = ((0.25, WIDE), (0.22, WIDE), (0.22, TIGHT), (0.2, TIGHT), (0.165, TIGHT))
NUMBER_SIZES = ((0.2, WIDE), (0.17, TIGHT))
LETTER_SIZES = ((0.52, WIDE), (0.44, WIDE), (0.44, TIGHT), (0.36, TIGHT), (0.3, TIGHT), (0.26, TIGHT), (0.22, TIGHT))
BADGE_SIZES, SMALL_BADGE = (0.23, 0.19, 0.16), 6
CHOICE_SIZES, COST_SIZE = (0.46, 0.4, 0.34), 0.44
ORDERS: tuple[tuple[str, ...], ...] = (
    ("values", "badges", "letter", "choice", "name", "parts", "coord", "cost", "number"),
    ("name", "values", "badges", "letter", "cost", "choice", "coord", "parts", "number"),
    ("name", "parts", "choice", "badges", "values", "small letter", "cost", "coord", "number"),
    ("coord", "values", "parts", "badges", "choice", "name", "small letter", "cost", "number"),
    ("outer parts", "badges", "values", "choice", "name", "coord", "small letter", "cost", "number"),
    ("small letter", "values", "parts", "cost", "name", "choice", "coord", "badges", "number"),
    ("values", "badges", "coord", "small letter", "name", "cost", "choice", "parts", "number"),
    ("coord", "parts", "small letter", "choice", "badges", "name", "cost", "values", "number"),
    ("badges", "values", "parts", "choice", "name", "letter", "coord", "cost", "number"),
    ("outer parts", "values", "name", "badges", "choice", "letter", "coord", "cost", "number"),
)
"""Orders of placing, those first that help most: each was the best addition to those before it on 600 crowded hexes of
self-played games; the last two save a city on a tile with three, through which two trains run. A "small letter" is one
of half the size; "outer parts" are names of stops along the upper or lower side, out of the way of values."""

GOOD = 1.0
"""A cost at which no further order is tried."""


UNNUMBERED, UNNAMED = 6, 400
"""What it counts that a hex with a name lacks its coordinate, and that the name of a stop is missing."""


class PlacedLabels(Record, frozen=True):
    """Labels placed: the texts left out for want of room, what it costs in legibility."""

    items: tuple[Item, ...]
    missing: tuple[str, ...]
    cost: float


class Labels:
    """The labels of a hex, to be placed in the room that its track and stops leave."""

    def __init__(self, hex_view: HexView, the_course: HexTrack, free: Room, palette: str) -> None:
        self.hex, self.course, self.palette, self.free = hex_view, the_course, palette, free

    @property
    def is_asked(self) -> bool:
        """Whether something is asked about the hex, or is new on it: only then are there numbers to tell it by."""
        return bool(self.hex.mark or self.hex.choice)

    def choose_placing(self, badges: tuple[Badge, ...], again: tuple[Badge, ...] = ()) -> PlacedLabels:
        """Return the labels in the best of the orders; badges to be shown again stand only where room is left.

        No order is tried that differs only in labels the hex does not have, and none once each label costs no more
        than it would alone.
        """
        there = self._list_placing_steps(badges)
        orders = dict.fromkeys(tuple(step for step in order if step in there) for order in ORDERS)
        begun: dict[tuple[str, ...], _Try] = {(): _Try(self, badges, again)}
        best: PlacedLabels | None = None
        least = GOOD
        for order in orders:
            placed = _place_in_order(order, begun, best.cost if best else math.inf)
            if placed and not best and placed.cost > GOOD:
                least = sum(begun[()].measure_step(step) for step in there)
            best = placed or best
            assert best
            if best.cost <= least:
                break
        assert best
        return best

    def _list_placing_steps(self, badges: tuple[Badge, ...]) -> list[str]:
        """Return the steps of placing that do anything on the hex."""
        parts = any(stop.name and stop.name != self.hex.name for stop in self.hex.stops)
        there = {
            "badges": badges,
            "parts": parts,
            "outer parts": parts,
            "choice": self.hex.choice,
            "letter": self.hex.letter,
            "small letter": self.hex.letter,
            "cost": self.hex.cost,
            "coord": self.hex.coord and (self.is_asked or not (self.hex.name or self.hex.ink in {"red", "sea"})),
            "number": self.hex.tile and (self.is_asked or not self.hex.coord),
        }
        return [step for step in (*ORDERS[0], "small letter", "outer parts") if there.get(step, True)]


def _place_in_order(order: tuple[str, ...], begun: dict[tuple[str, ...], "_Try"], most: float) -> PlacedLabels | None:
    """Place labels in an order; return ``None`` as soon as it costs as much as what is known already.

    ``begun`` holds how other orders began, so that no beginning is placed twice.
    """
    for count in range(len(order) + 1):
        tried = begun.get(order[:count])
        if tried is None:
            tried = begun[order[:count]] = begun[order[: count - 1]].try_step(order[count - 1])
        if tried.harm >= most:
            return None
    return begun[order].take_labels()


class _Try:
    """One order of placing, as far as it has come."""

    def __init__(self, labels: Labels, badges: tuple[Badge, ...], again: tuple[Badge, ...]) -> None:
        self.labels, self.hex, self.course, self.palette = labels, labels.hex, labels.course, labels.palette
        self.room = labels.free.copy()
        self.items: list[Item] = []
        self.missing: list[str] = []
        self.cost = 0.0
        self.badges, self.again = badges, again

    @property
    def harm(self) -> float:
        """What it costs in legibility so far."""
        return self.cost + 3 * self.room.squeezed

    def try_step(self, step: str) -> "_Try":
        """Return the order with the labels of one more step placed."""
        further = self._copy()
        steps: dict[str, Callable[[_Try], None]] = {
            "badges": _Try._place_badges,
            "parts": _Try._place_stop_names,
            "outer parts": partial(_Try._place_stop_names, order=order_along_sides),
            "choice": _Try._place_choice,
            "values": _Try._place_values,
            "letter": _Try._place_letter,
            "small letter": _Try._place_small_letter,
            "cost": _Try._place_terrain,
            "coord": _Try._place_coordinate,
            "name": _Try._place_name,
            "number": _Try._place_number,
        }
        steps[step](further)
        return further

    def _copy(self) -> "_Try":
        other = _Try(self.labels, self.badges, self.again)
        other.room, other.cost = self.room.copy(), self.cost
        other.items, other.missing = [*self.items], [*self.missing]
        return other

    def measure_step(self, step: str) -> float:
        """Return what the labels of a step cost if they are placed next."""
        return 0.0 if step in ("small letter", "outer parts") else self.try_step(step).harm - self.harm

    def take_labels(self) -> PlacedLabels:
        """Return the labels, all of which are placed."""
        self._repeat_badges()
        return PlacedLabels(tuple(self.items), tuple(self.missing), self.harm)

    def _place_badges(self) -> None:
        """Place the numbers of the runs that end here, smaller if need be."""
        for number, (x, y) in self.badges:
            places = order_by_distance(round(x, 2), round(y, 2), 0.8, ())
            for r in BADGE_SIZES:
                at = self.room.take_first_fit(room.find_disc_cells(0, 0, r), places, BEYOND)
                if at:
                    break
            else:
                at = self.room.take_best_fit(room.find_disc_cells(0, 0, r), places, BEYOND)
            self.cost += SMALL_BADGE if r == BADGE_SIZES[-1] else 0
            self._place_badge(number, at, r)

    def _repeat_badges(self) -> None:
        """Place the numbers of runs that pass, where there is room."""
        for number, (x, y) in self.again:
            at = self.room.take_first_fit(
                room.find_disc_cells(0, 0, 0.19), order_by_distance(round(x, 2), round(y, 2), 0.7, ()), BEYOND
            )
            if at:
                self._place_badge(number, at, 0.19)

    def _place_badge(self, number: int, at: Point, r: float) -> None:
        role = load_theme(self.palette).choose_stroke(number - 1).colour
        self.items += [Disc(*at, r + 0.01, "casing"), Disc(*at, r - 0.02, role)]
        self.items.append(Label(*at, str(number), r * 1.5, "badge_ink"))

    def _place_choice(self) -> None:
        if not self.hex.choice:
            return
        text, order, at = clean_text(self.hex.choice)[:3], order_by_wish("near", 0.0, 0.12), None
        for rank, size in enumerate(CHOICE_SIZES):
            high = round(1.22 * size, 3)
            wide = max(high, round(fonts.measure_text(text, size) + 0.48 * size, 3))
            shape = room.find_box_cells(-wide / 2, -high / 2, wide / 2, high / 2)
            at = self.room.take_first_fit(shape, order)
            self.cost += 2 * rank if at else 0
            if at or size == CHOICE_SIZES[-1]:
                at = at or self.room.take_over_track(shape, order) or self.room.take_best_fit(shape, order)
                x, y = round(at[0] - wide / 2, 3), round(at[1] - high / 2, 3)
                self.items += [
                    Box(x, y, wide, high, high / 2, "choice", "casing", 0.04),
                    Label(*at, text, size, "choice_ink"),
                ]
                return

    def _place_values(self) -> None:
        """Place the values near their stops; the last one first, if one has no room otherwise."""
        valued = [
            (stop, spot)
            for stop, spot in zip(self.hex.stops, self.course.spots, strict=True)
            if stop.value is not None and not stop.values and (stop.value or stop.kind == "offboard")
        ]
        best = self._try_values(valued)
        if len(valued) > 1 and best.cost - self.cost >= NO_ROOM / 4:
            best = min(self._try_values(valued[::-1]), best, key=lambda tried: tried.harm)
        self.room, self.items, self.cost = best.room, best.items, best.cost

    def _try_values(self, valued: Sequence[tuple[Stop, StopSpot]]) -> "_Try":
        """Return how it goes on if values are placed one after the other."""
        tried = self._copy()
        spots = [(round(spot.x, 2), round(spot.y, 2)) for _, spot in valued]
        for k, (stop, spot) in enumerate(valued):
            _Try._place_value(tried, stop, spot, tuple(at for j, at in enumerate(spots) if j != k))
        return tried

    def _place_value(self, stop: Stop, spot: StopSpot, others: tuple[Point, ...]) -> None:
        """Place a value near its stop and no nearer to another, smaller if need be."""
        value, x, y = stop.value or 0, round(spot.x, 2), round(spot.y, 2)
        limit = 0.64 if stop.kind != "city" else 0.72 if stop.slots < 2 else 0.86
        for rank in range(len(station.VALUES)):
            at = self.room.take_first_fit(
                station.make_value_shape(value, rank), order_by_distance(x, y, limit, others), BEYOND
            )
            if at:
                self.cost += (0, 4, 9)[rank]
                self.room.take(station.find_value_cells(value, at, rank))
                break
        else:
            self._place_value_on_stop(stop, spot)
            return
        self.items += station.draw_value(value, at, rank)

    def _place_value_on_stop(self, stop: Stop, spot: StopSpot) -> None:
        """Place a value for which no room is near: on its small station, or else where it covers least."""
        value, last = stop.value or 0, len(station.VALUES) - 1
        self.cost += NO_ROOM / 4
        if stop.kind == "town" and value < 100:
            self.items += station.draw_value_on_stop(value, spot)
            cells = room.find_disc_cells(round(spot.x, 2), round(spot.y, 2), 0.25)
            self.room.squeezed += 20 * (cells & self.room.taken & ~self.labels.free.taken).bit_count()
            self.room.take(cells)
        else:
            places = order_by_wish("value", round(spot.x, 2), round(spot.y, 2))
            at = self.room.take_best_fit(station.make_value_shape(value, last), places, BEYOND)
            self.items += station.draw_value(value, at, last)

    def _place_letter(self, sizes: Sequence[Size] = LETTER_SIZES) -> None:
        if self.hex.letter:
            text = fonts.cut_to_fit(self.hex.letter, sizes[-1][0], 1.2)
            self._place_anyway(text, sizes, "letter", ("ink", "bold"))

    def _place_small_letter(self) -> None:
        if self.hex.letter:
            self.cost += 6
        self._place_letter(LETTER_SIZES[3:])

    def _place_terrain(self) -> None:
        """Place the cost of the terrain behind its sign: a hill or waves."""
        if not self.hex.cost:
            return
        text = str(self.hex.cost)
        wide = fonts.measure_text(text, COST_SIZE) + 0.38
        at = self.room.take_best_fit(room.find_box_cells(-wide / 2, -0.17, wide / 2, 0.17), order_by_wish("cost"))
        role = "water" if self.hex.terrain == "water" else "hill"
        x, y = round(at[0] - wide / 2 + 0.15, 3), at[1]
        if role == "water":
            for drop in (-0.09, 0.06):
                low = round(y + drop + 0.03, 3)
                wave = ((x - 0.15, low), (x - 0.05, low - 0.18), (x + 0.05, low + 0.18), (x + 0.15, low))
                self.items.append(Curve(wave, role, 0.055))
        else:
            self.items += [
                Polygon(((x - 0.17, y + 0.14), (x - 0.06, y - 0.04), (x + 0.05, y + 0.14)), role),
                Polygon(((x - 0.1, y + 0.14), (x + 0.04, y - 0.16), (x + 0.17, y + 0.14)), role, "land", 0.02),
                Polygon(
                    ((x - 0.02, y - 0.02), (x + 0.04, y - 0.16), (x + 0.1, y - 0.02), (x + 0.04, y + 0.02)), "land"
                ),
            ]
        self.items.append(Label(at[0] + wide / 2, y, text, COST_SIZE, role, "bold", "r"))

    def _place_coordinate(self) -> None:
        if not self.hex.coord:
            return
        for rank, size in enumerate(COORD_SIZES):
            if self._place_if_free(
                (self.hex.coord,), size, "coord", ("ink_soft" if self.hex.ink == "plain" else "ink", "semi")
            ):
                self.cost += (0, 1.5, 3, 4.5, 19)[rank]
                return
        placed = names.place_on_plate(self.room, self.hex.coord, order_by_wish("coord"), "coord")
        self.items += placed.items if placed else ()
        self.missing += () if placed else (self.hex.coord,)
        self.cost += 0 if placed else UNNUMBERED if self.hex.name else NO_ROOM

    def _place_name(self) -> None:
        """Place the name, on a plate over the track where there is no other room."""
        if not self.hex.name or any(stop.values and stop.name == self.hex.name for stop in self.hex.stops):
            return
        wish: room.Wish = "high name" if self.hex.cost and not self.hex.tile else "name"
        placed = names.place_name(self.room, self.hex.name, order_by_wish(wish))
        self.items += placed.items
        self.cost += placed.cost

    def _place_stop_names(self, order: Callable[..., room.TryOrder] = order_by_distance) -> None:
        """Place the names that stops have of their own, each near its stop; areas have theirs by their values."""
        for stop, spot in zip(self.hex.stops, self.course.spots, strict=True):
            text = clean_text(stop.name)[:24]
            if not text or text == self.hex.name or stop.values:
                continue
            near = order(round(spot.x, 2), round(spot.y, 2), 0.8, ())
            placed = names.place_stop_name(self.room, text, near)
            self.items += placed.items if placed else ()
            self.missing += () if placed else (text,)
            self.cost += placed.cost if placed else UNNAMED

    def _place_number(self) -> None:
        if self.hex.tile:
            for size in NUMBER_SIZES:
                if self._place_if_free((self.hex.tile,), size, "number", ("ink", "text")):
                    return
            self.missing.append(self.hex.tile)
            self.cost += 1

    def _place_anyway(self, text: str, sizes: Sequence[Size], wish: room.Wish, look: tuple[str, Face]) -> None:
        """Place a text at the first size that fits, or where it covers least; a hex with a name can do without."""
        for rank, size in enumerate(sizes):
            if self._place_if_free((text,), size, wish, look):
                self.cost += 2 * rank
                return
        if self.hex.name:
            self.missing.append(text)
            self.cost += NO_ROOM / 2
            return
        at = self.room.take_best_fit(find_text_cells((text,), sizes[-1], look[1]), order_by_wish(wish))
        self.cost += NO_ROOM
        self._write((text,), at, sizes[-1][0], look, halo="land" if self.hex.ink == "plain" else self.hex.ink)

    def _place_if_free(self, lines: tuple[str, ...], size: Size, wish: room.Wish, look: tuple[str, Face]) -> bool:
        """Place lines where they fit, and return whether they do."""
        at = self.room.take_first_fit(find_text_cells(lines, size, look[1]), order_by_wish(wish))
        if at:
            self._write(lines, at, size[0], look, kind=wish)
        return at is not None

    def _write(
        self, lines: tuple[str, ...], at: Point, size: float, look: tuple[str, Face], halo: str = "", kind: str = ""
    ) -> None:
        """Write lines around a point; a halo in the colour of the ground parts them from what they cover."""
        self.items += make_labels(lines, at, size, look, halo, kind)
