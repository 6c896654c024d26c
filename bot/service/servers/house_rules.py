"""The rules of a server: where tables may be opened, by whom and how many, and whether it is paused."""

from collections.abc import Callable, Sequence

from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.model.plain import thread_mark
from bot.model.records import ServerRules
from bot.model.seating import listed
from bot.store import servers
from bot.store.database import Database

FRESH = 15
"""Seconds for which the rules of a server are known without asking the store: another process may change them."""
MOST_KNOWN = 1000
PAUSED = "Those who run this server have paused its games; looking is free. Nothing is lost, and no clock runs."


class Servers:
    """Knows the rules of servers and refuses what they do not allow; a table without a server has none."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self.database = database
        self.clock = clock
        self._known: dict[str, tuple[int, ServerRules]] = {}

    async def rules(self, guild: str) -> ServerRules:
        """Return the rules of a server."""
        known = self._known.get(guild)
        if not guild or (known is not None and self.clock() - known[0] < FRESH):
            return known[1] if known else ServerRules()
        async with self.database.reading() as session:
            rules = await servers.rules(session, guild)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[guild] = (self.clock(), rules)
        return rules

    def forget(self, guild: str) -> None:
        """Ask the store for the rules of a server the next time."""
        self._known.pop(guild, None)

    async def refuse_paused(self, guild: str) -> None:
        """Refuse to play on a server that is paused.

        Raises:
            BotError: it is.
        """
        if (await self.rules(guild)).paused:
            raise BotError(PAUSED)

    async def refuse_place(self, guild: str, channels: Sequence[str]) -> None:
        """Refuse to open a table where none may be; ``channels`` are the channel and the one it belongs to.

        Raises:
            BotError: names the channels in which tables may be opened.
        """
        allowed = (await self.rules(guild)).channels
        if allowed and not set(channels) & set(allowed):
            raise BotError(f"On this server tables are opened in {' '.join(map(thread_mark, allowed))} only.")

    async def refuse_role(self, guild: str, roles: Sequence[str]) -> None:
        """Refuse a person who may not play on a server.

        Raises:
            BotError: they have none of the roles it takes.
        """
        allowed = (await self.rules(guild)).roles
        if allowed and not set(roles) & set(allowed):
            raise BotError(f"On this server only {listed(tuple(allowed.values()))} open and join tables.")

    async def refuse_too_many(self, session: AsyncSession, user: str, guild: str) -> None:
        """Refuse a table or a seat that was stored just now, in the same transaction, which is undone then.

        Raises:
            BotError: the user has more than one person may have on this server.
        """
        rules = await self.rules(guild)
        if rules.tables and await servers.hosted(session, guild, user) > rules.tables:
            raise BotError(f"You host {rules.tables} tables that are open or running, the most for one person here.")
        if rules.seats and await servers.seats_held(session, guild, user) > rules.seats:
            raise BotError(f"You sit at {rules.seats} tables that are open or running, the most for one person here.")

    async def refuse_import(self, session: AsyncSession, guild: str) -> None:
        """Refuse a table that was brought in just now, in the same transaction.

        Raises:
            BotError: there were as many today as there may be.
        """
        rules = await self.rules(guild)
        if rules.imports and await servers.imports(session, guild, self.clock()) > rules.imports:
            raise BotError(f"{rules.imports} files were brought in here within a day, the most there may be.")
