"""Removing station markers of a merged company that has too many (13.6)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import mergers
from engine.titles.g1862.actions import RemoveMarker
from engine.titles.g1862.events import MarkerRemoved
from engine.titles.g1862.geography import LONDON
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import Company, State


class Plan(Record, frozen=True):
    """A marker to be removed."""

    company: str
    hex: str


def parties(s: State) -> list[Company]:
    """Return the survivor and the company that ends."""
    m = s.operating.merging
    assert m is not None
    return [s.companies[m.survivor], s.companies[m.other]]


def places(s: State) -> list[str]:
    """Return where a marker of either may be taken from: anywhere but the survivor's home, which must stay runnable."""
    both = parties(s)
    found = [hex_ for company in both for hex_ in (*company.places, *company.waiting)]
    found = [hex_ for hex_ in found if hex_ != both[0].charter.home]
    return [*found, LONDON] if any(company.london for company in both) else found


def options(s: State, seat: int) -> Iterator[RemoveMarker]:
    """Yield every marker that may go."""
    del seat
    yield from (RemoveMarker(hex_) for hex_ in places(s))


def check(s: State, seat: int, action: RemoveMarker) -> Plan:
    """Check a removal."""
    del seat
    code = s.operating.removing
    if action.hex not in places(s):
        raise RuleError(
            f"{code} has no marker on {action.hex[:20]} that may go; {', '.join(places(s))} may, its home may not.",
            rule("13.6"),
        )
    return Plan(code, action.hex)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Remove the marker; it is lost."""
    for company in parties(s):
        if plan.hex == LONDON:
            company.london = ""
        company.waiting = [hex_ for hex_ in company.waiting if hex_ != plan.hex]
        company.markers = [marker for marker in company.markers if marker.hex != plan.hex]
    tell(MarkerRemoved(plan.company, plan.hex))
    if mergers.too_many(s) <= 0:
        s.operating.removing = ""
