"""Labels of hexes: every name, value, letter and token has its own place."""

import msgspec
import pytest

from engine.rails.show import tile_hex
from engine.view import HexView, Stop, Token, Track
from render.geometry import reach
from render.scene import Label
from render.tile import Art, art
from tests.engine.rails.toy import TOY
from tests.render.collisions import Drawn, rect
from tests.render.facts import brands_of, facts, needs_facts
from tests.render.games import BIG, tile_60, tile_62, with_small_stations
from tests.render.samples import BRANDS

NAMES = ("Ash", "Godshill", "Wells-Next-The-Sea")
FIXED = {"758", "761", "763", "773", "775"}
"""Tiles of 1860 that may lie in one way only."""


def drawn(hex_view, brands=BRANDS) -> Art:
    return art(hex_view, brands, "standard")


def texts(the_art):
    return [item.text for item in the_art.items if isinstance(item, Label)]


@needs_facts
def test_nothing_collides_on_any_tile_of_1860():
    """All tiles in all rotations, with tokens: no label on a label, a token, a value or the track."""
    for tile in facts("1860")["tiles"]:
        for turns in (0,) if tile["id"] in FIXED else range(6):
            hex_view = tile_60(tile, turns, ("IWNJ", "C&N"), coord="G10", name=NAMES[turns % 3])
            the_art = drawn(hex_view, brands_of("1860"))
            assert not Drawn(the_art.items).faults(), (tile["id"], turns)
            assert "G10" in texts(the_art), (tile["id"], turns)


@needs_facts
@pytest.mark.parametrize("small_stations", [False, True])
def test_nothing_collides_on_any_tile_of_1862(small_stations):
    """Cities of up to four slots, and plain lines with a small station on each."""
    for tile in facts("1862")["tiles"]:
        if small_stations and tile["kind"] != "plain_lines":
            continue
        make = with_small_stations if small_stations else tile_62
        for turns in range(6):
            fields = {"coord": "G10", "name": "Stowmarket"}
            hex_view = make(tile, turns, **({} if small_stations else {"tokens": ("ECR", "WStI", "E&H")}), **fields)
            assert not Drawn(drawn(hex_view, brands_of("1862")).items).faults(), (tile["id"], turns)


@needs_facts
@pytest.mark.parametrize("name", [name for name in BIG if "map" in name or ("60-p" in name and "panels" not in name)])
def test_nothing_collides_on_the_maps(name):
    """Printed hexes keep their names and coordinates, and all that is on them apart."""
    board = BIG[name]()
    for hex_view in board.hexes:
        the_art = drawn(hex_view, board.brands)
        assert not Drawn(the_art.items).faults(), hex_view.coord
        assert hex_view.coord not in the_art.missing
        if not hex_view.tile:
            assert not the_art.missing, hex_view.coord


@pytest.mark.parametrize("layout", ["flat", "pointy"])
@pytest.mark.parametrize("name", list(TOY.manifest))
def test_nothing_collides_nor_leaves_the_hex_on_a_map_of_either_layout(name, layout):
    """A pointy hex is drawn as a flat one turned by half a side; its labels stand upright, each in its own place."""
    for turns in range(6):
        hex_view = msgspec.structs.replace(tile_hex(TOY.manifest.turned(name, turns), layout), coord="G10", name="Ash")
        the_art = drawn(hex_view)
        assert not Drawn(the_art.items).faults(), (name, turns)
        assert "G10" in texts(the_art), (name, turns)
        across, down = reach(layout)
        for label in (item for item in the_art.items if isinstance(item, Label)):
            left, top, right, low = rect(label)
            assert max(-left, right) < across, (label, turns)
            assert max(-top, low) < down, (label, turns)


def test_a_value_stands_nearer_to_its_own_stop_than_to_the_other():
    """Two cities of different worth on one hex cannot be mistaken."""
    stops = (
        Stop("city", 50, slots=1, tokens=(None,), place=2.5),
        Stop("city", 30, slots=1, tokens=(None,), place=5.5),
    )
    items = drawn(HexView("G5", 0, 0, stops=stops, track=(Track(2, 10), Track(3, 10), Track(0, 11)))).items
    fifty, thirty = (next(i for i in items if isinstance(i, Label) and i.text == text) for text in ("50", "30"))
    assert fifty.x + fifty.y < 0 < thirty.x + thirty.y


def test_a_town_in_a_crowd_carries_its_value_itself():
    """Where six tracks leave no room beside a small station, its figures stand on it."""
    stops = (Stop("city", 20, slots=2, tokens=(None, None)), Stop("town", 10))
    track = (*(Track(side, 10) for side in (0, 1, 2, 4, 5)), Track(3, 11), Track(11, 10))
    items = drawn(HexView("G7", 0, 0, "Merstone", "russet", "775", "M", stops=stops, track=track)).items
    ten = next(i for i in items if isinstance(i, Label) and i.text == "10")
    assert ten.x == pytest.approx(0)
    assert -0.75 < ten.y < -0.4


def test_halts_carry_their_sign_and_no_value():
    """A halt earns its company a subsidy, so it looks unlike a small station."""
    the_art = drawn(
        HexView(
            "H8", 0, 0, tile="743", ink="yellow", stops=(Stop("halt", sign="£"),), track=(Track(0, 10), Track(10, 3))
        )
    )
    assert texts(the_art).count("£") == 1
    assert not any(text.isdigit() and text != "743" for text in texts(the_art))


def test_a_home_is_shown_in_the_free_slot_until_its_base_is_placed():
    """The letters stand in the slot as a ghost; the placed base is a full token."""
    city = Stop("city", slots=1, tokens=(None,))
    waiting = drawn(HexView("B4", 0, 0, "Bray", stops=(city,), homes=("AB",)))
    chips = [item for item in waiting.items if type(item).__name__ == "Chip"]
    assert [(chip.lines, chip.ghost) for chip in chips] == [(("AB",), True)]
    placed = Stop("city", slots=1, tokens=(Token("AB"),))
    chips = [i for i in drawn(HexView("B4", 0, 0, stops=(placed,))).items if type(i).__name__ == "Chip"]
    assert [(chip.lines, chip.ghost) for chip in chips] == [(("AB",), False)]


def test_a_long_name_is_broken_or_cut_and_stays_on_its_hex():
    """Names never reach over the sides of their hex."""
    the_art = drawn(
        HexView("E2", 0, 0, "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch", stops=(Stop("town"),))
    )
    for label in (item for item in the_art.items if isinstance(item, Label)):
        left, top, right, low = rect(label)
        for x, y in ((left, top), (right, top), (left, low), (right, low)):
            assert abs(x) * 0.866 + abs(y) / 2 < 0.87
