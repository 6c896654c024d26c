"""A database in a file: how SQLite is opened, written, and kept by one process.

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
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Self

import aiosqlite
from sqlalchemy import create_engine, event
from sqlalchemy.engine import Connection
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.store.address import BESIDE_A_STORE, make_folder, make_private
from bot.store.migrate import BeforeMigrating, bring_up_to_date
from bot.store.salvage import Renewal, find_damaged, give_back_space, renew_tables
from bot.store.schema import upgrade_schema

TIMEOUT_SECONDS = 2.0
"""Seconds a writer waits for its turn and for other programs together: the user is answered within three."""
_PRAGMAS: tuple[str, ...] = (
    "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", f"busy_timeout = {TIMEOUT_SECONDS * 1000:.0f}",
)  # fmt: skip
ROWS = 1000
"""Rows that come back with their statement; a longer answer is fetched in parts of that size."""
Row = tuple[Any, ...]  # of whatever the columns hold


class SqliteFile:
    """A database in a file."""

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

        The lock is one of SQLite's own on a file beside the database: the system lifts it when the process ends.

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
        """Let another process have the database."""
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
        """Make the database under another name, then rename it; a kill in between leaves no half of a database."""
        fresh = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        make_private(fresh)
        engine = create_engine(f"sqlite:///{fresh}")
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
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
        """Migrate the tables to the current schema, while no other process has the database."""
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
        """Count other processes that act on the database: they are kept out."""
        return 0

    async def connect(self, session: AsyncSession) -> None:
        """Connect a session to the file: it does so automatically."""

    @asynccontextmanager
    async def lock_game(self, session: AsyncSession, game: int | None) -> AsyncIterator[None]:
        """Hold the write lock: writers of this process queue up in order, SQLite's waiting is for other programs."""
        del game  # there is one writer at a time anyway
        since = time.monotonic()
        async with self._turn:
            left = max(0.0, TIMEOUT_SECONDS - (time.monotonic() - since))
            await session.connection(execution_options={"patience": left})
            yield

    async def renew(self, find_name: Callable[[], Path]) -> Renewal:
        """Renew damaged tables while no one writes; see ``salvage.renew_tables``."""
        if not (damaged := await asyncio.to_thread(find_damaged, self.path)):
            return Renewal()
        async with self._turn:
            return await asyncio.to_thread(renew_tables, self.path, damaged, find_name)

    async def announce(self, session: AsyncSession) -> None:
        """Tell other processes that something may be there to send: there are none."""

    async def listen(self, wake: asyncio.Event) -> None:
        """Wake when another process has something to send: there are none."""

    async def restart_numbers(self, session: AsyncSession, tables: Collection[str]) -> None:
        """Let new rows of tables get numbers after those that were copied: they do."""

    async def tidy(self) -> None:
        """Bring what was written ahead into the file, and give back its free space: neither grows without bounds."""
        async with self._turn:
            await asyncio.to_thread(give_back_space, self.path)
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
    """Set up a new connection; transactions begin where ``_begin_in_thread`` says, not where the driver thinks."""
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


def _begin_in_thread(connection: Connection) -> None:
    """Begin a transaction as the engine was told, waiting no longer than there is time."""
    options = connection.get_execution_options()
    driver = connection.connection.driver_connection
    assert isinstance(driver, ThreadConnection)
    patience = options.get("patience")
    if patience is not None:
        driver.run_first(f"PRAGMA busy_timeout = {patience * 1000:.0f}")
    driver.only_reads = "begin" not in options
    driver.run_first(options.get("begin", "BEGIN"))  # what is read is read as of the first question


