"""Walks over the track as they are written, for players and for 18xx.games."""

import pytest

from engine.errors import RuleError
from engine.interop.routes import SiteRoute, find_partial_routes, list_connections
from engine.rails.board import Graph
from engine.rails.walk import (
    MAX_CHARACTERS,
    MAX_RUNS,
    Step,
    check_run_count,
    find_walk,
    read_steps,
    split_plan,
    write_walk,
)
from engine.record import Rule
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
    assert list_connections(graph, nodes, links) == [hexes.split("-")]
    walk, _ = find_walk(graph, read_steps(hexes, "F2-F4", Rule("Toy", "runs")), Rule("Toy", "runs"))
    assert (walk.nodes, walk.links) == (nodes, links)


def test_a_stop_that_is_not_counted_stands_in_brackets() -> None:
    graph = lay_out("C4 town").graph
    nodes, links = between(graph, "C2", "C4")
    assert write_walk(graph, nodes, links, left_out=1 << nodes[1]) == "C2-[C4]"


def test_the_only_line_within_a_hex_is_named_by_the_hex() -> None:
    graph = lay_out("C4 pair").graph
    nodes = (graph.node_at["C4", 0], graph.node_at["C4", 1])
    links = tuple(link.id for link in graph.links if {link.a, link.b} == set(nodes))
    assert list_connections(graph, nodes, links) == [["C4"]]


@pytest.mark.parametrize("text", ["", " ", "-" * 3])
def test_a_run_without_hexes_is_none(text: str) -> None:
    with pytest.raises(RuleError, match=r"this one has 0|isn't a hex"):
        read_steps(text, "F2-F4", Rule("Toy", "runs"))


def test_the_lines_within_a_hex_are_named_by_their_stops_where_there_are_several() -> None:
    """In the direction of travel, whichever end a link is stored from."""
    graph = lay_out("C4 pair, C6 town").graph
    inner, outer = graph.node_at["C4", 0], graph.node_at["C4", 1]
    south = graph.node_at["C6", 0]
    links = {frozenset((link.a, link.b)): link.id for link in graph.links}
    way = (links[frozenset((inner, outer))], links[frozenset((outer, south))])
    assert list_connections(graph, (inner, outer, south), way) == [["C4"], ["C4", "C6"]]
    assert list_connections(graph, (south, outer, inner), way[::-1]) == [["C6", "C4"], ["C4"]]


@pytest.mark.parametrize("typed", ["D1-C4-C6", "D1-C2-C6", "D1-C6", "D1-C2-C4-C6"])
def test_stops_left_out_are_put_in_where_they_lie(typed: str) -> None:
    """At the beginning, in the middle, or two in a row; the rest stays as it is."""
    graph = lay_out("C2 big/3, C4 town, C6 town").graph
    walk, steps = find_walk(graph, tuple(map(Step, typed.split("-"))), Rule("Toy", "runs"))
    assert steps == (Step("D1"), Step("C2"), Step("C4"), Step("C6"))
    assert walk.nodes == tuple(graph.node_at[step.coord, 0] for step in steps)


def test_a_run_may_have_one_hex() -> None:
    """A train may run between two stops of a hex."""
    assert read_steps("F2", "F2-F4", Rule("Toy", "runs")) == (Step("F2"),)


def test_a_text_longer_than_any_plan_is_refused() -> None:
    rule = Rule("Toy", "runs")
    check_run_count(MAX_RUNS, rule)
    with pytest.raises(RuleError, match=f"can have up to {MAX_RUNS} runs; this one has {MAX_RUNS + 1}"):
        check_run_count(MAX_RUNS + 1, rule)
    assert split_plan("x" * MAX_CHARACTERS, rule) == ["X" * MAX_CHARACTERS]
    with pytest.raises(RuleError, match=f"can have up to {MAX_CHARACTERS} characters"):
        split_plan("x" * (MAX_CHARACTERS + 1), rule)


@pytest.mark.parametrize(
    ("connections", "stops"),
    [
        (["C6 C4"], ["C6", "C4.1"]),
        (["C4 C6"], ["C6", "C4.1"]),
        (["C6 C4", "C4"], ["C6", "C4.1", "C4.0"]),
        (["C4", "C4 C6"], ["C6", "C4.1", "C4.0"]),
        (["C4 0.1", "C6 C4"], ["C6", "C4.1", "C4.0"]),
        (["C4 0.2"], None),
        (["C2 C4"], ["C2", "C4.0"]),
        (["C6 C4", "C6 C4"], None),
        ([], None),
    ],
)
def test_a_route_of_the_site_is_found_on_the_track_from_either_end(
    connections: list[str], stops: list[str] | None
) -> None:
    """Each connection goes on from the stop before it; no stop and no track is used twice."""
    graph = lay_out("C4 pair, C6 town").graph
    route = SiteRoute("2-0", tuple(tuple(each.split()) if "." not in each else (each,) for each in connections))
    if stops is None:
        with pytest.raises(RuleError, match="No track fits the route"):
            find_partial_routes(graph, route)
        return
    nodes = tuple(graph.node_at[stop[:2], int(stop[3:] or 0)] for stop in stops)
    found = find_partial_routes(graph, route)
    assert {chain.nodes for chain in found} <= {nodes, nodes[::-1]}
    assert found
    every = sum(graph.links[link].mask for link in found[0].links)
    with pytest.raises(RuleError, match="No track fits the route"):
        find_partial_routes(graph, route, every)
