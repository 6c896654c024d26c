"""Which stops and hexsides a company's track leads to, by any length."""

from collections.abc import Iterable, Mapping

from engine.hex_view import Token
from engine.rails.graph import Graph
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


def bases_of(companies: Iterable[tuple[str, Iterable[Place], bool]]) -> Bases:
    """Return who stands where, from (company, its places, flipped) in the order of the companies."""
    bases: dict[Place, tuple[Token, ...]] = {}
    for company, places, flipped in companies:
        for place in places:
            bases[place] = (*bases.get(place, ()), Token(company, flipped))
    return bases


def stands(bases: Bases, place: Place, company: str) -> bool:
    """Tell whether a company has a base in a city."""
    return company in [token.company for token in bases.get(place, ())]


def nodes_of(graph: Graph, bases: Bases, company: str) -> tuple[int, ...]:
    """Return the nodes where a company has its bases."""
    return tuple(graph.node_at[place] for place in bases if stands(bases, place, company))


def tokened_out(graph: Graph, bases: Bases, company: str, *, flipped_count: bool = True) -> int:
    """Return the cities whose slots are all filled by other companies, as bits of nodes.

    Args:
        graph: the track.
        bases: who stands where.
        company: the company that wants to pass.
        flipped_count: whether the base of a bankrupt company fills its slot.
    """
    blocked = 0
    for place, tokens in bases.items():
        node = graph.node_at[place]
        filled = len(tokens) if flipped_count else sum(1 for token in tokens if not token.flipped)
        if filled >= graph.nodes[node].slots and not stands(bases, place, company):
            blocked |= 1 << node
    return blocked


def reachable(graph: Graph, starts: Iterable[int], blocked: int) -> Reach:
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
