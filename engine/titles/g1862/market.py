"""Share prices: where a marker lies and how it moves (6)."""

from engine.finance import ending
from engine.finance.events import Held
from engine.title import Tell
from engine.titles.g1862.catalogue import MARKET
from engine.titles.g1862.state import Company, State


def sale_steps(s: State, company: Company, count: int, free: int = 0) -> int:
    """Return how many spaces a sale to the pool moves the price down, if so many shares are free (6.1-6.4).

    None before flotation and after the LNER.
    """
    if not company.floated or company.cell is None or s.lner:
        return 0
    return max(0, count - free)


def why_held(s: State, company: Company) -> Held:
    """Return why a sale moves no price."""
    if s.lner:
        return "late"
    if not company.floated:
        return "fresh"
    return "two" if MARKET.free(company.price) > 1 else "zone"


def at_most(price: int, *, halves: int = 0) -> int:
    """Return the highest space not above a price and so many halves of a pound (13.5)."""
    return max(space for space in MARKET.prices if 2 * space <= 2 * price + halves)


def watch_bank(s: State, tell: Tell) -> None:
    """Note that the bank could not pay in full (22.1); after the LNER it is endless (22.2)."""
    if not s.lner:
        ending.watch_bank(s, tell)
