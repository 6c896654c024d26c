"""What becomes of the track and stops of a hex when a tile is laid over them."""

from collections.abc import Callable, Iterator

from engine.rails.tiles import STOP, Stop, Tile

Becomes = Callable[[Stop, Stop], bool]


def carried(old: Tile, new: Tile, becomes: Becomes) -> tuple[int, ...] | None:
    """Find which stop of the new tile each old stop becomes, or ``None``.

    All old track must be there again, between the same sides and stops; no
    two old stops become one. Of several ways the first in order is taken.

    Args:
        old: what lies there now, as it lies.
        new: the tile as it would lie.
        becomes: tells whether an old stop may become a new one, by kind.
    """
    if old.sides & ~new.sides:
        return None
    for stops in _matches(old.stops, new.stops, becomes, ()):
        if moved(old, stops) <= new.pieces:
            return stops
    return None


def moved(old: Tile, stops: tuple[int, ...]) -> frozenset[tuple[int, int]]:
    """Return the old track in terms of the new tile's stops."""
    ends = (*range(STOP), *(STOP + stop for stop in stops))
    return frozenset((min(ends[a], ends[b]), max(ends[a], ends[b])) for a, b in old.pieces)


def _matches(
    old: tuple[Stop, ...], new: tuple[Stop, ...], becomes: Becomes, chosen: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    if len(chosen) == len(old):
        yield chosen
        return
    stop = old[len(chosen)]
    for index, other in enumerate(new):
        if index not in chosen and becomes(stop, other):
            yield from _matches(old, new, becomes, (*chosen, index))
