"""Tiles of 1862 as 18xx.games names them: which copy lies where."""

from engine.errors import RuleError
from engine.interop.g1862.shapes import variants
from engine.rails.laying import LayTile
from engine.record import Action, Rule
from engine.titles.g1862 import geography
from engine.titles.g1862.actions import AddStation
from engine.titles.g1862.state import State

FORMAT = Rule("18xx.games", "log", "tiles of 1862")


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
