"""Walks over the track as they are written, for players and for 18xx.games."""

import pytest

from engine.rails.graph import Graph
from engine.rails.site_routes import connections
from engine.rails.walk import write_walk
from tests.engine.rails.toy import lay_out


def between(graph: Graph, *coords: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the first stops of two hexes, and the link that joins them."""
    nodes = tuple(graph.node_at[coord, 0] for coord in coords)
    return nodes, tuple(link.id for link in graph.links if {link.a, link.b} == set(nodes))


@pytest.mark.parametrize("hexes", ["C2-C4-B5-C6", "C6-B5-C4-C2"])
def test_hexes_without_stops_are_named_in_the_order_of_travel(hexes: str) -> None:
    graph = lay_out("C4 bend/1, B5 curl/4, C6 town/2").graph
    nodes, links = between(graph, hexes[:2], hexes[-2:])
    assert write_walk(graph, nodes, links) == hexes
    assert write_walk(graph, nodes, links, plain=False, dash="–") == f"{hexes[:2]}–{hexes[-2:]}"
    assert connections(graph, nodes, links) == [hexes.split("-")]


def test_a_stop_that_is_not_counted_stands_in_brackets() -> None:
    graph = lay_out("C4 town").graph
    nodes, links = between(graph, "C2", "C4")
    assert write_walk(graph, nodes, links, left_out=1 << nodes[1]) == "C2-[C4]"


def test_the_only_line_within_a_hex_is_named_by_the_hex() -> None:
    graph = lay_out("C4 pair").graph
    nodes = (graph.node_at["C4", 0], graph.node_at["C4", 1])
    links = tuple(link.id for link in graph.links if {link.a, link.b} == set(nodes))
    assert connections(graph, nodes, links) == [["C4"]]
