"""A table that has lost its place in Discord finds another, or its players hear of it."""

import structlog

from bot.discord.channels import Channels
from bot.model.records import Home, Table
from bot.service.services import Services

log = structlog.get_logger(__name__)
DELETED = "The thread of this table was deleted; the game goes on here. Nothing is lost."


class Healing:
    """Looks after the places of tables.

    Args:
        services: the tables. channels: what there is in Discord.
    """

    def __init__(self, services: Services, channels: Channels) -> None:
        self.services = services
        self.channels = channels

    async def heal(self, game: int, *, gone: bool) -> None:
        """Find out what became of the place of a table, and mend it if it can be mended.

        Args:
            game: number of the table.
            gone: Discord says that there is no such channel.
        """
        table = await self.services.lobby.info(game)
        home = table.home
        if not self.channels.in_guild(home.guild):
            await self.leave(home.guild)
        elif gone:
            await self._find_place(table)

    async def leave(self, guild: str) -> None:
        """Pause the tables of a server, unless the bot is there again by now: a failing store may have held this up."""
        if not self.channels.in_guild(guild):
            await self.services.moving.pause(guild)
            if self.channels.in_guild(guild):
                await self.services.moving.resume(guild)

    async def lost(self, place: str) -> None:
        """Heal the tables that lived in a channel or thread which was deleted."""
        for game in await self.services.moving.living_in(place):
            await self._find_place(await self.services.lobby.info(game))

    async def come_back(self, guild: str) -> None:
        """Send what a server is owed, and heal what was deleted there while the bot was not listening."""
        await self.services.moving.resume(guild)
        for game, home in await self.services.moving.homes(guild):
            if home.channel and not self.channels.surely_there(home.thread or home.channel):
                await self.heal(game, gone=True)

    async def hurry(self, guild: str) -> None:
        """Try again what a server did not take: the bot may do other things there now."""
        await self.services.outbox.hurry(guild)

    async def _find_place(self, table: Table) -> None:
        home = table.home
        if not home.channel:
            return
        if not await self.channels.exists(home.channel):
            log.warning("the channel of a table is gone", game=table.id, channel=home.channel)
            await self.services.moving.lose(table)
        elif home.thread and not await self.channels.exists(home.thread):
            log.warning("the thread of a table is gone", game=table.id, thread=home.thread)
            await self.services.moving.rehouse(table, Home(home.guild, home.channel), DELETED)
