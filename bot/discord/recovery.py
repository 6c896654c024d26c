"""Recover tables whose thread, channel, server or turn message is gone from Discord."""

import asyncio

import discord
import structlog

from bot.discord.channels import Channels
from bot.discord.errors import classify_error
from bot.model.errors import BotError
from bot.model.records import Home, Table
from bot.service.services import Services
from bot.store.posted import TurnPost
from engine import LogError

log = structlog.get_logger(__name__)
TURNS_DUTY = "turns"
CHECK_TURNS_SECONDS = 240
THREAD_DELETED = "This table's thread was deleted, so the game continues here. Nothing is lost."


class Recovery:
    """Finds other places for tables that have lost theirs, and posts turns that are missing.

    Args:
        services: the tables. channels: what there is in Discord.
    """

    def __init__(self, services: Services, channels: Channels) -> None:
        self.services = services
        self.channels = channels

    async def run(self) -> None:
        """Check the turns of all tables at the start and every few minutes, until cancelled."""
        is_due = True
        while True:
            try:
                if is_due:
                    await self.check_turns()
                await asyncio.sleep(CHECK_TURNS_SECONDS)
                is_due = await self.services.duties.take_duty(TURNS_DUTY, CHECK_TURNS_SECONDS // 2)
            except Exception as error:  # noqa: BLE001 - the store, most likely; the next time
                log.warning("turns not checked", error=repr(error)[:300])
                await asyncio.sleep(1)

    async def check_turns(self) -> None:
        """Owe the turn of each running table again unless a live message shows it; likewise what was given up."""
        await self.services.posted.owe_given_up()
        for turn in await self.services.posted.list_turns():
            if turn.state in ("", "sent", "dropped") and self.channels.is_in_guild(turn.guild):
                try:
                    await self._check_turn(turn)
                except (BotError, LogError, discord.DiscordException, OSError) as error:
                    log.warning("turn not checked", game=turn.game, error=repr(error)[:300])

    async def _check_turn(self, turn: TurnPost) -> None:
        if not turn.state:
            log.error("a turn was never owed", game=turn.game)
            await self.services.posted.owe_first_turn(turn, await self.services.table.load_position(turn.game))
            return
        try:
            is_live = await self.channels.is_live(turn.channel, turn.message) if turn.message else False
        except discord.NotFound as error:
            await self.recover(turn.game, gone=classify_error(error) == "gone")
            return
        if not is_live and await self.services.posted.owe_turn(turn, is_gone=is_live is None):
            log.warning("a turn is owed again", game=turn.game, state=turn.state, error=turn.error)

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
