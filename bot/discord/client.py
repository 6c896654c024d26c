"""The Discord client: services, commands, controls and the sender of posts, wired together."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.commands.tree import build_tree
from bot.discord.answer import DiscordAnswer, dispatch
from bot.discord.channels import Channels
from bot.discord.declaration import Declaration
from bot.discord.healing import Healing
from bot.discord.post_writer import PostWriter
from bot.discord.poster import PostSender
from bot.discord.slash import add_menus, build, misfit
from bot.discord.troubles import trouble_of
from bot.screens.drawing import Draw
from bot.service.owed.sending import Sending
from bot.service.services import Services

ASKED_AGAIN = frozenset({500, 502, 504, 524})
_MAKE = ("/messages", "/threads")
log = structlog.get_logger(__name__)
Errand = Callable[[], Awaitable[None]]
ERRAND_AGAIN = 10.0
GRACE = 3.0
"""Seconds in which what people did before the end is stored and answered."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds before the second try to log in or to connect, and at most before any."""
WRONG_TOKEN = 4004
REFUSED = "Discord rejected the token in DISCORD_TOKEN. Copy it again from the application's page, under Bot."
LONGEST_LIMIT = 30.0
"""Seconds that a request of ours sleeps for a limit of Discord's at most; after that the post is owed for later."""


class MaybeMadeError(aiohttp.ClientError):
    """Discord failed while it made a message, which may stand: nobody asks again without looking for it.

    Discord's library asks again after a 5xx, some of which come although the message was made. Its nonce guards for a
    while only; the sender of posts knows better: it looks into the channel first.
    """


def fail_unsure_makings() -> aiohttp.TraceConfig:
    """Return what ends a request that makes a message or a thread when Discord fails at it."""
    config = aiohttp.TraceConfig()
    config.on_request_end.append(_refuse_repetition)
    return config


async def _refuse_repetition(
    session: aiohttp.ClientSession, context: SimpleNamespace, ended: aiohttp.TraceRequestEndParams
) -> None:
    """End a request whose answer leaves open what was done.

    Raises:
        MaybeMadeError: it makes something, and Discord failed.
    """
    del session, context
    path = ended.url.path
    makes = ended.method == "POST" and "/channels/" in path and path.endswith(_MAKE)
    if makes and ended.response.status in ASKED_AGAIN:
        raise MaybeMadeError(f"Discord answered {ended.response.status} to {ended.method} {path}")


class LoginRefusedError(Exception):
    """Discord does not take the token; the message is one clear line."""


def _longer_and_longer() -> Iterator[float]:
    """Yield the seconds to wait after each failure."""
    return (min(LONGEST_WAIT, FIRST_WAIT * 2**failures) for failures in itertools.count())


