"""How far track leads, and what stops it."""

from engine.hex_view import Token
from engine.rails.board import Board
from engine.rails.reach import (
    Bases,
    Reach,
    bases_of,
    free_slots,
    nodes_of,
    reachable,
    sites,
    stands,
    stands_on,
    tokened_out,
)
from tests.engine.rails.toy import TOY, lay_out

LINE = "C4 town, C6 town"
EVERYWHERE = -1
"""All stops are reached."""


def reach(board: Board, bases: Bases, company: str) -> tuple[set[str], Reach]:
    graph = board.graph
    found = reachable(graph, nodes_of(graph, bases, company), tokened_out(graph, bases, company))
    return {node.coord for node in graph.nodes if found.nodes >> node.id & 1}, found


def test_who_stands_where_is_told_by_place() -> None:
    bases = bases_of([("ABC", [("C4", 0), ("C2", 0)], False), ("XYZ", [("C4", 0)], True)])
    assert bases["C4", 0] == (Token("ABC"), Token("XYZ", flipped=True))
    assert stands(bases, ("C2", 0), "ABC")
    assert not stands(bases, ("C2", 0), "XYZ")
    assert not stands(bases, ("C6", 0), "ABC")


def test_track_leads_through_stops_of_any_number() -> None:
    bases = bases_of([("ABC", [("C2", 0)], False)])
    stops, found = reach(lay_out(LINE), bases, "ABC")
    assert stops == {"C2", "C4", "C6"}
    for coord in ("C4", "C6"):
        assert found.track & TOY.hexes[coord].sides[0]
        assert found.track & TOY.hexes[coord].sides[3]
    assert not found.track & TOY.hexes["C4"].sides[4]


def test_full_cities_are_reached_and_not_passed() -> None:
    bases = bases_of([("ABC", [("C2", 0)], False), ("XYZ", [("C4", 0)], False)])
    assert reach(lay_out(LINE), bases, "ABC")[0] == {"C2", "C4"}
    assert reach(lay_out(LINE), bases, "XYZ")[0] == {"C2", "C4", "C6"}
    assert reach(lay_out("C4 big, C6 town"), bases, "ABC")[0] == {"C2", "C4", "C6"}, "a slot is free"


def test_flipped_bases_block_track_and_not_runs() -> None:
    bases = bases_of([("ABC", [("C2", 0)], False), ("XYZ", [("C4", 0)], True)])
    graph = lay_out(LINE).graph
    assert tokened_out(graph, bases, "ABC") == 1 << graph.node_at["C4", 0]
    assert tokened_out(graph, bases, "ABC", flipped_count=False) == 0


def test_nothing_turns_back_at_a_hexside() -> None:
    """The fork on C4 leads from the south to the north and to the north-west; north-west is out of reach from C2."""
    north = bases_of([("ABC", [("C2", 0)], False)])
    stops, found = reach(lay_out("C6 town, C4 fork"), north, "ABC")
    assert stops == {"C2", "C6"}
    assert not found.track & TOY.hexes["C4"].sides[2]
    south = bases_of([("ABC", [("C6", 0)], False)])
    assert reach(lay_out("C6 town, C4 fork"), south, "ABC")[1].track & TOY.hexes["C4"].sides[2]


def test_nothing_turns_back_in_a_stop_beyond_a_hexside() -> None:
    """The fork leads from B5 to C2 and to D3: who comes from C2 calls at B5, and does not go on to D3 from there."""
    board = lay_out("C4 fork/1, B5 town/1, D3 town/1")
    assert reach(board, bases_of([("ABC", [("C2", 0)], False)]), "ABC")[0] == {"C2", "B5"}
    assert reach(board, bases_of([("ABC", [("B5", 0)], False)]), "ABC")[0] == {"C2", "B5", "D3"}


def test_a_base_on_an_empty_hex_reaches_itself() -> None:
    stops, found = reach(lay_out(), bases_of([("ABC", [("C4", 0)], False)]), "ABC")
    assert stops == {"C4"}
    assert found.track == 0


def test_two_bases_fill_two_slots_and_a_flipped_one_counts_only_where_it_is_said() -> None:
    board = lay_out("C4 big, C6 town")
    node = 1 << board.graph.node_at["C4", 0]
    pair = bases_of([("XYZ", [("C4", 0)], False), ("OLD", [("C4", 0)], False)])
    assert tokened_out(board.graph, pair, "ABC") == node
    assert tokened_out(board.graph, pair, "ABC", flipped_count=False) == node
    mixed = bases_of([("XYZ", [("C4", 0)], False), ("OLD", [("C4", 0)], True)])
    assert tokened_out(board.graph, mixed, "ABC") == node
    assert tokened_out(board.graph, mixed, "ABC", flipped_count=False) == 0
    assert tokened_out(board.graph, pair, "XYZ") == 0, "an own base lets pass"


def test_a_slot_is_free_that_nobody_fills_and_no_home_waits_for() -> None:
    """The home of ABC is on C4: one slot of its first city is kept for it, but not against itself."""
    board, nobody = lay_out("C4 big, C6 town"), bases_of([])
    assert free_slots(board, nobody, ("C4", 0), "XYZ") == 2
    assert free_slots(board, nobody, ("C4", 0), "XYZ", ("ABC", "XYZ")) == 1
    assert free_slots(board, nobody, ("C4", 0), "ABC", ("ABC",)) == 2
    assert free_slots(board, bases_of([("IJ", [("C4", 0)], False)]), ("C4", 0), "XYZ", ("ABC",)) == 0
    second = lay_out("C4 pair")
    assert [free_slots(second, nobody, ("C4", city), "XYZ", ("ABC",)) for city in (0, 1)] == [0, 1]


def test_sites_are_cities_reached_with_a_free_slot_on_a_hex_without_a_base_of_ones_own() -> None:
    board = lay_out("C4 big, C6 town")
    bases = bases_of([("ABC", [("C2", 0)], False), ("XYZ", [("C6", 0)], False)])
    assert [*sites(board, bases, EVERYWHERE, "ABC")] == [("C4", 0)]
    assert [*sites(board, bases, EVERYWHERE, "XYZ")] == [("C4", 0)]
    assert [*sites(board, bases, EVERYWHERE & ~(1 << board.graph.node_at["C4", 0]), "ABC")] == []
    assert [*sites(lay_out("C4 big, C6 big"), bases, EVERYWHERE, "ABC")] == [("C4", 0), ("C6", 0)]


def test_one_base_on_a_hex_is_the_most_in_whichever_city_it_stands() -> None:
    board, bases = lay_out("C4 pair"), bases_of([("ABC", [("C4", 1)], False)])
    assert stands_on(board, bases, "C4", "ABC")
    assert not stands_on(board, bases, "C4", "XYZ")
    assert ("C4", 0) not in [*sites(board, bases, EVERYWHERE, "ABC")]
    assert ("C4", 0) in [*sites(board, bases, EVERYWHERE, "XYZ")]
