"""What is kept of people: what they wish for themselves, their addresses, how they played."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, case, delete, update
from sqlalchemy.orm import aliased
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.letters import Contact
from bot.model.records import Calls, Style, Table
from bot.store.rows import columns_of, put, record_of
from bot.store.tables import CallsRow, ContactRow, GameRow, LogRow, ScoreRow, SeatRow, StyleRow
from engine import Result

_STYLE = select(StyleRow).where(StyleRow.user == bindparam("user"))
_CALLS = select(CallsRow).where(col(CallsRow.user).in_(bindparam("users", expanding=True)))
"""Questions that are asked all the time are made once."""
_WON = case((col(ScoreRow.place) == 1, 1), else_=0)


async def fetch_style(session: AsyncSession, user: str) -> Style:
    """Return how a person wants to see things; the standard if they never said."""
    row = (await session.exec(_STYLE, params={"user": user})).first()
    return Style() if row is None else record_of(Style, row.model_dump())


async def set_style(session: AsyncSession, user: str, style: Style) -> None:
    """Note how a person wants to see things."""
    await put(session, StyleRow(user=user, **columns_of(style, StyleRow)))


async def fetch_calls(session: AsyncSession, users: Sequence[str]) -> dict[str, Calls]:
    """Return when people may be called; at any time if they never said."""
    rows = await session.exec(_CALLS, params={"users": list(users)}) if users else ()
    known = {row.user: record_of(Calls, row.model_dump()) for row in rows}
    return {user: known.get(user, Calls()) for user in users}


async def set_calls(session: AsyncSession, user: str, calls: Calls) -> None:
    """Note when a person may be called."""
    known = (await session.exec(_CALLS, params={"users": [user]})).first()
    digested = known.digested if known else ""
    await put(session, CallsRow(user=user, digested=digested, **columns_of(calls, CallsRow)))


async def list_digests(session: AsyncSession) -> list[tuple[str, Calls, str]]:
    """Return those who wish a daily digest, their wishes, and the day of the last one."""
    rows = await session.exec(select(CallsRow).where(CallsRow.digest >= 0))
    return [(row.user, record_of(Calls, row.model_dump()), row.digested) for row in rows]


async def note_digest(session: AsyncSession, user: str, day: str) -> None:
    """Note the day of somebody's digest."""
    await session.exec(update(CallsRow).where(col(CallsRow.user) == user).values(digested=day))


async def fetch_contact(session: AsyncSession, number: int) -> Contact | None:
    """Return an address by its number."""
    row = await session.get(ContactRow, number)
    return None if row is None else record_of(Contact, row.model_dump())


async def find_contact(session: AsyncSession, address: str) -> Contact | None:
    """Return an address by its letters, folded."""
    row = (await session.exec(select(ContactRow).where(ContactRow.address == address))).first()
    return None if row is None else record_of(Contact, row.model_dump())


async def list_contacts(session: AsyncSession, user: str) -> list[Contact]:
    """Return the addresses of a person, the newest first."""
    rows = await session.exec(select(ContactRow).where(ContactRow.user == user).order_by(col(ContactRow.id).desc()))
    return [record_of(Contact, row.model_dump()) for row in rows]


async def add_contact(session: AsyncSession, contact: Contact) -> Contact:
    """Keep a new address; with an empty user its person is new too, and named after it."""
    row = ContactRow(**columns_of(contact, ContactRow))
    session.add(row)
    await session.flush()
    if not row.user:
        row.user = f"p{row.id}"
        session.add(row)
        await session.flush()
    return record_of(Contact, row.model_dump())


async def change_contact(session: AsyncSession, contact: Contact) -> None:
    """Keep an address as it is now."""
    row = await session.get(ContactRow, contact.id)
    if row is not None:
        row.sqlmodel_update(columns_of(contact, ContactRow))
        session.add(row)
        await session.flush()


async def count_asked(session: AsyncSession, moment: int) -> int:
    """Return how many addresses were asked since a moment."""
    found: int = (
        await session.exec(select(func.count()).select_from(ContactRow).where(col(ContactRow.asked) > moment))
    ).one()
    return found


