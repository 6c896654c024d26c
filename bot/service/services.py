"""The store and the services on it, opened and closed together."""

from pathlib import Path

from bot.service.clock import SteadyClock
from bot.service.consent import Consent
from bot.service.lobby import Lobby
from bot.service.moving import Moving
from bot.service.outbox import Outbox
from bot.service.posted import Posted
from bot.service.preferences import Preferences
from bot.service.table import Clock, GameTable, wall_clock
from bot.service.transfer import Transfer
from bot.store.database import Database


class Services:
    """All services; make it with ``Services.open`` and ``close`` it.

    Args:
        lobby: open, join, start, list, close. table: act and look.
        consent: undo, redo, vote. transfer: export, import. moving: where tables live.
        outbox: the posts owed. posted: where they stand. preferences: what people wish for themselves.
    """

    def __init__(self, database: Database, clock: Clock | None = None, most_live: int = 64) -> None:
        clock = clock or SteadyClock(wall_clock)
        self.database = database
        self.clock = clock
        self.table = GameTable(database, clock, most_live)
        self.lobby = Lobby(database, self.table.live, clock)
        self.consent = Consent(self.table)
        self.transfer = Transfer(self.table)
        self.moving = Moving(database, self.table.live, clock)
        self.outbox = Outbox(database, clock)
        self.posted = Posted(database)
        self.preferences = Preferences(database, clock)

    @classmethod
    async def open(cls, path: Path, clock: Clock | None = None, most_live: int = 64) -> "Services":
        """Open the store at a path, migrated, with the services on it."""
        return cls(await Database.open(path), clock, most_live)

    async def tidy(self) -> None:
        """Do what time has brought: close tables nobody started, decline what nobody answered."""
        await self.lobby.tidy()
        await self.consent.tidy()

    async def close(self) -> None:
        """End what is searched for, and close the store."""
        await self.table.advice.close()
        await self.database.close()
