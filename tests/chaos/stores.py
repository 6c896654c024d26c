"""A store as another program sees it, which reads it, locks it and fills its disk."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import asyncpg

from bot.service.services import Services

Row = Mapping[str, Any]


class Store(Protocol):
    """What the bench does to a store; the bots have it open by its address."""

    address: str

    async def rows(self, query: str) -> Sequence[Row]:
        """Return rows of the store."""

    async def lock(self, seconds: float) -> bool:
        """Hold a lock that writers need, as a backup or another program does; return whether it was had."""

    async def fill(self, *, full: bool) -> None:
        """Let its disk be full, or not any more."""

    async def jump(self, ahead: float) -> None:
        """Let its clock, if it has one, be so many seconds ahead."""

    async def cut(self) -> bool:
        """Cut all lines to it; return whether there are lines."""

    async def close(self) -> None:
        """Be done with it."""


class FileStore:
    """A file. Its disk is filled by the process that has it open, see ``prefork_child``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.address = str(path)

    async def rows(self, query: str) -> Sequence[Row]:
        """Return rows of the store."""
        with contextlib.closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=30)) as store:
            store.row_factory = sqlite3.Row
            return [dict(row) for row in store.execute(query)]

    async def lock(self, seconds: float) -> bool:
        """Hold the write lock, if it can be had at once."""
        with contextlib.closing(sqlite3.connect(self.path, timeout=0, isolation_level=None)) as store:
            try:
                store.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return False
            await asyncio.sleep(seconds)
        return True

    async def fill(self, *, full: bool) -> None:
        """Do nothing."""

    async def jump(self, ahead: float) -> None:
        """Do nothing: whoever has it open goes by a clock of their own."""

    async def cut(self) -> bool:
        """Do nothing: there are no lines."""
        return False

    async def close(self) -> None:
        """Do nothing."""


class ServerStore:
    """A PostgreSQL server: a trigger says that there is no room, a statement ends the lines of all others."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._line: asyncpg.Connection | None = None
        self._one = asyncio.Lock()

    async def rows(self, query: str) -> Sequence[Row]:
        """Return rows of the store."""
        async with self._one:
            return [dict(row) for row in await (await self._connect()).fetch(query)]

    async def lock(self, seconds: float) -> bool:
        """Lock the rows of all tables."""
        line = await asyncpg.connect(self.address)
        try:
            async with line.transaction():
                await line.execute("SELECT 1 FROM game FOR UPDATE")
                await asyncio.sleep(seconds)
        finally:
            line.terminate()  # at once, also where the bench is told to end
        return True

    async def fill(self, *, full: bool) -> None:
        """Let the trigger refuse what is written, or let it go."""
        async with self._one:
            await (await self._connect()).execute("UPDATE chaos_disk SET is_full = $1", full)

    async def jump(self, ahead: float) -> None:
        """Let the clock of the server be so many seconds ahead, as the bots ask for it."""
        async with self._one:
            await (await self._connect()).execute("UPDATE chaos_disk SET ahead = $1", ahead)

    async def cut(self) -> bool:
        """End the lines of the bots to this store; other stores of the server keep theirs."""
        others = "datname = current_database() AND application_name LIKE 'stationmaster%' AND pid <> pg_backend_pid()"
        async with self._one:
            line = await self._connect()
            await line.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")  # noqa: S608  # ours
        return True

    async def close(self) -> None:
        """Leave the server as it was."""
        if self._line is not None:
            await self._line.execute("DROP TABLE chaos_disk; DROP FUNCTION chaos_no_room CASCADE")
            self._line.terminate()
            self._line = None

    async def _connect(self) -> asyncpg.Connection:
        if self._line is None:
            await (await Services.open(self.address)).close()  # so that there are tables
            self._line = await asyncpg.connect(self.address)
            await self._line.execute(_TRIGGERS)
        return self._line


_TRIGGERS = """
CREATE TABLE IF NOT EXISTS chaos_disk (is_full boolean NOT NULL, ahead double precision NOT NULL);
INSERT INTO chaos_disk SELECT false, 0 WHERE NOT EXISTS (SELECT 1 FROM chaos_disk);
CREATE OR REPLACE FUNCTION chaos_no_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT is_full FROM chaos_disk) THEN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER chaos_log BEFORE INSERT OR UPDATE ON log FOR EACH ROW EXECUTE FUNCTION chaos_no_room();
CREATE OR REPLACE TRIGGER chaos_outbox BEFORE INSERT OR UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION chaos_no_room();
"""


def store_of(address: Path | str) -> Store:
    """Return the store at a path, or at the address of a server."""
    return FileStore(address) if isinstance(address, Path) else ServerStore(address)
