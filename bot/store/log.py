"""The log in the database: only ever added to.

The load path reads the payload column, not rows as objects: 1.1 ms instead of
2.8 for 700 moves.
"""

import asyncio
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import msgspec
from sqlalchemy import bindparam
from sqlalchemy.orm import aliased
from sqlmodel import SQLModel, col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.tables import LogRow
from engine import LogEntry, Record, UnreadableLogError
from engine.codec import decode_entry, encode_entry

ROWS_AT_ONCE = 250
_LOG = SQLModel.metadata.tables[LogRow.__tablename__]


class NewEntry(Record, frozen=True):
    """A log entry to be stored.

    Args:
        seq: its place; ``UNIQUE(game, seq)`` lets one of two simultaneous moves win.
        told: what was said about it. interaction: id of the delivery it came by.
        made_by: "order", "stand-in", "alone" where nothing else was possible, or "press" where a person made it
            together with the one before it; empty for any other of a person.
    """

    game: int
    seq: int
    said: LogEntry
    user: str
    told: tuple[str, ...]
    at: int
    interaction: str | None = None
    made_by: str = ""


class EntryText(Record, frozen=True):
    """A stored entry as it was told."""

    game: int
    seq: int
    seat: int
    user: str
    told: tuple[str, ...]
    at: int
    made_by: str = ""


class IntactLog(Record, frozen=True):
    """A log up to its first damaged entry; ``damage`` says what is wrong with that, and is empty if nothing is."""

    entries: tuple[LogEntry, ...]
    damage: str = ""


class MisplacedRowError(Exception):
    """A new row got a number that an earlier one has: the last page of the log is damaged."""


async def append(session: AsyncSession, entry: NewEntry) -> None:
    """Add an entry.

    Raises:
        sqlalchemy.exc.IntegrityError: another entry has its place, or its interaction.
        MisplacedRowError: the last page of the log is damaged, so that earlier entries would be overwritten.
    """
    values = _values(entry) | {"of": entry.game, "last": entry.seq - 1}
    number, before = (await session.exec(_APPEND, params=values)).one()
    if number <= max(entry.seq, before or 0):  # a row for each entry before has a lower number
        raise MisplacedRowError


async def append_all(session: AsyncSession, entries: Iterable[NewEntry]) -> None:
    """Add the entries of a whole game, a few hundred at a time, so that others get their turn in between."""
    rows = map(_values, entries)
    while some := list(islice(rows, ROWS_AT_ONCE)):
        await session.exec(_LOG.insert(), params=some)
        await asyncio.sleep(0)


def _values(entry: NewEntry) -> dict[str, object]:
    return {
        "game": entry.game,
        "seq": entry.seq,
        "seat": entry.said.seat,
        "user": entry.user,
        "payload": encode_entry(entry.said).decode(),
        "told": msgspec.json.encode(entry.told).decode(),
        "interaction": entry.interaction,
        "at": entry.at,
        "made_by": entry.made_by,
    }


async def fetch_version(session: AsyncSession, game: int) -> int:
    """Return the number of entries of a game's log."""
    last: int | None = (await session.exec(_LAST, params={"game": game})).one()
    return 0 if last is None else last + 1


async def read(session: AsyncSession, game: int, title: str) -> list[LogEntry]:
    """Return the log of a game.

    Raises:
        UnreadableLogError: a row isn't an action of the title.
    """
    return decode_rows(title, await read_rows(session, game))


async def read_rows(session: AsyncSession, game: int) -> Sequence[tuple[int, str]]:
    """Return the log of a game as it is written: the seat and the payload of each entry."""
    rows = await session.exec(select(LogRow.seat, LogRow.payload).where(LogRow.game == game).order_by(col(LogRow.seq)))
    return rows.all()


def select_places(game: int, *, indexed: bool = True) -> Any:  # noqa: ANN401  # a statement of three columns
    """Return the question for the place, seat and payload of each entry, read without the index if that is damaged."""
    # an expression has no index
    which = col(LogRow.game) == game if indexed else col(LogRow.game) + 0 == game
    place = col(LogRow.seq) if indexed else col(LogRow.seq) + 0
    return select(LogRow.seq, LogRow.seat, LogRow.payload).where(which).order_by(place)


