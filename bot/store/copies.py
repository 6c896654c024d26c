"""Copies of a store: of a file page by page, of any store row by row; each checked by opening it."""

import asyncio
import contextlib
import os
import secrets
import sqlite3
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Table
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel, func, select

from bot.service.errors import BotError
from bot.store import soundness
from bot.store.database import Database
from bot.store.sqlite import SqliteFile
from bot.store.tables import GameRow, LeaseRow, LogRow
from bot.store.trouble import StoreError
from engine import Record, english

ROWS_AT_ONCE = 500
_ENDINGS = ("", "-wal", "-shm", "-journal", ".lock")
_OF_THE_MOMENT = (LeaseRow.__tablename__,)


class Copy(Record, frozen=True):
    """A copy that was checked: how many tables and log entries are in it, and its size in bytes."""

    tables: int
    entries: int
    size: int

    @property
    def words(self) -> str:
        """What is in it: "2 tables, 6 log entries"."""
        return f"{english.counted(self.tables, 'table')}, {english.counted(self.entries, 'log entry', 'log entries')}"


async def write_copy(database: Database, target: Path) -> Copy:
    """Copy an open store into a file, while it is in use; the file appears when it is whole and was checked.

    Raises:
        BotError: the copy cannot be written, or is not sound.
    """
    async with _beside(target) as fresh:
        if isinstance(database.backend, SqliteFile):
            await asyncio.to_thread(take_pages, database.backend.path, fresh)
        else:
            await _copy_all_rows(database, fresh)
        copy = await checked(fresh)
        put(fresh, target)
    return copy


async def write_what_is_whole(database: Database, target: Path) -> soundness.Soundness:
    """Copy of a damaged store what can be read: a table whose log is damaged is there, closed, without its log.

    Raises:
        BotError: the copy cannot be written, or not even the list of the tables can be read.
    """
    found = await soundness.examine(database, played=False)
    async with _beside(target) as fresh:
        copy = await Database.open(fresh)
        try:
            await _copy_by_table(database, copy, {each.game for each in found.damaged})
        finally:
            await copy.close()
        await checked(fresh)
        put(fresh, target)
    return found


async def checked(path: Path) -> Copy:
    """Open a copy and look at it.

    Raises:
        BotError: it is not sound.
    """
    database = await Database.open(path)
    try:
        found = await soundness.examine(database, played=False)
        copy = await counted(database)
    finally:
        await database.close()
    if not found.well:
        raise BotError(f"The copy is not sound. {' '.join(found.words)}")
    return msgspec.structs.replace(copy, size=path.stat().st_size)


async def counted(database: Database) -> Copy:
    """Count what is in a store; its size stays 0."""
    async with database.reading() as session:
        tables = (await session.exec(select(func.count()).select_from(GameRow))).one()
        entries = (await session.exec(select(func.count()).select_from(LogRow))).one()
    return Copy(tables, entries, 0)


async def copy_rows(source: Database, target: Database, *, replace: bool = False) -> None:
    """Copy every row of a store into an empty one, in one transaction.

    Args:
        source: open.
        target: open, and nobody else writes to it.
        replace: empty the target first.

    Raises:
        BotError: the target is not empty.
    """
    async with source.reading() as reading, target.writing() as writing:
        there, here = await reading.connection(), await writing.connection()
        if replace:
            for table in reversed(SQLModel.metadata.sorted_tables):
                await here.execute(table.delete())
        elif (await writing.exec(select(func.count()).select_from(GameRow))).one():
            raise BotError(f"There are tables at {target.name} already; --replace removes them.")
        for table in _tables():
            rows = await there.stream(table.select())
            async for some in rows.mappings().partitions(ROWS_AT_ONCE):
                await here.execute(table.insert(), [dict(row) for row in some])
        await target.backend.renumber(writing)


@asynccontextmanager
async def _beside(target: Path) -> AsyncIterator[Path]:
    """Give a path beside another one; what lies there in the end is removed."""
    fresh = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield fresh
    except OSError as error:
        raise BotError(f"The copy {target} cannot be written: {error.strerror or error}.") from None
    finally:
        remove(fresh)


def remove(path: Path) -> None:
    """Remove a store that is a file, with all that lies beside it."""
    for ending in _ENDINGS:
        with contextlib.suppress(OSError):
            Path(f"{path}{ending}").unlink(missing_ok=True)


def put(fresh: Path, target: Path) -> None:
    """Give a file its name when every byte of it is on the disk."""
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    fresh.replace(target)


def put_aside(store: Path, aside: Path) -> None:
    """Give a store that nobody has open a second name, with all that is in it, so that another may take its place.

    Its own name stays as well: whoever is killed before ``put`` leaves the store as it was, and not an empty place
    where the next start would make a new one.

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


def take_pages(source: Path, target: Path) -> None:
    """Copy a store as it stands in one moment; whoever writes meanwhile does not wait.

    Raises:
        BotError: one of them cannot be read or written.
    """
    try:
        _take_pages(source, target)
    except sqlite3.Error as error:
        raise BotError(f"{source} cannot be copied to {target}: {error}.") from None


def _take_pages(source: Path, target: Path) -> None:
    with (
        contextlib.closing(sqlite3.connect(_uri(source, "ro"), uri=True)) as there,
        contextlib.closing(sqlite3.connect(target)) as here,
    ):
        there.backup(here)
        here.execute("PRAGMA journal_mode = DELETE")  # so that the copy is one file


async def _copy_all_rows(database: Database, path: Path) -> None:
    copy = await Database.open(path)
    try:
        await copy_rows(database, copy)
    finally:
        await copy.close()


async def _copy_by_table(source: Database, target: Database, damaged: Collection[int]) -> None:
    """Copy table by table what can be read."""
    async with source.reading() as reading:
        numbers = (await (await reading.connection()).execute(_of(GameRow).select())).scalars().all()
    async with target.writing() as writing:
        here = await writing.connection()
        for number in numbers:
            await _copy_one(source, here, number, damaged=number in damaged)
        for table in _tables():
            if "game" not in table.columns and table.name != GameRow.__tablename__:
                await _insert(here, table, await _readable(source, table))


async def _copy_one(source: Database, here: AsyncConnection, number: int | None, *, damaged: bool) -> None:
    """Copy what belongs to one table of players."""
    game = _of(GameRow)
    rows = await _readable(source, game, game.c.id == number)
    if not rows:
        return
    if damaged:
        rows = [{**row, "state": "closed", "reason": "its log is damaged"} for row in rows]
    await _insert(here, game, rows)
    for table in _tables():
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


def _tables() -> list[Table]:
    """Return the tables whose rows are kept, each after those it refers to."""
    return [table for table in SQLModel.metadata.sorted_tables if table.name not in _OF_THE_MOMENT]


def _of(row: type[SQLModel]) -> Table:
    return SQLModel.metadata.tables[str(row.__tablename__)]
