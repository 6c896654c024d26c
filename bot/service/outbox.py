"""The posts that are due, and what became of them."""

from bot.service.posts import Owed, Reminder, next_reminder
from bot.service.table import Clock
from bot.store import outbox
from bot.store.database import Database
from bot.store.outbox import StoredPost


class Outbox:
    """Hands out the posts that are due, and notes what became of them.

    A sender loops: clear ``database.wake``; send all of ``due()``, each then
    ``sent`` or ``failed``; wait for ``wake`` or until ``next_due()``.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock

    async def due(self) -> list[StoredPost]:
        """Return the posts to send now, in the order they were owed; at most 100."""
        async with self.database.reading() as session:
            return await outbox.due(session, self.clock())

    async def next_due(self) -> int | None:
        """Return the moment the next post is due, ``None`` if none is owed."""
        async with self.database.reading() as session:
            return await outbox.next_due(session)

    async def sent(self, stored: StoredPost, channel: str, message: str) -> None:
        """Note that a post was sent (or its message edited); the next reminder is owed then."""
        async with self.database.writing() as session:
            await outbox.sent(session, stored, channel, message, self.clock())
            if isinstance(stored.post, Reminder):
                then = next_reminder(stored.post, self.clock())
                await outbox.owe(session, [then] if then else [], self.clock())

    async def failed(self, stored: StoredPost, error: str, again: int | None = None) -> None:
        """Note that sending failed; it is tried again at a moment, or never."""
        async with self.database.writing() as session:
            await outbox.failed(session, stored, error, again)

    async def put_off(self, stored: StoredPost, until: int) -> None:
        """Note that a post is to be sent later."""
        async with self.database.writing() as session:
            await outbox.put_off(session, stored, until)

    async def owe(self, owed: Owed) -> None:
        """Note a post that is owed besides those of the moves."""
        async with self.database.writing() as session:
            await outbox.owe(session, [owed], self.clock())
