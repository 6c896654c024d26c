"""Sends the posts that tables owe to Discord, which ``bot.service.owed.sending`` hands over in order.

What Discord refuses is tried again, later and later. A post that may have been sent before is looked for first, so
nothing stands there twice.
"""

import asyncio
import math
from collections.abc import Sequence

import discord
import structlog

from bot.discord.healing import Healing
from bot.discord.post_writer import PostWriter
from bot.discord.troubles import Refusals, trouble_of
from bot.model import posts
from bot.service.owed.sending import Sender
from bot.service.services import Services
from bot.store.leases import seconds_run
from bot.store.outbox import LONGEST_RETRY, POSTS, Place, StoredPost

log = structlog.get_logger(__name__)
POST_SECONDS_MAX = 60.0
NOTE_SECONDS = 1.0
ATTEMPTS_MAX = 150
"""Tries, ten minutes apart at last, so about a day, after which a post that Discord does not take is given up."""
EARLY_ATTEMPTS_MAX = 500
LIMIT_SECONDS_MAX = 3600
"""Seconds that a limit of Discord's is believed in; after that the post is tried once more."""
NEVER_GIVEN_UP = (posts.Turn, posts.Summary, posts.End)
"""What a table is silent without; it is tried later and later for as long as it is wanted."""
RETRY_SECONDS_MAX = 60
TOKEN_SECONDS = 30.0
CARD_SECONDS_MIN = 0.25


class PostSender(Sender):
    """Sends posts, by ``writer``, and judges what Discord refuses.

    Args:
        services: the posts owed.
        writer: writes them.
        healing: finds a place for a table that has lost its own.
        card_gap: seconds between two edits of one table message, at least.
    """

    head = POSTS
    most_seconds = POST_SECONDS_MAX
    note_after = NOTE_SECONDS

    def __init__(self, services: Services, writer: PostWriter, healing: Healing, card_gap: float = 2.0) -> None:
        self.services = services
        self.writer = writer
        self.healing = healing
        self.card_gap = card_gap
        self._refusals = Refusals()
        self._card_free: dict[int, float] = {}

    async def begin(self, owed: Sequence[StoredPost]) -> list[StoredPost]:
        """Read the table, and its position where it is asked for, once for all its posts."""
        ordered = sorted(owed, key=_turn_comes)
        await self.writer.read(ordered)
        return ordered

    def end(self, batch: str) -> None:
        """Forget what was read for the posts of a table."""
        self.writer.forget(batch)

    async def put_off(self, stored: StoredPost) -> int:
        """Put off a call to somebody who sleeps, and a table message that was edited only just now."""
        if isinstance(stored.post, posts.Ping | posts.Reminder):
            asleep = await self.services.people.asleep(stored.post.mention)
            if asleep:
                return max(asleep.values()) + await self._after_the_call(stored)
        if isinstance(stored.post, posts.Card):
            early = min(
                self.card_gap, self._card_free.get(stored.game, 0.0) - self.services.clock()
            )  # or it was put back
            if early > CARD_SECONDS_MIN:
                return self.services.clock() + math.ceil(early)
            await asyncio.sleep(max(0.0, early))
            self._card_free[stored.game] = self.services.clock() + self.card_gap
        return 0

    async def _after_the_call(self, stored: StoredPost) -> int:
        """Return for how long a reminder waits after the end of somebody's sleep: the first call comes then."""
        if not isinstance(stored.post, posts.Reminder):
            return 0
        first = await self.services.posted.find(posts.ping_key(stored.game, stored.post.turn_from))
        return stored.post.wait if first is not None and not first.message else 0

    async def send(self, stored: StoredPost) -> Place | None:
        """Write a post."""
        place = await self.writer.write(stored)
        self.writer.refusals.forget(stored)
        return place

    async def fail(self, stored: StoredPost, error: Exception) -> bool:
        """Note a failure: tried again for ever where the line or Discord is at fault, for a day where we are.

        Where it is the line, the token or the channel, what else the table owes waits too.
        The message of a turn, a result or an end is never given up, be it sent or edited.
        """
        trouble = trouble_of(error)
        wait = min(LONGEST_RETRY if trouble in ("form", "ours") else RETRY_SECONDS_MAX, 2 ** min(stored.attempts, 10))
        if trouble in ("gone", "forbidden", "token"):
            self._refusals.note()
            wait = LONGEST_RETRY if self._refusals.are_many else min(RETRY_SECONDS_MAX, 4 * wait)
        if isinstance(error, discord.RateLimited):
            wait = max(wait, math.ceil(min(error.retry_after, LIMIT_SECONDS_MAX)))
        if trouble == "form":
            self.writer.refusals.add(stored)
        most = {"ours": ATTEMPTS_MAX, "form": ATTEMPTS_MAX, "early": EARLY_ATTEMPTS_MAX}.get(trouble, math.inf)
        dropped = stored.attempts + 1 >= most and not isinstance(stored.post, NEVER_GIVEN_UP)
        tell = log.error if dropped else log.warning
        tell(
            "post dropped" if dropped else "post not sent",
            key=stored.key, trouble=trouble, attempts=stored.attempts + 1, error=repr(error)[:500],
            post=repr(stored.post)[:1000] if dropped else "",
        )  # fmt: skip
        again = None if dropped else self.services.clock() + wait
        is_refused = trouble not in ("line", "ours")
        await self.services.outbox.failed(stored, repr(error), again, is_refused=is_refused)
        if trouble == "token":
            self.rests_until = seconds_run() + TOKEN_SECONDS
        if trouble in ("gone", "forbidden"):
            await self.healing.heal(stored.game, gone=trouble == "gone")
        return trouble in ("line", "token", "gone")


def _turn_comes(stored: StoredPost) -> int:
    """Return how long a post lets the others of its table go first.

    A reminder comes after the call, which may put it off; a table message that stands is drawn when all has been told.
    """
    is_card = isinstance(stored.post, posts.Card) and bool(stored.message)
    return 2 * is_card + isinstance(stored.post, posts.Reminder)
