"""Proposing a merger at the start of a turn, or an acquisition at its end (13)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import ground, mergers
from engine.titles.g1862.actions import Merge
from engine.titles.g1862.events import OfferMade
from engine.titles.g1862.rounds.records import Offer
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import Company, State
from engine.titles.g1862.steps import dealing


class Plan(Record, frozen=True):
    """A merger that may be made; with ``asks`` the other director is asked first."""

    company: str
    other: str
    survivor: str
    asks: int
    proposer: int


def open_for(s: State, company: Company) -> bool:
    """Tell whether the company could merge with another."""
    return any(True for _ in mergers.partners(s, company))


def options(s: State, seat: int) -> Iterator[Merge]:
    """Yield every partner, with either company surviving."""
    del seat
    company = s.companies[s.operating.code]
    for other in mergers.partners(s, company):
        if not ground.joined(s, company, other, for_certain=True):
            continue
        yield Merge(other.code, company.code)
        yield Merge(other.code, other.code)


def check(s: State, seat: int, action: Merge) -> Plan:
    """Check a merger."""
    company = s.companies[s.operating.code]
    other = dealing.company(s, action.company)
    why = mergers.refused(s, company, other)
    if why:
        raise RuleError(why, rule("22.2" if s.lner else "13.1"))
    if action.survivor not in (company.code, other.code):
        raise RuleError(f"The survivor is {company.code} or {other.code}, not {action.survivor[:20]}.", rule("13.3"))
    asks = other.director if other.director != seat and s.rules.mergers_need_consent else -1
    return Plan(company.code, other.code, action.survivor, asks, seat)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Begin the merger, or ask the other director."""
    if plan.asks >= 0:
        s.operating.offer = Offer("merge", plan.company, plan.other, plan.asks, plan.proposer, plan.survivor)
        price = mergers.new_price(s.companies[plan.company], s.companies[plan.other])
        tell(OfferMade("merge", plan.company, plan.other, plan.asks, f"{plan.survivor} survives at £{price}"))
        return
    mergers.begin(s, s.companies[plan.company], s.companies[plan.other], s.companies[plan.survivor], tell)
