"""What is owed and due, posts and letters alike, what became of it, and where each stands once sent."""

import asyncio
import secrets
from collections.abc import Collection, Sequence

import msgspec
import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.clock import DAY, Clock
from bot.model.letters import NumberedMoves
from bot.model.posts import End, Owed, Pictures, Summary, build_deck_key, build_turn_key
from bot.store import games, leases, outbox, posted
from bot.store.database import Database
from bot.store.leases import read_moment, read_steady_seconds
from bot.store.outbox import MAX_CLOCK_DIFFERENCE_SECONDS, POSTS, Place, StoredPost
from engine import Record

log = structlog.get_logger(__name__)
LATE_SECONDS = 5 * 60
POSTS_KEPT_DAYS = 30
LEASE_SECONDS = 30
"""Seconds after which the batches of a sender that fell silent are handed out to another."""


class Batch(Record, frozen=True):
    """What is to be sent in order, handed out to one sender; no one else gets anything of it meanwhile.

    Args:
        name: of the batch: "posts:7" is that of table 7.
    """

    name: str
    posts: tuple[StoredPost, ...]


class DuePosts(Record, frozen=True):
    """What there is to send.

    Args:
        batches: that have something to send now and that no sender has, the longest waiting first.
        next_due: where there is nothing to send now: the moment at which there may be, ``None`` if there is none.
    """

    batches: tuple[str, ...]
    next_due: int | None


