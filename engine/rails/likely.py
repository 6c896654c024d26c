"""What most people would build: tiles that pay more and meet track, homes with much to reach around them."""

from collections.abc import Sequence

from engine.rails.actions import LayTile
from engine.rails.board import Board
from engine.rails.hexes import SIDES, opposite

Promise = tuple[int, int, int, int]
"""What speaks against a lay: less is better."""
BARE = 10
"""What a stop is taken to be worth before a tile gives it a value."""
NEAR = (3, 2, 1)
"""How much the stops of a home count, of the hexes around it, and of those around them."""


def likely(board: Board, lays: Sequence[LayTile]) -> list[LayTile]:
    """Return lays hex by hex, the most promising first; those alike keep their order.

    Each is looked at with its neighbours only: what it pays more than what lies there, how many of its
    new sides meet track, what the others lead towards, how few lead nowhere. No route is searched.
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
    fresh = [side for side in SIDES if new.sides & ~old.sides & 1 << side]
    met = sum(_meets(board, lay.hex, side) for side in fresh)
    ahead = sum(_stops(board, there.coord) for side in fresh if (there := board.map.beyond(lay.hex, side)) is not None)
    return (-more, -met, -ahead, len(fresh) - met)


def _stops(board: Board, coord: str) -> int:
    """Return what the best stop of a hex pays, or is taken to pay; 0 without one."""
    return max((stop.value or BARE for stop in board.tile(coord).stops), default=0)


def around(board: Board, coord: str) -> int:
    """Return how good a home is: what its stop pays and those that lie up to two hexes away."""
    seen, ring, total = {coord}, {coord}, 0
    for weight in NEAR:
        total += weight * sum(_stops(board, each) for each in ring)
        beyond = (board.map.beyond(each, side) for each in ring for side in SIDES)
        ring = {there.coord for there in beyond if there is not None} - seen
        seen |= ring
    return total


def _meets(board: Board, coord: str, side: int) -> bool:
    """Tell whether track runs to a side from the hex beyond it."""
    there = board.map.beyond(coord, side)
    return there is not None and bool(board.tile(there.coord).sides >> opposite(side) & 1)


def worth(board: Board, coord: str) -> int:
    """Return the most that a stop of a hex pays, as printed."""
    return max((stop.value or 0 for stop in board.tile(coord).stops), default=0)
