"""Which tile fits which hex of 1860, by geometry alone."""

from functools import lru_cache

from engine.errors import RuleError
from engine.rails.board import Board
from engine.rails.laying import (
    check_borders,
    check_colour,
    check_hex_and_tile,
    find_fitting_tiles,
    list_upgrades,
    match_old_stops,
    renumber_track,
)
from engine.rails.maps import HexSpec, Map
from engine.rails.tiles import Stop, Tile
from engine.record import Record
from engine.titles.g1860.catalogue import rule

_SMALL = ("town", "halt")


class Fit(Record, frozen=True):
    """A tile in a rotation that fits a hex.

    Args:
        stops: for each old stop, which stop of the tile it becomes.
        sides: bits of the hexsides that its track runs to (``HexSpec.sides``).
        fresh: pieces of track that were not there before.
        raised: stops worth more than before, or not there before.
    """

    coord: str
    tile: str
    rotation: int
    stops: tuple[int, ...]
    sides: int
    fresh: frozenset[tuple[int, int]]
    raised: frozenset[int]


def may_become(old: Stop, new: Stop) -> bool:
    """Return whether an old stop may become a new one: a halt may rise to a town, not the reverse (Upgrading Track)."""
    if old.kind in _SMALL and new.kind in _SMALL:
        return old.value is None or old.kind == "halt" or new.kind == "town"
    return old.kind == new.kind


def list_fits(board: Board, coord: str) -> tuple[Fit, ...]:
    """Return every tile of the next colour, in every rotation, that fits a hex; supply is not asked."""
    return _list_fits(board.map, coord, board.laid.get(coord))


@lru_cache(maxsize=4096)
def _list_fits(of: Map, coord: str, lying: tuple[str, int] | None) -> tuple[Fit, ...]:
    spec = of.hexes[coord]
    before = of.manifest.find_turned(*lying) if lying else spec.printed
    return find_fitting_tiles(
        list_upgrades(of, spec, before), lambda name, rotation: _check_tile(of, spec, before, name, rotation)
    )


def check_fit(board: Board, coord: str, name: str, rotation: int) -> Fit:
    """Check that a tile fits a hex in a rotation; neither supply nor phase is asked.

    Raises:
        RuleError: there is no such hex or tile, or it does not fit.

    Rule: 1860, Track Tiles; Upgrading Track; Special rules for tile placement.
    """
    check_hex_and_tile(board, coord, name, rotation, rule("Track Tiles"), rule("Track Tiles"))
    return _check_tile(board.map, board.spec(coord), board.tile(coord), name, rotation)


def _check_tile(of: Map, spec: HexSpec, before: Tile, name: str, rotation: int) -> Fit:
    tile = of.manifest.find_turned(name, rotation)
    coord = spec.coord
    check_colour(of, spec, before, tile, rule("Track Tiles"), rule("Upgrading Track"))
    if tile.letter != spec.letter:
        needs = f"needs tiles with the letter {spec.letter}" if spec.letter else "takes only tiles without a letter"
        raise RuleError(f"Tile {name} doesn't fit {spec.full_name}, which {needs}.", rule("Track Tiles"))
    if tile.fixed and rotation:
        raise RuleError(f"Tile {name} can only be laid with rotation 0.", rule("Special rules for tile placement"))
    check_borders(spec, tile, rotation, "sea or land that can't be built on", rule("Laying Track"))
    stops = match_old_stops(before, tile, may_become) if _has_same_stops(before, tile) else None
    if stops is None:
        raise RuleError(
            _explain_misfit(spec, before, tile), rule("Track Tiles" if before.colour == "plain" else "Upgrading Track")
        )
    return Fit(
        coord, name, rotation, stops, spec.side_bits(tile.sides), tile.pieces - renumber_track(before, stops),
        _find_raised_stops(before, tile, stops),
    )  # fmt: skip


def _has_same_stops(before: Tile, tile: Tile) -> bool:
    """Return whether the tile has as many cities and small stops; lettered towns may gain a city."""
    old, new = _count_stops(before), _count_stops(tile)
    return old[1] == new[1] and (old[0] == new[0] or (bool(tile.letter) and 0 < old[0] < new[0]))


def _count_stops(tile: Tile) -> tuple[int, int]:
    small = sum(1 for stop in tile.stops if stop.kind in _SMALL)
    return len(tile.stops) - small, small


def _find_raised_stops(before: Tile, tile: Tile, stops: tuple[int, ...]) -> frozenset[int]:
    old = {new: before.stops[index].value or 0 for index, new in enumerate(stops)}
    return frozenset(index for index, stop in enumerate(tile.stops) if (stop.value or 0) > old.get(index, -1))


def _explain_misfit(spec: HexSpec, before: Tile, tile: Tile) -> str:
    """Return the sentence for a tile whose stops or track do not match the hex."""
    if not _has_same_stops(before, tile):
        has = f"{spec.coord} has {_describe_stops(before)}, the tile {_describe_stops(tile)}"
        return f"Tile {tile.name} doesn't fit {spec.coord}: {has}."
    if before.sides & ~tile.sides or not before.stops:
        return f"Tile {tile.name} in this rotation doesn't keep the track that is on {spec.coord}."
    return f"Tile {tile.name} in this rotation doesn't keep the track and stations of {spec.coord} as they are."


def _describe_stops(tile: Tile) -> str:
    cities, small = _count_stops(tile)
    words = [f"{n} {what}{'s' if n > 1 else ''}" for n, what in ((cities, "town"), (small, "village")) if n]
    return " and ".join(words) or "neither town nor village"
