"""Tiles of 1862 as 18xx.games names them: copies, and shapes with small stations."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from engine.errors import RuleError
from engine.rails.actions import LayTile
from engine.rails.hexes import SIDES
from engine.record import Action, Rule
from engine.titles.g1862 import geography
from engine.titles.g1862.actions import AddStation
from engine.titles.g1862.state import State

FORMAT = Rule("18xx.games", "log", "tiles of 1862")


class _Site(msgspec.Struct, forbid_unknown_fields=True):
    variants: dict[str, tuple[int, ...]]


@cache
def variants() -> Mapping[str, tuple[int, ...]]:
    """Return the lines with a small station of each shape of the site that has one."""
    data = files("engine.titles.g1862") / "data" / "site.toml"
    return msgspec.toml.decode(data.read_bytes(), type=_Site).variants


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


class Tiles:
    """Where each copy of a tile lies, so that a city can be told by its tile."""

    def __init__(self) -> None:
        self._hex_of: dict[str, str] = {}

    def action(self, s: State, hex_: str, tile: str, rotation: int) -> Action:
        """Return the lay, or the small station, that a tile of the site means.

        Raises:
            RuleError: the shape is unknown, or has not one station more than what lies there.
        """
        self._hex_of[tile] = hex_
        shape = tile.rpartition("-")[0]
        name = shape.partition("_")[0]
        lying = s.board.laid.get(hex_)
        if lying is None or geography.plain_name(lying[0]) != name:
            return LayTile(hex_, name, rotation)
        if shape != name and shape not in variants():
            raise RuleError(f"There is no tile {shape[:20]} in 1862.", FORMAT)
        lines = geography.lines(name, rotation)
        after = {lines[line] for line in variants().get(shape, ())}
        more = after - set(geography.stations(*lying))
        if len(more) != 1:
            raise RuleError(f"Tile {shape[:20]} on {hex_} is not one small station more.", FORMAT)
        return AddStation(hex_, *more.pop())

    def hex_of(self, city: str) -> str:
        """Return the hex of a city, told by its tile and its number: ``57-0-0``, or ``E2-0-0`` before any tile."""
        tile = city.rpartition("-")[0]
        return self._hex_of.get(tile, tile.rpartition("-")[0])
