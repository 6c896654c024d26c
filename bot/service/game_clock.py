"""The game clock of a table: a budget for each seat and an increment a turn, off unless the table wishes one.

It stops in the quiet hours of whoever must decide, while they are away, and
while the program sits in for them. When it runs out nobody loses: the others
are asked whether somebody shall act for the seat. Time is taken where a turn
passes, and wherever people, or their wishes, change meanwhile.
"""

from collections.abc import Mapping, Sequence

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.clock import DAY, HOUR, MINUTE
from bot.model.errors import BotError
from bot.model.posts import Owed, TimeUp
from bot.model.records import Calls, GameClock, Pace, Position, Seat, Table
from bot.service import quiet
from bot.store import games, outbox, people
from engine import Record

OF_PACE: Mapping[Pace, tuple[int, int]] = {
    "live": (HOUR, 2 * MINUTE),
    "several a day": (2 * DAY, 2 * HOUR),
    "daily": (4 * DAY, 12 * HOUR),
    "relaxed": (10 * DAY, DAY),
}
"""Budget and increment that go with a pace."""


MOST_BUDGET = 60 * DAY


class ClockWish(Record, frozen=True):
    """What a table wishes of its clock.

    Args:
        to: "by pace", "off", "pause", "resume", or empty where the numbers say it.
        budget, increment: hours; ``None`` leaves what is there.
    """

    to: str = ""
    budget: int | None = None
    increment: int | None = None


def of_pace(pace: Pace) -> GameClock:
    """Return the clock that goes with a pace."""
    return GameClock(*OF_PACE[pace])


def begun(table: Table, actors: Sequence[Seat], wishes: Mapping[str, Calls], now: int) -> Table:
    """Return a table whose clock begins for those who must decide; each seat has the whole budget."""
    assert table.clock is not None
    full = msgspec.structs.replace(table.clock, left=(table.clock.budget,) * len(table.seats), running=(), paused=False)
    return _going(msgspec.structs.replace(table, clock=full), actors, wishes, now)


def _going(table: Table, actors: Sequence[Seat], wishes: Mapping[str, Calls], now: int) -> Table:
    """Return a table whose clock goes for these seats from a moment on."""
    clock = table.clock
    assert clock is not None
    asked = [] if clock.paused else [seat for seat in actors if seat.caller]
    ends = tuple(quiet.after_waking(wishes[seat.caller], now, clock.left[seat.number]) for seat in asked)
    running = tuple(seat.number for seat in asked)
    return msgspec.structs.replace(table, clock=msgspec.structs.replace(clock, since=now, running=running, ends=ends))


def charged(table: Table, wishes: Mapping[str, Calls], now: int) -> GameClock:
    """Return the clock of a table with the time taken that went by for those who had to decide."""
    clock = table.clock
    assert clock is not None
    left = list(clock.left)
    for seat in table.holders(clock.running):
        calls = wishes.get(seat.caller)
        gone = quiet.waking(calls, clock.since, now) if calls is not None else 0
        left[seat.number] = max(0, left[seat.number] - gone)
    return msgspec.structs.replace(clock, left=tuple(left), since=now)


def left_to(table: Table, seat: int, wishes: Mapping[str, Calls], now: int) -> int:
    """Return the seconds that a seat has at a moment."""
    return charged(table, wishes, now).left[seat]


async def wishes_of(session: AsyncSession, *tables: Table) -> dict[str, Calls]:
    """Return the wishes of all who decide at tables."""
    return await people.fetch_calls(
        session, list({seat.caller for table in tables for seat in table.seats if seat.caller})
    )


async def started(session: AsyncSession, here: Position, now: int) -> None:
    """Let the clock of a table, if it has one, begin: all have the whole budget."""
    if here.table.clock is not None:
        wishes = await wishes_of(session, here.table)
        await _noted(session, begun(here.table, here.actors, wishes, now), now)


async def passed(session: AsyncSession, here: Position, after: Position, now: int, *, is_move: bool) -> None:
    """Note a step of the game: who acted for a turn only is relieved, and the clock goes on for whoever decides now."""
    deciding = {seat.number for seat in after.actors}
    for seat in after.table.seats:
        if seat.once and seat.number not in deciding:
            await games.remove_helper(session, after.table.id, seat.number)
    if not is_on(here.table):
        return
    wishes = await wishes_of(session, here.table)
    clock = charged(here.table, wishes, now)
    gain = clock.increment if is_move else 0
    left = tuple(
        min(clock.budget, have + gain) if seat in clock.running and seat not in deciding else have
        for seat, have in enumerate(clock.left)
    )
    table = msgspec.structs.replace(after.table, clock=msgspec.structs.replace(clock, left=left))
    table = _going(table, after.actors, wishes, now)
    if table.clock is not None and table.clock.running == clock.running and table.turn_from == here.table.turn_from:
        await games.set_clock(session, table.id, table.clock)
    else:
        await _noted(session, table, now)


