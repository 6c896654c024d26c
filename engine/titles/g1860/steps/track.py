"""Laying track: two yellow tiles, one city tile, or one upgrade a turn; the home tile on floating (5.3, 6A)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.rails.laying import LayTile, TileLaid
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860 import track
from engine.titles.g1860.catalogue import TRAINS
from engine.titles.g1860.ground import bases, fleet_rules
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.state import Company, Operating, State, Stock


class Plan(Record, frozen=True):
    """A lay that may be made; ``home`` on floating."""

    company: str
    lay: track.Lay
    home: bool = False


def survey(s: State, company: Company, *, remembered: bool = False) -> track.TrackSurvey:
    """Return what the company can reach and build; ``remembered`` by the ways as it may have seen them before."""
    trains = tuple((TRAINS[name].cities, TRAINS[name].towns) for name in company.trains)
    if trains and not s.rules.any_train_reaches_upgrades:
        trains = (max(trains),)
    fleet, unseen = fleet_rules(s, trains), s.unseen_homes(company) if remembered else ()
    builder = track.Builder(
        company.code, s.colours, fleet, company.cash, company.insolvent, unseen,
        s.rules.upgrade_raises_station,
    )  # fmt: skip
    return track.TrackSurvey(s.board, bases(s), builder)


def open_for(s: State, company: Company) -> bool:
    """Tell whether the company may still lay something this turn.

    In receivership never (7.7), nor once building has stopped (9.2, 9.5).
    """
    r = s.operating
    if company.receivership or s.stopped or _turn_full(s, r.laid):
        return False
    return not s.rules.asked_for_track_only_if_possible or any(True for _ in _lays(s, company, r))


def _turn_full(s: State, laid: list[tuple[str, bool, bool]]) -> bool:
    """Tell whether the tiles of a turn are used up (6.1, 12.10)."""
    if not laid:
        return False
    if len(laid) == 2 or laid[0][1]:
        return True
    return laid[0][2] and not s.rules.accelerated_track


def _refused_second(s: State, laid: list[tuple[str, bool, bool]], lay: track.Lay) -> str:
    """Return why a lay cannot be the second of a turn, or nothing (6.1, 12.10)."""
    if not laid:
        return ""
    if _turn_full(s, laid):
        return "This turn's tiles are laid: two yellow ones without a city, one city tile, or one upgrade."
    hex_, _, upgraded = laid[0]
    if lay.city:
        return "A city tile must be the only tile of a turn."
    if not s.rules.accelerated_track:
        return "After a yellow tile only a second yellow tile may be laid, no upgrade." if lay.upgrade else ""
    if upgraded and lay.upgrade:
        return "Only one tile may be upgraded in a turn."
    if lay.coord == hex_:
        return "The yellow tile and the upgrade must lie on different hexes."
    return ""


def _lays(s: State, company: Company, r: Operating) -> Iterator[track.Lay]:
    for lay in track.lays(survey(s, company)):
        if not _refused_second(s, r.laid, lay):
            yield lay


def options(s: State, seat: int) -> Iterator[LayTile]:
    """Yield every legal lay."""
    del seat
    r = s.round
    if isinstance(r, Stock):
        lays = track.home_lays(s.board, s.companies[r.homes[0]].charter.home[0])
    else:
        assert isinstance(r, Operating)
        lays = _lays(s, s.companies[r.code], r)
    yield from (LayTile(lay.coord, lay.tile, lay.rotation) for lay in lays)


def check(s: State, seat: int, action: LayTile) -> Plan:
    """Check a lay."""
    del seat
    r = s.round
    if isinstance(r, Stock):
        company = s.companies[r.homes[0]]
        home = company.charter.home[0]
        lay = track.check_home_lay(s.board, home, (action.hex, action.tile, action.rotation))
        return Plan(company.code, lay, home=True)
    assert isinstance(r, Operating)
    company = s.companies[r.code]
    remembered = action.hex in s.board and s.board.tile(action.hex).colour == "plain"  # for trains it looks anew
    lay = track.check_lay(survey(s, company, remembered=remembered), action.hex, action.tile, action.rotation)
    why = _refused_second(s, r.laid, lay)
    if why:
        raise RuleError(why, rule("12.10" if s.rules.accelerated_track else "6.1"))
    return Plan(company.code, lay)


def apply(s: State, plan: Plan, tell: Tell) -> None:
    """Lay the tile; bases keep their places on it (6.6)."""
    company, lay = s.companies[plan.company], plan.lay
    s.board = s.board.lay(lay.coord, lay.tile, lay.rotation)
    company.cash -= lay.cost
    if lay.upgrade:
        for owner in s.companies.values():
            owner.bases = [track.moved_base(base, lay) for base in owner.bases]
    tell(TileLaid(company.code, lay.coord, lay.tile, lay.rotation, lay.cost, plan.home))
    r = s.round
    if isinstance(r, Stock):
        r.homes.pop(0)
    else:
        assert isinstance(r, Operating)
        r.laid.append((lay.coord, lay.city, lay.upgrade))
