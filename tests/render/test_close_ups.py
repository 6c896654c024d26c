"""Close-ups of a map: what is asked about with its neighbours, readable on a phone, and a small map of the whole."""

import msgspec
import pytest
from msgspec.structs import replace

from engine.hex_view import HexView, Leg, Line
from engine.view import MapView
from render.cache import build_scene
from render.geometry import find_centre
from render.hexes import close_ups
from render.hexes.board import drop_empty_sea
from render.hexes.close_ups import find_close_ups, is_inside
from render.scene import Inset, Label, Polygon, flatten_items
from tests.render.names import MIN_CAPITAL, count_names
from tests.render.positions import picture
from tests.support.sure import as_a


def ask_about(*coords: str, title: str = "1860", moment: str = "late") -> MapView:
    """Return a map on which hexes are asked about."""
    view = as_a(MapView, picture(title, moment, "map"))
    hexes = tuple(
        replace(h, mark="", choice=str(coords.index(h.coord) + 1) if h.coord in coords else "")
        for h in drop_empty_sea(view.hexes)
    )
    return replace(view, hexes=hexes, close=True, banner=None, title="")


def list_insets(view: MapView) -> list[Inset]:
    return [item for item in build_scene(view).items if isinstance(item, Inset)]


def test_one_close_up_shows_hexes_that_are_near_one_another() -> None:
    """With all their neighbours, and no wider than names can be read on a phone."""
    view = ask_about("B6", "C5")
    (part,) = find_close_ups(view)
    assert {h.coord for h in part.asked} == {"B6", "C5"}
    inside = {h.coord for h in view.hexes if is_inside(h, part.frame)}
    assert {"A5", "A7", "B4", "C7", "D4", "D6"} <= inside
    assert close_ups.MIN_ACROSS <= part.frame[2] - part.frame[0] <= close_ups.WIDTHS[0]
    assert len(list_insets(view)) == 2, "the close-up and the small map"


def test_hexes_far_from_one_another_have_a_close_up_each() -> None:
    """One below the other, in one picture."""
    view = ask_about("A5", "B4", "L6", "K5")
    parts = find_close_ups(view)
    assert [{h.coord for h in part.asked} for part in parts] == [{"A5", "B4"}, {"K5", "L6"}]
    first, second, key = list_insets(view)
    assert first.y + first.scene.height < second.y
    assert second.y + second.scene.height < key.y


@pytest.mark.parametrize("coords", [(), ("A5", "L6", "F2", "F12")])
def test_the_whole_map_is_shown_where_close_ups_would_help_no_one(coords: tuple[str, ...]) -> None:
    """Nothing is asked, or about hexes all over the map."""
    view = ask_about(*coords)
    assert not find_close_ups(view)
    assert build_scene(view) == build_scene(replace(view, close=False))


def test_a_map_that_does_not_wish_for_close_ups_has_none() -> None:
    """As the result of a turn."""
    assert not [item for item in build_scene(replace(ask_about("B6"), close=False)).items if isinstance(item, Inset)]


def test_a_run_is_shown_closely_only_as_a_whole() -> None:
    """Legs in the west alone, and from the west to the east."""
    view = ask_about()
    short = Line("2+1", 1, tuple(Leg(coord, 10, 3) for coord in ("B4", "B6")))
    long = Line("4+2", 1, tuple(Leg(coord, 10, 3) for coord in ("B4", "F6", "L6")))
    (part,) = find_close_ups(replace(view, lines=(short,)))
    assert [h.coord for h in part.asked] == ["B4", "B6"]
    assert not find_close_ups(replace(view, lines=(long,)))


def test_hexes_at_the_edge_of_a_close_up_bear_no_words_that_would_be_cut() -> None:
    """Every label stands within the frame."""
    (shown, _) = list_insets(ask_about("B6", "C5"))
    labels = [(item, at) for item, at in flatten_items(shown.scene.items) if isinstance(item, Label)]
    assert {"Freshwater", "Ningwood", "Yarmouth"} <= {label.text for label, _ in labels}
    for label, (x, y) in labels:
        assert 0 < label.x + x < shown.scene.width, label.text
        assert 0 < label.y + y < shown.scene.height, label.text


def test_the_small_map_shows_every_hex_and_fills_those_asked_about() -> None:
    """As many as there are, in the colour of the numbers."""
    view = ask_about("B6", "C5")
    key = list_insets(view)[-1]
    fills = [item.fill for item, _ in flatten_items(key.scene.items) if isinstance(item, Polygon)]
    assert len(fills) == sum(h.ink != "sea" for h in view.hexes)
    assert fills.count("choice") == 2


def test_the_legend_explains_only_marks_that_are_seen() -> None:
    """A new tile far away is not explained."""
    view = ask_about("B6", "C5")
    far = tuple(msgspec.structs.replace(h, mark="new") if h.coord == "L6" else h for h in view.hexes)
    items = flatten_items(build_scene(replace(view, hexes=far)).items)
    texts = [item.text for item, _ in items if isinstance(item, Label)]
    assert "new" not in texts
    assert "to choose from" in texts


@pytest.mark.parametrize("title", ["1860", "1862"])
def test_names_on_close_ups_can_be_read_on_a_phone(title: str) -> None:
    """A capital has five pixels, and no name is missing, cut or covered."""
    view = ask_about(title=title)
    land = [h for h in view.hexes if h.ink != "sea" and h.coord]
    capitals: list[float] = []
    for h in land[::3]:
        near = [other.coord for other in land if _measure_distance(h, other) < 2]
        shown = ask_about(*near, title=title)
        if find_close_ups(shown):
            count = count_names([(h.coord, shown)])
            assert not count.told
            capitals += count.capitals
    assert len(capitals) > 100
    assert min(capitals) >= MIN_CAPITAL


def _measure_distance(a: HexView, b: HexView) -> float:
    (ax, ay), (bx, by) = find_centre(a.x, a.y, a.layout), find_centre(b.x, b.y, b.layout)
    return abs(ax - bx) + abs(ay - by)
