"""Hexes as anyone may see them: stops, tokens and track on them, runs over them, nothing of how they look."""

from typing import Literal

from engine.record import Record

INKS = ("plain", "yellow", "green", "russet", "grey", "red", "sea")
"""Grounds of hexes that every theme has a colour for; any other is told as ``#rrggbb``."""
Layout = Literal["flat", "pointy"]
FIRST_STOP = 10
"""What stands for the first stop of a hex in an end of its track; less are sides."""
StopKind = Literal["city", "town", "halt", "offboard"]


class Token(Record, frozen=True):
    """A base (station marker) in a slot; ``flipped`` when its company is bankrupt."""

    company: str
    flipped: bool = False


class Stop(Record, frozen=True):
    """A stop on a hex.

    Args:
        kind: city (large station), town (small), halt, or offboard.
        value: revenue in pounds; ``None`` where nothing is printed.
        values: for an offboard area the revenue by tile colour or phase, as printed.
        slots: how many bases fit; ``tokens`` is as long, ``None`` for a free slot.
        reserved: companies whose home base a slot is kept for.
        place: where it is drawn on the scale of the sides (0 south where hexes are flat, clockwise; 2.5
            between two sides), ``None`` for the centre.
        name: a name of its own where the hex has several (Shide).
        sign: what stands on a halt.
    """

    kind: StopKind
    value: int | None = None
    values: tuple[tuple[str, int], ...] = ()
    slots: int = 0
    tokens: tuple[Token | None, ...] = ()
    reserved: tuple[str, ...] = ()
    place: float | None = None
    name: str = ""
    sign: str = ""


class Track(Record, frozen=True):
    """A piece of track: each end a side 0-5, or a stop as ``10 + index``."""

    a: int
    b: int


class HexView(Record, frozen=True):
    """One hex as it lies on the table, rotated as it lies.

    Args:
        coord: "G5". x, y: column and row from 0; rows are halved where hexes are flat,
            columns where they are pointy.
        ink: one of ``INKS``, or ``#rrggbb``. tile: number of the tile laid, empty for the printed hex.
        letter: "N" of a hex or tile that needs its own tiles.
        cost: price of the terrain; terrain: "hill", "water" or empty.
        barriers: sides that track may not cross.
        homes: companies whose home this is, while their base is not placed.
        mark: "new"; "can" where a lay is legal; both.
        choice: number or letter of an option shown on the hex.
        faded: drawn pale, as surroundings.
        layout: of the map: flat-topped hexes, or pointy ones with sides 0 south-west, 1 west and so on.
    """

    coord: str
    x: int
    y: int
    name: str = ""
    ink: str = "plain"
    tile: str = ""
    letter: str = ""
    cost: int = 0
    terrain: str = ""
    barriers: tuple[int, ...] = ()
    homes: tuple[str, ...] = ()
    stops: tuple[Stop, ...] = ()
    track: tuple[Track, ...] = ()
    mark: Literal["", "new", "can", "new can"] = ""
    choice: str = ""
    faded: bool = False
    layout: Layout = "flat"


class Leg(Record, frozen=True):
    """The part of a run inside one hex; ends as in ``Track``."""

    coord: str
    a: int
    b: int


class Line(Record, frozen=True):
    """A run drawn on the map in a colour and dash of its own.

    Args:
        label: "4+2"; number: shown at both ends, from 1.
        legs: in the order of travel.
        words: "F2–F4–[G3]–G5 = 120".
        told: the same for who cannot see the map: "Cowes–(Ryde)–Newport £120".
    """

    label: str
    number: int
    legs: tuple[Leg, ...]
    words: str = ""
    told: str = ""
