"""What a sender does first."""

from bot.service.owed.outbox import Claim, Outbox


async def claimed(outbox: Outbox) -> list[Claim]:
    """Take all that waits and that no other sender has."""
    waiting = await outbox.waiting()
    return await outbox.claim(waiting.tables) if waiting.tables else []
