"""Is the store whole? Its pages, and the logs in it: which tables can be played on."""

import asyncio

from sqlalchemy import text
from sqlalchemy.exc import DatabaseError, DBAPIError
from sqlmodel import col, select

from bot.model.errors import BotError
from bot.store import games, log
from bot.store.database import Database
from bot.store.tables import GameRow
from engine import LogError, Record, RuleError, UnreadableLogError
from engine.game import replay_as_written
from engine.words import pluralise

MAX_PAGE_FAULTS = 20


class Damage(Record, frozen=True):
    """A table that cannot be played on, and why."""

    game: int
    why: str


class Soundness(Record, frozen=True):
    """How a store stands.

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
        """What there is to tell the host, a sentence each."""
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


async def examine(database: Database, *, played: bool) -> Soundness:
    """Look at the pages of a store and at the log of every table.

    Args:
        database: the open store; it may have the form of an earlier version.
        played: play every log again, which takes a tenth of a second or more a table.

    Raises:
        BotError: not even the list of the tables can be read.
    """
    is_current = (await database.read_schema()).is_current
    pages = await _check_pages(database)
    whole, damaged = [], []
    async with database.reading() as session:
        numbers = (await session.exec(select(GameRow.id).order_by(col(GameRow.id)))).all()
    for game in (number for number in numbers if number is not None):
        why = await _find_fault(database, game, played=played, is_current=is_current)
        if why:
            damaged.append(Damage(game, why))
        else:
            whole.append(game)
    return Soundness(pages, tuple(whole), tuple(damaged), played)


async def _check_pages(database: Database) -> tuple[str, ...]:
    if database.shared:
        return ()  # a server looks after its own pages
    try:
        async with database.reading() as session:
            connection = await session.connection()
            found = (await connection.execute(text(f"PRAGMA quick_check({MAX_PAGE_FAULTS})"))).scalars().all()
    except BotError as error:
        cause = error.__cause__
        return (str(cause.orig if isinstance(cause, DBAPIError) else error).partition("\n")[0],)
    return () if found == ["ok"] else tuple(str(each).replace("\n", " ") for each in found)


async def _find_fault(database: Database, game: int, *, played: bool, is_current: bool) -> str:
    """Return what is wrong with a table; empty if nothing is."""
    try:
        async with database.reading() as session:
            setup, begun = await games.fetch_setup(session, game)
            if is_current:
                await games.fetch(session, game)  # whatever else is kept of it can be read
            places = await log.list_places(session, game)
            rows = await log.read_rows(session, game)
        if places != list(range(len(rows))):
            return f"log entries are missing; {len(rows)} are left."
        said = await asyncio.to_thread(log.decode_rows, setup.title, rows)  # a bot may be at work meanwhile
        if played and begun:
            await asyncio.to_thread(replay_as_written, setup, said)
    except (BotError, LogError, RuleError, UnreadableLogError, DatabaseError, ValueError, KeyError) as error:
        return f"{error}".partition("\n")[0][:300]
    except TypeError:  # a page of zeros is a row without values
        return "a value is missing in its row."
    return ""
