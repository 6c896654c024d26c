"""Where posts stand, once sent, and what a message of the bot tells of."""

from bot.service.posts import End, Pictures, Summary
from bot.store import outbox
from bot.store.database import Database
from bot.store.outbox import StoredPost


class Posted:
    """Looks up posts by their key or their message."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def find(self, key: str) -> StoredPost | None:
        """Return a post by its key, sent or not; its ``message`` is where it was posted."""
        async with self.database.reading() as session:
            return await outbox.find(session, key)

    async def moment(self, channel: str, message: str) -> Summary | Pictures | End | None:
        """Return the post of a message that tells how many moves were in force, if one does."""
        async with self.database.reading() as session:
            found = await outbox.at(session, channel, message)
        return next((one.post for one in found if isinstance(one.post, Summary | Pictures | End)), None)
