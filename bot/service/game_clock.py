"""The game clock of a table: a budget for each seat and an increment a turn, off unless the table wishes one.

With an increment as large as the budget it is a limit for each turn. It stops in
the quiet hours of the player who must decide, while they are away, and while the
program sits in for them. When it runs out no one loses: after the grace period,
if the table has one, the others are asked whether a player shall act for the
seat. Time is taken where a turn passes, and wherever people, or their wishes,
change meanwhile.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import quiet
from bot.model.clock import DAY, HOUR, MINUTE, GameClock
from bot.model.errors import BotError
from bot.model.posts import ClockAlarm, Owed, build_turn_key
from bot.model.records import Calls, Pace, Position, Seat, Table
from bot.store import games, outbox, people, posted
from engine import Record

CLOCK_OF_PACE: Mapping[Pace, tuple[int, int]] = {
    "live": (HOUR, 2 * MINUTE),
    "several a day": (2 * DAY, 2 * HOUR),
    "daily": (4 * DAY, 12 * HOUR),
    "relaxed": (10 * DAY, DAY),
}
"""Budget and increment that go with a pace."""


MAX_BUDGET_SECONDS = 60 * DAY
MAX_GRACE_SECONDS = 14 * DAY


class ClockWish(Record, frozen=True):
    """What a table wishes of its clock.

    Args:
        to: "by pace", "off", "pause", "resume", or empty where the numbers say it.
        budget, increment: hours; ``None`` leaves what is there. turn: hours for each turn instead of both.
        grace: hours after that.
    """

    to: str = ""
    budget: int | None = None
    increment: int | None = None
    turn: int | None = None
    grace: int | None = None


def make_clock(pace: Pace) -> GameClock:
    """Return the clock that goes with a pace."""
    return GameClock(*CLOCK_OF_PACE[pace])


def refill_clock(table: Table, actors: Sequence[Seat], wishes: Mapping[str, Calls], now: int) -> Table:
    """Return a table whose clock begins for those who must decide; each seat has the whole budget."""
    assert table.clock is not None
    left = (table.clock.budget,) * len(table.seats)
    full = msgspec.structs.replace(table.clock, left=left, running=(), paused=False, late=())
    return _run_clock(msgspec.structs.replace(table, clock=full), actors, wishes, now)


def _run_clock(table: Table, actors: Sequence[Seat], wishes: Mapping[str, Calls], now: int) -> Table:
    """Return a table whose clock goes for these seats from a moment on."""
    clock = table.clock
    assert clock is not None
    asked = [] if clock.paused else [seat for seat in actors if seat.caller]
    left = {seat: clock.left[seat.number] for seat in asked}
    graces = tuple(quiet.add_waking_seconds(wishes[seat.caller], now, left[seat] + clock.grace) for seat in asked)
    ends = tuple(
        quiet.add_waking_seconds(wishes[seat.caller], now, left[seat]) if left[seat] > 0 else over
        for seat, over in zip(asked, graces, strict=True)
    )
    fields = {"running": tuple(seat.number for seat in asked), "ends": ends, "graces": graces if clock.grace else ()}
    return msgspec.structs.replace(table, clock=msgspec.structs.replace(clock, since=now, **fields))


def charge_clock(table: Table, wishes: Mapping[str, Calls], now: int) -> GameClock:
    """Return the clock of a table with the time taken that went by for those who had to decide."""
    clock = table.clock
    assert clock is not None
    left = list(clock.left)
    for seat in table.find_seats(clock.running):
        calls = wishes.get(seat.caller)
        gone = quiet.count_waking_seconds(calls, clock.since, now) if calls is not None else 0
        left[seat.number] = max(-clock.grace, left[seat.number] - gone)
    return msgspec.structs.replace(clock, left=tuple(left), since=now)


def compute_time_left(table: Table, seat: int, wishes: Mapping[str, Calls], now: int) -> int:
    """Return the seconds that a seat has at a moment, less than 0 in its grace period."""
    return charge_clock(table, wishes, now).left[seat]


async def fetch_wishes(session: AsyncSession, *tables: Table) -> dict[str, Calls]:
    """Return the wishes of all who decide at tables."""
    return await people.fetch_calls(
        session, list({seat.caller for table in tables for seat in table.seats if seat.caller})
    )


async def start_clock(session: AsyncSession, here: Position, now: int) -> None:
    """Let the clock of a table, if it has one, begin: all have the whole budget."""
    if here.table.clock is not None:
        wishes = await fetch_wishes(session, here.table)
        await _store_clock(session, refill_clock(here.table, here.actors, wishes, now), now)


async def pass_turn(session: AsyncSession, here: Position, after: Position, now: int, *, is_move: bool) -> None:
    """Note a step of the game: relieve a deputy for one turn, and run the clock of the next players."""
    deciding = {seat.number for seat in after.actors}
    for seat in after.table.seats:
        if seat.once and seat.number not in deciding:
            await games.remove_helper(session, after.table.id, seat.number)
    if not has_started_clock(here.table):
        return
    wishes = await fetch_wishes(session, here.table)
    clock = charge_clock(here.table, wishes, now)
    done = [number for number in clock.running if number not in deciding] if is_move else []
    left, late = list(clock.left), list(clock.late or (0,) * len(clock.left))
    for number in done:
        late[number] += left[number] <= 0
        left[number] = min(clock.budget, max(0, left[number]) + clock.increment)
    clock = msgspec.structs.replace(clock, left=tuple(left), late=tuple(late) if any(late) else ())
    table = msgspec.structs.replace(after.table, clock=clock)
    table = _run_clock(table, after.actors, wishes, now)
    if table.clock is not None and table.clock.running == clock.running and table.turn_from == here.table.turn_from:
        await games.set_clock(session, table.id, table.clock)
    else:
        await _store_clock(session, table, now)


async def restart_clock(session: AsyncSession, after: Position, now: int) -> None:
    """Let the clock go on from now for those who decide at a table, whatever time went by before."""
    if has_started_clock(after.table):
        await _store_clock(
            session, _run_clock(after.table, after.actors, await fetch_wishes(session, after.table), now), now
        )


async def stop_clock(session: AsyncSession, here: Position, now: int) -> None:
    """Take the time up to now, and let no one's go by until ``restart_clock``."""
    if has_started_clock(here.table):
        clock = charge_clock(here.table, await fetch_wishes(session, here.table), now)
        still = msgspec.structs.replace(clock, running=(), ends=())
        await _store_clock(session, msgspec.structs.replace(here.table, clock=still), now)


