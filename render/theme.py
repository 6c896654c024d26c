"""Themes: what colour each role has, read from ``themes/*.toml``.

A theme may replace the colours of companies by ones that all eyes tell apart;
patterns repeat what colour says.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, cast, get_args

import msgspec

from engine.view import Brand
from render.scene import Livery, Pattern

Palette = Literal["standard", "deutan", "protan", "tritan", "mono"]
PALETTES: tuple[Palette, ...] = get_args(Palette)
FOLDER = Path(__file__).parent / "themes"
Colour = tuple[int, int, int]
PALE = 0.6
"""Share of paper in a colour that is washed out."""

MOST_DARKENED = 0.25
READABLE = 4.5
"""Contrast that letters need on their ground (WCAG 2, level AA)."""

CHIP_CLEAR = 6.0
"""Contrast sought for dark letters of chips, which a phone shows 6 pixels high."""


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

    def rgb(self, role: str) -> Colour:
        """Return the colour of a role, of ``#rrggbb``, or of either washed out by ``pale:``."""
        return _rgb(self.name, role)

    def has(self, role: str) -> bool:
        """Tell whether a role is known."""
        return role in self.colours

    def livery(self, brand: Brand) -> Livery:
        """Return the look of a company's chips; its letters always contrast by ``READABLE``."""
        if self.fills:
            fill = self.fills[brand.slot % len(self.fills)]
            pattern = self.patterns[brand.slot // len(self.fills) % len(self.patterns)]
            ink = best_ink(fill)
            return Livery(fill, ink, ink, pattern)
        fill = brand.colour if _HEX.fullmatch(brand.colour) else "#8a8a8a"
        accent = brand.ink if _HEX.fullmatch(brand.ink) else best_ink(fill)
        ground, ink = readable(fill, accent)
        plain = contrast(parsed(ground), parsed(accent)) >= READABLE
        return Livery(ground, ink, accent, "plain" if plain else "ring")

    def stroke(self, index: int) -> Stroke:
        """Return the stroke of the n-th run or line, from 0."""
        return self.strokes[index % len(self.strokes)]

    def zone_grounds(self, names: Sequence[str]) -> dict[str, str]:
        """Return a ground for each market zone: by its name, or else the next one not yet used."""
        known = [name for name in dict.fromkeys(names) if name]
        grounds = {name: f"zone_{name}" for name in known if self.has(f"zone_{name}")}
        free = [role for role in self.zones if role not in grounds.values()] or list(self.zones)
        for k, name in enumerate(name for name in known if name not in grounds):
            grounds[name] = free[k % len(free)]
        return grounds


_HEX = re.compile("#[0-9a-fA-F]{6}")


@cache
def load(palette: str) -> Theme:
    """Return a theme by the name of its palette; an unknown one is the standard theme.

    A palette's file holds what differs from ``standard.toml``.
    """
    data = tomllib.loads((FOLDER / "standard.toml").read_text(encoding="utf-8"))
    if palette in PALETTES and palette != "standard":
        other = tomllib.loads((FOLDER / f"{palette}.toml").read_text(encoding="utf-8"))
        colours = {**data["colours"], **other.pop("colours", {})}
        data |= other | {"colours": colours}
    theme = msgspec.convert({**data, "name": palette if palette in PALETTES else "standard"}, Theme)
    assert all(_HEX.fullmatch(value) for value in theme.colours.values()), f"colour in {palette}.toml"
    return theme


@lru_cache(maxsize=4096)
def _rgb(palette: str, role: str) -> Colour:
    if role.startswith("pale:"):
        return mixed(_rgb(palette, role[5:]), _rgb(palette, "paper"), PALE)
    return parsed(role if role.startswith("#") else load(palette).colours[role])


def parsed(colour: str) -> Colour:
    """Return ``#rrggbb`` as three numbers from 0 to 255."""
    return cast("Colour", tuple(bytes.fromhex(colour[1:])))


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """Return a colour between two; ``share`` is how much there is of the second."""
    red, green, blue = (round(p + (q - p) * share) for p, q in zip(a, b, strict=True))
    return red, green, blue


def luminance(colour: Colour) -> float:
    """Return how light a colour is, from 0 to 1 (WCAG 2)."""
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: Colour, b: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2)."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@lru_cache(maxsize=256)
def best_ink(fill: str) -> str:
    """Return near black or white, whichever reads better on a ground."""
    ground = parsed(fill)
    return max(("#ffffff", "#000000"), key=lambda ink: contrast(ground, parsed(ink)))


@lru_cache(maxsize=256)
def readable(fill: str, ink: str) -> tuple[str, str]:
    """Return ground and letters, the darker one made darker until both contrast enough.

    A ground that would have to become another colour takes black or white letters instead.
    """
    ground, letters = parsed(fill), parsed(ink)
    light_letters = luminance(letters) > luminance(ground)
    for step in range(0, 100, 5):
        share = step / 100
        if light_letters and share > MOST_DARKENED:
            break
        below = mixed(ground, (0, 0, 0), share) if light_letters else ground
        above = letters if light_letters else mixed(letters, (0, 0, 0), share)
        if contrast(below, above) >= (READABLE if light_letters else CHIP_CLEAR):
            return _hex(below), _hex(above)
    return fill, best_ink(fill)


def _hex(colour: Colour) -> str:
    return "#" + bytes(colour).hex()
