"""A database on a PostgreSQL server, for several processes: rows are locked, commits are announced.

A writer locks the row of its table first, so that two of them, in whatever
process, wait for one another there and nowhere else. A reader sees one moment
(``REPEATABLE READ``). Waiting is bounded: for a connection, for a lock, for a
writer that hangs.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

import asyncpg
import structlog
from sqlalchemy import inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.store.address import hide_password, parse_server_url
from bot.store.migrate import BeforeMigrating, bring_up_to_date

TIMEOUT_SECONDS = 2.0
"""Seconds anything waits for a connection, and then for a lock."""
CHANNEL = "stationmaster"
AT_WORK = "stationmaster at work"
"""Under this name the server lists a process that acts on the database; others only look."""
MAX_CONNECTIONS, MAX_BACKGROUND_CONNECTIONS = 20, 10
"""Of a process, and of them those for posting: a bot that has much to catch up with still answers presses."""
_MIGRATION_LOCK = 0x57A7104  # of the advisory lock: any number will do, the same everywhere
_LISTEN_RETRY_SECONDS = 1.0
_log = structlog.get_logger(__name__)


class PostgresServer:
    """A database on a server."""

    shared = True

    def __init__(self, address: str) -> None:
        self.name = hide_password(address)
        self._url = parse_server_url(address)
        self._settings = {"application_name": "stationmaster", "lock_timeout": f"{TIMEOUT_SECONDS:.0f}s"}
        self._settings["idle_in_transaction_session_timeout"] = "30s"  # of a process whose machine is gone
        self.writer = _make_engine(self._url, self._settings)
        self.reader = self.writer.execution_options(isolation_level="REPEATABLE READ")
        self._listening: asyncio.Task[None] | None = None

    def keep_others_out(self) -> None:
        """Tell the server that this process acts on the database; others may as well."""
        self._settings["application_name"] = AT_WORK

    async def create(self) -> None:
        """See that the server answers; it has made the database.

        Raises:
            BotError: it does not.
        """
        try:
            async with asyncio.timeout(2 * TIMEOUT_SECONDS), self.reader.connect() as connection:
                await connection.execute(text("SELECT 1"))
        except (OSError, TimeoutError) as error:
            raise BotError(f"The database at {self.name} doesn't answer: {error or 'no connection in time'}.") from None

    async def refuse_missing(self) -> None:
        """Refuse a server that does not answer."""
        await self.create()

    async def migrate(self, around: BeforeMigrating) -> None:
        """Migrate the tables to the current schema; of several processes one does, and the others wait for it.

        No one writes meanwhile, so that a copy made within has all that is migrated.
        """
        async with self.writer.connect() as connection, connection.begin():
            await connection.execute(text("SET LOCAL lock_timeout = '60s'"))
            await connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))  # a copy takes a while
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
            for table in await connection.run_sync(lambda sync: inspect(sync).get_table_names()):
                await connection.execute(text(f'LOCK TABLE "{table}" IN SHARE ROW EXCLUSIVE MODE'))
            await bring_up_to_date(connection, around)

    async def measure_size(self) -> int:
        """Return how many bytes the database takes."""
        async with self.reader.connect() as connection:
            found = await connection.execute(text("SELECT pg_database_size(current_database())"))
            return int(found.scalar_one())

    async def connect(self, session: AsyncSession) -> None:
        """Connect a session to the server.

        Raises:
            sqlalchemy.exc.TimeoutError: it does not answer.
        """
        try:
            await session.connection()
        except (OSError, TimeoutError) as error:
            raise PoolTimeoutError(str(error)) from error

    @asynccontextmanager
    async def lock_game(self, session: AsyncSession, game: int | None) -> AsyncIterator[None]:
        """Lock the row of a table, so that there is one writer about it at a time."""
        await self.connect(session)
        connection = await session.connection()
        if game is not None:
            await connection.execute(text("SELECT 1 FROM game WHERE id = :game FOR NO KEY UPDATE"), {"game": game})
        yield

    async def announce(self, session: AsyncSession) -> None:
        """Tell the other processes that something may be there to send, when the session commits."""
        await (await session.connection()).execute(text(f"NOTIFY {CHANNEL}"))

    async def listen(self, wake: asyncio.Event) -> None:
        """Wake when another process has something to send."""
        self._listening = asyncio.create_task(self._listen(wake), name="listening to the database")

    async def _listen(self, wake: asyncio.Event) -> None:
        """Listen on a connection of its own, and on a new one when that is lost."""
        while True:
            try:
                await self._listen_once(wake)
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                _log.warning("not listening to the database", error=str(error)[:300])
            await asyncio.sleep(_LISTEN_RETRY_SECONDS)

    async def _listen_once(self, wake: asyncio.Event) -> None:
        lost = asyncio.Event()
        plain = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        connection = await asyncpg.connect(plain, timeout=TIMEOUT_SECONDS, server_settings=self._settings)
        try:
            connection.add_termination_listener(lambda _: lost.set())
            await connection.add_listener(CHANNEL, lambda *_: wake.set())
            wake.set()  # for what was announced while no one listened
            await lost.wait()
        finally:
            with contextlib.suppress(Exception):
                await connection.close(timeout=TIMEOUT_SECONDS)

    async def count_others_at_work(self) -> int:
        """Count the connections of processes that act on the database."""
        at_work = text(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = :n"
        )
        async with self.reader.connect() as connection:
            return int((await connection.execute(at_work, {"n": AT_WORK})).scalar_one())

    async def restart_numbers(self, session: AsyncSession, tables: Collection[str]) -> None:
        """Let new rows of tables get numbers after those that were copied."""
        connection = await session.connection()
        for table in SQLModel.metadata.sorted_tables:
            if table.name in tables and table.autoincrement_column is not None:
                last = f'coalesce((SELECT max(id) FROM "{table.name}"), 0) + 1'  # noqa: S608  # a name of ours
                await connection.execute(
                    text(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), {last}, false)")
                )

    async def tidy(self) -> None:
        """Leave that to the server: it looks after itself."""

    async def close(self) -> None:
        """Close all connections."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
            self._listening = None
        await self.writer.dispose()


def _make_engine(url: URL, settings: dict[str, str]) -> AsyncEngine:
    return create_async_engine(
        url,
        hide_parameters=True,
        pool_size=MAX_CONNECTIONS,  # all are kept: a new one costs more than a press, and has to learn its statements
        max_overflow=0,
        pool_timeout=TIMEOUT_SECONDS,
        pool_pre_ping=True,  # after the server was restarted the old connections are dead
        connect_args={"timeout": TIMEOUT_SECONDS, "server_settings": settings},
    )
