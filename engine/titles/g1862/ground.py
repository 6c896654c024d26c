"""What lies on the board, in the form the track and running rules want it."""

from functools import lru_cache
from types import MappingProxyType

from engine.rails.board import Board
from engine.rails.reach import Bases, reachable, tokened_out
from engine.titles.g1862.geography import LONDON_BOXES
from engine.titles.g1862.state import Company, State
from engine.titles.g1862.track import Builder, Survey
from engine.view import Token

LONDON_SPACES = 4


Placed = tuple[tuple[int, str, str], ...]
"""All markers on the map: slot, hex and company of each, in order."""


def bases(s: State) -> Bases:
    """Return who stands where, slot by slot; every station has one city."""
    return _bases(_placed(s))


def _placed(s: State) -> Placed:
    return tuple(
        sorted((one.slot, one.hex, company.code) for company in s.companies.values() for one in company.markers)
    )


@lru_cache(maxsize=64)
def _bases(placed: Placed) -> Bases:
    found: dict[tuple[str, int], tuple[Token, ...]] = {}
    for _, hex_, code in placed:
        found[hex_, 0] = (*found.get((hex_, 0), ()), Token(code))
    return MappingProxyType(found)


def survey(s: State, company: Company) -> Survey:
    """Return what a company can reach and build."""
    return _survey(s.board, _placed(s), Builder(company.code, tuple(company.waiting), s.band.colours, s.rules.site))


@lru_cache(maxsize=64)
def _survey(board: Board, placed: Placed, builder: Builder) -> Survey:
    """Return one survey for equal positions: a step asks for it with every choice."""
    return Survey(board, _bases(placed), builder)


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


def joined(s: State, one: Company, other: Company) -> bool:
    """Tell whether track joins a marker of each of two companies (13.1).

    The same city counts; the route ends at a city full of others, their
    markers apart; ports and red areas are never passed, so London never joins.
    """
    mine, theirs = survey(s, one), survey(s, other)
    goal = sum(1 << node for node in set(theirs.starts))
    graph = s.board.graph
    if mine.reach.nodes & goal:
        return True
    if not any(_connected(s.board, node) & goal for node in mine.starts):
        return False
    blocked = tokened_out(graph, bases(s), one.code) & tokened_out(graph, bases(s), other.code)
    blocked |= sum(1 << node.id for node in graph.nodes if node.kind == "offboard")
    return bool(reachable(graph, mine.starts, blocked).nodes & goal)


@lru_cache(maxsize=256)
def _connected(board: Board, node: int) -> int:
    """Return the stops that track leads to from a stop, whoever stands in between; areas are never passed."""
    areas = sum(1 << other.id for other in board.graph.nodes if other.kind == "offboard")
    return reachable(board.graph, (node,), areas).nodes
