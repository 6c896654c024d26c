"""Pages that follow a game: each viewer has a queue, and the database is asked once a while for all tables together."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable

import structlog

from bot.model.records import Position
from bot.service.services import Services

POLL_SECONDS = 0.5
MAX_JITTER_MS, JITTER_PER_VIEWER_MS = 1000, 10
"""Pages wait for a random part of this before they ask for what is new, so that many do not ask at once."""
MAX_WAITING = 64
"""Events that may wait for a viewer whose line is slow; further ones are left out, and it reads the list again."""
_log = structlog.get_logger(__name__)
Prepare = Callable[[int], Awaitable[Position]]
"""Draws what all viewers of a table will ask for now, and returns its position."""
News = asyncio.Queue[Position | None]
"""What a viewer is told: a position that is new, ``None`` at the end."""


class Watch:
    """Tells viewers of tables that something was stored.

    Args:
        services: the tables. prepare: draws what all of them will ask for.
    """

    def __init__(self, services: Services, prepare: Prepare) -> None:
        self.services = services
        self.prepare = prepare
        self._viewers: dict[int, set[News]] = defaultdict(set)
        self._known: dict[int, int] = {}

    def join(self, game: int, version: int) -> News:
        """Return a queue that gets the position of a table whenever it changes from a version on."""
        self._known.setdefault(game, version)
        queue: News = asyncio.Queue(MAX_WAITING)
        self._viewers[game].add(queue)
        return queue

    def leave(self, game: int, queue: News) -> None:
        """Forget a viewer."""
        self._viewers[game].discard(queue)
        if not self._viewers[game]:
            del self._viewers[game]
            self._known.pop(game, None)

    def count(self, game: int) -> int:
        """Return how many follow a table."""
        return len(self._viewers.get(game, ()))

    def measure_jitter(self, game: int) -> int:
        """Return for how many milliseconds at most pages should wait before they ask."""
        return min(MAX_JITTER_MS, JITTER_PER_VIEWER_MS * self.count(game))

    def end(self) -> None:
        """End all streams: a server that stops waits for them."""
        for queues in self._viewers.values():
            for queue in queues:
                _put(queue, None)

    async def run(self) -> None:
        """Look for changes, until cancelled."""
        while True:
            try:
                await self.look()
            except Exception as error:  # noqa: BLE001  # the next time
                _log.error("watching tables", exc_info=error)
            await asyncio.sleep(POLL_SECONDS)

    async def look(self) -> None:
        """Tell the viewers of all tables that have changed since the last look."""
        games = [*self._viewers]
        if not games:
            return
        changed = []
        for game, count in (await self.services.boards.count_entries(games)).items():
            before, self._known[game] = self._known.get(game), count
            changed += [game] if before not in (None, count) else []
        await asyncio.gather(*map(self._spread, changed))

    async def _spread(self, game: int) -> None:
        here = await self.prepare(game)
        for queue in [*self._viewers.get(game, ())]:
            _put(queue, here)


def _put(queue: News, here: Position | None) -> None:
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(here)
