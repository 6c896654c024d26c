"""Share prices: where a marker lies and how it moves (6)."""

from engine.finance.events import BankBroke, PriceMoved, TopReached
from engine.title import Tell
from engine.titles.g1862.catalogue import MARKET
from engine.titles.g1862.state import Company, State

TOP = len(MARKET.prices) - 1
WITHHELD = -2


def place(s: State, company: Company, price: int) -> None:
    """Put a marker on the space of a price, under those already there."""
    company.cell = MARKET.prices.index(price)
    restack(s, company)


def restack(s: State, company: Company) -> None:
    """Put a marker under the others of its space (6.5)."""
    s.clock += 1
    company.stamp = s.clock


def move(s: State, company: Company, steps: int, tell: Tell) -> None:
    """Move a marker along the spaces, clamped at both ends (6.1)."""
    if company.cell is None:
        return
    before = company.cell
    company.cell = max(0, min(TOP, before + steps))
    if company.cell == before:
        return
    restack(s, company)
    tell(PriceMoved(company.code, MARKET.prices[before], MARKET.prices[company.cell]))
    watch_top(s, company, tell)


def watch_top(s: State, company: Company, tell: Tell) -> None:
    """Note that a price has reached the top (22.1)."""
    if company.cell == TOP and not s.topped:
        s.topped = True
        tell(TopReached(company.code))


def sale_steps(s: State, company: Company, count: int, *, director: bool) -> int:
    """Return how many spaces a sale to the pool moves the price down (6.1-6.4).

    None before flotation and after the LNER; in a green zone, judged before
    the sale, the first shares are free unless the director sells.
    """
    if not company.floated or company.cell is None or s.lner:
        return 0
    return count if director else max(0, count - MARKET.free(company.price))


def dividend_steps(price: int, revenue: int) -> int:
    """Return the spaces a dividend moves the price up: two for each multiple reached, at most four (16.2)."""
    return 2 * min(4, revenue // price)


def price_at(cell: int) -> int:
    """Return the price of a space, clamped to the market."""
    return MARKET.prices[max(0, min(TOP, cell))]


def at_most(price: int, *, halves: int = 0) -> int:
    """Return the highest space not above a price and so many halves of a pound (13.5)."""
    return max(space for space in MARKET.prices if 2 * space <= 2 * price + halves)


def watch_bank(s: State, tell: Tell) -> None:
    """Note that the bank could not pay in full (22.1); after the LNER it is endless (22.2)."""
    if s.bank < 0 and not s.broken and not s.lner:
        s.broken = True
        tell(BankBroke())
