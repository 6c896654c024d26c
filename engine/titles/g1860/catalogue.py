"""What is printed: headings of the rulebook, charters, certificates, trains, the market, both maps and their tiles."""

from functools import cache
from typing import Literal

import msgspec

from engine.finance.trains import PrintedTrain
from engine.printed import PrintedCompany, Units, read_data
from engine.rails.maps import Map, PrintedHex
from engine.rails.tiles import Manifest, read_tiles
from engine.record import Record, Rule


@cache
def rule(heading: str, edition: Literal["first", "second"] = "second") -> Rule:
    """Return what stands under a heading of the rulebook, such as ``"Buying Trains"``; it has no numbers."""
    return Rule("1860 (first edition)" if edition == "first" else "1860", heading)


class Destination(Record, frozen=True):
    """A destination of a company (Variant: Destinations); ``city`` -1 means any city of the hex."""

    name: str
    hex: str
    city: int
    bonus: int


class Charter(PrintedCompany, frozen=True):
    """A railway: layer, home, price of each base (the home base first), pars it may start at."""

    layer: int
    home: tuple[str, int]
    base_costs: tuple[int, ...]
    pars: tuple[int, ...]
    destinations: tuple[Destination, ...]


class Private(Record, frozen=True):
    """A private company; ``railway`` is the company its certificate is reserved in, or empty."""

    code: str
    name: str
    price: int
    revenue: int
    sold_for: int
    railway: str


class TrainKind(PrintedTrain, frozen=True):
    """A kind of train and the phase its first purchase starts.

    Args:
        cities, towns: the two numbers on the card. count: cards in the pile, -1 without end.
        rusts: kind that leaves the game. rounds: ORs a set. limit: trains a company may own.
        colours: tile colours that may be laid.
    """

    cities: int
    towns: int
    count: int
    price: int
    phase: str
    rusts: str
    rounds: int
    limit: int
    colours: tuple[str, ...]


class Market(Record, frozen=True):
    """The spaces of the stock market from the lowest to the highest, and its zones."""

    units: Units
    prices: tuple[int, ...]
    pars: tuple[int, ...]
    red_below: int
    red_above: int
    lowest_new_par: int

    def is_red_letter(self, price: int) -> bool:
        """Return whether a price stands in a red-letter zone, where the first share sold is free."""
        return price < self.red_below or price > self.red_above


class Players(Record, frozen=True):
    """Cash and certificate limit by number of players, and the bank's money for players."""

    cash: dict[int, int]
    certificates: dict[int, int]
    bank: int


class Catalogue(Record, frozen=True):
    """Everything printed, by code or name in printed order."""

    charters: dict[str, Charter]
    privates: dict[str, Private]
    trains: dict[str, TrainKind]
    market: Market
    players: Players


class _Companies(msgspec.Struct):
    company: list[Charter]
    private: list[Private]


class _Trains(msgspec.Struct):
    train: list[TrainKind]
    players: Players


@cache
def load_catalogue() -> Catalogue:
    """Return the printed data, read once."""
    package = "engine.titles.g1860"
    companies = read_data(package, "companies.toml", _Companies)
    trains = read_data(package, "trains.toml", _Trains, strict=False)
    return Catalogue(
        charters={charter.code: charter for charter in companies.company},
        privates={private.code: private for private in companies.private},
        trains={kind.name: kind for kind in trains.train},
        market=read_data(package, "market.toml", Market),
        players=trains.players,
    )


CHARTERS = load_catalogue().charters
PRIVATES = load_catalogue().privates
TRAINS = load_catalogue().trains
PHASES = {kind.phase: kind for kind in TRAINS.values()}
"""The kind of train that began each phase, with the row of the chart."""
COLOURS = {phase: kind.colours for phase, kind in PHASES.items()}
"""The tile colours that may be laid in each phase."""
MARKET = load_catalogue().market
UNITS = MARKET.units
PLAYERS = load_catalogue().players
LOTS = (*[code for code, private in PRIVATES.items() if private.railway], "C&N", "IOW")
"""What is sold in the initial auction."""


class _Tiles(msgspec.Struct, forbid_unknown_fields=True):
    counts: dict[str, int]
    codes: dict[str, dict[str, str]]


class _Difference(msgspec.Struct, forbid_unknown_fields=True):
    without: tuple[str, ...] = ()
    counts: dict[str, int] = {}


class _Maps(msgspec.Struct, forbid_unknown_fields=True):
    barriers: tuple[tuple[str, str], ...]
    hexes: dict[str, PrintedHex]
    maps: dict[str, _Difference]


MAPS = ("extended", "original")


@cache
def load_map(name: str) -> Map:
    """Return the "extended" or the "original" map with its manifest.

    Rule: 1860, The Map.
    """
    tiles = read_data("engine.titles.g1860", "tiles.toml", _Tiles)
    maps = read_data("engine.titles.g1860", "maps.toml", _Maps)
    difference = maps.maps[name]
    hexes = {coord: of for coord, of in maps.hexes.items() if coord not in difference.without}
    barriers = [pair for pair in maps.barriers if not set(pair) & set(difference.without)]
    counts = {**tiles.counts, **difference.counts}
    return Map(name, hexes, barriers, Manifest(read_tiles("tiles.toml", tiles.codes), counts))
