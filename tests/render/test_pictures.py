"""Pictures: their size, their colours, the same bytes every time, and nothing that can break them."""

import io

import msgspec
import pytest
from PIL import Image
from syrupy.assertion import SnapshotAssertion

from engine.hex_view import HexView, Leg, Line, Stop, Token, Track
from engine.view import (
    Brand,
    Cell,
    Chart,
    Entry,
    MapView,
    MarketView,
    Network,
    NetworkLink,
    Note,
    Panel,
    Panels,
    Place,
    Series,
    Sheet,
    TableView,
    View,
)
from render import PALETTES, Palette, PictureStyle, png
from render.cache import MAX_BYTES, build_scene
from render.hexes import tile
from render.pixels.paint import paint_png
from render.scene import Box, Curve, Scene
from tests.render.golden import FOLDER, NAMES, draw_sample, far_apart
from tests.render.positions import BIG
from tests.render.samples import BRANDS, SMALL, small_board

TYPICAL = 200_000


def image(view: View, style: PictureStyle | None = None) -> Image.Image:
    return Image.open(io.BytesIO(png(view, style or PictureStyle())))


def colours_of(view: View) -> set[tuple[int, int, int]]:
    """Return the colours of all pixels."""
    data = image(view).convert("RGB").tobytes()
    return set(zip(data[0::3], data[1::3], data[2::3], strict=True))


@pytest.mark.parametrize("name", SMALL)
def test_scenes_are_as_they_were(name: str, snapshot: SnapshotAssertion) -> None:
    """What is drawn where, as text: a change of a picture shows as a change of words."""
    from render.scene import write_scene

    assert write_scene(build_scene(SMALL[name]())) == snapshot


@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_as_they_were(name: str) -> None:
    """Pixels, within what another machine's rounding may differ."""
    assert not far_apart(draw_sample(name), Image.open(FOLDER / f"{name}.png").convert("RGB"))


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("name", SMALL)
def test_every_kind_of_view_is_drawn_in_every_palette(name: str, palette: Palette) -> None:
    """At its natural width, or as narrow as is wished, with few colours, as PNG."""
    narrow = None if palette == "standard" else 300
    picture = image(SMALL[name](), PictureStyle(palette, narrow))
    assert picture.format == "PNG"
    assert picture.mode == "P"
    assert picture.width == (narrow or build_scene(SMALL[name]()).pixels)
    assert len(set(picture.tobytes())) <= 128


HEAVY = [name for name in BIG if name.endswith(("-end-map", "-late-card", "-late-tiles")) or "choice" in name]
"""The fullest moments of the kinds of picture that are largest; all others take half as much or less."""


@pytest.mark.parametrize("name", [*HEAVY, "1862-start-parliament"])
def test_pictures_of_games_are_small_files(name: str) -> None:
    """A fifth of a megabyte at most, a phone on a train loads it."""
    assert len(png(BIG[name]())) < TYPICAL


def test_the_same_view_gives_the_same_bytes() -> None:
    """Also when nothing is remembered from before."""
    first = png(small_board())
    tile._draw_hex.cache_clear()
    assert png(small_board()) == first


def test_a_width_may_be_asked_for() -> None:
    """Wider or narrower than natural, never beyond what a picture may be."""
    assert image(small_board(), PictureStyle(width=300)).width == 300
    assert max(image(small_board(), PictureStyle(width=100_000)).size) <= 2600


def test_own_colours_are_exact() -> None:
    """A yellow tile is exactly the theme's yellow, blends or no blends."""
    from render.theme import load_theme

    colours = colours_of(small_board())
    assert load_theme("standard").find_rgb("yellow") in colours


WILD = (
    "x" * 500,
    "\u202eevil\u202c",
    "a\nb\tc",
    "🚂🚃🚃",
    "",
    " ",
    "ÅÉÎÕÜ ß ﬁ",
    "中文駅",
    "\u200b\u0000",
    "%s {0} <b>",
)


