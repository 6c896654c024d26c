"""Currency and percent of a share are values of a title."""

from engine.finance.events import PriceMoved, ShareBought, SharesSold, words
from engine.finance.show import worth_chart
from engine.finance.units import Units

DOLLARS = Units("$", 20)
NAMES = ("Ann", "Bob")


def test_facts_are_told_in_the_currency_and_shares_of_the_title() -> None:
    """A company of five shares has shares of 20 %."""
    told = words(DOLLARS)
    assert told[ShareBought](ShareBought(1, "AB", "ipo", 60), NAMES) == "Bob buys 20 % AB from the IPO for $60."
    assert told[SharesSold](SharesSold(0, "AB", 2, 70), NAMES) == "Ann sells 40 % AB for $140 ($70 a share)."
    assert told[PriceMoved](PriceMoved("AB", 60, 70), NAMES) == "AB rises from $60 to $70."


def test_worth_is_drawn_in_the_currency_of_the_title() -> None:
    chart = worth_chart(["OR 1"], [(300, 280)], NAMES, DOLLARS)
    assert chart.unit == "$"
    assert chart.alt == "Worth: Ann $300, Bob $280."
