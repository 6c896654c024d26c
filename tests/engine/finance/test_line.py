"""Markers on a market that is one chain of spaces."""

import pytest

from engine.finance import market
from engine.finance.events import PriceMoved, TopReached
from engine.finance.state import ShareState
from engine.record import Event
from tests.engine.finance.records import Company, state


def marker(code: str = "IOW", cell: int | None = None, stamp: int = 0, par: int | None = None) -> Company:
    """Return a company by its marker."""
    return Company(code, [], cell=cell, stamp=stamp, par=par)


def move_from(steps: int, at: int | None) -> tuple[Company, ShareState, list[Event]]:
    """Move a marker from a space and return it with what was told."""
    company, s, told = marker(cell=at), state(clock=7), list[Event]()
    market.move_marker(s, company, steps, told.append)
    return company, s, told


def test_a_marker_is_placed_under_those_in_its_space() -> None:
    position, first, second = state(), marker(), marker("CNR")
    market.place_marker(position, first, 60)
    market.place_marker(position, second, 60)
    assert first.cell == second.cell == 3
    assert first.stamp < second.stamp


def test_a_marker_that_moves_is_reported_and_goes_under_the_others() -> None:
    company, position, told = move_from(-2, 3)
    assert (company.cell, company.stamp, position.clock) == (1, 8, 8)
    assert told == [PriceMoved("IOW", 60, 40)]


@pytest.mark.parametrize(("at", "steps", "to"), [(1, -5, 0), (4, 9, 5)])
def test_it_stops_at_both_ends(at: int, steps: int, to: int) -> None:
    assert move_from(steps, at)[0].cell == to


@pytest.mark.parametrize(("at", "steps"), [(0, -1), (5, 3), (2, 0), (None, 2)])
def test_a_marker_that_cannot_move_keeps_its_place_without_a_report(at: int | None, steps: int) -> None:
    company, position, told = move_from(steps, at)
    assert (company.cell, company.stamp, position.clock, told) == (at, 0, 7, [])


def test_only_the_first_price_at_the_top_is_reported() -> None:
    position, told = state(), list[Event]()
    market.move_marker(position, marker("IOW", 4), 1, told.append)
    market.move_marker(position, marker("CNR", 4), 1, told.append)
    assert [event for event in told if isinstance(event, TopReached)] == [TopReached("IOW")]


def test_the_chain_is_printed_in_two_tiers_of_which_the_first_space_stands_above() -> None:
    places = [
        (space.x, space.y, space.price, space.zone) for space in market.make_spaces((0, 40, 50, 60), "z{}".format)
    ]
    assert places == [(0, 0, 0, "z0"), (0.5, 1, 40, "z40"), (1, 0, 50, "z50"), (1.5, 1, 60, "z60")]


def test_the_highest_space_operates_first_and_on_one_space_the_earlier() -> None:
    markers = [marker("AB", 2, 5), marker("CD", 4, 9), marker("EF", 2, 3)]
    assert [each.code for each in sorted(markers, key=market.rank_company)] == ["CD", "EF", "AB"]


def test_a_marker_at_the_bottom_operates_after_all_others_like_one_off_the_market() -> None:
    markers = [marker("AB", 0, 1), marker("CD", 1, 9), marker("EF", None, 0)]
    assert [each.code for each in sorted(markers, key=market.rank_company)] == ["CD", "EF", "AB"]


@pytest.mark.parametrize(
    ("cell", "par", "now", "up", "down"),
    [(3, 40, 60, 75, 50), (5, 40, 100, 100, 75), (1, 40, 40, 50, 0), (0, 40, 0, 40, 0), (None, 50, 50, 50, 50)],
)
def test_a_price_is_the_markers_and_before_there_is_one_the_par(
    cell: int | None, par: int, now: int, up: int, down: int
) -> None:
    """It stays within the market, and without a marker it goes nowhere."""
    company = marker(cell=cell, par=par)
    assert company.price == now
    assert [market.find_price_after(company, steps) for steps in (1, -1)] == [up, down]
    assert marker().price == 0, "not started"


@pytest.mark.parametrize(("cell", "topped", "told"), [(5, False, True), (5, True, False), (4, False, False)])
def test_the_first_marker_at_the_top_is_noted(cell: int, topped: bool, told: bool) -> None:
    position, events = state(topped=topped), list[Event]()
    market.note_top(position, marker("IOW", cell), events.append)
    assert events == [TopReached("IOW")] * told
    assert position.topped is (topped or told)
