"""Messages in channels and threads, by their ids: sent once, edited in place, found again."""

import contextlib
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import discord
from discord import app_commands

from bot.discord.components import Image, allow_mentions, make_files, make_layout
from bot.discord.errors import MISSING_ACCESS, THREAD_EXISTS, UNKNOWN_MESSAGE, is_closed, is_gone
from bot.screens.screen import Screen, clip, read_custom_id
from bot.service.invariants import ShownMessage

ARCHIVE_AFTER_MINUTES: Literal[10080] = 10080
POST_ID_OFFSET = 1000
"""Added to a post's number, it is the id of the message's first component, by which the post is found again."""
MAX_MESSAGES_SEARCHED = 5000
MIN_MESSAGES_SEARCHED = 200
"""Messages that are looked at whatever our clock said when the post was owed."""
MAX_MESSAGES_LOOKED_AT = 25
"""Newest messages of a table that an inspection reads; older ones that must be there are asked for by name."""
MAX_CLOCK_ERROR = timedelta(days=1)
MAX_THREAD_NAME_LENGTH = 100
NO_PICTURES = "-# (No pictures: I need **Attach Files** here.)"


class AnyChannel(app_commands.Transformer):
    """A channel as a parameter; media channels, which Discord's library would offer, aren't for apps."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """What the parameter is."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """The kinds of channels to choose from."""
        kinds = discord.ChannelType
        return [kinds.text, kinds.news, kinds.forum, kinds.voice, kinds.stage_voice, kinds.category]

    async def transform(self, interaction: discord.Interaction, value: Any) -> Any:  # noqa: ANN401  # as the library has it
        """Return the channel as it came."""
        del interaction
        return value


class Channels:
    """What the bot writes into channels with its own token, which never expires.

    Args:
        client: logged in.
    """

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def send(
        self, channel: str, screen: Screen, images: Sequence[Image] = (), *, number: int, nonce: str, reply: str = ""
    ) -> str:
        """Send a message and return its id; without its pictures where the bot may attach none.

        Args:
            channel: id of the channel or thread.
            screen: what to send.
            images: its pictures, drawn.
            number: of the post, by which ``find`` knows it again.
            nonce: Discord makes no second message with it for some minutes.
            reply: id of a message to refer to.
        """
        place = self._place(channel)
        reference = (
            discord.MessageReference(message_id=int(reply), channel_id=int(channel), fail_if_not_exists=False)
            if reply
            else None
        )
        try:
            message = await place.send(
                view=make_layout(screen, images, POST_ID_OFFSET + number),
                files=make_files(images),
                nonce=nonce,
                allowed_mentions=allow_mentions(screen.mention),
                silent=screen.silent,
                reference=reference,  # type: ignore[arg-type]  # the stub forgets None
            )
        except discord.Forbidden as error:
            if not images or error.code == MISSING_ACCESS:
                raise
            return await self.send(channel, _drop_pictures(screen), number=number, nonce=nonce, reply=reply)
        if _read_text(next(iter(message.components), None)) != _read_text(make_layout(screen).children[0]):
            with contextlib.suppress(discord.HTTPException):  # an earlier form of it was sent, whose answer was lost
                await message.edit(
                    view=make_layout(screen, images, POST_ID_OFFSET + number), attachments=make_files(images)
                )
        return str(message.id)

    async def find(
        self, channel: str, numbers: Collection[int], since: int, excluded: str = ""
    ) -> dict[int, str] | None:
        """Return the messages of posts that may have been sent, by their numbers; ``None`` if we may not look.

        Args:
            channel: where to look.
            numbers: of the posts.
            since: the moment the first of them was owed; what is much older is not looked at.
            excluded: id of a message that is not asked for.
        """
        found: dict[int, str] = {}
        oldest = datetime.fromtimestamp(since, UTC) - MAX_CLOCK_ERROR
        try:
            looked = 0
            async for message in self._place(channel).history(limit=MAX_MESSAGES_SEARCHED):
                looked += 1
                if len(found) == len(numbers) or (looked > MIN_MESSAGES_SEARCHED and message.created_at < oldest):
                    break
                first = next(iter(message.components), None)
                if message.author == self._client.user and isinstance(first, discord.TextDisplay) and first.id:
                    number = first.id - POST_ID_OFFSET
                    if number in numbers and str(message.id) != excluded:
                        found[number] = str(message.id)
        except discord.Forbidden:
            return None
        return found

    async def edit(self, channel: str, message: str, screen: Screen, images: Sequence[Image], number: int) -> bool:
        """Edit a message, pictures and all, opening its thread if need be; return whether it still exists."""
        place = self._place(channel).get_partial_message(int(message))
        for again in (True, False):
            try:
                await place.edit(
                    view=make_layout(screen, images, POST_ID_OFFSET + number), attachments=make_files(images)
                )
            except discord.NotFound as error:
                if not is_gone(error):
                    raise
                return False
            except discord.Forbidden:
                if not images:
                    raise
                return await self.edit(channel, message, _drop_pictures(screen), (), number)
            except discord.HTTPException as error:
                if not is_closed(error) or not again:
                    raise
                await self.reopen(channel)
            else:
                return True
        return False

    async def list_newest(self, channel: str) -> list[ShownMessage]:
        """Return our newest messages in a channel."""
        rows = await self._client.http.logs_from(int(channel), MAX_MESSAGES_LOOKED_AT)
        return [_read_shown(row) for row in rows if row["author"]["id"] == str(self.me)]

    async def fetch_shown(self, channel: str, message: str) -> ShownMessage | None:
        """Return a message; ``None`` if there is none.

        Raises:
            discord.HTTPException: we can't look; Unknown Channel if all of it is gone.
        """
        try:
            return _read_shown(await self._client.http.get_message(int(channel), int(message)))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            return None

    async def delete(self, channel: str, message: str) -> bool:
        """Delete a message of ours, if it is still there; return whether it is gone."""
        try:
            await self._place(channel).get_partial_message(int(message)).delete()
        except discord.HTTPException as error:
            return isinstance(error, discord.NotFound) and is_gone(error)
        return True

    async def find_or_make_thread(self, channel: str, message: str, name: str) -> str:
        """Return the thread at a message, or make it; return the channel itself where there can be none.

        A message has one thread at most, with its own id: asking twice makes no
        second one. Without a message, or where its thread was deleted, this makes
        a thread of its own, found again by its name, which ends in the number of
        the table.
        """
        place = self._client.get_channel(int(channel)) or await self._client.fetch_channel(int(channel))
        if not isinstance(place, discord.TextChannel):
            return channel
        number = name.rpartition(" · ")[2]
        name = f"{clip(name.rpartition(' · ')[0], MAX_THREAD_NAME_LENGTH - len(number) - 3)} · {number}"
        try:
            if message:
                with contextlib.suppress(ThreadGoneError):
                    return await self._make_thread_at(place, message, name)
            for thread in place.threads:
                if (thread.name, thread.owner_id) == (name, self.me) and not thread.locked:
                    return str(thread.id)
            kind = discord.ChannelType.public_thread
            made = await place.create_thread(name=name, type=kind, auto_archive_duration=ARCHIVE_AFTER_MINUTES)
        except discord.HTTPException as error:  # a server has a thousand active threads at most
            if error.status not in (400, 403):
                raise
            return channel
        return str(made.id)

    async def _make_thread_at(self, place: discord.TextChannel, message: str, name: str) -> str:
        try:
            thread = await place.get_partial_message(int(message)).create_thread(
                name=name, auto_archive_duration=ARCHIVE_AFTER_MINUTES
            )
        except discord.NotFound as error:
            if error.code == UNKNOWN_MESSAGE:
                raise ThreadGoneError from error
            raise
        except discord.HTTPException as error:
            if error.code != THREAD_EXISTS:
                raise
            if not await self.exists(message):
                raise ThreadGoneError from error
            return message
        return str(thread.id)

    @property
    def me(self) -> int:
        """The bot's own id."""
        return self._client.user.id if self._client.user else 0

    def is_known(self, channel: str) -> bool:
        """Return whether a channel or an active thread is among those the gateway listed."""
        return any(guild.get_channel_or_thread(int(channel)) is not None for guild in self._client.guilds)

    def is_in_guild(self, guild: str) -> bool:
        """Return whether the bot is in a server, as far as it knows; it isn't told about those of other shards."""
        if not guild or not self._client.is_ready():
            return True
        is_ours = (int(guild) >> 22) % (self._client.shard_count or 1) == (self._client.shard_id or 0)
        return not is_ours or self._client.get_guild(int(guild)) is not None

    async def exists(self, channel: str) -> bool:
        """Return whether a channel or thread is there."""
        try:
            await self._client.fetch_channel(int(channel))
        except discord.NotFound as error:
            if not is_gone(error):
                raise
            return False
        except discord.Forbidden:
            return True
        return True

    async def reopen(self, channel: str) -> None:
        """Open an archived or locked thread.

        Raises:
            discord.Forbidden: the bot may not.
        """
        thread = await self._client.fetch_channel(int(channel))
        if isinstance(thread, discord.Thread):
            if thread.locked:
                await thread.edit(archived=False, locked=False)
            else:
                await thread.edit(archived=False)

    async def invite(self, thread: str, users: Collection[str]) -> None:
        """Add people to a thread, so that they find it among theirs; no one's phone rings."""
        for user in users:
            with contextlib.suppress(discord.HTTPException, ValueError):
                await self._client.http.add_user_to_thread(int(thread), int(user))

    async def open_private_channel(self, user: str) -> str:
        """Return the channel for private messages to one person."""
        return str((await self._client.create_dm(discord.Object(int(user)))).id)

    async def pin(self, channel: str, message: str) -> None:
        """Pin a message if the bot may."""
        with contextlib.suppress(discord.HTTPException):
            await self._place(channel).get_partial_message(int(message)).pin()

    def _place(self, channel: str) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(int(channel))


class ThreadGoneError(Exception):
    """The thread of a message was deleted, or the message itself."""


def _drop_pictures(screen: Screen) -> Screen:
    """Return a screen without its pictures, and say that they are missing."""
    return Screen(f"{screen.text}\n{NO_PICTURES}", (), screen.after, screen.menus, screen.rows, screen.mention)


def _read_text(component: object) -> str:
    return component.content.strip() if isinstance(component, discord.TextDisplay | discord.ui.TextDisplay) else ""


def _read_shown(row: Any) -> ShownMessage:  # noqa: ANN401  # JSON, as Discord sends it
    """Return a message as Discord describes it, unparsed: an inspection reads very many."""
    parts = row.get("components") or []
    ids = [str(part.get("custom_id") or "") for outer in parts for part in outer.get("components", ())]
    controls = [control for control in map(read_custom_id, ids) if control is not None]
    first = parts[0].get("id", 0) if parts else 0
    return ShownMessage(
        str(row["channel_id"]), str(row["id"]), max(0, first - POST_ID_OFFSET),
        tuple((each.game, each.version, each.verb, each.arg) for each in controls),
    )  # fmt: skip
