"""A map as printed: its hexes, what closes their sides, and the tiles that go with it.

Coordinates are a letter and a number. Flat-topped: the letter is the column, the number the half-row; two hexes one
above the other differ by 2 in their numbers. Pointy: the letter is the row, the number the half-column. Sides are
numbered clockwise, for flat hexes from the south: 0 S, 1 SW, 2 NW, 3 N, 4 NE, 5 SE; a pointy hex is one turned by half
a side: 0 SW, 1 W, 2 NW, 3 NE, 4 E, 5 SE.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

import msgspec

from engine.hex_view import Layout
from engine.rails.tiles import SIDES, DataError, Manifest, Tile, read_tile
from engine.record import Record

# Hexes of these inks are never built on; track reaches them only where track is printed.
_FIXED = ("grey", "red", "sea")

_NAMES: Mapping[Layout, tuple[str, ...]] = MappingProxyType({
    "flat": ("south", "south-west", "north-west", "north", "north-east", "south-east"),
    "pointy": ("south-west", "west", "north-west", "north-east", "east", "south-east"),
})  # fmt: skip

# How letter and number change across each side.
_STEPS: Mapping[Layout, tuple[tuple[int, int], ...]] = MappingProxyType({
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1)),
})  # fmt: skip


def opposite_side(side: int) -> int:
    """Return the side across the hex; also the same hexside seen from the neighbour."""
    return (side + 3) % 6


def name_side(side: int, layout: Layout = "flat") -> str:
    """Return where a side lies: "south-west"."""
    return _NAMES[layout][side]


def parse_coordinate(coord: str, layout: Layout = "flat") -> tuple[int, int]:
    """Return column and row from 0, rows halved on a flat map and columns on a pointy one: flat F2 is (5, 1)."""
    letter, number = ord(coord[0]) - ord("A"), int(coord[1:]) - 1
    return (letter, number) if layout == "flat" else (number, letter)


def find_neighbour(coord: str, side: int, layout: Layout = "flat") -> str:
    """Return the coordinate beyond a side; it may lie off the map."""
    letter, number = _STEPS[layout][side]
    return f"{chr(ord(coord[0]) + letter)}{int(coord[1:]) + number}"


@cache
def measure_distance(here: str, there: str) -> int:
    """Return the number of steps from hex to hex, 0 for the same hex; the same on either kind of map."""
    (letter, number), (other_letter, other_number) = parse_coordinate(here), parse_coordinate(there)
    across, along = abs(letter - other_letter), abs(number - other_number)
    return across + max(0, (along - across) // 2)


class HexSpec(Record, frozen=True):
    """One hex as printed.

    Args:
        index: its number on the map, by which bit masks know it.
        printed: what is printed on it, as a tile without a number.
        cost: of its terrain, for the first tile; terrain: "hill", "water" or empty.
        barriers: sides that track may not cross. homes: companies whose home its first city is.
        open: bit ``1 << side`` for each side that track may run to.
        sides: for each side the bit that stands for this hexside; both hexes share it.
        layout: of the map.
    """

    coord: str
    index: int
    printed: Tile
    name: str
    cost: int
    terrain: str
    barriers: tuple[int, ...]
    homes: tuple[str, ...]
    open: int
    sides: tuple[int, ...]
    layout: Layout

    @property
    def full_name(self) -> str:
        """The hex as a sentence has it: "Shalcombe (C7)", "F8" where nothing is there."""
        return f"{self.name} ({self.coord})" if self.name else self.coord

    @property
    def letter(self) -> str:
        """The letter that its tiles must bear, or empty."""
        return self.printed.letter

    @property
    def is_fixed(self) -> bool:
        """Whether no tile may ever be laid here."""
        return self.printed.colour in _FIXED

    def side_bits(self, sides: int) -> int:
        """Return the bits of the hexsides in a mask of sides 0-5."""
        return sum(bit for side, bit in enumerate(self.sides) if sides >> side & 1)


class PrintedHex(msgspec.Struct, forbid_unknown_fields=True):
    """A hex as a data file has it; ``code`` is tile code."""

    name: str = ""
    code: str = ""
    ink: str = "plain"
    cost: int = 0
    terrain: str = ""
    homes: tuple[str, ...] = ()


class Map:
    """A printed map with its manifest; never changes.

    ``hexes`` is in the order of the file, and ``by_index`` too; ``printed`` is
    what lies there before any tile; ``side_count`` bits stand for hexsides;
    ``corner`` is the lowest column and the lowest row; ``layout`` is how its hexes are turned; ``names`` has
    those of the hexes that have one.
    """

    def __init__(
        self,
        name: str,
        hexes: Mapping[str, PrintedHex],
        barriers: Sequence[tuple[str, str]],
        manifest: Manifest,
        layout: Layout = "flat",
    ) -> None:
        self.name = name
        self.layout = layout
        self.manifest = manifest
        self.printed = {
            coord: read_tile(f"map {name}", coord, of.ink, of.code, inks=manifest.inks) for coord, of in hexes.items()
        }
        walls = self._find_walls(barriers)
        self.hexes: dict[str, HexSpec] = {}
        self.side_count = 0
        for index, (coord, of) in enumerate(hexes.items()):
            self.hexes[coord] = HexSpec(
                coord=coord,
                index=index,
                printed=self.printed[coord],
                name=of.name,
                cost=of.cost,
                terrain=of.terrain,
                barriers=tuple(sorted(walls.get(coord, ()))),
                homes=of.homes,
                open=self._find_open_sides(coord, walls.get(coord, set())),
                sides=self._number_sides(coord),
                layout=layout,
            )
        self.by_index = tuple(self.hexes.values())
        self.names = {spec.coord: spec.name for spec in self.by_index if spec.name}
        self._beyond = {
            coord: tuple(self.hexes.get(find_neighbour(coord, side, layout)) for side in SIDES) for coord in self.hexes
        }
        places = [parse_coordinate(coord, layout) for coord in hexes]
        self.corner = (min(column for column, _ in places), min(row for _, row in places))

    def _number_sides(self, coord: str) -> tuple[int, ...]:
        """Return the bits of a hex's sides: those of neighbours numbered before, or new ones."""
        bits = []
        for side in SIDES:
            known = self.hexes.get(find_neighbour(coord, side, self.layout))
            if known:
                bits.append(known.sides[opposite_side(side)])
            else:
                bits.append(1 << self.side_count)
                self.side_count += 1
        return tuple(bits)

    def find_neighbour(self, coord: str, side: int) -> HexSpec | None:
        """Return the hex across a side, or ``None`` off the map."""
        return self._beyond[coord][side]

    def _find_walls(self, barriers: Sequence[tuple[str, str]]) -> dict[str, set[int]]:
        """Return the sides of each hex that track may not cross."""
        walls: dict[str, set[int]] = {}
        for here, there in barriers:
            side = next((side for side in SIDES if find_neighbour(here, side, self.layout) == there), None)
            if side is None or here not in self.printed or there not in self.printed:
                raise DataError(
                    f"map {self.name}", f"barrier {here}-{there}", "these hexes aren't neighbours on this map"
                )
            walls.setdefault(here, set()).add(side)
            walls.setdefault(there, set()).add(opposite_side(side))
        return walls

    def _find_open_sides(self, coord: str, walls: set[int]) -> int:
        """Return the sides that track may run to: land beyond, no barrier, or printed track that meets it."""
        mask = 0
        for side in SIDES:
            there = self.printed.get(find_neighbour(coord, side, self.layout))
            if there is None or side in walls:
                continue
            meets = there.sides >> opposite_side(side) & 1
            if meets or there.colour not in _FIXED:
                mask |= 1 << side
        own = self.printed[coord]
        return mask & own.sides if own.colour in _FIXED else mask
