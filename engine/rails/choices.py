"""Pictures of choices on a map: numbered hexes, lettered tiles."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from engine.hex_view import HexView
from engine.rails import places
from engine.rails.actions import LayTile
from engine.rails.board import Board
from engine.rails.maps import Map
from engine.view import MOST_ALT, Brand, MapView, Panel, Panels

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


Numbered = Callable[[tuple[str, ...], Mapping[str, str]], MapView]
"""What shows the map with notes and with the number of each hex."""


def numbered(board: Board, hexes: Sequence[str], title: str, show: Numbered) -> MapView:
    """Return the map with a number on each hex to choose; ``title`` asks what for."""
    choices = {hex_: str(number) for number, hex_ in enumerate(hexes, 1)}
    words = ", ".join(f"{number} {places.numbered(board.map, hex_)}" for hex_, number in choices.items())
    seen = show((f"{title}: {words}.",), choices)
    return msgspec.structs.replace(seen, notes=(), asks=title)  # which number is where is seen, and said by the menu


def caption(lay: LayTile, left: int) -> str:
    """Return a tile as it would lie, and how many of it are left: "8 ↻2 · 3 left"."""
    return f"{lay.tile} ↻{lay.rotation} · {left} left"


def tiles(of: Map, hex_: str, shown: Iterable[tuple[str, tuple[HexView, ...]]], brands: tuple[Brand, ...]) -> Panels:
    """Return the tiles for one hex with letters; ``shown`` are they in place, each with its caption."""
    title = f"Tiles for {places.numbered(of, hex_)}"
    return lettered(title, title, shown, brands)


def lettered(
    title: str, told: str, choices: Iterable[tuple[str, tuple[HexView, ...]]], brands: tuple[Brand, ...]
) -> Panels:
    """Return choices beside one another with letters.

    Args:
        title: over them.
        told: what they are, for who cannot see them.
        choices: each with its caption and its hexes.
        brands: of the companies.
    """
    panels = tuple(Panel(letter, *choice) for letter, choice in zip(LETTERS, choices, strict=False))
    words = "; ".join(f"{panel.letter}: {panel.caption}" for panel in panels)
    return Panels(title, f"{told}. {words}."[:MOST_ALT], panels, brands)
