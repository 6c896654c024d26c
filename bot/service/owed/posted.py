"""Where posts stand, once sent, and what a message of the bot tells of."""

from collections.abc import Collection

from bot.model.posts import MOST_REMINDERS, End, Pictures, Summary, deck_key, ping_key, reminder_key, turn_key
from bot.store import outbox
from bot.store.database import Database
from bot.store.outbox import StoredPost


def refused_key(game: int, turn_from: int, user: str) -> str:
    """Return the key of the call at the table of a person whom private messages do not reach, one a turn."""
    return f"{ping_key(game, turn_from)}:{user}"


class Posted:
    """Looks up posts by their key or their message."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def find(self, key: str) -> StoredPost | None:
        """Return a post by its key, sent or not; its ``message`` is where it was posted."""
        async with self.database.reading() as session:
            return await outbox.find(session, key)

    async def refused(self, game: int, turn_from: int, users: Collection[str]) -> set[str]:
        """Return those of some users who are called to a turn at the table, as private messages do not reach them."""
        keys = {refused_key(game, turn_from, user): user for user in users}
        async with self.database.reading() as session:
            return {keys[stored.key] for stored in await outbox.find_all(session, keys)} if keys else set()

    async def of_turn(self, game: int, turn_from: int, people: Collection[str] = ()) -> list[StoredPost]:
        """Return the message of a turn and the calls to it, of these people, sent or not, as they were first owed."""
        keys = [turn_key(game, turn_from), ping_key(game, turn_from), deck_key(game, turn_from)]
        keys += [refused_key(game, turn_from, user) for user in people]
        keys += [reminder_key(game, turn_from, number) for number in range(1, MOST_REMINDERS + 1)]
        async with self.database.reading() as session:
            return await outbox.find_all(session, keys)

    async def moment(self, channel: str, message: str) -> Summary | Pictures | End | None:
        """Return the post of a message that tells how many moves were in force, if one does."""
        async with self.database.reading() as session:
            found = await outbox.at(session, channel, message)
        return next((one.post for one in found if isinstance(one.post, Summary | Pictures | End)), None)
