"""Markers on a market that is a grid; its rows and moves are data."""

import msgspec
import pytest

from engine.finance.events import PriceMoved, TopReached
from engine.finance.market import Grid
from engine.record import Event
from tests.engine.finance.test_chain import Marker, Position

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
    marker, position = Marker("AB", cell(*start)), Position(clock=7)
    told: list[Event] = []
    GRID.move(position, marker, happening, steps, told.append)
    assert marker.cell == cell(*end)
    prices = GRID.price(cell(*start)), GRID.price(cell(*end))
    moved = start != end
    assert [event for event in told if isinstance(event, PriceMoved)] == [PriceMoved("AB", *prices)] * moved
    assert marker.stamp == (8 if moved else 0), "a marker that stays keeps its place in the stack"


def test_the_first_marker_on_the_highest_space_is_noted_once() -> None:
    position, told = Position(), list[Event]()
    for code in ("AB", "CD"):
        GRID.move(position, Marker(code, cell(2, 0)), "paid", 1, told.append)
    assert [event for event in told if isinstance(event, TopReached)] == [TopReached("AB")]
    assert position.topped


def test_a_company_starts_at_the_first_space_of_its_par() -> None:
    position, marker = Position(), Marker("AB")
    assert GRID.par_prices == [50, 60]
    for price, place in ((60, cell(0, 0)), (50, cell(0, 1))):
        GRID.place(position, marker, price)
        assert marker.cell == place


def test_the_highest_price_operates_first_then_the_farthest_right_then_the_upper_then_the_earlier() -> None:
    high, right, upper = Marker("HI", cell(3, 0), 9), Marker("RI", cell(2, 2), 8), Marker("UP", cell(1, 1), 7)
    early, late, none = Marker("EA", cell(0, 0), 1), Marker("LA", cell(0, 0), 2), Marker("NO")
    order = sorted((none, late, early, upper, right, high), key=GRID.rank)
    assert [marker.code for marker in order if marker.cell is not None] == ["HI", "RI", "UP", "EA", "LA"]
