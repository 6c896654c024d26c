"""Placing a station marker, or linking London: one of them a turn (11.6, 12)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.rails import reach
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import ground, homes
from engine.titles.g1862.actions import LinkLondon, PlaceMarker
from engine.titles.g1862.events import LondonLinked, MarkerPlaced
from engine.titles.g1862.ground import offered, survey
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.state import Company, State
from engine.titles.g1862.track import TrackSurvey


class Plan(Record, frozen=True):
    """A marker that may be placed; in London ``hex`` is the box."""

    company: str
    hex: str


def _company(s: State) -> Company:
    return s.companies[s.operating.code]


def open_for(s: State, company: Company) -> bool:
    """Tell whether the company can place a marker on the map or in London."""
    if company.receivership or s.lner or not company.unplaced:
        return False
    return any(True for _ in _sites(s, company, survey(s, company))) or not _london_refused(s, company)


def options(s: State, seat: int) -> Iterator[PlaceMarker]:
    """Yield every large station where a marker may be placed."""
    del seat
    company = _company(s)
    yield from map(PlaceMarker, _sites(s, company, offered(s, company)))


def _sites(s: State, company: Company, seen: TrackSurvey) -> Iterator[str]:
    for hex_, _ in reach.sites(s.board, ground.bases(s), seen.reach.nodes, company.code):
        if hex_ not in company.waiting:
            yield hex_


def _refused(s: State, company: Company, hex_: str) -> str:
    """Return why a station takes no marker of the company, routes apart, or nothing (12.1)."""
    if hex_ in company.places or hex_ in company.waiting:
        return f"{company.code} has a marker on {s.board.spec(hex_).called} already; one is the most."
    if not homes.has_free_slot(s, hex_):
        return f"Every slot on {s.board.spec(hex_).called} is taken."
    return ""


def check(s: State, seat: int, action: PlaceMarker) -> Plan:
    """Check a marker."""
    del seat
    company = _company(s)
    hex_ = action.hex
    if hex_ not in s.board or not s.board.tile(hex_).has("city"):
        raise RuleError(f"There is no large station on {hex_[:20]}.", rule("12.1"))
    if not company.unplaced:
        raise RuleError(f"{company.code} has no station marker left.", rule("12.1"))
    why = _refused(s, company, hex_)
    if why:
        raise RuleError(why, rule("12.1"))
    if not survey(s, company).reaches(hex_):
        raise RuleError(
            f"{company.code} cannot reach {s.board.spec(hex_).called}: no track leads there from its markers without "
            "passing a full station.",
            rule("12.1"),
        )
    return Plan(company.code, hex_)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Place the marker; the turn goes on with the run."""
    company = s.companies[plan.company]
    company.unplaced -= 1
    homes.put(s, company, plan.hex)
    s.operating.go_on()
    tell(MarkerPlaced(plan.company, plan.hex))


def london_options(s: State, seat: int) -> Iterator[LinkLondon]:
    """Yield the link to London, for each box with a free space; which one makes no difference."""
    del seat
    company = _company(s)
    if _london_refused(s, company) or not offered(s, company).reaches_london:
        return
    for box in ground.free_boxes(s):
        yield LinkLondon("D15" if box == "D15" else "B15")


def _london_refused(s: State, company: Company) -> str:
    """Return why a company cannot link London, or nothing (11.6)."""
    if s.operating.laid:
        return "The link to London is built instead of track, and track has been built this turn."
    if not company.unplaced:
        return f"{company.code} has no station marker left."
    if company.london:
        return f"{company.code} has its link to London already."
    if not ground.free_boxes(s):
        return "All four spaces of London are taken."
    if not survey(s, company).reaches_london:
        return f"No route of {company.code} leads to London."
    return ""


def check_london(s: State, seat: int, action: LinkLondon) -> Plan:
    """Check a link to London."""
    del seat
    company = _company(s)
    why = _london_refused(s, company)
    if why:
        raise RuleError(why, rule("11.6"))
    if action.place not in ground.free_boxes(s):
        raise RuleError(f"Both spaces beside {action.place} are taken; take the others.", rule("11.6"))
    return Plan(company.code, action.place)


def apply_london(s: State, plan: Plan, tell: Tell) -> None:
    """Link London; the turn goes on with the run."""
    company = s.companies[plan.company]
    company.unplaced -= 1
    company.london = plan.hex
    s.operating.go_on()
    tell(LondonLinked(plan.company))
