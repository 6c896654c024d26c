"""Selling shares: one transaction a company, at one price (4.5-4.12, 4.14)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance.events import RoundBegun
from engine.finance.selling import fall, give_up
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860 import bankruptcy, directors, market
from engine.titles.g1860.actions import Sell
from engine.titles.g1860.catalogue import MARKET
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import Company, State
from engine.titles.g1860.steps import dealing


class Plan(Record, frozen=True):
    """Shares to be sold at ``each`` pounds, moving the price down ``steps`` spaces."""

    seat: int
    company: str
    count: int
    each: int
    steps: int


def options(s: State, seat: int) -> Iterator[Sell]:
    """Yield every sale that is allowed."""
    for company in s.companies.values():
        if dealing.turn_sold(s, company.code):
            continue
        for count in range(1, company.shares[seat] + 1):
            if _allowed(company, seat, count):
                yield Sell(company.code, count)


def _allowed(company: Company, seat: int, count: int) -> bool:
    """Tell whether the director's certificate permits the sale (4.12)."""
    return company.director != seat or directors.may_leave(company, seat, company.shares[seat] - count)


def check(s: State, seat: int, action: Sell) -> Plan:
    """Check a sale."""
    company = dealing.company(s, action.company)
    code, held = company.code, company.shares[seat]
    if action.count < 1:
        raise RuleError("Sell one share or more.", rule("4.1"))
    if action.count > held:
        raise RuleError(f"You hold {held * 10} % of {code}, not {action.count * 10} %.", rule("4.1"))
    if dealing.turn_sold(s, code):
        raise RuleError(f"You sold {code} in this turn already; all shares of a company are sold at once.", rule("4.7"))
    if not _allowed(company, seat, action.count):
        raise RuleError(
            f"You cannot keep one share of {code}: the pool has none to give back for the director's certificate.",
            rule("4.12"),
        )
    return Plan(seat, code, action.count, market.sale_price(s, company), market.sale_steps(s, company, action.count))


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Sell the shares; the price may fall, even to bankruptcy."""
    company = s.companies[plan.company]
    keep = company.shares[plan.seat] - plan.count
    was_director = company.director == plan.seat
    s.cash[plan.seat] += plan.count * plan.each
    give_up(company, plan.seat, plan.count, plan.each, tell)
    if was_director:
        directors.leave(company, plan.seat, keep, tell)
    dealing.sold_something(s, plan.seat, plan.company)
    s.stock.just_sold.append(plan.company)
    fall(s, company, MARKET.prices, (plan.steps, market.why_held(s, company)), tell)
    market.watch_bank(s, tell)
    if company.cell == 0 and not company.bankrupt:  # else it has not floated again (differences 83)
        bankruptcy.declare(s, company, tell)
        s.round = dealing.new_round(s)
        tell(RoundBegun(s.name))
