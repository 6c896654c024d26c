"""Messages in channels and threads, by their ids: sent once, edited in place, found again."""

from collections.abc import Sequence
from typing import Literal

import discord

from bot.discord.show import Image, files, layout, pings
from bot.screens.screen import Screen

ARCHIVED = 50083
UNKNOWN_MESSAGE = 10008
THREAD_EXISTS = 160004
WEEK: Literal[10080] = 10080
MARK = 1000
LOOK_BACK = 30


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
        """Send a message and return its id.

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
        message = await place.send(
            view=layout(screen, images, MARK + number),
            files=files(images),
            nonce=nonce,
            allowed_mentions=pings(screen.mention),
            reference=reference,  # type: ignore[arg-type]  # the stub forgets None
        )
        return str(message.id)

    async def find(self, channel: str, number: int) -> str:
        """Return the id of a post that may have been sent before a crash; empty if it was not."""
        me = self._client.user
        try:
            async for message in self._place(channel).history(limit=LOOK_BACK):
                first = next(iter(message.components), None)
                if message.author == me and isinstance(first, discord.TextDisplay) and first.id == MARK + number:
                    return str(message.id)
        except (discord.Forbidden, discord.NotFound):
            return ""
        return ""

    async def edit(self, channel: str, message: str, screen: Screen, images: Sequence[Image], number: int) -> bool:
        """Edit a message, pictures and all, waking its thread if need be; tell whether it still exists."""
        place = self._place(channel).get_partial_message(int(message))
        for again in (True, False):
            try:
                await place.edit(view=layout(screen, images, MARK + number), attachments=files(images))
            except discord.NotFound:
                return False
            except discord.HTTPException as error:
                if error.code != ARCHIVED or not again:
                    raise
                await self._wake(channel)
            else:
                return True
        return False

    async def thread_for(self, channel: str, message: str, name: str) -> str:
        """Return the thread at a message, made if need be; the channel itself where there can be none.

        A message has one thread at most, with its own id: asking twice makes no second one.
        Without a message a thread of its own is made.
        """
        place = self._client.get_channel(int(channel)) or await self._client.fetch_channel(int(channel))
        if not isinstance(place, discord.TextChannel):
            return channel
        try:
            if message:
                start = place.get_partial_message(int(message))
                thread = await start.create_thread(name=name[:100], auto_archive_duration=WEEK)
            else:
                kind = discord.ChannelType.public_thread
                thread = await place.create_thread(name=name[:100], type=kind, auto_archive_duration=WEEK)
        except discord.Forbidden:
            return channel
        except discord.HTTPException as error:
            if error.code != THREAD_EXISTS:
                raise
            return message
        return str(thread.id)

    async def pin(self, channel: str, message: str) -> None:
        """Pin a message if the bot may."""
        try:
            await self._place(channel).get_partial_message(int(message)).pin()
        except discord.HTTPException:
            return

    def _place(self, channel: str) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(int(channel))

    async def _wake(self, channel: str) -> None:
        thread = await self._client.fetch_channel(int(channel))
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)
