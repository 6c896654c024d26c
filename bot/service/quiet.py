"""The hours in which people want to be left in peace."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.service import posts
from bot.service.errors import BotError
from bot.service.records import Calls

HOURS = 24


def checked(calls: Calls) -> Calls:
    """Return when a person may be called, if it makes sense.

    Raises:
        BotError: there is no such hour or no such time zone.
    """
    if not (0 <= calls.delay <= 24 * 60 and 0 <= calls.every <= 24 * 14 and 0 <= calls.most <= posts.MOST_REMINDERS):
        raise BotError(
            f"A call may wait 0 to {24 * 60} minutes; reminders come every 1 to {24 * 14} hours, "
            f"{posts.MOST_REMINDERS} at most; 0 hours: as the table has it."
        )
    if not -1 <= calls.digest < HOURS:
        raise BotError("The digest comes at an hour from 0 to 23; -1 for none.")
    for hour in (calls.quiet_from, calls.quiet_to):
        if not 0 <= hour < HOURS:
            raise BotError("Hours are whole numbers from 0 to 23, in your own time zone.")
    try:
        ZoneInfo(calls.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BotError(f"There is no time zone “{calls.zone[:40]}”; one is Europe/Berlin.") from None
    return calls


def zones() -> list[str]:
    """Return the names of all time zones of places."""
    return sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "posix/")))


def quiet_until(calls: Calls, now: int) -> int:
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
