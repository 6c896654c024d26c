"""What places are called, and the way of a run over them."""

from engine.rails import places
from tests.engine.rails.toy import TOY, lay_out

LINE = "C4 town, C6 town"
"""North C2 – Middle C4 – South C6, cities of one slot."""


def test_a_hex_by_its_name_and_by_itself() -> None:
    assert places.plain(TOY.hexes, "C4") == "Middle (C4)"
    assert places.plain(TOY.hexes, "B5") == "B5"
    assert places.plain(TOY.hexes, "Z9") == "Z9"
    assert places.numbered(TOY, "C4") == "C4 Middle"
    assert places.numbered(TOY, "B5") == "B5"


def test_the_way_of_a_run_names_each_place_once_and_brackets_what_does_not_count() -> None:
    board = lay_out(LINE)
    north, middle, south = (board.graph.node_at[coord, 0] for coord in ("C2", "C4", "C6"))
    assert places.way(board, [north, middle, south]) == "North–Middle–South"
    assert places.way(board, [north, middle, south], 1 << middle) == "North–(Middle)–South"
    assert places.way(board, [north, middle, middle], 1 << middle) == "North–(Middle)"
    assert places.way(board, [north, middle, south, north, middle, south, north]).count("–") == 6
    assert places.way(board, [north, middle, south, north, middle, south, north, middle]) == (
        "North–Middle–South–North … North–Middle, 8 stops"
    )


def test_a_stop_of_two_of_which_one_counts_is_no_stop_left_out() -> None:
    board = lay_out("C4 pair")
    first, second = (board.graph.node_at["C4", index] for index in (0, 1))
    assert places.way(board, [first, second], 1 << first) == "Middle"