async def change_deciders(session: AsyncSession, here: Position, now: int) -> None:
    """Let the clock go on for those who sit there now, ``here`` being how it was; who is new has the whole budget."""
    before, table = here.table, await games.fetch(session, here.table.id)
    if not has_started_clock(before):
        return
    wishes = await fetch_wishes(session, before, table)
    clock = charge_clock(before, wishes, now)
    new = [one.user != other.user and bool(other.user) for one, other in zip(before.seats, table.seats, strict=True)]
    left = tuple(clock.budget if new[seat] else have for seat, have in enumerate(clock.left))
    late = tuple(0 if new[seat] else count for seat, count in enumerate(clock.late))
    table = msgspec.structs.replace(table, clock=msgspec.structs.replace(clock, left=left, late=late))
    await _store_clock(
        session,
        _run_clock(table, table.find_seats(tuple(s.number for s in here.actors)), wishes, now),
        now,
        in_turn=True,
    )


async def charge_clocks_of(session: AsyncSession, user: str, now: int) -> list[Table]:
    """Return the tables with a clock of a person whose wishes are about to change, the time up to now taken."""
    tables = [table for table in await games.list_with_clocks(session, user) if has_started_clock(table)]
    wishes = await fetch_wishes(session, *tables)
    return [msgspec.structs.replace(table, clock=charge_clock(table, wishes, now)) for table in tables]


async def resume_clocks(session: AsyncSession, tables: Sequence[Table], now: int) -> None:
    """Let clocks go on with the wishes as they are now; a turn message that shows another moment is written again."""
    wishes = await fetch_wishes(session, *tables)
    for table in tables:
        if table.clock is None:
            continue
        after = _run_clock(table, table.find_seats(table.clock.running), wishes, now)
        await _store_clock(session, after, now, in_turn=True)
        turn = await posted.find(session, build_turn_key(table.id, table.turn_from))
        if after.clock is not None and after.clock.ends != table.clock.ends and turn is not None and turn.message:
            await outbox.owe(session, [Owed(turn.key, turn.post, now)], now)  # an edit: it rings no one


