"""A store in a file: how SQLite is opened, written, and kept by one process.

Write-ahead logging lets readers go on while one writes. ``synchronous=FULL``
flushes the log at every commit: a move is told to the player only after that,
and even a power cut then loses nothing that was told; a table makes a few
moves a day, so the millisecond does not matter. A writer takes its lock at once
(``BEGIN IMMEDIATE``), so two of them wait for one another instead of failing
in the middle.
"""

import asyncio
import os
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from sqlalchemy import create_engine, event
from sqlalchemy.engine import Connection
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.store.address import BESIDE_A_STORE, make_folder, make_private
from bot.store.migrate import BeforeMigrating, bring_up_to_date
from bot.store.migrations import upgrade_schema
from bot.store.sqlite_driver import ThreadConnection

TIMEOUT_SECONDS = 2.0
"""Seconds a writer waits for its turn and for other programs together: whoever asked is answered within three."""
_PRAGMAS: tuple[str, ...] = (
    "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", f"busy_timeout = {TIMEOUT_SECONDS * 1000:.0f}",
)  # fmt: skip


class SqliteFile:
    """A store in a file."""

    shared = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)
        self.reader = _make_engine(path)
        self.writer = self.reader.execution_options(begin="BEGIN IMMEDIATE")
        self._turn = asyncio.Lock()
        self._alone: sqlite3.Connection | None = None

    def keep_others_out(self) -> None:
        """Be the one process of this store until ``close``, or death.

        The lock is one of SQLite's own on a file beside the store: the system lifts it when the process ends.

        Raises:
            BotError: another process has it.
        """
        if self._alone is not None:
            return
        self._make_folder()
        try:
            make_private(Path(f"{self.path}.lock"))
        except OSError as error:
            raise BotError(f"The database at {self.path} can't be opened: {error.strerror}.") from None
        lock = sqlite3.connect(f"{self.path}.lock", timeout=0, isolation_level=None, check_same_thread=False)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            lock.close()
            if not str(getattr(error, "sqlite_errorname", "")).startswith("SQLITE_BUSY"):
                raise BotError(f"The database at {self.path} can't be opened: {error}.") from None
            raise BotError(
                f"The database at {self.path} is in use by another Stationmaster. "
                "Stop that one first, or use PostgreSQL, which several can share."
            ) from None
        self._alone = lock

    def let_others_in(self) -> None:
        """Let another process have the store."""
        if self._alone is not None:
            self._alone.close()
            self._alone = None

    async def create(self) -> None:
        """Make the file, if there is none: whole, or not at all.

        Raises:
            BotError: it cannot be made, or there is one that holds nothing.
        """
        self._make_folder()
        try:
            if not self.path.exists():
                await asyncio.to_thread(self._make_whole)
            elif not self.path.stat().st_size:
                raise BotError(
                    f"The database at {self.path} is an empty file. Restore a backup, or delete the file to start over."
                )
        except OSError as error:
            raise BotError(f"The database at {self.path} can't be created: {error.strerror}.") from None

    async def refuse_missing(self) -> None:
        """Refuse a file that is not there.

        Raises:
            BotError: it is not.
        """
        if not self.path.is_file():
            raise BotError(f"There is no database at {self.path} yet; “stationmaster migrate” creates it.")

    def _make_folder(self) -> None:
        try:
            make_folder(self.path.parent)
        except OSError as error:
            raise BotError(f"The database at {self.path} can't be created: {error.strerror}.") from None

    def _make_whole(self) -> None:
        """Make the store under another name, then give it its own; a kill in between leaves no half of a store."""
        fresh = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        make_private(fresh)
        engine = create_engine(f"sqlite:///{fresh}")
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
        try:
            with engine.begin() as connection:
                upgrade_schema(connection)
            engine.dispose()
            with suppress(FileExistsError):  # another has made it meanwhile
                os.link(fresh, self.path)
        finally:
            engine.dispose()
            for ending in BESIDE_A_STORE:
                Path(f"{fresh}{ending}").unlink(missing_ok=True)

    async def migrate(self, around: BeforeMigrating) -> None:
        """Bring the tables to today's form, while no other process has the store."""
        alone = self._alone is not None
        self.keep_others_out()
        async with self.writer.connect() as connection, connection.begin():
            await bring_up_to_date(connection, around)
        if not alone:
            self.let_others_in()

    async def measure_size(self) -> int:
        """Return how many bytes the file takes, with what was written ahead."""
        files = (self.path, Path(f"{self.path}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    async def count_others_at_work(self) -> int:
        """Count other processes that act on the store: they are kept out."""
        return 0

    async def connect(self, session: AsyncSession) -> None:
        """Connect a session to the file: it does so by itself."""

    @asynccontextmanager
    async def lock_game(self, session: AsyncSession, game: int | None) -> AsyncIterator[None]:
        """Hold the write lock: writers of this process queue up in order, SQLite's waiting is for other programs."""
        del game  # there is one writer at a time anyway
        since = time.monotonic()
        async with self._turn:
            left = max(0.0, TIMEOUT_SECONDS - (time.monotonic() - since))
            await session.connection(execution_options={"patience": left})
            yield

    async def announce(self, session: AsyncSession) -> None:
        """Tell other processes that something may be there to send: there are none."""

    async def listen(self, wake: asyncio.Event) -> None:
        """Wake when another process has something to send: there are none."""

    async def restart_numbers(self, session: AsyncSession, tables: Collection[str]) -> None:
        """Let new rows of tables get numbers after those that were copied: they do."""

    async def tidy(self) -> None:
        """Bring what was written ahead into the file, so that neither grows without bounds."""
        async with self.reader.connect() as connection:
            await connection.exec_driver_sql("COMMIT")
            await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            await connection.exec_driver_sql("BEGIN")

    async def close(self) -> None:
        """Close all connections and end their threads."""
        await self.reader.dispose()
        self.let_others_in()


def _make_engine(path: Path) -> AsyncEngine:
    address = f"sqlite+aiosqlite:///{path}"
    engine = create_async_engine(address, hide_parameters=True, async_creator=lambda: ThreadConnection(path))
    event.listen(engine.sync_engine, "connect", _prepare)
    event.listen(engine.sync_engine, "begin", _begin_in_thread)
    return engine


def _prepare(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
    """Set up a new connection; transactions begin where ``_begin`` says, not where the driver thinks."""
    del entry
    connection.isolation_level = None
    cursor = connection.cursor()
    try:
        for pragma in _PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
    except BaseException:
        connection.close()  # no one else would: it is not in the pool yet
        raise


def _begin(connection: Connection) -> None:
    """Begin a transaction at once."""
    connection.exec_driver_sql("BEGIN")


def _begin_in_thread(connection: Connection) -> None:
    """Begin a transaction as the engine was told, waiting no longer than there is time."""
    options = connection.get_execution_options()
    driver = connection.connection.driver_connection
    assert isinstance(driver, ThreadConnection)
    patience = options.get("patience")
    if patience is not None:
        driver.run_first(f"PRAGMA busy_timeout = {patience * 1000:.0f}")
    if "begin" in options:
        connection.exec_driver_sql(options["begin"])
    else:  # what is read is read as of the first question
        driver.run_first("BEGIN")
