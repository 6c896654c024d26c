"""What a sender does first."""

from bot.service.outbox import Batch, Outbox


async def claim_all(outbox: Outbox) -> list[Batch]:
    """Take all that waits and that no other sender has."""
    waiting = await outbox.list_waiting()
    return await outbox.claim(waiting.batches) if waiting.batches else []
