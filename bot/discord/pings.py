"""Pings: in reply to the post that asks, or by private message."""

import aiohttp
import discord
import msgspec

from bot.discord.channels import Channels
from bot.discord.errors import BlindError, classify_error
from bot.discord.placement import PostPlacement, is_unsure
from bot.model import posts
from bot.model.records import Table
from bot.screens import notices
from bot.screens.screen import Button, Control, Screen
from bot.service.services import Services
from bot.store.outbox import Place, StoredPost

MAX_PRIVATE_ATTEMPTS = 4
"""Failures of the connection, some fifteen seconds, after which a ping goes to the table."""
OUTDATED = "-# This ping is out of date."
_NOWHERE = " Its channel was deleted: to move the table, use /game move game:{game} in another channel."
AnyWord = posts.Notice | posts.Prompt | posts.BidPrompt
UNDELIVERED = (
    "Discord doesn't deliver your digest. /me games lists the turns waiting for you.\n-# Allow direct messages from "
    "members of this server (server name → Privacy Settings)."
)


class PingWriter:
    """Writes the posts that ping.

    Args:
        services: what is asked of whom.
        channels: where to write. placement: puts posts into their places.
    """

    def __init__(self, services: Services, channels: Channels, placement: PostPlacement) -> None:
        self.services = services
        self.channels = channels
        self.placement = placement

    async def write_ping(self, stored: StoredPost, post: posts.Ping, table: Table) -> Place | None:
        """Ping those who are still asked for something, in reply to the post that asks, or in private."""
        asking = await self.services.posted.find_post(post.follows)
        users = await self.services.obligations.list_still_asked(post)
        if not users:
            return None
        thread = table.home.thread or table.home.channel
        if table.state == "running":
            thread = await self.placement.find_or_make_thread(table)
        if not thread and not (post.private and table.is_lost):
            return None
        what = await self._describe_question(post, asking, table)
        if post.private:
            is_turn = ":turn:" in post.follows
            note = f" {post.note}" if post.note else ""
            turn = f" It's {'still ' * bool(post.number)}your turn." if is_turn and not note else note
            where = "" if thread else _NOWHERE.format(game=table.id)
            later = notices.make_snooze_buttons(table.id, int(post.follows.rpartition(":")[2])) if is_turn else ()
            jump = ""
            if is_turn and asking is not None and asking.message and table.home.guild:
                place = f"{table.home.guild}/{asking.channel}/{asking.message}"
                jump = f" [See the turn](https://discord.com/channels/{place})"
            act = Button("Act", Control(table.id, 0, "act"), "main")
            rows = ((act, *later),) if is_turn else ()
            text = f"{name_table(table, thread)}: {what}.{turn}{where}{jump}"
            screen = Screen(text, rows=rows, silent=post.silent)
            return await self._write_private(stored, post, screen)
        ping = msgspec.structs.replace(post, mention=users)
        reply = asking.message if asking is not None and asking.channel == thread else ""
        screen = drop_repeated_mentions(stored, notices.make_ping(ping, what, table, is_reply=bool(reply)))
        if post.refused and (await self.services.people.get_calls(*users))[users[0]].place == "both":
            screen = msgspec.structs.replace(screen, mention=())  # they were pinged here as well
        return await self.placement.post_at_table(stored, table, thread, screen, reply=reply)

    async def _describe_question(self, ping: posts.Ping, asking: StoredPost | None, table: Table) -> str:
        """Return what is asked or told, in a few words; the post that does may be lost."""
        kind, number = ping.follows.split(":")[1], ping.follows.rpartition(":")[2]
        if kind == "turn":
            return (await self.services.table.load_position(table.id)).ask().headline
        if kind == "ballot":
            asked = await self.services.consent.get_proposal(int(number))
            return notices.describe_proposal(asked, table) if asked is not None else "Your vote is needed"
        told = str(getattr(asking.post if asking is not None else None, "text", "Your answer is needed"))
        return (told if ping.private else told.partition("\n")[0]).rstrip(".")

    async def _write_private(self, stored: StoredPost, post: posts.Ping, screen: Screen) -> Place | None:
        """Ping a person by private message, or at the table where Discord refuses that."""
        try:
            return await self._send_private(stored, post.mention[0], screen)
        except (discord.DiscordException, aiohttp.ClientError, OSError, BlindError) as error:
            is_late = isinstance(error, discord.RateLimited) or stored.attempts >= MAX_PRIVATE_ATTEMPTS
            if classify_error(error) not in ("gone", "forbidden", "form") and not is_late:
                raise
            await self.services.obligations.note_unreachable(post)
            return None

    async def _send_private(self, stored: StoredPost, user: str, screen: Screen) -> Place:
        channel = await self.channels.open_private_channel(user)
        stored = await self.placement.locate(stored, channel)
        return await self.placement.send_or_edit(stored, channel, screen, [])

    async def write_on_deck(self, stored: StoredPost, post: posts.OnDeck, table: Table) -> Place | None:
        """Tell the player who is probably next; whom it pings elsewhere or later is not named here."""
        thread = await self.placement.find_or_make_thread(table)
        if not thread or post.turn_from != table.turn_from or table.state != "running":
            return None
        if not post.pings:
            return "", ""
        return await self.placement.post_at_table(
            stored, table, thread, drop_repeated_mentions(stored, notices.make_on_deck(post, table))
        )

    async def write_stop_note(self, stored: StoredPost, post: posts.StopNote, table: Table) -> Place | None:
        """Write nothing at the table: only its owner may know of an order."""
        del stored, post, table
        return "", ""

    async def tell_in_private(self, stored: StoredPost, post: AnyWord, table: Table) -> None:
        """Owe each player of a table whose channel is gone what would have stood there, but to those it pings."""
        asked = () if isinstance(post, posts.Notice) else post.mention
        for user in (each for each in table.people if each.isdecimal() and each not in asked):
            words = f"“{table.name}” (game {table.id}): {post.text}"
            whisper = posts.Whisper(table.id, user, words, silent=True)
            await self.services.outbox.owe(posts.Owed(f"{stored.key}:dm:{user}", whisper, self.services.clock()))

    async def delete_old_call(self, stored: StoredPost, post: posts.OldCall, table: Table) -> Place | None:
        """Delete a ping that was answered, if it was ever sent; edit it if that fails."""
        del post
        if stored.message and not await self.channels.delete(stored.channel, stored.message):
            await self.placement.edit(stored, table, Screen(OUTDATED))
        return "", ""

    async def write_whisper(self, stored: StoredPost, post: posts.Whisper, table: Table) -> Place | None:
        """Tell one person something in private; if Discord refuses that, the table asks them to allow it for a digest.

        Of what was only to be told they read at the table, once it has a place again.
        """
        if not post.user.isdecimal():  # the user has no account in Discord
            return None
        try:
            return await self._send_private(stored, post.user, Screen(post.text, silent=post.silent))
        except (discord.DiscordException, aiohttp.ClientError, OSError, BlindError) as error:
            if classify_error(error) not in ("gone", "forbidden", "form"):
                raise
            if not (post.silent or table.is_lost):
                prompt = posts.Prompt(table.id, UNDELIVERED, (post.user,))
                await self.services.outbox.owe(posts.Owed(f"{stored.key}:refused", prompt, self.services.clock()))
            return None


def name_table(table: Table, thread: str) -> str:
    """Return the name of a table with a link to its thread, or with its number where it has none."""
    return f"“{table.name}” <#{thread}>" if thread else f"“{table.name}” (game {table.id})"


def drop_repeated_mentions(stored: StoredPost, screen: Screen) -> Screen:
    """Return a screen without mentions if it was sent before, though its message may be gone, or may have been."""
    may_have_rung = stored.message or stored.silent or is_unsure(stored)
    return msgspec.structs.replace(screen, mention=()) if may_have_rung else screen
