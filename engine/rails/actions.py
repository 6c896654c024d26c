"""What players of games with track tiles say word for word alike."""

from typing import Protocol

from engine.rails.board import Board
from engine.record import Action


class LayTile(Action, frozen=True, tag="tile"):
    """Lay or upgrade a track tile."""

    verb = "tile"
    brief = "lay a tile"
    helps = {"hex": "Where", "choice": "Which tile, turned how far"}
    asks = {"hex": "Where do you lay a tile?", "choice": "Which tile, and how turned?"}
    command = {"hex": ("hex",), "choice": ("tile", "rotation")}
    hex: str
    tile: str
    rotation: int


def board_after(board: Board, lay: LayTile) -> Board:
    """Return the board with the tile of a lay on it; no rule is asked."""
    return board.lay(lay.hex, lay.tile, lay.rotation)


class HasBoard(Protocol):
    """A state with a map on which tiles lie."""

    @property
    def board(self) -> Board: ...  # noqa: D102


def plain_lay(s: HasBoard, action: Action) -> Action:
    """Return a lay with the lowest rotation that looks the same on the table; other actions as they are."""
    manifest = s.board.map.manifest
    if not isinstance(action, LayTile) or action.tile not in manifest:
        return action
    return LayTile(action.hex, action.tile, manifest.plainest(action.tile, action.rotation))
