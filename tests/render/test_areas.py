"""Ports and red areas: the present value to be seen at once, with the others and the name, nothing over anything."""

from itertools import combinations

import msgspec
import pytest

from engine import Game, Request, Setup
from engine.hex_view import HexView, Stop, Track
from engine.rails.views import add_area_values
from engine.view import MapView
from render.cache import build_scene
from render.hexes.board import draw_divider, gather_area_values
from render.hexes.tile import Visit, draw_hex
from render.scene import Box, Item, Label, flatten_items
from tests.render.collisions import Drawn, rect
from tests.render.positions import MOMENTS, picture
from tests.render.test_legibility import on_phone
from tests.support.sure import as_a

PHASES = ("AB", "CD", "EH")


def map_of_1862() -> MapView:
    """Return the map of a new game."""
    return as_a(MapView, Game.new(Setup("1862", 3, seed=1)).look(Request("map")))


def area_hexes(period: str) -> tuple[HexView, ...]:
    """Return the hexes with ports and red areas in a phase."""
    hexes = [h for h in map_of_1862().hexes if any(stop.values for stop in h.stops)]
    return add_area_values(hexes, period)


def texts(items: tuple[Item, ...]) -> list[Label]:
    return [item for item in items if isinstance(item, Label)]


@pytest.mark.parametrize("period", PHASES)
def test_every_area_shows_its_name_and_its_three_values_in_room_of_their_own(period: str) -> None:
    """11 hexes of ports and 10 of red areas, five of them with two."""
    hexes = area_hexes(period)
    assert len(hexes) == 21
    assert sum(len(h.stops) == 2 for h in hexes) == 5
    for h in hexes:
        the_art = draw_hex(h, (), "standard")
        wanted = [text for stop in h.stops for text in (stop.name, *(str(value) for _, value in stop.values))]
        shown = [label.text for label in texts(the_art.items)]
        assert sorted(shown) == sorted(wanted), h.coord
        assert not Drawn(the_art.items).faults(), h.coord


@pytest.mark.parametrize("period", PHASES)
def test_values_of_two_areas_do_not_cover_one_another(period: str) -> None:
    """Each plate has a place of its own, nearer to its own track."""
    for h in area_hexes(period):
        plates = [i for i in draw_hex(h, (), "standard").items if isinstance(i, Box) and i.fill == "casing"]
        assert len(plates) == len(h.stops)
        for a, b in combinations(plates, 2):
            apart_x = max(a.x, b.x) - min(a.x + a.width, b.x + b.width)
            apart_y = max(a.y, b.y) - min(a.y + a.height, b.y + b.height)
            assert max(apart_x, apart_y) > -0.01, h.coord


@pytest.mark.parametrize("period", PHASES)
def test_the_present_value_is_larger_than_the_others_and_framed(period: str) -> None:
    """So that no one reads the value of another phase."""
    for h in area_hexes(period):
        items = draw_hex(h, (), "standard").items
        frames = [i for i in items if isinstance(i, Box) and i.line == "ink"]
        assert len(frames) == len(h.stops)
        for stop in h.stops:
            now = max(t.size for t in texts(items) if t.text == str(stop.value))
            others = [t.size for t in texts(items) if t.text in {str(v) for _, v in stop.values} - {str(stop.value)}]
            assert now >= 1.3 * min(others), h.coord


