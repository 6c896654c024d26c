"""What Discord's errors mean: whether to retry, give up or find another place, and how many there were lately."""

import time
from collections import deque
from collections.abc import Callable
from typing import Literal

import aiohttp
import discord

from bot.store.database import StoreError

UNKNOWN_CHANNEL = 10003
UNKNOWN_GUILD = 10004
UNKNOWN_MESSAGE = 10008
EDITED_TOO_OFTEN = 30046
MISSING_ACCESS = 50001
ARCHIVED = 50083
LOCKED = 160005
THREAD_EXISTS = 160004
ErrorKind = Literal["gone", "forbidden", "form", "token", "line", "early", "thread", "ours"]
"""``gone``: there is no such channel. ``forbidden``: we may not. ``form``: Discord will never take this message.
``token``: it rejects our token. ``line``: the connection, a limit, Discord itself, or the database; retry later.
``early``: what it belongs to isn't there yet, or was edited too often lately; other posts of its table go on.
``thread``: the table has no thread, and none can be found or made now. ``ours``: a defect."""
REFUSALS_SECONDS = 600.0
MAX_REFUSALS = 2000
"""Within ``REFUSALS_SECONDS``; Discord bans the address at 10,000 in ten minutes."""


class BlindError(Exception):
    """A post may exist already, and we may not look (Read Message History): it waits, so as not to be posted twice."""


class TooEarlyError(Exception):
    """The message that a post belongs to isn't there yet."""


class NoThreadError(Exception):
    """Discord refused to find or make the thread of a table, which says nothing about the post that was to go there."""


def classify_error(error: BaseException) -> ErrorKind:
    """Return what kind of error it is."""
    if isinstance(error, discord.RateLimited | StoreError):
        return "line"
    if isinstance(error, BlindError | TooEarlyError):
        return "forbidden" if isinstance(error, BlindError) else "early"
    if isinstance(error, NoThreadError):
        return "thread"
    if isinstance(error, discord.HTTPException):
        return _classify_response(error)
    outside = aiohttp.ClientError | OSError | TimeoutError | discord.DiscordException
    return "line" if isinstance(error, outside) else "ours"


def _classify_response(error: discord.HTTPException) -> ErrorKind:
    if error.status == 404 and error.code in (UNKNOWN_CHANNEL, UNKNOWN_GUILD):
        return "gone"
    if error.status == 403 or error.code in (LOCKED, ARCHIVED):
        return "forbidden"
    if error.code == EDITED_TOO_OFTEN:
        return "early"
    if error.status == 401:
        return "token"
    return "form" if 400 <= error.status < 500 and error.status not in (408, 429) else "line"


def is_gone(error: discord.NotFound) -> bool:
    """Return whether a message or its channel is deleted, by Discord's own code: a proxy may answer 404 as well."""
    return error.code in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL)


def is_closed(error: discord.HTTPException) -> bool:
    """Return whether a thread is archived or locked, so that it can be reopened."""
    return error.code in (ARCHIVED, LOCKED)


class Refusals:
    """Counts refusals; where there are many, posts that were refused before wait, and only new ones are tried.

    Args:
        now: gives seconds that never run backwards.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._at: deque[float] = deque(maxlen=MAX_REFUSALS)

    def note(self) -> None:
        """Count one."""
        self._at.append(self._now())

    @property
    def are_many(self) -> bool:
        """Whether there were too many in the last ten minutes."""
        return len(self._at) == MAX_REFUSALS and self._at[0] > self._now() - REFUSALS_SECONDS
