"""Starting a company: with the charter won in Parliament, or without one in a stock round (3.4, 5.5)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import certificate, chain
from engine.finance.events import CompanyStarted
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import homes
from engine.titles.g1862.actions import Start
from engine.titles.g1862.catalogue import MARKET
from engine.titles.g1862.rounds.records import Parliament
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, State
from engine.titles.g1862.steps import dealing

EXTRA = 2
"""Shares that may be bought at once with a charter (3.4)."""


class Plan(Record, frozen=True):
    """A company that may be started at a price."""

    seat: int
    company: str
    price: int


def options(s: State, seat: int) -> Iterator[Start]:
    """Yield every company and price that can be paid for."""
    r = s.round
    if isinstance(r, Parliament):
        yield from (Start(r.lot, par) for par in MARKET.pars if DIRECTOR_SHARES * par <= s.cash[seat])
        return
    if not may_start(s, seat):
        return
    for code in s.offer:
        if homes.startable(s, s.companies[code]) and not dealing.sold(s, seat, code):
            yield from (Start(code, price) for price in MARKET.starts if DIRECTOR_SHARES * price <= s.cash[seat])


def may_start(s: State, seat: int) -> bool:
    """Tell whether a player may start a company in this stock round at all (5.5, 22.2, 23.3)."""
    return not (
        s.rules.new_players or s.lner or dealing.full(s, seat) or s.cash[seat] < DIRECTOR_SHARES * MARKET.starts[0]
    )


def check(s: State, seat: int, action: Start) -> Plan:
    """Check the start of a company."""
    company = dealing.company(s, action.company)
    if isinstance(s.round, Parliament):
        if company.code != s.round.lot:
            raise RuleError(f"You won the charter of {s.round.lot}; start that.", rule("3.4"))
        allowed, what, section = MARKET.pars, "A chartered company starts at", "3.4"
    else:
        _check_company(s, seat, company)
        allowed, what, section = MARKET.starts, "A company without a charter starts at", "5.5"
    if action.price not in allowed:
        raise RuleError(f"{what} {', '.join(map(str, allowed))}, not at {action.price}.", rule(section))
    dealing.check_cash(s, seat, DIRECTOR_SHARES * action.price, f"The director's certificate of {company.code}")
    return Plan(seat, company.code, action.price)


def _check_company(s: State, seat: int, company: Company) -> None:
    """Refuse a start in a stock round of this player or of this company."""
    if s.rules.new_players:
        raise RuleError("In the game for new players companies start in Parliament only.", rule("23.3"))
    if s.lner:
        raise RuleError("After the LNER no company is started.", rule("22.2"))
    dealing.check_room(s, seat)
    if company.started:
        raise RuleError(f"{company.code} has been started already.", rule("2.1"))
    if not s.begun(company.group):
        raise RuleError(f"{company.code} cannot be started before phase {company.group}.", rule("2.1"))
    dealing.check_not_sold(s, seat, company.code)
    homes.check_startable(s, company)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Start the company: pay the bank with a charter, else the company itself."""
    company = s.companies[plan.company]
    cost = DIRECTOR_SHARES * plan.price
    s.cash[plan.seat] -= cost
    company.former = plan.seat
    certificate.sell_first(company, plan.seat, DIRECTOR_SHARES)
    tell(CompanyStarted(plan.seat, plan.company, plan.price, cost))
    r = s.round
    if isinstance(r, Parliament):
        company.chartered, company.par = True, plan.price
        r.extra = EXTRA
        if not s.rules.chartered_marker_waits:
            chain.place(s, company, MARKET.prices, plan.price)
        return
    company.chartered, company.par = False, MARKET.par(plan.price)
    company.cash += cost
    company.treasury, company.ipo = company.ipo, 0
    chain.place(s, company, MARKET.prices, plan.price)
    dealing.bought(s, plan.seat, plan.company, DIRECTOR_SHARES)
