"""What is printed: the rulebook's sections, charters, trains, the stock market, the map and its tiles.

A small station is added to a line of a green or russet tile that lies on the
board (§7.6.4). Each such tile therefore exists with every set of stations: tile
20 with a station on its second line is known here as ``20+1``. All of them
are one tile of the supply.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import combinations
from typing import Literal

import msgspec

from engine.finance.trains import PrintedTrain
from engine.printed import PrintedCompany, Units, read_data
from engine.rails.board import Board
from engine.rails.maps import Map, PrintedHex
from engine.rails.tiles import SIDES, STOP, Manifest, Stop, Tile, read_tiles
from engine.record import Record, Rule

Kind = Literal["freight", "local", "express"]
KINDS: tuple[Kind, ...] = ("freight", "express", "local")
"""The three types of train, in the order of the permits."""


@cache
def rule(section: str) -> Rule:
    """Return a section of the rulebook, such as ``"7.11.2"``."""
    return Rule("1862", f"§{section}")


class Charter(PrintedCompany, frozen=True):
    """A railway: where it begins, and how it looks."""

    home: str


class Face(PrintedTrain, frozen=True):
    """One side of a train card.

    Args:
        name: "1F", "2/3L"; band: letter of its band; kind: its type.
        scored, visited: large stations counted and passed, for Express and Local.
        hexes: steps a Freight may go.
    """

    scored: int
    visited: int
    hexes: int
    band: str = ""
    kind: Kind = "freight"


class Band(Record, frozen=True):
    """A band of trains, with the phase its first purchase starts.

    Args:
        rusts_at: band whose first train removes these; warranties: free ones.
        counts: cards by length of the game, -1 without end.
        colours, rounds, level: tiles, operating rounds and value of ports in the phase.
        limit_each, limit_all: trains a company may own, of a type and in all; 0 for none.
    """

    name: str
    price: int
    rusts_at: str
    warranties: int
    counts: dict[str, int]
    colours: tuple[str, ...]
    rounds: int
    level: str
    limit_each: int
    limit_all: int
    freight: Face
    local: Face
    express: Face

    def find_face(self, kind: Kind) -> Face:
        """Return the side of the card with a type."""
        return {"freight": self.freight, "local": self.local, "express": self.express}[kind]


class Zone(Record, frozen=True):
    """A green zone: between two prices the first shares sold by others than the director are free (§6.4.2)."""

    low: int
    high: int
    free: int


class Market(Record, frozen=True):
    """The spaces of the stock market from the lowest to the highest."""

    units: Units
    prices: tuple[int, ...]
    pars: tuple[int, ...]
    lowest_start: int
    highest_start: int
    green: tuple[Zone, ...]

    @property
    def starts(self) -> tuple[int, ...]:
        """The prices at which a company without a charter may start (§6.5.3)."""
        return tuple(price for price in self.prices if self.lowest_start <= price <= self.highest_start)

    def count_free_shares(self, price: int) -> int:
        """Return how many shares of a block are free at a price."""
        return next((zone.free for zone in self.green if zone.low <= price <= zone.high), 0)

    def find_par(self, price: int) -> int:
        """Return the space of the par chart for a price: the highest not above it, 54 at least (§6.5.3, §7.5.4)."""
        return max((par for par in self.pars if par <= price), default=self.pars[0])


class Players(Record, frozen=True):
    """Cash and certificate limit by number of players, and the bank's money."""

    bank: int
    cash: dict[int, int]
    certificates: dict[int, int]


class _Companies(msgspec.Struct):
    company: list[Charter]


class _Trains(msgspec.Struct):
    band: list[Band]
    players: Players


_PACKAGE = "engine.titles.g1862"
_TRAINS = read_data(_PACKAGE, "trains.toml", _Trains, strict=False)
CHARTERS: Mapping[str, Charter] = {
    charter.code: charter for charter in read_data(_PACKAGE, "companies.toml", _Companies).company
}
MARKET = read_data(_PACKAGE, "market.toml", Market)
BANDS: Mapping[str, Band] = {band.name: band for band in _TRAINS.band}
COLOURS = {band.name: band.colours for band in BANDS.values()}
"""The tile colours that may be laid in each phase."""
FACES: Mapping[str, Face] = {
    band.find_face(kind).name: msgspec.structs.replace(band.find_face(kind), band=band.name, kind=kind)
    for band in BANDS.values()
    for kind in KINDS
}
UNITS = MARKET.units
PLAYERS = _TRAINS.players
PHASES = "".join(BANDS)
"""The phases in their order; each has the letter of the band that starts it."""