def has_started_clock(table: Table) -> bool:
    """Return whether a table that has begun has a clock."""
    return table.clock is not None and bool(table.clock.left)


async def _store_clock(session: AsyncSession, table: Table, now: int, *, in_turn: bool = False) -> None:
    """Store the clock, and owe the notice that it has run out to the player it will run out for.

    Where the turn has begun before, whose time is up has been told.
    """
    await games.set_clock(session, table.id, table.clock)
    await outbox.drop(session, table.id, (ClockAlarm,))
    await outbox.owe(session, [owed for owed in build_alarms(table) if owed.due > now or not in_turn], now)


def build_alarms(table: Table) -> list[Owed]:
    """Return what is due when the clocks run out that are running."""
    clock = table.clock
    if clock is None:
        return []
    return [
        Owed(f"{table.id}:time:{table.turn_from}:{seat}:{end}", ClockAlarm(table.id, table.turn_from, seat), end)
        for seat, end in zip(clock.running, clock.ends, strict=True)
    ]


def format_span(seconds: int) -> str:
    """Return a length of time in words, its two largest parts: "3 days 4 hours"."""
    parts = []
    for unit, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        count, seconds = divmod(seconds, unit)
        if count:
            parts.append(f"{count} {name}{'s' * (count > 1)}")
    return " ".join(parts[:2]) or "no time"


def format_left(clock: GameClock, seat: int) -> str:
    """Return the time that a seat has left, or how much of its grace period, in words."""
    left = clock.left[seat]
    return format_span(left) if left > 0 or not clock.grace else f"{format_span(left + clock.grace)} of grace"


def describe_clock(clock: GameClock | None) -> str:
    """Return what a clock gives, in words."""
    if clock is None:
        return "no clock"
    more = f", plus {format_span(clock.increment)} per turn" if clock.increment else ""
    each = (
        f"{format_span(clock.budget)} for each turn" if clock.is_per_turn else f"{format_span(clock.budget)} each{more}"
    )
    return f"{each}, then {format_span(clock.grace)} of grace" if clock.grace else each


def describe_due(clock: GameClock | None, seat: int, zone: str) -> str:
    """Return when a seat must have decided, in the time zone of its player: "Due Fri 15 Jan, 18:00"; "" if never."""
    if clock is None or clock.paused or seat not in clock.running:
        return ""
    at = clock.running.index(seat)
    end, over = (
        f"{datetime.fromtimestamp(moment, ZoneInfo(zone)):%a %d %b, %H:%M}"
        for moment in (clock.ends[at], (clock.graces or clock.ends)[at])
    )
    if not clock.graces:
        return f"Due {end} ({zone})."
    return f"You're late; grace until {over} ({zone})." if end == over else f"Due {end}; grace until {over} ({zone})."


def build_clock(table: Table, wish: ClockWish) -> GameClock | None:
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
    if wish.turn is not None and (wish.budget, wish.increment) != (None, None):
        raise BotError("Set either the hours for each turn, or a budget and an increment.")
    usual = make_clock(table.pace)
    base = usual if wish.to == "by pace" or table.clock is None else table.clock
    given = (wish.budget, wish.increment) if wish.turn is None else (wish.turn, wish.turn)
    budget = base.budget if given[0] is None else given[0] * HOUR
    increment = base.increment if given[1] is None else given[1] * HOUR
    grace = base.grace if wish.grace is None else wish.grace * HOUR
    if not (HOUR <= budget <= MAX_BUDGET_SECONDS and 0 <= increment <= budget):
        raise BotError(
            f"The budget must be 1 to {MAX_BUDGET_SECONDS // HOUR} hours for the whole game, and the increment can't "
            "exceed it."
        )
    if not 0 <= grace <= MAX_GRACE_SECONDS:
        raise BotError(f"The grace period can be 0 to {MAX_GRACE_SECONDS // HOUR} hours.")
    return GameClock(budget, increment, grace=grace)


async def is_time_up(session: AsyncSession, table: Table, number: int, now: int) -> bool:
    """Return whether the clock of a seat that must decide has run out, and its grace period is over."""
    clock = table.clock
    if clock is None or clock.paused or number not in clock.running:
        return False
    return compute_time_left(table, number, await fetch_wishes(session, table), now) <= -clock.grace
