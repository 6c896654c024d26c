"""Where the post of a table goes: its message, its thread, or the channel above where the thread takes nothing."""

from collections import Counter
from collections.abc import Sequence

import discord
import msgspec

from bot.discord.channels import Channels
from bot.discord.components import Image
from bot.discord.errors import BlindError, NoThreadError, classify_error, is_closed
from bot.model.records import Home, Table
from bot.screens.screen import Screen, clip, format_base36
from bot.service.services import Services
from bot.store.outbox import Place, StoredPost
from engine import TITLES

REFUSALS_BEFORE_PLAIN = 2
REFUSALS_BEFORE_WORDS = 3
REFUSALS_BEFORE_ANYTHING = 4
"""From then on the whole message is tried in the thread and a plain one above it, in turns."""
MAX_PLAIN_LENGTH = 1500
MAX_BLIND_ATTEMPTS = 60
"""Tries, a minute apart, after which a post that may be where we may not look is sent, and mentions no one."""


class PostPlacement:
    """Puts posts into their places, once.

    Args:
        services: where posts stand. channels: where to write.
    """

    def __init__(self, services: Services, channels: Channels) -> None:
        self.services = services
        self.channels = channels
        self.form_refusals: Counter[int] = Counter()
        """How often Discord refused the form of a post, by its number; a post that was sent is not among them."""

    async def send_or_edit(
        self, stored: StoredPost, channel: str, screen: Screen, images: Sequence[Image] = ()
    ) -> Place:
        """Edit the message of a post, or send it where it has none or it is gone."""
        if stored.message and await self._edit(stored, screen, images):
            return stored.channel, stored.message
        return await self._send(stored, channel, screen, images)

    async def edit(self, stored: StoredPost, table: Table, screen: Screen, images: Sequence[Image] = ()) -> bool:
        """Edit the message of a post where it stands; return whether it still exists."""
        return await self._edit(stored, self._frame(table, stored.channel, table.home.thread, screen), images)

    async def post_at_table(
        self,
        stored: StoredPost,
        table: Table,
        thread: str,
        screen: Screen,
        images: Sequence[Image] = (),
        reply: str = "",
    ) -> Place:
        """Put a post into the thread of a table, or where that takes nothing into the channel above, with the reason.

        A post that has a message is edited where it is.

        Raises:
            discord.HTTPException: neither takes it.
        """
        if stored.message and await self._edit(stored, self._frame(table, stored.channel, thread, screen), images):
            return stored.channel, stored.message
        above = table.home.channel
        has_other = above not in ("", thread)
        try:
            if has_other and _must_go_above(self.form_refusals[stored.id]):
                why = "Discord refuses my post there"
            else:
                place = await self._send_to_thread(stored, thread, screen, images, reply)
                await self.services.lobby.set_barred(table, "")
                return place
        except discord.HTTPException as error:
            if not has_other or not (isinstance(error, discord.Forbidden) or is_closed(error)):
                raise
            if is_unsure(stored):  # it may be there, where we may not look: try again soon, but never post it twice
                raise
            why = "it's locked" if is_closed(error) else "I lack a permission there"
        table = await self.services.lobby.set_barred(table, why)
        return await self._send(stored, above, self._frame(table, above, thread, screen))

    def _frame(self, table: Table, place: str, thread: str, screen: Screen) -> Screen:
        """Return a screen as it is shown in a place: above the thread with the table's name, and the reason."""
        if place != table.home.channel or thread in ("", place):
            return screen
        text = f"**{table.name}** — {screen.text}"
        if table.barred:
            text += (
                f"\n-# I can't post in <#{thread}>: {table.barred}. A server manager can fix that, "
                f"or the host can move the table: **/game move game:{table.id}**."
            )
        return msgspec.structs.replace(screen, text=text)

    async def _send_to_thread(
        self, stored: StoredPost, thread: str, screen: Screen, images: Sequence[Image], reply: str
    ) -> Place:
        try:
            return await self._send(stored, thread, screen, images, reply)
        except discord.HTTPException as error:
            if not is_closed(error):
                raise
            try:
                await self.channels.reopen(thread)
            except discord.HTTPException:
                raise error from None
            return await self._send(stored, thread, screen, images, reply)

    async def _edit(self, stored: StoredPost, screen: Screen, images: Sequence[Image]) -> bool:
        screen, images = self._simplify(stored, screen, images)
        return await self.channels.edit(stored.channel, stored.message, screen, images, stored.id)

    async def _send(
        self, stored: StoredPost, channel: str, screen: Screen, images: Sequence[Image] = (), reply: str = ""
    ) -> Place:
        if not self.services.outbox.holds(stored.batch):
            raise TimeoutError("this process stalled, and another serves the table now")
        nonce = f"sm{stored.id}.{format_base36(stored.created)}"
        if stored.message:  # that of the first nonce is gone
            nonce = f"sm{stored.id}.{stored.revision}"
        screen, images = self._simplify(stored, screen, images)
        sent = await self.channels.send(channel, screen, images, number=stored.id, nonce=nonce, reply=reply)
        return channel, sent

    def _simplify(self, stored: StoredPost, screen: Screen, images: Sequence[Image]) -> tuple[Screen, Sequence[Image]]:
        """Return a simpler form of a message that Discord refused: no table may stop for a picture or button.

        After two refusals it has its words and its first button, after three its words; then all of it is
        tried again, and the words with a button above the thread, in turns.
        """
        refused = self.form_refusals[stored.id]
        if refused == REFUSALS_BEFORE_WORDS:
            hint = "\n-# **/act menu** opens your desk." if screen.rows else ""
            return Screen(make_plain(screen).text + hint, mention=screen.mention), ()
        if refused == REFUSALS_BEFORE_PLAIN or _must_go_above(refused):
            return make_plain(screen), ()
        return screen, images

    async def locate(self, stored: StoredPost, *channels: str) -> StoredPost:
        """Return a post with the message that was sent for it without being noted, if there is one.

        Where the bot may not look back for long the post stays unsure; it must then mention no one.

        Raises:
            BlindError: we may not look, and haven't waited long yet.
        """
        stored = self.services.outbox.add_known_place(stored)
        if not is_unsure(stored):
            return stored
        for channel in dict.fromkeys(each for each in channels if each):
            found = await self.channels.find(channel, [stored.id], stored.created)
            if found is None:
                refuse_to_send_blindly(stored)
                return stored
            if stored.id in found:
                return msgspec.structs.replace(stored, channel=channel, message=found[stored.id])
        return msgspec.structs.replace(stored, unsure=False)

    async def find_or_make_thread(self, table: Table) -> str:
        """Return the thread of a table; make it at its lobby message if need be.

        Raises:
            NoThreadError: Discord refuses.
        """
        if table.home.thread or not table.home.channel:
            return table.home.thread
        lobby = await self.services.posted.find_post(f"{table.id}:lobby")
        channel, message = (lobby.channel, lobby.message) if lobby and lobby.message else (table.home.channel, "")
        if channel != table.home.channel:
            channel, message = table.home.channel, ""
        name = f"{TITLES[table.title].short_name} · {table.name} · #{table.id}"
        try:
            thread = await self.channels.find_or_make_thread(channel, message, name)
        except discord.HTTPException as error:
            if classify_error(error) != "form":
                raise
            raise NoThreadError(str(error)) from error
        await self.services.lobby.set_home(table.id, Home(thread=thread))
        if thread != table.home.channel and table.started is not None:
            await self.channels.invite(thread, table.people)
        return thread


def _must_go_above(refused: int) -> bool:
    """Return whether a post that Discord refused so often is tried above the thread."""
    return refused > REFUSALS_BEFORE_ANYTHING and refused % 2 == 1


def is_unsure(stored: StoredPost) -> bool:
    """Return whether a post may have been sent already."""
    return stored.unsure and not stored.message


def refuse_to_send_blindly(stored: StoredPost) -> None:
    """Let a post wait that may be where we may not look: posting late is better than posting twice.

    Raises:
        BlindError: it has not waited long yet.
    """
    if stored.attempts < MAX_BLIND_ATTEMPTS:
        raise BlindError("It may already be there, but I can't check: I need Read Message History.")


def make_plain(screen: Screen) -> Screen:
    """Return a screen with its words and only the first of its buttons, which opens the desk."""
    first = screen.rows[0][:1] if screen.rows else ()
    return Screen(clip(screen.text, MAX_PLAIN_LENGTH), rows=(first,) if first else (), mention=screen.mention)