def test_values_and_names_of_areas_can_be_read_on_a_phone() -> None:
    """8 pixels for what is paid now, of one area in its hex 10; 5 for names and what was or will be paid."""
    view = map_of_1862()
    areas = [stop for h in gather_area_values(view.hexes) for stop in h.stops if stop.values]
    sizes = list(on_phone(view))
    now = [size for text, size in sizes if text in {str(stop.value) for stop in areas} and size > 7]
    assert sum(size >= 10 for size in now) >= 10
    assert len(now) >= len(areas) - 2
    names = [size for text, size in sizes if text in {stop.name for stop in areas}]
    assert min(names) >= 4.8
    assert sorted(names)[len(names) // 2] >= 6.5


def test_an_area_of_many_hexes_is_one_region_with_one_strip_of_values() -> None:
    """The Midlands, the West and London are told once each, in the printed order; all other hexes keep their track."""
    view = map_of_1862()
    shown = gather_area_values(view.hexes)
    told = [stop.name for h in shown for stop in h.stops if stop.values and h.ink == "red"]
    assert sorted(told) == ["London", "Midlands", "The West"]
    assert [h.track for h in shown] == [h.track for h in view.hexes]
    strip = next(stop for h in shown for stop in h.stops if stop.values and stop.name == "London")
    where = next(h for h in shown if strip in h.stops)
    drawn = [label for label in texts(draw_hex(where, (), "standard").items) if label.text.isdigit()]
    assert [int(label.text) for label in sorted(drawn, key=lambda label: (label.y, label.x))] == [100, 150, 200]


def test_the_border_of_two_regions_is_drawn_on_the_hex_they_share() -> None:
    """A8 is of the Midlands and of the West."""
    shared = [h for h in map_of_1862().hexes if h.ink == "red" and len(h.stops) == 2]
    assert {h.coord for h in shared} == {"A8", "A12"}
    assert all(draw_divider(h) for h in shared)


def test_a_run_into_an_area_leaves_its_values_and_name_readable() -> None:
    """The number of the run and its band give way."""
    for h in area_hexes("EH"):
        for k, stop in enumerate(h.stops):
            legs = tuple((track.a, track.b) for track in h.track if max(track.a, track.b) == 10 + k)
            the_art = draw_hex(h, (), "standard", Visit(legs=legs))
            shown = [label.text for label in texts(the_art.items)]
            assert stop.name in shown, h.coord
            assert all(str(value) in shown for _, value in stop.values), h.coord


def test_without_a_present_value_all_values_are_alike() -> None:
    """A map that no one plays on."""
    stop = Stop("offboard", values=(("yellow", 30), ("green", 40), ("russet", 60)), name="Ryde Pier")
    items = draw_hex(HexView("J2", 0, 0, ink="sea", stops=(stop,), track=(Track(1, 10),)), (), "standard").items
    values = [label for label in texts(items) if label.text in ("30", "40", "60")]
    assert len({label.size for label in values}) == 1
    assert [label.text for label in sorted(values, key=lambda label: label.x)] == ["30", "40", "60"]


def test_london_has_four_spaces_beside_the_map() -> None:
    """Its markers stand on no hex (11.6)."""
    london = map_of_1862().hexes[-1]
    assert (london.coord, london.name, london.stops[0].slots) == ("", "London", 4)
    assert "London" in [label.text for label in texts(draw_hex(london, (), "standard").items)]


def test_an_area_that_fits_nowhere_is_drawn_all_the_same() -> None:
    """Four areas with long names and values on one hex: smaller, but there."""
    stops = tuple(
        Stop("offboard", 1000, (("a", 1000), ("b", 2000), ("c", 3000)), name="Wells-Next-The-Sea") for _ in "abcd"
    )
    crowded = HexView("A1", 0, 0, ink="red", stops=stops, track=tuple(Track(k, 10 + k) for k in range(4)))
    view = msgspec.structs.replace(map_of_1862(), hexes=(crowded,))
    assert sum(text == "1000" for text, _ in on_phone(view)) == 4
    assert build_scene(view)


@pytest.mark.parametrize("title", ["1860", "1862"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_the_sea_holds_the_phase_a_scale_and_the_name_of_the_land(title: str, moment: str) -> None:
    """Clear of the hexes and of one another; none makes the picture higher."""
    view = as_a(MapView, picture(title, moment, "map"))
    plain = msgspec.structs.replace(view, phase="")
    drawn = build_scene(view)
    labels = [(item, at) for item, at in flatten_items(drawn.items) if isinstance(item, Label)]
    scale = view.identity.scale[0]
    assert {view.phase, scale, *view.identity.place} <= {label.text for label, _ in labels}
    assert drawn.height == build_scene(plain).height
    frames = []
    for label, (x, y) in labels:
        if label.text in (view.phase, scale, "new", *view.identity.place):
            left, top, right, low = rect(label)
            frames.append((left + x, top + y, right + x, low + y))
    for one, other in combinations(frames, 2):
        assert min(one[2], other[2]) <= max(one[0], other[0]) or min(one[3], other[3]) <= max(one[1], other[1])
