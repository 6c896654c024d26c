"""A game before it begins as a card: the board to be played, who sits there, what was agreed."""

from collections.abc import Sequence

import msgspec

from engine.framing import MOST_ALT, Banner
from engine.game import Game
from engine.setup import Setup
from engine.title import Request
from engine.view import HexView, MapView, Network, Poster, Rank

FREE = "free"


def card(setup: Setup, names: Sequence[str], table: str, facts: Sequence[str] = ()) -> Poster | None:
    """Return the card of a table that waits for players, ``None`` for a title without a board.

    Nothing on it depends on the seed: what is dealt is seen when the game begins.

    Args:
        setup: with the seats asked for.
        names: of those who have joined.
        table: its name.
        facts: what was agreed, a line each.

    Raises:
        RuleError: the set-up is refused.
    """
    game = Game.new(setup)
    seen = [game.look(Request(each.name)) for each in game.title.views.pictures if each.every_turn]
    board = next((view for view in seen if isinstance(view, MapView | Network)), None)
    if board is None:
        return None
    board = msgspec.structs.replace(board, banner=None)
    if isinstance(board, MapView):
        board = msgspec.structs.replace(board, hexes=tuple(map(_undealt, board.hexes)), notes=(), lines=())
    taken = f"{len(names)} of {setup.seats} seats taken"
    ranks = tuple(
        Rank(str(seat + 1), names[seat] if seat < len(names) else FREE, first=seat < len(names))
        for seat in range(setup.seats)
    )
    told = ". ".join([f"A table of {game.title.name}", taken, *names, *facts])
    banner = Banner(game.title.name, "" if table == game.title.name else table, taken)
    return Poster(
        "Looking for players" if len(names) < setup.seats else "Ready to start", f"{told}."[:MOST_ALT], board, ranks,
        facts=tuple(facts), banner=banner, identity=game.title.views.identity,
    )  # fmt: skip


def _undealt(h: HexView) -> HexView:
    """Return a hex without the homes of companies: which of them are in the game may be dealt."""
    stops = tuple(msgspec.structs.replace(stop, reserved=()) for stop in h.stops)
    return msgspec.structs.replace(h, homes=(), stops=stops)
