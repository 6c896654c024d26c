"""What the log and the seats tell of a player."""

from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.tables import GameRow, LogRow, SeatRow


async def tables(session: AsyncSession, user: str, guild: str) -> dict[str, int]:
    """Return at how many tables of a server a person sits, in each state."""
    mine = select(SeatRow.game).where(SeatRow.user == user, col(SeatRow.gone).is_(None))
    query = select(GameRow.state, func.count()).where(GameRow.guild == guild, col(GameRow.id).in_(mine))
    return dict((await session.exec(query.group_by(col(GameRow.state)).order_by(col(GameRow.state)))).all())


def _own(user: str, guild: str) -> tuple[Any, ...]:
    """Return what holds for the moves that a person made at the tables of a server."""
    return LogRow.user == user, LogRow.made_by == "", LogRow.game == GameRow.id, GameRow.guild == guild


async def moves(session: AsyncSession, user: str, guild: str) -> int:
    """Return how many moves a person made at the tables of a server."""
    return (await session.exec(select(func.count()).select_from(LogRow, GameRow).where(*_own(user, guild)))).one()


async def waits(session: AsyncSession, user: str, guild: str, most: int) -> list[int]:
    """Return for how many seconds others waited for the latest moves of a person."""
    before = aliased(LogRow)
    previous = (before.game == LogRow.game, before.seq == LogRow.seq - 1, before.user != user)
    query = select(LogRow.at - before.at).where(*_own(user, guild), *previous)
    return list(await session.exec(query.order_by(col(LogRow.id).desc()).limit(most)))
