"""What is printed of a title: its currency and shares."""

from engine.finance.events import PriceMoved, ShareBought, SharesSold, make_sentences
from engine.finance.holdings import chart_worth
from engine.finance.state import RoundEnd
from engine.printed import Units
from engine.title import Request
from tests.engine.finance.records import state

DOLLARS = Units("$", 20)
NAMES, REASONS = ("Ann", "Bob"), {"bank": "no money is left"}


def test_facts_are_reported_in_the_currency_and_shares_of_the_title() -> None:
    """A company of five shares has shares of 20%."""
    told = make_sentences(DOLLARS, REASONS)
    assert told[ShareBought](ShareBought(1, "AB", "ipo", 60), NAMES) == "Bob buys 20% AB from the IPO for $60."
    assert told[SharesSold](SharesSold(0, "AB", 2, 70), NAMES) == "Ann sells 40% AB for $140 ($70 a share)."
    assert told[SharesSold](SharesSold(0, "AB", 1, 70), NAMES) == "Ann sells 20% AB for $70."
    assert told[PriceMoved](PriceMoved("AB", 70, 60), NAMES) == "AB falls from $70 to $60."
    assert told[PriceMoved](PriceMoved("AB", 60, 70), NAMES) == "AB rises from $60 to $70."


def test_worth_is_drawn_in_the_currency_of_the_title() -> None:
    ended = state(marks=[RoundEnd("OR 1", (300, 280), ())])
    chart = chart_worth(ended, Request(names=NAMES), DOLLARS, (), (300, 280))
    assert [chart.unit, chart.now] == ["$", ()]
    assert chart.alt == "Worth: Ann $300, Bob $280."
    assert chart_worth(ended, Request(names=NAMES), DOLLARS, (), (310, 280)).now == (310, 280)


def test_where_a_price_goes() -> None:
    assert DOLLARS.move(54, 58) == "$54→$58"
    assert DOLLARS.move(54, 54) == "stays $54"
