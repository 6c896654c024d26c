"""Copies of a database: of a file page by page, of any database row by row; each checked by opening it."""

import asyncio
import contextlib
import os
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import MetaData, Table
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel, func, select

from bot.model.errors import BotError
from bot.store import leases, soundness
from bot.store.address import BESIDE_A_STORE, make_folder, make_private
from bot.store.database import Database, StoreError
from bot.store.schema import Schema, read_schema, rebuild_schema
from bot.store.sqlite import SqliteFile
from bot.store.tables import GameRow, LeaseRow, LogRow
from engine import Record, words

ROWS_AT_ONCE = 500
_NOT_KEPT = (LeaseRow.__tablename__, "alembic_version")
"""What holds for a moment only, and the schema, which every database notes about itself."""


class Copy(Record, frozen=True):
    """A copy that was checked: how many tables and log entries are in it, its size in bytes.

    ``older_schema`` is its schema if that is of an earlier version, else empty.
    """

    tables: int
    entries: int
    size: int
    older_schema: str = ""

    @property
    def summary(self) -> str:
        """What is in it: "2 tables, 6 log entries"."""
        held = f"{words.pluralise(self.tables, 'table')}, {words.pluralise(self.entries, 'log entry', 'log entries')}"
        return f"{held}, from an earlier version (schema {self.older_schema})" if self.older_schema else held


async def write_copy(database: Database, target: Path, *, damage_too: bool = False) -> Copy:
    """Copy an open database into a file, with the schema it has, while it is in use.

    The file appears when it is whole and was checked, and only its owner can read it.

    Args:
        database: open.
        target: the file.
        damage_too: keep logs that are damaged as they are; the copy must then stand as the database does.

    Raises:
        BotError: the copy cannot be written, or is not sound.
    """
    async with _write_beside(target) as fresh:
        if isinstance(database.backend, SqliteFile):
            await asyncio.to_thread(copy_pages, database.backend.path, fresh)
        else:
            copy_of_rows = await Database.open(fresh)
            try:
                await copy_rows(database, copy_of_rows)
            finally:
                await copy_of_rows.close()
        copy = await check_copy(fresh, await soundness.examine(database, played=False) if damage_too else None)
        put_in_place(fresh, target)
    return copy


async def write_intact_tables(database: Database, target: Path) -> soundness.Soundness:
    """Copy of a damaged store what can be read: a table whose log is damaged is there, closed, without its log.

    Raises:
        BotError: the copy cannot be written, or not even the list of the tables can be read.
    """
    found = await soundness.examine(database, played=False)
    async with _write_beside(target) as fresh:
        copy = await Database.open(fresh)
        try:
            await _copy_whole_tables(database, copy, {each.game for each in found.damaged})
        finally:
            await copy.close()
        await check_copy(fresh)
        put_in_place(fresh, target)
    return found


async def check_copy(path: Path, source: soundness.Soundness | None = None) -> Copy:
    """Open a copy, with any schema, and look at it.

    Args:
        path: of the copy.
        source: how the database stands that it was made of, if its damaged logs may be in it.

    Raises:
        BotError: it is not sound.
    """
    database = await Database.open_existing(path, older=True)
    try:
        found = await soundness.examine(database, played=False)
        copy = await count_contents(database)
    finally:
        await database.close()
    if found.pages or not (found.is_intact or found == source):
        raise BotError(
            f"The copy is damaged. {' '.join(found.sentences)} “stationmaster backup FILE --whole” "
            "saves what is readable."
        )
    return msgspec.structs.replace(copy, size=path.stat().st_size)


async def count_contents(database: Database) -> Copy:
    """Count what is in a database; its size stays 0."""
    async with database.reading() as session:
        tables = (await session.exec(select(func.count()).select_from(GameRow))).one()
        entries = (await session.exec(select(func.count()).select_from(LogRow))).one()
    schema = await database.read_schema()
    return Copy(tables, entries, 0, "" if schema.is_current else str(schema.found))


async def copy_rows(source: Database, target: Database, *, replace: bool = False) -> None:
    """Copy every row of a database into an empty one, in one transaction; the target gets the schema of the source.

    Args:
        source: open; it may have the schema of an earlier version.
        target: open, and no one else writes to it.
        replace: empty the target first.

    Raises:
        BotError: the target is not empty.
    """
    async with source.reading() as reading, target.writing() as writing:
        there, here = await reading.connection(), await writing.connection()
        if not replace and (await writing.exec(select(func.count()).select_from(GameRow))).one():
            raise BotError(f"There are already tables at {target.name}. Use --replace to delete them first.")
        tables = await _empty(here, await there.run_sync(read_schema))
        for table in (await there.run_sync(_reflect_tables)).values():
            rows = await there.stream(table.select())
            async for some in rows.mappings().partitions(ROWS_AT_ONCE):
                await here.execute(tables[table.name].insert(), [dict(row) for row in some])
        await target.backend.restart_numbers(writing, tables)


async def _empty(connection: AsyncConnection, schema: Schema) -> dict[str, Table]:
    """Remove all rows of a database, and give it a schema; return its tables."""
    if schema.is_current:
        for table in reversed(SQLModel.metadata.sorted_tables):
            await connection.execute(table.delete())
    else:
        await connection.run_sync(rebuild_schema, str(schema.found))
    return await connection.run_sync(_reflect_tables)


