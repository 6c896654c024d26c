"""Laying track: one N tile, two other yellow tiles, one upgrade or a small station a turn (§7.2, §7.6)."""

from collections.abc import Iterator
from functools import partial

from engine.errors import RuleError
from engine.rails.laying import LayTile, TileLaid, explain_hex
from engine.rails.maps import name_side
from engine.rails.tiles import SIDES
from engine.record import Record
from engine.title import Tell
from engine.titles.g1862 import ground, track
from engine.titles.g1862.actions import AddStation
from engine.titles.g1862.catalogue import rule
from engine.titles.g1862.events import StationBuilt
from engine.titles.g1862.ground import survey, survey_for_certain
from engine.titles.g1862.state import Company, State
from engine.titles.g1862.track import Fit

FIRST, YELLOW, UPGRADE, STATION = "first", "yellow", "upgrade", "station"
"""What may have been laid: an N tile, which is alone; another yellow; an upgrade; a small station."""


class Plan(Record, frozen=True):
    """A tile that may be laid."""

    company: str
    fit: Fit


class StationPlan(Record, frozen=True):
    """A small station that may be built."""

    company: str
    hex: str
    a: int
    b: int


def _get_company(s: State) -> Company:
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


def is_open_for(s: State, company: Company) -> bool:
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
    company = _get_company(s)
    if s.rules.first_build_at_home:
        return not s.operating.laid and bool(ground.list_due_homes(s, company))
    if s.board.tile(company.charter.home).colour != "plain":
        return False
    return _can_build(s, company)


def _find_refusal(s: State, fit: Fit) -> RuleError | None:
    """Return the refusal of a tile by what the turn has laid already, or must lay first; or nothing."""
    if is_turn_full(s):
        sentence = "This turn's track is built: two yellow tiles without N, one N tile, one upgrade or a small station."
        return RuleError(sentence, rule("7.6"))
    what = classify(s, fit)
    if s.operating.laid:
        if what == YELLOW:
            return None
        return RuleError("After a yellow tile only a second one may be laid, neither with N.", rule("7.6.2"))
    due = ground.list_due_homes(s, _get_company(s))
    if due and fit.coord not in due and s.rules.first_build_at_home:
        sentence = f"The first track of this turn must be on {' or '.join(due)}, so that the home marker gets its slot."
        return RuleError(sentence, rule("7.2"))
    company = _get_company(s)
    if fit.coord in company.waiting and what == UPGRADE:
        now = ground.count_slots(s.board.tile(fit.coord))
        if ground.count_slots(s.board.map.manifest[fit.plain]) <= now and s.rules.home_upgrade_adds_slot:
            sentence = f"Tile {fit.plain} has no more slots; the home marker on {fit.coord} needs one."
            return RuleError(sentence, rule("7.2"))
    return None


def _list_lays(s: State, company: Company) -> Iterator[Fit]:
    forced = s.operating.step == "home"
    for fit in track.list_lays(survey_for_certain(s, company)):
        if _find_refusal(s, fit) is None and (not forced or fit.coord in company.waiting):
            yield fit


def list_options(s: State, seat: int) -> Iterator[LayTile]:
    """Yield every legal lay."""
    del seat
    yield from (LayTile(fit.coord, fit.plain, fit.rotation) for fit in _list_lays(s, _get_company(s)))


def check(s: State, seat: int, action: LayTile) -> Plan:
    """Check a lay."""
    if not action.is_whole:
        raise explain_hex(s.board, action, partial(check, s, seat), rule("7.6"))
    company = _get_company(s)
    fit = track.check_lay(survey(s, company), action.hex, action.tile, action.rotation)
    refusal = _find_refusal(s, fit)
    if refusal is not None:
        raise refusal
    return Plan(company.code, fit)


def apply(s: State, plan: Plan, tell: Tell) -> None:
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
    if s.operating.laid or (ground.list_due_homes(s, _get_company(s)) and s.rules.first_build_at_home):
        return
    yield from (AddStation(coord, a, b) for coord, (a, b) in track.list_station_lines(s.board))
    if s.rules.stations_on_turned_lines:
        yield from (AddStation(coord, a, b) for coord, (a, b) in track.list_turned_lines(s.board))


def check_station(s: State, seat: int, action: AddStation) -> StationPlan:
    """Check a small station."""
    del seat
    company = _get_company(s)
    if s.operating.laid:
        raise RuleError("A small station is all the track of a turn; a tile has been laid.", rule("7.6"))
    due = ground.list_due_homes(s, company)
    if due and s.rules.first_build_at_home:
        raise RuleError(f"The first track of this turn must be on {' or '.join(due)}.", rule("7.2"))
    line = (min(action.a, action.b), max(action.a, action.b))
    turned = s.rules.stations_on_turned_lines and (action.hex, line) in track.list_turned_lines(s.board)
    if not turned and (action.hex, line) not in track.list_station_lines(s.board):
        raise RuleError(
            f"There is no line from {_name_side(action.a)} to {_name_side(action.b)} without a small station "
            f"on a green or russet tile on {action.hex[:20]}.",
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
