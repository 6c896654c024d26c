"""What those who run a server decided for it, and what they did, in the store."""

import msgspec
from sqlalchemy import ColumnElement
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.clock import DAY
from bot.model.records import Deed, Person, ServerRules
from bot.store.rows import put
from bot.store.tables import AuditRow, GameRow, SeatRow, ServerRow

_decode = msgspec.json.Decoder(ServerRules).decode


async def rules(session: AsyncSession, guild: str) -> ServerRules:
    """Return the rules of a server; none if nobody has set any."""
    row = await session.get(ServerRow, guild)
    return ServerRules() if row is None else _decode(row.rules)


async def set_rules(session: AsyncSession, guild: str, rules: ServerRules) -> None:
    """Keep the rules of a server."""
    await put(session, ServerRow(guild=guild, rules=msgspec.json.encode(rules).decode()))


async def note(session: AsyncSession, guild: str, person: Person, words: str, now: int) -> None:
    """Note what somebody did there."""
    session.add(AuditRow(guild=guild, at=now, user=person.id, name=person.name, words=words))
    await session.flush()


async def audit(session: AsyncSession, guild: str, most: int) -> list[Deed]:
    """Return what was done last, newest first."""
    query = select(AuditRow).where(AuditRow.guild == guild).order_by(col(AuditRow.id).desc()).limit(most)
    return [Deed(row.at, row.name, row.words) for row in await session.exec(query)]


async def hosted(session: AsyncSession, guild: str, user: str) -> int:
    """Return how many tables of a person are open or running on a server."""
    return await _count(session, guild, col(GameRow.host) == user)


async def seats_held(session: AsyncSession, guild: str, user: str) -> int:
    """Return at how many tables that are open or running on a server a person sits."""
    mine = select(SeatRow.game).where(SeatRow.user == user, col(SeatRow.gone).is_(None))
    return await _count(session, guild, col(GameRow.id).in_(mine))


async def _count(session: AsyncSession, guild: str, which: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(GameRow).where(GameRow.guild == guild)
    return (await session.exec(query.where(col(GameRow.state).in_(("open", "running")), which))).one()


async def imports(session: AsyncSession, guild: str, now: int) -> int:
    """Return how many tables were brought in on a server within a day."""
    query = select(func.count()).select_from(GameRow).where(GameRow.guild == guild, col(GameRow.imported).is_(True))
    return (await session.exec(query.where(GameRow.created > now - DAY))).one()


async def counts(session: AsyncSession, guild: str) -> dict[str, int]:
    """Return how many tables of a server there are in each state."""
    query = select(GameRow.state, func.count()).where(GameRow.guild == guild).group_by(col(GameRow.state))
    return dict((await session.exec(query)).all())
