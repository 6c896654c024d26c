"""Routes of trains as 18xx.games logs them: their fields, and the track that they may mean."""

from collections.abc import Container, Iterable, Iterator, Sequence

import msgspec

from engine.errors import RuleError
from engine.rails.board import Graph, Link
from engine.record import Record, Rule

ROUTES = Rule("18xx.games", "routes of a log")


class SiteRoute(Record, frozen=True):
    """A route as the site keeps it.

    Args:
        train: its id. connections: see above.
        halts: how many halts count. nodes: its stops in no order, numbered as the site does.
        train_name: the side in use, where a card has several. hexes: it goes over.
    """

    train: str
    connections: tuple[tuple[str, ...], ...]
    halts: int | None = None
    nodes: tuple[str, ...] = ()
    train_name: str = ""
    hexes: tuple[str, ...] | None = None


class PartialRoute(Record, frozen=True):
    """Stops in order, and the links between them."""

    nodes: tuple[int, ...]
    links: tuple[int, ...]


def read_site_routes(routes: object) -> tuple[SiteRoute, ...]:
    """Return routes out of decoded JSON.

    Raises:
        RuleError: they are none.
    """
    try:
        return msgspec.convert(routes, tuple[SiteRoute, ...])
    except msgspec.ValidationError as cause:
        raise RuleError(f"The routes can't be read: {str(cause)[:80]}.", ROUTES) from None


def check_hexes(routes: Iterable[SiteRoute], known: Container[str]) -> None:
    """Refuse routes over hexes that aren't on the map."""
    for route in routes:
        for coord in route.hexes or ():
            if coord not in known:
                raise RuleError(f"There is no hex “{coord[:20]}” on the map.", ROUTES)


def find_partial_routes(graph: Graph, route: SiteRoute, used: int = 0) -> list[PartialRoute]:
    """Return each chain of links that fits the connections one after the other, from either end.

    Args:
        graph: the track.
        route: of the site.
        used: track that may not be used, as in ``Link.mask``.

    Raises:
        RuleError: there is none.
    """
    found = list(_find_partial_routes(graph, route.connections, used))
    if not found:
        hexes = "–".join("-".join(connection) for connection in route.connections) or "without hexes"
        raise RuleError(f"No track fits the route {hexes[:100]}.", ROUTES)
    return found


def list_connections(graph: Graph, nodes: Sequence[int], links: Sequence[int]) -> list[list[str]]:
    """Return the connections of a run in the direction of travel, from its stops and the links between them."""
    found = []
    for number, link in zip(nodes, (graph.links[link] for link in links), strict=False):
        here, there = graph.nodes[number], graph.nodes[link.a + link.b - number]
        if len(link.coords) > 1:
            found.append(list(link.coords if link.a == here.id else link.coords[::-1]))
            continue
        inside = sum(1 for other in graph.links if other.coords == link.coords)
        low, high = sorted((here.index, there.index))
        found.append([f"{here.coord} {low}.{high}" if inside > 1 else here.coord])
    return found


def _find_partial_routes(graph: Graph, connections: Sequence[tuple[str, ...]], used: int) -> Iterator[PartialRoute]:
    fitting = [_find_fitting_links(graph, parts) for parts in connections]
    waiting = [
        (PartialRoute((start,), ()), used) for link in (fitting[0] if fitting else ()) for start in (link.a, link.b)
    ]
    waiting = list(dict.fromkeys(waiting))
    while waiting:
        chain, taken = waiting.pop()
        if len(chain.links) == len(fitting):
            yield chain
            continue
        here = chain.nodes[-1]
        for link in fitting[len(chain.links)]:
            if here in (link.a, link.b) and not link.mask & taken:
                there = link.a + link.b - here
                if there not in chain.nodes:
                    waiting.append((PartialRoute((*chain.nodes, there), (*chain.links, link.id)), taken | link.mask))


def _find_fitting_links(graph: Graph, parts: tuple[str, ...]) -> list[Link]:
    """Return the links that a connection may mean."""
    if len(parts) != 1:
        return graph.find_links_over(parts)
    coord, _, stops = parts[0].partition(" ")
    pairs = (
        (link, sorted((graph.nodes[link.a].index, graph.nodes[link.b].index)))
        for link in graph.find_links_over((coord,))
    )
    return [link for link, (low, high) in pairs if not stops or stops == f"{low}.{high}"]
