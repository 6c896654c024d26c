"""The scores of finished games, for statistics."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import case, delete
from sqlalchemy.orm import aliased
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.records import Table
from bot.store.tables import GameRow, ScoreRow
from engine import Result

_WON = case((col(ScoreRow.place) == 1, 1), else_=0)


async def note(session: AsyncSession, table: Table, result: Result | None) -> None:
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


async def of_player(session: AsyncSession, guild: str, user: str) -> Sequence[tuple[str, int, int, int]]:
    """Return (title, games, games won, best total) of a person at the finished games of a server."""
    won = func.sum(_WON)
    columns: tuple[Any, ...] = (GameRow.title, func.count(), won, func.max(ScoreRow.total))
    query = select(*columns).where(ScoreRow.game == GameRow.id, GameRow.guild == guild, ScoreRow.user == user)
    return [tuple(row) for row in await session.exec(query.group_by(col(GameRow.title)).order_by(col(GameRow.title)))]


async def of_title(session: AsyncSession, guild: str, title: str) -> Sequence[tuple[str, int, int, int]]:
    """Return (name, games, games won, best total) of each person at the finished games of a title, most wins first."""
    won = func.sum(_WON)
    here = (ScoreRow.game == GameRow.id, GameRow.guild == guild, GameRow.title == title, ScoreRow.user != "")
    columns: tuple[Any, ...] = (func.max(ScoreRow.name), func.count(), won, func.max(ScoreRow.total))
    query = select(*columns).where(*here).group_by(col(ScoreRow.user))
    rows = await session.exec(query.order_by(won.desc(), func.max(ScoreRow.total).desc()))
    return [tuple(row) for row in rows]


async def finished(session: AsyncSession, guild: str, title: str) -> int:
    """Return how many games of a title ended with a result on a server."""
    here = select(ScoreRow.game).where(ScoreRow.game == GameRow.id, GameRow.guild == guild, GameRow.title == title)
    return (await session.exec(select(func.count()).select_from(here.distinct().subquery()))).one()


async def of_pair(session: AsyncSession, guild: str, one: str, other: str) -> Sequence[tuple[str, int, int]]:
    """Return (title, place of one, place of the other) of each finished game that both played, oldest first."""
    first, second = aliased(ScoreRow), aliased(ScoreRow)
    both = (first.game == GameRow.id, second.game == GameRow.id, first.user == one, second.user == other)
    columns: tuple[Any, ...] = (GameRow.title, first.place, second.place)
    query = select(*columns).where(*both, GameRow.guild == guild).order_by(col(GameRow.id))
    return [tuple(row) for row in await session.exec(query)]
