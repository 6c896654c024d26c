"""Labels of hexes: every name, value, letter and token has its own place."""

from collections.abc import Iterator
from typing import Literal

import msgspec
import pytest
from msgspec.structs import replace

from engine.hex_view import HexView, Layout, Stop, Token, Track
from engine.rails.maps import Map
from engine.rails.tiles import Manifest
from engine.rails.views import view_tile
from engine.titles.g1860.catalogue import load_map as load_island
from engine.titles.g1862.catalogue import load_map
from engine.view import Brand, MapView
from render.geometry import measure_half
from render.hexes.names import list_parted_lines
from render.hexes.tile import Art, draw_hex
from render.scene import Chip, Label
from tests.engine.rails.toy import TOY
from tests.render.collisions import Drawn, rect
from tests.render.names import count_names
from tests.render.positions import HEX_MAPS, brands_of
from tests.render.samples import BRANDS
from tests.support.sure import as_a

NAMES = ("Ash", "Godshill", "Wells-Next-The-Sea")


def draw_art(hex_view: HexView, brands: tuple[Brand, ...] = BRANDS) -> Art:
    return draw_hex(hex_view, brands, "standard")


def texts(the_art: Art) -> list[str]:
    return [item.text for item in the_art.items if isinstance(item, Label)]


def lying(manifest: Manifest, number: str, turns: int, codes: tuple[str, ...], **fields: str) -> HexView:
    """Return a tile as it lies, with tokens in its first city."""
    hex_view = view_tile(manifest.find_turned(number, turns))
    stops = list(hex_view.stops)
    at = next((k for k, stop in enumerate(stops) if stop.slots), None)
    if at is not None:
        tokens = tuple(Token(code) for code in codes)[: stops[at].slots]
        stops[at] = replace(stops[at], tokens=tokens + (None,) * (stops[at].slots - len(tokens)))
    return replace(hex_view, stops=tuple(stops), **fields)


def list_rotations(of: Map, name: str) -> Iterator[tuple[int, str]]:
    """Yield the rotations in which a tile may lie, with the name of a hex; a tile for one hex lies there alone."""
    tile = of.manifest[name]
    alone = next((spec for spec in of.hexes.values() if len(tile.letter) > 1 and spec.name == tile.letter), None)
    for turns in (0,) if tile.fixed else range(6):
        if alone is None:
            yield turns, NAMES[turns % 3]
        elif not of.manifest.find_turned(name, turns).sides & ~alone.open:
            yield turns, alone.name


@pytest.mark.parametrize(
    ("title", "of", "codes"),
    [("1860", load_island("extended"), ("IWNJ", "C&N")), ("1862", load_map(), ("ECR", "WStI", "E&H"))],
    ids=["1860", "1862"],
)
def test_nothing_collides_on_any_tile(title: str, of: Map, codes: tuple[str, ...]) -> None:
    """All tiles in all rotations, with tokens: no label on a label, a token, a value or the track.

    Those of 1862 have cities of up to four slots, and plain lines with a small station on each.
    """
    names = list(of.manifest)
    assert len(names) >= 35
    for name in names:
        for turns, there in list_rotations(of, name):
            hex_view = lying(of.manifest, name, turns, codes, coord="G10", name=there, mark="new")
            the_art = draw_art(hex_view, brands_of(title))
            assert not Drawn(the_art.items).faults(), (name, turns)
            assert "".join(there[:8].split()) in "".join("".join(texts(the_art)).split()), (name, turns)


@pytest.mark.parametrize("name", HEX_MAPS)
def test_nothing_collides_on_the_maps(name: str) -> None:
    """Hexes keep their names, and their coordinates where something is asked; all that is on them stands apart."""
    board = as_a(MapView, HEX_MAPS[name]())
    assert len(board.hexes) > 6
    for hex_view in board.hexes:
        the_art = draw_art(hex_view, board.brands)
        assert not Drawn(the_art.items).faults(), hex_view.coord
        assert set(the_art.missing) <= {hex_view.tile}, hex_view.coord


@pytest.mark.parametrize("layout", ["flat", "pointy"])
@pytest.mark.parametrize("name", list(TOY.manifest))
def test_nothing_collides_nor_leaves_the_hex_on_a_map_of_either_layout(name: str, layout: Layout) -> None:
    """A pointy hex is drawn as a flat one turned by half a side; its labels stand upright, each in its own place."""
    for turns in range(6):
        hex_view = msgspec.structs.replace(
            view_tile(TOY.manifest.find_turned(name, turns), layout), coord="G10", name="Ash", mark="new"
        )
        the_art = draw_art(hex_view)
        assert not Drawn(the_art.items).faults(), (name, turns)
        assert "G10" in texts(the_art), (name, turns)
        across, down = measure_half(layout)
        for label in (item for item in the_art.items if isinstance(item, Label)):
            left, top, right, low = rect(label)
            assert max(-left, right) < across, (label, turns)
            assert max(-top, low) < down, (label, turns)


