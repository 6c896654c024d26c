"""What is kept of servers: their rules, what was done there, how many tables there are, and how people played."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, delete
from sqlalchemy.orm import aliased
from sqlmodel import SQLModel, col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.clock import DAY
from bot.model.records import Person, ServerRules, Table
from bot.store.rows import update_rows, upsert
from bot.store.tables import AuditRow, GameRow, LogRow, ProposalRow, ScoreRow, SeatRow, ServerRow, VoteRow
from engine import Record, Result

DELETED = "deleted by the operator"
_decode = msgspec.json.Decoder(ServerRules).decode


class Deed(Record, frozen=True):
    """What a person who runs a server did there."""

    at: int
    name: str
    words: str


async def fetch_rules(session: AsyncSession, guild: str) -> ServerRules:
    """Return the rules of a server; none if no one has set any."""
    row = await session.get(ServerRow, guild)
    return ServerRules() if row is None else _decode(row.rules)


async def set_rules(session: AsyncSession, guild: str, rules: ServerRules) -> None:
    """Keep the rules of a server."""
    await upsert(session, ServerRow(guild=guild, rules=msgspec.json.encode(rules).decode()))


async def delete_server(session: AsyncSession, guild: str, now: int) -> int:
    """Delete all that is kept of a server and its tables; return how many there were.

    A table keeps its number, closed and empty: an old button must not come to mean another table.
    """
    games = list(await session.exec(select(GameRow.id).where(GameRow.guild == guild)))
    asked = select(ProposalRow.id).where(col(ProposalRow.game).in_(games))
    await session.exec(delete(VoteRow).where(col(VoteRow.proposal).in_(asked)))
    for table in reversed(SQLModel.metadata.sorted_tables):
        if "game" in table.c:
            await session.exec(delete(table).where(table.c.game.in_(games)))
        elif "guild" in table.c and table.name != GameRow.__tablename__:
            await session.exec(delete(table).where(table.c.guild == guild))
    emptied = dict.fromkeys(("host", "guild", "channel", "thread", "message", "clock", "barred"), "")
    closed = {"name": DELETED, "state": "closed", "reason": DELETED, "seed": 0, "started": None, "ended": now}
    which = col(GameRow.id).in_(games)
    await update_rows(session, GameRow, which, **emptied, **closed, interaction=None)
    return len(games)


async def add_deed(session: AsyncSession, guild: str, person: Person, words: str, now: int) -> None:
    """Note what a person did there."""
    session.add(AuditRow(guild=guild, at=now, user=person.id, name=person.name, words=words))
    await session.flush()


async def list_deeds(session: AsyncSession, guild: str, most: int) -> list[Deed]:
    """Return what was done last, newest first."""
    query = select(AuditRow).where(AuditRow.guild == guild).order_by(col(AuditRow.id).desc()).limit(most)
    return [Deed(row.at, row.name, row.words) for row in await session.exec(query)]


async def count_hosted(session: AsyncSession, guild: str, user: str) -> int:
    """Return how many tables of a person are open or running on a server."""
    return await _count(session, guild, col(GameRow.host) == user)


async def count_seated(session: AsyncSession, guild: str, user: str) -> int:
    """Return at how many tables that are open or running on a server a person sits."""
    mine = select(SeatRow.game).where(SeatRow.user == user, col(SeatRow.gone).is_(None))
    return await _count(session, guild, col(GameRow.id).in_(mine))


async def _count(session: AsyncSession, guild: str, which: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(GameRow).where(GameRow.guild == guild)
    return (await session.exec(query.where(col(GameRow.state).in_(("open", "running")), which))).one()


async def count_imports(session: AsyncSession, guild: str, now: int) -> int:
    """Return how many tables were brought in on a server within a day."""
    query = select(func.count()).select_from(GameRow).where(GameRow.guild == guild, col(GameRow.imported).is_(True))
    return (await session.exec(query.where(GameRow.created > now - DAY))).one()


async def count_by_state(session: AsyncSession, guild: str) -> dict[str, int]:
    """Return how many tables of a server there are in each state."""
    query = select(GameRow.state, func.count()).where(GameRow.guild == guild).group_by(col(GameRow.state))
    return dict((await session.exec(query)).all())


async def count_tables(session: AsyncSession, user: str, guild: str) -> dict[str, int]:
    """Return at how many tables of a server a person sits, in each state."""
    mine = select(SeatRow.game).where(SeatRow.user == user, col(SeatRow.gone).is_(None))
    query = select(GameRow.state, func.count()).where(GameRow.guild == guild, col(GameRow.id).in_(mine))
    return dict((await session.exec(query.group_by(col(GameRow.state)).order_by(col(GameRow.state)))).all())


def _match_moves_by(user: str, guild: str) -> tuple[Any, ...]:
    """Return what holds for the moves that a person made at the tables of a server."""
    return (
        LogRow.user == user,
        col(LogRow.made_by).in_(("", "press")),
        LogRow.game == GameRow.id,
        GameRow.guild == guild,
    )


async def count_moves(session: AsyncSession, user: str, guild: str) -> int:
    """Return how many moves a person made at the tables of a server."""
    return (
        await session.exec(select(func.count()).select_from(LogRow, GameRow).where(*_match_moves_by(user, guild)))
    ).one()


async def list_waits(session: AsyncSession, user: str, guild: str, most: int) -> list[int]:
    """Return for how many seconds others waited for the latest moves of a person."""
    before = aliased(LogRow)
    previous = (before.game == LogRow.game, before.seq == LogRow.seq - 1, before.user != user)
    query = select(LogRow.at - before.at).where(*_match_moves_by(user, guild), *previous)
    return list(await session.exec(query.order_by(col(LogRow.id).desc()).limit(most)))


async def record_scores(session: AsyncSession, table: Table, result: Result | None) -> None:
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


async def list_scores(
    session: AsyncSession, guild: str, title: str = ""
) -> Sequence[tuple[int, str, str, str, str, int, int, str, int]]:
    """Return the seats of all finished games of a server, of one title or of all, oldest game first.

    Each is (game, title, options, user, name, total, place, last entry of the log, moves of a stand-in).
    """
    last = select(LogRow.payload).where(LogRow.game == GameRow.id).order_by(col(LogRow.seq).desc()).limit(1)
    stood_in = select(func.count()).where(LogRow.game == GameRow.id, LogRow.made_by == "stand-in")
    columns: tuple[Any, ...] = (
        GameRow.id, GameRow.title, GameRow.options, ScoreRow.user, ScoreRow.name, ScoreRow.total, ScoreRow.place,
        last.scalar_subquery(), stood_in.scalar_subquery(),
    )  # fmt: skip
    query = select(*columns).where(ScoreRow.game == GameRow.id, GameRow.guild == guild)
    query = query.where(GameRow.title == title) if title else query
    rows = await session.exec(query.order_by(col(GameRow.ended), col(GameRow.id), col(ScoreRow.seat)))
    return [tuple(row) for row in rows]
