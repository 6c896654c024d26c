"""What is printed on charters, certificates, trains and the stock market of 1862."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from engine.printed import Units, read
from engine.record import Record

Kind = Literal["freight", "local", "express"]
KINDS: tuple[Kind, ...] = ("freight", "express", "local")
"""The three types of train, in the order of the permits."""


class Charter(Record, frozen=True):
    """A railway: where it begins, and how it looks."""

    code: str
    name: str
    home: str
    place: str
    colour: str
    ink: str
    emblem: str


class Face(Record, frozen=True):
    """One side of a train card.

    Args:
        name: "1F", "2/3L"; band: letter of its band; kind: its type.
        scored, visited: large stations counted and passed, for Express and Local.
        hexes: steps a Freight may go.
    """

    name: str
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

    def face(self, kind: Kind) -> Face:
        """Return the side of the card with a type."""
        return {"freight": self.freight, "local": self.local, "express": self.express}[kind]


class Zone(Record, frozen=True):
    """A green zone: between two prices the first shares sold by others than the director are free (6.2)."""

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
        """The prices at which a company without a charter may start (5.5)."""
        return tuple(price for price in self.prices if self.lowest_start <= price <= self.highest_start)

    def free(self, price: int) -> int:
        """Return how many shares of a block are free at a price."""
        return next((zone.free for zone in self.green if zone.low <= price <= zone.high), 0)

    def par(self, price: int) -> int:
        """Return the space of the par chart for a price: the highest not above it, 54 at least (5.5, 13.5)."""
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


def _faces(bands: Mapping[str, Band]) -> dict[str, Face]:
    """Return the sides of all cards by their name, each knowing its band and type."""
    return {
        band.face(kind).name: msgspec.structs.replace(band.face(kind), band=band.name, kind=kind)
        for band in bands.values()
        for kind in KINDS
    }


_PACKAGE = "engine.titles.g1862"
_TRAINS = read(_PACKAGE, "trains.toml", _Trains, strict=False)
CHARTERS: Mapping[str, Charter] = {
    charter.code: charter for charter in read(_PACKAGE, "companies.toml", _Companies).company
}
MARKET = read(_PACKAGE, "market.toml", Market)
BANDS: Mapping[str, Band] = {band.name: band for band in _TRAINS.band}
FACES: Mapping[str, Face] = _faces(BANDS)
UNITS = MARKET.units
PLAYERS = _TRAINS.players
PHASES = "".join(BANDS)
"""The phases in their order; each has the letter of the band that starts it."""
