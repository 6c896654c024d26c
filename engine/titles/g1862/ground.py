"""What lies on the board, in the form the track and running rules want it."""

from functools import lru_cache
from types import MappingProxyType

from engine.hex_view import Token
from engine.rails.board import Board
from engine.rails.reach import Bases
from engine.titles.g1862.geography import LONDON_BOXES
from engine.titles.g1862.state import Company, Placed, State
from engine.titles.g1862.track import Builder, TrackSurvey

LONDON_SPACES = 4


def bases(s: State) -> Bases:
    """Return who stands where, slot by slot; every station has one city."""
    return _bases(placed(s))


def placed(s: State) -> Placed:
    """Return the markers on the map."""
    return tuple(
        sorted((one.slot, one.hex, company.code) for company in s.companies.values() for one in company.markers)
    )


@lru_cache(maxsize=64)
def _bases(markers: Placed) -> Bases:
    found: dict[tuple[str, int], tuple[Token, ...]] = {}
    for _, hex_, code in markers:
        found[hex_, 0] = (*found.get((hex_, 0), ()), Token(code))
    return MappingProxyType(found)


def survey(s: State, company: Company) -> TrackSurvey:
    """Return what a company can reach and build."""
    return _survey(s.board, placed(s), _builder(s, company))


def offered(s: State, company: Company) -> TrackSurvey:
    """Return what a company reaches for certain, also if it must reckon with markers that have left the map."""
    believed = s.believed_markers(company.code)
    if not believed:
        return survey(s, company)
    return _survey(s.board, tuple(sorted(placed(s) + believed)), _builder(s, company))


def _builder(s: State, company: Company) -> Builder:
    return Builder(company.code, tuple(company.waiting), s.band.colours, s.rules.tiles_by_stations)


@lru_cache(maxsize=64)
def _survey(board: Board, markers: Placed, builder: Builder) -> TrackSurvey:
    """Return one survey for equal positions: a step asks for it with every choice."""
    return TrackSurvey(board, _bases(markers), builder)


def waiting(s: State) -> list[str]:
    """Return the companies whose home marker is not in a slot: not started, or beside a full city."""
    return [
        company.code
        for company in s.companies.values()
        if not company.gone and (not company.home_placed or company.charter.home in company.waiting)
    ]


def linked(s: State) -> list[str]:
    """Return the companies with a marker in London."""
    return [company.code for company in s.companies.values() if company.london]


def free_boxes(s: State) -> list[str]:
    """Return the boxes with a free space for a London marker (11.6)."""
    most = LONDON_SPACES // len(LONDON_BOXES)
    return [box for box in LONDON_BOXES if sum(1 for company in s.companies.values() if company.london == box) < most]


def joined(s: State, one: Company, other: Company, *, for_certain: bool = False) -> bool:
    """Tell whether track joins a marker of each of two companies (13.1).

    The same city counts; the route ends at a city full of others, their
    markers apart; ports and red areas are never passed, so London never joins.
    """
    mine, theirs = (offered(s, one), offered(s, other)) if for_certain else (survey(s, one), survey(s, other))
    return bool(mine.reach.nodes & sum(1 << node for node in set(theirs.starts)))
