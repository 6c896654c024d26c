"""The posts that are due, and what became of them."""

import secrets
from collections.abc import Collection, Sequence

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.clock import Clock
from bot.model.posts import REMIND_AFTER, Owed, Ping, Reminder, Turn, next_reminder
from bot.store import games, leases, outbox, people
from bot.store.database import Database
from bot.store.leases import moment
from bot.store.outbox import StoredPost
from engine import Record

LATE = 5 * 60
SOON = min(REMIND_AFTER.values()) // 2
"""Seconds within which a call comes early enough for the first reminder of any table."""
LEASE = 30
"""Seconds after which the posts of a sender that fell silent are handed out to another."""
_PREFIX = "posts:"


class Batch(Record, frozen=True):
    """What one table has to send, handed out to one sender; nobody else gets anything of this table meanwhile."""

    game: int
    posts: tuple[StoredPost, ...]


class Owing(Record, frozen=True):
    """What there is to send.

    Args:
        tables: that have something to send now and that no sender has, the longest waiting first.
        next_due: where there is nothing to send now: the moment at which there may be, ``None`` if there is none.
    """

    tables: tuple[int, ...]
    next_due: int | None


class Outbox:
    """Hands out the posts that are due, and notes what became of them.

    A sender loops: clear ``database.wake``; look what is ``waiting`` and ``claim``
    it; send the posts of each claim in order, each then ``sent``, ``failed`` or
    ``put_off``, and at its end ``release`` the table, which the last ``sent`` does
    too; wait for ``wake`` or until something is due. Meanwhile it calls ``renew``
    every ``lease / 3`` seconds for the tables it has, and stops at those that it
    does not get back. Several senders, in several processes, may do so side by
    side.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock
        self.lease = LEASE
        self._holder = secrets.token_hex(8)
        self._inherits = not database.shared

    async def waiting(self, most: int = 100) -> Owing:
        """Look what there is to send, ``most`` tables at a time."""
        if self._inherits:  # the one process of this store: whoever else had something is dead
            async with self.database.writing(wakes=False) as session:
                await leases.give_all_back(session)
            self._inherits = False
        async with self.database.reading() as session:
            now = await moment(session, self.clock, exactly=False)
            tables = await outbox.waiting(session, now, most, _PREFIX)
            if tables:
                return Owing(tuple(tables), None)
            return Owing((), await outbox.next_chance(session, now, _PREFIX))

    async def claim(self, tables: Sequence[int]) -> list[Batch]:
        """Take those of some tables that no other sender has taken meanwhile, with what they have to send."""
        async with self.database.writing(wakes=False) as session:
            now = await moment(session, self.clock)
            names = [_name(game) for game in tables]
            mine = await leases.take(session, names, self._holder, now, self.lease)
            found = await outbox.hand_out(session, [game for game in tables if _name(game) in mine], now)
            for name in mine - {_name(game) for game in found}:  # another has sent them meanwhile
                await leases.give_back(session, name, self._holder)
        return [Batch(game, tuple(found[game])) for game in tables if game in found]

    async def renew(self, games: Collection[int]) -> set[int]:
        """Keep tables for another ``lease`` seconds; return those that are still this sender's."""
        names = [_name(game) for game in games]
        async with self.database.writing(wakes=False) as session:
            until = await moment(session, self.clock) + self.lease
            kept = await leases.renew(session, names, self._holder, until)
        return {game for game in games if _name(game) in kept}

    async def release(self, game: int, rest: int = 0) -> None:
        """Give a table back; nobody gets anything of it for ``rest`` seconds, 900 at most."""
        async with self.database.writing(wakes=False) as session:  # whoever served it looks for more by itself
            until = await moment(session, self.clock) + min(rest, leases.LONGEST) if rest > 0 else 0
            await leases.give_back(session, _name(game), self._holder, until)

    async def late(self) -> int:
        """Return how many posts wait that should have been sent minutes ago; 100 at most are counted."""
        async with self.database.reading() as session:
            return len(await outbox.due(session, self.clock() - LATE))

    async def due(self) -> list[StoredPost]:
        """Look at the posts that are due, whoever sends them; at most 100."""
        async with self.database.reading() as session:
            return await outbox.due(session, self.clock())

    async def still_owed(self, handed: Sequence[StoredPost]) -> list[StoredPost]:
        """Return posts that were handed out as they are now: some may have been replaced, others dropped."""
        async with self.database.reading() as session:
            left = await _as_owed(session, handed)
        await self.not_sent(_without(handed, left))
        return left

    async def set_clock_back(self) -> int:
        """Let nothing wait for a clock that was ahead when it was owed; return by how many seconds it was."""
        async with self.database.writing(wakes=False) as session:
            return await outbox.set_clock_back(session, await moment(session, self.clock))

    async def sent(
        self, stored: StoredPost, channel: str, message: str, rest: Sequence[StoredPost] | None = None
    ) -> list[StoredPost]:
        """Note that a post was sent (or its message edited); the next reminder is owed then, none with a late call.

        Args:
            stored: the post.
            channel: where it stands.
            message: where it stands.
            rest: what its claim has left. Those of them that are still owed are returned, as they are now;
                where none is left the table is given back with this note.
        """
        async with self.database.writing(stored.game, wakes=isinstance(stored.post, Reminder)) as session:
            await outbox.sent(session, stored, channel, message, self.clock())
            late = self.clock() - stored.created
            if isinstance(stored.post, Ping | Turn) and not stored.message and late >= SOON:
                await _leave_time(session, stored.post, self.clock())
            if isinstance(stored.post, Reminder):
                wishes = list((await people.fetch_calls(session, stored.post.mention)).values())
                then = next_reminder(stored.post, self.clock(), wishes)
                await outbox.owe(session, [then] if then else [], self.clock())
            left = await _as_owed(session, rest or ())
            await outbox.not_sent(session, _without(rest or (), left))
            if rest is not None and not left:
                await leases.give_back(session, _name(stored.game), self._holder)
        return left

    async def failed(
        self, stored: StoredPost, error: str, again: int | None = None, *, is_refused: bool = False
    ) -> None:
        """Note that sending failed; it is tried again at a moment, or never.

        Args:
            stored: the post.
            error: what went wrong.
            again: when it is tried again.
            is_refused: Discord did not take it, or was not asked to; otherwise it may stand there after all.
        """
        async with self.database.writing(stored.game, wakes=False) as session:
            await outbox.failed(session, stored, error, again)
            if is_refused:
                await outbox.not_sent(session, [stored])

    async def not_sent(self, posts: Sequence[StoredPost]) -> None:
        """Note that posts which were handed out were not even tried."""
        if posts:
            async with self.database.writing(posts[0].game, wakes=False) as session:
                await outbox.not_sent(session, posts)

    async def put_off(self, stored: StoredPost, until: int) -> None:
        """Note that a post is to be sent later."""
        async with self.database.writing(stored.game, wakes=False) as session:
            await outbox.put_off(session, stored, until)
            await outbox.not_sent(session, [stored])

    async def hurry(self, guild: str) -> None:
        """Let what could not be sent to a server be tried now: something has changed there."""
        async with self.database.writing() as session:
            late = await outbox.hurry(session, await games.of_guild(session, guild), self.clock())
            await leases.wake(session, [_name(game) for game in late])

    async def owe(self, owed: Owed) -> None:
        """Note a post that is owed besides those of the moves."""
        async with self.database.writing(owed.post.game) as session:
            await outbox.owe(session, [owed], self.clock())


async def _as_owed(session: AsyncSession, handed: Sequence[StoredPost]) -> list[StoredPost]:
    owed = await outbox.still_owed(session, [each.id for each in handed])
    left = [(each, owed[each.id]) for each in handed if each.id in owed]
    return [
        msgspec.structs.replace(now, unsure=each.unsure)
        for each, now in left
        if not (isinstance(now.post, Reminder) and now.due > each.due)  # put off since
    ]


def _without(handed: Sequence[StoredPost], left: Sequence[StoredPost]) -> list[StoredPost]:
    """Return the posts that were handed out and are not to be sent any more: they stand nowhere."""
    owed = {stored.id for stored in left}
    return [stored for stored in handed if stored.id not in owed]


async def _leave_time(session: AsyncSession, call: Ping | Turn, now: int) -> None:
    """Put off the first reminder of a turn whose call comes late, as after a long standstill: nobody is rung twice."""
    for stored in await outbox.calls_owed(session, call.game, call.turn_from):
        first = stored.post
        if isinstance(first, Reminder) and first.number == 1 and stored.due < now + first.wait // 2:
            await outbox.put_off(session, stored, now + first.wait)


def _name(game: int) -> str:
    return f"{_PREFIX}{game}"
