"""Building in a company's turn: tiles, small stations, station markers, the link to London (§7.2, §7.6, §7.7)."""

from collections.abc import Iterator
from functools import partial

from engine.errors import RuleError
from engine.rails import reach
from engine.rails.laying import LayTile, TileLaid, explain_hex
from engine.rails.maps import name_side
from engine.rails.tiles import SIDES
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import companies, ground, track
from engine.titles.g1862.actions import AddStation, LinkLondon, Markers, PlaceMarker
from engine.titles.g1862.catalogue import rule
from engine.titles.g1862.companies import MARKER_COST, MIN_MARKERS
from engine.titles.g1862.events import LondonLinked, MarkerPlaced, StationBuilt
from engine.titles.g1862.ground import survey, survey_for_certain
from engine.titles.g1862.state import Company, State
from engine.titles.g1862.track import Fit, TrackSurvey

FIRST, YELLOW, UPGRADE, STATION = "first", "yellow", "upgrade", "station"
"""What may have been laid: an N tile, which is alone; another yellow; an upgrade; a small station."""


class LayPlan(Record, frozen=True):
    """A tile that may be laid."""

    company: str
    fit: Fit


class StationPlan(Record, frozen=True):
    """A small station that may be built."""

    company: str
    hex: str
    a: int
    b: int


def _get_acting_company(s: State) -> Company:
    return s.companies[s.operating.code]


def classify(s: State, fit: Fit) -> str:
    """Return what a tile is in the allowance of a turn (§7.6)."""
    if fit.colour != "yellow":
        return UPGRADE
    return FIRST if s.board.map.manifest[fit.plain].letter == "N" else YELLOW


def is_turn_full(s: State) -> bool:
    """Return whether the track of a turn is built: anything but a first yellow tile without N (§7.6)."""
    laid = s.operating.laid
    return len(laid) > 1 or (len(laid) == 1 and laid[0][1] != YELLOW)


def is_track_open_for(s: State, company: Company) -> bool:
    """Return whether the company can still build; in receivership and after the LNER never (§8.0, §10.3).

    A turn without any legal lay is passed over, or waits for the pass.
    """
    if company.receivership or s.lner or is_turn_full(s):
        return False
    return s.rules.idle_builders_asked or _can_build(s, company)


def _can_build(s: State, company: Company) -> bool:
    """Return whether there is any tile to lay or small station to build."""
    return any(True for _ in _list_lays(s, company)) or any(True for _ in list_station_options(s, company.director))


def must_build(s: State) -> bool:
    """Return whether a build is compulsory: the first one for the home, or one a turn until it has a tile (§7.2).

    In the second case any build will do, and a turn in which none is possible ends without (differences 24).
    """
    company = _get_acting_company(s)
    if s.rules.first_build_at_home:
        return not s.operating.laid and bool(ground.list_due_homes(s, company))
    if s.board.tile(company.charter.home).colour != "plain":
        return False
    return _can_build(s, company)


def _find_lay_refusal(s: State, fit: Fit) -> RuleError | None:
    """Return the refusal of a tile by what the turn has laid already, or must lay first; or nothing."""
    if is_turn_full(s):
        sentence = (
            "No more track can be built in this turn: the limit is two yellow tiles without N, one N tile, one upgrade "
            "or one small station."
        )
        return RuleError(sentence, rule("7.6"))
    what = classify(s, fit)
    if s.operating.laid:
        if what == YELLOW:
            return None
        return RuleError("After a yellow tile, only a second yellow tile without N can be laid.", rule("7.6.2"))
    due = ground.list_due_homes(s, _get_acting_company(s))
    if due and fit.coord not in due and s.rules.first_build_at_home:
        sentence = f"This turn's first tile must be laid on {' or '.join(due)}, so that the home marker gets a space."
        return RuleError(sentence, rule("7.2"))
    company = _get_acting_company(s)
    if fit.coord in company.waiting and what == UPGRADE:
        now = ground.count_slots(s.board.tile(fit.coord))
        if ground.count_slots(s.board.map.manifest[fit.plain]) <= now and s.rules.home_upgrade_adds_slot:
            sentence = f"The home marker on {fit.coord} needs a space, and tile {fit.plain} doesn't add one."
            return RuleError(sentence, rule("7.2"))
    return None


def _list_lays(s: State, company: Company) -> Iterator[Fit]:
    forced = s.operating.step == "home"
    for fit in track.list_lays(survey_for_certain(s, company)):
        if _find_lay_refusal(s, fit) is None and (not forced or fit.coord in company.waiting):
            yield fit


def list_lay_options(s: State, seat: int) -> Iterator[LayTile]:
    """Yield every legal lay."""
    del seat
    yield from (LayTile(fit.coord, fit.plain, fit.rotation) for fit in _list_lays(s, _get_acting_company(s)))


def check_lay(s: State, seat: int, action: LayTile) -> LayPlan:
    """Check a lay."""
    if not action.is_whole:
        raise explain_hex(s.board, action, partial(check_lay, s, seat), rule("7.6"))
    company = _get_acting_company(s)
    fit = track.check_lay(survey(s, company), action.hex, action.tile, action.rotation)
    refusal = _find_lay_refusal(s, fit)
    if refusal is not None:
        raise refusal
    return LayPlan(company.code, fit)


