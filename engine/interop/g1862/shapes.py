"""Small stations as 18xx.games names them: a tile with a set of them is a shape."""

from collections.abc import Mapping
from functools import cache

import msgspec

from engine.printed import read
from engine.rails.tiles import SIDES
from engine.titles.g1862 import geography


class _Site(msgspec.Struct, forbid_unknown_fields=True):
    variants: dict[str, tuple[int, ...]]


@cache
def variants() -> Mapping[str, tuple[int, ...]]:
    """Return the lines with a small station of each shape of the site that has one."""
    return read("engine.interop.g1862", "shapes.toml", _Site).variants


def shape(known: str, rotation: int) -> tuple[str, int]:
    """Return the site's name and rotation of a tile as it lies here, small stations on it.

    A shape of the site may have to lie turned, where that looks the same.
    """
    name = geography.plain_name(known)
    built = set(geography.stations(known, rotation))
    if name == known:
        return name, rotation
    shown = set(geography.lines(name, rotation))
    for turn in sorted(SIDES, key=lambda turn: turn != rotation):
        lines = geography.lines(name, turn)
        if set(lines) == shown:
            for variant, numbers in variants().items():
                if variant.partition("_")[0] == name and {lines[number] for number in numbers} == built:
                    return variant, turn
    raise AssertionError(known)
