"""Markers on a market that is a grid; its rows and moves are data."""

import msgspec
import pytest

from engine.finance.events import PriceMoved, TopReached
from engine.finance.market import Grid
from engine.finance.state import ShareCompany
from engine.record import Event
from tests.engine.finance.records import state

GRID = msgspec.toml.decode(
    """
rows = [
    [60, 70, 80, 100],
    [50, 60, 70, 80],
    [40, 50, 60, 0],
]
moves = { paid = "right", kept = "left", sold = "down", sold_out = "up" }
beyond = { right = "up", left = "down" }
zones = { par = [[0, 0], [0, 1]], closed = [[0, 2]] }
""",
    type=Grid,
)


class Company(ShareCompany):
    """A company with its marker on the grid."""

    prices = GRID.prices


def marker(code: str, cell: int | None = None, stamp: int = 0) -> Company:
    """Return a company by its marker."""
    return Company(code, [], cell=cell, stamp=stamp)


def cell(x: int, y: int) -> int:
    """Return the space in a column and a row."""
    return next(k for k, space in enumerate(GRID.spaces) if (space.x, space.y) == (x, y))


@pytest.mark.parametrize(
    ("start", "happening", "steps", "end"),
    [
        ((1, 1), "paid", 1, (2, 1)),
        ((1, 1), "kept", 1, (0, 1)),
        ((1, 1), "sold", 1, (1, 2)),
        ((1, 1), "sold_out", 1, (1, 0)),
        ((1, 0), "sold", 2, (1, 2)),
        ((1, 0), "sold", 5, (1, 2)),
        ((3, 1), "sold", 1, (3, 1)),
        ((3, 1), "paid", 1, (3, 0)),
        ((2, 2), "paid", 1, (2, 1)),
        ((0, 1), "kept", 1, (0, 2)),
        ((0, 2), "kept", 1, (0, 2)),
        ((3, 0), "paid", 1, (3, 0)),
    ],
    ids=str,
)
def test_a_happening_moves_a_marker_its_way_and_at_the_edge_the_way_beyond(
    start: tuple[int, ...], happening: str, steps: int, end: tuple[int, ...]
) -> None:
    company, position = marker("AB", cell(*start)), state(clock=7)
    told: list[Event] = []
    GRID.move_marker(position, company, happening, steps, told.append)
    assert company.cell == cell(*end)
    prices = GRID.prices[cell(*start)], GRID.prices[cell(*end)]
    moved = start != end
    assert [event for event in told if isinstance(event, PriceMoved)] == [PriceMoved("AB", *prices)] * moved
    assert company.stamp == (8 if moved else 0), "a marker that stays keeps its place in the stack"


def test_the_first_marker_on_the_highest_space_is_noted_once() -> None:
    position, told = state(), list[Event]()
    for code in ("AB", "CD"):
        GRID.move_marker(position, marker(code, cell(2, 0)), "paid", 1, told.append)
    assert [event for event in told if isinstance(event, TopReached)] == [TopReached("AB")]
    assert position.topped


def test_a_company_starts_at_the_first_space_of_its_par() -> None:
    position, company = state(), marker("AB")
    assert GRID.par_prices == [50, 60]
    for price, place in ((60, cell(0, 0)), (50, cell(0, 1))):
        GRID.place_marker(position, company, price)
        assert company.cell == place


def test_the_highest_price_operates_first_then_the_farthest_right_then_the_upper_then_the_earlier() -> None:
    high, right, upper = marker("HI", cell(3, 0), 9), marker("RI", cell(2, 2), 8), marker("UP", cell(1, 1), 7)
    early, late, none = marker("EA", cell(0, 0), 1), marker("LA", cell(0, 0), 2), marker("NO")
    order = sorted((none, late, early, upper, right, high), key=GRID.rank_company)
    assert [each.code for each in order if each.cell is not None] == ["HI", "RI", "UP", "EA", "LA"]
