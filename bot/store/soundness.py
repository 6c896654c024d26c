"""Is the database whole? Its pages, and the logs in it: which tables can be played on."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import structlog
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError, DBAPIError
from sqlmodel import col, select

from bot.model.errors import BotError
from bot.store import games, log
from bot.store.database import DamageError, Database
from bot.store.salvage import Renewal
from bot.store.sqlite import SqliteFile
from bot.store.tables import GameRow, LogRow, SeatRow
from engine import LogError, Record, RuleError, UnreadableLogError
from engine.game import replay_as_written
from engine.words import pluralise

MAX_PAGE_FAULTS = 20
_log = structlog.get_logger()


class Damage(Record, frozen=True):
    """A table that cannot be played on, and why."""

    game: int
    why: str


class Soundness(Record, frozen=True):
    """How a database stands.

    Args:
        pages: what is wrong with the file itself, in SQLite's words; () if nothing is.
        whole: numbers of the tables that are whole.
        damaged: the others.
        played: whether their logs were played again, and not only read.
    """

    pages: tuple[str, ...]
    intact: tuple[int, ...]
    damaged: tuple[Damage, ...]
    replayed: bool

    @property
    def is_intact(self) -> bool:
        """Whether nothing is wrong."""
        return not self.pages and not self.damaged

    @property
    def sentences(self) -> tuple[str, ...]:
        """What there is to tell the operator, a sentence each."""
        if self.is_intact:
            tables = pluralise(len(self.intact), "table")
            if not self.replayed:
                return (f"The database is readable and contains {tables}; “stationmaster check” replays their logs.",)
            return (f"The database is intact and contains {tables}.",)
        told = [f"The database file is damaged: {self.pages[0]}."] if self.pages else []
        told += [f"Table {each.game} is damaged: {each.why}" for each in self.damaged]
        whole = ", ".join(map(str, self.intact)) or "none"
        told.append(f"Intact tables: {whole}.")
        return tuple(told)


async def examine(database: Database, *, played: bool, indexes: bool = False, finished: bool = True) -> Soundness:
    """Look at the pages of a database and at the log of every table.

    Args:
        database: the open database; it may have the schema of an earlier version.
        played: play every log again, which takes a tenth of a second or more a table.
        indexes: compare the indexes with their tables, as is done too where logs are played.
        finished: look at tables that are over, too; without them, a database of many years is looked at soon.

    Raises:
        BotError: not even the list of the tables can be read.
    """
    is_current = (await database.read_schema()).is_current
    pages = await _check_pages(database, whole=played or indexes)
    whole, damaged = [], []
    numbers: set[int] = set()
    columns = [col(GameRow.id), col(SeatRow.game), col(LogRow.game)]
    for place, column in enumerate(columns):  # a table whose own row is lost has seats or entries
        try:
            async with database.reading() as session:
                numbers |= {number for number in await session.exec(select(column).distinct()) if number}
        except DamageError:
            if place == len(columns) - 1 and not numbers:
                raise
    if not finished and not pages:
        async with database.reading() as session:
            numbers -= set(await session.exec(select(GameRow.id).where(col(GameRow.state).in_(("finished", "closed")))))
    for game in sorted(numbers):
        why = await _find_fault(database, game, played=played, is_current=is_current)
        if why:
            damaged.append(Damage(game, why))
        else:
            whole.append(game)
    return Soundness(pages, tuple(whole), tuple(damaged), played)


async def rebuild_indexes(database: Database) -> bool:
    """Rebuild the indexes of a file; return whether that could be done.

    It can't where a table is damaged, or an index so badly that SQLite can't tell where its other pages are.
    """
    try:
        async with database.writing(wakes=False) as session:
            await (await session.connection()).execute(text("REINDEX"))
    except BotError:
        return False
    return True


async def renew_tables(database: Database, find_name: Callable[[], Path]) -> Renewal:
    """Copy what can be read of a file's damaged tables to fresh pages; a server looks after its own.

    Args:
        database: the open database.
        find_name: returns where to keep the file as it was.
    """
    backend = database.backend
    try:
        return await backend.renew(find_name) if isinstance(backend, SqliteFile) else Renewal()
    except (sqlite3.Error, OSError) as error:
        _log.error("the damaged database can't be repaired while it's in use", error=f"{error}"[:300])
        return Renewal()


async def read_intact_log(database: Database, game: int, title: str, seats: int) -> log.IntactLog:
    """Return the log of a table up to its first damaged entry, around what is damaged in the file."""
    try:
        async with database.reading() as session:
            rows = (await session.exec(log.select_places(game))).all()
    except DamageError:
        pass
    else:
        return await asyncio.to_thread(log.decode_intact, title, seats, rows)
    try:
        async with database.reading() as session:
            rows = (await session.exec(log.select_places(game, indexed=False))).all()
        found = log.decode_intact(title, seats, rows)
        return msgspec.structs.replace(found, damage=found.damage or "the index of the log is damaged")
    except DamageError:
        left: list[tuple[int, int, str]] = []
        with suppress(DamageError):
            while True:
                async with database.reading() as session:
                    row = (await session.exec(log.select_places(game).where(LogRow.seq == len(left)))).first()
                if row is None:
                    break
                left.append(row)
        found = log.decode_intact(title, seats, left)
        damage = f"log entry {len(found.entries) + 1} is on a damaged page"
        return msgspec.structs.replace(found, damage=found.damage or damage)


async def _check_pages(database: Database, *, whole: bool) -> tuple[str, ...]:
    if database.shared:
        return ()  # a server looks after its own pages
    try:
        async with database.reading() as session:
            connection = await session.connection()
            check = "integrity_check" if whole else "quick_check"  # which compares indexes with their tables, too
            found = (await connection.execute(text(f"PRAGMA {check}({MAX_PAGE_FAULTS})"))).scalars().all()
    except BotError as error:
        cause = error.__cause__
        return (str(cause.orig if isinstance(cause, DBAPIError) else error).partition("\n")[0],)
    return () if found == ["ok"] else tuple(str(each).replace("\n", " ") for each in found)


async def _find_fault(database: Database, game: int, *, played: bool, is_current: bool) -> str:
    """Return what is wrong with a table; empty if nothing is."""
    try:
        async with database.reading() as session:
            setup, begun = await games.fetch_setup(session, game)
        found = await read_intact_log(database, game, setup.title, setup.seats)
        if found.damage:
            return f"{found.damage}."
        if is_current:
            async with database.reading() as session:  # whatever else is kept of it can be read
                table = await games.fetch(session, game)
            missing = log.find_missing(found, table.turn_from)
            if begun and missing:
                return f"{missing}."
        if played and begun:  # in a thread: a bot may be at work meanwhile
            await asyncio.to_thread(replay_as_written, setup, found.entries)
    except LogError as error:
        return f"log entry {error.index + 1} can't be replayed: {error.cause}"
    except (BotError, RuleError, UnreadableLogError, DatabaseError, ValueError, KeyError) as error:
        return f"{error}".partition("\n")[0][:300]
    except TypeError:  # a page of zeros is a row without values
        return "a value is missing in its row."
    except Exception as error:  # noqa: BLE001  # a defect of the engine, which must not hide the other tables
        return f"its log crashes the engine: {error!r}"[:300]
    return ""
