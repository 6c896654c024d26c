"""Themes: what colour each role has, read from ``themes/*.toml``; the shapes of companies' emblems.

A theme may replace the colours of companies by ones that all eyes tell apart;
patterns repeat what colour says.
"""

import colorsys
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, cast, get_args

import msgspec

from engine.view import Brand
from render.scene import Curve, Disc, Item, Livery, Pattern, Point, Polygon

Palette = Literal["standard", "dark", "deutan", "protan", "tritan", "mono"]
PALETTES: tuple[Palette, ...] = get_args(Palette)
FOLDER = Path(__file__).parent / "themes"
Colour = tuple[int, int, int]
PALE = 0.6
"""Share of paper in a colour that is washed out."""

MAX_DARKENED = 0.25
READABLE = 4.5
"""Contrast that letters need on their ground (WCAG 2, level AA)."""

CHIP_CLEAR = 6.0
"""Contrast sought for dark letters of chips, which a phone shows 6 pixels high."""
_HEX = re.compile("#[0-9a-fA-F]{6}")
OWN = ";"


class Stroke(msgspec.Struct, frozen=True):
    """The colour and dash of a run on the map or of a line in a chart; lengths in stroke widths."""

    colour: str
    dash: tuple[float, ...] = ()


class Theme(msgspec.Struct, frozen=True):
    """One palette.

    Args:
        name: its name.
        colours: ``#rrggbb`` of each role.
        fills: grounds of company chips by slot; empty to take what a title suggests.
        patterns: used with the fills, the next one each time the fills run out.
        strokes: of runs and chart lines, in order.
        zones: grounds for market zones whose name is no role, in order.
    """

    name: str
    colours: Mapping[str, str]
    strokes: tuple[Stroke, ...]
    zones: tuple[str, ...]
    fills: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ("plain",)

    def find_rgb(self, role: str) -> Colour:
        """Return the colour of a role, of ``#rrggbb``, or of either washed out by ``pale:``."""
        return _find_rgb(self.name, role)

    def has_role(self, role: str) -> bool:
        """Return whether a role is known."""
        return role in self.colours

    def assign_liveries(self, brands: tuple[Brand, ...]) -> Mapping[str, Livery]:
        """Return the looks of companies by code: of all at a table, so that no two are alike.

        Where a palette has grounds of its own, each company takes the one that is nearest to its own colour.
        """
        return _assign_liveries(self.name, brands)

    def choose_livery(self, brand: Brand) -> Livery:
        """Return the look a title suggests for a company; its letters always contrast by ``READABLE``."""
        fill = _find_known_name(brand.colour)
        accent = brand.ink if _HEX.fullmatch(brand.ink) else choose_ink(fill)
        ground, ink = make_readable(fill, accent)
        plain = measure_contrast(parse_colour(ground), parse_colour(accent)) >= READABLE
        return Livery(ground, ink, accent, "plain" if plain else "ring", brand.emblem)

    def choose_stroke(self, index: int) -> Stroke:
        """Return the stroke of the n-th run or line, from 0."""
        return self.strokes[index % len(self.strokes)]

    def assign_zone_grounds(self, names: Sequence[str]) -> dict[str, str]:
        """Return a ground for each market zone: by its name, or else the next one not yet used."""
        known = [name for name in dict.fromkeys(names) if name]
        grounds = {name: f"zone_{name}" for name in known if self.has_role(f"zone_{name}")}
        free = [role for role in self.zones if role not in grounds.values()] or list(self.zones)
        for k, name in enumerate(name for name in known if name not in grounds):
            grounds[name] = free[k % len(free)]
        return grounds


