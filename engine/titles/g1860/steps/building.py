"""Building track and bases in a company's turn (Laying Track, Building Bases)."""

from collections.abc import Collection, Iterator
from functools import partial

from engine.errors import RuleError
from engine.rails import reach as shared
from engine.rails.laying import LayTile, TileLaid, explain_hex
from engine.rails.reach import Bases, Place, place_bases
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860 import track
from engine.titles.g1860.actions import PlaceBase
from engine.titles.g1860.catalogue import TRAINS, rule
from engine.titles.g1860.events import BasePlaced
from engine.titles.g1860.state import Base, Company, Operating, State, Stock
from engine.titles.g1860.trace import Fleet
from engine.titles.g1860.track import TrackSurvey


def find_bases(s: State) -> Bases:
    """Return who stands where; the bases of a bankrupt company are flipped (Bankrupt Companies)."""
    return place_bases((company.code, company.bases, company.bankrupt) for company in s.companies.values())


def list_waiting(s: State) -> list[str]:
    """Return the companies whose home base is not on the board, started or not (Building Bases)."""
    return [company.code for company in s.companies.values() if not company.home_placed]


def make_fleet(s: State, trains: tuple[tuple[int, int], ...]) -> Fleet:
    """Return trains with the table's way of counting stops (differences 24, 70)."""
    rules = s.rules
    re_enter = rules.re_enter or not rules.upgrades_reached_without_re_entry
    return Fleet(trains, rules.skip_towns, re_enter, apart=not rules.towns_take_city_places)


def list_free_slots(survey: TrackSurvey, place: Place, waiting: Collection[str]) -> int:
    """Return the slots of a city that the company may use; one is kept for each home base that waits there."""
    return shared.count_free_slots(survey.board, survey.bases, place, survey.builder.company, waiting)


def list_base_sites(survey: TrackSurvey, waiting: Collection[str]) -> Iterator[Place]:
    """Return every city where the company may build a base; the price is not asked."""
    return shared.list_base_sites(survey.board, survey.bases, survey.reach.nodes, survey.builder.company, waiting)


def check_site(survey: TrackSurvey, place: Place, waiting: Collection[str], price: int) -> None:
    """Check that the company may build a base in a city.

    Args:
        survey: the company and the board.
        place: hex, and stop on the tile as it lies.
        waiting: companies whose home base is not on the board.
        price: of this base in company credits; checked against the builder's cash.

    Raises:
        RuleError: the first rule that forbids it.

    Rule: 1860, Building Bases.
    """
    board, company = survey.board, survey.builder.company
    coord, index = place
    if coord not in board:
        raise RuleError(f"There is no hex {coord} on this map.", rule("Building Bases"))
    stops = board.tile(coord).stops
    name = board.spec(coord).name or coord
    if not 0 <= index < len(stops) or stops[index].kind not in ("city", "offboard"):
        raise RuleError(f"{board.spec(coord).full_name} has no such city to build a base in.", rule("Building Bases"))
    if stops[index].kind == "offboard":
        raise RuleError(f"No base can be built on {name}.", rule("Building Bases"))
    if shared.has_base_on_hex(board, survey.bases, coord, company):
        raise RuleError(
            f"{company} already has a base on {board.spec(coord).full_name}; the limit is one per hex.",
            rule("Building Bases"),
        )
    if len(survey.bases.get(place, ())) >= stops[index].slots:
        raise RuleError(f"Every circle of {name} is taken.", rule("Building Bases"))
    if list_free_slots(survey, place, waiting) <= 0:
        homes = " and ".join(home for home in board.spec(coord).homes if home in waiting)
        raise RuleError(f"The free circle of {name} is kept for the home base of {homes}.", rule("Building Bases"))
    if not survey.reach.nodes >> board.graph.node_at[place] & 1:
        raise RuleError(
            f"{company} can't reach {name}: no track leads there from its bases without passing a tokened-out city.",
            rule("Building Bases"),
        )
    cash = survey.builder.cash
    if cash is not None and cash < price:
        raise RuleError(f"This base costs {price:,}cc; {company} has {cash:,}cc.", rule("Building Bases"))


class TilePlan(Record, frozen=True):
    """A lay that may be made; ``home`` on floating."""

    company: str
    lay: track.Lay
    home: bool = False


def survey(s: State, company: Company, *, remembered: bool = False) -> track.TrackSurvey:
    """Return what the company can reach and build; ``remembered`` by the ways as it may have seen them before."""
    trains = tuple((TRAINS[name].cities, TRAINS[name].towns) for name in company.trains)
    if trains and not s.rules.any_train_reaches_upgrades:
        trains = (max(trains),)
    fleet, unseen = make_fleet(s, trains), s.find_unseen_homes(company) if remembered else ()
    builder = track.Builder(
        company.code, s.colours, fleet, company.cash, company.insolvent, unseen,
        s.rules.upgrade_raises_station,
    )  # fmt: skip
    return track.TrackSurvey(s.board, find_bases(s), builder)


def is_track_open_for(s: State, company: Company) -> bool:
    """Return whether the company may still lay something this turn.

    In receivership never (Companies In Receivership), nor once building has stopped.
    """
    r = s.operating
    if company.receivership or s.stopped or _is_turn_full(s, r.laid):
        return False
    return not s.rules.asked_for_track_only_if_possible or any(True for _ in _list_legal_lays(s, company, r))


def _is_turn_full(s: State, laid: list[tuple[str, bool, bool]]) -> bool:
    """Return whether the tiles of a turn are used up."""
    if not laid:
        return False
    if len(laid) == 2 or laid[0][1]:
        return True
    return laid[0][2] and not s.rules.accelerated_track


