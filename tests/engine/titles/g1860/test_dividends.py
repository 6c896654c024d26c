"""Dividends and the Share Price."""

from typing import Literal

import pytest

from engine.finance.events import DividendPaid, PriceMoved, RevenueKept, TopReached
from engine.finance.rounds import Pass
from engine.titles.g1860.actions import Dividend
from engine.titles.g1860.events import WentBankrupt
from tests.engine.titles.g1860.positions import begin_operating, catch_refusal, of_kind, operating, play, table


def after(price: int, revenue: int, kind: Literal["pay", "keep"] = "pay") -> int:
    """Return IOW's price after paying or keeping this revenue."""
    s = operating(f"cash 0 0\nIOW 5* 2 | at {price} | 0cc | 2+1", "IOW", "dividend", revenue=revenue)
    play(s, Dividend(kind))
    return s.companies["IOW"].price


def test_all_or_nothing_to_players_only() -> None:
    """Dividend: a tenth of the revenue for each share that players hold; IPO and pool shares earn nothing."""
    s = operating("cash 0 0\nIOW 5* 2 | pool 1 | at 90 | 0cc | 2+1", "IOW", "dividend", revenue=110)
    told = play(s, Dividend("pay"))
    assert s.cash == [55, 22]
    assert s.companies["IOW"].cash == 0
    assert of_kind(told, DividendPaid) == [DividendPaid("IOW", 110, (55, 22))]
    s = operating("cash 0 0\nIOW 5* 2 | pool 1 | at 90 | 0cc | 2+1", "IOW", "dividend", revenue=110)
    told = play(s, Dividend("keep"))
    assert (s.cash, s.companies["IOW"].cash) == ([0, 0], 110)
    assert of_kind(told, RevenueKept)


@pytest.mark.parametrize(
    ("price", "revenue", "moved"),
    [
        (90, 80, 90), (90, 90, 100), (90, 170, 100), (90, 180, 110), (90, 270, 122), (90, 360, 134), (90, 900, 134),
        (78, 80, 86), (40, 160, 60), (100, 10, 100),
    ],
)  # fmt: skip
def test_a_dividend_moves_the_price(price: int, revenue: int, moved: int) -> None:
    """Dividend and price: below the price it stays; two spaces up for each multiple reached, four multiples at most."""
    assert after(price, revenue) == moved


@pytest.mark.parametrize(("price", "moved"), [(90, 82), (86, 78), (40, 31), (340, 320)])
def test_keeping_costs_two_spaces(price: int, moved: int) -> None:
    """Dividend and price: kept, two steps down on the same tier, whatever the revenue."""
    assert after(price, 500, "keep") == moved


def test_half_a_dividend_is_no_choice() -> None:
    """Dividend: pay all or keep all; the step cannot be passed."""
    s = operating("cash 0 0\nIOW 5* 2 | at 90 | 2+1", "IOW", "dividend", revenue=50)
    assert catch_refusal(s, Pass()).sentence


@pytest.mark.parametrize(("profile", "order"), [("rulebook", ["FYN", "IOW"]), ("18xx.games", ["IOW", "FYN"])])
def test_a_dividend_below_the_price_puts_the_marker_under(profile: str, order: list[str]) -> None:
    """A marker that stays: the marker that stays goes under the others of its space; on 18xx.games it does not move."""
    text = "cash 0 0\nIOW 5* 2 | at 90 | 2+1\nFYN 5* | at 90 | 2+1"
    s = operating(text, "IOW", "dividend", revenue=50, options={"profile": profile})
    told = play(s, Dividend("pay"))
    assert not of_kind(told, PriceMoved)
    assert sorted(("IOW", "FYN"), key=lambda code: s.companies[code].stamp) == order


@pytest.mark.parametrize("price", [7, 14])
def test_7_and_14_fall_to_0(price: int) -> None:
    """Ends of the market; Bankrupt Companies.

    A company at 7 or 14 that keeps goes bankrupt; the rest of its turn is dropped (The round after a bankruptcy).
    """
    s = operating(f"cash 0 0\nIOW 5* 2 | at {price} | 900cc | 2+1", "IOW", "dividend", revenue=50)
    told = play(s, Dividend("keep"))
    assert of_kind(told, WentBankrupt)
    assert s.companies["IOW"].price == 0
    assert s.companies["IOW"].cash == 950, "what it earned stays on the charter"


@pytest.mark.parametrize(("price", "revenue"), [(330, 330), (320, 330), (300, 1500)])
def test_the_top_is_340(price: int, revenue: int) -> None:
    """Ends of the market: 330 rises to 340, and no price beyond."""
    assert after(price, revenue) == 340


def test_no_train_no_revenue() -> None:
    """No run: without a train or a route the price falls."""
    s = table("cash 90 0\nS&C 5* | at 54 | 0cc\nVYSC 5* | at 52 | 0cc | 2+1", tiles="F12 6/2, E9 746/0")
    told = begin_operating(s)
    while s.name.startswith("OR"):
        told += play(s, Pass())
    assert [(event.company, event.after) for event in of_kind(told, PriceMoved)] == [("S&C", 50), ("VYSC", 47)]
    assert not s.companies["S&C"].insolvent, "no valid run, never insolvent"


def test_reaching_the_top_is_reported_once() -> None:
    """Ends of the market: the first company that reaches 340 ends the game (When the game ends)."""
    s = operating("cash 0 0\nIOW 5* 2 | at 330 | 2+1\nFYN 5* | at 330 | 2+1", "IOW", "dividend", revenue=350)
    assert of_kind(play(s, Dividend("pay")), TopReached) == [TopReached("IOW")]
