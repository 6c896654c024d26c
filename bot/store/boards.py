"""Addresses of the pages of tables: one that is for all, and one for each player who asked for theirs."""

from sqlalchemy import delete, update
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.rows import upsert
from bot.store.tables import BoardRow, LogRow
from engine import Record

PAGE_OFF = -1
"""The end of an address that the host has turned off."""


class BoardAddress(Record, frozen=True):
    """An address of a table's page.

    Args:
        user: whose it is, empty for the one of all.
        token: by which it is known: that of a player only as its digest.
        until: when it ends; 0 for never, or ``PAGE_OFF``.
    """

    game: int
    user: str
    token: str
    until: int = 0


async def store(session: AsyncSession, address: BoardAddress, *, keep: bool = False) -> None:
    """Store an address; the one that was there before ends, or with ``keep`` stays."""
    row = BoardRow(game=address.game, user=address.user, token=address.token, until=address.until)
    await upsert(session, row, keep=keep)


async def fetch(session: AsyncSession, game: int, user: str = "") -> BoardAddress | None:
    """Return the address of a table's page for all, or for one player."""
    return _read(await session.get(BoardRow, (game, user)))


async def renew(session: AsyncSession, game: int, token: str, unless: int) -> bool:
    """Give a table's page for all another token, unless it ends at a time; return whether it has it."""
    of_all = (col(BoardRow.game) == game, col(BoardRow.user) == "", col(BoardRow.until) != unless)
    return (await session.exec(update(BoardRow).where(*of_all).values(token=token))).rowcount > 0


async def find(session: AsyncSession, *tokens: str) -> BoardAddress | None:
    """Return the address with one of some tokens."""
    return _read((await session.exec(select(BoardRow).where(col(BoardRow.token).in_(tokens)))).first())


def _read(row: BoardRow | None) -> BoardAddress | None:
    return BoardAddress(row.game, row.user, row.token, row.until) if row else None


async def drop(session: AsyncSession, game: int, user: str) -> None:
    """End the address of one player."""
    await session.exec(delete(BoardRow).where(col(BoardRow.game) == game, col(BoardRow.user) == user))


async def drop_outdated(session: AsyncSession, now: int) -> None:
    """Forget the addresses of players that have ended."""
    await session.exec(delete(BoardRow).where(col(BoardRow.until) > 0, col(BoardRow.until) < now))


async def count_entries(session: AsyncSession, numbers: list[int]) -> dict[int, int]:
    """Return how many entries the logs of some tables have."""
    query = select(LogRow.game, func.max(LogRow.seq)).where(col(LogRow.game).in_(numbers)).group_by(col(LogRow.game))
    return {game: last + 1 for game, last in (await session.exec(query)).all()}
