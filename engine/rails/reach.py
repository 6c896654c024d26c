"""Which stops and hexsides a company's track leads to, by any length, and where it may put a station."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from engine.hex_view import Token
from engine.rails.board import Board, Graph
from engine.record import Record

Place = tuple[str, int]
"""A stop on the board: hex, and its index on the tile as it lies."""

Bases = Mapping[Place, tuple[Token, ...]]
"""Who stands where: the bases in each city, first come first."""


class Reach(Record, frozen=True):
    """What track leads to.

    Args:
        nodes: bits of the stops. track: bits of the hexsides (``HexSpec.sides``), and of
            the pieces within hexes, that can be run over.
    """

    nodes: int
    track: int


def place_bases(companies: Iterable[tuple[str, Iterable[Place], bool]]) -> Bases:
    """Return who stands where, from (company, its places, flipped) in the order of the companies."""
    bases: dict[Place, tuple[Token, ...]] = {}
    for company, places, flipped in companies:
        for place in places:
            bases[place] = (*bases.get(place, ()), Token(company, flipped))
    return bases


def has_base_in_city(bases: Bases, place: Place, company: str) -> bool:
    """Return whether a company has a base in a city."""
    return company in [token.company for token in bases.get(place, ())]


def find_base_nodes(graph: Graph, bases: Bases, company: str) -> tuple[int, ...]:
    """Return the nodes where a company has its bases."""
    return tuple(graph.node_at[place] for place in bases if has_base_in_city(bases, place, company))


def find_full_cities(graph: Graph, bases: Bases, company: str) -> int:
    """Return the cities whose slots are all filled by other companies, bankrupt ones too, as bits of nodes.

    Args:
        graph: the track.
        bases: who stands where.
        company: the company that wants to pass.
    """
    blocked = 0
    for place, tokens in bases.items():
        node = graph.node_at[place]
        if len(tokens) >= graph.nodes[node].slots and not has_base_in_city(bases, place, company):
            blocked |= 1 << node
    return blocked


def find_reach(graph: Graph, starts: Iterable[int], blocked: int) -> Reach:
    """Find all that can be reached by track of any length.

    Args:
        graph: the track.
        starts: nodes to set out from.
        blocked: bits of nodes that may be reached and not passed.
    """
    heads = [(node, 0) for node in starts]
    nodes = sum(1 << node for node, _ in heads)
    track = 0
    seen: set[tuple[int, int]] = set()
    while heads:
        node, by = heads.pop()
        for way in graph.open_ends[node]:
            if not way.mask & by:
                track |= way.mask
        for way in graph.exits[node]:
            if way.mask & by or (way.to, way.mask) in seen:
                continue
            seen.add((way.to, way.mask))
            track |= way.mask
            nodes |= 1 << way.to
            if not blocked >> way.to & 1:
                heads.append((way.to, way.mask))
    return Reach(nodes, track)


def list_reached_hexes(board: Board, bases: Bases, company: str) -> frozenset[str]:
    """Return the hexes on which there is a stop or track that a company's track leads to."""
    graph, coords = board.graph, tuple(board.map.hexes)
    starts = find_base_nodes(graph, bases, company)
    reach = find_reach(graph, starts, find_full_cities(graph, bases, company))
    nodes = [node for node in graph.nodes if reach.nodes >> node.id & 1]
    ways = (way for node in nodes for way in (*graph.exits[node.id], *graph.open_ends[node.id]))
    entered = {coords[index] for way in ways if not way.mask & ~reach.track for index, _ in way.entries}
    return frozenset({node.coord for node in nodes} | entered)


def has_base_on_hex(board: Board, bases: Bases, coord: str, company: str) -> bool:
    """Return whether a company has a base in any city of a hex."""
    return any(has_base_in_city(bases, (coord, index), company) for index in range(len(board.tile(coord).stops)))


def count_free_slots(board: Board, bases: Bases, place: Place, company: str, waiting: Collection[str] = ()) -> int:
    """Return the slots of a city that a company may use.

    Args:
        board: the tiles.
        bases: who stands where.
        place: the city.
        company: that asks.
        waiting: companies whose home base is not on the board; a slot of the first city on their home hex stays
            free for them.
    """
    coord, index = place
    homes = board.spec(coord).homes if index == 0 else ()
    kept = sum(1 for home in homes if home in waiting and home != company)
    return board.tile(coord).stops[index].slots - len(bases.get(place, ())) - kept


def list_base_sites(
    board: Board, bases: Bases, reached: int, company: str, waiting: Collection[str] = ()
) -> Iterator[Place]:
    """Yield every city among the stops that are reached, of which bits are given, that has a slot for a company.

    One base of a company on a hex is the most; no price is asked.
    """
    for node in board.graph.nodes:
        if node.kind != "city" or not reached >> node.id & 1 or has_base_on_hex(board, bases, node.coord, company):
            continue
        if count_free_slots(board, bases, (node.coord, node.index), company, waiting) > 0:
            yield node.coord, node.index
