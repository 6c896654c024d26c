"""What lies on the board: markers, what they reach, and the homes of companies (§3.2, §7.2, §7.4, §7.6.5, §7.5.2)."""

from functools import lru_cache
from itertools import count
from types import MappingProxyType

from engine.errors import RuleError
from engine.hex_view import Token
from engine.rails.board import Board
from engine.rails.reach import Bases
from engine.rails.tiles import Tile
from engine.title import Tell
from engine.titles.g1862 import track
from engine.titles.g1862.catalogue import LONDON_BOXES, count_left, rule
from engine.titles.g1862.events import HomePlaced, MarkerRemoved
from engine.titles.g1862.state import Company, Marker, Placed, State
from engine.titles.g1862.track import Builder, TrackSurvey

LONDON_SPACES = 4


def find_bases(s: State) -> Bases:
    """Return who stands where, slot by slot; every station has one city."""
    return _make_bases(list_markers(s))


def list_markers(s: State) -> Placed:
    """Return the markers on the map."""
    return tuple(
        sorted((one.slot, one.hex, company.code) for company in s.companies.values() for one in company.markers)
    )


@lru_cache(maxsize=64)
def _make_bases(markers: Placed) -> Bases:
    found: dict[tuple[str, int], tuple[Token, ...]] = {}
    for _, hex_, code in markers:
        found[hex_, 0] = (*found.get((hex_, 0), ()), Token(code))
    return MappingProxyType(found)


def survey(s: State, company: Company) -> TrackSurvey:
    """Return what a company can reach and build."""
    return _survey(s.board, list_markers(s), _make_builder(s, company))


def survey_for_certain(s: State, company: Company) -> TrackSurvey:
    """Return what a company reaches for certain, also if it must reckon with markers that have left the map."""
    believed = s.find_believed_markers(company.code)
    if not believed:
        return survey(s, company)
    return _survey(s.board, tuple(sorted(list_markers(s) + believed)), _make_builder(s, company))


def _make_builder(s: State, company: Company) -> Builder:
    return Builder(company.code, tuple(company.waiting), s.band.colours, s.rules.tiles_by_stations)


@lru_cache(maxsize=64)
def _survey(board: Board, markers: Placed, builder: Builder) -> TrackSurvey:
    """Return one survey for equal positions: a step asks for it with every choice."""
    return TrackSurvey(board, _make_bases(markers), builder)


def list_waiting(s: State) -> list[str]:
    """Return the companies whose home marker is not in a slot: not started, or beside a full city."""
    return [
        company.code
        for company in s.companies.values()
        if not company.gone and (not company.home_placed or company.charter.home in company.waiting)
    ]


def list_linked_to_london(s: State) -> list[str]:
    """Return the companies with a marker in London."""
    return [company.code for company in s.companies.values() if company.london]


def list_free_boxes(s: State) -> list[str]:
    """Return the boxes with a free space for a London marker (§7.6.5)."""
    most = LONDON_SPACES // len(LONDON_BOXES)
    return [box for box in LONDON_BOXES if sum(1 for company in s.companies.values() if company.london == box) < most]


def are_joined(s: State, one: Company, other: Company, *, for_certain: bool = False) -> bool:
    """Return whether track joins a marker of each of two companies (§7.5.2).

    The same city counts; the route ends at a city full of others, their
    markers apart; ports and red areas are never passed, so London never joins.
    """
    mine, theirs = (
        (survey_for_certain(s, one), survey_for_certain(s, other))
        if for_certain
        else (survey(s, one), survey(s, other))
    )
    return bool(mine.reach.nodes & sum(1 << node for node in set(theirs.starts)))


def count_slots(tile: Tile) -> int:
    """Return how many markers the city of a tile holds."""
    return sum(stop.slots for stop in tile.stops if stop.kind == "city")


def list_standing_markers(s: State, hex_: str) -> list[tuple[Marker, Company]]:
    """Return the markers in the slots of a hex, and whose they are."""
    return [(one, company) for company in s.companies.values() for one in company.markers if one.hex == hex_]


def has_free_slot(s: State, hex_: str) -> bool:
    """Return whether a marker fits into the city of a hex."""
    return len(list_standing_markers(s, hex_)) < count_slots(s.board.tile(hex_))


def put_marker(s: State, company: Company, hex_: str) -> None:
    """Put a marker of a company into the first free slot of a hex."""
    taken = {one.slot for one, _ in list_standing_markers(s, hex_)}
    s.clock += 1
    company.markers.append(Marker(hex_, s.clock, next(slot for slot in count() if slot not in taken)))


