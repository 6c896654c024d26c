"""What places are called, and the way of a run over them."""

import pytest

from engine.hex_view import Token
from engine.printed import Units
from engine.rails import places
from engine.rails.places import describe_blocking, describe_new_links, describe_value, find_shut_out
from engine.rails.reach import Bases, place_bases
from tests.engine.rails.toy import TOY, lay_out

LINE = "C4 town, C6 town"
"""North C2 – Middle C4 – South C6, cities of one slot."""
POUNDS = Units("£", 10)
"""North C2 – Middle C4 – South C6, cities of one slot."""


def test_a_hex_by_its_name_and_by_itself() -> None:
    assert places.write_hex(TOY.hexes, "C4") == "Middle (C4)"
    assert places.write_hex(TOY.hexes, "B5") == "B5"
    assert places.write_hex(TOY.hexes, "Z9") == "Z9"
    assert places.write_hex_for_list(TOY, "C4") == "C4 Middle"
    assert places.write_hex_for_list(TOY, "B5") == "B5"


def test_the_way_of_a_run_names_each_place_once_and_brackets_skipped_stops() -> None:
    board = lay_out(LINE)
    north, middle, south = (board.graph.node_at[coord, 0] for coord in ("C2", "C4", "C6"))
    assert places.write_stops(board, [north, middle, south]) == "North–Middle–South"
    assert places.write_stops(board, [north, middle, south], 1 << middle) == "North–(Middle)–South"
    assert places.write_stops(board, [north, middle, middle], 1 << middle) == "North–(Middle)"
    assert places.write_stops(board, [north, middle, south, north, middle, south, north]).count("–") == 6
    assert places.write_stops(board, [north, middle, south, north, middle, south, north, middle]) == (
        "North–Middle–South–North … North–Middle, 8 stops"
    )


def test_a_stop_of_two_of_which_one_counts_is_no_stop_left_out() -> None:
    board = lay_out("C4 pair")
    first, second = (board.graph.node_at["C4", index] for index in (0, 1))
    assert places.write_stops(board, [first, second], 1 << first) == "Middle"


def test_a_tile_lists_its_connections_destinations_and_payment() -> None:
    before, after = lay_out("C6 town"), lay_out(LINE)
    assert describe_new_links(before, after, "C4") == "joins Middle to North and South"
    assert describe_new_links(lay_out(), lay_out("C6 line"), "C6") == "towards Middle"
    assert describe_new_links(lay_out(), lay_out("C4 town/2"), "C4") == "towards D5", "a lake bars the other side"
    assert describe_new_links(after, after, "C4") == "adds no connection"
    assert describe_value(before, after, "C4", POUNDS) == " · pays £20"
    assert describe_value(after, lay_out("C4 big, C6 town"), "C4", POUNDS) == " · pays £20→£30"
    assert describe_value(after, after, "C4", POUNDS) == " · pays £20", "what it pays as before"
    assert describe_value(lay_out(), lay_out("B5 bend"), "B5", POUNDS) == ""


@pytest.mark.parametrize(
    ("tiles", "others", "out"),
    [
        (LINE, ["XYZ"], ["XYZ"]),  # Middle has one slot
        ("C4 big, C6 town", ["XYZ"], []),  # one of two slots is left
        ("C6 town", ["XYZ"], []),  # cannot run there before either
        (LINE, ["NONE"], []),  # stands nowhere
        (LINE, ["XYZ", "OLD"], ["XYZ", "OLD"]),
    ],
)
def test_a_base_shuts_out_who_could_run_through_before_and_not_after(
    tiles: str, others: list[str], out: list[str]
) -> None:
    bases = place_bases([("XYZ", [("C2", 0)], False), ("OLD", [("C6", 0)], False)])
    assert find_shut_out(lay_out(tiles), bases, ("C4", 0), "ABC", others) == out


def test_companies_keep_access_to_cities_where_they_stand_or_that_were_full_before() -> None:
    there = place_bases([("XYZ", [("C2", 0), ("C4", 0)], False)])
    assert find_shut_out(lay_out(LINE), there, ("C4", 0), "ABC", ["XYZ"]) == []
    full: Bases = {("C2", 0): (Token("XYZ"),), ("C4", 0): (Token("OLD"),)}
    assert find_shut_out(lay_out(LINE), full, ("C4", 0), "ABC", ["XYZ"]) == []
    assert describe_blocking(lay_out(LINE), full, ("C4", 0), "ABC", ["XYZ"]) == "blocks no one"


def test_a_tile_that_joins_stops_tells_where_its_other_ends_are_open() -> None:
    """Until a neighbour's track meets them: tiles that join the same stops differ by that."""
    assert describe_new_links(lay_out(), lay_out("C4 town"), "C4") == "joins Middle to North, open to South"
