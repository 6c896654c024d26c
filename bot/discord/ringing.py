"""Whom a message rings, and where: those who are awake, at the table or in private, as each wishes."""

from collections.abc import Mapping

import msgspec

from bot.model import posts
from bot.model.records import Calls
from bot.screens.screen import Screen
from bot.service import quiet
from bot.service.owed.posted import refused_key
from bot.service.services import Services
from bot.store.outbox import StoredPost

UNDELIVERED = (
    "I have a private message for you that Discord does not deliver. Allow direct messages from members of this "
    "server (server name → Privacy Settings). /me games lists the turns that wait for you."
)


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
        called = stored.post
        assert isinstance(called, posts.Turn | posts.Ping | posts.OnDeck | posts.Reminder)  # no other post calls
        elsewhere = [user for user in screen.mention if calls[user].place != "table"]
        refused = await self.services.posted.refused(stored.game, called.turn_from, elsewhere)
        elsewhere = [user for user in elsewhere if user not in refused]  # those it called here ring here again
        for user in elsewhere:
            if calls[user].place in ("dm", "both"):
                text = f"{where}: {headline}." + ("" if isinstance(called, posts.OnDeck) else " It is your turn.")
                post = posts.Whisper(stored.game, user, text, turn_from=called.turn_from, headline=headline)
                await self.services.outbox.owe(posts.Owed(f"{stored.key}:dm:{user}", post, self.services.clock()))
        silent = [user for user in elsewhere if calls[user].place != "both"]
        return msgspec.structs.replace(screen, mention=tuple(user for user in screen.mention if user not in silent))

    async def refused(self, stored: StoredPost, post: posts.Whisper) -> None:
        """Call somebody at the table whom a private message does not reach, and tell them how to change that."""
        now, key = self.services.clock(), f"{stored.key}:refused"
        owed = posts.Owed(key, posts.Notice(post.game, UNDELIVERED, (post.user,)), now)
        if post.turn_from >= 0:
            if (await self.services.preferences.calls(post.user))[post.user].place == "both":
                return  # they were called at the table as well
            follows = posts.turn_key(post.game, post.turn_from)
            call = posts.Ping(post.game, post.turn_from, (post.user,), post.headline, follows, refused=True)
            owed = posts.Owed(refused_key(post.game, post.turn_from, post.user), call, now)
        await self.services.outbox.owe(owed)
