"""Whom a message rings, and where: those who are awake, at the table or in private, as each wishes."""

from collections.abc import Mapping

import msgspec

from bot.model import posts
from bot.model.records import Calls
from bot.screens.screen import Screen
from bot.service import quiet
from bot.service.services import Services
from bot.store.outbox import StoredPost


class Ringing:
    """Takes from a call those whom it must not ring here, and owes them another.

    Args:
        services: what people wish, and what is owed.
    """

    def __init__(self, services: Services) -> None:
        self.services = services

    async def turn(self, stored: StoredPost, screen: Screen, post: posts.Turn, where: str) -> Screen:
        """Ring nobody who wants peace now; they are called when it ends."""
        calls, now = await self.services.preferences.calls(*screen.mention), self.services.clock()
        late = {user: now + 60 * wish.delay for user, wish in calls.items() if wish.delay}
        asleep = late | quiet.asleep(calls, now)
        awake = msgspec.structs.replace(screen, mention=tuple(user for user in screen.mention if user not in asleep))
        screen = await self.where_wished(stored, awake, post.ask.headline, where, calls)
        if not asleep:
            return screen
        call = posts.Ping(post.game, post.turn_from, tuple(asleep), post.ask.headline, stored.key)
        key = posts.ping_key(post.game, post.turn_from)
        await self.services.outbox.owe(posts.Owed(key, call, max(asleep.values())))
        return screen

    async def where_wished(
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
        elsewhere = [user for user in screen.mention if calls[user].place != "table"]
        for user in elsewhere:
            if calls[user].place in ("dm", "both"):
                text = f"{where}: {headline}. It is your turn."
                post, now = posts.Whisper(stored.game, user, text), self.services.clock()
                await self.services.outbox.owe(posts.Owed(f"{stored.key}:dm:{user}", post, now))
        silent = [user for user in elsewhere if calls[user].place != "both"]
        return msgspec.structs.replace(screen, mention=tuple(user for user in screen.mention if user not in silent))
