"""What every title writes alike for 18xx.games: who acts, optional rules, the ids of tiles."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from engine.errors import UnreadableLogError
from engine.record import Action

Written = dict[str, object]
"""An action of the site, to be encoded as JSON."""


DIVIDENDS = {"pay": "payout", "keep": "withhold", "hudson": "hudson"}
"""The site's words for what becomes of revenue."""

W = TypeVar("W")


def writer_of(writers: Mapping[type[Action], W], action: Action) -> W:
    """Return what writes an action.

    Raises:
        UnreadableLogError: the site has no such action.
    """
    if type(action) not in writers:
        raise UnreadableLogError(f"18xx.games has no “{action.verb}” as this table plays it.")
    return writers[type(action)]


def person(id_: int) -> Written:
    """Return a player as the one who acts."""
    return {"entity": id_, "entity_type": "player"}


def corporation(code: str) -> Written:
    """Return a company as the one that acts."""
    return {"entity": code, "entity_type": "corporation"}


def optional_rules(known: Sequence[tuple[str, str, str]], options: Mapping[str, str]) -> list[str]:
    """Return the site's optional rules for our lobby options; some of ours it does not have.

    Args:
        known: option, value, and the site's name for it.
        options: what the table chose.
    """
    return [rule for name, value, rule in known if options.get(name) == value]


class TileIds:
    """The ids of the tiles that lie on the map, as they are given out."""

    def __init__(self) -> None:
        self._on: dict[str, str] = {}

    def lay(self, hex_: str, name: str) -> str:
        """Return the id of a free copy of a tile, and remember where it lies."""
        taken = {tile for there, tile in self._on.items() if there != hex_}
        copies = (f"{name}-{number}" for number in range(len(taken) + 1))
        self._on[hex_] = next(copy for copy in copies if copy not in taken)
        return self._on[hex_]

    def city(self, hex_: str, index: int) -> str:
        """Return the id of a city: its tile's, or its hex's where that is printed."""
        return f"{self._on.get(hex_, f'{hex_}-0')}-{index}"
