"""Which process hears which shard: each its own, and those of the dead.

Discord sends what happens in so many shards. Of the processes that share a
store each has one of its own; while it hears that, it holds the lease of it.
A lease that ran out is taken by a process that lives, and goes back as soon
as the one whose shard it is hears it again: for a moment both do, which costs
nothing, as what comes twice is done once.
"""

import secrets
from collections.abc import Callable, Collection

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store import leases
from bot.store.database import Database
from bot.store.server_clock import moment
from bot.store.tables import LeaseRow
from bot.store.upsert import put
from engine import Record

LEASE = 20
"""Seconds after which the shard of a process that fell silent is taken by another."""
STARTING = 60
"""Seconds in which a process that was never seen may start before another takes its shard."""


class Assignment(Record, frozen=True):
    """What a process is to hear besides its own shard.

    Args:
        others: numbers of shards.
        rival: another process serves the same shard as its own.
    """

    others: frozenset[int]
    rival: bool = False


class Shards:
    """The shards of this store; ``keep`` it up every ``lease / 4`` seconds."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self.database = database
        self.clock = clock
        self.lease: float = LEASE
        self._key = secrets.token_hex(8)

    async def keep(self, own: int, count: int, heard: Collection[int], *, hears: bool) -> Assignment:
        """Note what this process hears; return which shards of others it is to hear from now on.

        Args:
            own: number of its own shard.
            count: how many there are.
            heard: shards of others that it hears, or is about to.
            hears: whether it hears its own; who does not takes no other.
        """
        others = [each for each in range(count) if each != own]
        if not self.database.shared:  # nobody else can
            return Assignment(frozenset(others if hears else heard))
        async with self.database.writing(wakes=False) as session:
            now = await moment(session, self.clock)
            had = await self._had(session, count, now)
            if hears:
                await leases.seize(session, _name(own, count), self._holder(own), int(now + self.lease))
            kept = await leases.renew(
                session, [_name(each, count) for each in heard], self._holder(own), int(now + self.lease)
            )
            free = [name for name in (_name(each, count) for each in others) if name not in had]
            if hears and free:  # one at a time: Discord lets a bot begin with one in five seconds
                kept |= await leases.take(session, free[:1], self._holder(own), now, int(self.lease))
        holder = had.get(_name(own, count), "")
        is_rival = holder.startswith(f"{own}:") and holder != self._holder(own)
        return Assignment(frozenset(each for each in others if _name(each, count) in kept), is_rival)

    async def _had(self, session: AsyncSession, count: int, now: int) -> dict[str, str]:
        """Return who has which shard, and lock them all; one that nobody ever had rests, while it may start."""
        names = [_name(number, count) for number in range(count)]
        asked = select(LeaseRow.name, LeaseRow.holder, LeaseRow.until).where(col(LeaseRow.name).in_(names))
        rows = {row[0]: row for row in await session.exec(asked.order_by(LeaseRow.name).with_for_update())}
        for name in sorted(set(names) - rows.keys()):
            await put(session, LeaseRow(name=name, holder="", until=now + STARTING), keep=True)
        busy = {name: holder for name, holder, until in rows.values() if now < until <= now + leases.LONGEST}
        return dict.fromkeys(set(names) - rows.keys(), "") | busy

    def _holder(self, own: int) -> str:
        return f"{own}:{self._key}"

    async def give_up(self, own: int, count: int) -> None:
        """Let others hear all that this process heard, at once."""
        if self.database.shared:
            async with self.database.writing(wakes=False) as session:
                for number in range(count):
                    await leases.give_back(session, _name(number, count), self._holder(own))


def _name(number: int, count: int) -> str:
    return f"shard:{number}/{count}"
