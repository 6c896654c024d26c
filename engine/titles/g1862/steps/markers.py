"""Station markers: how many a new company buys, placing one, linking London, removing some."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.rails import reach
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import companies, ground
from engine.titles.g1862.actions import LinkLondon, Markers, PlaceMarker, RemoveMarker
from engine.titles.g1862.catalogue import LONDON, rule
from engine.titles.g1862.companies import MARKER_COST, MIN_MARKERS
from engine.titles.g1862.events import LondonLinked, MarkerPlaced, MarkerRemoved
from engine.titles.g1862.ground import survey, survey_for_certain
from engine.titles.g1862.state import Company, State
from engine.titles.g1862.steps import merging
from engine.titles.g1862.track import TrackSurvey


class CountPlan(Record, frozen=True):
    """So many markers for a company."""

    company: str
    count: int


def list_count_options(s: State, seat: int) -> Iterator[Markers]:
    """Yield every number of markers that can be paid for."""
    del seat
    most = companies.find_max_markers(s, s.companies[s.stock.choosing])
    yield from (Markers(count) for count in range(MIN_MARKERS, most + 1))


def check_count(s: State, seat: int, action: Markers) -> CountPlan:
    """Check a number of markers."""
    del seat
    company = s.companies[s.stock.choosing]
    most = companies.find_max_markers(s, company)
    if not MIN_MARKERS <= action.count <= most:
        raise RuleError(
            f"{company.code} may buy {MIN_MARKERS} to {most} markers at £{MARKER_COST}; it has £{company.cash}.",
            rule("6.5.4.2"),
        )
    return CountPlan(company.code, action.count)


def apply_count(s: State, plan: CountPlan, tell: Tell) -> None:
    """Buy the markers."""
    s.stock.choosing = ""
    companies.buy_markers(s.companies[plan.company], plan.count, plan.count * MARKER_COST, tell)


class MarkerPlan(Record, frozen=True):
    """A marker that may be placed; in London ``hex`` is the box."""

    company: str
    hex: str


def _get_company(s: State) -> Company:
    return s.companies[s.operating.code]


def is_open_for(s: State, company: Company) -> bool:
    """Return whether the company can place a marker on the map or in London."""
    if company.receivership or s.lner or not company.unplaced:
        return False
    return any(True for _ in _list_sites(s, company, survey(s, company))) or not _find_london_refusal(s, company)


def list_place_options(s: State, seat: int) -> Iterator[PlaceMarker]:
    """Yield every large station where a marker may be placed."""
    del seat
    company = _get_company(s)
    yield from map(PlaceMarker, _list_sites(s, company, survey_for_certain(s, company)))


def _list_sites(s: State, company: Company, seen: TrackSurvey) -> Iterator[str]:
    for hex_, _ in reach.list_base_sites(s.board, ground.find_bases(s), seen.reach.nodes, company.code):
        if hex_ not in company.waiting:
            yield hex_


def _find_place_refusal(s: State, company: Company, hex_: str) -> str:
    """Return why a station takes no marker of the company, routes apart, or nothing (§7.7)."""
    if hex_ in company.places or hex_ in company.waiting:
        return f"{company.code} has a marker on {s.board.spec(hex_).full_name} already; the limit is one."
    if not ground.has_free_slot(s, hex_):
        return f"Every slot on {s.board.spec(hex_).full_name} is taken."
    return ""


def check_place(s: State, seat: int, action: PlaceMarker) -> MarkerPlan:
    """Check a marker."""
    del seat
    company = _get_company(s)
    hex_ = action.hex
    if hex_ not in s.board or not s.board.tile(hex_).has_stop("city"):
        raise RuleError(f"There is no large station on {hex_[:20]}.", rule("7.7"))
    if not company.unplaced:
        raise RuleError(f"{company.code} has no station marker left.", rule("7.7"))
    why = _find_place_refusal(s, company, hex_)
    if why:
        raise RuleError(why, rule("7.7"))
    if not survey(s, company).reaches(hex_):
        raise RuleError(
            f"{company.code} can't reach {s.board.spec(hex_).full_name}: no track leads there from its markers without "
            "passing a full station.",
            rule("7.7"),
        )
    return MarkerPlan(company.code, hex_)


def apply_place(s: State, plan: MarkerPlan, tell: Tell) -> None:
    """Place the marker; the turn goes on with the run."""
    company = s.companies[plan.company]
    company.unplaced -= 1
    ground.put_marker(s, company, plan.hex)
    s.operating.begin_next_step()
    tell(MarkerPlaced(plan.company, plan.hex))


def list_london_options(s: State, seat: int) -> Iterator[LinkLondon]:
    """Yield the link to London, for each box with a free space; which one makes no difference."""
    del seat
    company = _get_company(s)
    if _find_london_refusal(s, company) or not survey_for_certain(s, company).reaches_london:
        return
    for box in ground.list_free_boxes(s):
        yield LinkLondon("D15" if box == "D15" else "B15")


def _find_london_refusal(s: State, company: Company) -> str:
    """Return why a company cannot link London, or nothing (§7.6.5)."""
    if s.operating.laid:
        return "The link to London is built instead of track, and track has been built this turn."
    if not company.unplaced:
        return f"{company.code} has no station marker left."
    if company.london:
        return f"{company.code} has its link to London already."
    if not ground.list_free_boxes(s):
        return "All four spaces of London are taken."
    if not survey(s, company).reaches_london:
        return f"No route of {company.code} leads to London."
    return ""


def check_london(s: State, seat: int, action: LinkLondon) -> MarkerPlan:
    """Check a link to London."""
    del seat
    company = _get_company(s)
    why = _find_london_refusal(s, company)
    if why:
        raise RuleError(why, rule("7.6.5"))
    if action.place not in ground.list_free_boxes(s):
        raise RuleError(f"Both spaces beside {action.place} are taken; take the others.", rule("7.6.5"))
    return MarkerPlan(company.code, action.place)


def apply_london(s: State, plan: MarkerPlan, tell: Tell) -> None:
    """Link London; the turn goes on with the run."""
    company = s.companies[plan.company]
    company.unplaced -= 1
    company.london = plan.hex
    s.operating.begin_next_step()
    tell(LondonLinked(plan.company))


class RemovalPlan(Record, frozen=True):
    """A marker to be removed."""

    company: str
    hex: str


def find_merging_parties(s: State) -> list[Company]:
    """Return the survivor and the company that ends."""
    m = s.operating.merging
    assert m is not None
    return [s.companies[m.survivor], s.companies[m.other]]


def list_removable_places(s: State) -> list[str]:
    """Return where a marker of either may be taken from: anywhere but the survivor's home, which must stay runnable."""
    both = find_merging_parties(s)
    found = [hex_ for company in both for hex_ in (*company.places, *company.waiting)]
    found = [hex_ for hex_ in found if hex_ != both[0].charter.home]
    return [*found, LONDON] if any(company.london for company in both) else found


def list_remove_options(s: State, seat: int) -> Iterator[RemoveMarker]:
    """Yield every marker that may go."""
    del seat
    yield from (RemoveMarker(hex_) for hex_ in list_removable_places(s))


def check_remove(s: State, seat: int, action: RemoveMarker) -> RemovalPlan:
    """Check a removal."""
    del seat
    code = s.operating.removing
    if action.hex not in list_removable_places(s):
        raise RuleError(
            f"{code} has no marker on {action.hex[:20]} that may go; {', '.join(list_removable_places(s))} may, "
            "its home may not.",
            rule("7.5.6"),
        )
    return RemovalPlan(code, action.hex)


def apply_remove(s: State, plan: RemovalPlan, tell: Tell) -> None:
    """Remove the marker; it is lost."""
    for company in find_merging_parties(s):
        if plan.hex == LONDON:
            company.london = ""
        company.waiting = [hex_ for hex_ in company.waiting if hex_ != plan.hex]
        company.markers = [marker for marker in company.markers if marker.hex != plan.hex]
    tell(MarkerRemoved(plan.company, plan.hex))
    if merging.count_surplus_markers(s) <= 0:
        s.operating.removing = ""
