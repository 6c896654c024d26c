"""Removing station markers of a merged company that has too many (13.6)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862.actions import RemoveMarker
from engine.titles.g1862.book import rule
from engine.titles.g1862.events import MarkerRemoved
from engine.titles.g1862.geography import LONDON
from engine.titles.g1862.state import Company, State


class Plan(Record, frozen=True):
    """A marker to be removed."""

    company: str
    hex: str


def places(company: Company) -> list[str]:
    """Return where a marker may be taken from: anywhere but the home, which must stay runnable."""
    found = [hex_ for hex_ in (*company.places, *company.waiting) if hex_ != company.charter.home]
    return [*found, LONDON] if company.london else found


def options(s: State, seat: int) -> Iterator[RemoveMarker]:
    """Yield every marker that may go."""
    del seat
    yield from (RemoveMarker(hex_) for hex_ in places(s.companies[s.operating.removing]))


def check(s: State, seat: int, action: RemoveMarker) -> Plan:
    """Check a removal."""
    del seat
    company = s.companies[s.operating.removing]
    if action.hex not in places(company):
        raise RuleError(
            f"{company.code} has no marker on {action.hex[:20]} that may go; {', '.join(places(company))} may, "
            "its home may not.",
            rule("13.6"),
        )
    return Plan(company.code, action.hex)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Remove the marker; it is lost."""
    company = s.companies[plan.company]
    if plan.hex == LONDON:
        company.london = ""
    elif plan.hex in company.waiting:
        company.waiting.remove(plan.hex)
    else:
        company.markers = [marker for marker in company.markers if marker[0] != plan.hex]
    tell(MarkerRemoved(plan.company, plan.hex))
    if company.marker_count <= s.rules.markers:
        s.operating.removing = ""
