"""Bankruptcy: the shares are paid for, the company can be started again (19)."""

from engine.title import Tell
from engine.titles.g1862 import bank, market
from engine.titles.g1862.events import WentBankrupt
from engine.titles.g1862.rounds.records import Operating
from engine.titles.g1862.setup import fresh_company
from engine.titles.g1862.state import Company, State


def declare(s: State, company: Company, tell: Tell) -> None:
    """Carry out the bankruptcy of a company; if it is its turn, the turn is over (19.2)."""
    paid = tuple(held * company.effective for held in company.shares)
    for seat, amount in enumerate(paid):
        bank.pay(s, seat, amount, tell, watched=s.rules.payments_are_watched)
    tell(WentBankrupt(company.code, paid))
    again = fresh_company(company.code, s.seats, company.group, company.permit)
    again.operated = company.operated
    again.gone = s.lner
    s.companies[company.code] = again
    if not s.rules.payments_are_watched:
        market.watch_bank(s, tell)
    r = s.round
    if isinstance(r, Operating):
        r.done = [*r.done, company.code]
        if r.step and r.code == company.code:
            r.step = "left"


def settle(s: State, tell: Tell) -> bool:
    """Declare every company bankrupt whose price is 0 (6.6); tell whether there was one."""
    for company in list(s.companies.values()):
        if company.cell == 0:
            declare(s, company, tell)
            return True
    return False
