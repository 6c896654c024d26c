"""Small stations as 18xx.games has them: a tile with a set of them is a shape, counted by itself.

Those of one number are one supply by the rulebook; there each shape has as
many copies as the plain tile, so that more can lie than there are (differences 62).
"""

from collections.abc import Mapping
from functools import cache

import msgspec

from engine.printed import read
from engine.rails.board import Board
from engine.rails.hexes import SIDES
from engine.titles.g1862 import geography


class _Site(msgspec.Struct, forbid_unknown_fields=True):
    variants: dict[str, tuple[int, ...]]


@cache
def variants() -> Mapping[str, tuple[int, ...]]:
    """Return the lines with a small station of each shape of the site that has one."""
    return read("engine.titles.g1862", "site.toml", _Site).variants


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


def left(board: Board, known: str, rotation: int) -> int:
    """Return how many copies 18xx.games has left of a tile as known on the board, its small stations on it."""
    wanted = shape(known, rotation)[0]
    plain = geography.plain_name(known)
    alike = (tile for tile in board.laid.values() if geography.plain_name(tile[0]) == plain)
    return board.map.manifest.counts[plain] - sum(1 for tile in alike if shape(*tile)[0] == wanted)
