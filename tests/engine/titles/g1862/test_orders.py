"""What standing orders mean in 1862: where the game stands for them, and how a bid goes on."""

import pytest

from engine.orders import Moment
from engine.titles.g1862.actions import Bid
from engine.titles.g1862.advice import ORDERS
from engine.titles.g1862.state import Offer, State
from tests.engine.titles.g1862.positions import operating, parliament, play, stock, table

LINE = "N&E 90 5*,2,0,0 trains=2F at=B13"


def auction(cash: int = 500) -> State:
    """Seat 1 leads with £10, seat 2 has passed, seat 3 cannot bid."""
    s = parliament(table(cash=[cash, 500, 500, 170]))
    play(s, Bid("N&E", 5), Bid("N&E", 10))
    s.parliament.out = [2]
    return s


def make_offer() -> State:
    s = operating(table(LINE), "N&E", "train")
    s.operating.offer = Offer("train", "N&E", "WStI", 1, 0, train="2F")
    return s


def waiting(what: str) -> State:
    s = stock(table(LINE))
    s.stock.choosing = what
    return s


def over() -> State:
    s = stock(table(LINE))
    s.over = "bank"
    return s


@pytest.mark.parametrize(
    ("s", "step", "company"),
    [
        (parliament(table()), "", ""),
        (auction(), "bid", "N&E"),
        (stock(table(LINE)), "stock", ""),
        (waiting("N&E"), "", ""),
        (operating(table(LINE), "N&E", "track"), "track", "N&E"),
        (make_offer(), "", ""),
        (over(), "", ""),
    ],
)
def test_where_the_game_stands(s: State, step: str, company: str) -> None:
    """A step that only people decide has no name for orders."""
    assert ORDERS.moment(s) == Moment(s.name, step, company)


@pytest.mark.parametrize(("lot", "most", "bid"), [("N&E", 15, Bid("N&E", 15)), ("N&E", 14, None), ("WStI", 99, None)])
def test_4_1_a_bid_rises_by_five_pounds_and_never_above_its_limit(lot: str, most: int, bid: Bid | None) -> None:
    """£162 must be left for the charter."""
    assert ORDERS.raised(auction(), 0, lot, most) == bid
    assert ORDERS.raised(auction(cash=177), 0, lot, most) == bid
    assert ORDERS.raised(auction(cash=176), 0, lot, most) is None
    assert ORDERS.bidders(auction()) == (0,)


def test_subjects_of_standing_orders() -> None:
    s = stock(table(LINE))
    s.companies["WStI"].gone = True
    codes = [code for code, _ in ORDERS.companies(s)]
    assert "N&E" in codes
    assert "WStI" not in codes
    assert ORDERS.revenue(s) == 0
    earned = operating(s, "N&E", "dividend")
    earned.operating.revenue = 70
    assert ORDERS.revenue(earned) == 70
