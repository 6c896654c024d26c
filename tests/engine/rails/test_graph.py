"""The graph: stops, links, and the bits that two runs may not share."""

from engine.rails.board import NOWHERE, Graph
from tests.engine.rails.toy import TOY, lay_out


def links(graph: Graph) -> set[tuple[str, ...]]:
    return {min(link.coords, link.coords[::-1]) for link in graph.links}


def test_unbuilt_hexes_have_stops_without_track() -> None:
    graph = lay_out().graph
    assert {(node.coord, node.kind, node.value) for node in graph.nodes} == {
        ("C4", "city", 0),
        ("C6", "city", 0),
        ("C2", "city", 30),
        ("D5", "town", 0),
        ("D1", "offboard", 0),
    }
    assert not graph.links
    assert not graph.exits[graph.node_at["C6", 0]]


def test_a_link_joins_the_stops_of_two_neighbours() -> None:
    graph = lay_out("C4 town").graph
    (link,) = graph.links
    assert set(link.coords) == {"C2", "C4"}
    assert link.mask == TOY.hexes["C4"].sides[3]
    assert link.hexes == 1 << TOY.hexes["C4"].index | 1 << TOY.hexes["C2"].index
    north = graph.node_at["C2", 0]
    (way,) = graph.exits[north]
    assert (way.to, way.link) == (graph.node_at["C4", 0], link.id)
    assert way.entered == 1 << TOY.hexes["C4"].index
    assert way.entries == ((TOY.hexes["C4"].index, 3),)


def test_a_link_runs_over_plain_track() -> None:
    """From C2 by the straight line on C4 to C6."""
    graph = lay_out("C4 line, C6 town/3").graph
    assert links(graph) == {("C2", "C4", "C6")}
    (link,) = graph.links
    assert link.mask == TOY.hexes["C4"].sides[0] | TOY.hexes["C4"].sides[3]


def test_open_track_is_kept_apart() -> None:
    graph = lay_out("C4 town").graph
    middle = graph.node_at["C4", 0]
    (way,) = graph.open_ends[middle]
    assert (way.to, way.link, way.mask) == (NOWHERE, NOWHERE, TOY.hexes["C4"].sides[0])
    assert way.entries == ((TOY.hexes["C6"].index, 3),)


def test_stops_of_one_hex_are_linked_by_a_bit_of_their_own() -> None:
    graph = lay_out("C4 pair").graph
    first, second = graph.node_at["C4", 0], graph.node_at["C4", 1]
    (inner,) = [link for link in graph.links if {link.a, link.b} == {first, second}]
    assert inner.coords == ("C4",)
    assert inner.mask >= 1 << TOY.side_count
    for node, other in ((first, second), (second, first)):
        (way,) = [way for way in graph.exits[node] if way.link == inner.id]
        assert (way.to, way.entered, way.entries) == (other, 0, ())


def test_track_that_divides_at_a_hexside_shares_its_bit() -> None:
    """From the south one may go on to the north or the north-west, never from one to the other."""
    graph = lay_out("C6 town, C4 fork").graph
    south = graph.node_at["C6", 0]
    ways = {way.to: way for way in graph.exits[south]}
    assert set(ways) == {graph.node_at["C2", 0]}
    opens = graph.open_ends[south]
    shared = TOY.hexes["C6"].sides[3]
    assert all(way.mask & shared for way in (*ways.values(), *opens) if way.entries)


def test_track_that_runs_back_to_its_own_stop_comes_twice_to_a_hex() -> None:
    """Out of the middle to the south, by C6 and B5, and back from the south-west."""
    graph = lay_out("C4 big, C6 curl/2, B5 curl/4").graph
    middle = graph.node_at["C4", 0]
    (loop,) = [link for link in graph.links if link.a == link.b]
    assert loop.coords in {("C4", "C6", "B5", "C4"), ("C4", "B5", "C6", "C4")}
    assert loop.again
    assert [way.again for way in graph.exits[middle] if way.link == loop.id] == [True, True]


def test_a_graph_made_of_the_one_before_is_the_same() -> None:
    """A lay follows only the track it touches; stops, links and bits are numbered as if all were followed."""
    board = lay_out("C4 line, C6 town/3, D5 halt")
    for coord, name, turn in (("C4", "town", 0), ("D5", "halt", 1), ("C6", "pair", 1), ("C4", "pair", 0)):
        assert board.graph.nodes
        board = board.with_tile(coord, name, turn)
        again = Graph(board.map, {hex_: board.tile(hex_) for hex_ in board.map.hexes})
        graph = board.graph
        assert (graph.nodes, graph.exits, graph.open_ends) == (again.nodes, again.exits, again.open_ends)
        assert graph.links == again.links


def test_a_loop_that_comes_back_over_its_first_hexside_is_no_link() -> None:
    """From C2 the fork leads round by C6 and D5, and back to the hexside it came in by."""
    graph = lay_out("C4 fork/3, C6 curl/3, D5 curl/1").graph
    assert graph.exits[graph.node_at["C2", 0]] == ()
