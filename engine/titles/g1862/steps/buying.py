"""Buying one share, from the IPO, the pool or a company's treasury (3.4, 5.3)."""

from collections.abc import Iterator
from typing import Literal

from engine.errors import RuleError
from engine.finance.buying import check_lies, check_started, price, take
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import directors, flotation
from engine.titles.g1862.actions import BuyShare
from engine.titles.g1862.rounds.records import Parliament
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import Company, State
from engine.titles.g1862.steps import dealing

Source = Literal["ipo", "pool", "treasury"]
SOURCES: tuple[Source, ...] = ("ipo", "pool", "treasury")
MAX_ADDED_TO = 5
"""Shares of a company with which the winner of a charter adds no more (3.4)."""


class Plan(Record, frozen=True):
    """A share to be bought, with its price."""

    seat: int
    company: str
    source: Source
    price: int


def lying(company: Company, source: Source) -> int:
    """Return how many ordinary certificates lie in a place."""
    if source == "ipo":
        return company.ipo
    return company.ordinary_in_pool if source == "pool" else company.treasury


def options(s: State, seat: int) -> Iterator[BuyShare]:
    """Yield every share that may be bought."""
    r = s.round
    if dealing.full(s, seat):
        return
    if isinstance(r, Parliament):
        company = s.companies[r.lot]
        if r.extra and lying(company, "ipo") and price(company, "ipo") <= s.cash[seat]:
            yield BuyShare(company.code, "ipo")
        return
    for company in s.companies.values():
        if company.started and not dealing.sold(s, seat, company.code):
            for source in SOURCES:
                if lying(company, source) > 0 and price(company, source) <= s.cash[seat]:
                    yield BuyShare(company.code, source)


def _can_be_added(s: State, company: Company, source: Source) -> bool:
    """Return whether the winner of a charter may buy such a share (3.4)."""
    is_own = company.code == s.parliament.lot and source == "ipo"
    return is_own or not s.rules.parliament_adds_own_company


def check(s: State, seat: int, action: BuyShare) -> Plan:
    """Check the purchase of a share."""
    company = dealing.company(s, action.company)
    code, source = company.code, action.source
    if isinstance(s.round, Parliament) and not _can_be_added(s, company, source):
        raise RuleError(f"In Parliament you can only add shares of {s.round.lot} from the IPO.", rule("3.4"))
    dealing.check_room(s, seat)
    check_started(company, code, rule("5.3"))
    dealing.check_not_sold(s, seat, code)
    certificate = source == "pool" and company.pool > 0
    check_lies(code, source, rule("5.3"), left=lying(company, source), certificate=certificate)
    cost = price(company, source)  # never halved (5.3)
    dealing.check_cash(s, seat, cost, f"A share of {code}")
    return Plan(seat, code, source, cost)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Buy the share; the price of a treasury share goes to the company."""
    company = s.companies[plan.company]
    s.cash[plan.seat] -= plan.price
    if plan.source == "treasury":
        company.treasury -= 1
        company.cash += plan.price
    take(company, plan.seat, plan.source, plan.price, tell)
    dealing.bought(s, plan.seat, plan.company, 1)
    if isinstance(s.round, Parliament):
        _count_added(s, s.round, company)
    directors.settle(company, tell)
    flotation.settle(s, company, tell)


def _count_added(s: State, r: Parliament, company: Company) -> None:
    """Count down what may still be added; one of another company may end it."""
    if company.code == r.lot:
        r.extra -= 1
    elif company.shares[r.winner] >= MAX_ADDED_TO or s.cash[r.winner] < (company.par or 0):
        r.extra = 0
