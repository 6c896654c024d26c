"""What is done once, however many processes share the database: declaring commands, backups, hearing a shard.

Discord sends what happens in so many shards. Of the processes that share a
store each has one of its own; while it hears that, it holds the lease of it.
A lease that ran out is taken by a process that lives, and goes back as soon
as the one whose shard it is hears it again: for a moment both do, which costs
nothing, as what comes twice is done once.
"""

import asyncio
import math
import secrets
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.store import copies, leases
from bot.store.database import Database
from bot.store.leases import read_moment
from bot.store.rows import upsert
from bot.store.tables import LeaseRow
from engine import Record
from engine.words import pluralise

_DUTY_PREFIX = "duty:"
BACKUP_DUTY = "backup"
"""Of one process at a time; the schedule notes its last backup under the same name."""
ON_DEMAND_NOTE = "backup on demand"
BACKUP_PAUSE_SECONDS = 10 * 60
MAX_BACKUPS = 7
_COPY_PREFIX = "on-demand-"
COMMANDS_DUTY = "commands"
"""Likewise; how it went is noted under the same name."""
LEASE_SECONDS = 20
"""Seconds after which the shard of a process that fell silent is taken by another."""
START_SECONDS = 60
"""Seconds in which a process that was never seen may start before another takes its shard."""


class Declared(msgspec.Struct, frozen=True):
    """The last time the commands were declared, or found as they should be: written by the bot, read by ``doctor``.

    Args:
        commands: how many there are. refused: the reason, if they were not taken.
    """

    commands: int
    refused: str = ""


def encode_declared(declared: Declared) -> str:
    """Return the words of the note."""
    return msgspec.json.encode(declared).decode()


def decode_declared(words: str) -> Declared | None:
    """Return what the note says; ``None`` if there is none that can be read."""
    try:
        return msgspec.json.decode(words, type=Declared)
    except msgspec.DecodeError:
        return None


class Assignment(Record, frozen=True):
    """What a process is to hear besides its own shard.

    Args:
        others: numbers of shards.
        rival: another process serves the same shard as its own.
    """

    others: frozenset[int]
    rival: bool = False