@lru_cache(maxsize=64)
def _assign_liveries(palette: str, brands: tuple[Brand, ...]) -> Mapping[str, Livery]:
    theme = load_theme(palette)
    if not theme.fills:
        return {brand.code: theme.choose_livery(brand) for brand in brands}
    most = -(-len(brands) // len(theme.fills))
    pairs = sorted(
        (_measure_difference(brand.colour, fill), brand.slot, brand.code, fill)
        for brand in brands
        for fill in theme.fills
    )
    chosen: dict[str, str] = {}
    for _, _, code, fill in pairs:
        if code not in chosen and list(chosen.values()).count(fill) < most:
            chosen[code] = fill
    looks: dict[str, Livery] = {}
    for brand in sorted(brands, key=lambda brand: (brand.slot, brand.code)):
        fill = chosen[brand.code]
        pattern = theme.patterns[sum(look.fill == fill for look in looks.values()) % len(theme.patterns)]
        looks[brand.code] = Livery(fill, choose_ink(fill), choose_ink(fill), pattern, brand.emblem)
    return looks


def _measure_difference(colour: str, fill: str) -> float:
    """Return how unlike two colours are: by hue where both have one, else by lightness and strength."""
    a, b = (colorsys.rgb_to_hls(*(part / 255 for part in parse_colour(_find_known_name(c)))) for c in (colour, fill))
    strong = min(_measure_hue(a), _measure_hue(b))
    turn = abs(a[0] - b[0])
    return strong * min(turn, 1 - turn) * 4 + abs(a[1] - b[1]) + abs(_measure_hue(a) - _measure_hue(b))


def _measure_hue(hls: tuple[float, float, float]) -> float:
    """Return how much of a hue is seen: none in black and white."""
    return hls[2] * (1 - abs(2 * hls[1] - 1))


def _find_known_name(colour: str) -> str:
    return colour if _HEX.fullmatch(colour) else "#8a8a8a"


def name_tinted_palette(palette: str, colours: Sequence[tuple[str, str]]) -> str:
    """Return the name of a palette with colours of a title's own; the others keep theirs, which eyes rely on."""
    own = [f"{role}={colour}" for role, colour in colours if _HEX.fullmatch(colour)]
    return OWN.join([palette, *own]) if palette == "standard" else palette


@cache
def load_theme(palette: str) -> Theme:
    """Return a theme by the name of its palette; an unknown one is the standard theme.

    A palette's file holds what differs from ``standard.toml``. After the name of the palette colours of a title's own
    may follow, as ``name_tinted_palette`` writes them.
    """
    palette, *own = palette.split(OWN)
    data = tomllib.loads((FOLDER / "standard.toml").read_text(encoding="utf-8"))
    if palette in PALETTES and palette != "standard":
        other = tomllib.loads((FOLDER / f"{palette}.toml").read_text(encoding="utf-8"))
        colours = {**data["colours"], **other.pop("colours", {})}
        data |= other | {"colours": colours}
    name = OWN.join([palette if palette in PALETTES else "standard", *own])
    data["colours"] |= {role: colour for role, colour in (each.split("=") for each in own) if role in data["colours"]}
    theme = msgspec.convert({**data, "name": name}, Theme)
    assert all(_HEX.fullmatch(value) for value in theme.colours.values()), f"colour in {palette}.toml"
    return theme


@lru_cache(maxsize=4096)
def _find_rgb(palette: str, role: str) -> Colour:
    if role.startswith("pale:"):
        return mix_colours(_find_rgb(palette, role[5:]), _find_rgb(palette, "paper"), PALE)
    return parse_colour(role if role.startswith("#") else load_theme(palette).colours[role])


def parse_colour(colour: str) -> Colour:
    """Return ``#rrggbb`` as three numbers from 0 to 255."""
    return cast("Colour", tuple(bytes.fromhex(colour[1:])))


def mix_colours(a: Colour, b: Colour, share: float) -> Colour:
    """Return a colour between two; ``share`` is how much there is of the second."""
    red, green, blue = (round(p + (q - p) * share) for p, q in zip(a, b, strict=True))
    return red, green, blue


def measure_luminance(colour: Colour) -> float:
    """Return how light a colour is, from 0 to 1 (WCAG 2)."""
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def measure_contrast(a: Colour, b: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2)."""
    light, dark = sorted((measure_luminance(a), measure_luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@lru_cache(maxsize=256)
def choose_ink(fill: str) -> str:
    """Return near black or white, whichever reads better on a ground."""
    ground = parse_colour(fill)
    return max(("#ffffff", "#000000"), key=lambda ink: measure_contrast(ground, parse_colour(ink)))


@lru_cache(maxsize=256)
def make_readable(fill: str, ink: str) -> tuple[str, str]:
    """Return ground and letters, the darker one made darker until both contrast enough.

    A ground that would have to become another colour takes black or white letters instead.
    """
    ground, letters = parse_colour(fill), parse_colour(ink)
    light_letters = measure_luminance(letters) > measure_luminance(ground)
    for step in range(0, 100, 5):
        share = step / 100
        if light_letters and share > MAX_DARKENED:
            break
        below = mix_colours(ground, (0, 0, 0), share) if light_letters else ground
        above = letters if light_letters else mix_colours(letters, (0, 0, 0), share)
        if measure_contrast(below, above) >= (READABLE if light_letters else CHIP_CLEAR):
            return _write_hex(below), _write_hex(above)
    return fill, choose_ink(fill)


def _write_hex(colour: Colour) -> str:
    return "#" + bytes(colour).hex()


FILE = Path(__file__).parent / "emblems.toml"


@cache
def load_emblem_shapes() -> Mapping[str, tuple[str, ...]]:
    """Return the shapes of each emblem as they are written."""
    return {name: tuple(shapes) for name, shapes in tomllib.loads(FILE.read_text(encoding="utf-8")).items()}


def draw_emblem(name: str, at: Point, size: float, ink: str, ground: str) -> list[Item]:
    """Return an emblem around a point; ``size`` is half its height. One that is not known draws nothing."""
    return [_read_shape(words, at, size, ink, ground) for words in load_emblem_shapes().get(name, ())]


def _read_shape(words: str, at: Point, size: float, ink: str, ground: str) -> Item:
    kind, *figures = words.removeprefix("-").split()
    colour = ground if words.startswith("-") else ink
    numbers = [float(figure) for figure in figures]
    if kind == "poly":
        return Polygon(_read_points(numbers, at, size), colour)
    if kind == "line":
        return Curve(_read_points(numbers[1:], at, size), colour, round(numbers[0] * size, 3), round=True, joined=True)
    ((x, y),) = _read_points(numbers[:2], at, size)
    if kind == "ring":
        return Disc(x, y, round(numbers[2] * size, 3), "", colour, round(numbers[3] * size, 3))
    return Disc(x, y, round(numbers[2] * size, 3), colour)


def _read_points(numbers: list[float], at: Point, size: float) -> tuple[Point, ...]:
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    return tuple((round(at[0] + x * size, 3), round(at[1] + y * size, 3)) for x, y in pairs)
