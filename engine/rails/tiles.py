"""Tiles: what is printed on them, read from the tile code that is usual for 18xx.

``city=revenue:20;path=a:0,b:_0;path=a:_0,b:3`` is one city with two exits.
Ends of track are sides 0-5 or ``_n``, the stop of that number in the order
written. Known parts: ``city``, ``town``, ``halt``, ``offboard`` (with
``revenue``, ``slots``, ``loc``, ``name``, ``sign``), ``path``, ``label`` and ``fixed``
(only rotation 0 is legal).
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import get_args

import msgspec

from engine.hex_view import INKS, StopKind
from engine.record import Record

STOP = 10
"""An end of track from here on is a stop: ``STOP + index``."""


_NO_INKS: Mapping[str, str] = MappingProxyType({})


SIDES = range(6)


class DataError(ValueError):
    """A component that cannot be read; names file, key and reason."""

    def __init__(self, source: str, key: str, reason: str) -> None:
        super().__init__(f"{source}: {key}: {reason}")


class Stop(Record, frozen=True):
    """A stop as printed.

    Args:
        kind: city, town, halt or offboard.
        value: revenue in pounds; ``None`` where nothing is built yet.
        values: of an offboard, revenue by tile colour or phase.
        slots: how many bases fit.
        place: where it is drawn on the scale of the sides, ``None`` in the centre.
        name: a name of its own; sign: what stands on a halt, as the currency of its subsidy.
    """

    kind: StopKind
    value: int | None = None
    values: tuple[tuple[str, int], ...] = ()
    slots: int = 0
    place: float | None = None
    name: str = ""
    sign: str = ""


class Tile(Record, frozen=True):
    """A tile, or what is printed on a hex, as it lies.

    Args:
        name: number on the tile, empty for a printed hex.
        track: pieces of track; each end a side 0-5 or ``STOP + index``.
        fixed: only rotation 0 is legal. ink: ``#rrggbb`` of a colour that themes do not have.
        sides: bit ``1 << side`` for each side that track runs to; derived.
        joins: for each end, the ends that its track leads to; derived.
        pieces: the pieces of track, lower end first; derived.
    """

    name: str
    colour: str = "plain"
    letter: str = ""
    stops: tuple[Stop, ...] = ()
    track: tuple[tuple[int, int], ...] = ()
    fixed: bool = False
    sides: int = 0
    joins: tuple[tuple[int, ...], ...] = ()
    pieces: frozenset[tuple[int, int]] = frozenset()
    ink: str = ""

    def __post_init__(self) -> None:
        joins: list[list[int]] = [[] for _ in range(STOP + len(self.stops))]
        for a, b in self.track:
            joins[a].append(b)
            joins[b].append(a)
        msgspec.structs.force_setattr(self, "joins", tuple(tuple(ends) for ends in joins))
        msgspec.structs.force_setattr(self, "pieces", frozenset((min(a, b), max(a, b)) for a, b in self.track))
        msgspec.structs.force_setattr(self, "sides", sum(1 << side for side in SIDES if joins[side]))

    def turn(self, rotation: int) -> "Tile":
        """Return the tile turned clockwise by so many sixths."""
        return msgspec.structs.replace(
            self,
            stops=tuple(_turn_stop(stop, rotation) for stop in self.stops),
            track=tuple((_turn_end(a, rotation), _turn_end(b, rotation)) for a, b in self.track),
        )

    def has_stop(self, kind: StopKind) -> bool:
        """Return whether a stop of this kind is on it."""
        return any(stop.kind == kind for stop in self.stops)


def _turn_end(end: int, rotation: int) -> int:
    return end if end >= STOP else (end + rotation) % 6


def _turn_stop(stop: Stop, rotation: int) -> Stop:
    if stop.place is None:
        return stop
    return msgspec.structs.replace(stop, place=(stop.place + rotation) % 6)


class Manifest:
    """All tiles of a game in their six rotations, and how many there are of each."""

    def __init__(self, tiles: Mapping[str, Tile], counts: Mapping[str, int]) -> None:
        self.counts = dict(counts)
        self.inks = {tile.colour: tile.ink for tile in tiles.values() if tile.ink}
        self._turned = {name: tuple(tile.turn(turn) for turn in SIDES) for name, tile in tiles.items()}

    def __contains__(self, name: str) -> bool:
        return name in self._turned

    def __getitem__(self, name: str) -> Tile:
        return self._turned[name][0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._turned)

    def find_turned(self, name: str, rotation: int) -> Tile:
        """Return the tile as it lies when laid with this rotation, 0-5."""
        return self._turned[name][rotation]

    @cached_property
    def by_colour(self) -> Mapping[str, tuple[str, ...]]:
        """The tile numbers of each colour, in the order of the file."""
        colours: dict[str, list[str]] = {}
        for name, turns in self._turned.items():
            colours.setdefault(turns[0].colour, []).append(name)
        return {colour: tuple(names) for colour, names in colours.items()}

    @cached_property
    def colours(self) -> tuple[str, ...]:
        """The order in which a hex is built up, that of the file; plain is an empty hex."""
        return ("plain", *self.by_colour)

    def find_plainest_rotation(self, name: str, rotation: int) -> int:
        """Return the lowest rotation that looks the same on the table."""
        looks = _describe_look(self._turned[name][rotation])
        return next(turn for turn in SIDES if _describe_look(self._turned[name][turn]) == looks)


def _describe_look(tile: Tile) -> frozenset[frozenset[tuple[object, ...]]]:
    """Return the track with stops told by what is printed, not by their number."""

    def end(at: int) -> tuple[object, ...]:
        if at < STOP:
            return ("side", at)
        stop = tile.stops[at - STOP]
        sides = tuple(sorted(other for other in tile.joins[at] if other < STOP))
        return (stop.kind, stop.value, stop.slots, stop.name, sides)

    return frozenset(frozenset((end(a), end(b))) for a, b in tile.track)


def read_tiles(
    source: str, sections: Mapping[str, Mapping[str, str]], inks: Mapping[str, str] = _NO_INKS
) -> dict[str, Tile]:
    """Read tile codes, a section for each colour in the order in which hexes are built up.

    Args:
        source: name of the file, for errors.
        sections: ``{"yellow": {"57": "city=…"}}``.
        inks: ``#rrggbb`` of colours of the title's own: ``{"brown": "#a5673f"}``.

    Raises:
        DataError: a colour or a code makes no sense.
    """
    tiles: dict[str, Tile] = {}
    for colour, codes in sections.items():
        for name, code in codes.items():
            if name in tiles:
                raise DataError(source, f"{colour}.{name}", "there is such a tile already")
            tiles[name] = read_tile(source, f"{colour}.{name}", colour, code, name=name, inks=inks)
    return tiles


def read_tile(
    source: str, key: str, colour: str, code: str, *, name: str = "", inks: Mapping[str, str] = _NO_INKS
) -> Tile:
    """Read one tile code.

    Args:
        source: name of the file.
        key: where it stands in the file.
        colour: its ink.
        code: the tile code.
        name: number of the tile; a printed hex has none.
        inks: ``#rrggbb`` of colours of the title's own.

    Raises:
        DataError: an unknown colour, part or key, or track that leads nowhere.
    """
    if colour not in INKS and colour not in inks:
        raise DataError(source, key, f"unknown colour; known are {', '.join((*INKS, *inks))}")
    printed = _Printed()
    for part in filter(None, code.split(";")):
        what, _, rest = part.partition("=")
        try:
            printed.read_part(what, rest)
        except (KeyError, ValueError) as error:
            raise DataError(source, key, f"can't read {part!r}: {error}") from error
    far = max((end for piece in printed.track for end in piece), default=0)
    if far >= STOP + len(printed.stops):
        raise DataError(source, key, f"track leads to stop {far - STOP}, which doesn't exist")
    return Tile(
        name,
        colour,
        printed.letter,
        tuple(printed.stops),
        tuple(printed.track),
        printed.fixed,
        ink=inks.get(colour, ""),
    )


class _Printed:
    """The parts of a tile code read so far."""

    def __init__(self) -> None:
        self.stops: list[Stop] = []
        self.track: list[tuple[int, int]] = []
        self.letter = ""
        self.fixed = False

    def read_part(self, what: str, rest: str) -> None:
        """Read one part; KeyError or ValueError when it makes no sense."""
        if what in get_args(StopKind):
            self.stops.append(_read_stop(what, _parse_fields(rest)))
        elif what == "path":
            fields = _parse_fields(rest)
            self.track.append((_read_end(fields.pop("a")), _read_end(fields.pop("b"))))
            _refuse_unknown_fields(fields)
        elif what == "label":
            self.letter = rest
        elif what == "fixed":
            self.fixed = True
        else:
            raise ValueError(f"unknown part {what!r}")


def _parse_fields(text: str) -> dict[str, str]:
    pairs = (field.partition(":") for field in filter(None, text.split(",")))
    return {name: value for name, _, value in pairs}


def _refuse_unknown_fields(fields: Mapping[str, str]) -> None:
    if fields:
        raise ValueError(f"unknown {', '.join(fields)}")


def _read_end(text: str) -> int:
    """Return an end of track: ``_0`` is the first stop, ``3`` the northern side."""
    if text.startswith("_"):
        return STOP + int(text[1:])
    if (side := int(text)) not in SIDES:
        raise ValueError(f"no side {side}")
    return side


def _read_stop(kind: str, fields: dict[str, str]) -> Stop:
    revenue = fields.pop("revenue", "")
    place = fields.pop("loc", "")
    slots = int(fields.pop("slots", "1" if kind == "city" else "0"))
    name, sign = fields.pop("name", ""), fields.pop("sign", "")
    _refuse_unknown_fields(fields)
    steps = tuple(step.split("_") for step in revenue.split("|")) if "_" in revenue else ()
    return Stop(
        kind=msgspec.convert(kind, StopKind),
        value=int(revenue) if revenue and not steps else None,
        values=tuple((band, int(value)) for band, value in steps),
        slots=slots,
        place=float(place) if place else None,
        name=name,
        sign=sign,
    )
