"""What a sender does first, and what it has done."""

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.service.outbox import Batch, Outbox
from bot.store.outbox import LETTERS, StoredPost, make_stored_post
from bot.store.tables import OutboxRow


async def claim_all(outbox: Outbox) -> list[Batch]:
    """Take all that waits and that no other sender has."""
    waiting = await outbox.list_waiting()
    return await outbox.claim(waiting.batches) if waiting.batches else []


async def list_all_posts(session: AsyncSession, game: int) -> list[tuple[str, StoredPost]]:
    """Return all posts of a table with their states, oldest first."""
    mine = select(OutboxRow).where(OutboxRow.game == game, OutboxRow.batch != LETTERS).order_by(col(OutboxRow.id))
    return [(row.state, make_stored_post(row)) for row in await session.exec(mine)]