async def count_tables(session: AsyncSession, user: str, guild: str) -> dict[str, int]:
    """Return at how many tables of a server a person sits, in each state."""
    mine = select(SeatRow.game).where(SeatRow.user == user, col(SeatRow.gone).is_(None))
    query = select(GameRow.state, func.count()).where(GameRow.guild == guild, col(GameRow.id).in_(mine))
    return dict((await session.exec(query.group_by(col(GameRow.state)).order_by(col(GameRow.state)))).all())


def _own_moves(user: str, guild: str) -> tuple[Any, ...]:
    """Return what holds for the moves that a person made at the tables of a server."""
    return LogRow.user == user, LogRow.made_by == "", LogRow.game == GameRow.id, GameRow.guild == guild


async def count_moves(session: AsyncSession, user: str, guild: str) -> int:
    """Return how many moves a person made at the tables of a server."""
    return (await session.exec(select(func.count()).select_from(LogRow, GameRow).where(*_own_moves(user, guild)))).one()


async def list_waits(session: AsyncSession, user: str, guild: str, most: int) -> list[int]:
    """Return for how many seconds others waited for the latest moves of a person."""
    before = aliased(LogRow)
    previous = (before.game == LogRow.game, before.seq == LogRow.seq - 1, before.user != user)
    query = select(LogRow.at - before.at).where(*_own_moves(user, guild), *previous)
    return list(await session.exec(query.order_by(col(LogRow.id).desc()).limit(most)))


async def note_scores(session: AsyncSession, table: Table, result: Result | None) -> None:
    """Keep how a game of several people ended; ``None`` forgets it, for it goes on."""
    await session.exec(delete(ScoreRow).where(col(ScoreRow.game) == table.id))
    if result is None or len(table.people) < 2:
        return
    seats = {seat.number: seat for seat in table.seats}
    for count, score in enumerate(result.scores, 1):
        seat = seats[score.seat]
        place = 1 if score.seat in result.winners else count
        session.add(
            ScoreRow(game=table.id, seat=seat.number, user=seat.user, name=seat.name, total=score.total, place=place)
        )
    await session.flush()


async def tally_titles(session: AsyncSession, guild: str, user: str) -> Sequence[tuple[str, int, int, int]]:
    """Return (title, games, games won, best total) of a person at the finished games of a server."""
    won = func.sum(_WON)
    columns: tuple[Any, ...] = (GameRow.title, func.count(), won, func.max(ScoreRow.total))
    query = select(*columns).where(ScoreRow.game == GameRow.id, GameRow.guild == guild, ScoreRow.user == user)
    return [tuple(row) for row in await session.exec(query.group_by(col(GameRow.title)).order_by(col(GameRow.title)))]


async def tally_people(session: AsyncSession, guild: str, title: str) -> Sequence[tuple[str, int, int, int]]:
    """Return (name, games, games won, best total) of each person at the finished games of a title, most wins first."""
    won = func.sum(_WON)
    here = (ScoreRow.game == GameRow.id, GameRow.guild == guild, GameRow.title == title, ScoreRow.user != "")
    columns: tuple[Any, ...] = (func.max(ScoreRow.name), func.count(), won, func.max(ScoreRow.total))
    query = select(*columns).where(*here).group_by(col(ScoreRow.user))
    rows = await session.exec(query.order_by(won.desc(), func.max(ScoreRow.total).desc()))
    return [tuple(row) for row in rows]


async def count_finished(session: AsyncSession, guild: str, title: str) -> int:
    """Return how many games of a title ended with a result on a server."""
    here = select(ScoreRow.game).where(ScoreRow.game == GameRow.id, GameRow.guild == guild, GameRow.title == title)
    return (await session.exec(select(func.count()).select_from(here.distinct().subquery()))).one()


async def list_shared(session: AsyncSession, guild: str, one: str, other: str) -> Sequence[tuple[str, int, int]]:
    """Return (title, place of one, place of the other) of each finished game that both played, oldest first."""
    first, second = aliased(ScoreRow), aliased(ScoreRow)
    both = (first.game == GameRow.id, second.game == GameRow.id, first.user == one, second.user == other)
    columns: tuple[Any, ...] = (GameRow.title, first.place, second.place)
    query = select(*columns).where(*both, GameRow.guild == guild).order_by(col(GameRow.id))
    return [tuple(row) for row in await session.exec(query)]
