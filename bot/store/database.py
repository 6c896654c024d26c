"""The open database: read in one moment, written in transactions; a file or a server, by its address alone."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import Protocol

import asyncpg
import structlog
from sqlalchemy.exc import DatabaseError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.store.address import is_server
from bot.store.log import MisplacedRowError
from bot.store.migrate import BeforeMigrating
from bot.store.postgres import MAX_BACKGROUND_CONNECTIONS, PostgresServer
from bot.store.schema import Schema, read_schema
from bot.store.sqlite import SqliteFile

_log = structlog.get_logger(__name__)

_BUSY = "The database is locked by another program; nothing was changed. Try again in a minute."
_FULL = "The disk of the database is full; nothing was changed. The operator must free some space."
_DAMAGED = "The database is damaged here; nothing was changed. The operator can run “stationmaster check” to see more."
_LOCKED_UP = "The database can't be written; nothing was changed. The operator must check its permissions."
_STANDBY = (
    "The database takes no changes at the moment; nothing was changed. Try again in a minute. "
    "If that lasts, the operator must check whether the server is a standby."
)
_EMPTIED = "The database has lost its tables; nothing was changed. The operator must restore a backup."
_FAILING = "The disk of the database is failing; nothing was changed. The operator must check it."
_SILENT = "The database doesn't answer; nothing was changed. Try again in a minute."

_BY_SQLITE = {
    "SQLITE_BUSY": _BUSY,
    "SQLITE_LOCKED": _BUSY,
    "SQLITE_FULL": _FULL,
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_NOTADB": _EMPTIED,
    "SQLITE_READONLY": _LOCKED_UP,
    "SQLITE_PERM": _LOCKED_UP,
    "SQLITE_CANTOPEN": _LOCKED_UP,
    "SQLITE_IOERR": _FAILING,
}
"""By the beginning of the error's name."""

_BY_STATE = {
    "53100": _FULL,
    "53": _SILENT,  # too many connections, out of memory
    "55P03": _BUSY,
    "57014": _BUSY,
    "40": _BUSY,  # a deadlock, or a serialization failure
    "42P01": _EMPTIED,
    "3D000": _EMPTIED,
    "XX": _DAMAGED,
    "25006": _STANDBY,
    "42501": _LOCKED_UP,
    "57": _SILENT,
    "08": _SILENT,
}
"""By PostgreSQL's state, or the class it belongs to."""


_IN_BACKGROUND: ContextVar[bool] = ContextVar("in_background", default=False)


@contextmanager
def work_in_background() -> Iterator[None]:
    """Do what no one waits for: it takes a share of a server's connections, and leaves the others to people."""
    before = _IN_BACKGROUND.set(True)
    try:
        yield
    finally:
        _IN_BACKGROUND.reset(before)


class Backend(Protocol):
    """What differs between a file and a server.

    Args:
        name: the address as it may be shown. shared: several processes may have it open.
        reader, writer: engines for transactions that read one moment, and that write.
    """

    name: str
    shared: bool
    reader: AsyncEngine
    writer: AsyncEngine

    def keep_others_out(self) -> None:
        """Be the one process of a database that is not shared."""

    async def create(self) -> None:
        """Make the database if there is none."""

    async def refuse_missing(self) -> None:
        """Refuse a database that is not there."""

    async def migrate(self, around: BeforeMigrating) -> None:
        """Migrate the tables to the current schema, in one process only, while no other process writes."""

    async def measure_size(self) -> int:
        """Return how many bytes the database takes."""

    async def count_others_at_work(self) -> int:
        """Count connections of other processes that act on the database."""

    async def connect(self, session: AsyncSession) -> None:
        """Connect a session that is to read."""

    def lock_game(self, session: AsyncSession, game: int | None) -> AbstractAsyncContextManager[None]:
        """Be the one writer about a table, or in the whole store."""

    async def announce(self, session: AsyncSession) -> None:
        """Tell other processes that something may be there to send, when the session commits."""

    async def listen(self, wake: asyncio.Event) -> None:
        """Set the event whenever another process announces something, until ``close``."""

    async def restart_numbers(self, session: AsyncSession, tables: Collection[str]) -> None:
        """Let new rows of tables get numbers after those that were copied."""

    async def tidy(self) -> None:
        """Do what keeps the database small and fast."""

    async def close(self) -> None:
        """Close everything."""


