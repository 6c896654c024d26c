"""Which tiles most people would lay: those that pay more and meet track come first, those that lead nowhere last."""

from collections.abc import Sequence

from engine.rails.actions import LayTile
from engine.rails.board import Board
from engine.rails.hexes import SIDES, opposite

Promise = tuple[int, int, int]
"""What speaks against a lay: less is better."""


def likely(board: Board, lays: Sequence[LayTile]) -> list[LayTile]:
    """Return lays hex by hex, the most promising first; those alike keep their order.

    Each is looked at with its neighbours only: what it pays more than what lies
    there, how many of its new sides meet track, how few meet none. No route is searched.
    """
    promise = {lay: _promise(board, lay) for lay in lays}
    best: dict[str, Promise] = {}
    for lay in lays:
        best[lay.hex] = min(best.get(lay.hex, promise[lay]), promise[lay])
    places = {coord: number for number, coord in enumerate(best)}
    return sorted(lays, key=lambda lay: (best[lay.hex], places[lay.hex], promise[lay]))


def _promise(board: Board, lay: LayTile) -> Promise:
    old, new = board.tile(lay.hex), board.map.manifest.turned(lay.tile, lay.rotation)
    before = max((stop.value or 0 for stop in old.stops), default=0)
    more = max((stop.value or 0 for stop in new.stops), default=0) - before
    fresh = new.sides & ~old.sides
    met = sum(_meets(board, lay.hex, side) for side in SIDES if fresh >> side & 1)
    return (-more, -met, fresh.bit_count() - met)


def _meets(board: Board, coord: str, side: int) -> bool:
    """Tell whether track runs to a side from the hex beyond it."""
    there = board.map.beyond(coord, side)
    return there is not None and bool(board.tile(there.coord).sides >> opposite(side) & 1)