class Outbox:
    """Hands out the posts that are due, and notes what became of them; ``bot.service.sending`` sends them.

    A sender calls ``claim`` for a batch, sends its posts in order, calls ``note_sent``, ``note_failed`` or ``put_off``
    for each, and ``release`` at the end, which the last ``note_sent`` does too. Meanwhile it calls ``renew`` every
    ``lease / 3`` seconds for the batches it has, and stops at those that it does not get back. Several senders, in
    several processes, may do so side by side.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock
        self.lease = LEASE_SECONDS
        self._holder = secrets.token_hex(8)
        self._inherits = not database.shared
        self._looking = asyncio.Lock()
        self._until: dict[str, float] = {}
        self._stands: dict[tuple[int, int], tuple[int, Place]] = {}
        self._latest = 0

    async def list_waiting(self, most: int = 100, head: str = POSTS) -> DuePosts:
        """Look what there is to send, ``most`` batches at a time; their names begin with ``head``."""
        async with self._looking:  # several senders begin at once
            if self._inherits:  # the one process of this store: any other that had something is dead
                async with self.database.writing(wakes=False) as session:
                    await leases.give_all_back(session)
                self._inherits = False
        async with self.database.reading() as session:
            now = await read_moment(session, self.clock, exactly=False)
            batches = await outbox.list_waiting(session, now, most, head)
            return DuePosts(tuple(batches), None if batches else await outbox.find_next_chance(session, now, head))

    async def claim(self, batches: Sequence[str]) -> list[Batch]:
        """Take those of some batches that no other sender has taken meanwhile, with what they have to send."""
        until = read_steady_seconds() + self.lease
        async with self.database.writing(wakes=False) as session:
            now = await read_moment(session, self.clock)
            mine = await leases.take(session, batches, self._holder, now, self.lease)
            found = await outbox.hand_out(session, mine, now)
            for name in mine - found.keys():  # another has sent them meanwhile
                await leases.give_back(session, name, self._holder)
        self._until |= dict.fromkeys(found, until)
        return [Batch(name, tuple(found[name])) for name in batches if name in found]

    def holds(self, batch: str) -> bool:
        """Return whether a batch is still this sender's: not if its process stood still for longer than the lease."""
        return read_steady_seconds() <= self._until[batch]

    async def renew(self, batches: Collection[str]) -> set[str]:
        """Keep batches for another ``lease`` seconds; return those that are still this sender's."""
        ours = read_steady_seconds() + self.lease
        async with self.database.writing(wakes=False) as session:
            until = await read_moment(session, self.clock) + self.lease
            kept = await leases.renew(session, batches, self._holder, until)
        self._until |= dict.fromkeys(kept, ours)
        return kept

    async def release(self, batch: str, rest: int = 0) -> None:
        """Give a batch back; no one gets anything of it for ``rest`` seconds, 900 at most."""
        async with self.database.writing(wakes=False) as session:  # the sender looks for more on its own
            until = await read_moment(session, self.clock) + min(rest, leases.MAX_LEASE_SECONDS) if rest > 0 else 0
            await leases.give_back(session, batch, self._holder, until)

    async def count_late(self) -> int:
        """Return how many posts wait that should have been sent minutes ago; at most 100 are counted."""
        async with self.database.reading() as session:
            return len(await posted.list_due(session, self.clock() - LATE_SECONDS))

    async def list_due(self) -> list[StoredPost]:
        """Look at the posts that are due, whichever process sends them; at most 100."""
        async with self.database.reading() as session:
            return await posted.list_due(session, self.clock())

    async def recheck(self, handed: Sequence[StoredPost]) -> list[StoredPost]:
        """Return posts that were handed out as they are now: some may have been replaced, others dropped."""
        async with self.database.reading() as session:
            left = await _read_owed(session, handed)
        await self.note_unsent(_list_dropped(handed, left))
        return left

    async def check_clock(self) -> None:
        """Look whether the clock was put back, at first and whenever it shows; then nothing waits for it any more."""
        now = self.clock()
        is_looked_at = (
            self._latest and now >= self._latest - MAX_CLOCK_DIFFERENCE_SECONDS
        )  # a server's may be put back while we run
        if not is_looked_at and (ahead := await self.set_clock_back()):
            log.warning("the clock was set back; pending posts no longer wait for it", seconds=ahead)
        self._latest = now

    async def set_clock_back(self) -> int:
        """Let nothing wait for a clock that was ahead when it was owed; return by how many seconds it was."""
        async with self.database.writing(wakes=False) as session:
            return await outbox.set_clock_back(session, await read_moment(session, self.clock))

    async def note_sent(
        self, done: Sequence[tuple[StoredPost, Place]], rest: Sequence[StoredPost] | None = None
    ) -> list[StoredPost]:
        """Note that posts of a batch were sent.

        Args:
            done: the posts, and where each stands now.
            rest: what the batch has left. Those of them that are still owed are returned, as they are now;
                where none is left the batch is given back with this note.
        """
        game, now = done[0][0].game or None, self.clock()
        async with self.database.writing(game, wakes=False) as session:
            await outbox.mark_sent(session, done, now)
            left = await _read_owed(session, rest or ())
            await outbox.mark_not_sent(session, _list_dropped(rest or (), left))
            if rest is not None and not left:
                await leases.give_back(session, done[0][0].batch, self._holder)
        for stored, _ in done:
            self._stands.pop((stored.id, stored.created), None)
        return left

    # What is known here only, for as long as the database has no note of it: on a full disk, or behind a long lock, a
    # message stands and the database knows nothing of it. It is not sent again, only noted later.

    def remember_place(self, stored: StoredPost, place: Place) -> None:
        """Remember where a post stands, until that is noted."""
        self._stands[stored.id, stored.created] = (stored.revision, place)

    def get_place(self, stored: StoredPost) -> Place | None:
        """Return where this very revision of a post stands, if it was sent and is not noted yet."""
        revision, place = self._stands.get((stored.id, stored.created), (-1, ("", "")))
        return place if revision == stored.revision else None

    def add_known_place(self, stored: StoredPost) -> StoredPost:
        """Return a post with the message it has, if only we know of it."""
        if stored.message or (stored.id, stored.created) not in self._stands:
            return stored
        channel, message = self._stands[stored.id, stored.created][1]
        return msgspec.structs.replace(stored, channel=channel, message=message, unsure=False)

    async def note_failed(
        self, stored: StoredPost, error: str, again: int | None = None, *, is_refused: bool = False
    ) -> None:
        """Note that sending failed; it is tried again at a moment, or never.

        Args:
            stored: the post.
            error: what went wrong.
            again: when it is tried again.
            is_refused: Discord did not take it, or was not asked to; otherwise it may stand there after all.
        """
        async with self.database.writing(stored.game or None, wakes=False) as session:
            await outbox.mark_failed(session, stored, error, again)
            if is_refused:
                await outbox.mark_not_sent(session, [stored])

    async def note_unsent(self, posts: Sequence[StoredPost]) -> None:
        """Note that posts which were handed out were not even tried."""
        if posts:
            async with self.database.writing(posts[0].game or None, wakes=False) as session:
                await outbox.mark_not_sent(session, posts)

    async def put_off(self, stored: StoredPost, until: int) -> None:
        """Note that a post is to be sent later."""
        async with self.database.writing(stored.game or None, wakes=False) as session:
            await outbox.put_off(session, stored, until)
            await outbox.mark_not_sent(session, [stored])

    async def forget_past_turns(self) -> int:
        """Forget posts about turns that were over long ago; return how many."""
        async with self.database.writing(wakes=False) as session:
            return await posted.forget_past_turns(session, self.clock() - POSTS_KEPT_DAYS * DAY)

    async def hurry(self, guild: str) -> None:
        """Let what could not be sent to a server be tried now: something has changed there."""
        async with self.database.writing() as session:
            late = await posted.retry_now(session, await games.list_in_guild(session, guild), self.clock())
            await leases.wake(session, late)

    async def owe(self, owed: Owed) -> None:
        """Note a post that is owed besides those of the moves."""
        async with self.database.writing(owed.post.game or None) as session:
            await outbox.owe(session, [owed], self.clock())


