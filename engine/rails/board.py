"""The tiles on a map, and their track compiled into stops and the links between them.

A link is continuous track from one stop to the next, over any number of plain
pieces. Every stretch that two trains may not share is one bit: a hexside, or a
piece that joins two stops within a hex. Links that share a bit exclude one
another, so that no run turns back at a hexside.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from engine.hex_view import StopKind
from engine.rails.maps import HexSpec, Map, opposite_side
from engine.rails.tiles import STOP, Tile
from engine.record import Record

NOWHERE = -1
"""``Exit.to`` of track that ends at a hexside without reaching another stop."""


class Node(Record, frozen=True):
    """A stop on the board.

    Args:
        id: its number in the graph; ``1 << id`` in masks of nodes.
        coord, index: hex, and which stop of the tile as it lies.
        hex: bit of its hex, ``1 << HexSpec.index``.
        value: revenue in pounds; values: of an offboard, by tile colour or phase.
    """

    id: int
    coord: str
    index: int
    hex: int
    kind: StopKind
    value: int
    values: tuple[tuple[str, int], ...]
    slots: int


def find_stop_value(node: Node, period: str) -> int:
    """Return what a stop pays; that of an area goes by a tile colour or phase."""
    return dict(node.values)[period] if node.values else node.value


class Link(Record, frozen=True):
    """Track between two stops.

    Args:
        a, b: node ids. coords: hexes from ``a`` to ``b``, both included; one for a link within a hex.
        mask: bits of the hexsides it crosses, or of the piece within a hex.
        hexes: bits of all its hexes. again: it comes twice to one hex.
    """

    id: int
    a: int
    b: int
    coords: tuple[str, ...]
    mask: int
    hexes: int
    again: bool


class Exit(Record, frozen=True):
    """A way out of a stop: a link in one direction, or open track.

    Args:
        to: the node it leads to, or ``NOWHERE``. link: id of the link, or ``NOWHERE``.
        mask: as ``Link.mask``. entered: bits of the hexes come into, the first one left out.
        entries: (index of the hex, side) for each hex come into, in order.
        again: it comes twice to one hex, maybe the one it left.
    """

    to: int
    link: int
    mask: int
    entered: int
    entries: tuple[tuple[int, int], ...]
    again: bool


Journey = tuple[Exit, tuple[str, ...]]
"""A link out of a stop, and its hexes in the order of travel."""


class _Way(NamedTuple):
    """An exit before stops and links are numbered: it stays the same while no tile on its hexes changes.

    Args:
        to: hex and index of the stop it leads to. mask: bits of the hexsides, none within a hex.
        entered, entries, again: as in ``Exit``.
    """

    to: tuple[str, int] | None
    mask: int
    entered: int
    entries: tuple[tuple[int, int], ...]
    again: bool


class Graph:
    """Stops and links of a board.

    ``exits[node]`` are the links out of a stop, ``open_ends[node]`` its track
    that reaches no other stop. ``node_at[coord, index]`` finds a node;
    ``ways`` are its exits before anything is numbered.

    Args:
        of: the map.
        lying: what lies on each hex.
        before: the graph of a board that differs by the tile on one hex, and that hex; it saves
            following all track again, and makes no difference.
    """

    def __init__(self, of: Map, lying: Mapping[str, Tile], before: "tuple[Graph, str] | None" = None) -> None:
        self._map = of
        self._lying = lying
        self.nodes: tuple[Node, ...] = tuple(self._number_stops())
        self.node_at = {(node.coord, node.index): node.id for node in self.nodes}
        self.ways = {(node.coord, node.index): self._find_ways_from(node, before) for node in self.nodes}
        self._pieces: dict[tuple[str, int, int], int] = {}
        self._links: dict[tuple[int, int, int], Link] = {}
        exits, open_ends = [], []
        for node in self.nodes:
            ways = [self._make_exit(node, way) for way in self.ways[node.coord, node.index]]
            exits.append(tuple(way for way in ways if way.to != NOWHERE))
            open_ends.append(tuple(way for way in ways if way.to == NOWHERE))
        self.exits: tuple[tuple[Exit, ...], ...] = tuple(exits)
        self.open_ends: tuple[tuple[Exit, ...], ...] = tuple(open_ends)
        self.links: tuple[Link, ...] = tuple(self._links.values())
        self._journeys: dict[int, tuple[Journey, ...]] = {}

    def find_links_over(self, coords: tuple[str, ...]) -> list[Link]:
        """Return the links that lead over these hexes, in either direction."""
        return self._links_by_hexes.get(min(coords, coords[::-1]), [])

    def list_journeys(self, node: int) -> tuple[Journey, ...]:
        """Return the links out of a stop, with their hexes in the order of travel."""
        found = self._journeys.get(node)
        if found is None:
            links = [(way, self.links[way.link]) for way in self.exits[node]]
            found = tuple((way, link.coords if link.a == node else link.coords[::-1]) for way, link in links)
            self._journeys[node] = found
        return found

    def find_exit(self, node: int, link: int) -> Exit:
        """Return the way out of a stop by a link of it."""
        for way in self.exits[node]:
            if way.link == link:
                return way
        raise KeyError(node, link)

    @cached_property
    def ambiguous(self) -> frozenset[str]:
        """The hexes of which a walk over hexes may mean a stop or track that passes none."""
        passed = {coord for link in self.links for coord in link.coords[1:-1]}
        return frozenset(node.coord for node in self.nodes if node.coord in passed)

    @cached_property
    def _links_by_hexes(self) -> dict[tuple[str, ...], list[Link]]:
        found: dict[tuple[str, ...], list[Link]] = {}
        for link in self.links:
            found.setdefault(min(link.coords, link.coords[::-1]), []).append(link)
        return found

    def _number_stops(self) -> Iterator[Node]:
        number = 0
        for coord, tile in self._lying.items():
            for index, stop in enumerate(tile.stops):
                bit = 1 << self._map.hexes[coord].index
                yield Node(number, coord, index, bit, stop.kind, stop.value or 0, stop.values, stop.slots)
                number += 1

    def _find_ways_from(self, node: Node, before: "tuple[Graph, str] | None") -> tuple[_Way, ...]:
        if before is not None:
            graph, coord = before
            changed, known = 1 << self._map.hexes[coord].index, graph.ways.get((node.coord, node.index))
            if known is not None and node.hex != changed and not any(way.entered & changed for way in known):
                return known
        joins = self._lying[node.coord].joins[STOP + node.index]
        return tuple(way for end in joins for way in self._follow(node, end))

    def _follow(self, node: Node, end: int) -> Iterator[_Way]:
        """Yield the ways that begin with the piece from a stop to ``end``."""
        if end >= STOP:
            yield _Way((node.coord, end - STOP), 0, 0, (), again=False)
            return
        heads: list[tuple[str, int, int, tuple[tuple[int, int], ...]]] = [(node.coord, end, 0, ())]
        while heads:
            coord, side, mask, entries = heads.pop()
            bit = self._map.hexes[coord].sides[side]
            there = self._map.find_neighbour(coord, side)
            if mask & bit:
                continue
            mask |= bit
            if there is None:
                yield _make_way(node, None, mask, entries)
                continue
            coord, side = there.coord, opposite_side(side)
            entries = (*entries, (there.index, side))
            onward = self._lying[coord].joins[side]
            if not onward:
                yield _make_way(node, None, mask, entries)
            for far in onward:
                if far >= STOP:
                    yield _make_way(node, (coord, far - STOP), mask, entries)
                else:
                    heads.append((coord, far, mask, entries))

    def _make_exit(self, node: Node, way: _Way) -> Exit:
        if way.to is None:
            return Exit(NOWHERE, NOWHERE, way.mask, way.entered, way.entries, way.again)
        to, mask = self.node_at[way.to], way.mask or self._piece_bit(node, way.to[1])
        key = (min(node.id, to), max(node.id, to), mask)
        link = self._links.get(key)
        if link is None:
            coords = (node.coord, *(self._map.by_index[index].coord for index, _ in way.entries))
            link = Link(len(self._links), node.id, to, coords, mask, way.entered | node.hex, way.again)
            self._links[key] = link
        return Exit(to, link.id, mask, way.entered, way.entries, way.again)

    def _piece_bit(self, node: Node, other: int) -> int:
        """Return the bit of the piece that joins two stops of a hex."""
        piece = (node.coord, min(node.index, other), max(node.index, other))
        return self._pieces.setdefault(piece, 1 << (self._map.side_count + len(self._pieces)))


def _make_way(node: Node, to: tuple[str, int] | None, mask: int, entries: tuple[tuple[int, int], ...]) -> _Way:
    entered = 0
    again = False
    for index, _ in entries:
        again = again or bool((entered | node.hex) >> index & 1)
        entered |= 1 << index
    return _Way(to, mask, entered, entries, again)


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