class RailBot(discord.Client):
    """The bot; ``start`` it with a token, ``close`` it. It needs no privileged intent.

    Args:
        services: the services; whoever opened it closes it.
        draw: draws views off the event loop.
        card_gap: seconds between two edits of one table message, at least.
        shard: which of how many parts of what happens it is sent; posts are sent by any process.
        only_hears: another client of this process sends posts and declares the commands.
    """

    def __init__(
        self,
        services: Services,
        draw: Draw,
        card_gap: float = 2.0,
        shard: tuple[int, int] = (0, 1),
        *,
        only_hears: bool = False,
    ) -> None:
        super().__init__(
            shard_id=shard[0],
            shard_count=shard[1],
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            max_ratelimit_timeout=LONGEST_LIMIT,
            http_trace=fail_unsure_makings(),
        )
        self.services = services
        self._draw = draw
        self._only_hears = only_hears
        self._answering: set[asyncio.Task[Any]] = set()
        channels = Channels(self)
        self.healing = Healing(services, channels)
        sender = PostSender(services, PostWriter(services, draw, channels), self.healing, card_gap)
        self.poster = Sending(services.outbox, sender)
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        self.declaration = Declaration(self.tree, services.duties)
        self._tasks: list[asyncio.Task[None]] = []
        self._errands: asyncio.Queue[Errand] = asyncio.Queue()

    async def login(self, token: str) -> None:
        """Log in; while Discord does not answer, try again and again.

        Raises:
            LoginRefusedError: the token is wrong.
        """
        for wait in _longer_and_longer():
            try:
                return await super().login(token)
            except discord.LoginFailure:
                raise LoginRefusedError(REFUSED) from None
            except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
                if trouble_of(error) != "line":
                    raise
                log.warning("not logged in, tried again", seconds=wait, error=repr(error)[:300])
                await self.http.close()
                self.http.connector = discord.utils.MISSING  # the library would use the closed one
                await asyncio.sleep(wait)
        return None

    async def connect(self, *, reconnect: bool = True) -> None:
        """Listen, until closed; the library takes up a line that stood, but gives up at trouble with the first one.

        Raises:
            LoginRefusedError: Discord does not take the token any more.
        """
        for wait in _longer_and_longer():
            try:
                return await super().connect(reconnect=reconnect)
            except discord.ConnectionClosed as closed:
                if closed.code == WRONG_TOKEN:
                    raise LoginRefusedError(REFUSED) from None
                raise
            except AttributeError:  # it looks for the place to go on from, and there is none
                if self.ws is not None:
                    raise
                log.warning("not connected, tried again", seconds=wait)
                await asyncio.sleep(wait)
            except (LookupError, TypeError, ValueError) as error:  # the library could not read an event
                log.error("an event could not be parsed; reconnecting", seconds=wait, exc_info=error)
                if self.ws is not None:
                    await self.ws.close(code=4000)  # it would go on beating
                await asyncio.sleep(wait)
        return None

    async def setup_hook(self) -> None:
        """Declare the commands and begin to send what is owed."""
        build(self.tree, build_tree(), self.answers)
        add_menus(self.tree, self.answers)
        self.tree.error(partial(misfit, self.answers))
        work = [self._run_errands()]
        if not self._only_hears:
            work += [self.poster.run(), self.declaration.run(), self.healing.run()]
        self._tasks = [asyncio.create_task(each) for each in work]

    @property
    def hears(self) -> bool:
        """Whether it is told what happens in this moment."""
        return self.is_ready() and self.ws is not None and self.ws.open

    def answers(self, interaction: discord.Interaction) -> DiscordAnswer:
        """Return the answer to an interaction; the task that gives it comes to its end before the bot does."""
        task = asyncio.current_task()
        if task is not None:
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
        return DiscordAnswer(interaction, self.services, self._draw)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Handle buttons, menus and forms; commands go their own way through the tree."""
        if interaction.type in {discord.InteractionType.component, discord.InteractionType.modal_submit}:
            await dispatch(self.answers, interaction)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Send what is owed to a server the bot is in, at the start as well."""
        self._later(partial(self.healing.come_back, str(guild.id)))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Go on with the tables of a server the bot is in again."""
        self._later(partial(self.healing.come_back, str(guild.id)))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Pause the tables of a server the bot was removed from."""
        self._later(partial(self.healing.leave, str(guild.id)))

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Say what could not be said in a channel, if the bot may do other things there now."""
        me = after.guild.me
        if before.permissions_for(me) != after.permissions_for(me):
            self._hurry(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Say what could not be said in a server where roles have other permissions now."""
        if before.permissions != after.permissions:
            self._hurry(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Say what could not be said in a server where the bot has other roles now."""
        if after == after.guild.me and before.roles != after.roles:
            self._hurry(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Say what could not be said in a thread that is open now."""
        if not payload.data["thread_metadata"].get("locked"):
            self._hurry(payload.guild_id)

    def _hurry(self, guild: int) -> None:
        self._later(partial(self.healing.hurry, str(guild)))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Find another place for the table that lived in a thread."""
        self._later(partial(self.healing.lost, str(payload.thread_id)))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Find another place for the tables that lived in a channel."""
        self._later(partial(self.healing.lost, str(channel.id)))

    def _later(self, errand: Errand) -> None:
        """Have something done, in the order of the events; Discord's library would not wait for it at the end."""
        self._errands.put_nowait(errand)

    async def _run_errands(self) -> None:
        while True:
            errand = await self._errands.get()
            try:
                await errand()
            except Exception as error:  # one server's trouble is not that of the next
                if trouble_of(error) == "line":  # it is not over with that: nobody would look after the table otherwise
                    log.warning("after an event, tried again later", error=repr(error)[:300])
                    asyncio.get_running_loop().call_later(ERRAND_AGAIN, self._later, errand)
                else:
                    log.error("after an event", exc_info=error)
            finally:
                self._errands.task_done()

    async def idle(self) -> None:
        """Wait until everything that events asked for is done."""
        await self._errands.join()

    async def close(self) -> None:
        """Let what people did be stored and answered, stop sending, let what is on its way arrive, and hang up."""
        if self._answering:
            await asyncio.wait(self._answering, timeout=GRACE)
        if self._tasks and not self._only_hears:
            await self.poster.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        await super().close()
