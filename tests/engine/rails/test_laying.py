"""Laying tiles: which may follow which, and what most people would build."""

import pytest

from engine.finance.rounds import Pass
from engine.rails.board import Board
from engine.rails.laying import (
    LayTile,
    list_upgrades,
    match_old_stops,
    order_lays,
    rate_home,
    renumber_track,
    simplify_rotation,
)
from engine.rails.maps import Map, PrintedHex
from engine.rails.tiles import STOP, DataError, Manifest, Stop, Tile, read_tiles
from engine.rails.views import view_hex
from tests.engine.rails.toy import TOY, lay_out


def like(old: Stop, new: Stop) -> bool:
    return old.kind == new.kind


def lying(name: str, rotation: int = 0) -> Tile:
    return TOY.manifest.find_turned(name, rotation)


def test_track_must_stay_between_the_same_sides() -> None:
    assert match_old_stops(lying("line"), lying("cross"), like) == ()
    assert match_old_stops(lying("line", 1), lying("cross"), like) == ()
    assert match_old_stops(lying("line", 2), lying("cross"), like) is None
    assert match_old_stops(lying("bend"), lying("cross"), like) is None
    # All four sides are there, but joined otherwise.
    crossed = Tile("x", "yellow", track=((0, 1), (3, 4)))
    assert match_old_stops(crossed, lying("cross"), like) is None


def test_a_stop_becomes_a_stop_of_its_kind_on_the_same_track() -> None:
    assert match_old_stops(lying("town"), lying("big"), like) == (0,)
    assert match_old_stops(lying("halt"), lying("big"), like) is None
    assert match_old_stops(lying("line"), lying("big"), like) is None


def test_several_stops_follow_their_track() -> None:
    """The northern city has its number changed, the southern one too."""
    turned_round = Tile(
        "x", "russet", stops=lying("pair").stops[::-1],
        track=((3, STOP + 1), (0, STOP), (STOP, STOP + 1), (4, STOP + 1)),
    )  # fmt: skip
    assert match_old_stops(lying("pair"), turned_round, like) == (1, 0)
    assert turned_round.pieces - renumber_track(lying("pair"), (1, 0)) == {(4, STOP + 1)}


def test_stops_without_track_take_the_first_that_is_free() -> None:
    empty = Tile("", stops=(Stop("city"), Stop("city")))
    assert match_old_stops(empty, lying("pair"), like) == (0, 1)
    assert match_old_stops(Tile("", stops=(Stop("city"),) * 3), lying("pair"), like) is None


def test_the_title_gives_the_colours_and_their_order() -> None:
    """Each section of the tile file is a colour, the first is laid first; one that no theme has brings its own."""
    codes = {"blue": {"B1": "path=a:0,b:3"}, "yellow": {"Y1": "path=a:0,b:3;path=a:0,b:2"}}
    manifest = Manifest(read_tiles("two", codes, {"blue": "#3050ff"}), {"B1": 1, "Y1": 1})
    of = Map("two", {"A1": PrintedHex()}, [], manifest)
    board = Board(of)
    assert of.manifest.colours == ("plain", "blue", "yellow")
    assert list_upgrades(of, of.hexes["A1"], board.tile("A1")) == ("B1",)
    board = board.with_tile("A1", "B1", 0)
    assert list_upgrades(of, of.hexes["A1"], board.tile("A1")) == ("Y1",)
    assert view_hex(board, "A1").ink == "#3050ff"
    board = board.with_tile("A1", "Y1", 0)
    assert list_upgrades(of, of.hexes["A1"], board.tile("A1")) == ()
    assert view_hex(board, "A1").ink == "yellow"
    with pytest.raises(DataError, match="unknown colour"):
        read_tiles("two", codes)


def test_tiles_that_pay_and_connect_come_first_and_dead_ends_last() -> None:
    """By hex, then by tile; those alike keep their order."""
    board = lay_out("C4 town")
    alone, beside, joined, poor = (
        LayTile("B5", "bend", 0), LayTile("C6", "town", 1), LayTile("C6", "town", 0), LayTile("C6", "line", 0),
    )  # fmt: skip
    assert order_lays(board, [alone, poor, beside, joined]) == [joined, beside, poor, alone]
    assert order_lays(board, [LayTile("D5", "bend", 3), alone]) == [LayTile("D5", "bend", 3), alone]


def test_track_is_met_only_where_it_comes_to_the_side() -> None:
    """One side that bare track comes to counts more than two towards hexes without, one of them a town."""
    towards_none, to_track = LayTile("C6", "bend", 2), LayTile("C6", "line", 0)
    assert order_lays(lay_out("C4 line"), [towards_none, to_track]) == [to_track, towards_none]


def test_an_upgrade_counts_with_what_it_adds_to_the_tile_below() -> None:
    """20 where nothing paid goes before 10 more on a town that pays 20."""
    dearer, fresh = LayTile("C6", "big", 0), LayTile("C4", "town", 0)
    assert order_lays(lay_out("C6 town"), [dearer, fresh]) == [fresh, dearer]


def test_a_lay_is_reported_as_the_lowest_turn_that_looks_alike() -> None:
    """What is no lay, or of a tile that no one knows, stays as it is: the check refuses it."""
    board = Board(TOY)
    assert simplify_rotation(board, LayTile("C6", "line", 4)) == LayTile("C6", "line", 1)
    assert simplify_rotation(board, LayTile("C6", "bend", 4)) == LayTile("C6", "bend", 4)
    for other in (LayTile("C6", "nothing", 4), Pass()):
        assert simplify_rotation(board, other) == other


def test_of_lays_that_meet_nothing_those_come_first_that_lead_towards_a_stop() -> None:
    board = lay_out("C4 town")
    nowhere, towards = LayTile("B5", "line", 0), LayTile("B5", "line", 1)
    assert order_lays(board, [nowhere, towards]) == [towards, nowhere]


def test_a_home_is_good_by_what_lies_around_it_too() -> None:
    """What a stop pays counts most on the home itself, less beyond it."""
    board = lay_out("C4 town")
    assert rate_home(board, "C4") > rate_home(board, "B5") > 0
    beside, beyond = 30 + 10 + 10, 10
    assert rate_home(board, "C4") == 3 * 20 + 2 * beside + beyond, "bare stops for 10 each"
