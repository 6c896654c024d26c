"""A copy of the store on demand, while all goes on; one in ten minutes at most, and the newest few are kept."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bot.model.errors import BotError
from bot.service.servers.duties import Duties
from bot.store import copies, leases
from bot.store.database import Database

DUTY = "backup"
"""Of one process at a time; the schedule notes its last backup under the same name."""
ON_DEMAND = "backup on demand"
PAUSE = 10 * 60
KEPT = 7
_PREFIX = "on-demand-"


class Copying:
    """Makes copies beside those of the schedule, which neither puts off nor replaces."""

    def __init__(self, database: Database, duties: Duties, clock: Callable[[], int], folder: Path) -> None:
        self.database = database
        self.duties = duties
        self.clock = clock
        self.folder = folder / "backups"
        self.kept = KEPT

    async def copy(self) -> str:
        """Copy the store, checked, and remove the oldest copies; return what was copied, in words.

        Raises:
            BotError: another copy was made just now, or the copy is not sound.
        """
        now, last = self.clock(), await self.duties.noted(ON_DEMAND)
        if last.isdecimal() and 0 <= now - int(last) < PAUSE:
            raise BotError(f"A backup was made {(now - int(last)) // 60} minutes ago; one in ten minutes is enough.")
        if not await self.duties.take(DUTY, leases.LONGEST):
            raise BotError("A backup is being made right now; try again in a minute.")
        try:
            name = f"{_PREFIX}{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}.sqlite"
            copy = await copies.write_copy(self.database, self.folder / name)
            await self.duties.note(ON_DEMAND, str(now))
        finally:
            await self.duties.give_back(DUTY)
            await asyncio.to_thread(copies.prune, self.folder, _PREFIX, self.kept)
        return f"{name}: {copy.words}, {copy.size} bytes, checked."

    async def last(self) -> str:
        """Return the moment of the last backup, by schedule or on demand; empty if there was none."""
        noted = [await self.duties.noted(name) for name in (DUTY, ON_DEMAND)]
        return max(noted, key=lambda moment: int(moment) if moment.isdecimal() else 0)