async def _read_owed(session: AsyncSession, handed: Sequence[StoredPost]) -> list[StoredPost]:
    owed = await outbox.fetch_owed(session, [each.id for each in handed])
    return [msgspec.structs.replace(owed[each.id], unsure=each.unsure) for each in handed if each.id in owed]


def _list_dropped(handed: Sequence[StoredPost], left: Sequence[StoredPost]) -> list[StoredPost]:
    """Return the posts that were handed out and are not to be sent any more: they stand nowhere."""
    owed = {stored.id for stored in left}
    return [stored for stored in handed if stored.id not in owed]


class Posted:
    """Looks up posts and letters."""

    def __init__(self, outbox: Outbox) -> None:
        self.database = outbox.database
        self.clock = outbox.clock
        self._known = outbox.add_known_place

    async def find_post(self, key: str) -> StoredPost | None:
        """Return a post by its key, sent or not; its ``message`` is where it was posted."""
        async with self.database.reading() as session:
            found = await posted.find(session, key)
        return None if found is None else self._known(found)

    async def list_turn_posts(self, game: int, turn_from: int) -> list[StoredPost]:
        """Return the message of a turn and the word to who is next, sent or not, as they were first owed."""
        keys = [build_turn_key(game, turn_from), build_deck_key(game, turn_from)]
        async with self.database.reading() as session:
            return [self._known(each) for each in await posted.find_all(session, keys)]

    async def find_moment(self, channel: str, message: str) -> Summary | Pictures | End | None:
        """Return the post of a message that tells how many moves were in force, if one does."""
        async with self.database.reading() as session:
            found = await posted.list_in_message(session, channel, message)
        return next((one.post for one in found if isinstance(one.post, Summary | Pictures | End)), None)

    # --- letters -----------------------------------------------------------------------

    async def get_letter(self, number: int) -> StoredPost | None:
        """Return a letter by its number."""
        async with self.database.reading() as session:
            return await posted.find_letter(session, number)

    async def find_offer(self, user: str, game: int, version: int) -> NumberedMoves | None:
        """Return the choices that a person was last offered in a position of a table."""
        async with self.database.reading() as session:
            recent = await posted.list_letters(session, user, game)
        return next((each.offered for each in recent if each.offered and each.offered.version == version), None)

    async def note_offer(self, letter: StoredPost, offered: NumberedMoves) -> None:
        """Note what the choices of a letter mean, before it goes out."""
        async with self.database.writing(wakes=False) as session:
            await posted.record_offer(session, letter.id, offered)

    async def list_letters(self, user: str, head: str, seconds: int, most: int) -> list[StoredPost]:
        """Return the last letters to a person of the last seconds whose keys begin with ``head``, the newest first."""
        async with self.database.reading() as session:
            return await posted.list_answers(session, user, head, self.clock() - seconds, most)

    async def count_letters(self, seconds: int, user: str = "") -> int:
        """Return how many letters went out in the last seconds, to all or to one person."""
        async with self.database.reading() as session:
            return await posted.count_letters(session, self.clock() - seconds, user)
