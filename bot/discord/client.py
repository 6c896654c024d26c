"""The Discord client, which wires services, commands, controls and the sender of posts; shards that it takes over."""

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

from bot.commands import build_tree
from bot.discord.answer import DiscordAnswer, dispatch
from bot.discord.channels import Channels
from bot.discord.errors import classify_error
from bot.discord.first_response import Rush
from bot.discord.post_sender import PostSender
from bot.discord.post_writer import PostWriter
from bot.discord.recovery import Recovery
from bot.discord.slash import CommandSync, declare_commands, declare_menus, refuse_outdated
from bot.screens.drawing import Draw
from bot.service.duties import Duties
from bot.service.sending import Sending
from bot.service.services import Services

RETRIED_STATUSES = frozenset({500, 502, 504, 524})
_POSTING_PATHS = ("/messages", "/threads")
log = structlog.get_logger(__name__)
Errand = Callable[[], Awaitable[None]]
ERRAND_RETRY_SECONDS = 10.0
MAX_CLOSE_SECONDS = 3.0
"""How long the end waits until what people did before it is stored and answered."""
FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS = 1.0, 60.0
"""Before the second try to log in or to connect, and at most before any."""
CONNECT_SECONDS = 60.0
"""How long the client of a shard taken over may take to connect."""
WRONG_TOKEN_CODE = 4004
TOKEN_REJECTED = "Discord rejected the token in DISCORD_TOKEN. Copy it again from the application's page, under Bot."  # noqa: S105
MAX_LIMIT_SECONDS = 30.0
"""How long a request sleeps for a rate limit of Discord's; a post that would wait longer is owed for later."""


class MaybeMadeError(aiohttp.ClientError):
    """Discord failed while it made a message, which may exist: look for it before asking again.

    Discord's library asks again after a 5xx, some of which come although the message was made. Its nonce guards for a
    while only; the sender of posts looks into the channel first.
    """


def trace_uncertain_posts() -> aiohttp.TraceConfig:
    """Return a trace that ends a request for a message or a thread when Discord fails, so that it isn't repeated."""
    config = aiohttp.TraceConfig()
    config.on_request_end.append(_prevent_retry)
    return config


async def _prevent_retry(
    session: aiohttp.ClientSession, context: SimpleNamespace, ended: aiohttp.TraceRequestEndParams
) -> None:
    """End a request whose answer leaves open whether it was done.

    Raises:
        MaybeMadeError: it makes something, and Discord failed.
    """
    del session, context
    path = ended.url.path
    makes = ended.method == "POST" and "/channels/" in path and path.endswith(_POSTING_PATHS)
    if makes and ended.response.status in RETRIED_STATUSES:
        raise MaybeMadeError(f"Discord answered {ended.response.status} to {ended.method} {path}")


class LoginRefusedError(Exception):
    """Discord refuses the token; the message is one line."""


def _list_waits() -> Iterator[float]:
    """Yield the seconds to wait after each failure."""
    return (min(MAX_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2**failures) for failures in itertools.count())


