"""Pages that follow a game: viewers are told what is newest; the database is asked once a while for all tables."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable

import structlog

from bot.model.records import Position
from bot.service.services import Services

POLL_SECONDS = 0.5
CHECK_SECONDS = 1.0
"""After which the addresses of all viewers are looked up again: one that has ended ends their streams."""
MAX_JITTER_MS, JITTER_PER_VIEWER_MS = 1000, 10
"""Pages wait for a random part of this before they ask for what is new, so that many do not ask at once."""
CROWD = 20
"""Viewers that are told of a move in one go."""
_log = structlog.get_logger(__name__)
Prepare = Callable[[int], Awaitable[Position]]
"""Draws what all viewers of a table will ask for now, and returns its position."""
Works = Callable[[str], Awaitable[bool]]
"""Returns whether the address with a token still works."""
News = asyncio.Queue[Position | None]
"""What a viewer is told: the newest position, ``None`` at the end. A page that missed one reads the list again."""


class Watch:
    """Tells viewers of tables that something was stored, and ends the streams of addresses that have ended.

    Args:
        services: the tables. prepare: draws what all of them will ask for. works: looks an address up.
    """

    def __init__(self, services: Services, prepare: Prepare, works: Works) -> None:
        self.services = services
        self.prepare, self.works = prepare, works
        self._viewers: dict[int, dict[News, str]] = defaultdict(dict)
        self._known: dict[int, int] = {}
        self._spreading: dict[int, asyncio.Task[None]] = {}

    def join(self, game: int, version: int, token: str) -> News:
        """Return a queue that gets the position of a table whenever it changes from a version on."""
        self._known.setdefault(game, version)
        queue: News = asyncio.Queue(1)
        self._viewers[game][queue] = token
        return queue

    def leave(self, game: int, queue: News) -> None:
        """Forget a viewer."""
        self._viewers[game].pop(queue, None)
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
        for viewers in self._viewers.values():
            for queue in viewers:
                _put(queue, None)
            viewers.clear()

    async def run(self) -> None:
        """Look for changes and for addresses that have ended, until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                for work, seconds in ((self.look, POLL_SECONDS), (self.check, CHECK_SECONDS)):
                    group.create_task(_repeat(work, seconds))
        finally:
            for spreading in self._spreading.values():
                spreading.cancel()

    async def look(self) -> None:
        """Begin to tell the viewers of all tables that have changed since the last look."""
        games = [game for game in self._viewers if game not in self._spreading]
        if not games:
            return
        for game, count in (await self.services.boards.count_entries(games)).items():
            before = self._known.get(game)
            if before is None:
                continue
            self._known[game] = count
            if before != count:  # one table whose picture takes long must not hold up another
                self._spreading[game] = asyncio.create_task(self._spread(game, before))

    async def _spread(self, game: int, before: int) -> None:
        try:
            here = await self.prepare(game)
            for number, queue in enumerate([*self._viewers.get(game, {})], 1):
                _put(queue, here)
                if number % CROWD == 0:  # others' presses come in between
                    await asyncio.sleep(0)
        except Exception as error:  # noqa: BLE001  # the next look finds it again
            _log.error("announcing a move", game=game, exc_info=error)
            if game in self._known:
                self._known[game] = before
        finally:
            del self._spreading[game]

    async def check(self) -> None:
        """End the streams whose address has ended, for whatever reason."""
        tokens = dict.fromkeys(token for viewers in self._viewers.values() for token in viewers.values())
        ended = {token for token in tokens if not await self.works(token)}
        for viewers in self._viewers.values():
            for queue in [queue for queue, token in viewers.items() if token in ended]:
                _put(queue, None)
                del viewers[queue]


async def _repeat(work: Callable[[], Awaitable[None]], seconds: float) -> None:
    while True:
        try:
            await work()
        except Exception as error:  # noqa: BLE001  # the next time
            _log.error("watching tables", exc_info=error)
        await asyncio.sleep(seconds)


def _put(queue: News, here: Position | None) -> None:
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(here)
