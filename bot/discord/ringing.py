"""Posts that call: whom each rings, and where; those who are awake, at the table or in private, as each wishes."""

from collections.abc import Mapping

import aiohttp
import discord
import msgspec

from bot.discord.channels import Channels
from bot.discord.placing import Placing, is_unsure
from bot.discord.troubles import BlindError, trouble_of
from bot.model import posts
from bot.model.records import Calls, Table
from bot.screens import notices
from bot.screens.screen import Screen
from bot.service import quiet
from bot.service.owed.posted import refused_key
from bot.service.services import Services
from bot.store.outbox import Place, StoredPost

TRIES_IN_PRIVATE = 4
"""Failures of the line, some fifteen seconds, after which a call goes to the table."""
UNDELIVERED = (
    "Discord won't deliver my private message to you. Allow direct messages from members of this server "
    "(server name → Privacy Settings). /me games lists the turns waiting for you."
)


class Ringing:
    """Writes the posts that call, takes from each those whom it must not ring here, and owes them another.

    Args:
        services: what people wish, and what is owed.
        channels: where to write. placing: puts posts into their places.
    """

    def __init__(self, services: Services, channels: Channels, placing: Placing) -> None:
        self.services = services
        self.channels = channels
        self.placing = placing

    async def turn(self, stored: StoredPost, screen: Screen, post: posts.Turn, where: str) -> Screen:
        """Ring nobody who wants peace now; they are called when it ends."""
        calls, now = await self.services.people.calls(*screen.mention), self.services.clock()
        late = {user: now + 60 * wish.delay for user, wish in calls.items() if wish.delay}
        asleep = late | quiet.asleep(calls, now)
        awake = msgspec.structs.replace(screen, mention=tuple(user for user in screen.mention if user not in asleep))
        screen = await self._where_wished(stored, awake, post.ask.headline, where, calls)
        if not asleep:
            return screen
        call = posts.Ping(post.game, post.turn_from, tuple(asleep), post.ask.headline, stored.key)
        key = posts.ping_key(post.game, post.turn_from)
        await self.services.outbox.owe(posts.Owed(key, call, max(asleep.values())))
        return screen

    async def _where_wished(
        self, stored: StoredPost, screen: Screen, headline: str, where: str, calls: Mapping[str, Calls]
    ) -> Screen:
        """Return a call that rings at the table only those who wish it there; others are told in private, or not.

        Args:
            stored: the post that calls.
            screen: with those whom it mentions.
            headline: what is to be done.
            where: the table's name and thread, for who is told in private.
            calls: what each of those wishes whom the screen mentions.
        """
        called = stored.post
        assert isinstance(called, posts.Turn | posts.Ping | posts.OnDeck | posts.Reminder)  # no other post calls
        elsewhere = [user for user in screen.mention if calls[user].place != "table"]
        refused = await self.services.posted.refused(stored.game, called.turn_from, elsewhere)
        elsewhere = [user for user in elsewhere if user not in refused]  # those it called here ring here again
        for user in elsewhere:
            if calls[user].place in ("dm", "both"):
                text = f"{where}: {headline}." + ("" if isinstance(called, posts.OnDeck) else " It's your turn.")
                post = posts.Whisper(stored.game, user, text, turn_from=called.turn_from, headline=headline)
                await self.services.outbox.owe(posts.Owed(f"{stored.key}:dm:{user}", post, self.services.clock()))
        silent = [user for user in elsewhere if calls[user].place != "both"]
        return msgspec.structs.replace(screen, mention=tuple(user for user in screen.mention if user not in silent))

    async def _call_here(self, stored: StoredPost, post: posts.Whisper) -> None:
        """Call somebody at the table whom a private message does not reach, and tell them how to change that."""
        now, key = self.services.clock(), f"{stored.key}:refused"
        owed = posts.Owed(key, posts.Notice(post.game, UNDELIVERED, (post.user,)), now)
        if post.turn_from >= 0:
            follows = posts.turn_key(post.game, post.turn_from)
            call = posts.Ping(post.game, post.turn_from, (post.user,), post.headline, follows, refused=True)
            owed = posts.Owed(refused_key(post.game, post.turn_from, post.user), call, now)
        await self.services.outbox.owe(owed)

    async def ping(self, stored: StoredPost, post: posts.Ping, table: Table) -> Place | None:
        """Mention those who still have to act, in reply to the turn message."""
        turn = await self.services.posted.find(post.follows)
        thread = await self.placing.thread(table)
        if not thread or turn is None or post.turn_from != table.turn_from:
            return None
        headline = _headline(turn, post)
        screen = notices.make_ping(msgspec.structs.replace(post, headline=headline))
        calls = await self.services.people.calls(*post.mention)
        if post.refused:
            already = [user for user in post.mention if calls[user].place == "both"]  # they rang at the table as well
            screen = msgspec.structs.replace(screen, mention=tuple(u for u in screen.mention if u not in already))
        else:
            screen = await self._where_wished(stored, screen, headline, where(table, thread), calls)
        return await self._call(stored, table, thread, screen, turn)

    async def _call(self, stored: StoredPost, table: Table, thread: str, screen: Screen, turn: StoredPost) -> Place:
        reply = turn.message if turn.channel == thread else ""
        return await self.placing.say(stored, table, thread, rung_once(stored, screen), reply=reply)

    async def on_deck(self, stored: StoredPost, post: posts.OnDeck, table: Table) -> Place | None:
        """Tell those who are awake that they are next."""
        thread = await self.placing.thread(table)
        calls = await self.services.people.calls(*post.mention)
        asleep = quiet.asleep(calls, self.services.clock())
        awake = tuple(user for user in post.mention if user not in asleep)
        if not thread or not awake or post.turn_from != table.turn_from or table.state != "running":
            return None
        words = notices.make_on_deck(msgspec.structs.replace(post, mention=awake))
        headline = f"You're next, after {post.headline}"
        screen = await self._where_wished(stored, words, headline, where(table, thread), calls)
        return await self.placing.say(stored, table, thread, rung_once(stored, screen))

    async def reminder(self, stored: StoredPost, post: posts.Reminder, table: Table) -> Place | None:
        """Mention those for whom the table has long waited, but for who wants no reminders."""
        calls = await self.services.people.calls(*post.mention)
        wanted = tuple(user for user in post.mention if calls[user].reminders)
        turn = await self.services.posted.find(post.follows)
        thread = await self.placing.thread(table)
        is_late = turn is None or post.turn_from != table.turn_from or table.state != "running"
        if not wanted or not thread or turn is None or is_late:
            return None
        is_last = post.number >= posts.most_reminders(list(calls.values()))
        headline = _headline(turn, post)
        screen = notices.make_reminder(
            msgspec.structs.replace(post, mention=wanted, headline=headline), is_last=is_last
        )
        screen = await self._where_wished(stored, screen, headline, where(table, thread), calls)
        before = await self.services.posted.find(posts.reminder_key(post.game, post.turn_from, post.number - 1))
        place = await self._call(stored, table, thread, screen, turn)
        if before is not None and before.message:  # one reminder is enough to look at
            await self.channels.delete(before.channel, before.message)
        if is_last:
            await self.services.calling.ask_table(post)
        return place

    async def whisper(self, stored: StoredPost, post: posts.Whisper, table: Table) -> Place | None:
        """Tell one person something in private, or at the table where Discord refuses that."""
        is_over = post.turn_from >= 0 and (post.turn_from != table.turn_from or table.state != "running")
        if is_over or not post.user.isdecimal():  # the user is nobody of Discord
            return None
        try:
            channel = await self.channels.private(post.user)
            stored = await self.placing.found(stored, channel)
            return await self.placing.put(stored, channel, Screen(post.text), [])
        except (discord.DiscordException, aiohttp.ClientError, OSError, BlindError) as error:
            is_late = isinstance(error, discord.RateLimited) or stored.attempts >= TRIES_IN_PRIVATE
            if trouble_of(error) not in ("gone", "forbidden", "form") and not (is_late and post.turn_from >= 0):
                raise
            await self._call_here(stored, post)
            return None


def _headline(turn: StoredPost, call: posts.Ping | posts.Reminder) -> str:
    """Return what a call is about now: a turn may have gone on to another question."""
    if not isinstance(turn.post, posts.Turn) or not set(call.mention) <= set(turn.post.mention):
        return call.headline  # somebody is told to be next
    return turn.post.ask.headline


def where(table: Table, thread: str) -> str:
    """Return a table as it is told to somebody who is elsewhere."""
    return f"“{table.name}” <#{thread}>"


def rung_once(stored: StoredPost, screen: Screen) -> Screen:
    """Return a screen that rings nobody if it may have rung before and could not be looked for."""
    return msgspec.structs.replace(screen, mention=()) if is_unsure(stored) or stored.silent else screen
