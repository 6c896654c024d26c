"""Boards and tiles as views."""

from engine.rails.reach import bases_of
from engine.rails.show import board_hexes, hex_and_neighbours, hex_view, tile_hex
from engine.view import Stop, Token, Track
from tests.engine.rails.toy import TOY, lay_out


def test_every_hex_is_shown_in_its_place() -> None:
    """Columns and half-rows count from the map's own corner; the sea is shown as well."""
    hexes = {view.coord: view for view in board_hexes(lay_out(), marks={"C4": "can"}, choices={"C4": "1"})}
    assert hexes.keys() == TOY.hexes.keys()
    assert (hexes["B3"].x, hexes["B3"].y) == (0, 2)
    assert (hexes["D1"].x, hexes["D1"].y) == (2, 0)
    assert hexes["D1"].ink == "sea"
    assert hexes["D1"].stops[0].values == (("yellow", 10), ("green", 20))
    assert (hexes["C4"].mark, hexes["C4"].choice, hexes["C4"].barriers) == ("can", "1", (2,))
    assert (hexes["C6"].mark, hexes["C6"].name) == ("", "South")


def test_terrain_is_shown_until_it_is_built_on() -> None:
    assert (hex_view(lay_out(), "C6").cost, hex_view(lay_out(), "C6").terrain) == (60, "hill")
    assert (hex_view(lay_out("C6 town"), "C6").cost, hex_view(lay_out("C6 town"), "C6").terrain) == (0, "")


def test_bases_stand_in_their_slots_and_homes_are_kept() -> None:
    bases = bases_of([("XYZ", [("C4", 0)], True)])
    view = hex_view(lay_out("C4 town, C4 big"), "C4", bases, waiting=("ABC",))
    assert view.homes == ("ABC",)
    assert view.stops == (Stop("city", 30, slots=2, tokens=(Token("XYZ", flipped=True), None), reserved=("ABC",)),)
    assert (view.tile, view.ink, view.track[0]) == ("big", "green", Track(0, 10))
    assert hex_view(lay_out(), "C4").homes == ()


def test_a_choice_is_shown_with_pale_neighbours() -> None:
    middle, *around = hex_and_neighbours(lay_out(), "C4")
    assert (middle.coord, middle.faded) == ("C4", False)
    assert {view.coord for view in around} == {"C6", "B5", "B3", "C2", "D3", "D5"}
    assert all(view.faded for view in around)


def test_a_tile_on_its_own() -> None:
    view = tile_hex(TOY.manifest["pair"])
    assert (view.coord, view.tile, view.ink) == ("", "pair", "green")
    assert [(stop.value, stop.place, stop.tokens) for stop in view.stops] == [(40, 2, (None,)), (10, 5, (None,))]