class StoreError(BotError):
    """The database could not do it; the sentence says why."""


class DamageError(StoreError):
    """What is stored here is damaged, and what is stored elsewhere may not be."""


class Wake(asyncio.Event):
    """An event for several who wait, each of whom clears an event of their own (``add_listener``)."""

    def __init__(self) -> None:
        super().__init__()
        self._others: list[asyncio.Event] = []

    def add_listener(self) -> asyncio.Event:
        """Return an event that is set whenever this one is."""
        self._others.append(asyncio.Event())
        return self._others[-1]

    def set(self) -> None:
        """Wake all."""
        super().set()
        for each in self._others:
            each.set()


class Database:
    """An open database; ``close`` it, or the program hangs at its end.

    ``wake`` is set whenever a writing transaction has been committed, so that
    the sender of posts need not poll.
    """

    def __init__(self, address: Path | str) -> None:
        self.address = address
        self.backend: Backend = PostgresServer(str(address)) if is_server(address) else SqliteFile(Path(address))
        self.wake = Wake()
        self.damage = asyncio.Event()
        """Set when damage was met."""
        self._background = asyncio.Semaphore(MAX_BACKGROUND_CONNECTIONS)

    @classmethod
    async def open(
        cls, address: Path | str, *, alone: bool = False, around: "Callable[[Database], BeforeMigrating] | None" = None
    ) -> "Database":
        """Open the database at an address, make it if need be, and migrate it.

        A database that people play on is opened by ``bot.store.upgrading.open_database``, which keeps a copy first.

        Args:
            address: a path, or postgresql://…
            alone: keep other processes out of a file until ``close``; they may still read, export, back up.
            around: what surrounds the migration of an older store.

        Raises:
            BotError: it cannot be opened, is no store, comes from a newer version, or is in use.
        """
        database = cls(address)
        async with _close_on_error(database):
            if alone:
                await asyncio.to_thread(database.backend.keep_others_out)
            await database.backend.create()
            if not (await database.read_schema(is_new=database.shared)).is_current:
                await database.backend.migrate(around(database) if around else lambda _: nullcontext())
            await database.backend.listen(database.wake)
        return database

    @classmethod
    async def open_existing(cls, address: Path | str, *, older: bool = False) -> "Database":
        """Open a database as it stands, to look at it; nothing is made or migrated.

        Args:
            address: a path, or postgresql://…
            older: whether it may have the schema of an earlier version.

        Raises:
            BotError: there is none, it cannot be opened, or it has another schema.
        """
        database = cls(address)
        async with _close_on_error(database):
            await database.backend.refuse_missing()
            schema = await database.read_schema()
            if not schema.is_current and not older:
                raise BotError(
                    f"The database at {database.name} is from an earlier version (schema {schema.found}). The bot "
                    f"migrates it to schema {schema.wanted} when it starts, as does “stationmaster migrate”; "
                    "it keeps a copy."
                )
        return database

    @property
    def name(self) -> str:
        """The address as it may be shown."""
        return self.backend.name

    @property
    def shared(self) -> bool:
        """Whether several processes may have the database open."""
        return self.backend.shared

    async def read_schema(self, *, is_new: bool = False) -> Schema:
        """Return the schema of the database, which is that of this version or of an older one.

        Args:
            is_new: it may have no tables yet.

        Raises:
            BotError: it comes from a newer or an unreleased version, or has no tables.
        """
        async with self.backend.reader.connect() as connection:
            schema = await connection.run_sync(read_schema)
        if schema.is_newer:
            program = f"Stationmaster {schema.program}" if schema.program else "a newer version of Stationmaster"
            raise BotError(
                f"The database at {self.name} was last migrated by {program}: its schema is {schema.found}, but this "
                f"version's is {schema.wanted}. Install that version or a later one, or restore a backup from before."
            )
        if not schema.is_known:
            raise BotError(
                f"The database at {self.name} is from an unreleased version (schema {schema.found}) and can't be "
                "migrated. Restore a backup made by a released version."
            )
        if schema.found is None and not is_new:
            raise BotError(
                f"The database at {self.name} has no tables: it was emptied, or copied without its “-wal” file. "
                "Restore a backup, or delete the file to start over."
            )
        return schema

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Give a session that sees one moment of the database.

        Raises:
            StoreError: the database fails; the sentence says how.
        """
        async with self._leave_connections(), self._explain_errors(), self._open(self.backend.reader) as session:
            await self.backend.connect(session)
            yield session

    @asynccontextmanager
    async def writing(self, game: int | None = None, *, wakes: bool = True) -> AsyncIterator[AsyncSession]:
        """Give a session that writes; commit at the end, or leave no trace.

        Args:
            game: the table it is about: one writer a table at a time, in whatever process; what it reads
                of that table stays so until its end.
            wakes: whether there may be something new to send.

        Raises:
            StoreError: the database fails; the sentence says how.
        """
        async with (
            self._leave_connections(),
            self._explain_errors(),
            self._open(self.backend.writer) as session,
            self.backend.lock_game(session, game),
        ):
            async with _commit_or_roll_back(session):
                yield session
                if wakes:
                    await self.backend.announce(session)
            if wakes:
                self.wake.set()

    async def tidy(self) -> None:
        """Do now and then what keeps the database small and fast."""
        async with self._explain_errors():
            await self.backend.tidy()

    async def close(self) -> None:
        """Close all connections and end their threads."""
        await self.backend.close()

    @asynccontextmanager
    async def _open(self, engine: AsyncEngine) -> AsyncIterator[AsyncSession]:
        """Give a session that is closed in any case; where its end waits for nothing, without a task for that."""
        session = AsyncSession(engine, expire_on_commit=False)
        try:
            yield session
        finally:
            waits = session.in_transaction() and (self.shared or engine is self.backend.writer)
            await (asyncio.shield(asyncio.create_task(session.close())) if waits else session.close())

    @asynccontextmanager
    async def _leave_connections(self) -> AsyncIterator[None]:
        """Wait for one of the connections to a server that work in the background may take."""
        if not (self.shared and _IN_BACKGROUND.get()):
            yield
            return
        async with self._background:
            before = _IN_BACKGROUND.set(False)  # a session within this one waits for no second place
            try:
                yield
            finally:
                _IN_BACKGROUND.reset(before)

    @asynccontextmanager
    async def _explain_errors(self) -> AsyncIterator[None]:
        """Say in one sentence what fails in the database; what is a defect of ours stays as it is."""
        try:
            yield
        except IntegrityError:
            raise
        except DamageError:  # rows that contradict each other
            self.damage.set()
            raise
        except DBAPIError as error:
            sentence = _find_sentence(error)
            if sentence is None:
                raise
            _log.error("the database failed", error=str(error.orig)[:300])
            if sentence != _DAMAGED:
                raise StoreError(sentence) from error
            self.damage.set()
            raise DamageError(sentence) from error
        except MisplacedRowError as error:
            _log.error("the database is damaged", error=repr(error))
            self.damage.set()
            raise DamageError(_DAMAGED) from error
        except PoolTimeoutError as error:
            _log.error("the database failed", error=str(error)[:300])
            raise StoreError(_SILENT) from error


@asynccontextmanager
async def _close_on_error(database: Database) -> AsyncIterator[None]:
    """Close a database that cannot be opened, and say why in one sentence."""
    try:
        yield
    except (DatabaseError, DBAPIError, OSError, PoolTimeoutError, asyncpg.PostgresError) as error:
        await database.close()
        reason = str(getattr(error, "orig", None) or error).partition("\n")[0]
        raise BotError(f"The database at {database.name} can't be opened: {reason}.") from error
    except BaseException:
        await database.close()
        raise


@asynccontextmanager
async def _commit_or_roll_back(session: AsyncSession) -> AsyncIterator[None]:
    """Commit what the session did, or undo it."""
    try:
        yield
        await session.commit()
    except BaseException:
        await session.rollback()
        raise


def _find_sentence(error: DBAPIError) -> str | None:
    """Return what is said of an error of the database, ``None`` if it is a defect of ours."""
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        if str(cause).startswith("no such table"):
            return _EMPTIED
        if str(cause).startswith("Could not decode to UTF-8"):
            return _DAMAGED
        name = getattr(cause, "sqlite_errorname", "")
        return next((words for start, words in _BY_SQLITE.items() if name.startswith(start)), None)
    state = str(getattr(cause, "sqlstate", None) or "")
    found = _BY_STATE.get(state) or _BY_STATE.get(state[:2])
    return found or (_SILENT if error.connection_invalidated or not state else None)
