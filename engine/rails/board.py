"""The tiles as they lie on a map: a value, never changed, cheap to build on."""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from engine.rails.graph import Graph
from engine.rails.maps import HexSpec, Map
from engine.rails.tiles import Tile


class Board:
    """A map with tiles laid on it.

    ``with_tile`` returns another board; the replaced tile is back in the supply.
    Two boards are equal when the same tiles lie on the same map.

    Args:
        of: the printed map.
        laid: tile number and rotation by coordinate.
    """

    __slots__ = ("_before", "_graph", "_hash", "_laid", "_lying", "_used", "map")

    def __init__(self, of: Map, laid: Mapping[str, tuple[str, int]] = MappingProxyType({})) -> None:
        self.map = of
        self._laid = dict(laid)
        self._lying = of.printed.copy()
        for coord, (name, rotation) in laid.items():
            self._lying[coord] = of.manifest.find_turned(name, rotation)
        self._used = Counter(name for name, _ in laid.values())
        self._graph: Graph | None = None
        self._before: tuple[Graph, str] | None = None
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.map is other.map and self._laid == other._laid

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._laid.items()))
        return self._hash

    def __contains__(self, coord: str) -> bool:
        return coord in self._lying

    @property
    def laid(self) -> Mapping[str, tuple[str, int]]:
        """Tile number and rotation by coordinate, in the order of first laying."""
        return MappingProxyType(self._laid)

    @property
    def graph(self) -> Graph:
        """The track as stops and links; compiled when first asked for."""
        if self._graph is None:
            self._graph = Graph(self.map, self._lying, self._before)
            self._before = None
        return self._graph

    def spec(self, coord: str) -> HexSpec:
        """Return the hex as printed."""
        return self.map.hexes[coord]

    def tile(self, coord: str) -> Tile:
        """Return the tile as it lies, or what is printed on the hex."""
        return self._lying[coord]

    def count_left(self, tile: str) -> int:
        """Return how many tiles of this number are in the supply."""
        return self.map.manifest.counts[tile] - self._used[tile]

    def with_tile(self, coord: str, tile: str, rotation: int) -> "Board":
        """Return the board with this tile on the hex; no rule is asked."""
        board = Board(self.map, {**self._laid, coord: (tile, rotation)})
        board._before = None if self._graph is None else (self._graph, coord)
        return board