@pytest.mark.parametrize("text", WILD)
def test_hostile_words_are_drawn_somehow(text: str) -> None:
    """Names of people, tables and companies may be anything."""
    brand = Brand(text, text, text, text, -7)
    stop = Stop("city", 10**9, slots=2, tokens=(Token(text), None), reserved=(text,), name=text)
    hex_view = HexView(
        text, 0, 0, text, tile=text, letter=text, cost=10**6, terrain=text, homes=(text,), stops=(stop,),
        track=(Track(0, 10), Track(10, 3)), mark="can", choice=text,
    )  # fmt: skip
    entry = Entry(text, text)
    cell = Cell(0, 0, 10**9, text, text, (text,) * 9, (text,) * 3)
    place = Place(text, text, 1, 1, "circle", 10**6, text, text, cube=True)
    views = [
        MapView(text, text, (hex_view,), (brand,), (Line(text, 1, (Leg(text, 0, 10),), text),), (text,)),
        MarketView(text, text, (cell,), (brand,), ((text, text, text),), 14, (text,)),
        Sheet(text, text, (TableView(text, (entry,) * 30, ((entry,) * 31,)),), (brand,), (text,)),
        Panels(text, text, (Panel(text, text, (hex_view,)),), (brand,), (text,)),
        Chart(text, text, (text, text), (Series(text, (None, 10**9), text),), (brand,), text),
        Network(text, text, 10, 10, (place,), (), (), (brand,), (text,)),
        Note(text, text, (text,) * 3),
    ]  # fmt: skip
    for view in views:
        assert len(png(view, PictureStyle(width=300))) < MAX_BYTES


EMPTY = (
    MapView("", "", ()),
    MarketView("", "", ()),
    Sheet("", "", ()),
    Sheet("", "", (TableView("", (), ()),)),
    Panels("", "", ()),
    Panels("", "", (Panel("A", "", ()),)),
    Chart("", "", (), ()),
    Chart("", "", ("1",), (Series("a", (5,)),)),
    Network("", "", 0, 0, (), ()),
    Network("", "", 9, 9, (), (NetworkLink("a", "b", 2),)),
    Note("", "", ()),
)


@pytest.mark.parametrize("view", EMPTY)
def test_views_of_nothing_are_drawn(view: View) -> None:
    """Before the first tile, price or word there is a picture as well."""
    assert png(view)


def test_very_large_views_stay_below_the_cap() -> None:
    """A thousand rows, hexes far apart, a log of a thousand lines."""
    rows = tuple((Entry(f"Player {k}"), Entry(str(k))) for k in range(400))
    assert len(png(Sheet("", "", (TableView("", (), rows),)))) < MAX_BYTES
    assert len(png(Note("", "", ("A line of the log",) * 1000))) < MAX_BYTES
    hexes = tuple(HexView(f"A{k}", k % 25, 2 * (k // 25) + k % 2) for k in range(500))
    assert len(png(MapView("", "", hexes))) < MAX_BYTES
    assert len(png(MapView("", "", (HexView("A1", 0, 0), HexView("Z9", -40, 90))))) < MAX_BYTES


def test_legs_that_fit_no_track_are_left_out() -> None:
    """A run over a hex that is not in the picture, or an end that is not there, is no crash."""
    board = small_board()
    lines = (Line("2+1", 1, (Leg("Z9", 0, 3), Leg("A2", 7, 19), Leg("B1", 1, 5)), "far away"),)
    assert png(msgspec.structs.replace(board, lines=lines))


def test_a_faded_hex_is_paler() -> None:
    """Surroundings stand back."""
    hexes = small_board().hexes
    faded = tuple(msgspec.structs.replace(h, faded=True, mark="") for h in hexes)

    def darkest(view: View) -> int:
        return min(sum(colour) for colour in colours_of(view))

    assert darkest(MapView("", "", faded, BRANDS)) >= darkest(MapView("", "", hexes, BRANDS))


def test_a_thin_line_of_two_hundred_pixels_keeps_its_colour() -> None:
    """Wherever it lies: every pixel counts, not one in so many; near colours don't take its place."""
    for y in range(50, 54):
        scene = Scene(
            400, 100, 400, "#123460", (Box(50, y, 300, 1, 0, "#123456"), Box(50, y + 20, 300, 9, 0, "#bbaa00"))
        )
        image = Image.open(io.BytesIO(paint_png(scene, "standard"))).convert("RGB")
        assert image.getpixel((200, y)) == (0x12, 0x34, 0x56)


def test_a_line_is_as_thick_beside_a_sharp_corner_as_anywhere() -> None:
    """The lines of charts became thin where they turned."""
    line = Curve(((20, 20), (200, 180), (380, 20)), "#aa0000", 20, joined=True)
    image = Image.open(io.BytesIO(paint_png(Scene(400, 200, 400, "#ffffff", (line,)), "standard"))).convert("RGB")
    thick = [sum(image.getpixel((x, y)) == (0xAA, 0, 0) for y in range(200)) for x in (60, 180, 220, 340)]
    assert max(thick) - min(thick) <= 1, thick
