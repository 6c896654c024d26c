"""Dividends: what they bring to whom, and where they move a price."""

import pytest

from engine.finance import trading
from engine.finance.events import DividendPaid, PriceMoved, PriceStayed
from engine.finance.state import ShareCompany
from engine.printed import Units
from engine.record import Event
from tests.engine.finance.records import state

PRICES = (0, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150)
POUNDS, DOLLARS = Units("£", 10), Units("$", 20)


class Paying(ShareCompany):
    """A company at 60, of which the first seat has four shares and the third one."""

    prices = PRICES


def company(shares: tuple[int, ...] = (4, 0, 1), director: int = 0) -> Paying:
    """Return the company."""
    return Paying("AB", [*shares], director=director, par=40, cell=5, stamp=1)


@pytest.mark.parametrize(
    ("paid", "steps"), [(0, -2), (59, 0), (60, 2), (119, 2), (179, 4), (180, 6), (240, 8), (900, 8)]
)
def test_a_dividend_moves_two_spaces_for_each_multiple_of_the_price_to_four_multiples(paid: int, steps: int) -> None:
    """Two down where nothing is paid; less than the price moves nothing, and is told."""
    of, told, after = company(), list[Event](), PRICES[5 + steps]
    assert trading.find_price_after_dividend(of, paid) == after
    assert trading.move_for_dividend(state(), of, paid, told.append) is (steps != 0)
    assert (of.cell, told) == (5 + steps, [PriceMoved("AB", 60, after) if steps else PriceStayed("AB", 60, paid)])


def test_each_share_gets_its_part_rounded_down() -> None:
    assert [trading.compute_dividends(units, company(), 198) for units in (POUNDS, DOLLARS)] == [
        (76, 0, 19),
        (156, 0, 39),
    ]


def test_the_choice_to_pay_lists_each_payment_the_reading_directors_first() -> None:
    assert trading.describe_keeping(POUNDS, company(), "80cc") == "Keep 80cc · price £60→£40"
    seen = [trading.describe_paying(POUNDS, company(director=seat), 160) for seat in (0, 2, 1, -1)]
    assert [label.rpartition(" · ")[2] for label in seen] == [
        "you £64, {2} £16", "you £16, {0} £64", "{0} £64, {2} £16", "{0} £64, {2} £16",
    ]  # fmt: skip
    for paid, said in ((59, " because £59 is less"), (60, "")):
        assert f"{said} · you" in trading.describe_paying(POUNDS, company(), paid)
        assert ("is less" in trading.describe_paying(POUNDS, company(), paid)) is bool(said)
    assert DividendPaid("AB", 60, (6,)) == DividendPaid("AB", 60, (6,), treasury=0, added=0)
    assert trading.describe_paying(DOLLARS, company(shares=(0, 0)), 50, ", $10 of it saved") == (
        "Pay $10 a share, $10 of it saved · price stays $60 because $50 is less · no one holds shares"
    )
