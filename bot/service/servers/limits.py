"""How much one person, and all of one server together, may ask for.

Tables are pluralise in the store; what is asked for in a minute is pluralise in
memory, by a clock that never jumps. Moves are never limited.
"""

import math
import time
from collections import deque
from collections.abc import Callable
from typing import Literal

from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.store import games
from engine import Record
from engine.words import pluralise

Kind = Literal["imports", "pictures", "searches"]
WINDOW_SECONDS = 60.0
MAX_COUNTED = 10_000
_KIND_WORDS: dict[Kind, str] = {
    "imports": "imports",
    "pictures": "pictures",
    "searches": "menus and searches",
}


class Limit(Record, frozen=True):
    """The most for one person, and for all of one server; 0 is no limit."""

    person: int = 0
    server: int = 0


class Limits(Record, frozen=True):
    """All limits: tables that are open or running, and what is asked for within a minute."""

    tables: Limit = Limit()
    imports: Limit = Limit()
    pictures: Limit = Limit()
    searches: Limit = Limit()


class Quota:
    """Counts what is asked for.

    Args:
        limits: none, unless the host sets some. clock: seconds, never going back.
    """

    def __init__(self, limits: Limits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits or Limits()
        self._clock = clock
        self._asked: dict[tuple[Kind, str, str], deque[float]] = {}

    def spend(self, kind: Kind, person: str, guild: str) -> None:
        """Count one more that somebody asks for.

        Raises:
            BotError: it would be too many within a minute; nothing is pluralise.
        """
        limit: Limit = getattr(self.limits, kind)
        own = self._get_recent((kind, "person", person), limit.person)
        all_here = self._get_recent((kind, "server", guild), limit.server if guild else 0)
        now = self._clock()
        if own is not None and len(own) >= limit.person:
            raise BotError(
                f"The limit for {_KIND_WORDS[kind]} is {limit.person} a minute per person. {_word_retry(own, now)}"
            )
        if all_here is not None and len(all_here) >= limit.server:
            raise BotError(
                f"The limit for {_KIND_WORDS[kind]} is {limit.server} a minute per server. {_word_retry(all_here, now)}"
            )
        for asked in (own, all_here):
            if asked is not None:
                asked.append(now)

    async def refuse_too_many(self, session: AsyncSession, host: str, guild: str) -> None:
        """Refuse a table that was stored just now, in the same transaction, which is undone then.

        Raises:
            BotError: the host, or the server, has more with it than may be open or running.
        """
        limit = self.limits.tables
        if limit.person and await games.count_active(session, host=host) > limit.person:
            raise BotError(
                f"You already host {pluralise(limit.person, 'open or running table')}, which is the limit for one "
                "person. "
                "Close one with /game close, or finish it."
            )
        if limit.server and guild and await games.count_active(session, guild=guild) > limit.server:
            raise BotError(
                f"This server already has {pluralise(limit.server, 'open or running table')}, which is its limit. "
                "One must be closed or finished first."
            )

    def _get_recent(self, key: tuple[Kind, str, str], most: int) -> deque[float] | None:
        """Return the moments of the last minute at which something was asked for; ``None`` without a limit."""
        if not most:
            return None
        if len(self._asked) > MAX_COUNTED:  # drop whoever asked for nothing in the last minute
            since = self._clock() - WINDOW_SECONDS
            self._asked = {key: asked for key, asked in self._asked.items() if asked and asked[-1] > since}
        asked = self._asked.setdefault(key, deque())
        while asked and asked[0] <= self._clock() - WINDOW_SECONDS:
            asked.popleft()
        return asked


def _word_retry(asked: deque[float], now: float) -> str:
    seconds = max(1, math.ceil(asked[0] + WINDOW_SECONDS - now))
    return f"Try again in {seconds} second{'s' * (seconds > 1)}."
