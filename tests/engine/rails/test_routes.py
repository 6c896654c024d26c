"""Every path over a graph, against a plain walk over random boards; and paths put in order again."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.rails.board import Board, Graph
from engine.rails.maps import Map, PrintedHex
from engine.rails.routes import (
    BitLayout,
    PathTerms,
    SearchTooLarge,
    find_joined_nodes,
    find_paths,
    list_bits,
    order_along_path,
)
from engine.rails.tiles import Manifest, read_tiles
from tests.engine.rails.toy import lay_out

TILES = {
    "green": {
        "city": "city=revenue:20;path=a:0,b:_0;path=a:1,b:_0;path=a:3,b:_0;path=a:4,b:_0",
        "star": "town=revenue:10;path=a:0,b:_0;path=a:2,b:_0;path=a:3,b:_0;path=a:5,b:_0",
        "pair": "city=revenue:40;city=revenue:10;path=a:3,b:_0;path=a:1,b:_0;path=a:0,b:_1;path=a:_0,b:_1",
        "fork": "path=a:0,b:3;path=a:0,b:2;path=a:0,b:4",
        "cross": "path=a:0,b:3;path=a:1,b:4;path=a:2,b:5",
    }
}
HEXES = ("C4", "C2", "D3", "D5", "C6", "B5", "B3")
FIELD = Map(
    "field",
    dict.fromkeys(HEXES, PrintedHex()),
    [],
    Manifest(read_tiles("toy", TILES), dict.fromkeys(TILES["green"], 7)),
)
chances = st.randoms(use_true_random=True)


def board_of(chance: Random) -> Graph:
    board = Board(FIELD)
    for coord in HEXES:
        board = board.with_tile(coord, chance.choice(list(TILES["green"])), chance.randrange(6))
    return board.graph


def terms_of(graph: Graph, via: tuple[int, ...], *, again: bool = False) -> PathTerms:
    """Return terms that allow everything; each stop adds 1."""
    none = (0,) * len(graph.nodes)
    return PathTerms(via, 0, calling=(1,) * len(graph.nodes), passing=none, ending=none, full=1 << 20, again=again)


def walks(graph: Graph, *, again: bool) -> dict[frozenset[int], tuple[int, ...]]:
    """Return every way over the graph by its links: no stop, no hexside, and, unless ``again``, no hex twice."""
    found: dict[frozenset[int], tuple[int, ...]] = {}

    def go(nodes: tuple[int, ...], links: tuple[int, ...], hexes: tuple[str, ...]) -> None:
        if links:
            found[frozenset(links)] = nodes
        for link in graph.links:
            here = nodes[-1]
            if here not in (link.a, link.b) or any(graph.links[number].mask & link.mask for number in links):
                continue
            there, coords = (link.b, link.coords[1:]) if here == link.a else (link.a, link.coords[-2::-1])
            longer = (*hexes, *coords)
            if there not in nodes and (again or len(set(longer)) == len(longer)):
                go((*nodes, there), (*links, link.id), longer)

    for node in graph.nodes:
        go((node.id,), (), (node.coord,))
    return found


def links_of(graph: Graph, bits: int) -> frozenset[int]:
    layout = BitLayout(graph)
    return frozenset(list_bits((bits & layout.link_mask) >> layout.links))


@settings(deadline=None, max_examples=60)
@given(chances, st.booleans())
def test_every_path_through_the_given_stops_is_found_once(chance: Random, again: bool) -> None:
    graph = board_of(chance)
    via = tuple(chance.sample(range(len(graph.nodes)), min(2, len(graph.nodes))))
    found = find_paths(graph, terms_of(graph, via, again=again))
    expected = {links: nodes for links, nodes in walks(graph, again=again).items() if set(nodes) & set(via)}
    assert sorted(map(sorted, (links_of(graph, bits) for bits, _ in found))) == sorted(map(sorted, expected))
    for bits, load in found:
        nodes, links = order_along_path(graph, bits)
        assert load == len(nodes)
        assert nodes in (expected[frozenset(links)], expected[frozenset(links)][::-1])
        assert nodes[0] < nodes[-1]
        assert bits & BitLayout(graph).node_mask == sum(1 << node for node in nodes)


def test_a_link_that_crosses_itself_comes_twice_to_a_hex() -> None:
    """From the north across the middle, round by C6 and B5, and across it again to D3."""
    graph = lay_out("C4 cross, C6 curl/2, B5 curl/4, D3 town/1").graph
    via = (graph.node_at["C2", 0],)
    assert find_paths(graph, terms_of(graph, via)) == []
    assert len(find_paths(graph, terms_of(graph, via, again=True))) == 1


@settings(deadline=None, max_examples=30)
@given(chances)
def test_blocked_track_is_left_out_and_not_counted_as_used(chance: Random) -> None:
    graph = board_of(chance)
    if not graph.links:
        return
    blocked = chance.choice(graph.links).mask
    via = tuple(range(len(graph.nodes)))
    found = find_paths(graph, terms_of(graph, via), blocked=blocked)
    free = [
        links for links in walks(graph, again=False) if not any(graph.links[number].mask & blocked for number in links)
    ]
    assert sorted(map(sorted, (links_of(graph, bits) for bits, _ in found))) == sorted(map(sorted, free))
    track = BitLayout(graph).track
    assert not any(bits & blocked << track for bits, _ in found)


def line() -> Graph:
    """Return five towns in a row, 0 to 4, joined by four links."""
    code = "town=revenue:10;path=a:0,b:_0;path=a:3,b:_0"
    hexes = {f"A{row}": PrintedHex(ink="yellow", code=code) for row in (1, 3, 5, 7, 9)}
    return Board(Map("line", hexes, [], Manifest({}, {}))).graph


def ways(terms: PathTerms) -> set[tuple[int, int]]:
    """Return both ends of every path on the line."""
    return {
        (nodes[0], nodes[-1]) for nodes, _ in (order_along_path(line(), bits) for bits, _ in find_paths(line(), terms))
    }


def test_no_path_ends_where_none_may() -> None:
    terms = replace(terms_of(line(), (2,)), ending=(0, None, 0, None, 0))
    assert ways(terms) == {(0, 2), (2, 4), (0, 4)}


def test_a_path_is_dropped_when_a_sum_is_full() -> None:
    """Here after two calls; what passing adds is not added at an end."""
    calls = replace(terms_of(line(), (2,)), start=1, full=4)
    assert ways(calls) == {(1, 2), (2, 3)}
    dear = replace(terms_of(line(), (2,)), passing=(0, 1 << 20, 0, 0, 0))
    assert ways(dear) == {(1, 2), (2, 3), (2, 4), (1, 3), (1, 4)}


def test_end_bonuses_are_in_the_sum() -> None:
    terms = replace(terms_of(line(), (2,)), ending=(100, 0, 0, 0, 1000))
    loads = {order_along_path(line(), bits)[0]: load for bits, load in find_paths(line(), terms)}
    assert loads[0, 1, 2] == 103
    assert loads[0, 1, 2, 3, 4] == 1105
    assert loads[1, 2] == 2


def test_too_many_paths_are_refused() -> None:
    with pytest.raises(SearchTooLarge):
        find_paths(line(), terms_of(line(), (2,)), limit=3)


def test_a_board_without_track_has_stops_alone() -> None:
    graph = Board(Map("one", {"A1": PrintedHex(ink="yellow", code="city=revenue:20")}, [], Manifest({}, {}))).graph
    layout = BitLayout(graph)
    assert (layout.node_mask, layout.link_mask, layout.track_mask, layout.hexes) == (1, 0, 0, 1)


def test_joined_to_follows_track_of_any_length() -> None:
    graph = line()
    assert find_joined_nodes(graph, 0) == 0b11111
    alone = Board(Map("one", {"A1": PrintedHex(ink="yellow", code="city=revenue:20")}, [], Manifest({}, {}))).graph
    assert find_joined_nodes(alone, 0) == 1


def test_bit_numbers() -> None:
    assert list_bits(0) == []
    assert list_bits(0b10110) == [1, 2, 4]
