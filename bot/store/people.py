"""What people wish for themselves."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import bindparam, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.records import Calls, Style
from bot.store.tables import CallsRow, StyleRow
from bot.store.upsert import put

_STYLE = select(StyleRow).where(StyleRow.user == bindparam("user"))
_CALLS = select(CallsRow).where(col(CallsRow.user).in_(bindparam("users", expanding=True)))
"""Questions that are asked all the time are made once."""


async def style(session: AsyncSession, user: str) -> Style:
    """Return how a person wants to see things; the standard if they never said."""
    row = (await session.exec(_STYLE, params={"user": user})).first()
    return Style() if row is None else Style(row.palette, row.text_first)


async def set_style(session: AsyncSession, user: str, style: Style) -> None:
    """Note how a person wants to see things."""
    await put(session, StyleRow(user=user, palette=style.palette, text_first=style.text_first))


async def calls(session: AsyncSession, users: Sequence[str]) -> dict[str, Calls]:
    """Return when people may be called; at any time if they never said."""
    rows = await session.exec(_CALLS, params={"users": list(users)}) if users else ()
    known = {row.user: _calls(row) for row in rows}
    return {user: known.get(user, Calls()) for user in users}


async def set_calls(session: AsyncSession, user: str, calls: Calls) -> None:
    """Note when a person may be called."""
    known = (await session.exec(_CALLS, params={"users": [user]})).first()
    values = msgspec.structs.asdict(calls)
    await put(session, CallsRow(user=user, digested=known.digested if known else "", **values))


def _calls(row: CallsRow) -> Calls:
    return msgspec.convert(row.model_dump(exclude={"user", "digested"}), Calls)


async def digests(session: AsyncSession) -> list[tuple[str, Calls, str]]:
    """Return those who wish a daily digest, their wishes, and the day of the last one."""
    rows = await session.exec(select(CallsRow).where(CallsRow.digest >= 0))
    return [(row.user, _calls(row), row.digested) for row in rows]


async def digested(session: AsyncSession, user: str, day: str) -> None:
    """Note the day of somebody's digest."""
    await session.exec(update(CallsRow).where(col(CallsRow.user) == user).values(digested=day))