@asynccontextmanager
async def _write_beside(target: Path) -> AsyncIterator[Path]:
    """Give a path beside another one; what lies there in the end is removed."""
    fresh = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        make_folder(target.parent)
        yield fresh
    except OSError as error:
        raise BotError(f"The copy {target} can't be written: {error.strerror or error}.") from None
    finally:
        remove_database(fresh)


def remove_database(path: Path) -> None:
    """Remove a database that is a file, with all that lies beside it."""
    for ending in BESIDE_A_STORE:
        with contextlib.suppress(OSError):
            Path(f"{path}{ending}").unlink(missing_ok=True)


def remove_unfinished(folder: Path, name: str) -> None:
    """Remove what is left of copies that were killed while they were made; no one may be making one of this name."""
    for path in folder.glob(f".{name}"):
        with contextlib.suppress(OSError):
            path.unlink()


def prune_copies(folder: Path, prefix: str, kept: int) -> None:
    """Remove the oldest copies of a kind but the newest few, and what is left of those that were killed long ago."""
    for old in sorted(folder.glob(f"{prefix}*.sqlite"))[:-kept]:
        remove_database(old)
    for unfinished in folder.glob(f".{prefix}*.sqlite.*"):
        with contextlib.suppress(OSError):
            if time.time() - unfinished.stat().st_mtime > leases.MAX_LEASE_SECONDS:
                unfinished.unlink()


def put_in_place(fresh: Path, target: Path) -> None:
    """Give a file its name when every byte of it is on the disk."""
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    fresh.replace(target)


def put_aside(store: Path, aside: Path) -> None:
    """Give a database that no one has open a second name, with all that is in it, so that another may take its place.

    It keeps its own name too: a process that is killed before ``put_in_place`` leaves the database as it was, not an
    empty place where the next start would make a new one.

    Raises:
        OSError: it cannot be done.
    """
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(_uri(store, "rw"), uri=True)) as here:
        here.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # a damaged one keeps what was written ahead beside it
    ahead = Path(f"{store}-wal")
    for there, name in ((store, aside), (ahead, Path(f"{aside}-wal"))):
        if there.exists():
            os.link(there, name)
    for ending in ("-wal", "-shm"):  # they would be taken for those of the other
        Path(f"{store}{ending}").unlink(missing_ok=True)


def _uri(path: Path, mode: str) -> str:
    return f"{path.resolve().as_uri()}?mode={mode}"


def copy_pages(source: Path, target: Path) -> None:
    """Copy a database as it stands in one moment; other processes can write meanwhile.

    Raises:
        BotError: one of them cannot be read or written.
    """
    try:
        make_private(target)
        with (
            contextlib.closing(sqlite3.connect(_uri(source, "ro"), uri=True)) as there,
            contextlib.closing(sqlite3.connect(target)) as here,
        ):
            there.backup(here)
            if here.execute("SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone():
                raise BotError(f"{source} isn't a backup: it contains a view or a trigger.")
            here.execute("PRAGMA journal_mode = DELETE")  # so that the copy is one file
    except sqlite3.Error as error:
        raise BotError(f"{source} can't be copied to {target}: {error}.") from None


async def _copy_whole_tables(source: Database, target: Database, damaged: Collection[int]) -> None:
    """Copy table by table what can be read; the target gets the schema of the source."""
    async with source.reading() as reading:
        there = await reading.connection()
        form, tables = await there.run_sync(read_schema), await there.run_sync(_reflect_tables)
        numbers = (await there.execute(select(GameRow.id))).scalars().all()
    async with target.writing() as writing:
        here = await writing.connection()
        await _empty(here, form)
        for number in numbers:
            await _copy_one(source, here, tables, number, damaged=number in damaged)
        for table in tables.values():
            if "game" not in table.columns and table.name != GameRow.__tablename__:
                await _insert(here, table, await _readable(source, table))


async def _copy_one(
    source: Database, here: AsyncConnection, tables: Mapping[str, Table], number: int | None, *, damaged: bool
) -> None:
    """Copy what belongs to one table of players."""
    game = tables[str(GameRow.__tablename__)]
    rows = await _readable(source, game, game.c.id == number)
    if not rows:
        return
    if damaged:
        rows = [{**row, "state": "closed", "reason": "its log is damaged", "turn_from": 0} for row in rows]
    await _insert(here, game, rows)
    for table in tables.values():
        if "game" in table.columns and not (damaged and table.name == LogRow.__tablename__):
            await _insert(here, table, await _readable(source, table, table.c.game == number))


async def _readable(source: Database, table: Table, *which: Any) -> Sequence[dict[str, Any]]:  # noqa: ANN401  # a condition
    """Return rows, or none if they cannot be read."""
    try:
        async with source.reading() as session:
            rows = await (await session.connection()).execute(table.select().where(*which))
            return [dict(row) for row in rows.mappings()]
    except StoreError:
        return []


async def _insert(here: AsyncConnection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        await here.execute(table.insert(), list(rows))


def _reflect_tables(connection: Connection) -> dict[str, Table]:
    """Return the tables whose rows are kept, as this store has them, each after those it refers to."""
    there = MetaData()
    there.reflect(connection)
    return {table.name: table for table in there.sorted_tables if table.name not in _NOT_KEPT}