def close_up(s: State, hex_: str) -> None:
    """Move the markers of a hex into its first slots: so that no slot between two is empty."""
    order = sorted(one.slot for one, _ in list_standing_markers(s, hex_))
    for _, company in list_standing_markers(s, hex_):
        company.markers = [
            Marker(hex_, one.stamp, order.index(one.slot)) if one.hex == hex_ else one for one in company.markers
        ]


def can_grow(s: State, hex_: str) -> bool:
    """Return whether the tile of a hex can be upgraded now to one with more slots (§3.2).

    Where its next tile need not add a slot, any will do whose sides fit.
    """
    tile = s.board.tile(hex_)
    if s.rules.green_home_needs_n and tile.colour == "green" and tile.letter != "N":
        return False
    if not s.rules.home_upgrade_adds_slot:
        fitting_now = [
            name for name in track.list_tiles_with_fitting_sides(s.board, hex_) if count_left(s.board, name) > 0
        ]
        return any(s.board.map.manifest[name].colour in s.band.colours for name in fitting_now)
    now = count_slots(tile)
    return any(
        count_left(s.board, fit.tile) > 0 and count_slots(s.board.map.manifest[fit.tile]) > now
        for fit in track.list_fits(s.board, hex_)
        if s.board.map.manifest[fit.tile].colour in s.band.colours
    )


def is_startable(s: State, company: Company) -> bool:
    """Return whether a company could place its home marker, and its phase has come (§3.2)."""
    if company.started or company.gone or not s.has_begun(company.group):
        return False
    home = company.charter.home
    return s.board.tile(home).colour == "plain" or has_free_slot(s, home) or can_grow(s, home)


def check_startable(s: State, company: Company) -> None:
    """Refuse a start where the home marker could never be placed (§3.2)."""
    if not is_startable(s, company):
        raise RuleError(
            f"{company.code} can't be started: {company.charter.place} has no free space for its home marker and "
            "can't be upgraded to add one.",
            rule("3.2"),
        )


def place_home(s: State, company: Company, tell: Tell) -> None:
    """Place the home marker at the start of the first turn (§7.2).

    It waits on a hex without track, goes into a free slot, waits beside a
    tile that can grow, or takes the place of the marker placed last there.
    """
    home = company.charter.home
    company.home_placed = True
    company.unplaced -= 1
    displaced = ""
    plain = s.board.tile(home).colour == "plain"
    if not plain and not has_free_slot(s, home):
        if can_grow(s, home):
            company.waiting.append(home)
            company.due.append(home)
            tell(HomePlaced(company.code, home, "", waits=True))
            return
        displaced = _displace(s, home, tell)
    if plain:
        company.due.append(home)
    put_marker(s, company, home)
    tell(HomePlaced(company.code, home, displaced, waits=plain))


def _displace(s: State, hex_: str, tell: Tell) -> str:
    """Return a marker on a hex to its owner, unused: the one placed last, or that of the last slot (§7.2)."""
    by_slot = s.rules.last_slot_gives_way
    last, loser = max(list_standing_markers(s, hex_), key=lambda pair: pair[0].slot if by_slot else pair[0].stamp)
    loser.markers.remove(last)
    loser.unplaced += 1
    tell(MarkerRemoved(loser.code, hex_))
    return loser.code


def settle_impossible(s: State, company: Company, tell: Tell) -> None:
    """Place a marker that waits for an upgrade that cannot be made any more: in a free slot, or it displaces (§7.2)."""
    for hex_ in list(company.waiting):
        displaced = ""
        if not has_free_slot(s, hex_):
            if can_grow(s, hex_):
                continue
            displaced = _displace(s, hex_, tell)
        company.waiting.remove(hex_)
        put_marker(s, company, hex_)
        tell(HomePlaced(company.code, hex_, displaced, waits=False))


def settle_waiting(s: State, hex_: str) -> None:
    """Put markers that wait beside a city into the slots that a new tile has opened."""
    for company in s.companies.values():
        if hex_ in company.waiting and has_free_slot(s, hex_):
            company.waiting.remove(hex_)
            put_marker(s, company, hex_)


def list_due_homes(s: State, company: Company) -> list[str]:
    """Return the home hexes that the next track must serve: no tile there, or no slot for the marker (§7.2)."""
    return [hex_ for hex_ in company.due if hex_ in company.waiting or s.board.tile(hex_).colour == "plain"]
