"""From a post owed to a message in its place."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from bot.discord.channels import Channels
from bot.discord.show import Image, draw_all
from bot.screens import notices
from bot.screens.desk import Desk
from bot.screens.drawing import Draw
from bot.screens.open_desk import desk_of
from bot.screens.screen import Screen
from bot.service import posts
from bot.service.errors import BotError
from bot.service.records import Home, Position, Table
from bot.service.services import Services
from bot.service.table import Look
from bot.store.outbox import StoredPost
from engine.view import View

Place = tuple[str, str]
"""Channel and message in which a post now stands."""


class PostWriter:
    """Writes each kind of post.

    Args:
        services: what is to be told. draw: draws views off the event loop.
        channels: where to write.
    """

    def __init__(self, services: Services, draw: Draw, channels: Channels) -> None:
        self.channels = channels
        self.services = services
        self.draw = draw

    async def write(self, stored: StoredPost, *, unsure: bool) -> Place | None:
        """Send or edit the message of a post, and return where it stands; ``None`` if it is no longer wanted.

        Args:
            stored: the post.
            unsure: it may have been sent before; then look for it first.
        """
        table = await self.services.lobby.info(stored.game)
        writer = _WRITERS.get(type(stored.post))
        if writer is None:
            return None
        if unsure and not stored.message:
            stored = await self._found(stored, table)
        return await writer(self, stored, stored.post, table)

    async def _found(self, stored: StoredPost, table: Table) -> StoredPost:
        """Return the post with the message it was posted in before a crash, if it was."""
        in_channel = isinstance(stored.post, posts.Lobby) or not table.home.thread
        channel = table.home.channel if in_channel else table.home.thread
        if not channel or isinstance(stored.post, posts.Summary | posts.Pictures):
            return stored
        message = await self.channels.find(channel, stored.id)
        return msgspec.structs.replace(stored, channel=channel, message=message) if message else stored

    async def _put(
        self, stored: StoredPost, channel: str, screen: Screen, images: list[Image], reply: str = ""
    ) -> Place:
        """Edit the message of a post, or send it where it has none or it is gone."""
        if stored.message and await self.channels.edit(stored.channel, stored.message, screen, images, stored.id):
            return stored.channel, stored.message
        nonce = f"sm{stored.id}.{stored.revision}"
        sent = await self.channels.send(channel, screen, images, number=stored.id, nonce=nonce, reply=reply)
        return channel, sent

    async def _thread(self, table: Table) -> str:
        """Return the thread of a table, made at its lobby message if need be."""
        if table.home.thread or not table.home.channel:
            return table.home.thread
        lobby = await self.services.posted.find(f"{table.id}:lobby")
        channel, message = (lobby.channel, lobby.message) if lobby and lobby.message else (table.home.channel, "")
        thread = await self.channels.thread_for(channel, message, f"{table.title} · {table.name} · #{table.id}")
        await self.services.lobby.settle(table.id, Home(thread=thread))
        return thread

    async def lobby(self, stored: StoredPost, post: posts.Lobby, table: Table) -> Place | None:
        """Write the lobby message; once the game runs it tells where."""
        del post
        if not table.home.channel:
            return None
        if table.started is not None and stored.message:
            await self._thread(table)
            table = await self.services.lobby.info(table.id)
        return await self._put(stored, table.home.channel, notices.lobby(table), [])

    async def card(self, stored: StoredPost, post: posts.Card, table: Table) -> Place | None:
        """Write the table message, in a thread of its own, and pin it."""
        del post
        thread = await self._thread(table)
        if not thread:
            return None
        here = await self.services.table.position(table.id)
        picture = next((p.name for p in here.game.title.pictures if p.every_turn and not p.about), None)
        seen = (await self.services.table.look(table.id, "", Look(picture)),) if picture else ()
        log = await self.services.table.log(table.id, max(0, here.version - 2 * notices.MOST_LOG))
        images = await draw_all(seen, self.draw)
        place = await self._put(stored, thread, notices.card(here, log, seen), images)
        if place[1] != table.home.message:
            await self.channels.pin(*place)
            await self.services.lobby.settle(table.id, Home(message=place[1]))
        return place

    async def turn(self, stored: StoredPost, post: posts.Turn, table: Table) -> Place | None:
        """Write the turn message; its pictures follow, so that the ping does not wait for them.

        Within the turn it is edited, with pictures of the position as it is now: after a
        move, or when a longer search has found a better button.
        """
        here = await self.services.table.position(table.id)
        thread = await self._thread(table)
        if not thread or post.turn_from != here.table.turn_from or not here.actors:
            return None
        screen = notices.turn(post, here, await self._desk(here))
        if not stored.message:
            return await self._put(stored, thread, await self._let_sleep(stored, screen, post), [])
        shown = await self.services.posted.find(posts.pictures_key(table.id, here.version))
        since = sum(position < post.turn_from for position in here.game.line)
        if shown is not None and isinstance(shown.post, posts.Pictures):
            since = shown.post.since  # nobody has moved since: the same is new
        seen = await self._seen(table, here.game.pictures(), None, since)
        return await self._put(stored, thread, screen, await draw_all(seen, self.draw))

    async def _desk(self, here: Position) -> Desk | None:
        """Return the desk of the one who must act, for the buttons of the turn message."""
        seats = here.ask().seats
        if len(seats) != 1:
            return None
        return await desk_of(self.services, here, seats[0])

    async def summary(self, stored: StoredPost, post: posts.Summary, table: Table) -> Place | None:
        """Turn the old turn message into its line of result."""
        turn = await self.services.posted.find(post.follows)
        screen = notices.summary(post)
        if turn is not None and turn.message:
            there = await self.channels.edit(turn.channel, turn.message, screen, [], turn.id)
            if there:
                return turn.channel, turn.message
        thread = await self._thread(table)
        return await self._put(stored, thread, screen, []) if thread else None

    async def pictures(self, stored: StoredPost, post: posts.Pictures, table: Table) -> Place | None:
        """Add the pictures of the turn to its message, or to the end of the game."""
        del stored
        above = await self.services.posted.find(post.follows)
        here = await self.services.table.position(table.id)
        if above is None or (isinstance(above.post, posts.Turn) and above.post.turn_from != here.table.turn_from):
            return None
        if not above.message:
            raise BotError("The message that these pictures belong to is not there yet.")
        at = None if post.move == len(here.game.line) else post.move
        images = await draw_all(await self._seen(table, post.pictures, at, post.since), self.draw)
        if isinstance(above.post, posts.Turn):
            screen = notices.turn(above.post, here, await self._desk(here))
        elif isinstance(above.post, posts.End):
            screen = notices.end(above.post, table)
        else:
            return None
        await self.channels.edit(above.channel, above.message, screen, images, above.id)
        return above.channel, above.message

    async def _seen(self, table: Table, names: Sequence[str], at: int | None, since: int) -> list[View]:
        """Return pictures as a bystander sees them."""
        looks = [Look(name, at=at, since=since) for name in names]
        return [await self.services.table.look(table.id, "", look) for look in looks]

    async def ping(self, stored: StoredPost, post: posts.Ping, table: Table) -> Place | None:
        """Mention those who still have to act, in reply to the turn message."""
        turn = await self.services.posted.find(post.follows)
        thread = await self._thread(table)
        if not thread or turn is None or post.turn_from != table.turn_from:
            return None
        return await self._put(stored, thread, notices.ping(post), [], turn.message)

    async def _let_sleep(self, stored: StoredPost, screen: Screen, post: posts.Turn) -> Screen:
        """Ring nobody who wants peace now; they are called when it ends."""
        asleep = await self.services.preferences.asleep(screen.mention)
        if not asleep:
            return screen
        call = posts.Ping(post.game, post.turn_from, tuple(asleep), post.ask.headline, stored.key)
        key = f"{post.game}:ping:{post.turn_from}"
        await self.services.outbox.owe(posts.Owed(key, call, max(asleep.values())))
        return msgspec.structs.replace(screen, mention=tuple(user for user in screen.mention if user not in asleep))

    async def reminder(self, stored: StoredPost, post: posts.Reminder, table: Table) -> Place | None:
        """Mention those for whom the table has long waited, but for who wants no reminders."""
        calls = await self.services.preferences.calls(*post.mention)
        wanted = tuple(user for user in post.mention if calls[user].reminders)
        turn = await self.services.posted.find(post.follows)
        if not wanted or turn is None or post.turn_from != table.turn_from or table.state != "running":
            return None
        screen = notices.reminder(msgspec.structs.replace(post, mention=wanted))
        return await self._put(stored, await self._thread(table), screen, [], turn.message)

    async def notice(self, stored: StoredPost, post: posts.Notice, table: Table) -> Place | None:
        """Tell the table a sentence."""
        channel = table.home.thread or table.home.channel
        return await self._put(stored, channel, notices.notice(post), []) if channel else None

    async def ballot(self, stored: StoredPost, post: posts.Ballot, table: Table) -> Place | None:
        """Write a proposal as it stands."""
        asked = await self.services.consent.proposal(post.proposal)
        thread = await self._thread(table)
        if asked is None or not thread:
            return None
        return await self._put(stored, thread, notices.ballot(post, asked, table), [])

    async def end(self, stored: StoredPost, post: posts.End, table: Table) -> Place | None:
        """Announce the end."""
        thread = await self._thread(table)
        return await self._put(stored, thread, notices.end(post, table), []) if thread else None


_WRITERS: dict[type[posts.Post], Callable[[PostWriter, StoredPost, Any, Table], Awaitable[Place | None]]] = {
    posts.Lobby: PostWriter.lobby,
    posts.Card: PostWriter.card,
    posts.Turn: PostWriter.turn,
    posts.Summary: PostWriter.summary,
    posts.Pictures: PostWriter.pictures,
    posts.Ping: PostWriter.ping,
    posts.Reminder: PostWriter.reminder,
    posts.Notice: PostWriter.notice,
    posts.Ballot: PostWriter.ballot,
    posts.End: PostWriter.end,
}  # each writer takes its own kind of post: Any
