"""Building bases: one a turn, the first for 40, further ones for 100 (6B)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860 import sites
from engine.titles.g1860.actions import PlaceBase
from engine.titles.g1860.events import BasePlaced
from engine.titles.g1860.ground import waiting
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import Base, Company, State
from engine.titles.g1860.steps.track import survey


class Plan(Record, frozen=True):
    """A base that may be built."""

    company: str
    base: Base
    cost: int


def cost(company: Company) -> int:
    """Return what the next base costs; the home base is free (6.13)."""
    costs = company.charter.base_costs
    return costs[max(1, len(costs) - company.unplaced)]


def _left(company: Company) -> int:
    """Count the bases that may be bought; the home base is never bought (5.4)."""
    return company.unplaced - (not company.home_placed)


def _barred(s: State, company: Company) -> bool:
    return company.receivership or company.insolvent or s.stopped or _left(company) == 0


def open_for(s: State, company: Company) -> bool:
    """Return whether the company is asked for a base: one left, money, and a free slot it reaches."""
    if _barred(s, company) or company.cash < cost(company):
        return False
    return s.is_asked_again_for_a_base(company) or any(True for _ in sites.sites(survey(s, company), waiting(s)))


def options(s: State, seat: int) -> Iterator[PlaceBase]:
    """Yield every city where a base may be built."""
    del seat
    for hex_, city in sites.sites(survey(s, s.companies[s.operating.code]), waiting(s)):
        yield PlaceBase(hex_, city)


def check(s: State, seat: int, action: PlaceBase) -> Plan:
    """Check a base."""
    del seat
    company = s.companies[s.operating.code]
    if _left(company) == 0:
        raise RuleError(f"{company.code} has no base left.", rule("6.13"))
    price = cost(company)
    sites.check_site(survey(s, company, remembered=True), (action.hex, action.city), waiting(s), price)
    return Plan(company.code, (action.hex, action.city), price)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Build the base; the turn goes on with the run."""
    company = s.companies[plan.company]
    company.cash -= plan.cost
    company.unplaced -= 1
    company.bases.append(plan.base)
    s.operating.go_on()
    tell(BasePlaced(plan.company, plan.base[0], plan.cost))
