"""Boards and tiles as views."""

from itertools import pairwise

from engine.hex_view import Leg, Stop, Token, Track
from engine.rails.reach import place_bases
from engine.rails.tiles import STOP
from engine.rails.views import (
    add_area_values,
    list_legs,
    view_hex,
    view_hex_and_neighbours,
    view_hexes,
    view_tile,
    view_tiles_left,
)
from tests.engine.rails.toy import TOY, lay_out


def test_every_hex_is_shown_in_its_place() -> None:
    """Columns and half-rows count from the map's own corner; the sea is shown as well."""
    hexes = {view.coord: view for view in view_hexes(lay_out(), marks={"C4": "can"}, choices={"C4": "1"})}
    assert hexes.keys() == TOY.hexes.keys()
    assert (hexes["B3"].x, hexes["B3"].y) == (0, 2)
    assert (hexes["D1"].x, hexes["D1"].y) == (2, 0)
    assert hexes["D1"].ink == "sea"
    assert hexes["D1"].stops[0].values == (("yellow", 10), ("green", 20))
    assert (hexes["C4"].mark, hexes["C4"].choice, hexes["C4"].barriers) == ("can", "1", (2,))
    assert (hexes["C6"].mark, hexes["C6"].name) == ("", "South")


def test_terrain_is_shown_until_it_is_built_on() -> None:
    assert (view_hex(lay_out(), "C6").cost, view_hex(lay_out(), "C6").terrain) == (60, "hill")
    assert (view_hex(lay_out("C6 town"), "C6").cost, view_hex(lay_out("C6 town"), "C6").terrain) == (0, "")


def test_bases_stand_in_their_slots_and_homes_are_kept() -> None:
    bases = place_bases([("XYZ", [("C4", 0)], True)])
    view = view_hex(lay_out("C4 town, C4 big"), "C4", bases, waiting=("ABC",))
    assert view.homes == ("ABC",)
    assert view.stops == (Stop("city", 30, slots=2, tokens=(Token("XYZ", flipped=True), None), reserved=("ABC",)),)
    assert (view.tile, view.ink, view.track[0]) == ("big", "green", Track(0, 10))
    assert view_hex(lay_out(), "C4").homes == ()


def test_a_choice_is_shown_with_pale_neighbours() -> None:
    middle, *around = view_hex_and_neighbours(lay_out(), "C4")
    assert (middle.coord, middle.faded) == ("C4", False)
    assert {view.coord for view in around} == {"C6", "B5", "B3", "C2", "D3", "D5"}
    assert all(view.faded for view in around)


def test_a_tile_on_its_own() -> None:
    view = view_tile(TOY.manifest["pair"])
    assert (view.coord, view.x, view.y, view.tile, view.ink) == ("", 0, 0, "pair", "green")
    assert [(stop.value, stop.place, stop.tokens) for stop in view.stops] == [(40, 2, (None,)), (10, 5, (None,))]


def test_a_run_is_drawn_hex_by_hex_either_way() -> None:
    """Over a hex without stops too, and out of a stop with two links by the one that is run."""
    straight = lay_out("C4 line, C6 town/3").graph
    ends = straight.node_at["C2", 0], straight.node_at["C6", 0]
    down = (Leg("C2", STOP, 0), Leg("C4", 3, 0), Leg("C6", 3, STOP))
    assert list_legs(straight, ends, (0,)) == down
    assert list_legs(straight, ends[::-1], (0,)) == tuple(Leg(leg.coord, leg.b, leg.a) for leg in reversed(down))
    graph = lay_out("C4 town, C6 town").graph
    nodes = [graph.node_at[coord, 0] for coord in ("C6", "C4", "C2")]
    links = [next(link.id for link in graph.links if {link.a, link.b} == set(pair)) for pair in pairwise(nodes)]
    assert list_legs(graph, nodes, links) == (
        Leg("C6", STOP, 3),
        Leg("C4", 0, STOP),
        Leg("C4", STOP, 3),
        Leg("C2", 0, STOP),
    )
    assert list_legs(graph, nodes[::-1], links[::-1])[0] == Leg("C2", STOP, 0)


def test_an_offboard_area_shows_its_current_value() -> None:
    hexes = {view.coord: view for view in add_area_values(view_hexes(lay_out("C4 town")), "green")}
    assert [hexes[coord].stops[0].value for coord in ("D1", "C4", "C2")] == [20, 20, 30]


def test_tiles_that_are_left_are_counted_and_those_that_are_gone_stand_back() -> None:
    shown = view_tiles_left(TOY.manifest, lay_out("C4 town, C6 town").count_left)
    left = {panel.hexes[0].tile: (panel.caption, panel.dim) for panel in shown.panels}
    assert left["town"] == ("town · 0 left", True)
    assert left["line"] == ("line · 2 left", False)
    assert "town (0)" in shown.alt
