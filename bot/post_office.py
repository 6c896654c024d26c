"""The counter at which a sender asks for the posts owed, and the wishes of people."""

from bot.records import Style
from bot.store import outbox, people
from bot.store.database import Database
from bot.store.outbox import Letter
from bot.table import Clock


class PostOffice:
    """Hands out the posts that are due, and notes what became of them.

    A sender loops: clear ``database.wake``; send all of ``due()``, each then
    ``sent`` or ``failed``; wait for ``wake`` or until ``next_due()``.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock

    async def due(self) -> list[Letter]:
        """Return the posts to send now, in the order they were owed; at most 100."""
        async with self.database.reading() as session:
            return await outbox.due(session, self.clock())

    async def next_due(self) -> int | None:
        """Return the moment the next post is due, ``None`` if none is owed."""
        async with self.database.reading() as session:
            return await outbox.next_due(session)

    async def find(self, key: str) -> Letter | None:
        """Return a post by its key, sent or not; its ``message`` is where it was posted."""
        async with self.database.reading() as session:
            return await outbox.find(session, key)

    async def sent(self, letter: Letter, channel: str, message: str) -> None:
        """Note that a post was sent (or its message edited)."""
        async with self.database.writing() as session:
            await outbox.sent(session, letter, channel, message, self.clock())

    async def failed(self, letter: Letter, error: str, again: int | None = None) -> None:
        """Note that sending failed; it is tried again at a moment, or never."""
        async with self.database.writing() as session:
            await outbox.failed(session, letter, error, again)

    async def style(self, user: str) -> Style:
        """Return how a person wants to see things."""
        async with self.database.reading() as session:
            return await people.style(session, user)

    async def set_style(self, user: str, style: Style) -> None:
        """Note how a person wants to see things."""
        async with self.database.writing() as session:
            await people.set_style(session, user, style)
