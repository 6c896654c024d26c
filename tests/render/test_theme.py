"""Themes: every palette can be read by those it is made for."""

import colorsys
import re
from itertools import pairwise

import pytest

from engine import TITLES
from engine.view import Brand
from render import theme
from render.theme import (
    PALETTES,
    READABLE,
    load_theme,
    measure_contrast,
    measure_luminance,
    name_tinted_palette,
    parse_colour,
)
from tests.render.positions import brands_of

GROUNDS = (
    "land",
    "yellow",
    "green",
    "russet",
    "grey",
    "red",
    "paper",
    "paper_2",
    "mine",
    "cell",
    "disc",
    "halt",
    "slot",
)


@pytest.mark.parametrize("palette", PALETTES)
def test_black_letters_can_be_read_on_every_ground(palette: str) -> None:
    """Names, values and prices contrast by 4.5 with what they stand on, as WCAG asks."""
    the_theme = load_theme(palette)
    zones = [role for role in the_theme.colours if role.startswith("zone_")]
    for ground in (*GROUNDS, *zones, "sea", "country", "panel"):
        assert measure_contrast(the_theme.find_rgb("ink"), the_theme.find_rgb(ground)) >= READABLE, ground


LETTERS = (
    "head_ink/head choice_ink/choice sea_ink/sea ink_soft/land ink_soft/paper hill/land water/land good/paper "
    "bad/paper good/mine par/zone_green link_ink/disc"
)


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize(("ink", "ground"), [pair.split("/") for pair in LETTERS.split()])
def test_coloured_letters_can_be_read(palette: str, ink: str, ground: str) -> None:
    """So do all letters that are not black."""
    assert measure_contrast(load_theme(palette).find_rgb(ink), load_theme(palette).find_rgb(ground)) >= READABLE


def test_letters_of_tables_can_be_read_on_every_row() -> None:
    """In all palettes, and on the papers that titles bring with them."""
    tinted = [name_tinted_palette("standard", title.views.identity.colours) for title in TITLES.values()]
    for the_theme in map(load_theme, (*PALETTES, *tinted)):
        for ink in ("ink", "ink_soft", "dim", "good", "bad"):
            for row in ("paper", "paper_2", "mine"):
                contrast = measure_contrast(the_theme.find_rgb(ink), the_theme.find_rgb(row))
                assert contrast >= READABLE, (the_theme.name, ink, row)


@pytest.mark.parametrize("palette", PALETTES)
def test_numbers_of_runs_can_be_read_on_their_colours(palette: str) -> None:
    """The white number of a run stands on the colour of the run."""
    for stroke in load_theme(palette).strokes:
        assert measure_contrast(parse_colour(stroke.colour), load_theme(palette).find_rgb("badge_ink")) >= READABLE, (
            stroke
        )


@pytest.mark.parametrize("palette", PALETTES)
def test_runs_differ_by_dash_as_well(palette: str) -> None:
    """No two runs of a picture have the same dash."""
    dashes = [stroke.dash for stroke in load_theme(palette).strokes]
    assert len(set(dashes)) == len(dashes) >= 8


@pytest.mark.parametrize("palette", PALETTES)
def test_letters_of_any_company_can_be_read_on_its_chip(palette: str) -> None:
    """Also where a title suggests colours that are too near to one another."""
    grounds = ["#000000", "#ffffff", "#ff0000", "#ffff00", "#808080", "#777777", "#00bfff", "#ff6a06", "#FFC0C0"]
    for slot, fill in enumerate(grounds):
        for ink in grounds:
            livery = load_theme(palette).choose_livery(Brand("X", "X", fill, ink, slot))
            assert measure_contrast(parse_colour(livery.fill), parse_colour(livery.ink)) >= READABLE, (fill, ink)


@pytest.mark.parametrize("palette", [p for p in PALETTES if p not in ("standard", "dark")])
def test_twenty_companies_look_different_in_every_palette(palette: str) -> None:
    """By ground or by pattern, before anybody reads the letters."""
    brands = tuple(Brand(str(slot), "", "#123456", "#ffffff", slot) for slot in range(20))
    looks = load_theme(palette).assign_liveries(brands)
    assert len(set(looks.values())) == 20
    assert all(measure_contrast(parse_colour(look.fill), parse_colour(look.ink)) >= READABLE for look in looks.values())


HUES = {"RED": (340, 30), "YEL": (45, 62), "GRN": (90, 160), "BLU": (195, 225), "PUR": (265, 330)}
"""Degrees between which a colour is called so."""


@pytest.mark.parametrize("palette", [p for p in PALETTES if p != "mono"])
@pytest.mark.parametrize(("code", "span"), HUES.items())
def test_a_company_named_for_a_colour_has_it_in_every_palette(palette: str, code: str, span: tuple[int, int]) -> None:
    """Players say "Yellow's line"; in grey its code says so."""
    brands = brands_of("steel_driver")
    theme = load_theme(palette)
    fill = theme.assign_liveries(brands)[code].fill
    hue, _, strong = colorsys.rgb_to_hls(*(part / 255 for part in parse_colour(fill)))
    degrees = round(hue * 360)
    assert span[0] <= degrees <= span[1] or (span[0] > span[1] and not span[1] < degrees < span[0]), fill
    assert strong > 0.4
    assert measure_luminance(parse_colour(theme.assign_liveries(brands)["BLK"].fill)) < 0.05


@pytest.mark.parametrize("palette", PALETTES)
def test_a_chart_of_eight_players_has_eight_different_lines(palette: str) -> None:
    """By dash alone, and by colour and dash."""
    strokes = [load_theme(palette).choose_stroke(number) for number in range(8)]
    assert len(set(strokes)) == 8
    assert len({stroke.dash for stroke in strokes}) == 8


def test_companies_of_1862_look_different_in_the_standard_palette() -> None:
    """Several share a ground; their letters or rings differ."""
    looks = {load_theme("standard").choose_livery(brand) for brand in brands_of("1862")}
    assert len(looks) == 20


@pytest.mark.parametrize("palette", PALETTES)
def test_tile_colours_differ_in_lightness(palette: str) -> None:
    """Yellow, green and russet tiles can be told apart without seeing colour."""
    light = [measure_luminance(load_theme(palette).find_rgb(role)) for role in ("land", "yellow", "green", "russet")]
    assert light == sorted(light, reverse=True)
    gap = 0.03 if palette == "dark" else 0.06  # eyes tell smaller steps where all is dark
    assert all(a - b > gap for a, b in pairwise(light))


def test_no_colour_is_written_in_the_drawing_code() -> None:
    """Colours are roles of a theme; code names grey and black and white only."""
    for path in theme.FOLDER.parent.glob("*.py"):
        found = set(re.findall(r"#[0-9a-fA-F]{6}", path.read_text(encoding="utf-8")))
        assert found <= {"#ffffff", "#111111", "#000000", "#8a8a8a"}, path.name


def test_an_unknown_palette_is_the_standard_one() -> None:
    """A stored setting that is no longer known still draws."""
    assert load_theme("sepia").colours == load_theme("standard").colours


def test_a_broken_colour_of_a_title_becomes_grey() -> None:
    """Not a crash in the middle of a game."""
    assert load_theme("standard").choose_livery(Brand("X", "X", "cornflower", "", 0)).fill == "#8a8a8a"
