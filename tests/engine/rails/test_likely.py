"""Which tiles stand first on a menu."""

from types import SimpleNamespace

from engine.finance.rounds import Pass
from engine.rails.board import Board
from engine.rails.laying import LayTile, around, likely, plain_lay
from tests.engine.rails.toy import TOY, lay_out


def test_what_pays_and_meets_track_comes_first_and_what_leads_nowhere_last() -> None:
    """By hex, then by tile; those alike keep their order."""
    board = lay_out("C4 town")
    alone, beside, joined, poor = (
        LayTile("B5", "bend", 0), LayTile("C6", "town", 1), LayTile("C6", "town", 0), LayTile("C6", "line", 0),
    )  # fmt: skip
    assert likely(board, [alone, poor, beside, joined]) == [joined, beside, poor, alone]
    assert likely(board, [LayTile("D5", "bend", 3), alone]) == [LayTile("D5", "bend", 3), alone]


def test_track_is_met_only_where_it_comes_to_the_side() -> None:
    """One side that bare track comes to counts more than two towards hexes without, one of them a town."""
    towards_none, to_track = LayTile("C6", "bend", 2), LayTile("C6", "line", 0)
    assert likely(lay_out("C4 line"), [towards_none, to_track]) == [to_track, towards_none]


def test_an_upgrade_counts_with_what_it_adds_to_the_tile_below() -> None:
    """20 where nothing paid goes before 10 more on a town that pays 20."""
    dearer, fresh = LayTile("C6", "big", 0), LayTile("C4", "town", 0)
    assert likely(lay_out("C6 town"), [dearer, fresh]) == [fresh, dearer]


def test_a_lay_is_told_as_the_lowest_turn_that_looks_alike() -> None:
    """What is no lay, or of a tile that nobody knows, stays as it is: the check refuses it."""
    s = SimpleNamespace(board=Board(TOY))
    assert plain_lay(s, LayTile("C6", "line", 4)) == LayTile("C6", "line", 1)
    assert plain_lay(s, LayTile("C6", "bend", 4)) == LayTile("C6", "bend", 4)
    for other in (LayTile("C6", "nothing", 4), Pass()):
        assert plain_lay(s, other) == other


def test_of_lays_that_meet_nothing_those_come_first_that_lead_towards_a_stop() -> None:
    board = lay_out("C4 town")
    nowhere, towards = LayTile("B5", "line", 0), LayTile("B5", "line", 1)
    assert likely(board, [nowhere, towards]) == [towards, nowhere]


def test_a_home_is_good_by_what_lies_around_it_too() -> None:
    """What a stop pays counts most on the home itself, less beyond it."""
    board = lay_out("C4 town")
    assert around(board, "C4") > around(board, "B5") > 0
    beside, beyond = 30 + 10 + 10, 10
    assert around(board, "C4") == 3 * 20 + 2 * beside + beyond, "bare stops for 10 each"
