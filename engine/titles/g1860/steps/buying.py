"""Buying one certificate, from the IPO or the pool (4.3-4.5, 3.6)."""

from collections.abc import Iterator
from typing import Literal

from engine.errors import RuleError
from engine.finance.buying import check_lies, check_started, price, take
from engine.finance.certificate import POOL
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860 import directors, flotation
from engine.titles.g1860.actions import BuyShare
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import Company, State
from engine.titles.g1860.steps import dealing


class Plan(Record, frozen=True):
    """A certificate to be bought, with its price."""

    seat: int
    company: str
    source: Literal["ipo", "pool"]
    price: int


def options(s: State, seat: int) -> Iterator[BuyShare]:
    """Yield every certificate that may be bought."""
    if dealing.full(s, seat):
        return
    for company in s.companies.values():
        if not company.started or dealing.sold(s, seat, company.code):
            continue
        if company.ipo > company.reserved and price(company, "ipo") <= s.cash[seat]:
            yield BuyShare(company.code, "ipo")
        swap = _may_swap(s, company, seat)
        if (company.singles_in_pool > 0 or swap) and company.price * (2 if swap else 1) <= s.cash[seat]:
            yield BuyShare(company.code, "pool")


def _may_swap(s: State, company: Company, seat: int) -> bool:
    """Return whether the director's certificate itself may be bought, the only one in the pool (differences 75)."""
    alone = company.director == POOL and company.singles_in_pool == 0
    return not s.rules.director_certificate_stays_in_pool and alone and company.shares[seat] == 1


def check(s: State, seat: int, action: BuyShare) -> Plan:
    """Check the purchase of a certificate."""
    company = dealing.company(s, action.company)
    code = company.code
    dealing.check_room(s, seat)
    check_started(company, code, rule("4.4"))
    dealing.check_not_sold(s, seat, code)
    if action.source == "ipo":
        if company.ipo == 0:
            raise RuleError(f"No share of {code} is left in the IPO.", rule("4.3"))
        if company.ipo <= company.reserved:
            raise RuleError(f"The last share of {code} is reserved for its private company.", rule("3.6"))
    elif _may_swap(s, company, seat):
        dealing.check_cash(s, seat, 2 * company.price, f"The director's certificate of {code}")
    else:
        alone = company.pool > 0
        check_lies(code, "pool", rule("7.8" if alone else "4.3"), left=company.singles_in_pool, certificate=alone)
    cost = price(company, action.source)
    dealing.check_cash(s, seat, cost, f"A share of {code}")
    return Plan(seat, code, action.source, cost)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Buy the certificate."""
    company = s.companies[plan.company]
    could = dealing.can_exchange(s, plan.seat, company)
    s.cash[plan.seat] -= plan.price
    take(company, plan.seat, plan.source, plan.price, tell)
    directors.settle(s, company, tell)
    flotation.settle(s, company, tell)
    opens = not could and dealing.can_exchange(s, plan.seat, company)
    dealing.bought(s, plan.seat, plan.company if opens else "")
