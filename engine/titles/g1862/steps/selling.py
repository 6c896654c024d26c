"""Selling shares to the pool: in a turn, or to pay a fine (4.1, 5.4, 6, 7.2)."""

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from engine.errors import RuleError
from engine.finance.selling import fall, give_up
from engine.finance.stock_turn import note_sale
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import bank, directors, market
from engine.titles.g1862.actions import Sell
from engine.titles.g1862.catalogue import MARKET
from engine.titles.g1862.rounds.records import SaleTerms
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import Company, State
from engine.titles.g1862.steps import dealing


class Plan(Record, frozen=True):
    """Shares to be sold, and on which terms."""

    seat: int
    company: str
    count: int
    terms: SaleTerms


def free_shares(s: State, company: Company, seat: int) -> int:
    """Return how many shares a player may sell: not those bought in this stock round, or only to pay a fine (5.4)."""
    if s.stock.fines and not s.rules.fines_spare_new_shares:
        return company.shares[seat]
    return company.shares[seat] - s.stock.got[seat].get(company.code, 0)


def forced(s: State, seat: int) -> bool:
    """Return whether a player must sell and go on selling: to pay a fine, or to come down to the limit (4.1, 5.2).

    They can then sell more of a company they have just sold; see ``terms``.
    """
    must = bool(s.stock.fines) or (dealing.over(s, seat) and s.rules.excess_sold_in_parts)
    return must and s.rules.forced_sales_go_on


def options(s: State, seat: int) -> Iterator[Sell]:
    """Yield every block that may be sold."""
    done: Collection[str] = () if forced(s, seat) else s.stock.just_sold
    for company in s.companies.values():
        if company.code in done or not company.shares[seat]:
            continue
        for count in range(1, free_shares(s, company, seat) + 1):
            if company.director != seat or directors.may_leave(s, company, seat, count):
                yield Sell(company.code, count)


def check(s: State, seat: int, action: Sell) -> Plan:
    """Check the sale of a block."""
    company = dealing.company(s, action.company)
    code, held = company.code, company.shares[seat]
    if not 1 <= action.count <= held:
        raise RuleError(f"You hold {held * 10} % of {code}, so you cannot sell {action.count * 10} %.", rule("5.4"))
    if code in s.stock.just_sold and not forced(s, seat):
        raise RuleError(f"You have sold {code} in this turn; all shares of a company go in one block.", rule("5.4"))
    if action.count > free_shares(s, company, seat):
        got = s.stock.got[seat][code]
        raise RuleError(
            f"You bought {got * 10} % of {code} in this stock round and must keep that much until its end.",
            rule("5.4"),
        )
    if company.director == seat and not directors.may_leave(s, company, seat, action.count):
        raise RuleError(
            f"Nobody can take the director's certificate of {code}, and there are not enough ordinary certificates "
            f"in the pool for the {(held - action.count) * 10} % you would keep.",
            rule("7.2"),
        )
    if not action.recorded:
        return Plan(seat, code, action.count, terms(s, company, seat))
    if not s.rules.stated_prices_count or action.recorded != company.price:
        raise RuleError("Only a game brought from elsewhere states a price, and only the market's.", rule("5.4"))
    return Plan(seat, code, action.count, replace(terms(s, company, seat), each=action.recorded))


def terms(s: State, company: Company, seat: int) -> SaleTerms:
    """Return the terms on which a player sells now: one who sold of the company in this turn goes on with that block.

    In a green zone the first shares of a block are free, unless the director sells (6.2, 6.3).
    """
    begun = s.stock.just_sold.get(company.code)
    if begun is not None and s.rules.forced_sales_in_one_block:
        return begun
    return SaleTerms(company.effective, 0 if company.director == seat else MARKET.free(company.price))


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Sell the shares."""
    company, each, free = s.companies[plan.company], plan.terms.each, plan.terms.free
    s.stock.above = s.stock.above and dealing.above(s, plan.seat)
    director = company.director == plan.seat
    give_up(company, plan.seat, plan.count, each, tell)
    bank.pay(s, plan.seat, plan.count * each, tell)
    steps = market.sale_steps(s, company, plan.count, free)
    if director:
        directors.leave(company, plan.seat, tell)
    else:
        directors.settle(company, tell)
    r = s.stock
    r.just_sold[plan.company] = SaleTerms(each, max(0, free - plan.count))
    if not r.fines:
        note_sale(r, plan.seat, plan.company)
    fall(s, company, MARKET.prices, (steps, market.why_held(s, company)), tell)