def _connect(path: Path) -> sqlite3.Connection:
    """Open a file so that a flipped byte costs a letter of a text, not the reading of all rows."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.text_factory = lambda data: data.decode(errors="replace")
    return connection


class ThreadConnection(aiosqlite.Connection):
    """A connection with a thread of its own, to which statements go and back once; await it to connect.

    The driver beneath makes four journeys for one statement: for a cursor, its execution, its rows, its end. Each
    wakes a thread and then the event loop, and on a busy bot waits for both; here all that belongs to a statement
    goes together, and what begins a transaction goes with its first statement. No one waits for the end of a
    transaction that only read.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(lambda: _connect(path), iter_chunk_size=ROWS)
        self._thread.daemon = True
        self._first: list[str] = []
        self._is_used = False
        self.only_reads = False

    def run_first(self, statement: str) -> None:
        """Have a statement done on the way of the next one; its answer is not looked at."""
        self._first.append(statement)

    def cursor(self) -> "ThreadCursor":  # type: ignore[override]  # asynchronous there, and costs a journey
        """Return a cursor."""
        return ThreadCursor(self)

    async def run(self, ask: Callable[[sqlite3.Connection], "StatementResult"]) -> "StatementResult":
        """Have something asked in the thread, after the statements that wait for it."""
        first, self._first = self._first, []
        self._is_used = True
        answer: StatementResult = await self._execute(_run_in_order, self._conn, first, ask)  # type: ignore[no-untyped-call]
        return answer

    async def fetch_more(self, cursor: sqlite3.Cursor) -> list[Row]:
        """Return the next rows of a long answer."""
        rows: list[Row] = await self._execute(cursor.fetchmany, ROWS)  # type: ignore[no-untyped-call]
        return rows

    async def commit(self) -> None:
        """Commit what was done, if anything was."""
        await self._end(super().commit)

    async def rollback(self) -> None:
        """Undo what was done, if anything was."""
        if self.only_reads and self._is_used:
            self._tx.put_nowait((None, self._conn.rollback))
            self._is_used = False
        await self._end(super().rollback)

    async def _end(self, end: Callable[[], Any]) -> None:
        self._first.clear()
        if self._is_used:  # also by what was given up while the thread was at it: this comes after it
            await end()
            self._is_used = False


class StatementResult:
    """What a statement gives.

    Args:
        cursor: of the thread. rows: the first of them.
    """

    def __init__(self, cursor: sqlite3.Cursor, rows: Iterable[Row] = ()) -> None:
        self.cursor = cursor
        self.rows = deque(rows)
        self.is_whole = len(self.rows) < ROWS


class ThreadCursor:
    """A cursor as SQLAlchemy uses it."""

    def __init__(self, connection: ThreadConnection) -> None:
        self.arraysize = 1
        self._connection = connection
        self._answer: StatementResult | None = None

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, statement: str, parameters: Any = ()) -> Self:  # noqa: ANN401  # one or many, by name or place
        """Have a statement done; its first rows come back with it."""
        self._answer = await self._connection.run(partial(_execute, statement=statement, parameters=parameters))
        return self

    async def executemany(self, statement: str, parameters: Iterable[Any]) -> Self:
        """Have a statement done for each of many parameters."""
        self._answer = await self._connection.run(partial(_execute_many, statement=statement, parameters=parameters))
        return self

    @property
    def description(self) -> Any:  # noqa: ANN401  # as the driver has it
        """The columns, ``None`` if there are none."""
        return self._answer.cursor.description if self._answer else None

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return self._answer.cursor.rowcount if self._answer else -1

    @property
    def lastrowid(self) -> int | None:
        """The number of the row that was added last."""
        return self._answer.cursor.lastrowid if self._answer else None

    async def fetchall(self) -> list[Row]:
        """Return all rows that are left."""
        found: list[Row] = []
        while some := await self.fetchmany(ROWS):
            found += some
        return found

    async def fetchmany(self, size: int = ROWS) -> Sequence[Row]:
        """Return the next rows."""
        answer = self._answer
        if answer is None:
            return ()
        if not answer.rows and not answer.is_whole:
            answer.rows.extend(await self._connection.fetch_more(answer.cursor))
            answer.is_whole = len(answer.rows) < ROWS
        return [answer.rows.popleft() for _ in range(min(size, len(answer.rows)))]

    async def fetchone(self) -> Row | None:
        """Return the next row, ``None`` if there is none."""
        return next(iter(await self.fetchmany(1)), None)

    async def close(self) -> None:
        """Be done with a statement; a long answer that was not read to its end is given up."""
        if self._answer is not None and not self._answer.is_whole:
            await self._connection.run(partial(_close_cursor, self._answer))
            self._answer.is_whole = True


def _run_in_order(
    connection: sqlite3.Connection, first: Sequence[str], ask: Callable[[sqlite3.Connection], StatementResult]
) -> StatementResult:
    for statement in first:
        connection.execute(statement).close()
    return ask(connection)


def _execute(connection: sqlite3.Connection, statement: str, parameters: Any) -> StatementResult:  # noqa: ANN401  # as above
    cursor = connection.execute(statement, parameters)
    return StatementResult(cursor, cursor.fetchmany(ROWS) if cursor.description else ())


def _execute_many(connection: sqlite3.Connection, statement: str, parameters: Iterable[Any]) -> StatementResult:
    return StatementResult(connection.executemany(statement, parameters))


def _close_cursor(answer: StatementResult, connection: sqlite3.Connection) -> StatementResult:
    del connection
    answer.cursor.close()
    return answer
