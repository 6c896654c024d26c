"""A copy of the store on demand, while all goes on; one in ten minutes at most."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bot.service.errors import BotError
from bot.service.servers.duties import Duties
from bot.store import copies
from bot.store.database import Database

DUTY = "backup"
PAUSE = 10 * 60


class Copying:
    """Makes copies beside those of the schedule, which counts and removes them like its own."""

    def __init__(self, database: Database, duties: Duties, clock: Callable[[], int], folder: Path) -> None:
        self.database = database
        self.duties = duties
        self.clock = clock
        self.folder = folder / "backups"

    async def copy(self) -> str:
        """Copy the store, checked; return what was copied, in words.

        Raises:
            BotError: another copy was made just now, or the copy is not sound.
        """
        now, last = self.clock(), await self.duties.noted(DUTY)
        if last.isdecimal() and 0 <= now - int(last) < PAUSE:
            raise BotError(f"A backup was made {(now - int(last)) // 60} minutes ago; one in ten minutes is enough.")
        if not await self.duties.take(DUTY, 900):
            raise BotError("A backup is being made in this very moment.")
        try:
            name = f"stationmaster-{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}.sqlite"
            copy = await copies.write_copy(self.database, self.folder / name)
            await self.duties.note(DUTY, str(now))
        finally:
            await self.duties.give_back(DUTY)
        return f"{name}: {copy.words}, {copy.size} bytes, checked."
