"""Share prices: where a marker lies and how it moves (4.8, 4.10, 6.28-6.30)."""

from engine.finance import ending
from engine.finance.events import Held
from engine.title import Tell
from engine.titles.g1860.catalogue import MARKET
from engine.titles.g1860.state import Company, State


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
    if not s.nationalised:
        ending.watch_bank(s, tell)
