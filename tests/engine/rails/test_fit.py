"""What becomes of track and stops under a new tile."""

import pytest

from engine.rails.board import Board
from engine.rails.laying import carried, following, renumbered
from engine.rails.maps import Map, PrintedHex
from engine.rails.tiles import STOP, DataError, Manifest, Stop, Tile, read_tiles
from engine.rails.views import hex_view
from tests.engine.rails.toy import TOY


def like(old: Stop, new: Stop) -> bool:
    return old.kind == new.kind


def lying(name: str, rotation: int = 0) -> Tile:
    return TOY.manifest.turned(name, rotation)


def test_track_must_stay_between_the_same_sides() -> None:
    assert carried(lying("line"), lying("cross"), like) == ()
    assert carried(lying("line", 1), lying("cross"), like) == ()
    assert carried(lying("line", 2), lying("cross"), like) is None
    assert carried(lying("bend"), lying("cross"), like) is None
    # All four sides are there, but joined otherwise.
    crossed = Tile("x", "yellow", track=((0, 1), (3, 4)))
    assert carried(crossed, lying("cross"), like) is None


def test_a_stop_becomes_a_stop_of_its_kind_on_the_same_track() -> None:
    assert carried(lying("town"), lying("big"), like) == (0,)
    assert carried(lying("halt"), lying("big"), like) is None
    assert carried(lying("line"), lying("big"), like) is None


def test_several_stops_follow_their_track() -> None:
    """The northern city has its number changed, the southern one too."""
    turned_round = Tile(
        "x", "russet", stops=lying("pair").stops[::-1],
        track=((3, STOP + 1), (0, STOP), (STOP, STOP + 1), (4, STOP + 1)),
    )  # fmt: skip
    assert carried(lying("pair"), turned_round, like) == (1, 0)
    assert turned_round.pieces - renumbered(lying("pair"), (1, 0)) == {(4, STOP + 1)}


def test_stops_without_track_take_the_first_that_is_free() -> None:
    empty = Tile("", stops=(Stop("city"), Stop("city")))
    assert carried(empty, lying("pair"), like) == (0, 1)
    assert carried(Tile("", stops=(Stop("city"),) * 3), lying("pair"), like) is None


def test_the_title_gives_the_colours_and_their_order() -> None:
    """Each section of the tile file is a colour, the first is laid first; one that no theme has brings its own."""
    codes = {"blue": {"B1": "path=a:0,b:3"}, "yellow": {"Y1": "path=a:0,b:3;path=a:0,b:2"}}
    manifest = Manifest(read_tiles("two", codes, {"blue": "#3050ff"}), {"B1": 1, "Y1": 1})
    of = Map("two", {"A1": PrintedHex()}, [], manifest)
    board = Board(of)
    assert of.manifest.colours == ("plain", "blue", "yellow")
    assert following(of, of.hexes["A1"], board.tile("A1")) == ("B1",)
    board = board.lay("A1", "B1", 0)
    assert following(of, of.hexes["A1"], board.tile("A1")) == ("Y1",)
    assert hex_view(board, "A1").ink == "#3050ff"
    board = board.lay("A1", "Y1", 0)
    assert following(of, of.hexes["A1"], board.tile("A1")) == ()
    assert hex_view(board, "A1").ink == "yellow"
    with pytest.raises(DataError, match="unknown colour"):
        read_tiles("two", codes)
