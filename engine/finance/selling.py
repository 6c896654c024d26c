"""Selling shares to the pool: what changes hands, and where the price goes."""

from collections.abc import Sequence
from typing import Protocol

from engine.finance import chain
from engine.finance.events import Held, PriceHeld, SharesSold
from engine.title import Tell


class Pooled(Protocol):
    """A company whose shares lie in the pool, and by seat at the players'."""

    code: str
    pool: int
    shares: list[int]


def give_up(company: Pooled, seat: int, count: int, each: int, tell: Tell) -> None:
    """Put a player's shares into the pool, for ``each`` apiece; who pays, a title says."""
    company.shares[seat] -= count
    company.pool += count
    tell(SharesSold(seat, company.code, count, each))


def fall(
    s: chain.MarketState, company: chain.Marked, prices: Sequence[int], block: tuple[int, Held], tell: Tell
) -> None:
    """Move the price after a sale.

    Args:
        s: the state, changed in place.
        company: of which shares were sold.
        prices: of the market.
        block: the spaces it moves down, and why it stays where those are none.
        tell: takes the facts.
    """
    steps, why = block
    if not steps and company.cell is not None:
        tell(PriceHeld(company.code, prices[company.cell], why))
    chain.move(s, company, prices, -steps, tell)
