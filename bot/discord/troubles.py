"""What an error of Discord means for what is to be done."""

from typing import Literal

import aiohttp
import discord

from bot.store.trouble import StoreError

UNKNOWN_CHANNEL = 10003
UNKNOWN_GUILD = 10004
MISSING_ACCESS = 50001
ARCHIVED = 50083
LOCKED = 160005
THREAD_EXISTS = 160004

Trouble = Literal["gone", "forbidden", "form", "token", "line", "early", "ours"]
"""``gone``: there is no such channel. ``forbidden``: we may not. ``form``: Discord does not take what we made, now or
ever. ``token``: it does not take our token. ``line``: the line, a limit, Discord itself, or the store; later it goes.
``early``: what it belongs to is not there yet. ``ours``: a defect."""


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
    if error.status == 401:
        return "token"
    return "form" if 400 <= error.status < 500 and error.status not in (408, 429) else "line"


def is_shut(error: discord.HTTPException) -> bool:
    """Tell whether a thread is archived or locked: it can be opened."""
    return error.code in (ARCHIVED, LOCKED)
