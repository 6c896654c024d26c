"""Laying tiles: what players say, which tile may follow which, the fact, and what most people would build."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from engine.brief import Bit
from engine.errors import RuleError
from engine.rails.board import Board
from engine.rails.maps import HexSpec, Map, name_side, opposite_side
from engine.rails.tiles import SIDES, STOP, Stop, Tile
from engine.record import Action, Event, Rule

F = TypeVar("F")
Becomes = Callable[[Stop, Stop], bool]
Promise = tuple[int, int, int, int]
"""What speaks against a lay: less is better."""
BARE = 10
"""What a stop is taken to be worth before a tile gives it a value."""
NEAR = (3, 2, 1)
"""How much the stops of a home count, of the hexes around it, and of those around them."""


class LayTile(Action, frozen=True, tag="tile"):
    """Lay or upgrade a track tile."""

    verb = "tile"
    brief = "lay a tile"
    helps = {"hex": "Where", "choice": "The tile and its rotation"}
    asks = {"hex": "Where do you lay a tile?", "choice": "Which tile, in which rotation?"}
    command = {"hex": ("hex",), "choice": ("tile", "rotation")}
    usual = {"tile": "", "rotation": "-1"}  # left out only where none can be laid; the check says why
    hex: str
    tile: str
    rotation: int

    @property
    def is_whole(self) -> bool:
        """Whether it names a tile and its rotation."""
        return bool(self.tile) and self.rotation >= 0


def lay_on_board(board: Board, lay: LayTile) -> Board:
    """Return the board with the tile of a lay on it; no rule is asked."""
    return board.with_tile(lay.hex, lay.tile, lay.rotation)


def simplify_rotation(board: Board, action: Action) -> Action:
    """Return a lay with the lowest rotation that looks the same on the table; other actions as they are."""
    manifest = board.map.manifest
    if not isinstance(action, LayTile) or action.tile not in manifest or not action.is_whole:
        return action
    return LayTile(action.hex, action.tile, manifest.find_plainest_rotation(action.tile, action.rotation))


class TileLaid(Event, frozen=True):
    """A company laid or upgraded a tile.

    Args:
        cost: what it paid for the terrain.
        home: it lies under the company's home, not laid in its turn.
    """

    company: str
    hex: str
    tile: str
    rotation: int
    cost: int = 0
    home: bool = False


def say_tile_laid(event: TileLaid, place: str, cost: str = "") -> str:
    """Return a lay in words: "C&N lays tile 8, turned by 120°, on Ryde (I3) for 20cc."; ``cost`` is what was paid."""
    home, paid = f", its home{',' * bool(event.cost)}" * event.home, f" for {cost}" if event.cost else ""
    turned = f", turned by {event.rotation * 60}°," if event.rotation else ""
    return f"{event.company} lays tile {event.tile}{turned} on {place}{home}{paid}."


def tell_tile(event: TileLaid, _: Sequence[str], seat: int) -> Bit | None:
    """Return a lay in few words for a seat; the result of a turn, for no one, leaves it to the map."""
    return Bit(event.company, f"tile on {event.hex}", "# tiles", "tile", 1) if seat >= 0 else None


def list_upgrades(of: Map, spec: HexSpec, before: Tile) -> tuple[str, ...]:
    """Return the tiles of the colour after the one lying on a hex, by name."""
    wanted = "" if spec.is_fixed else _find_next_colour(of, before)
    return of.manifest.by_colour[wanted] if wanted else ()


def _find_next_colour(of: Map, before: Tile) -> str:
    """Return the colour after the one of a tile, empty for the last."""
    colours = of.manifest.colours
    return "" if before.colour == colours[-1] else colours[colours.index(before.colour) + 1]


def find_fitting_tiles(names: Iterable[str], check: Callable[[str, int], F]) -> tuple[F, ...]:
    """Return what a check returns for each tile, in every rotation, that it does not refuse."""
    found = []
    for name in names:
        for rotation in SIDES:
            try:
                found.append(check(name, rotation))
            except RuleError:
                continue
    return tuple(found)


def check_hex_and_tile(board: Board, coord: str, name: str, rotation: int, no_hex: Rule, no_tile: Rule) -> None:
    """Refuse a hex that the map has not, and a tile or a rotation that there is not."""
    if coord not in board:
        raise RuleError(f"There is no hex {coord[:20]} on this map.", no_hex)
    if name not in board.map.manifest.counts or rotation not in SIDES:
        raise RuleError(f"There is no tile {name[:20]} with rotation {rotation}.", no_tile)


def explain_hex(board: Board, lay: LayTile, check: Callable[[LayTile], object], rule: Rule) -> RuleError:
    """Return why no tile can be laid on a hex, or not the one that was named, whatever its rotation.

    A refusal that doesn't name a tile would remain for any other; such a one is the reason.
    """
    names = [lay.tile] if lay.tile else [*board.map.manifest.counts]
    if lay.tile and lay.tile not in board.map.manifest.counts:
        return RuleError(f"There is no tile {lay.tile[:20]}.", rule)
    refusals: dict[str, RuleError] = {}
    for name in names:
        for rotation in SIDES:
            try:
                check(LayTile(lay.hex, name, rotation))
            except RuleError as refusal:
                if not re.search(rf"\b[Tt]ile {re.escape(name)}\b", refusal.sentence):
                    return refusal
                refusals[refusal.sentence] = refusal
            else:
                return RuleError(f"Name the tile and its rotation to lay on {board.spec(lay.hex).full_name}.", rule)
    if len(refusals) == 1:
        return next(iter(refusals.values()))
    which = f"Tile {lay.tile} can't be laid" if lay.tile else "No tile that is left can be laid"
    return RuleError(f"{which} on {board.spec(lay.hex).full_name} in any rotation.", rule)


def check_phase(colour: str, colours: Collection[str], phases: Mapping[str, Collection[str]], rule: Rule) -> None:
    """Refuse a colour that may not be laid in this phase: ``colours`` may; ``phases`` has those of each, in order."""
    if colour not in colours:
        begins = next(phase for phase, laid in phases.items() if colour in laid)
        raise RuleError(f"{colour.capitalize()} tiles can't be laid before phase {begins}.", rule)


def check_supply(name: str, rule: Rule, *, left: bool) -> None:
    """Refuse a tile of which none is left."""
    if not left:
        raise RuleError(f"No copies of tile {name} are left.", rule)


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
    if spec.is_fixed:
        raise RuleError(f"No tile can be laid on {spec.full_name}.", first)
    wanted = _find_next_colour(of, before)
    if not wanted:
        raise RuleError(f"{spec.full_name} has a {before.colour} tile, which can't be upgraded.", later)
    if tile.colour != wanted:
        state = "has no tile" if before.colour == "plain" else f"is {before.colour}"
        raise RuleError(
            f"{spec.full_name} {state}, so it takes a {wanted} tile; tile {tile.name} is {tile.colour}.",
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
                f"Tile {tile.name} with rotation {rotation} doesn't fit {spec.full_name}: its track would run "
                f"{name_side(side, spec.layout)} into {what}.",
                rule,
            )


def match_old_stops(old: Tile, new: Tile, becomes: Becomes) -> tuple[int, ...] | None:
    """Find which stop of the new tile each old stop becomes, or ``None``.

    All old track must be there again, between the same sides and stops; no
    two old stops become one. Of several ways the first in order is taken.

    Args:
        old: what lies there now, as it lies.
        new: the tile as it would lie.
        becomes: whether an old stop may become a new one, by kind.
    """
    if old.sides & ~new.sides:
        return None
    for stops in _list_matches(old.stops, new.stops, becomes, ()):
        if renumber_track(old, stops) <= new.pieces:
            return stops
    return None


def renumber_track(old: Tile, stops: tuple[int, ...]) -> frozenset[tuple[int, int]]:
    """Return the old track in terms of the new tile's stops."""
    ends = (*range(STOP), *(STOP + stop for stop in stops))
    return frozenset((min(ends[a], ends[b]), max(ends[a], ends[b])) for a, b in old.pieces)