def apply_lay(s: State, plan: LayPlan, tell: Tell) -> None:
    """Lay the tile; stations and markers keep their places, and a waiting marker may get a slot."""
    fit = plan.fit
    r = s.operating
    r.laid.append((fit.coord, classify(s, fit)))
    s.board = s.board.with_tile(fit.coord, fit.tile, fit.rotation)
    tell(TileLaid(plan.company, fit.coord, fit.plain, fit.rotation))
    if s.rules.last_slot_gives_way:
        ground.close_up(s, fit.coord)
    ground.settle_waiting(s, fit.coord)
    if r.step == "home":
        r.begin_next_step()


def list_station_options(s: State, seat: int) -> Iterator[AddStation]:
    """Yield every line that may get a small station (§7.6.4)."""
    del seat
    if s.operating.laid or (ground.list_due_homes(s, _get_acting_company(s)) and s.rules.first_build_at_home):
        return
    yield from (AddStation(coord, a, b) for coord, (a, b) in track.list_station_lines(s.board))
    if s.rules.stations_on_turned_lines:
        yield from (AddStation(coord, a, b) for coord, (a, b) in track.list_turned_lines(s.board))


def check_station(s: State, seat: int, action: AddStation) -> StationPlan:
    """Check a small station."""
    del seat
    company = _get_acting_company(s)
    if s.operating.laid:
        sentence = "A small station is built instead of laying tiles, and you have laid a tile in this turn."
        raise RuleError(sentence, rule("7.6"))
    due = ground.list_due_homes(s, company)
    if due and s.rules.first_build_at_home:
        sentence = f"This turn's first tile must be laid on {' or '.join(due)}, so that the home marker gets a space."
        raise RuleError(sentence, rule("7.2"))
    line = (min(action.a, action.b), max(action.a, action.b))
    turned = s.rules.stations_on_turned_lines and (action.hex, line) in track.list_turned_lines(s.board)
    if not turned and (action.hex, line) not in track.list_station_lines(s.board):
        raise RuleError(
            f"{action.hex[:20]} has no line from {_name_side(action.a)} to {_name_side(action.b)} that can get a small "
            "station; it must be on a green or russet tile, without one so far.",
            rule("7.6.4"),
        )
    return StationPlan(company.code, action.hex, *line)


def _name_side(side: int) -> str:
    return name_side(side) if side in SIDES else f"side {side}"


def apply_station(s: State, plan: StationPlan, tell: Tell) -> None:
    """Build the small station."""
    s.operating.laid.append((plan.hex, STATION))
    s.board = track.add_station(s.board, plan.hex, (plan.a, plan.b))
    tell(StationBuilt(plan.company, plan.hex, plan.a, plan.b))


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
            f"{company.code} can buy {MIN_MARKERS} to {most} markers for £{MARKER_COST:,} each, not {action.count}; "
            f"it has £{company.cash:,}.",
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


def is_marker_open_for(s: State, company: Company) -> bool:
    """Return whether the company can place a marker on the map or in London."""
    if company.receivership or s.lner or not company.unplaced:
        return False
    return any(True for _ in _list_sites(s, company, survey(s, company))) or not _find_london_refusal(s, company)


def list_place_options(s: State, seat: int) -> Iterator[PlaceMarker]:
    """Yield every large station where a marker may be placed."""
    del seat
    company = _get_acting_company(s)
    yield from map(PlaceMarker, _list_sites(s, company, survey_for_certain(s, company)))


def _list_sites(s: State, company: Company, seen: TrackSurvey) -> Iterator[str]:
    for hex_, _ in reach.list_base_sites(s.board, ground.find_bases(s), seen.reach.nodes, company.code):
        if hex_ not in company.waiting:
            yield hex_


def _find_place_refusal(s: State, company: Company, hex_: str) -> str:
    """Return why a station takes no marker of the company, routes apart, or nothing (§7.7)."""
    if hex_ in company.places or hex_ in company.waiting:
        return f"{company.code} already has a marker on {s.board.spec(hex_).full_name}; the limit is one per hex."
    if not ground.has_free_slot(s, hex_):
        return f"Every space on {s.board.spec(hex_).full_name} is taken."
    return ""


def check_place(s: State, seat: int, action: PlaceMarker) -> MarkerPlan:
    """Check a marker."""
    del seat
    company = _get_acting_company(s)
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
    company = _get_acting_company(s)
    if _find_london_refusal(s, company) or not survey_for_certain(s, company).reaches_london:
        return
    for box in ground.list_free_boxes(s):
        yield LinkLondon("D15" if box == "D15" else "B15")


def _find_london_refusal(s: State, company: Company) -> str:
    """Return why a company cannot link London, or nothing (§7.6.5)."""
    if company.london:
        return f"{company.code} already has a marker in London; the limit is one."
    if not ground.list_free_boxes(s):
        return "All four spaces in London are taken."
    if not company.unplaced:
        return f"{company.code} has no station marker left."
    if s.operating.laid:
        return "The link to London is built instead of track, and you have built track in this turn."
    if not survey(s, company).reaches_london:
        return f"No route of {company.code} leads to London."
    return ""


def check_london(s: State, seat: int, action: LinkLondon) -> MarkerPlan:
    """Check a link to London."""
    del seat
    company = _get_acting_company(s)
    why = _find_london_refusal(s, company)
    if why:
        raise RuleError(why, rule("7.6.5"))
    if action.place not in ground.list_free_boxes(s):
        raise RuleError(f"Both spaces beside {action.place} are taken; choose the others.", rule("7.6.5"))
    return MarkerPlan(company.code, action.place)


def apply_london(s: State, plan: MarkerPlan, tell: Tell) -> None:
    """Link London; the turn goes on with the run."""
    company = s.companies[plan.company]
    company.unplaced -= 1
    company.london = plan.hex
    s.operating.begin_next_step()
    tell(LondonLinked(plan.company))
