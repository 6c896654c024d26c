"""The two maps of the Isle of Wight and their tiles, read once from the data files."""

from functools import cache

import msgspec

from engine.printed import read
from engine.rails.maps import Map, PrintedHex
from engine.rails.tiles import Manifest, read_tiles


class _Tiles(msgspec.Struct, forbid_unknown_fields=True):
    counts: dict[str, int]
    codes: dict[str, dict[str, str]]


class _Difference(msgspec.Struct, forbid_unknown_fields=True):
    without: tuple[str, ...] = ()
    counts: dict[str, int] = {}


class _Maps(msgspec.Struct, forbid_unknown_fields=True):
    barriers: tuple[tuple[str, str], ...]
    hexes: dict[str, PrintedHex]
    maps: dict[str, _Difference]


MAPS = ("extended", "original")


@cache
def island(name: str) -> Map:
    """Return the "extended" or the "original" map with its manifest.

    Rule: 1860 1.2.
    """
    tiles = read("engine.titles.g1860", "tiles.toml", _Tiles)
    maps = read("engine.titles.g1860", "maps.toml", _Maps)
    difference = maps.maps[name]
    hexes = {coord: of for coord, of in maps.hexes.items() if coord not in difference.without}
    barriers = [pair for pair in maps.barriers if not set(pair) & set(difference.without)]
    counts = {**tiles.counts, **difference.counts}
    return Map(name, hexes, barriers, Manifest(read_tiles("tiles.toml", tiles.codes), counts))
