"""Games written as files, in a worker: our format, that of 18xx.games, values by round."""

from bot.model.errors import BotError
from bot.service.values import as_csv
from bot.service.workers.held import Held, Task
from engine import Game
from engine.codec import encode_file
from engine.interop.exchange import export_game

FORMATS = ("native", "18xx.games", "csv")


def as_bytes(game: Game, names: tuple[str, ...], kind: str, *, sealed: bool = False) -> bytes:
    """Return a game as a file of one of the ``FORMATS``; a sealed one keeps its seed back.

    Raises:
        BotError: no such format. UnreadableLogError: the format has no such game.
    """
    if kind not in FORMATS:
        raise BotError(f"The format is one of: {', '.join(FORMATS)}.")
    if kind == "csv":
        return as_csv(game, names)
    if kind == "native":
        return encode_file(game.setup, game.log, names, sealed=sealed)
    return export_game(game, names, sealed=sealed)


def _exported(held: Held, wanted: tuple[tuple[str, ...], str, bool]) -> bytes:
    names, kind, sealed = wanted
    return as_bytes(held.game, names, kind, sealed=sealed)


EXPORT = Task("export", _exported, tuple[tuple[str, ...], str, bool], bytes)