def test_a_value_stands_nearer_to_its_own_stop_than_to_the_other() -> None:
    """Two cities of different worth on one hex cannot be mistaken."""
    stops = (
        Stop("city", 50, slots=1, tokens=(None,), place=2.5),
        Stop("city", 30, slots=1, tokens=(None,), place=5.5),
    )
    items = draw_art(HexView("G5", 0, 0, stops=stops, track=(Track(2, 10), Track(3, 10), Track(0, 11)))).items
    fifty, thirty = (next(i for i in items if isinstance(i, Label) and i.text == text) for text in ("50", "30"))
    assert fifty.x + fifty.y < 0 < thirty.x + thirty.y


def test_a_town_in_a_crowd_carries_its_value_itself() -> None:
    """Where six tracks leave no room beside a small station, its figures stand on it."""
    stops = (Stop("city", 20, slots=2, tokens=(None, None)), Stop("town", 10))
    track = (*(Track(side, 10) for side in (0, 1, 2, 4, 5)), Track(3, 11), Track(11, 10))
    items = draw_art(HexView("G7", 0, 0, "Merstone", "russet", "775", "M", stops=stops, track=track)).items
    ten = next(i for i in items if isinstance(i, Label) and i.text == "10")
    assert ten.x == pytest.approx(0)
    assert -0.75 < ten.y < -0.4


def test_halts_carry_their_sign_and_no_value() -> None:
    """A halt earns its company a subsidy, so it looks unlike a small station."""
    the_art = draw_art(
        HexView(
            "H8", 0, 0, tile="743", ink="yellow", stops=(Stop("halt", sign="£"),), track=(Track(0, 10), Track(10, 3))
        )
    )
    assert texts(the_art).count("£") == 1
    assert not any(text.isdigit() and text != "743" for text in texts(the_art))


def test_a_home_is_shown_in_the_free_slot_until_its_base_is_placed() -> None:
    """The letters stand in the slot as a ghost; the placed base is a full token."""
    city = Stop("city", slots=1, tokens=(None,))
    waiting = draw_art(HexView("B4", 0, 0, "Bray", stops=(city,), homes=("AB",)))
    chips = [item for item in waiting.items if isinstance(item, Chip)]
    assert [(chip.lines, chip.ghost) for chip in chips] == [(("AB",), True)]
    placed = Stop("city", slots=1, tokens=(Token("AB"),))
    chips = [item for item in draw_art(HexView("B4", 0, 0, stops=(placed,))).items if isinstance(item, Chip)]
    assert [(chip.lines, chip.ghost) for chip in chips] == [(("AB",), False)]


def test_a_long_name_is_broken_or_cut_and_stays_on_its_hex() -> None:
    """Names never reach over the sides of their hex."""
    the_art = draw_art(
        HexView("E2", 0, 0, "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch", stops=(Stop("town"),))
    )
    for label in (item for item in the_art.items if isinstance(item, Label)):
        left, top, right, low = rect(label)
        for x, y in ((left, top), (right, top), (left, low), (right, low)):
            assert abs(x) * 0.866 + abs(y) / 2 < 0.87


@pytest.mark.parametrize("mark", ["new", "can"])
def test_nothing_lies_on_track_where_a_hex_is_marked(mark: Literal["new", "can"]) -> None:
    """Three slots and five tracks leave a value no room within the outline: it covers the outline instead."""
    for turns in range(6):
        hex_view = lying(load_map().manifest, "791", turns, (), coord="E12", name="Colchester", mark=mark)
        assert not Drawn(draw_art(hex_view, brands_of("1862")).items).faults(), turns


@pytest.mark.parametrize(("name", "most"), [("1860", 1), ("1862", 0)])
def test_every_name_of_a_game_stands_whole_in_its_own_hex(name: str, most: int) -> None:
    """At four moments and where one chooses: none left out, cut, covered, in a foreign hex or too dim."""
    maps = [(each, as_a(MapView, make())) for each, make in HEX_MAPS.items() if each.startswith(name)]
    count = count_names(maps)
    assert count.names >= 20 * len(maps)
    assert set(count.faults) <= {"nowhere"}, count.told
    assert all("Blackwater" in each for each in count.told), count.told
    assert len(count.told) <= most * len(maps)


@pytest.mark.parametrize(
    ("name", "parts"),
    [("Blackwater", ("Black-", "water")), ("Framlingham", ("Framling-", "ham")), ("Shide", ()), ("Great Yarmouth", ())],
)
def test_a_long_name_is_parted_before_its_ending(name: str, parts: tuple[str, ...]) -> None:
    """As maps do; a name of two words is broken between them instead."""
    assert list_parted_lines(name) == ([parts] if parts else [])
