"""The bank of 1862: every pound that leaves it goes this way, so that nobody overlooks that it has run out (10.2)."""

from engine.title import Tell
from engine.titles.g1862 import market
from engine.titles.g1862.state import Company, State


def pay(s: State, to: Company | int, amount: int, tell: Tell, *, watched: bool = True) -> None:
    """Pay a company, or the player of a seat, and note whether the bank could (22.1) unless that is for later."""
    if isinstance(to, Company):
        to.cash += amount
    else:
        s.cash[to] += amount
    if watched:
        market.watch_bank(s, tell)
