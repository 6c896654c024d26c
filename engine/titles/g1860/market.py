"""Share prices: where a marker lies and how it moves (4.8, 4.10, 6.28-6.30)."""

from engine.finance import chain
from engine.finance.events import BankBroke, Held
from engine.title import Tell
from engine.titles.g1860.catalogue import MARKET
from engine.titles.g1860.state import Company, State


def place(s: State, company: Company, price: int) -> None:
    """Put a marker on the space of a price, under those already there."""
    chain.place(s, company, MARKET.prices, price)


def move(s: State, company: Company, steps: int, tell: Tell) -> None:
    """Move a marker along the chain of spaces, clamped at both ends (6.30)."""
    chain.move(s, company, MARKET.prices, steps, tell)


def sale_steps(s: State, company: Company, count: int) -> int:
    """Return how many spaces a sale moves the price down (4.8, 4.9).

    Only of a company that has operated, and not once the first 8+4 is sold;
    in a red-letter zone, judged before the sale, the first share is free.
    """
    if s.unlimited or company.cell is None or not company.operated:
        return 0
    return count - 1 if MARKET.red(company.price) else count


def why_held(s: State, company: Company) -> Held:
    """Return why a sale moves no price."""
    if s.unlimited:
        return "late"
    return "zone" if company.operated else "fresh"


def sale_price(s: State, company: Company) -> int:
    """Return what the bank pays for a share: half without a train, rounded down (4.6).

    With variant 12.7 shares of a company that never operated sell in full.
    """
    if company.trains or (s.rules.full_price and not company.operated):
        return company.price
    return company.price // 2


def watch_bank(s: State, tell: Tell) -> None:
    """Note that the bank has run out (10.2); once nationalised it is endless (9.4)."""
    if s.bank < 0 and not s.broken and not s.nationalised:
        s.broken = True
        tell(BankBroke())


def price_at(cell: int) -> int:
    """Return the price of a space, clamped to the market."""
    return chain.price_at(MARKET.prices, cell)