async def restarted(session: AsyncSession, after: Position, now: int) -> None:
    """Let the clock go on from now for those who decide at a table, whatever time went by before."""
    if is_on(after.table):
        await _noted(session, _going(after.table, after.actors, await wishes_of(session, after.table), now), now)


async def stopped(session: AsyncSession, here: Position, now: int) -> None:
    """Take the time up to now, and let nobody's go by until the clock is ``restarted``."""
    if is_on(here.table):
        clock = charged(here.table, await wishes_of(session, here.table), now)
        still = msgspec.structs.replace(clock, running=(), ends=())
        await _noted(session, msgspec.structs.replace(here.table, clock=still), now)


async def others_decide(session: AsyncSession, here: Position, now: int) -> None:
    """Let the clock go on for those who sit there now, ``here`` being how it was; who is new has the whole budget."""
    before, table = here.table, await games.fetch(session, here.table.id)
    if not is_on(before):
        return
    wishes = await wishes_of(session, before, table)
    clock = charged(before, wishes, now)
    new = [one.user != other.user and bool(other.user) for one, other in zip(before.seats, table.seats, strict=True)]
    left = tuple(clock.budget if new[seat] else have for seat, have in enumerate(clock.left))
    table = msgspec.structs.replace(table, clock=msgspec.structs.replace(clock, left=left))
    await _noted(
        session, _going(table, table.holders(tuple(s.number for s in here.actors)), wishes, now), now, in_turn=True
    )


async def taken_up_to(session: AsyncSession, user: str, now: int) -> list[Table]:
    """Return the tables with a clock of a person whose wishes are about to change, the time up to now taken."""
    tables = [table for table in await games.list_with_clocks(session, user) if is_on(table)]
    wishes = await wishes_of(session, *tables)
    return [msgspec.structs.replace(table, clock=charged(table, wishes, now)) for table in tables]


async def go_on(session: AsyncSession, tables: Sequence[Table], now: int) -> None:
    """Let clocks go on with the wishes as they are now."""
    wishes = await wishes_of(session, *tables)
    for table in tables:
        if table.clock is not None:
            await _noted(session, _going(table, table.holders(table.clock.running), wishes, now), now, in_turn=True)


def is_on(table: Table) -> bool:
    """Return whether a table that has begun has a clock."""
    return table.clock is not None and bool(table.clock.left)


async def _noted(session: AsyncSession, table: Table, now: int, *, in_turn: bool = False) -> None:
    """Store the clock, and owe the word that it has run out to whoever it will run out for.

    Where the turn has begun before, whose time is up has been told.
    """
    await games.set_clock(session, table.id, table.clock)
    await outbox.drop(session, table.id, (TimeUp,))
    await outbox.owe(session, [owed for owed in times_up(table) if owed.due > now or not in_turn], now)


def times_up(table: Table) -> list[Owed]:
    """Return the posts that are due when the clocks run out that are running."""
    clock = table.clock
    if clock is None:
        return []
    return [
        Owed(f"{table.id}:time:{table.turn_from}:{seat}:{end}", TimeUp(table.id, table.turn_from, seat), end)
        for seat, end in zip(clock.running, clock.ends, strict=True)
    ]


def span(seconds: int) -> str:
    """Return a length of time in words, its two largest parts: "3 days 4 hours"."""
    parts = []
    for unit, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        count, seconds = divmod(seconds, unit)
        if count:
            parts.append(f"{count} {name}{'s' * (count > 1)}")
    return " ".join(parts[:2]) or "no time"


def told(clock: GameClock | None) -> str:
    """Return what a clock gives, in words."""
    if clock is None:
        return "no clock"
    more = f", plus {span(clock.increment)} per turn" if clock.increment else ""
    return f"{span(clock.budget)} each{more}"


def wished(table: Table, wish: ClockWish) -> GameClock | None:
    """Return the clock that is wished for a table; ``None`` is no clock.

    Raises:
        BotError: there is no such clock, or none to pause.
    """
    if wish.to == "off":
        return None
    if wish.to in ("pause", "resume"):
        if table.clock is None:
            raise BotError('This table has no clock. To start one, use /game clock set:"by pace".')
        return msgspec.structs.replace(table.clock, paused=wish.to == "pause")
    usual = of_pace(table.pace)
    base = usual if wish.to == "by pace" or table.clock is None else table.clock
    budget = base.budget if wish.budget is None else wish.budget * HOUR
    increment = base.increment if wish.increment is None else wish.increment * HOUR
    if not (HOUR <= budget <= MOST_BUDGET and 0 <= increment <= budget):
        raise BotError(
            f"The budget must be 1 to {MOST_BUDGET // HOUR} hours for the whole game, and the increment can't "
            "exceed it."
        )
    return GameClock(budget, increment)


async def is_up(session: AsyncSession, table: Table, number: int, now: int) -> bool:
    """Return whether the clock of a seat that must decide has run out."""
    clock = table.clock
    if clock is None or clock.paused or number not in clock.running:
        return False
    return left_to(table, number, await wishes_of(session, table), now) == 0
