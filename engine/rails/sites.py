"""Where a company may put a station: in a city that its track leads to, with a slot left for it."""

from collections.abc import Collection, Iterator

from engine.rails.board import Board
from engine.rails.reach import Bases, Place, stands


def stands_on(board: Board, bases: Bases, coord: str, company: str) -> bool:
    """Tell whether a company has a base in any city of a hex."""
    return any(stands(bases, (coord, index), company) for index in range(len(board.tile(coord).stops)))


def free_slots(board: Board, bases: Bases, place: Place, company: str, waiting: Collection[str] = ()) -> int:
    """Return the slots of a city that a company may use.

    Args:
        board: the tiles.
        bases: who stands where.
        place: the city.
        company: that asks.
        waiting: companies whose home base is not on the board; a slot of the first city on their home hex stays
            free for them.
    """
    coord, index = place
    homes = board.spec(coord).homes if index == 0 else ()
    kept = sum(1 for home in homes if home in waiting and home != company)
    return board.tile(coord).stops[index].slots - len(bases.get(place, ())) - kept


def sites(board: Board, bases: Bases, reached: int, company: str, waiting: Collection[str] = ()) -> Iterator[Place]:
    """Yield every city among the stops that are reached, of which bits are given, that has a slot for a company.

    One base of a company on a hex is the most; no price is asked.
    """
    for node in board.graph.nodes:
        if node.kind != "city" or not reached >> node.id & 1 or stands_on(board, bases, node.coord, company):
            continue
        if free_slots(board, bases, (node.coord, node.index), company, waiting) > 0:
            yield node.coord, node.index
