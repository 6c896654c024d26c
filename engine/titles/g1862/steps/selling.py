"""Selling shares to the pool: in a turn, or to pay a fine (4.1, 5.4, 6, 7.2)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance.selling import fall, give_up
from engine.finance.stock_turn import note_sale
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import bank, directors, market
from engine.titles.g1862.actions import Sell
from engine.titles.g1862.catalogue import MARKET
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import Company, State
from engine.titles.g1862.steps import dealing


class Plan(Record, frozen=True):
    """A block of shares to be sold, at the price of each."""

    seat: int
    company: str
    count: int
    each: int


def free_shares(s: State, company: Company, seat: int) -> int:
    """Return how many shares a player may sell: not those bought in this stock round (5.4).

    To pay a fine on 18xx.games he may sell those too (differences 56).
    """
    if s.stock.fines and s.rules.site:
        return company.shares[seat]
    return company.shares[seat] - s.stock.got[seat].get(company.code, 0)


def forced(s: State, seat: int) -> bool:
    """Tell whether a player must sell and go on selling: to pay a fine, or to come down to the limit (4.1, 5.2).

    He may then sell another block of a company he has just sold.
    """
    return bool(s.stock.fines) or (dealing.over(s, seat) and not s.rules.site)


def options(s: State, seat: int) -> Iterator[Sell]:
    """Yield every block that may be sold."""
    done = [] if forced(s, seat) else s.stock.just_sold
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
    return Plan(seat, code, action.count, _price(s, company, action))


def _price(s: State, company: Company, action: Sell) -> int:
    """Return the price of each; 18xx.games pays all where its log does not say that it is halved (differences 6)."""
    if not action.recorded:
        return company.effective
    if not s.rules.site or action.recorded != company.price:
        raise RuleError(
            "Only a game in the profile 18xx.games keeps a recorded price, and only the market's.", rule("5.4")
        )
    return action.recorded


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Sell the block."""
    company = s.companies[plan.company]
    director = company.director == plan.seat
    give_up(company, plan.seat, plan.count, plan.each, tell)
    bank.pay(s, plan.seat, plan.count * plan.each, tell)
    steps = market.sale_steps(s, company, plan.count, director=director)
    if director:
        directors.leave(company, plan.seat, tell)
    else:
        directors.settle(company, tell)
    r = s.stock
    r.just_sold.append(plan.company)
    if not r.fines:
        note_sale(r, plan.seat, plan.company)
    fall(s, company, MARKET.prices, (steps, market.why_held(s, company)), tell)
