"""What a host does besides opening and starting: name the table, hand it over, send somebody away before the start."""

from bot.model import posts
from bot.model.errors import BotError
from bot.model.plain import tidied
from bot.model.posts import Owed
from bot.model.records import Table
from bot.model.seating import refuse_guest
from bot.service.game_clock import ClockWish, wished
from bot.service.opening.lobby import Lobby
from bot.store import games, outbox


class Hosting:
    """The host's hand on a table."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby

    async def rename(self, game: int, user: str, name: str) -> Table:
        """Give a table another name.

        Raises:
            BotError: not the host, or nothing is left of the name.
        """
        name = tidied(name, "")
        if not name:
            raise BotError("The name has no letter that can be shown.")
        return await self._changed(game, user, "rename the table", "", name=name)

    async def hand_over(self, game: int, user: str, heir: str) -> Table:
        """Make another player the host.

        Raises:
            BotError: not the host, or the heir does not sit there.
        """
        table = await self.lobby.info(game)
        if heir not in table.people:
            raise BotError("The host must be one of the players.")
        told = f"{table.called(heir)} is the host of “{table.name}” from now on."
        return await self._changed(game, user, "hand the table over", told, host=heir)

    async def kick(self, game: int, user: str, guest: str) -> Table:
        """Take the seat of somebody at a table that has not begun.

        Raises:
            BotError: not the host, the guest does not sit there, or play has begun.
        """
        table = await self.lobby.info(game)
        refuse_guest(table, user, "send people away")
        if guest == user:
            raise BotError("To give up your own seat say /game leave.")
        return await self.lobby.leave(game, guest)

    async def choose_clock(self, game: int, user: str, wish: ClockWish) -> Table:
        """Set the clock of a table that has not begun, or take it away.

        Raises:
            BotError: not the host, no such clock, or play has begun.
        """
        table = await self.lobby.info(game)
        clock = wished(table, wish)
        if table.state != "open":
            raise BotError(f"“{table.name}” is {table.state}; its players agree on a clock.")
        return await self._changed(game, user, "set the clock", "", clock=games.encoded(clock))

    async def _changed(self, game: int, user: str, what: str, told: str, **values: str) -> Table:
        """Change a table, and let its messages show it."""
        database, now = self.lobby.database, self.lobby.clock()
        async with self.lobby.live.lock(game), database.writing(game) as session:
            table = await games.fetch(session, game)
            refuse_guest(table, user, what)
            await games.change(session, game, **values)
            shown = posts.Lobby(game) if table.started is None else posts.Card(game)
            kind = "lobby" if table.started is None else "card"
            owed = [Owed(f"{game}:{kind}", shown, now)]
            if told:
                owed.append(Owed(f"{game}:host:{now}", posts.Notice(game, told), now))
            await outbox.owe(session, owed, now)
        return await self.lobby.info(game)
