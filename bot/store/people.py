"""What people wish for themselves."""

from sqlmodel.ext.asyncio.session import AsyncSession

from bot.records import Style
from bot.store.tables import StyleRow


async def style(session: AsyncSession, user: str) -> Style:
    """Return how a person wants to see things; the standard if they never said."""
    row = await session.get(StyleRow, user)
    return Style() if row is None else Style(row.palette, row.text_first)


async def set_style(session: AsyncSession, user: str, style: Style) -> None:
    """Note how a person wants to see things."""
    await session.merge(StyleRow(user=user, palette=style.palette, text_first=style.text_first))
