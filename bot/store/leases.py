"""Who does something alone: the posts of a table, a chore; until a moment, so that no death lasts.

A lease that ends later than any can was given before the clock was put back:
it is free. Processes whose machines' clocks differ agree by the clock of the
database server.
"""

import time
from collections.abc import Callable, Collection
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, text, update
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.rows import Insert, PreparedInsert, upsert
from bot.store.tables import LeaseRow, NoteRow

MAX_LEASE_SECONDS = 900
"""Seconds a lease, or a rest, lasts at most."""
CLOCK_FRESH_SECONDS = 10.0
"""Seconds for which what the server said is good enough, where nothing is compared with what others wrote."""
ASK_CLOCK = text("SELECT extract(epoch FROM clock_timestamp())")


def is_busy(now: int | ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a person has a lease, or that it rests."""
    return and_(col(LeaseRow.until) > now, col(LeaseRow.until) <= now + MAX_LEASE_SECONDS)


# Questions that are asked all the time are made once.
_LEASE = SQLModel.metadata.tables["lease"]
_GIVE_BACK = (
    _LEASE.update()
    .where(_LEASE.c.name == bindparam("lease"), _LEASE.c.holder == bindparam("old"))
    .values(holder="", until=bindparam("end"))
)


def _overwrite_free(new: Insert) -> Any:  # noqa: ANN401  # with what it returns
    """Let leases replace those that no one has, and return their names."""
    mine = {"holder": new.excluded.holder, "until": new.excluded.until}
    taking = new.on_conflict_do_update(index_elements=["name"], set_=mine, where=~is_busy(bindparam("now")))
    return taking.returning(_LEASE.c.name)


_TAKE = PreparedInsert(_LEASE, _overwrite_free)


async def take(session: AsyncSession, names: Collection[str], holder: str, now: int, seconds: int) -> set[str]:
    """Take those of the names that are free; return them."""
    ordered = sorted(names)  # so that two who come at once do not wait for each other
    rows = [{"name": name, "holder": holder, "until": now + seconds, "now": now} for name in ordered]
    return {name for (name,) in await session.exec(_TAKE.get(session), params=rows)} if rows else set()


async def renew(session: AsyncSession, names: Collection[str], holder: str, until: int) -> set[str]:
    """Have leases for longer; return those that are still the holder's."""
    mine = (col(LeaseRow.name).in_(names), col(LeaseRow.holder) == holder)
    await session.exec(update(LeaseRow).where(*mine).values(until=until))
    return set(await session.exec(select(LeaseRow.name).where(*mine)))


async def seize(session: AsyncSession, name: str, holder: str, until: int) -> None:
    """Take a lease from any other holder."""
    await session.exec(update(LeaseRow).where(col(LeaseRow.name) == name).values(holder=holder, until=until))


async def give_back(session: AsyncSession, name: str, holder: str, free_from: int = 0) -> None:
    """Give a lease back; until a moment no one takes it. One that another has by now stays theirs."""
    await session.exec(_GIVE_BACK, params={"lease": name, "old": holder, "end": free_from})


async def wake(session: AsyncSession, names: Collection[str], *, held: bool = False) -> None:
    """End the rest of those that no one has, or of all of them, where no holder can have them so long (``held``)."""
    which = (col(LeaseRow.name).in_(names),) if held else (col(LeaseRow.name).in_(names), col(LeaseRow.holder) == "")
    await session.exec(update(LeaseRow).where(*which).values(holder="", until=0))


async def give_all_back(session: AsyncSession) -> None:
    """End every lease, rests too."""
    await session.exec(update(LeaseRow).values(holder="", until=0))


async def read_note(session: AsyncSession, name: str) -> str:
    """Return what was noted under a name; empty if nothing was."""
    row = await session.get(NoteRow, name)
    return "" if row is None else row.words


async def write_note(session: AsyncSession, name: str, words: str) -> None:
    """Note something under a name."""
    await upsert(session, NoteRow(name=name, words=words))


def name_mute(user: str) -> str:
    """Return the name of the note that a person wants no messages of other players by letter."""
    return f"muted:{user}"


def name_confirming(user: str) -> str:
    """Return the name of the note that a person confirms each mail of theirs by answering a letter."""
    return f"confirms:{user}"


def list_mail_notes(user: str) -> tuple[str, ...]:
    """Return the names of all notes about how a person plays by letter."""
    return name_mute(user), name_confirming(user)


async def merge_mail_notes(session: AsyncSession, before: str, after: str) -> None:
    """Let a person's notes about letters hold for another, who is the same."""
    for old, new in zip(list_mail_notes(before), list_mail_notes(after), strict=True):
        if words := await read_note(session, old):
            await write_note(session, new, words)
            await write_note(session, old, "")


def read_steady_seconds() -> float:
    """Return seconds that only ever go forward, those included in which the machine slept."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class ServerClock:
    """The server's clock, and what has passed here since it was last looked at; this machine's own is never asked.

    Args:
        run: gives seconds that never run backwards.
    """

    def __init__(self, run: Callable[[], float] = read_steady_seconds) -> None:
        self._run = run
        self._moment = 0.0
        self._at = 0.0

    def __call__(self) -> int:
        """Return the moment in whole seconds; ``refresh`` it first."""
        return int(self._moment + self._run() - self._at)

    async def refresh(self, session: AsyncSession, *, exactly: bool = True) -> int:
        """Ask the server, where it need not be ``exactly`` only now and then; return the moment."""
        if exactly or not self._moment or self._run() - self._at >= CLOCK_FRESH_SECONDS:
            moment = (await (await session.connection()).execute(ASK_CLOCK)).scalar_one()
            self._moment, self._at = float(moment), self._run()
        return self()


async def read_moment(session: AsyncSession, clock: Callable[[], int], *, exactly: bool = True) -> int:
    """Return the moment that is compared with what other processes wrote: by the server's clock, where there is one."""
    return await clock.refresh(session, exactly=exactly) if isinstance(clock, ServerClock) else clock()
