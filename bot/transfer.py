"""Games that travel: out of the store and into it, in our format and that of 18xx.games."""

import asyncio
import importlib
from collections.abc import Sequence
from typing import Protocol, cast

from bot.errors import BotError
from bot.table import GameTable
from engine import Game, Record, Said, Setup
from engine.codec import decode_file, encode_file

FORMATS = ("native", "18xx.games")


class Interop(Protocol):
    """What ``engine.interop`` offers."""

    def export_game(self, game: Game, names: Sequence[str]) -> bytes:
        """Return a game in the format of 18xx.games."""

    def import_log(self, data: bytes) -> tuple[Setup, Sequence[str], Sequence[Said]]:
        """Return set-up, names and log of a file of 18xx.games."""


def interop() -> Interop:
    """Return the bridge to 18xx.games.

    Raises:
        BotError: this program has none.
    """
    try:
        return cast("Interop", importlib.import_module("engine.interop"))
    except ImportError:
        raise BotError("The format of 18xx.games is not available in this version.") from None


class Loaded(Record, frozen=True):
    """A game read from a file."""

    setup: Setup
    names: tuple[str, ...]
    log: tuple[Said, ...]


def load(data: bytes) -> Loaded:
    """Read a game in our format or that of 18xx.games; nothing is played yet.

    Raises:
        UnreadableLogError: it is no log. LogError: one of its entries cannot be read.
        BotError: the format is not available.
    """
    if b'"stationmaster"' in data[:4096]:
        setup, log = decode_file(data)
        return Loaded(setup, tuple(f"Player {seat + 1}" for seat in range(min(setup.seats, 100))), tuple(log))
    setup, names, log = interop().import_log(data)
    return Loaded(setup, tuple(names), tuple(log))


class Transfer:
    """Export of stored games, import of files."""

    def __init__(self, table: GameTable) -> None:
        self.table = table

    async def export(self, game: int, kind: str = "native") -> tuple[str, bytes]:
        """Return a file name and the game as a file.

        Raises:
            BotError: no such game, or no such format.
        """
        here = await self.table.position(game)
        if kind not in FORMATS:
            raise BotError(f"The format is one of: {', '.join(FORMATS)}.")
        name = f"{here.table.title}-{game}-{len(here.game.line)}.json"
        if kind == "native":
            return name, await asyncio.to_thread(encode_file, here.game.setup, here.game.log)
        return name, await asyncio.to_thread(interop().export_game, here.game, here.table.names)
