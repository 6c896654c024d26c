"""Which tiles may follow one another on a hex, and what becomes of its track and stops."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

from engine.errors import RuleError
from engine.rails.board import Board
from engine.rails.hexes import SIDES, side_name
from engine.rails.maps import HexSpec, Map
from engine.rails.tiles import STOP, Stop, Tile
from engine.record import Rule

F = TypeVar("F")
Becomes = Callable[[Stop, Stop], bool]


def following(of: Map, spec: HexSpec, before: Tile) -> tuple[str, ...]:
    """Return the tiles of the colour after the one lying on a hex, by name."""
    wanted = "" if spec.fixed else _next_colour(of, before)
    return of.manifest.by_colour[wanted] if wanted else ()


def _next_colour(of: Map, before: Tile) -> str:
    """Return the colour after the one of a tile, empty for the last."""
    colours = of.manifest.colours
    return "" if before.colour == colours[-1] else colours[colours.index(before.colour) + 1]


def fitting(names: Iterable[str], check: Callable[[str, int], F]) -> tuple[F, ...]:
    """Return what a check returns for each tile, in every rotation, that it does not refuse."""
    found = []
    for name in names:
        for rotation in SIDES:
            try:
                found.append(check(name, rotation))
            except RuleError:
                continue
    return tuple(found)


def check_named(board: Board, coord: str, name: str, rotation: int, no_hex: Rule, no_tile: Rule) -> None:
    """Refuse a hex that the map has not, and a tile or a rotation that there is not."""
    if coord not in board:
        raise RuleError(f"There is no hex {coord[:20]} on this map.", no_hex)
    if name not in board.map.manifest.counts or rotation not in SIDES:
        raise RuleError(f"There is no tile {name[:20]} with rotation {rotation}.", no_tile)


def check_phase(colour: str, colours: Collection[str], rule: Rule) -> None:
    """Refuse a colour that may not be laid in this phase; ``colours`` may."""
    if colour not in colours:
        raise RuleError(f"There are no {colour} tiles yet in this phase.", rule)


def check_supply(name: str, rule: Rule, *, left: bool) -> None:
    """Refuse a tile of which none is left."""
    if not left:
        raise RuleError(f"No tile {name} is left.", rule)


def check_colour(of: Map, spec: HexSpec, before: Tile, tile: Tile, first: Rule, later: Rule) -> None:
    """Refuse a tile that is not of the colour after the one lying there.

    Args:
        of: the map.
        spec: the hex.
        before: what lies there now.
        tile: the tile to lay.
        first: the rule for the first tile of a hex.
        later: the rule for upgrades.
    """
    if spec.fixed:
        raise RuleError(f"No tile can be laid on {spec.called}.", first)
    wanted = _next_colour(of, before)
    if not wanted:
        raise RuleError(f"{spec.called} carries a {before.colour} tile, the last colour.", later)
    if tile.colour != wanted:
        state = "is empty" if before.colour == "plain" else f"is {before.colour} now"
        raise RuleError(
            f"{spec.called} {state} and takes a {wanted} tile next; tile {tile.name} is {tile.colour}.",
            first if before.colour == "plain" else later,
        )


def check_borders(spec: HexSpec, tile: Tile, rotation: int, beyond: str, rule: Rule) -> None:
    """Refuse a tile whose track would run where none may.

    Args:
        spec: the hex.
        tile: the tile as it would lie.
        rotation: how it is turned.
        beyond: what lies across a closed side that is no red border.
        rule: that forbids it.
    """
    for side in SIDES:
        if tile.sides & ~spec.open & 1 << side:
            what = "a red border" if side in spec.barriers else beyond
            raise RuleError(
                f"Tile {tile.name} with rotation {rotation} does not fit {spec.called}: its track would run "
                f"{side_name(side, spec.layout)} into {what}.",
                rule,
            )


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
        if renumbered(old, stops) <= new.pieces:
            return stops
    return None


def renumbered(old: Tile, stops: tuple[int, ...]) -> frozenset[tuple[int, int]]:
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
