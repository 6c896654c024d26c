"""Recover tables whose thread, channel, server or messages are gone from Discord; look at them every few minutes."""

import asyncio

import aiohttp
import discord
import structlog

from bot.discord.channels import Channels
from bot.discord.errors import classify_error
from bot.model.records import Home, Table
from bot.service.inspection import Inspection
from bot.service.invariants import Visible, list_expected
from bot.service.services import Services
from bot.store.fates import TableFates

log = structlog.get_logger(__name__)
INSPECTION_DUTY = "inspection"
SPARE_SECONDS = 30
"""Before the next inspection: until then, one keeps others from beginning theirs."""
THREAD_DELETED = "This table's thread was deleted, so the game continues here. Nothing is lost."


class Recovery:
    """Finds other places for tables that have lost theirs, and lets all be inspected.

    Args:
        services: the tables. channels: what there is in Discord.
    """

    def __init__(self, services: Services, channels: Channels) -> None:
        self.services = services
        self.channels = channels
        self.inspection = Inspection(services.table, self)

    async def run(self) -> None:
        """Inspect all tables at the start and every few minutes, until cancelled; one process at a time does."""
        duties, seconds = self.services.duties, self.services.intervals.inspection
        while True:
            try:
                done = not self.services.database.shared or await duties.take_duty(
                    INSPECTION_DUTY, int(seconds) - SPARE_SECONDS
                )
                if done:
                    await self.inspection.run_round()
            except Exception as error:
                done = False
                log.error("inspection failed", exc_info=error)
            await asyncio.sleep(seconds if done else SPARE_SECONDS)

    async def look_at(self, table: TableFates) -> Visible | None:
        """Return what people see of a table; find another place for one whose place is gone."""
        if not self.channels.is_in_guild(table.home.guild):
            return None
        stands, home = table.turn.channel if table.turn else "", table.home
        places = [stands] if stands else [*dict.fromkeys(filter(None, (home.thread, home.channel)))]
        try:
            shown = [each for place in places for each in await self.channels.list_newest(place)]
            here, gone = {each.message for each in shown}, set[str]()
            for post in list_expected(table).values():
                if post.message not in here:
                    found = await self.channels.fetch_shown(post.channel, post.message)
                    shown += [found] if found else []
                    gone |= set() if found else {post.message}
        except (discord.DiscordException, aiohttp.ClientError) as error:
            if isinstance(error, discord.NotFound):
                await self.recover(table.game, gone=classify_error(error) == "gone")
            log.warning("messages not looked at", game=table.game, error=repr(error)[:300])
            return None
        return Visible(tuple(shown), frozenset(gone))

    async def erase(self, channel: str, message: str) -> None:
        """Delete a message whose buttons must not stay live."""
        await self.channels.delete(channel, message)

    async def recover(self, game: int, *, gone: bool) -> None:
        """Find out what became of the place of a table, and find another one if need be.

        Args:
            game: number of the table.
            gone: Discord says that there is no such channel.
        """
        table = await self.services.lobby.get_table(game)
        home = table.home
        if not self.channels.is_in_guild(home.guild):
            await self.pause_guild(home.guild)
        elif gone:
            await self._find_place(table)

    async def pause_guild(self, guild: str) -> None:
        """Pause the tables of a server, unless the bot is back by now: a failing store may have delayed this."""
        if not self.channels.is_in_guild(guild):
            await self.services.moving.pause_posts(guild)
            if self.channels.is_in_guild(guild):
                await self.services.moving.resume_posts(guild)

    async def recover_deleted(self, place: str) -> None:
        """Find other places for the tables of a channel or thread that was deleted."""
        for game in await self.services.moving.list_tables_in(place):
            await self._find_place(await self.services.lobby.get_table(game))

    async def resume_guild(self, guild: str) -> None:
        """Send what a server is owed, and recover tables whose place was deleted while the bot wasn't listening."""
        await self.services.moving.resume_posts(guild)
        for game, home in await self.services.moving.list_homes(guild):
            if home.channel and not self.channels.is_known(home.thread or home.channel):
                await self.recover(game, gone=True)

    async def _find_place(self, table: Table) -> None:
        home = table.home
        if not home.channel:
            return
        if not await self.channels.exists(home.channel):
            log.warning("the channel of a table is gone", game=table.id, channel=home.channel)
            await self.services.moving.note_lost(table)
        elif home.thread and not await self.channels.exists(home.thread):
            log.warning("the thread of a table is gone", game=table.id, thread=home.thread)
            await self.services.moving.rehouse(table, Home(home.guild, home.channel), THREAD_DELETED)
