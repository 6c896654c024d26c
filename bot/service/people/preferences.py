"""What people wish for themselves: when they may be called, and how things look."""

from collections.abc import Sequence

from bot.model.clock import Clock
from bot.model.records import Calls, Style
from bot.service import game_clock, quiet
from bot.store import people
from bot.store.database import Database


class Preferences:
    """Keeps the wishes of people, and tells who wants peace now."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock

    async def calls(self, *users: str) -> dict[str, Calls]:
        """Return when people may be called."""
        async with self.database.reading() as session:
            return await people.fetch_calls(session, users)

    async def set_calls(self, user: str, calls: Calls) -> None:
        """Note when a person may be called.

        Raises:
            BotError: there is no such hour or time zone.
        """
        calls, now = quiet.checked(calls), self.clock()
        async with self.database.writing() as session:
            tables = await game_clock.taken_up_to(session, user, now)
            await people.set_calls(session, user, calls)
            await game_clock.go_on(session, tables, now)

    async def asleep(self, users: Sequence[str]) -> dict[str, int]:
        """Return those who want their peace now, each with the moment it ends."""
        return quiet.asleep(await self.calls(*users), self.clock()) if users else {}

    async def style(self, user: str) -> Style:
        """Return how a person wants to see things."""
        async with self.database.reading() as session:
            return await people.fetch_style(session, user)

    async def set_style(self, user: str, style: Style) -> None:
        """Note how a person wants to see things."""
        async with self.database.writing() as session:
            await people.set_style(session, user, style)
