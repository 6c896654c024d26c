"""Paths of trains over a graph, and the best set of them. Geometry only, no rules.

A title says in packed counters (``PathTerms``) what a path may touch, gets every
path that fits, values each, and lets ``find_best_packing`` choose one for each train.
Both searches are exact: they raise ``SearchTooLarge`` rather than return less.
"""

from collections.abc import Iterable, Sequence

from engine.rails.board import Graph
from engine.record import Record

MAX_PATHS = 500_000
"""Paths found before the search gives up."""


class SearchTooLarge(Exception):  # noqa: N818  it says what the search is
    """An exact answer would take too long, and there is no other."""


class PathTerms(Record, frozen=True):
    """What a path may touch. All sums are packed counters: fields of bits in one integer.

    Args:
        via: ids of nodes, of which a path calls at one at least; they pay no ``passing``.
        start: what every sum begins with.
        calling: for each node what a call adds. passing: what travelling on adds.
        ending: for each node what it adds to end there; ``None`` where no path may end.
        full: bits that no sum may have on the way.
        again: whether a path may come to a hex twice.
    """

    via: tuple[int, ...]
    start: int
    calling: tuple[int, ...]
    passing: tuple[int, ...]
    ending: tuple[int | None, ...]
    full: int
    again: bool = False


Path = tuple[int, int]
"""Bits of a path as ``BitLayout`` orders them, and the sum of its counters."""

# Node reached, its end counters or None, bits that must be free, bits taken, counters added.
_Arc = tuple[int, int | None, int, int, int]


class BitLayout:
    """How the parts of a graph lie in one integer: nodes first, then links, track, hexes."""

    __slots__ = ("hexes", "link_mask", "links", "node_mask", "track", "track_mask")

    def __init__(self, graph: Graph) -> None:
        widest = max((link.mask for link in graph.links), default=0)
        self.links = len(graph.nodes)
        self.track = self.links + len(graph.links)
        self.hexes = self.track + widest.bit_length()
        self.node_mask = (1 << self.links) - 1
        self.link_mask = (1 << self.track) - (1 << self.links)
        self.track_mask = (1 << self.hexes) - (1 << self.track)


def list_bits(mask: int) -> list[int]:
    """Return the numbers of the bits that are set, lowest first."""
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return numbers


def make_mask(numbers: Iterable[int]) -> int:
    """Return a mask with the bits of these numbers set."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def find_joined_nodes(graph: Graph, node: int) -> int:
    """Return the bits of all nodes that track joins to a node, itself included."""
    seen, waiting = 1 << node, [node]
    while waiting:
        for way in graph.exits[waiting.pop()]:
            if not seen >> way.to & 1:
                seen |= 1 << way.to
                waiting.append(way.to)
    return seen


def order_along_path(graph: Graph, bits: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return nodes and links of a path in the order of travel, from the end with the lower id."""
    layout = BitLayout(graph)
    ways: dict[int, list[tuple[int, int]]] = {}
    for number in list_bits((bits & layout.link_mask) >> layout.links):
        a, b = graph.links[number].a, graph.links[number].b
        ways.setdefault(a, []).append((number, b))
        ways.setdefault(b, []).append((number, a))
    here = min(node for node, out in ways.items() if len(out) == 1)
    nodes, links = [here], list[int]()
    while onward := [way for way in ways[here] if way[0] not in links[-1:]]:
        number, here = onward[0]
        nodes.append(here)
        links.append(number)
    return tuple(nodes), tuple(links)


def _list_arcs(graph: Graph, terms: PathTerms, closed: int) -> list[tuple[_Arc, ...]]:
    """Return for each node the ways out of it, but for those to closed nodes."""
    layout = BitLayout(graph)
    table = []
    for node, exits in enumerate(graph.exits):
        passing = 0 if node in terms.via else terms.passing[node]
        ways = []
        for way in exits:
            to = way.to
            if closed >> to & 1 or (way.again and not terms.again):
                continue
            test = 1 << to | way.mask << layout.track
            if not terms.again:
                test |= way.entered << layout.hexes
            taken = test | 1 << (layout.links + way.link)
            ways.append((to, terms.ending[to], test, taken, terms.calling[to] + passing))
        table.append(tuple(ways))
    return table


def find_paths(graph: Graph, terms: PathTerms, *, blocked: int = 0, limit: int = MAX_PATHS) -> list[Path]:
    """Return every path that fits the terms, each once, in a fixed order.

    From each ``via`` node two arms grow: the head in all ways, and from every
    place where it can end the tail, by the ways out after the head's first.
    Then that node is closed to the paths from the next.

    ``blocked`` is track that may not be used, as in ``Link.mask``.

    Raises:
        SearchTooLarge: there are more than ``limit`` paths.
    """
    layout = BitLayout(graph)
    growth = _Growth(terms, limit)
    closed = 0
    for via in terms.via:
        growth.arcs = _list_arcs(graph, terms, closed)
        growth.own_end = terms.ending[via]
        used = 1 << via | blocked << layout.track
        if not terms.again:
            used |= graph.nodes[via].hex << layout.hexes
        load = terms.start + terms.calling[via]
        ways = growth.arcs[via]
        for number, way in enumerate(ways if not load & terms.full else ()):
            growth.rest = ways[number + 1 :]
            growth.grow_head((way,), used, load)
        closed |= 1 << via
    taken = ~(blocked << layout.track)
    return [(bits & taken, load) for bits, load in growth.found] if blocked else growth.found


class _Growth:
    """The two arms of a path on trial, and the paths found."""

    def __init__(self, terms: PathTerms, limit: int) -> None:
        self.full = terms.full
        self.limit = limit
        self.found: list[Path] = []
        self.arcs: list[tuple[_Arc, ...]] = []
        self.own_end: int | None = None
        self.rest: Sequence[_Arc] = ()

    def grow_head(self, ways: Sequence[_Arc], used: int, load: int) -> None:
        """Grow the first arm, from the ``via`` node; wherever it can end, grow the other."""
        for node, end, test, taken, weight in ways:
            more = load + weight
            if used & test or more & self.full:
                continue
            now = used | taken
            if end is not None:
                if self.own_end is not None:
                    self.found.append((now, more + end + self.own_end))
                self.grow_tail(self.rest, now, more + end)
            self.grow_head(self.arcs[node], now, more)

    def grow_tail(self, ways: Sequence[_Arc], used: int, load: int) -> None:
        """Grow the second arm; wherever it can end, there is a path."""
        full, arcs = self.full, self.arcs
        for node, end, test, taken, weight in ways:
            if used & test:
                continue
            more = load + weight
            if more & full:
                continue
            if end is not None:
                self.found.append((used | taken, more + end))
            self.grow_tail(arcs[node], used | taken, more)
        if len(self.found) > self.limit:
            raise SearchTooLarge