def _find_second_refusal(s: State, laid: list[tuple[str, bool, bool]], lay: track.Lay) -> str:
    """Return why a lay cannot be the second of a turn, or nothing."""
    if not laid:
        return ""
    if _is_turn_full(s, laid):
        return (
            "No more tiles can be laid in this turn: the limit is two yellow ones without a city, one with a city, or "
            "one upgrade."
        )
    hex_, _, upgraded = laid[0]
    if lay.city:
        return "A tile with a city must be the only one of its turn, and you have laid another."
    if not s.rules.accelerated_track:
        return "A turn allows two yellow tiles or one upgrade, and you have laid a yellow tile." if lay.upgrade else ""
    if upgraded and lay.upgrade:
        return "Only one tile can be upgraded in a turn."
    if lay.coord == hex_:
        return "The yellow tile and the upgrade must be on different hexes."
    return ""


def _list_legal_lays(s: State, company: Company, r: Operating) -> Iterator[track.Lay]:
    for lay in track.list_lays(survey(s, company)):
        if not _find_second_refusal(s, r.laid, lay):
            yield lay


def list_lay_options(s: State, seat: int) -> Iterator[LayTile]:
    """Yield every legal lay."""
    del seat
    r = s.round
    if isinstance(r, Stock):
        lays = track.list_home_lays(s.board, s.companies[r.homes[0]].charter.home[0])
    else:
        assert isinstance(r, Operating)
        lays = _list_legal_lays(s, s.companies[r.code], r)
    yield from (LayTile(lay.coord, lay.tile, lay.rotation) for lay in lays)


def check_lay(s: State, seat: int, action: LayTile) -> TilePlan:
    """Check a lay."""
    if not action.is_whole:
        raise explain_hex(s.board, action, partial(check_lay, s, seat), rule("Laying Track"))
    r = s.round
    if isinstance(r, Stock):
        company = s.companies[r.homes[0]]
        home = company.charter.home[0]
        lay = track.check_home_lay(s.board, home, (action.hex, action.tile, action.rotation))
        return TilePlan(company.code, lay, home=True)
    assert isinstance(r, Operating)
    company = s.companies[r.code]
    remembered = action.hex in s.board and s.board.tile(action.hex).colour == "plain"  # for trains it looks again
    lay = track.check_lay(survey(s, company, remembered=remembered), action.hex, action.tile, action.rotation)
    why = _find_second_refusal(s, r.laid, lay)
    if why:
        variant = rule("Variant: Accelerated Track Development", edition="first")
        raise RuleError(why, variant if s.rules.accelerated_track else rule("Laying Track"))
    return TilePlan(company.code, lay)


def apply_lay(s: State, plan: TilePlan, tell: Tell) -> None:
    """Lay the tile; bases keep their places on it (Upgrading Track)."""
    company, lay = s.companies[plan.company], plan.lay
    s.board = s.board.with_tile(lay.coord, lay.tile, lay.rotation)
    company.cash -= lay.cost
    if lay.upgrade:
        for owner in s.companies.values():
            owner.bases = [track.find_base_after_lay(base, lay) for base in owner.bases]
    tell(TileLaid(company.code, lay.coord, lay.tile, lay.rotation, lay.cost, plan.home))
    r = s.round
    if isinstance(r, Stock):
        r.homes.pop(0)
    else:
        assert isinstance(r, Operating)
        r.laid.append((lay.coord, lay.city, lay.upgrade))


class BasePlan(Record, frozen=True):
    """A base that may be built."""

    company: str
    base: Base
    cost: int


def find_base_cost(company: Company) -> int:
    """Return what the next base costs; the home base is free (Building Bases)."""
    costs = company.charter.base_costs
    return costs[max(1, len(costs) - company.unplaced)]


def _count_bases_left(company: Company) -> int:
    """Count the bases that may be bought; the home base is never bought (Building Bases)."""
    return company.unplaced - (not company.home_placed)


def is_base_open_for(s: State, company: Company) -> bool:
    """Return whether the company is asked for a base: one left, money, and a free slot it reaches."""
    barred = company.receivership or company.insolvent or s.stopped or _count_bases_left(company) == 0
    if barred or company.cash < find_base_cost(company):
        return False
    return s.is_asked_again_for_a_base(company) or any(
        True for _ in list_base_sites(survey(s, company), list_waiting(s))
    )


def list_base_options(s: State, seat: int) -> Iterator[PlaceBase]:
    """Yield every city where a base may be built."""
    del seat
    for hex_, city in list_base_sites(survey(s, s.companies[s.operating.code]), list_waiting(s)):
        yield PlaceBase(hex_, city)


def check_base(s: State, seat: int, action: PlaceBase) -> BasePlan:
    """Check a base."""
    del seat
    company = s.companies[s.operating.code]
    if _count_bases_left(company) == 0:
        raise RuleError(f"{company.code} has no base left.", rule("Building Bases"))
    price = find_base_cost(company)
    check_site(survey(s, company, remembered=True), (action.hex, action.city), list_waiting(s), price)
    return BasePlan(company.code, (action.hex, action.city), price)


def apply_base(s: State, plan: BasePlan, tell: Tell) -> None:
    """Build the base; the turn goes on with the run."""
    company = s.companies[plan.company]
    company.cash -= plan.cost
    company.unplaced -= 1
    company.bases.append(plan.base)
    s.operating.begin_next_step()
    tell(BasePlaced(plan.company, plan.base[0], plan.cost))
