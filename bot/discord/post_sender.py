"""Send the posts that tables owe to Discord, in the order in which ``bot.service.sending`` hands them over.

What Discord refuses is tried again at longer and longer intervals. A post that may have been sent before is looked for
first, so nothing is posted twice.
"""

import asyncio
import math
from collections.abc import Sequence

import discord
import structlog

from bot.discord.errors import Refusals, classify_error
from bot.discord.post_writer import PostWriter
from bot.discord.recovery import Recovery
from bot.model import posts
from bot.service.sending import Sender
from bot.service.services import Services
from bot.store.leases import read_steady_seconds
from bot.store.outbox import MAX_POST_RETRY_SECONDS, POSTS, Place, StoredPost

log = structlog.get_logger(__name__)
MAX_POST_SECONDS = 60.0
NOTE_SECONDS = 1.0
MAX_ATTEMPTS = 150
"""Tries, in the end ten minutes apart, so about a day, after which a post that Discord refuses is dropped."""
MAX_EARLY_ATTEMPTS = 500
MAX_LIMIT_SECONDS = 3600
"""A post that has to wait longer for a rate limit of Discord's is tried once more."""
NEVER_DROPPED = (posts.Turn, posts.Summary, posts.End)
"""A table can't go on without these; they are tried for as long as they are wanted."""
MAX_RETRY_SECONDS = 60
MAX_FORBIDDEN_SECONDS = 45
"""Until a server that forbade a post is asked again: its tables must speak within a minute of being allowed to."""
TOKEN_REST_SECONDS = 30.0


class PostSender(Sender):
    """Sends posts and decides what happens to those that Discord refuses.

    Args:
        services: the posts owed.
        writer: writes them.
        recovery: finds a place for a table that has lost its own.
        card_gap: seconds between two edits of one table message, at least.
    """

    head = POSTS
    most_seconds = MAX_POST_SECONDS
    note_after = NOTE_SECONDS

    def __init__(self, services: Services, writer: PostWriter, recovery: Recovery, card_gap: float) -> None:
        self.services = services
        self.writer = writer
        self.recovery = recovery
        self.card_gap = card_gap
        self._refusals = Refusals()
        self._forbidden: dict[int, str] = {}
        self._next_tries: dict[str, int] = {}

    async def begin(self, owed: Sequence[StoredPost]) -> list[StoredPost]:
        """Read the table, and its position where it is asked for, once for all its posts."""
        ordered = sorted(owed, key=find_rank)
        await self.writer.read(ordered)
        return ordered

    def end(self, batch: str) -> None:
        """Forget what was read for the posts of a table."""
        self.writer.forget(batch)

    async def put_off(self, stored: StoredPost) -> int:
        """Put off a table message that was edited only just now, and a silent word to a person who wants peace."""
        if isinstance(stored.post, posts.Whisper) and stored.post.silent:
            return await self.services.people.find_peace_end(stored.post.user)
        if isinstance(stored.post, posts.Card):
            live, now = self.services.table.live, self.services.clock()
            if (due := live.find_card_due(stored.game, now)) > now:
                return due
            await asyncio.sleep(min(self.card_gap, max(0.0, live.card_rests.get(stored.game, 0.0) - now)))
            live.card_rests[stored.game] = self.services.clock() + self.card_gap
        return 0

    async def send(self, stored: StoredPost) -> Place | None:
        """Write a post; if its table was forbidden to before, the posts of that server needn't wait any longer."""
        if isinstance(stored.post, posts.AnyAlarm):
            await self.services.obligations.carry_out(stored.post, stored.key)
            return "", ""
        place = await self.writer.write(stored)
        self.writer.placement.form_refusals.pop(stored.id, None)
        if place is not None and stored.game in self._forbidden:
            self.services.outbox.remember_place(stored, place)  # it is sent, though the database may fail now
            await self.services.outbox.hurry(self._forbidden.pop(stored.game))
        return place

    async def fail(self, stored: StoredPost, error: Exception) -> bool:
        """Note a failure: retry without end where the connection or Discord is at fault, for a day where we are.

        If it is the connection, the token or the channel, the other posts of the table wait too.
        The message of a turn, a result or an end is never dropped, whether it is to be sent or edited.
        """
        trouble = classify_error(error)
        wait = min(
            MAX_POST_RETRY_SECONDS if trouble in ("form", "ours") else MAX_RETRY_SECONDS, 2 ** min(stored.attempts, 10)
        )
        if trouble in ("gone", "forbidden", "token"):
            self._refusals.note()
            table = await self.services.lobby.get_table(stored.game)
            wait = self._find_refused_wait(table.home.guild, 4 * wait)
            if trouble == "forbidden":
                self._forbidden[stored.game] = table.home.guild
        if isinstance(error, discord.RateLimited):
            wait = max(wait, math.ceil(min(error.retry_after, MAX_LIMIT_SECONDS)))
        if trouble == "form":
            self.writer.placement.form_refusals[stored.id] += 1
        most = {"ours": MAX_ATTEMPTS, "form": MAX_ATTEMPTS, "early": MAX_EARLY_ATTEMPTS}.get(trouble, math.inf)
        dropped = stored.attempts + 1 >= most and not isinstance(stored.post, NEVER_DROPPED)
        tell = log.error if dropped else log.warning
        tell(
            "post dropped" if dropped else "post not sent",
            key=stored.key, trouble=trouble, attempts=stored.attempts + 1, error=repr(error)[:500],
            post=repr(stored.post)[:1000] if dropped else "",
        )  # fmt: skip
        again = None if dropped else self.services.clock() + wait
        is_refused = trouble not in ("line", "ours")
        await self.services.outbox.note_failed(stored, repr(error), again, is_refused=is_refused)
        if trouble == "token":
            self.rests_until = read_steady_seconds() + TOKEN_REST_SECONDS
        if trouble == "forbidden":
            await self.recovery.recover(stored.game, gone=False)
        return trouble in ("line", "token", "gone", "thread")

    async def recover(self, stored: StoredPost, error: Exception) -> None:
        """Find another place for a table whose place is gone; what was not sent there can still ring in the new one.

        If the table has moved in the meantime, what failed at the old place is sent now, above what is newer.
        """
        if classify_error(error) != "gone":
            return
        home = (await self.services.lobby.get_table(stored.game)).home
        if home == self.writer.homes.get(stored.game, home):
            await self.recovery.recover(stored.game, gone=True)
        else:
            await self.services.outbox.hurry(home.guild)

    def _find_refused_wait(self, guild: str, wait: int) -> int:
        """Return how long a refused post waits; after very many refusals, only one a server is tried again soon."""
        if not self._refusals.are_many:
            return min(MAX_FORBIDDEN_SECONDS, wait)
        now = self.services.clock()
        if 0 < self._next_tries.get(guild, 0) - now <= MAX_FORBIDDEN_SECONDS:
            return MAX_POST_RETRY_SECONDS
        self._next_tries[guild] = now + MAX_FORBIDDEN_SECONDS
        return MAX_FORBIDDEN_SECONDS


def find_rank(stored: StoredPost) -> int:
    """Return the place of a post among the others of its table: pings are due first, the table message is edited last.

    Pings also go out by mail, which needn't wait for Discord. Players don't wait for what followers are told.
    """
    if isinstance(stored.post, posts.Bulletin):
        return 2
    is_card = isinstance(stored.post, posts.Card) and bool(stored.message)
    return is_card - isinstance(stored.post, posts.AnyAlarm)
