"""Redeeming one share from the pool into the treasury (21)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862.actions import Redeem
from engine.titles.g1862.events import ShareRedeemed
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import DIRECTOR_SHARES, Company, State


class Plan(Record, frozen=True):
    """A share to be redeemed."""

    company: str
    price: int


def _refused(s: State, company: Company) -> str:
    if s.rules.new_players:
        return "In the game for new players shares are not redeemed."
    if company.receivership:
        return f"{company.code} is in receivership and redeems nothing."
    if company.ordinary_in_pool < 1:
        return f"No share of {company.code} lies in the pool."
    if company.price > company.cash:
        return f"A share costs £{company.price}; {company.code} has £{company.cash}."
    return ""


def open_for(s: State, company: Company) -> bool:
    """Tell whether the company can redeem a share."""
    return not _refused(s, company)


def payable(s: State, company: Company) -> bool:
    """Tell whether the company could pay for what has lain in the pool longest, whoever directs it in a refinancing."""
    merging = s.operating.merging
    shares = DIRECTOR_SHARES if merging is not None and merging.emptied else 1
    return company.ordinary_in_pool > 0 and shares * company.price <= company.cash


def options(s: State, seat: int) -> Iterator[Redeem]:
    """Yield the purchase if it is possible."""
    del seat
    if open_for(s, s.companies[s.operating.code]):
        yield Redeem()


def check(s: State, seat: int, action: Redeem) -> Plan:
    """Check the redeeming of a share."""
    del seat, action
    company = s.companies[s.operating.code]
    why = _refused(s, company)
    if why:
        raise RuleError(why, rule("23.3" if s.rules.new_players else "21.1"))
    return Plan(company.code, company.price)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Redeem the share; one is the most in an operating round."""
    company = s.companies[plan.company]
    company.cash -= plan.price
    company.pool -= 1
    company.treasury += 1
    s.operating.go_on()
    tell(ShareRedeemed(plan.company, plan.price))
