"""Choosing how many station markers a new company without a charter buys (5.6)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import flotation
from engine.titles.g1862.actions import Markers
from engine.titles.g1862.flotation import FEWEST_MARKERS, MARKER_COST
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import State


class Plan(Record, frozen=True):
    """So many markers for a company."""

    company: str
    count: int


def options(s: State, seat: int) -> Iterator[Markers]:
    """Yield every number of markers that can be paid for."""
    del seat
    most = flotation.most_markers(s, s.companies[s.stock.choosing])
    yield from (Markers(count) for count in range(FEWEST_MARKERS, most + 1))


def check(s: State, seat: int, action: Markers) -> Plan:
    """Check a number of markers."""
    del seat
    company = s.companies[s.stock.choosing]
    most = flotation.most_markers(s, company)
    if not FEWEST_MARKERS <= action.count <= most:
        raise RuleError(
            f"{company.code} may buy {FEWEST_MARKERS} to {most} markers at £{MARKER_COST}; it has £{company.cash}.",
            rule("5.6"),
        )
    return Plan(company.code, action.count)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Buy the markers."""
    s.stock.choosing = ""
    flotation.buy_markers(s.companies[plan.company], plan.count, plan.count * MARKER_COST, tell)
