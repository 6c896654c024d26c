"""Starting a company: its director's certificate and its par (4.4, 4.15, 8.4, 12.6)."""

from collections.abc import Iterator, Sequence

from engine.errors import RuleError
from engine.finance import certificate, chain
from engine.finance.certificate import IPO
from engine.finance.events import CompanyStarted
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860 import flotation
from engine.titles.g1860.actions import Start
from engine.titles.g1860.catalogue import MARKET, UNITS
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import Company, State
from engine.titles.g1860.steps import dealing
from engine.words import listed


class Plan(Record, frozen=True):
    """A company to be started."""

    seat: int
    company: str
    par: int


def pars(company: Company) -> Sequence[int]:
    """Return the pars a company may start at; any market price from 40 up once it was bankrupt (8.4)."""
    printed = company.charter.pars
    if not company.bankrupt:
        return printed
    return [price for price in MARKET.prices if MARKET.lowest_new_par <= price <= printed[-1]]


def barred(s: State, company: Company) -> str:
    """Return why a company cannot be started by anybody now, or nothing."""
    if company.director != IPO or company.par is not None:
        return f"{company.code} has been started already."
    if s.rules.any_order:
        return _barred_by_others(s, company)
    if company.charter.layer > s.layer:
        return f"{company.code} is of layer {company.charter.layer}; layer {s.layer} is open."
    return ""


def _barred_by_others(s: State, company: Company) -> str:
    """Return why variant 12.6 bars a start: others wait to operate, or have shares left in the IPO."""
    others = [other for other in s.companies.values() if other.started and other is not company]
    waiting = [other.code for other in others if not other.operated]
    on_sale = [other.code for other in others if other.ipo > other.reserved]
    if len(waiting) <= 1 or not on_sale:
        return ""
    return f"{' and '.join(waiting)} have yet to operate, and {', '.join(on_sale)} still have shares on sale."


def check_par(allowed: Sequence[int], code: str, par: int) -> int:
    """Return the par if it is allowed."""
    if par not in allowed:
        pars = listed([UNITS.money(each) for each in allowed], "or")
        raise RuleError(f"{code} may start at {pars}, not {UNITS.money(par)}.", rule("4.4"))
    return par


def options(s: State, seat: int) -> Iterator[Start]:
    """Yield every company that may be started, with each par that can be paid."""
    if dealing.full(s, seat):
        return
    for company in s.companies.values():
        if not dealing.sold(s, seat, company.code) and not barred(s, company):
            yield from (Start(company.code, par) for par in pars(company) if 2 * par <= s.cash[seat])


def check(s: State, seat: int, action: Start) -> Plan:
    """Check the start of a company."""
    company = dealing.company(s, action.company)
    dealing.check_room(s, seat)
    dealing.check_not_sold(s, seat, company.code)
    why = barred(s, company)
    if why:
        raise RuleError(why, rule("12.6" if s.rules.any_order else "4.15"))
    par = check_par(pars(company), company.code, action.par)
    dealing.check_cash(s, seat, 2 * par, f"The director's certificate of {company.code}")
    return Plan(seat, company.code, par)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Start the company."""
    company = s.companies[plan.company]
    s.cash[plan.seat] -= 2 * plan.par
    take(s, plan.seat, company, plan.par, tell)
    tell(CompanyStarted(plan.seat, plan.company, plan.par, 2 * plan.par))
    dealing.bought(s, plan.seat, plan.company if dealing.can_exchange(s, plan.seat, company) else "")


def take(s: State, seat: int, company: Company, par: int, tell: Tell) -> None:
    """Hand over the director's certificate and set the par (5.2)."""
    company.par = par
    certificate.sell_first(company, seat, 2)
    if not s.rules.marker_placed_on_flotation:
        chain.place(s, company, MARKET.prices, par)
    flotation.settle(s, company, tell)
