"""What standing orders mean in 1860, and what the game asks and cites where it waits."""

import pytest

from engine.orders import Moment
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import Bid
from engine.titles.g1860.advice import CHOICE, ORDERS
from engine.titles.g1860.state import Auction, Offer, State, Stock
from engine.titles.g1860.steps.bidding import find_lot_price
from tests.engine.titles.g1860.positions import operating, table

ISLE = "cash 500 500 500\nIOW 5* 2 | par 82 at 90 | 100cc | 2+1"


def auction(*, chooser: int = -1) -> State:
    """Seat 1 leads with £20, seat 2 has passed; two lots are left. Seat 0 can just raise."""
    s = table("cash 0 100 100")
    s.cash[0] = 25 + find_lot_price("C&N")
    s.round = Auction(["C&N", "IOW"], turn=0, high=20, leader=1, passed=[2], chooser=chooser)
    return s


def homes() -> State:
    s = table(ISLE)
    s.stock.homes = ["C&N"]
    return s


def make_sale() -> State:
    s = table(ISLE)
    s.stock.bought = True
    return s


def make_offer() -> State:
    s = operating(ISLE, "IOW", "train")
    s.operating.offer = Offer("IOW", "C&N", "2+1", 50, 1, 0)
    return s


def over() -> State:
    s = table(ISLE)
    s.over = "bank"
    return s


@pytest.mark.parametrize(
    ("s", "moment", "sections"),
    [
        (auction(), Moment("AR 1, 2 lots left", "bid", CHOICE), ("Bidding", "The highest bid allowed")),
        (auction(chooser=0), Moment("AR 1, 2 lots left", "", CHOICE), ("Choosing a lot",)),
        (table(ISLE), Moment("SR 2", "stock"), ("A stock turn", "Buying", "How sales move the price")),
        (make_sale(), Moment("SR 2", "stock", bought=True), ("A stock turn", "Buying", "How sales move the price")),
        (homes(), Moment("SR 2"), ("Home tile",)),
        (
            operating(ISLE, "IOW", "track"),
            Moment("OR 2.1", "track", "IOW"),
            ("Tiles in a turn", "Yellow track must connect", "An upgrade must be of use"),
        ),
        (operating(ISLE, "IOW", "run"), Moment("OR 2.1", "run", "IOW"), ("Trains must run", "A run")),
        (
            operating(f"{ISLE} | insolvent", "IOW", "run"),
            Moment("OR 2.1", "run", "IOW"),
            ("Trains must run", "A run", "Insolvent companies", "Leasing"),
        ),
        (make_offer(), Moment("OR 2.1", "", "IOW"), ("Buying trains", "The only train")),
        (over(), Moment("SR 2"), ()),
    ],
)
def test_where_the_game_stands_and_where_that_is_written(s: State, moment: Moment, sections: tuple[str, ...]) -> None:
    """A step that only people decide has no name for orders."""
    assert ORDERS.moment(s) == moment
    assert TITLE.words.ask(s).rules == sections


@pytest.mark.parametrize(
    ("seat", "lot", "most", "bid"),
    [(0, CHOICE, 25, Bid(25)), (0, CHOICE, 24, None), (0, CHOICE, 99, Bid(25)), (0, "IOW", 99, None)],
)
def test_a_bid_rises_by_five_pounds_and_never_above_its_limit(seat: int, lot: str, most: int, bid: Bid | None) -> None:
    s = auction()
    assert ORDERS.raised(s, seat, lot, most) == bid
    assert ORDERS.bidders(s) == (0,)
    s.cash[0] -= 1
    assert ORDERS.raised(s, seat, lot, most) is None, "money must be left for the cheapest lot"


def test_subjects_of_standing_orders() -> None:
    """The choice of a lot, companies that are not closed, and what the company has just earned."""
    assert [code for code, _ in ORDERS.companies(auction())] == [CHOICE]
    s = table(f"{ISLE}\nS&C | closed")
    codes = [code for code, _ in ORDERS.companies(s)]
    assert "IOW" in codes
    assert "S&C" not in codes
    assert ORDERS.revenue(s) == 0
    assert isinstance(s.round, Stock)
    assert ORDERS.revenue(operating(ISLE, "IOW", "dividend", revenue=70)) == 70
