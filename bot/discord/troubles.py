"""What Discord refuses: what its errors mean for what is to be done, and how often it was of late."""

import time
from collections import deque
from collections.abc import Callable
from typing import Literal

import aiohttp
import discord

from bot.store.trouble import StoreError

UNKNOWN_CHANNEL = 10003
UNKNOWN_GUILD = 10004
UNKNOWN_MESSAGE = 10008
EDITED_TOO_OFTEN = 30046
MISSING_ACCESS = 50001
ARCHIVED = 50083
LOCKED = 160005
THREAD_EXISTS = 160004
Trouble = Literal["gone", "forbidden", "form", "token", "line", "early", "ours"]
"""``gone``: there is no such channel. ``forbidden``: we may not. ``form``: Discord does not take what we made, now or
ever. ``token``: it does not take our token. ``line``: the line, a limit, Discord itself, or the store; later it goes.
``early``: what it belongs to is not there yet, or was edited too often of late; others of its table go on.
``ours``: a defect."""
SPAN = 600.0
MANY = 2000
"""Refused requests within the seconds of ``SPAN``: Discord bans the address at 10,000 in ten minutes."""


class BlindError(Exception):
    """A post may stand already, and we may not read back (Read Message History): it waits, or it would stand twice."""


class TooEarlyError(Exception):
    """The message that a post belongs to is not there yet."""


def trouble_of(error: BaseException) -> Trouble:
    """Return what kind of trouble an error is."""
    if isinstance(error, discord.RateLimited | StoreError):
        return "line"
    if isinstance(error, BlindError | TooEarlyError):
        return "forbidden" if isinstance(error, BlindError) else "early"
    if isinstance(error, discord.HTTPException):
        return _answered(error)
    outside = aiohttp.ClientError | OSError | TimeoutError | discord.DiscordException
    return "line" if isinstance(error, outside) else "ours"


def _answered(error: discord.HTTPException) -> Trouble:
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
    """Tell whether a message or its channel is deleted, as Discord's code says; what stands in between may lie."""
    return error.code in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL)


def is_shut(error: discord.HTTPException) -> bool:
    """Tell whether a thread is archived or locked: it can be opened."""
    return error.code in (ARCHIVED, LOCKED)


class Refusals:
    """Counts refusals; where there are many, what was refused before has to wait, and only what is new is tried.

    Args:
        now: gives seconds that never run backwards.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._at: deque[float] = deque(maxlen=MANY)

    def note(self) -> None:
        """Count one."""
        self._at.append(self._now())

    @property
    def are_many(self) -> bool:
        """Tell whether there were too many in the last ten minutes."""
        return len(self._at) == MANY and self._at[0] > self._now() - SPAN
