"""The connection to SQLite: how it is opened, read, written and closed.

Write-ahead logging lets readers go on while one writes. ``synchronous=FULL``
flushes the log at every commit: a move is told to the player only after that,
and even a power cut then loses nothing that was told; a table makes a few
moves a day, so the millisecond does not matter. A writer takes its lock at once
(``BEGIN IMMEDIATE``), so two of them wait for one another instead of failing
in the middle.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from alembic.util import CommandError
from sqlalchemy import event
from sqlalchemy.engine import Connection
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.service.errors import BotError
from bot.store.migrate import upgrade

BUSY_MILLISECONDS = 10_000
_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", f"busy_timeout = {BUSY_MILLISECONDS}")


class Database:
    """An open store; ``close`` it, or the program hangs at its end.

    ``wake`` is set whenever a writing transaction has been committed, so that
    whoever sends the posts need not poll.
    """

    shared = False
    """Whether several processes may have the store open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.wake = asyncio.Event()
        self._turn = asyncio.Lock()
        self._engine = create_async_engine(f"sqlite+aiosqlite:///{path}")
        self._writer = self._engine.execution_options(begin="BEGIN IMMEDIATE")
        event.listen(self._engine.sync_engine, "connect", _prepare)
        event.listen(self._engine.sync_engine, "begin", _begin)

    @classmethod
    async def open(cls, path: Path) -> "Database":
        """Open the store, make the file and its folder if need be, and migrate it.

        Raises:
            BotError: the file cannot be opened, is no store, or comes from a newer version.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BotError(f"The store at {path} cannot be made: {error.strerror}.") from None
        database = cls(path)
        try:
            await database.migrate()
        except (DatabaseError, CommandError) as error:
            await database.close()
            reason = str(getattr(error, "orig", None) or error).partition("\n")[0]
            raise BotError(f"The store at {path} cannot be opened: {reason}.") from error
        except BaseException:
            await database.close()
            raise
        return database

    async def migrate(self) -> None:
        """Bring the tables to today's form."""
        async with self._writer.connect() as connection, connection.begin():
            await connection.run_sync(upgrade)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Give a session that sees one moment of the store."""
        async with AsyncSession(self._engine, expire_on_commit=False) as session:
            yield session

    @asynccontextmanager
    async def writing(self, game: int | None = None, *, wakes: bool = True) -> AsyncIterator[AsyncSession]:
        """Give a session that writes; commit at the end, or leave no trace.

        Args:
            game: the table it is about: one writer a table at a time, in whatever process; what it reads
                of that table stays so until its end.
            wakes: whether there may be something new to send.
        """
        del game  # SQLite has one writer at a time anyway
        async with self._turn, AsyncSession(self._writer, expire_on_commit=False) as session:
            async with session.begin():
                yield session
            if wakes:
                self.wake.set()

    async def close(self) -> None:
        """Close all connections and end their threads."""
        await self._engine.dispose()


def _prepare(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
    """Set up a new connection; transactions begin where ``_begin`` says, not where the driver thinks."""
    del entry
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    """Begin a transaction as the engine was told."""
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))
