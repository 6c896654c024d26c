"""Markers on a market that is one chain of spaces."""

from dataclasses import dataclass

import pytest

from engine.finance import market
from engine.finance.events import PriceMoved, TopReached
from engine.record import Event

PRICES = (0, 40, 50, 60, 75, 100)


@dataclass
class Marker:
    code: str
    cell: int | None = None
    stamp: int = 0


@dataclass
class Position:
    clock: int = 0
    topped: bool = False


def moved(steps: int, at: int | None) -> tuple[Marker, Position, list[Event]]:
    """Move a marker from a space and return it with what was told."""
    marker, position, told = Marker("IOW", at), Position(clock=7), list[Event]()
    market.move(position, marker, PRICES, steps, told.append)
    return marker, position, told


def test_a_marker_is_placed_under_those_in_its_space() -> None:
    position, first, second = Position(), Marker("IOW"), Marker("CNR")
    market.place(position, first, PRICES, 60)
    market.place(position, second, PRICES, 60)
    assert first.cell == second.cell == 3
    assert first.stamp < second.stamp


def test_a_marker_that_moves_is_told_and_goes_under_the_others() -> None:
    marker, position, told = moved(-2, 3)
    assert (marker.cell, marker.stamp, position.clock) == (1, 8, 8)
    assert told == [PriceMoved("IOW", 60, 40)]


@pytest.mark.parametrize(("at", "steps", "to"), [(1, -5, 0), (4, 9, 5)])
def test_it_stops_at_both_ends(at: int, steps: int, to: int) -> None:
    assert moved(steps, at)[0].cell == to


@pytest.mark.parametrize(("at", "steps"), [(0, -1), (5, 3), (2, 0), (None, 2)])
def test_a_marker_that_cannot_move_keeps_its_place_and_nothing_is_told(at: int | None, steps: int) -> None:
    marker, position, told = moved(steps, at)
    assert (marker.cell, marker.stamp, position.clock, told) == (at, 0, 7, [])


def test_only_the_first_price_at_the_top_is_told() -> None:
    position, told = Position(), list[Event]()
    market.move(position, Marker("IOW", 4), PRICES, 1, told.append)
    market.move(position, Marker("CNR", 4), PRICES, 1, told.append)
    assert [event for event in told if isinstance(event, TopReached)] == [TopReached("IOW")]


@pytest.mark.parametrize(("cell", "price"), [(-3, 0), (2, 50), (9, 100)])
def test_a_price_to_be_is_clamped_to_the_market(cell: int, price: int) -> None:
    assert market.price_at(PRICES, cell) == price


def test_the_chain_is_printed_in_two_tiers_of_which_the_first_space_stands_above() -> None:
    places = [(space.x, space.y, space.price, space.zone) for space in market.spaces((0, 40, 50, 60), "z{}".format)]
    assert places == [(0, 0, 0, "z0"), (0.5, 1, 40, "z40"), (1, 0, 50, "z50"), (1.5, 1, 60, "z60")]


def test_the_highest_space_operates_first_and_on_one_space_the_earlier() -> None:
    markers = [Marker("AB", 2, 5), Marker("CD", 4, 9), Marker("EF", 2, 3)]
    assert [marker.code for marker in sorted(markers, key=market.rank)] == ["CD", "EF", "AB"]


def test_a_marker_at_the_bottom_operates_after_all_others_like_one_off_the_market() -> None:
    markers = [Marker("AB", 0, 1), Marker("CD", 1, 9), Marker("EF", None, 0)]
    assert [marker.code for marker in sorted(markers, key=market.rank)] == ["CD", "EF", "AB"]


@dataclass
class Priced:
    cell: int | None
    par: int | None = None


@pytest.mark.parametrize(
    ("cell", "par", "now", "up", "down"),
    [(3, 40, 60, 75, 50), (5, 40, 100, 100, 75), (1, 40, 40, 50, 0), (0, 40, 0, 40, 0), (None, 50, 50, 50, 50)],
)
def test_a_price_is_the_markers_and_before_there_is_one_the_par(
    cell: int | None, par: int, now: int, up: int, down: int
) -> None:
    """It stays within the market, and without a marker it goes nowhere."""
    company = Priced(cell, par)
    assert market.price(PRICES, company) == now
    assert [market.price_after(PRICES, company, steps) for steps in (1, -1)] == [up, down]
    assert market.price(PRICES, Priced(None)) == 0, "not started"


@pytest.mark.parametrize(("cell", "topped", "told"), [(5, False, True), (5, True, False), (4, False, False)])
def test_the_first_marker_at_the_top_is_noted(cell: int, topped: bool, told: bool) -> None:
    position, events = Position(topped=topped), list[Event]()
    market.watch_top(position, Marker("IOW", cell), PRICES, events.append)
    assert events == [TopReached("IOW")] * told
    assert position.topped is (topped or told)