def _list_matches(
    old: tuple[Stop, ...], new: tuple[Stop, ...], becomes: Becomes, chosen: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    if len(chosen) == len(old):
        yield chosen
        return
    stop = old[len(chosen)]
    for index, other in enumerate(new):
        if index not in chosen and becomes(stop, other):
            yield from _list_matches(old, new, becomes, (*chosen, index))


def order_lays(board: Board, lays: Sequence[LayTile]) -> list[LayTile]:
    """Return lays hex by hex, the most promising first; those alike keep their order.

    Each is looked at with its neighbours only: what it pays more than what lies there, how many of its
    new sides meet track, what the others lead towards, how few lead nowhere. No route is searched.
    """
    promise = {lay: _rate_lay(board, lay) for lay in lays}
    best: dict[str, Promise] = {}
    for lay in lays:
        best[lay.hex] = min(best.get(lay.hex, promise[lay]), promise[lay])
    places = {coord: number for number, coord in enumerate(best)}
    return sorted(lays, key=lambda lay: (best[lay.hex], places[lay.hex], promise[lay]))


def _rate_lay(board: Board, lay: LayTile) -> Promise:
    old, new = board.tile(lay.hex), board.map.manifest.find_turned(lay.tile, lay.rotation)
    more = max((stop.value or 0 for stop in new.stops), default=0) - find_printed_value(board, lay.hex)
    fresh = [side for side in SIDES if new.sides & ~old.sides & 1 << side]
    met = sum(_has_track_to(board, lay.hex, side) for side in fresh)
    ahead = sum(
        _best_stop_value(board, there.coord)
        for side in fresh
        if (there := board.map.find_neighbour(lay.hex, side)) is not None
    )
    return (-more, -met, -ahead, len(fresh))


def _best_stop_value(board: Board, coord: str) -> int:
    """Return what the best stop of a hex pays, or is taken to pay; 0 without one."""
    return max((stop.value or BARE for stop in board.tile(coord).stops), default=0)


def rate_home(board: Board, coord: str) -> int:
    """Return how good a home is: what its stop pays and those that lie up to two hexes away."""
    seen, ring, total = {coord}, {coord}, 0
    for weight in NEAR:
        total += weight * sum(_best_stop_value(board, each) for each in ring)
        beyond = (board.map.find_neighbour(each, side) for each in ring for side in SIDES)
        ring = {there.coord for there in beyond if there is not None} - seen
        seen |= ring
    return total


def _has_track_to(board: Board, coord: str, side: int) -> bool:
    """Return whether track runs to a side from the hex beyond it."""
    there = board.map.find_neighbour(coord, side)
    return there is not None and bool(board.tile(there.coord).sides >> opposite_side(side) & 1)


def find_printed_value(board: Board, coord: str) -> int:
    """Return the most that a stop of a hex pays, as printed."""
    return max((stop.value or 0 for stop in board.tile(coord).stops), default=0)