def decode_intact(title: str, seats: int, rows: Sequence[tuple[int, int, str]]) -> IntactLog:
    """Return a log that was read with its places, up to the first entry that is missing or can't be read."""
    entries: list[LogEntry] = []
    for place, (seq, seat, payload) in enumerate(rows):
        if seq != place:
            return IntactLog(tuple(entries), f"log entry {place + 1} is missing")
        try:
            if not 0 <= seat < seats:
                raise UnreadableLogError(f"There is no seat {seat}.")
            entries.append(decode_entry(title, seat, payload))
        except UnreadableLogError:
            return IntactLog(tuple(entries), f"log entry {place + 1} can't be read")
    return IntactLog(tuple(entries))


def find_missing(found: IntactLog, least: int) -> str:
    """Return what is wrong with an intact log that must have so many entries, at least; empty if it has them."""
    return f"log entry {len(found.entries) + 1} is missing" if len(found.entries) < least else ""


def decode_rows(title: str, rows: Sequence[tuple[int, str]]) -> list[LogEntry]:
    """Return a log that was read.

    Raises:
        UnreadableLogError: a row isn't an action of the title.
    """
    return [decode_entry(title, seat, payload) for seat, payload in rows]


async def list_told(session: AsyncSession, game: int, since: int = 0) -> list[EntryText]:
    """Return what was told, from an entry on, undone entries too."""
    return [_make_told(*row) for row in await session.exec(_TOLD, params={"game": game, "since": since})]


async def find_by_interaction(session: AsyncSession, interaction: str) -> EntryText | None:
    """Return the entry that an interaction made, if it did."""
    row = (await session.exec(_ANSWERED, params={"interaction": interaction})).first()
    return None if row is None else _make_told(*row)


def _select_told() -> Any:  # noqa: ANN401  # the library types four columns at most
    """Return the columns of what was told, not rows as objects: those of 700 moves take long to make."""
    row = LogRow
    columns: tuple[Any, ...] = (row.game, row.seq, row.seat, row.user, row.told, row.at, row.made_by)
    return select(*columns)


def _make_told(*row: Any) -> EntryText:  # noqa: ANN401  # the columns above
    game, seq, seat, user, told, at, made_by = row
    return EntryText(game, seq, seat, user, _SENTENCES.decode(told), at, made_by)


_SENTENCES = msgspec.json.Decoder(tuple[str, ...])


async def list_users_after(session: AsyncSession, game: int, after: int) -> set[str]:
    """Return the ids of the users who acted after a moment."""
    return set(await session.exec(_ACTED, params={"game": game, "after": after}))


async def list_made_by_programs(session: AsyncSession, game: int) -> dict[int, str]:
    """Return the places of the entries that no person made, or not by themselves, each with what made it."""
    rows = select(LogRow.seq, LogRow.made_by).where(LogRow.game == game, LogRow.made_by != "")
    return dict((await session.exec(rows)).all())


async def fetch_last_moment(session: AsyncSession, game: int) -> int:
    """Return the moment of the last entry; 0 if there is none."""
    return (await session.exec(select(func.max(LogRow.at)).where(LogRow.game == game))).one() or 0


# Questions that are asked all the time are made once.
_BEFORE = aliased(_LOG)
_APPEND = _LOG.insert().returning(
    _LOG.c.id,
    select(_BEFORE.c.id).where(_BEFORE.c.game == bindparam("of"), _BEFORE.c.seq == bindparam("last")).scalar_subquery(),
)
_LAST = select(func.max(LogRow.seq)).where(LogRow.game == bindparam("game"))
_TOLD = (
    _select_told().where(LogRow.game == bindparam("game"), LogRow.seq >= bindparam("since")).order_by(col(LogRow.seq))
)
_ANSWERED = _select_told().where(LogRow.interaction == bindparam("interaction"))
_ACTED = select(LogRow.user).where(LogRow.game == bindparam("game"), LogRow.at > bindparam("after")).distinct()
