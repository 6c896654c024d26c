"""What is done once, however many processes share the store: declaring commands, backups, looking after time."""

import secrets
from collections.abc import Callable

from bot.store import leases
from bot.store.database import Database
from bot.store.server_clock import moment

_PREFIX = "duty:"


class Duties:
    """Who does a duty, and what is noted about it."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self.database = database
        self.clock = clock
        self._holder = secrets.token_hex(8)

    async def take(self, duty: str, seconds: int) -> bool:
        """Take a duty for so many seconds, 900 at most; ``False`` if another process has it.

        Give it back with ``give_back``, or let it lapse: then nobody does it again before that.
        """
        name = _PREFIX + duty
        async with self.database.writing(wakes=False) as session:
            now = await moment(session, self.clock)
            mine = await leases.take(session, [name], self._holder, now, min(seconds, leases.LONGEST))
        return name in mine

    async def give_back(self, duty: str) -> None:
        """Let others take a duty."""
        async with self.database.writing(wakes=False) as session:
            await leases.give_back(session, _PREFIX + duty, self._holder)

    async def noted(self, name: str) -> str:
        """Return what was noted under a name; empty if nothing was."""
        async with self.database.reading() as session:
            return await leases.note(session, name)

    async def note(self, name: str, words: str) -> None:
        """Note something under a name."""
        async with self.database.writing(wakes=False) as session:
            await leases.set_note(session, name, words)
