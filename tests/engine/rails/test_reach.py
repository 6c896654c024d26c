"""How far track leads, and what stops it."""

from engine.hex_view import Token
from engine.rails.board import Board
from engine.rails.reach import (
    Bases,
    Reach,
    count_free_slots,
    find_base_nodes,
    find_full_cities,
    find_reach,
    has_base_in_city,
    has_base_on_hex,
    list_base_sites,
    place_bases,
)
from tests.engine.rails.toy import TOY, lay_out

LINE = "C4 town, C6 town"
EVERYWHERE = -1
"""All stops are reached."""


def reach(board: Board, bases: Bases, company: str) -> tuple[set[str], Reach]:
    graph = board.graph
    found = find_reach(graph, find_base_nodes(graph, bases, company), find_full_cities(graph, bases, company))
    return {node.coord for node in graph.nodes if found.nodes >> node.id & 1}, found


def test_tokens_are_reported_by_place() -> None:
    bases = place_bases([("ABC", [("C4", 0), ("C2", 0)], False), ("XYZ", [("C4", 0)], True)])
    assert bases["C4", 0] == (Token("ABC"), Token("XYZ", flipped=True))
    assert has_base_in_city(bases, ("C2", 0), "ABC")
    assert not has_base_in_city(bases, ("C2", 0), "XYZ")
    assert not has_base_in_city(bases, ("C6", 0), "ABC")


def test_track_leads_through_stops_of_any_number() -> None:
    bases = place_bases([("ABC", [("C2", 0)], False)])
    stops, found = reach(lay_out(LINE), bases, "ABC")
    assert stops == {"C2", "C4", "C6"}
    for coord in ("C4", "C6"):
        assert found.track & TOY.hexes[coord].sides[0]
        assert found.track & TOY.hexes[coord].sides[3]
    assert not found.track & TOY.hexes["C4"].sides[4]


def test_full_cities_are_reached_and_not_passed() -> None:
    bases = place_bases([("ABC", [("C2", 0)], False), ("XYZ", [("C4", 0)], False)])
    assert reach(lay_out(LINE), bases, "ABC")[0] == {"C2", "C4"}
    assert reach(lay_out(LINE), bases, "XYZ")[0] == {"C2", "C4", "C6"}
    assert reach(lay_out("C4 big, C6 town"), bases, "ABC")[0] == {"C2", "C4", "C6"}, "a slot is free"


def test_flipped_bases_block_like_others() -> None:
    bases = place_bases([("ABC", [("C2", 0)], False), ("XYZ", [("C4", 0)], True)])
    graph = lay_out(LINE).graph
    assert find_full_cities(graph, bases, "ABC") == 1 << graph.node_at["C4", 0]


def test_nothing_turns_back_at_a_hexside() -> None:
    """The fork on C4 leads from the south to the north and to the north-west; north-west is out of reach from C2."""
    north = place_bases([("ABC", [("C2", 0)], False)])
    stops, found = reach(lay_out("C6 town, C4 fork"), north, "ABC")
    assert stops == {"C2", "C6"}
    assert not found.track & TOY.hexes["C4"].sides[2]
    south = place_bases([("ABC", [("C6", 0)], False)])
    assert reach(lay_out("C6 town, C4 fork"), south, "ABC")[1].track & TOY.hexes["C4"].sides[2]


def test_nothing_turns_back_in_a_stop_beyond_a_hexside() -> None:
    """The fork leads from B5 to C2 and to D3: who comes from C2 calls at B5, and does not go on to D3 from there."""
    board = lay_out("C4 fork/1, B5 town/1, D3 town/1")
    assert reach(board, place_bases([("ABC", [("C2", 0)], False)]), "ABC")[0] == {"C2", "B5"}
    assert reach(board, place_bases([("ABC", [("B5", 0)], False)]), "ABC")[0] == {"C2", "B5", "D3"}


def test_a_base_on_an_empty_hex_reaches_itself() -> None:
    stops, found = reach(lay_out(), place_bases([("ABC", [("C4", 0)], False)]), "ABC")
    assert stops == {"C4"}
    assert found.track == 0


def test_two_bases_fill_two_slots_a_flipped_one_too() -> None:
    board = lay_out("C4 big, C6 town")
    node = 1 << board.graph.node_at["C4", 0]
    pair = place_bases([("XYZ", [("C4", 0)], False), ("OLD", [("C4", 0)], False)])
    assert find_full_cities(board.graph, pair, "ABC") == node
    mixed = place_bases([("XYZ", [("C4", 0)], False), ("OLD", [("C4", 0)], True)])
    assert find_full_cities(board.graph, mixed, "ABC") == node
    assert find_full_cities(board.graph, pair, "XYZ") == 0, "an own base lets pass"


def test_a_slot_is_free_if_no_token_fills_it_and_no_home_is_reserved() -> None:
    """The home of ABC is on C4: one slot of its first city is kept for it, but not against itself."""
    board, nobody = lay_out("C4 big, C6 town"), place_bases([])
    assert count_free_slots(board, nobody, ("C4", 0), "XYZ") == 2
    assert count_free_slots(board, nobody, ("C4", 0), "XYZ", ("ABC", "XYZ")) == 1
    assert count_free_slots(board, nobody, ("C4", 0), "ABC", ("ABC",)) == 2
    assert count_free_slots(board, place_bases([("IJ", [("C4", 0)], False)]), ("C4", 0), "XYZ", ("ABC",)) == 0
    second = lay_out("C4 pair")
    assert [count_free_slots(second, nobody, ("C4", city), "XYZ", ("ABC",)) for city in (0, 1)] == [0, 1]


def test_sites_are_reached_cities_with_a_free_slot_on_a_hex_without_an_own_base() -> None:
    board = lay_out("C4 big, C6 town")
    bases = place_bases([("ABC", [("C2", 0)], False), ("XYZ", [("C6", 0)], False)])
    assert [*list_base_sites(board, bases, EVERYWHERE, "ABC")] == [("C4", 0)]
    assert [*list_base_sites(board, bases, EVERYWHERE, "XYZ")] == [("C4", 0)]
    assert [*list_base_sites(board, bases, EVERYWHERE & ~(1 << board.graph.node_at["C4", 0]), "ABC")] == []
    assert [*list_base_sites(lay_out("C4 big, C6 big"), bases, EVERYWHERE, "ABC")] == [("C4", 0), ("C6", 0)]


def test_one_base_on_a_hex_is_the_most_in_whichever_city_it_stands() -> None:
    board, bases = lay_out("C4 pair"), place_bases([("ABC", [("C4", 1)], False)])
    assert has_base_on_hex(board, bases, "C4", "ABC")
    assert not has_base_on_hex(board, bases, "C4", "XYZ")
    assert ("C4", 0) not in [*list_base_sites(board, bases, EVERYWHERE, "ABC")]
    assert ("C4", 0) in [*list_base_sites(board, bases, EVERYWHERE, "XYZ")]
