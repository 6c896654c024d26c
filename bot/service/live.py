"""Games in memory: each valid for the latest version in the store, one lock a game."""

import asyncio
from collections import OrderedDict
from weakref import WeakValueDictionary

from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.model.records import Position, Table
from bot.model.seating import acting_seats
from bot.model.standing import Course, Standing
from bot.service.workers.pool import Workers
from bot.service.workers.tasks import LEGAL, STAND
from bot.store import games, log
from bot.store.database import Database
from engine import Action, LogEntry, Record
from engine.codec import decode_action


class StoredGame(Record, frozen=True):
    """What the store has of a started game.

    Args:
        game: where it stands if that is known. said: its log if not.
    """

    table: Table
    version: int
    game: Standing | None
    said: tuple[LogEntry, ...] = ()


class LiveGames:
    """A bounded cache of positions; the store is asked each time whether one is still the latest.

    Another process may write to the same store, so the version is read, never assumed.
    """

    def __init__(self, database: Database, workers: Workers, most: int) -> None:
        self._database = database
        self._workers = workers
        self._most = most
        self._games: OrderedDict[int, Position] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def get_lock(self, game: int) -> asyncio.Lock:
        """Return the lock of a game; hold it from reading the position to storing the next."""
        lock = self._locks.get(game)
        if lock is None:
            lock = self._locks[game] = asyncio.Lock()
        return lock

    def get_kept(self, game: int) -> Position | None:
        """Return the position that is in memory, be it the latest or not; whoever stores what follows looks."""
        return self._games.get(game)

    async def load_position(self, game: int) -> Position:
        """Return a started game as it stands.

        Raises:
            BotError: there is no such game, or it has not started.
            LogError: a stored action breaks a rule (a defect of ours).
        """
        async with self._database.reading() as session:
            found = await self.read_stored(session, game)
        return await self.restore_position(found)

    async def read_stored(self, session: AsyncSession, game: int) -> "StoredGame":
        """Return what the store has of a started game, for ``stood``; of its log only what is not known yet.

        Raises:
            BotError: there is no such game, or it has not started.
        """
        table, version = await games.fetch_with_version(session, game)
        refuse_unstarted(table)
        kept = self._games.get(game)
        if kept is not None and kept.version == version:
            return StoredGame(table, version, kept.game)
        return StoredGame(table, version, None, tuple(await log.read(session, game, table.title)))

    async def restore_position(self, found: "StoredGame") -> Position:
        """Return the position that was found.

        Raises:
            LogError: a stored action breaks a rule (a defect of ours).
        """
        if found.game is None:
            here = await self._replay(found.table, found.said)
        else:
            here = Position(found.table, found.game, found.version)
        self.keep(here)
        return here

    def is_in_server(self, game: int, guild: str) -> bool:
        """Return whether a game is known to belong to a server; what belongs to one never changes it."""
        kept = self._games.get(game)
        if kept is None or kept.table.privacy == "private":
            return False
        return bool(guild) and kept.table.home.guild == guild

    async def _replay(self, table: Table, said: tuple[LogEntry, ...]) -> Position:
        """Return the position that a log leads to."""
        told = await self._workers.do(STAND, None, Course(table.id, table.setup, said))
        return Position(table, Standing.read(table.setup, said, told), len(said))

    def keep(self, here: Position) -> None:
        """Keep a position that is stored; an older one does not replace a newer."""
        kept = self._games.get(here.table.id)
        if kept is None or kept.version <= here.version:
            self._games[here.table.id] = here
        self._games.move_to_end(here.table.id)
        while len(self._games) > self._most:
            self.forget(next(iter(self._games)))

    def forget(self, game: int) -> None:
        """Drop a game from memory; the next one who asks reads it anew."""
        self._games.pop(game, None)

    async def list_legal(self, here: Position, user: str) -> tuple[Action, ...]:
        """Return the legal actions of all acting seats of a user; () out of turn."""
        seats = acting_seats(here, user)
        found = await self._workers.do(LEGAL, seats, here.course) if seats else []
        return tuple(decode_action(here.table.title, each) for each in found)


def refuse_unstarted(table: Table) -> None:
    """Refuse what needs a started game.

    Raises:
        BotError: the table is still open, or was closed before the start.
    """
    if table.state == "open":
        raise BotError(f"“{table.name}” hasn't started yet. The host can start it with /game start.")
    if table.state == "closed" and not table.started:
        raise BotError(f"“{table.name}” was closed{f': {table.reason}' if table.reason else ' before it started'}.")