STATION_VALUE = 20
"""What a small station earns (§7.8.2)."""
LONDON = "London"
LONDON_BOXES = ("B15", "D15")
"""Hexes beside London, each with two of its four spaces."""

Sides = tuple[int, int]
"""The two sides that a line of track joins, lower first."""


class _Tiles(msgspec.Struct, forbid_unknown_fields=True):
    counts: dict[str, int]
    tiles: dict[str, dict[str, str]]


class _Map(msgspec.Struct, forbid_unknown_fields=True):
    barriers: tuple[tuple[str, str], ...]
    hexes: dict[str, PrintedHex]


@cache
def load_map() -> Map:
    """Return the map with its manifest."""
    tiles = read_data("engine.titles.g1862", "tiles.toml", _Tiles)
    printed = read_data("engine.titles.g1862", "map.toml", _Map)
    plain = read_tiles("tiles.toml", tiles.tiles)
    return Map("1862", printed.hexes, printed.barriers, Manifest(_add_station_variants(plain), tiles.counts))


def _add_station_variants(plain: Mapping[str, Tile]) -> dict[str, Tile]:
    """Return the tiles, and those without a stop with every set of small stations too."""
    found = dict(plain)
    for name, tile in plain.items():
        if not tile.stops:
            numbers = range(len(tile.track))
            for many in range(1, len(tile.track) + 1):
                for lines in combinations(numbers, many):
                    found[make_tile_name(name, lines)] = _build_stations(tile, lines)
    return found


def _build_stations(tile: Tile, lines: tuple[int, ...]) -> Tile:
    track: list[tuple[int, int]] = [piece for line, piece in enumerate(tile.track) if line not in lines]
    for stop, line in enumerate(lines):
        a, b = tile.track[line]
        track += [(a, STOP + stop), (STOP + stop, b)]
    stops = tuple(Stop("town", STATION_VALUE, place=float(tile.track[line][0])) for line in lines)
    return Tile(tile.name, tile.colour, tile.letter, stops, tuple(track))


def make_tile_name(name: str, lines: tuple[int, ...] = ()) -> str:
    """Return how a tile with stations on these lines is known on the board."""
    return f"{name}+{''.join(map(str, sorted(lines)))}" if lines else name


def find_plain_name(name: str) -> str:
    """Return the number printed on a tile, whatever stations stand on it."""
    return name.partition("+")[0]


def list_lines(name: str, rotation: int) -> tuple[Sides, ...]:
    """Return the lines of a small-station tile as it lies, each by its two sides; none of other tiles."""
    return _list_lines(find_plain_name(name), rotation)


@lru_cache(maxsize=1024)
def _list_lines(name: str, rotation: int) -> tuple[Sides, ...]:
    tile = load_map().manifest.find_turned(name, rotation)
    if tile.has_stop("city"):
        return ()
    if tile.stops:
        a, b = (side for side in range(6) if tile.joins[side])
        return ((a, b),)
    return tuple((min(a, b), max(a, b)) for a, b in tile.track)


def list_stations(name: str, rotation: int) -> tuple[Sides, ...]:
    """Return the lines of a tile as it lies that bear a small station."""
    plain, _, built = name.partition("+")
    all_lines = list_lines(plain, rotation)
    if load_map().manifest[plain].stops:
        return all_lines
    return tuple(all_lines[int(line)] for line in built)


def find_shape(name: str, rotation: int) -> tuple[int, ...]:
    """Return what a tile with small stations has in common with all that look like it: the lines they stand on.

    Of the turns in which the plain tile looks alike, the one with the lowest numbers tells them.
    """
    shown, built = set(list_lines(name, rotation)), list_stations(name, rotation)
    turned = (list_lines(name, turn) for turn in SIDES)
    return min(tuple(sorted(alike.index(line) for line in built)) for alike in turned if set(alike) == shown)


def find_tile_name(name: str, rotation: int, built: tuple[Sides, ...]) -> str:
    """Return how a tile is known that bears stations on these lines of it."""
    if load_map().manifest[find_plain_name(name)].stops:
        return name
    all_lines = list_lines(name, rotation)
    return make_tile_name(find_plain_name(name), tuple(all_lines.index(line) for line in built))


def count_left(board: Board, name: str) -> int:
    """Return how many tiles of a number are in the supply, small stations or not."""
    plain = find_plain_name(name)
    used = sum(1 for lying, _ in board.laid.values() if find_plain_name(lying) == plain)
    return board.map.manifest.counts[plain] - used