class Duties:
    """Who does a duty or hears a shard, and what is noted about it; backups on demand.

    Args:
        folder: for what lies beside the database.
    """

    def __init__(self, database: Database, clock: Callable[[], int], folder: Path) -> None:
        self.database = database
        self.clock = clock
        self.folder = folder / "backups"
        self.backups_kept = MAX_BACKUPS
        self.lease: float = LEASE_SECONDS
        self._holder = secrets.token_hex(8)

    async def take_duty(self, duty: str, seconds: int) -> bool:
        """Take a duty for so many seconds, 900 at most; ``False`` if another process has it.

        Give it back with ``give_back_duty``, or let it lapse: then no one does it again before that.
        """
        name = _DUTY_PREFIX + duty
        async with self.database.writing(wakes=False) as session:
            now = await read_moment(session, self.clock)
            mine = await leases.take(session, [name], self._holder, now, min(seconds, leases.MAX_LEASE_SECONDS))
        return name in mine

    async def give_back_duty(self, duty: str) -> None:
        """Let others take a duty."""
        async with self.database.writing(wakes=False) as session:
            await leases.give_back(session, _DUTY_PREFIX + duty, self._holder)

    async def read_note(self, name: str) -> str:
        """Return what was noted under a name; empty if nothing was."""
        async with self.database.reading() as session:
            return await leases.read_note(session, name)

    async def write_note(self, name: str, words: str) -> None:
        """Note something under a name."""
        async with self.database.writing(wakes=False) as session:
            await leases.write_note(session, name, words)

    async def back_up(self) -> str:
        """Copy the database on demand, checked, and remove the oldest copies; return what was copied, in words.

        These copies lie beside those of the schedule, and neither put them off nor replace them.

        Raises:
            BotError: another copy was made just now, or the copy is not sound.
        """
        now, last = self.clock(), await self.read_note(ON_DEMAND_NOTE)
        if last.isdecimal() and 0 <= now - int(last) < BACKUP_PAUSE_SECONDS:
            minutes = math.ceil((int(last) + BACKUP_PAUSE_SECONDS - now) / 60)
            raise BotError(
                f"A backup was made in the last ten minutes; the next is possible in {pluralise(minutes, 'minute')}."
            )
        if not await self.take_duty(BACKUP_DUTY, leases.MAX_LEASE_SECONDS):
            raise BotError("A backup is being made right now; try again in a minute.")
        try:
            name = f"{_COPY_PREFIX}{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}.sqlite"
            copy = await copies.write_copy(self.database, self.folder / name)
            await self.write_note(ON_DEMAND_NOTE, str(now))
        finally:
            await self.give_back_duty(BACKUP_DUTY)
            await asyncio.to_thread(copies.prune_copies, self.folder, _COPY_PREFIX, self.backups_kept)
        return f"{name}: {copy.summary}, {copy.size} bytes, checked."

    async def find_last_backup(self) -> str:
        """Return the moment of the last backup, by schedule or on demand; empty if there was none."""
        noted = [await self.read_note(name) for name in (BACKUP_DUTY, ON_DEMAND_NOTE)]
        return max(noted, key=lambda moment: int(moment) if moment.isdecimal() else 0)

    # --- shards ---------------------------------------------------------------------------

    async def renew_shards(self, own: int, count: int, heard: Collection[int], *, hears: bool) -> Assignment:
        """Note what this process hears, every ``lease / 4`` seconds; return which shards of others it is to hear.

        Args:
            own: number of its own shard.
            count: how many there are.
            heard: shards of others that it hears, or is about to.
            hears: whether it hears its own; who does not takes no other.
        """
        others = [each for each in range(count) if each != own]
        if not self.database.shared:  # no one else can
            return Assignment(frozenset(others if hears else heard))
        async with self.database.writing(wakes=False) as session:
            now = await read_moment(session, self.clock)
            had = await self._read_holders(session, count, now)
            if hears:
                await leases.seize(
                    session, _build_shard_name(own, count), self._build_holder(own), int(now + self.lease)
                )
            kept = await leases.renew(
                session,
                [_build_shard_name(each, count) for each in heard],
                self._build_holder(own),
                int(now + self.lease),
            )
            free = [name for name in (_build_shard_name(each, count) for each in others) if name not in had]
            if hears and free:  # one at a time: Discord lets a bot begin with one in five seconds
                kept |= await leases.take(session, free[:1], self._build_holder(own), now, int(self.lease))
        holder = had.get(_build_shard_name(own, count), "")
        is_rival = holder.startswith(f"{own}:") and holder != self._build_holder(own)
        return Assignment(frozenset(each for each in others if _build_shard_name(each, count) in kept), is_rival)

    async def _read_holders(self, session: AsyncSession, count: int, now: int) -> dict[str, str]:
        """Return who has which shard, and lock them all; one that no one ever had rests, while it may start."""
        names = [_build_shard_name(number, count) for number in range(count)]
        asked = select(LeaseRow.name, LeaseRow.holder, LeaseRow.until).where(col(LeaseRow.name).in_(names))
        rows = {row[0]: row for row in await session.exec(asked.order_by(LeaseRow.name).with_for_update())}
        for name in sorted(set(names) - rows.keys()):
            await upsert(session, LeaseRow(name=name, holder="", until=now + START_SECONDS), keep=True)
        busy = {name: holder for name, holder, until in rows.values() if now < until <= now + leases.MAX_LEASE_SECONDS}
        return dict.fromkeys(set(names) - rows.keys(), "") | busy

    def _build_holder(self, own: int) -> str:
        return f"{own}:{self._holder}"

    async def give_back_shards(self, own: int, count: int) -> None:
        """Let others hear all that this process heard, at once."""
        if self.database.shared:
            async with self.database.writing(wakes=False) as session:
                for number in range(count):
                    await leases.give_back(session, _build_shard_name(number, count), self._build_holder(own))


def _build_shard_name(number: int, count: int) -> str:
    return f"shard:{number}/{count}"
