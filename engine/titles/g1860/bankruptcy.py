"""Bankruptcy: the shares go back, the bases are flipped, the deal passes on (8.1-8.3)."""

from engine.finance.certificate import IPO
from engine.finance.events import PriorityGiven
from engine.finance.stock_turn import clockwise
from engine.title import Tell
from engine.titles.g1860.catalogue import PRIVATES
from engine.titles.g1860.events import WentBankrupt
from engine.titles.g1860.state import CLOSED, Company, State


def declare(s: State, company: Company, tell: Tell) -> None:
    """Carry out the bankruptcy of a company whose price is 0."""
    tell(WentBankrupt(company.code))
    company.shares = [0] * s.seats
    company.ipo, company.pool, company.director = 10, 0, IPO
    company.par = company.cell = None
    company.floated, company.bankrupt = False, True
    company.insolvent = company.insolvent and not s.rules.bankruptcy_ends_insolvency
    company.reserved = any(
        private.railway == company.code and s.privates[code] != CLOSED for code, private in PRIVATES.items()
    )
    if s.nationalised:
        company.closed = True
    s.priority = fewest_shares(s)
    tell(PriorityGiven(s.priority))


def fewest_shares(s: State) -> int:
    """Return who deals next: fewest shares, ties clockwise beginning with the priority holder (8.2)."""
    held = [sum(company.shares[seat] for company in s.companies.values()) for seat in range(s.seats)]
    order = clockwise(s.priority, s.seats)
    return min(order, key=lambda seat: held[seat])
