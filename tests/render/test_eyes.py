"""Palettes as the eyes they are made for see them, by the simulation of Machado, Oliveira and Fernandes (2009)."""

import itertools

import pytest

from render.theme import load_theme, parse_colour

EYES = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "mono": ((0.2126, 0.7152, 0.0722),) * 3,
    "standard": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}
CLEAR = 10
"""Distance in CIELAB at which two grounds are told apart at a glance; 2.3 is just noticeable."""


def convert_to_lab(colour: tuple[int, ...], palette: str) -> tuple[float, float, float]:
    """Return a colour as those eyes see it, in CIELAB."""
    light = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in (part / 255 for part in colour)]
    r, g, b = (min(1.0, max(0.0, sum(x * y for x, y in zip(row, light, strict=True)))) for row in EYES[palette])
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def find_confused(colours: dict[str, tuple[int, int, int]], palette: str, clear: int = CLEAR) -> list[tuple[str, str]]:
    """Return the pairs of colours that those eyes take for one another."""
    looks = {name: convert_to_lab(rgb, palette) for name, rgb in colours.items()}
    return [
        (a, b)
        for a, b in itertools.combinations(looks, 2)
        if sum((p - q) ** 2 for p, q in zip(looks[a], looks[b], strict=True)) ** 0.5 < clear
    ]


@pytest.mark.parametrize("palette", EYES)
def test_grounds_of_tiles_can_be_distinguished(palette: str) -> None:
    """Printed land, yellow, green and russet tiles."""
    theme = load_theme(palette)
    assert not find_confused({role: theme.find_rgb(role) for role in ("land", "yellow", "green", "russet")}, palette)


@pytest.mark.parametrize("palette", [p for p in EYES if p != "standard"])
def test_grounds_of_companies_can_be_distinguished(palette: str) -> None:
    """As far as the grounds go; then patterns begin."""
    assert not find_confused({fill: parse_colour(fill) for fill in load_theme(palette).fills}, palette)


@pytest.mark.parametrize("palette", [p for p in EYES if p != "mono"])
def test_colours_of_runs_can_be_distinguished(palette: str) -> None:
    """Four trains; in grey the dash tells them."""
    assert not find_confused({s.colour: parse_colour(s.colour) for s in load_theme(palette).strokes[:4]}, palette)


@pytest.mark.parametrize("palette", [p for p in EYES if p != "mono"])
def test_runs_and_barriers_stand_out_from_the_tiles(palette: str) -> None:
    """Red water on a russet tile was hardly seen by eyes with weak green; in grey the white beside lines parts them."""
    theme = load_theme(palette)
    lines = {"barrier": theme.find_rgb("barrier"), **{s.colour: parse_colour(s.colour) for s in theme.strokes[:4]}}
    grounds = {role: theme.find_rgb(role) for role in ("land", "yellow", "green", "russet")}
    found = find_confused({**lines, **grounds}, palette, clear=25)
    assert not [pair for pair in found if (pair[0] in lines) != (pair[1] in lines)]


@pytest.mark.parametrize("palette", [p for p in EYES if p != "mono"])
def test_zones_of_a_market_can_be_distinguished(palette: str) -> None:
    """Each zone also has its letter, by which they are told in grey."""
    theme = load_theme(palette)
    zones = {role: theme.find_rgb(role) for role in (*theme.zones, "cell")}
    assert not find_confused(zones, palette, clear=6)


@pytest.mark.parametrize("palette", EYES)
def test_goods_can_be_distinguished(palette: str) -> None:
    """Each colour of goods also has its letter and shape."""
    theme = load_theme(palette)
    goods = {role: theme.find_rgb(role) for role in theme.colours if role.startswith("goods_")}
    assert not find_confused(goods, palette)


@pytest.mark.parametrize("palette", [p for p in EYES if p != "mono"])
def test_no_run_looks_like_rails(palette: str) -> None:
    """A dark run beside black rails was not seen on a phone."""
    theme = load_theme(palette)
    rails = theme.find_rgb("track")
    assert not [s for s in theme.strokes if find_confused({"run": parse_colour(s.colour), "rails": rails}, palette, 20)]
