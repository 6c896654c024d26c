"""The track of a board, compiled into stops and the links between them.

A link is continuous track from one stop to the next, over any number of plain
pieces. Every stretch that two trains may not share is one bit: a hexside, or a
piece that joins two stops within a hex. Links that share a bit exclude one
another, so that no run turns back at a hexside.
"""

from collections.abc import Iterator, Mapping

from engine.rails.hexes import opposite
from engine.rails.maps import Map
from engine.rails.tiles import STOP, Tile
from engine.record import Record
from engine.view import StopKind

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


class Graph:
    """Stops and links of a board.

    ``exits[node]`` are the links out of a stop, ``open_ends[node]`` its track
    that reaches no other stop. ``node_at[coord, index]`` finds a node.
    """

    def __init__(self, of: Map, lying: Mapping[str, Tile]) -> None:
        self._map = of
        self._lying = lying
        self.nodes: tuple[Node, ...] = tuple(self._stops())
        self.node_at = {(node.coord, node.index): node.id for node in self.nodes}
        self._pieces: dict[tuple[str, int, int], int] = {}
        self._links: dict[tuple[int, int, int], Link] = {}
        exits, open_ends = [], []
        for node in self.nodes:
            ways = [way for end in lying[node.coord].joins[STOP + node.index] for way in self._follow(node, end)]
            exits.append(tuple(way for way in ways if way.to != NOWHERE))
            open_ends.append(tuple(way for way in ways if way.to == NOWHERE))
        self.exits: tuple[tuple[Exit, ...], ...] = tuple(exits)
        self.open_ends: tuple[tuple[Exit, ...], ...] = tuple(open_ends)
        self.links: tuple[Link, ...] = tuple(self._links.values())

    def _stops(self) -> Iterator[Node]:
        number = 0
        for coord, tile in self._lying.items():
            for index, stop in enumerate(tile.stops):
                bit = 1 << self._map.hexes[coord].index
                yield Node(number, coord, index, bit, stop.kind, stop.value or 0, stop.values, stop.slots)
                number += 1

    def _follow(self, node: Node, end: int) -> Iterator[Exit]:
        """Yield the ways that begin with the piece from a stop to ``end``."""
        if end >= STOP:
            yield self._within(node, end - STOP)
            return
        heads: list[tuple[str, int, int, tuple[tuple[int, int], ...]]] = [(node.coord, end, 0, ())]
        while heads:
            coord, side, mask, entries = heads.pop()
            bit = self._map.hexes[coord].sides[side]
            there = self._map.beyond(coord, side)
            if mask & bit:
                continue
            mask |= bit
            if there is None:
                yield self._exit(node, NOWHERE, mask, entries)
                continue
            coord, side = there.coord, opposite(side)
            entries = (*entries, (there.index, side))
            onward = self._lying[coord].joins[side]
            if not onward:
                yield self._exit(node, NOWHERE, mask, entries)
            for far in onward:
                if far >= STOP:
                    yield self._exit(node, self.node_at[coord, far - STOP], mask, entries)
                else:
                    heads.append((coord, far, mask, entries))

    def _within(self, node: Node, other: int) -> Exit:
        """Return the link to another stop of the same hex."""
        piece = (node.coord, min(node.index, other), max(node.index, other))
        bit = self._pieces.setdefault(piece, 1 << (self._map.side_count + len(self._pieces)))
        return self._exit(node, self.node_at[node.coord, other], bit, ())

    def _exit(self, node: Node, to: int, mask: int, entries: tuple[tuple[int, int], ...]) -> Exit:
        entered = 0
        again = False
        for index, _ in entries:
            again = again or bool((entered | node.hex) >> index & 1)
            entered |= 1 << index
        link = NOWHERE
        if to != NOWHERE:
            key = (min(node.id, to), max(node.id, to), mask)
            if key not in self._links:
                coords = (node.coord, *(self._map.by_index[index].coord for index, _ in entries))
                self._links[key] = Link(len(self._links), node.id, to, coords, mask, entered | node.hex, again)
            link = self._links[key].id
        return Exit(to, link, mask, entered, entries, again)
