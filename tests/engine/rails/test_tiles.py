"""Tile code, rotation, the manifest."""

import pytest

from engine.rails.tiles import STOP, DataError, Manifest, Stop, Tile, read_tile, read_tiles
from tests.engine.rails.toy import TOY
from tests.support.sure import list_said


def test_tile_code_is_read() -> None:
    tile = read_tile("f", "k", "yellow", "city=revenue:20;path=a:0,b:_0;path=a:_0,b:3;label=B", name="57")
    assert (tile.name, tile.colour, tile.letter, tile.fixed) == ("57", "yellow", "B", False)
    assert tile.stops == (Stop("city", 20, slots=1),)
    assert tile.track == ((0, STOP), (STOP, 3))
    assert tile.sides == 0b001001
    assert tile.joins[0] == (STOP,)
    assert tile.joins[STOP] == (0, 3)
    assert tile.pieces == {(0, STOP), (3, STOP)}


def test_defaults_of_tiles_and_stops_are_empty() -> None:
    assert list_said(Tile("57")) == {"name": "57", "colour": "plain", "joins": ((),) * STOP}
    assert list_said(Stop("city")) == {"kind": "city"}


def test_stops_have_places_slots_names_and_values_by_phase() -> None:
    tile = read_tile("f", "k", "sea", "offboard=revenue:yellow_0|green_20;city=slots:2,loc:5.5,name:Shide;fixed")
    assert tile.stops[0].values == (("yellow", 0), ("green", 20))
    assert tile.stops[0].value is None
    assert tile.stops[1] == Stop("city", None, slots=2, place=5.5, name="Shide")
    assert tile.fixed
    assert tile.has_stop("offboard")
    assert not tile.has_stop("halt")


@pytest.mark.parametrize(
    ("colour", "code", "reason"),
    [
        ("brown", "path=a:0,b:3", "unknown colour"),
        ("yellow", "path=a:0,b:6", "no side 6"),
        ("yellow", "path=a:0,b:_0", "leads to stop 0, which doesn't exist"),
        ("yellow", "path=a:0", "can't read 'path=a:0'"),
        ("yellow", "path=a:0,b:1,c:2", "unknown c"),
        ("yellow", "city=revenue:many", "can't read 'city=revenue:many'"),
        ("yellow", "city=colour:red", "unknown colour"),
        ("yellow", "vilage", "unknown part 'vilage'"),
    ],
)
def test_errors_name_file_key_and_reason(colour: str, code: str, reason: str) -> None:
    with pytest.raises(DataError, match=reason) as caught:
        read_tiles("tiles.toml", {colour: {"57": code}})
    assert str(caught.value).startswith(f"tiles.toml: {colour}.57: ")


def test_a_tile_is_there_once() -> None:
    with pytest.raises(DataError, match="such a tile already"):
        read_tiles("tiles.toml", {"yellow": {"7": "path=a:0,b:1"}, "green": {"7": "path=a:0,b:2"}})


def test_turning_moves_sides_and_places_clockwise() -> None:
    tile = TOY.manifest.find_turned("pair", 4)
    assert tile.track == ((1, STOP), (4, STOP + 1), (STOP, STOP + 1))
    assert [stop.place for stop in tile.stops] == [0, 3]
    assert tile.turn(2) == TOY.manifest["pair"]


def test_the_manifest_knows_its_tiles() -> None:
    manifest = TOY.manifest
    assert "town" in manifest
    assert "57" not in manifest
    assert manifest.by_colour["green"] == ("cross", "fork", "big", "pair")
    assert list(manifest)[:2] == ["bend", "curl"]
    assert manifest.counts["big"] == 2


def test_rotations_that_look_alike() -> None:
    """A straight line looks the same upside down; a bend in no other way."""
    manifest = TOY.manifest
    assert [manifest.find_plainest_rotation("line", turn) for turn in range(6)] == [0, 1, 2, 0, 1, 2]
    assert [manifest.find_plainest_rotation("bend", turn) for turn in range(6)] == [0, 1, 2, 3, 4, 5]
    assert [manifest.find_plainest_rotation("cross", turn) for turn in range(6)] == [0, 1, 2, 0, 1, 2]
    twins = Manifest(read_tiles("f", {"yellow": {"t": "halt;halt;path=a:0,b:_0;path=a:_0,b:_1;path=a:_1,b:3"}}), {})
    assert twins.find_plainest_rotation("t", 4) == 1, "two halts in line, whichever is counted first"
