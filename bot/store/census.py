"""Count and list what the database has of all servers together, for the operator and for monitoring."""

from collections.abc import Sequence

from sqlalchemy import case
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.outbox import LETTERS, NEVER_SENT
from bot.store.tables import GameRow, LogRow, OutboxRow, SeatRow
from engine import Record


class OwedCount(Record, frozen=True):
    """How much of one kind waits to be sent.

    Args:
        posts: that are due. later: that are not due yet. failing: that were tried before.
        waited: seconds since the oldest of those that are due has been due.
    """

    posts: int = 0
    later: int = 0
    failing: int = 0
    waited: int = 0


class TableLine(Record, frozen=True):
    """A table in a list of all: where it lives, how far it is, when something last happened."""

    number: int
    name: str
    title: str
    state: str
    guild: str
    seats: int
    entries: int
    last: int


class ServerLine(Record, frozen=True):
    """What a server costs: its tables, those that run, and within some days the moves, messages and bytes of the log.

    ``messages`` are posts and letters that were sent, edits of a message as one.
    """

    guild: str
    tables: int
    running: int
    moves: int
    messages: int
    bytes: int


class Census(Record, frozen=True):
    """What there is: tables by title and state, what waits to be sent as posts and as letters, servers and people."""

    tables: dict[tuple[str, str], int]
    posts: OwedCount
    letters: OwedCount
    servers: int
    people: int


async def count_all(session: AsyncSession, now: int) -> Census:
    """Count everything that monitoring shows."""
    tables = select(GameRow.title, GameRow.state, func.count()).group_by(col(GameRow.title), col(GameRow.state))
    served = select(func.count(func.distinct(GameRow.guild))).where(GameRow.guild != "", GameRow.state == "running")
    seated = select(func.count(func.distinct(SeatRow.user))).join(GameRow, col(GameRow.id) == SeatRow.game)
    seated = seated.where(GameRow.state == "running", col(SeatRow.gone).is_(None))
    return Census(
        {(title, state): count for title, state, count in (await session.exec(tables)).all()},
        await _count_owed(session, now, letters=False),
        await _count_owed(session, now, letters=True),
        (await session.exec(served)).one(),
        (await session.exec(seated)).one(),
    )


async def _count_owed(session: AsyncSession, now: int, *, letters: bool) -> OwedCount:
    which = OutboxRow.batch == LETTERS if letters else col(OutboxRow.batch).not_in([LETTERS, NEVER_SENT])
    is_due = case((col(OutboxRow.due) <= now, 1), else_=0)
    has_failed = case((col(OutboxRow.attempts) > 0, 1), else_=0)
    query = select(func.count(), func.sum(is_due), func.sum(has_failed), func.min(OutboxRow.due))
    count, due, failed, oldest = (await session.exec(query.where(OutboxRow.state == "owed", which))).one()
    return OwedCount(due or 0, count - (due or 0), failed or 0, max(0, now - oldest) if due else 0)


async def list_servers(session: AsyncSession, since: int) -> list[ServerLine]:
    """Return the servers, those with most moves since a moment first; "" stands for tables without one."""
    running = func.sum(case((col(GameRow.state) == "running", 1), else_=0))
    tables = select(GameRow.guild, func.count(), running).group_by(col(GameRow.guild))
    size = func.sum(func.length(LogRow.payload) + func.length(LogRow.told))
    moves = select(GameRow.guild, func.count(), size).where(LogRow.game == GameRow.id, LogRow.at >= since)
    sent = select(GameRow.guild, func.count()).where(OutboxRow.game == GameRow.id, col(OutboxRow.sent) >= since)
    moved = {row[0]: row[1:] for row in await session.exec(moves.group_by(col(GameRow.guild)))}
    posted = dict((await session.exec(sent.group_by(col(GameRow.guild)))).all())
    lines = [
        ServerLine(guild, count, runs, *moved.get(guild, (0, 0))[:1], posted.get(guild, 0), moved.get(guild, (0, 0))[1])
        for guild, count, runs in (await session.exec(tables)).all()
    ]
    return sorted(lines, key=lambda each: (-each.moves, -each.tables, each.guild))


async def list_tables(
    session: AsyncSession, *, guild: str | None = None, states: Sequence[str] = (), user: str = ""
) -> list[TableLine]:
    """Return tables by number: those of one server or of all, in some states or in all, at which a person sat."""
    seats = select(func.count()).where(SeatRow.game == GameRow.id, col(SeatRow.gone).is_(None)).scalar_subquery()
    entries = select(func.count()).where(LogRow.game == GameRow.id).scalar_subquery()
    last = select(func.max(LogRow.at)).where(LogRow.game == GameRow.id).scalar_subquery()
    query = select(GameRow, seats, entries, func.coalesce(last, GameRow.created)).order_by(col(GameRow.id))
    if guild is not None:
        query = query.where(GameRow.guild == guild)
    if states:
        query = query.where(col(GameRow.state).in_(states))
    if user:
        query = query.where(col(GameRow.id).in_(select(SeatRow.game).where(SeatRow.user == user)))
    return [
        TableLine(row.id or 0, row.name, row.title, row.state, row.guild, seated, said, moment)
        for row, seated, said, moment in (await session.exec(query)).all()
    ]
