"""What a dividend brings to whom, and where it moves a price on a market that is one chain of spaces."""

from collections.abc import Sequence
from typing import Protocol

from engine.finance import market
from engine.finance.events import DividendPaid, PriceStayed
from engine.printed import Units
from engine.title import Tell

KEPT_STEPS = -2
"""Spaces that a price moves where nothing is paid."""


class Payer(market.Marked, Protocol):
    """A company that pays: its marker, its par, its shares by seat, and who directs it, -1 for nobody."""

    @property
    def par(self) -> int | None: ...  # noqa: D102
    @property
    def shares(self) -> Sequence[int]: ...  # noqa: D102
    @property
    def director(self) -> int: ...  # noqa: D102


def a_share(units: Units, paid: int) -> int:
    """Return what each share gets of what is paid out."""
    return paid * units.share // 100


def by_seat(units: Units, company: Payer, paid: int) -> tuple[int, ...]:
    """Return what each seat gets of what a company pays out."""
    return tuple(a_share(units, paid) * held for held in company.shares)


class Purses(Protocol):
    """A state that knows the money of each seat."""

    cash: list[int]


def pay_out(s: Purses, units: Units, company: Payer, revenue: int, tell: Tell) -> None:
    """Pay a revenue to the players; IPO and pool get nothing."""
    paid = by_seat(units, company, revenue)
    for seat, amount in enumerate(paid):
        s.cash[seat] += amount
    tell(DividendPaid(company.code, revenue, paid))


def price_after(prices: Sequence[int], company: market.Started, paid: int) -> int:
    """Return the price after a turn in which so much is paid out; 0 is nothing."""
    return market.price_after(prices, company, _steps(market.price(prices, company), paid))


def _steps(price: int, paid: int) -> int:
    """Return the spaces: two up for each multiple of the price, at most four multiples; two down for nothing."""
    return 2 * min(4, paid // price) if paid else KEPT_STEPS


def move_price(s: market.MarketState, company: Payer, prices: Sequence[int], paid: int, tell: Tell) -> bool:
    """Move the price after a turn in which so much was paid out; tell whether that was enough to move it, or nothing.

    Less than the price moves nothing: the marker lies as it did.
    """
    price = market.price(prices, company)
    steps = _steps(price, paid)
    if steps:
        market.move(s, company, prices, steps, tell)
    else:
        tell(PriceStayed(company.code, price, paid))
    return steps != 0


def keep_label(units: Units, company: Payer, prices: Sequence[int], kept: str) -> str:
    """Return the choice to keep revenue: "Keep 80cc · price £54→£50"; ``kept`` is the money."""
    return f"Keep {kept} · price {units.move(market.price(prices, company), price_after(prices, company, 0))}"


def pay_label(units: Units, company: Payer, prices: Sequence[int], paid: int, beside: str = "") -> str:
    """Return the choice to pay out: "Pay £16 a share · price £54→£58 · you £128, {2} £32".

    Args:
        units: of the title.
        company: that pays.
        prices: of the market.
        paid: all that is paid out.
        beside: what else is to be said of the money.
    """
    price = market.price(prices, company)
    less = f", {units.money(paid)} is less" if paid < price else ""
    move = f"price {units.move(price, price_after(prices, company, paid))}{less}"
    who = _told(units, by_seat(units, company, paid), company.director)
    return f"Pay {units.money(a_share(units, paid))} a share{beside} · {move} · {who}"


def _told(units: Units, amounts: Sequence[int], director: int) -> str:
    """Return what a dividend brings to whom, the director first as the one who reads it."""
    first = [f"you {units.money(amounts[director])}"] if 0 <= director < len(amounts) and amounts[director] else []
    rest = [f"{{{seat}}} {units.money(each)}" for seat, each in enumerate(amounts) if each and seat != director]
    return ", ".join([*first, *rest]) or "nobody holds shares"
