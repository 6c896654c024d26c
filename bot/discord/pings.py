"""Posts that ping players: only those who are awake, at the table or by private message, as each prefers."""

from collections.abc import Mapping

import aiohttp
import discord
import msgspec

from bot.discord.channels import Channels
from bot.discord.errors import BlindError, classify_error
from bot.discord.placement import PostPlacement, is_unsure
from bot.model import posts
from bot.model.records import Calls, Table
from bot.screens import notices
from bot.screens.screen import Screen
from bot.service import quiet
from bot.service.outbox import build_fallback_key
from bot.service.services import Services
from bot.store.outbox import Place, StoredPost

MAX_PRIVATE_ATTEMPTS = 4
"""Failures of the connection, some fifteen seconds, after which a ping goes to the table."""
OUTDATED = "-# This ping is out of date."
UNDELIVERED = (
    "Discord won't deliver my private message to you. Allow direct messages from members of this server "
    "(server name → Privacy Settings). /me games lists the turns waiting for you."
)


class PingWriter:
    """Writes the posts that ping; a person who must not be pinged here or now gets another post.

    Args:
        services: what people prefer, and what is owed.
        channels: where to write. placement: puts posts into their places.
    """

    def __init__(self, services: Services, channels: Channels, placement: PostPlacement) -> None:
        self.services = services
        self.channels = channels
        self.placement = placement

    async def call_for_turn(self, stored: StoredPost, screen: Screen, post: posts.Turn, where: str) -> Screen:
        """Return a turn message that pings no one in quiet time; they are pinged when it ends."""
        calls, now = await self.services.people.get_calls(*screen.mention), self.services.clock()
        late = {user: now + 60 * wish.delay for user, wish in calls.items() if wish.delay}
        asleep = late | quiet.find_asleep(calls, now)
        awake = msgspec.structs.replace(screen, mention=tuple(user for user in screen.mention if user not in asleep))
        screen = await self._redirect_calls(stored, awake, post.ask.headline, where, calls)
        if not asleep:
            return screen
        call = posts.Ping(post.game, post.turn_from, tuple(asleep), post.ask.headline, stored.key)
        key = posts.build_ping_key(post.game, post.turn_from)
        await self.services.outbox.owe(posts.Owed(key, call, max(asleep.values())))
        return screen

    async def _redirect_calls(
        self, stored: StoredPost, screen: Screen, headline: str, where: str, calls: Mapping[str, Calls]
    ) -> Screen:
        """Return a message that pings only those who want that at the table; the others get private messages, or none.

        Args:
            stored: the post that pings.
            screen: with those whom it mentions.
            headline: what is to be done.
            where: the table's name and thread, for private messages.
            calls: the preferences of those whom the screen mentions.
        """
        called = stored.post
        assert isinstance(called, posts.Turn | posts.Ping | posts.OnDeck | posts.Reminder)  # no other post pings
        elsewhere = [user for user in screen.mention if calls[user].place != "table"]
        refused = await self.services.posted.find_unreachable(stored.game, called.turn_from, elsewhere)
        elsewhere = [user for user in elsewhere if user not in refused]  # they are pinged here
        for user in elsewhere:
            if calls[user].place in ("dm", "both"):
                text = f"{where}: {headline}." + ("" if isinstance(called, posts.OnDeck) else " It's your turn.")
                post = posts.Whisper(stored.game, user, text, turn_from=called.turn_from, headline=headline)
                await self.services.outbox.owe(posts.Owed(f"{stored.key}:dm:{user}", post, self.services.clock()))
        silent = [user for user in elsewhere if calls[user].place != "both"]
        return msgspec.structs.replace(screen, mention=tuple(user for user in screen.mention if user not in silent))

    async def _call_at_table(self, stored: StoredPost, post: posts.Whisper) -> None:
        """Ping a person at the table whom private messages don't reach, and explain how to change that."""
        now, key = self.services.clock(), f"{stored.key}:refused"
        owed = posts.Owed(key, posts.Notice(post.game, UNDELIVERED, (post.user,)), now)
        if post.turn_from >= 0:
            follows = posts.build_turn_key(post.game, post.turn_from)
            call = posts.Ping(post.game, post.turn_from, (post.user,), post.headline, follows, refused=True)
            owed = posts.Owed(build_fallback_key(post.game, post.turn_from, post.user), call, now)
        await self.services.outbox.owe(owed)

    async def write_ping(self, stored: StoredPost, post: posts.Ping, table: Table) -> Place | None:
        """Mention those who still have to act, in reply to the turn message."""
        turn = await self.services.posted.find_post(post.follows)
        thread = await self.placement.find_or_make_thread(table)
        if not thread or post.turn_from != table.turn_from:
            return None
        headline = _find_headline(turn, post)
        screen = notices.make_ping(msgspec.structs.replace(post, headline=headline))
        calls = await self.services.people.get_calls(*post.mention)
        if post.refused:
            already = [user for user in post.mention if calls[user].place == "both"]  # they were pinged here as well
            screen = msgspec.structs.replace(screen, mention=tuple(u for u in screen.mention if u not in already))
        else:
            screen = await self._redirect_calls(stored, screen, headline, name_table(table, thread), calls)
        return await self._reply_to_turn(stored, table, thread, screen, turn)

    async def _reply_to_turn(
        self, stored: StoredPost, table: Table, thread: str, screen: Screen, turn: StoredPost | None
    ) -> Place:
        """Post a call in reply to the turn message; without it if the store has lost that."""
        reply = turn.message if turn is not None and turn.channel == thread else ""
        return await self.placement.post_at_table(
            stored, table, thread, drop_repeated_mentions(stored, screen), reply=reply
        )

    async def write_on_deck(self, stored: StoredPost, post: posts.OnDeck, table: Table) -> Place | None:
        """Ping those who are awake and probably next."""
        thread = await self.placement.find_or_make_thread(table)
        calls = await self.services.people.get_calls(*post.mention)
        asleep = quiet.find_asleep(calls, self.services.clock())
        awake = tuple(user for user in post.mention if user not in asleep)
        if not thread or not awake or post.turn_from != table.turn_from or table.state != "running":
            return None
        words = notices.make_on_deck(msgspec.structs.replace(post, mention=awake))
        headline = f"You're next, after {post.headline}"
        screen = await self._redirect_calls(stored, words, headline, name_table(table, thread), calls)
        return await self.placement.post_at_table(stored, table, thread, drop_repeated_mentions(stored, screen))

    async def write_reminder(self, stored: StoredPost, post: posts.Reminder, table: Table) -> Place | None:
        """Mention those for whom the table has long waited, except those who want no reminders."""
        calls = await self.services.people.get_calls(*post.mention)
        wanted = tuple(user for user in post.mention if calls[user].reminders)
        turn = await self.services.posted.find_post(post.follows)
        thread = await self.placement.find_or_make_thread(table)
        is_late = post.turn_from != table.turn_from or table.state != "running"
        if not wanted or not thread or is_late:
            return None
        is_last = post.number >= posts.find_max_reminders(list(calls.values()))
        headline = _find_headline(turn, post)
        screen = notices.make_reminder(
            msgspec.structs.replace(post, mention=wanted, headline=headline), is_last=is_last
        )
        screen = await self._redirect_calls(stored, screen, headline, name_table(table, thread), calls)
        key = posts.build_reminder_key(post.game, post.turn_from, post.number - 1)
        before = await self.services.posted.find_post(key)
        place = await self._reply_to_turn(stored, table, thread, screen, turn)
        if before is not None and before.message:  # one reminder is enough
            await self.channels.delete(before.channel, before.message)
        if is_last:
            await self.services.calling.propose_stand_in(post)
        return place

    async def delete_old_call(self, stored: StoredPost, post: posts.OldCall, table: Table) -> Place | None:
        """Delete a call to players who needn't act any more, if it was ever sent; edit it if that fails."""
        del post
        if stored.message and not await self.channels.delete(stored.channel, stored.message):
            await self.placement.edit(stored, table, Screen(OUTDATED))
        return "", ""

    async def write_whisper(self, stored: StoredPost, post: posts.Whisper, table: Table) -> Place | None:
        """Send one person a private message, or ping them at the table where Discord refuses that."""
        is_over = post.turn_from >= 0 and (post.turn_from != table.turn_from or table.state != "running")
        if is_over or not post.user.isdecimal():  # the user has no account in Discord
            return None
        try:
            channel = await self.channels.open_private_channel(post.user)
            stored = await self.placement.locate(stored, channel)
            return await self.placement.send_or_edit(stored, channel, Screen(post.text), [])
        except (discord.DiscordException, aiohttp.ClientError, OSError, BlindError) as error:
            is_late = isinstance(error, discord.RateLimited) or stored.attempts >= MAX_PRIVATE_ATTEMPTS
            if classify_error(error) not in ("gone", "forbidden", "form") and not (is_late and post.turn_from >= 0):
                raise
            await self._call_at_table(stored, post)
            return None


def _find_headline(turn: StoredPost | None, call: posts.Ping | posts.Reminder) -> str:
    """Return what a ping is about now: a turn may have moved on to another question."""
    now = turn.post if turn is not None else None
    if not isinstance(now, posts.Turn) or not set(call.mention) <= set(now.mention):
        return call.headline  # it is about the next player
    return now.ask.headline


def name_table(table: Table, thread: str) -> str:
    """Return the name of a table with a link to its thread."""
    return f"“{table.name}” <#{thread}>"


def drop_repeated_mentions(stored: StoredPost, screen: Screen) -> Screen:
    """Return a screen without mentions if it was sent before, though its message may be gone, or may have been."""
    may_have_rung = stored.message or stored.silent or is_unsure(stored)
    return msgspec.structs.replace(screen, mention=()) if may_have_rung else screen