class DiscordClient(discord.Client):
    """The bot in Discord; ``start`` it with a token, ``close`` it. It needs no privileged intent.

    Args:
        services: the services; their owner closes them.
        draw: draws views off the event loop.
        card_gap: seconds between two edits of one table message, at least.
        shard: which of how many parts of what happens it is sent; posts are sent by any process.
        only_listens: another client of this process sends posts and syncs the commands.
    """

    def __init__(
        self,
        services: Services,
        draw: Draw,
        card_gap: float = 20.0,
        shard: tuple[int, int] = (0, 1),
        *,
        only_listens: bool = False,
    ) -> None:
        super().__init__(
            shard_id=shard[0],
            shard_count=shard[1],
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            max_ratelimit_timeout=MAX_LIMIT_SECONDS,
            http_trace=trace_uncertain_posts(),
        )
        self.services = services
        self._draw = draw
        self._only_listens = only_listens
        self._rush = Rush()
        self._answering: set[asyncio.Task[Any]] = set()
        channels = Channels(self)
        self.recovery = Recovery(services, channels)
        sender = PostSender(services, PostWriter(services, draw, channels), self.recovery, card_gap)
        self.sending = Sending(services.outbox, sender, services.intervals.outbox)
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        self.command_sync = CommandSync(self.tree, services.duties, services.intervals.commands)
        self._tasks: list[asyncio.Task[None]] = []
        self._errands: asyncio.Queue[Errand] = asyncio.Queue()

    async def login(self, token: str) -> None:
        """Log in; whatever Discord answers but that the token is wrong, try again and again.

        Raises:
            LoginRefusedError: the token is wrong.
        """
        for wait in _list_waits():
            try:
                return await super().login(token)
            except discord.LoginFailure:
                raise LoginRefusedError(TOKEN_REJECTED) from None
            except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
                if classify_error(error) in ("ours", "token"):
                    raise
                log.warning("not logged in, tried again", seconds=wait, error=repr(error)[:300])
                await self.http.close()
                self.http.connector = discord.utils.MISSING  # the library would use the closed one
                await asyncio.sleep(wait)
        return None

    async def connect(self, *, reconnect: bool = True) -> None:
        """Listen until closed; the library resumes a connection that stood, but gives up if the first one fails.

        Raises:
            LoginRefusedError: Discord does not take the token any more.
        """
        for wait in _list_waits():
            try:
                return await super().connect(reconnect=reconnect)
            except discord.ConnectionClosed as closed:
                if closed.code == WRONG_TOKEN_CODE:
                    raise LoginRefusedError(TOKEN_REJECTED) from None
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
        """Declare the commands and start sending what is owed."""
        declare_commands(self.tree, build_tree(), self.make_answer)
        declare_menus(self.tree, self.make_answer)
        self.tree.error(partial(refuse_outdated, self.make_answer))
        work = [self._run_errands()]
        if not self._only_listens:
            work += [self.sending.run(), self.command_sync.run(), self.recovery.run()]
        self._tasks = [asyncio.create_task(each) for each in work]

    @property
    def is_listening(self) -> bool:
        """Whether Discord sends it events at this moment."""
        return self.is_ready() and self.ws is not None and self.ws.open

    def make_answer(self, interaction: discord.Interaction) -> DiscordAnswer:
        """Return the answer to an interaction; the bot waits for its task before it closes."""
        task = asyncio.current_task()
        if task is not None:
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
        return DiscordAnswer(interaction, self.services, self._draw, self._rush)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Handle buttons, menus and forms; commands go their own way through the tree."""
        if interaction.type in {discord.InteractionType.component, discord.InteractionType.modal_submit}:
            await dispatch(self.make_answer, interaction)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Send what a server is owed, also at the start."""
        self._schedule(partial(self.recovery.resume_guild, str(guild.id)))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that the bot has joined again."""
        self._schedule(partial(self.recovery.resume_guild, str(guild.id)))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Pause the tables of a server the bot was removed from."""
        self._schedule(partial(self.recovery.pause_guild, str(guild.id)))

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Retry the posts of a channel where the bot's permissions have changed."""
        me = after.guild.me
        if before.permissions_for(me) != after.permissions_for(me):
            self._retry_guild(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Retry the posts of a server where a role's permissions have changed."""
        if before.permissions != after.permissions:
            self._retry_guild(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Retry the posts of a server where the bot's roles have changed."""
        if after == after.guild.me and before.roles != after.roles:
            self._retry_guild(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Retry the posts of a thread that was reopened."""
        if not payload.data["thread_metadata"].get("locked"):
            self._retry_guild(payload.guild_id)

    def _retry_guild(self, guild: int) -> None:
        self._schedule(partial(self.services.outbox.hurry, str(guild)))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Find another place for the table that lived in a thread."""
        self._schedule(partial(self.recovery.recover_deleted, str(payload.thread_id)))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Find another place for the tables that lived in a channel."""
        self._schedule(partial(self.recovery.recover_deleted, str(channel.id)))

    def _schedule(self, errand: Errand) -> None:
        """Schedule work in the order of the events; Discord's library wouldn't wait for it at the end."""
        self._errands.put_nowait(errand)

    async def _run_errands(self) -> None:
        while True:
            errand = await self._errands.get()
            try:
                await errand()
            except Exception as error:  # one server's trouble is not that of the next
                if classify_error(error) == "line":  # without this, the table would stay without its place
                    log.warning("after an event, tried again later", error=repr(error)[:300])
                    asyncio.get_running_loop().call_later(ERRAND_RETRY_SECONDS, self._schedule, errand)
                else:
                    log.error("after an event", exc_info=error)
            finally:
                self._errands.task_done()

    async def wait_for_errands(self) -> None:
        """Wait until everything that events scheduled is done."""
        await self._errands.join()

    async def close(self) -> None:
        """Finish answering, stop sending posts, wait for those in flight, and disconnect."""
        if self._answering:
            await asyncio.wait(self._answering, timeout=MAX_CLOSE_SECONDS)
        if self._tasks and not self._only_listens:
            await self.sending.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        await super().close()


class ShardTakeover:
    """Listens to a shard that no process listens to, until its own process does again.

    Args:
        bot: of this process. duties: which process listens to which shard.
        make_client: makes a client that listens to one more shard, by its number.
        token: of the bot.
    """

    def __init__(
        self, bot: DiscordClient, duties: Duties, make_client: Callable[[int], DiscordClient], token: str
    ) -> None:
        self._bot = bot
        self._duties = duties
        self._make_client = make_client
        self._token = token
        self._own, self._count = bot.shard_id or 0, bot.shard_count or 1
        self._others: dict[int, tuple[DiscordClient, asyncio.Task[None], float]] = {}
        self._is_rival_logged = False

    async def run(self) -> None:
        """Check every few seconds which shards have no listener, until cancelled; then hand all of them back."""
        try:
            while True:
                try:
                    await self._check()
                except Exception as error:  # noqa: BLE001 - the database, most likely; the clients go on
                    log.warning("shards not checked", error=repr(error)[:300])
                await asyncio.sleep(self._duties.lease / 4)
        finally:
            for number in list(self._others):
                await self._end(number)
            try:
                await self._duties.give_back_shards(self._own, self._count)
            except Exception as error:  # noqa: BLE001 - the leases expire anyway
                log.warning("shards not handed back", error=repr(error)[:300])

    async def _check(self) -> None:
        now = asyncio.get_running_loop().time()
        for number, (client, task, began) in list(self._others.items()):
            if task.done() or not (client.is_listening or now - began < CONNECT_SECONDS):
                await self._end(number)
        held = await self._duties.renew_shards(self._own, self._count, list(self._others), hears=self._bot.is_listening)
        for number in set(self._others) - held.others:
            log.info("shard handed back", shard=number)
            await self._end(number)
        new = sorted(held.others - set(self._others))
        for number in new[:1]:
            log.warning("shard taken over; no process was connected to it", shard=number)
            client = self._make_client(number)
            task = asyncio.create_task(self._listen(client, number), name=f"shard {number}")
            self._others[number] = client, task, now
        if held.rival and not self._is_rival_logged:
            log.error("another process serves this shard too; see STATIONMASTER_SHARDS", shard=self._own)
        self._is_rival_logged = held.rival

    async def _listen(self, client: DiscordClient, number: int) -> None:
        try:
            await client.start(self._token)
        except Exception as error:  # whatever it is, the shard is taken over again
            log.error("shard disconnected", shard=number, exc_info=error)

    async def _end(self, number: int) -> None:
        client, task, _ = self._others.pop(number)
        task.cancel()  # first it stops listening, then it answers what it has received
        await asyncio.gather(task, return_exceptions=True)
        await client.close()
