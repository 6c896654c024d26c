"""The counter at which a sender asks for the posts owed, and the wishes of people."""

from collections.abc import Sequence

from bot.service import quiet
from bot.service.posts import End, Owed, Pictures, Reminder, Summary, next_reminder
from bot.service.records import Calls, Style
from bot.service.table import Clock
from bot.store import outbox, people
from bot.store.database import Database
from bot.store.outbox import Letter


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

    async def moment(self, channel: str, message: str) -> Summary | Pictures | End | None:
        """Return the post of a message that tells how many moves were in force, if one does."""
        async with self.database.reading() as session:
            letters = await outbox.at(session, channel, message)
        return next((one.post for one in letters if isinstance(one.post, Summary | Pictures | End)), None)

    async def sent(self, letter: Letter, channel: str, message: str) -> None:
        """Note that a post was sent (or its message edited); the next reminder is owed then."""
        async with self.database.writing() as session:
            await outbox.sent(session, letter, channel, message, self.clock())
            if isinstance(letter.post, Reminder):
                then = next_reminder(letter.post, self.clock())
                await outbox.owe(session, [then] if then else [], self.clock())

    async def failed(self, letter: Letter, error: str, again: int | None = None) -> None:
        """Note that sending failed; it is tried again at a moment, or never."""
        async with self.database.writing() as session:
            await outbox.failed(session, letter, error, again)

    async def put_off(self, letter: Letter, until: int) -> None:
        """Note that a post is to be sent later."""
        async with self.database.writing() as session:
            await outbox.put_off(session, letter, until)

    async def owe(self, owed: Owed) -> None:
        """Note a post that is owed besides those of the moves."""
        async with self.database.writing() as session:
            await outbox.owe(session, [owed], self.clock())

    async def calls(self, *users: str) -> dict[str, Calls]:
        """Return when people may be called."""
        async with self.database.reading() as session:
            return await people.calls(session, users)

    async def set_calls(self, user: str, calls: Calls) -> None:
        """Note when a person may be called.

        Raises:
            BotError: there is no such hour or time zone.
        """
        async with self.database.writing() as session:
            await people.set_calls(session, user, quiet.checked(calls))

    async def asleep(self, users: Sequence[str]) -> dict[str, int]:
        """Return those who want their peace now, each with the moment it ends."""
        now = self.clock()
        ends = {user: quiet.quiet_until(calls, now) for user, calls in (await self.calls(*users)).items()}
        return {user: end for user, end in ends.items() if end > now}

    async def style(self, user: str) -> Style:
        """Return how a person wants to see things."""
        async with self.database.reading() as session:
            return await people.style(session, user)

    async def set_style(self, user: str, style: Style) -> None:
        """Note how a person wants to see things."""
        async with self.database.writing() as session:
            await people.set_style(session, user, style)
