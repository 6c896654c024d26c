"""Which tile fits which hex of 1862, by geometry alone (11.2-11.4)."""

from functools import lru_cache

from engine.errors import RuleError
from engine.rails.board import Board
from engine.rails.laying import check_borders, check_colour, check_named, fitting, following, renumbered
from engine.rails.maps import HexSpec, Map
from engine.rails.tiles import SIDES, Tile
from engine.record import Record
from engine.titles.g1862 import geography
from engine.titles.g1862.rulebook import rule

OWN_RUSSET = {"F11": "Ipswich", "F13": "Harwich"}
"""Hexes with a russet tile of their own (11.2)."""


class Fit(Record, frozen=True):
    """A tile in a rotation that fits a hex.

    Args:
        tile: as known on the board, with the small stations that stay; plain: the number on it.
        fresh: sides that no track ran to before; city: it has a large station.
    """

    coord: str
    tile: str
    rotation: int
    plain: str
    colour: str
    fresh: tuple[int, ...]
    city: bool


def fits(board: Board, coord: str) -> tuple[Fit, ...]:
    """Return every tile of the next colour, in every rotation, that fits a hex; supply is not asked."""
    return _fits(board.map, coord, board.laid.get(coord))


@lru_cache(maxsize=4096)
def _fits(of: Map, coord: str, lying: tuple[str, int] | None) -> tuple[Fit, ...]:
    spec = of.hexes[coord]
    before = of.manifest.turned(*lying) if lying else spec.printed
    plain = (name for name in following(of, spec, before) if name == geography.plain_name(name))
    return fitting(plain, lambda name, rotation: _check(of, spec, lying, name, rotation))


def sides_fit(board: Board, coord: str) -> tuple[str, ...]:
    """Return the tiles of the next colour and the right letter whose sides fit a hex in some rotation.

    No more may be asked when a home marker needs room; see ``homes.can_grow``.
    """
    spec, before = board.spec(coord), board.tile(coord)
    letters = {spec.letter, OWN_RUSSET.get(coord)}
    found = []
    for name in following(board.map, spec, before):
        tiles = [board.map.manifest.turned(name, rotation) for rotation in SIDES]
        fits = any(not before.sides & ~tile.sides and not tile.sides & ~spec.open for tile in tiles)
        if name == geography.plain_name(name) and tiles[0].letter in letters and fits:
            found.append(name)
    return tuple(found)


def check_fit(board: Board, coord: str, name: str, rotation: int) -> Fit:
    """Check that a tile fits a hex in a rotation; neither supply nor phase is asked.

    Raises:
        RuleError: there is no such hex or tile, or it does not fit.

    Rule: 1862 11.2-11.4.
    """
    check_named(board, coord, name, rotation, rule("11.2"), rule("11.2"))
    return _check(board.map, board.spec(coord), board.laid.get(coord), name, rotation)


def _check(of: Map, spec: HexSpec, lying: tuple[str, int] | None, name: str, rotation: int) -> Fit:
    before = of.manifest.turned(*lying) if lying else spec.printed
    tile = of.manifest.turned(name, rotation)
    check_colour(of, spec, before, tile, rule("11.2"), rule("11.4"))
    _check_kind(spec, before, tile)
    check_borders(spec, tile, rotation, "sea without a port, or off the map", rule("11.2"))
    if not _keeps(lying, before, tile, (name, rotation)):
        raise RuleError(f"Tile {name} turned this way does not keep the track on {spec.called}.", rule("11.4"))
    built = geography.stations(*lying) if lying and not before.has("city") else ()
    fresh = tuple(side for side in SIDES if tile.sides & ~before.sides & 1 << side)
    known = geography.with_stations(name, rotation, built) if built else name
    return Fit(spec.coord, known, rotation, name, tile.colour, fresh, tile.has("city"))


def _keeps(lying: tuple[str, int] | None, before: Tile, tile: Tile, new: tuple[str, int]) -> bool:
    """Tell whether all old track is on the new tile: lines between the same sides, sides of a city (11.4)."""
    if lying is None:
        return True
    if before.has("city"):
        return renumbered(before, (0,)) <= tile.pieces
    return set(geography.lines(*lying)) <= set(geography.lines(*new))


def _check_kind(spec: HexSpec, before: Tile, tile: Tile) -> None:
    """Refuse a tile for the other size of station, or without the letter of the hex."""
    large = spec.printed.has("city")
    if tile.has("city") != large:
        what = "a large station" if large else "small stations"
        raise RuleError(f"Tile {tile.name} does not fit {spec.called}, which has {what}.", rule("11.2"))
    letter = spec.letter
    if before.colour == "green":
        letter = OWN_RUSSET.get(spec.coord, letter)
    if tile.letter != letter:
        needs = f"needs a tile with the letter {letter}" if letter else "takes tiles without a letter only"
        raise RuleError(f"Tile {tile.name} does not fit {spec.called}, which {needs}.", rule("11.2"))
