"""The hours in which people want to be left in peace."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.model.errors import BotError
from bot.model.records import Calls

HOURS = 24
MAX_REMINDERS = 5
"""Reminders of a turn that one person may wish."""
_ZONE = re.compile(r"(?!posix|right|localtime|Factory)[A-Za-z][A-Za-z0-9_+/-]{1,39}")
"""The name of a zone as people know it; the system has others, of this machine or with leap seconds."""


def check_calls(calls: Calls) -> Calls:
    """Return when a person may be called, if it makes sense.

    Raises:
        BotError: there is no such hour or no such time zone.
    """
    if not (0 <= calls.delay <= 24 * 60 and 0 <= calls.every <= 24 * 14 and 0 <= calls.most <= MAX_REMINDERS):
        raise BotError(
            f"Pings can wait 0 to {24 * 60} minutes. Up to {MAX_REMINDERS} reminders can come every 1 to "
            f"{24 * 14} hours; 0 hours is the table's setting."
        )
    if not -1 <= calls.digest < HOURS:
        raise BotError("The hour of the digest must be 0 to 23, or -1 for no digest.")
    for hour in (calls.quiet_from, calls.quiet_to):
        if not 0 <= hour < HOURS:
            raise BotError("Quiet hours must be whole numbers from 0 to 23, in your time zone.")
    try:
        ZoneInfo(calls.zone if _ZONE.fullmatch(calls.zone) else "")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BotError(f"There is no time zone “{calls.zone[:40]}”; try a name such as Europe/Berlin.") from None
    return calls


def list_zones() -> list[str]:
    """Return the names of all time zones of places."""
    return sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "posix/")))


def find_quiet_end(calls: Calls, now: int) -> int:
    """Return when the quiet hours, or the absence, end in which a moment lies; the moment itself if in none."""
    if calls.away_from <= now < calls.away_to:
        now = calls.away_to
    if calls.quiet_from == calls.quiet_to:
        return now
    here = datetime.fromtimestamp(now, ZoneInfo(calls.zone))
    length = (calls.quiet_to - calls.quiet_from) % HOURS
    if (here.hour - calls.quiet_from) % HOURS >= length:
        return now
    end = here.replace(hour=calls.quiet_to, minute=0, second=0, microsecond=0)
    if end <= here:
        end += timedelta(days=1)
    return int(end.timestamp())


def find_awake(calls: Calls, now: int) -> int:
    """Return the first moment from ``now`` on at which a person is neither asleep nor away."""
    while (end := find_quiet_end(calls, now)) > now:
        now = end
    return now


def iterate_awake(calls: Calls, start: int) -> Iterator[tuple[int, int | None]]:
    """Yield the spans from a moment on in which a person wants no peace; the last may have no end."""
    now = start
    while True:
        now = find_awake(calls, now)
        until = _find_next_quiet(calls, now)
        yield now, until
        if until is None:
            return
        now = until


def _find_next_quiet(calls: Calls, now: int) -> int | None:
    """Return the moment at which quiet hours, or an absence, begin next; ``None`` if they never do."""
    begins = [calls.away_from] if now < calls.away_from < calls.away_to else []
    if calls.quiet_from != calls.quiet_to:
        here = datetime.fromtimestamp(now, ZoneInfo(calls.zone))
        then = here.replace(hour=calls.quiet_from, minute=0, second=0, microsecond=0)
        while then.timestamp() <= now:
            then += timedelta(days=1)
        begins.append(int(then.timestamp()))
    return min(begins, default=None)


def find_asleep(calls: Mapping[str, Calls], now: int) -> dict[str, int]:
    """Return those who want their peace at a moment, each with the moment it ends."""
    ends = {user: find_awake(wish, now) for user, wish in calls.items()}
    return {user: end for user, end in ends.items() if end > now}


def count_waking_seconds(calls: Calls, start: int, end: int) -> int:
    """Return how many seconds between two moments a person wanted no peace."""
    total = 0
    for since, until in iterate_awake(calls, start):
        if since >= end:
            break
        total += (end if until is None else min(until, end)) - since
        if until is None:
            break
    return total


def add_waking_seconds(calls: Calls, start: int, seconds: int) -> int:
    """Return the moment by which so many seconds have gone by in which a person wanted no peace."""
    for since, until in iterate_awake(calls, start):
        if until is None or until - since >= seconds:
            return since + seconds
        seconds -= until - since
    return start
