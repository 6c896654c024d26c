"""Boards: values on which tiles are laid."""

from engine.rails.board import Board
from tests.engine.rails.toy import TOY, lay_out, toy_map


def test_laying_leaves_the_old_board_alone() -> None:
    before = lay_out()
    after = before.with_tile("C4", "town", 2)
    assert dict(before.laid) == {}
    assert dict(after.laid) == {"C4": ("town", 2)}
    assert before.tile("C4").name == ""
    assert after.tile("C4") == TOY.manifest.find_turned("town", 2)


def test_replaced_tiles_return_to_the_supply() -> None:
    board = lay_out("C4 town, C6 town")
    assert board.count_left("town") == 0
    upgraded = board.with_tile("C4", "big", 0)
    assert (upgraded.count_left("town"), upgraded.count_left("big")) == (1, 1)


def test_boards_are_equal_when_the_same_tiles_lie() -> None:
    one, other = lay_out("C4 town, C6 town/1"), lay_out("C6 town/1, C4 town")
    assert one == other
    assert hash(one) == hash(other)
    assert one != lay_out("C4 town")
    assert lay_out() != Board(toy_map()), "another map"


def test_a_board_knows_its_hexes() -> None:
    board = lay_out()
    assert "C4" in board
    assert "Z1" not in board
    assert board.spec("C6").cost == 60
    assert board.graph is board.graph
