"""The moves worth a button, worked out once a position; what is not proven is searched on in the background.

Nothing of it is stored. An action holds the move itself, never "the best", so
a better one found later changes no game; and after a restart the search begins
again as soon as somebody looks at the table, and finds the same moves.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing

import msgspec
import structlog

from bot.model.posts import Owed, turn_key
from bot.model.records import Position
from bot.model.standing import UNNUMBERED, Course, Standing
from bot.service.workers.pool import Workers
from bot.service.workers.tips import NOTHING, PLANS, PROOF_SECONDS, PROVE, TIPS, Advised, Considered, tip_rows, tips_of
from bot.store import log, outbox, posted
from bot.store.database import Database
from engine import Tip

Prove = Callable[[Standing, int, Sequence[Tip]], AsyncGenerator[tuple[Tip, ...], None]]
"""Searches on from tips that are not all proven; gives what it has now and then, off the event loop."""

AT_ONCE = 1
"""Searches at a time in the whole bot; each keeps a processor busy."""
BUDGETS = (4_000_000, 16_000_000, 64_000_000, 256_000_000)
"""Tries of each search for a proof; the last takes minutes."""
_log = structlog.get_logger(__name__)


class Advice:
    """Tips of all tables.

    Args:
        database: where the turn message is owed again when its buttons have become better.
        clock: the moment, for that.
        workers: search at first. most: tables remembered.
    """

    def __init__(self, database: Database, clock: Callable[[], int], workers: Workers, most: int) -> None:
        self.prove: Prove = self._longer_and_longer
        self._database = database
        self._clock = clock
        self._workers = workers
        self._most = most
        self._known: OrderedDict[int, Advised] = OrderedDict()
        self._asked: dict[tuple[int, int, int], asyncio.Task[Advised]] = {}
        self._planning: dict[tuple[int, int, int], asyncio.Task[Advised]] = {}
        self._searching: dict[int, asyncio.Task[None]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(AT_ONCE)

    async def of(self, here: Position, seat: int) -> Advised:
        """Return the moves worth a button for a seat; may search routes for a second or two, once for all who ask."""
        known = self.known(here, seat)
        if known is not NOTHING:
            return known
        key = (here.table.id, here.version, seat)
        task = self._asked.get(key)
        if task is None:
            task = self._asked[key] = asyncio.create_task(self._looked_for(here, seat))
            task.add_done_callback(lambda _: self._asked.pop(key, None))
        return await asyncio.shield(task)

    async def _looked_for(self, here: Position, seat: int) -> Advised:
        rows = await self._workers.do(TIPS, seat, here.course)
        known = Advised(here.version, seat, tips_of(here.table.title, rows))
        self._begin(here, known)
        return known

    def latest(self, here: Position) -> Advised:
        """Return what was worked out before for whichever seat; ``NOTHING`` if nothing was."""
        known = self._known.get(here.table.id, NOTHING)
        return known if known.version == here.version else NOTHING

    def known(self, here: Position, seat: int) -> Advised:
        """Return what was worked out before for a seat; ``NOTHING`` if nothing was."""
        known = self.latest(here)
        return known if known.seat == seat else NOTHING

    async def planned(self, here: Position, seat: int) -> Advised:
        """Return what is known with the ways to run that differ in what matters; may search for some seconds."""
        known = await self.of(here, seat)
        if known.plans or all(tip.short is None for tip in known.tips):
            return known
        rows = await self._workers.do(PLANS, Considered(seat, tip_rows(known.tips)), here.course)
        known = msgspec.structs.replace(self.known(here, seat), plans=tips_of(here.table.title, rows))
        if self.known(here, seat) is not NOTHING:
            self._known[here.table.id] = known
        return known

    async def planned_soon(self, here: Position, seat: int, seconds: float = 1.0) -> tuple[Tip, ...]:
        """Return the ways to run if they are found in a moment; if not, who asks again a little later gets them."""
        key = (here.table.id, here.version, seat)
        task = self._planning.get(key)
        if task is None:
            task = self._planning[key] = asyncio.create_task(self.planned(here, seat))
            task.add_done_callback(lambda _: self._planning.pop(key, None))
        await asyncio.wait([task], timeout=seconds)
        is_found = task.done() and not task.cancelled() and task.exception() is None
        return task.result().plans if is_found else ()

    async def proven(self, here: Position, seat: int) -> Advised:
        """Return what is known when the search is over, which may take minutes."""
        known = await self.of(here, seat)
        task = self._searching.get(here.table.id)
        if task is not None:
            await asyncio.wait([task], timeout=PROOF_SECONDS)
            return self.known(here, seat)
        return known

    def moved_on(self, game: int) -> None:
        """End the search of a table: nobody needs it any more."""
        task = self._searching.pop(game, None)
        if task is not None and not task.done():
            task.cancel()
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """End all searches."""
        for game in list(self._searching):
            self.moved_on(game)
        asked = [*self._asked.values(), *self._planning.values()]
        for task in asked:
            task.cancel()
        await asyncio.gather(*self._ending, *asked, return_exceptions=True)

    def _begin(self, here: Position, known: Advised) -> None:
        """Keep what is known, and search on if something is left to be proven; one search a table."""
        game = here.table.id
        if self._known.get(game, NOTHING).version > here.version:
            return
        self._known[game] = known
        self._known.move_to_end(game)
        while len(self._known) > self._most:
            self._known.popitem(last=False)
        self.moved_on(game)
        if all(tip.proven for tip in known.tips):
            return
        task = asyncio.create_task(self._searched(here, known), name=f"tips of table {game}")
        self._searching[game] = task
        task.add_done_callback(lambda done: self._over(game, done))

    def _over(self, game: int, done: asyncio.Task[None]) -> None:
        if self._searching.get(game) is done:
            del self._searching[game]

    async def _searched(self, here: Position, known: Advised) -> None:
        """Search on and tell the table what is better, until all is proven or the time is up."""
        try:
            async with (
                self._room,
                asyncio.timeout(PROOF_SECONDS),
                aclosing(self.prove(here.game, known.seat, known.tips)) as found,
            ):
                if await self._has_moved_on(here):  # while the first tips were looked for, or in the queue
                    return
                async for tips in found:
                    if not await _unbroken(self._better(here, known.seat, tips)):
                        return
        except TimeoutError:
            _log.info("not proven in time", game=here.table.id, version=here.version)
        except Exception as error:  # noqa: BLE001  # the buttons stay as they are, and the game goes on
            _log.error("searching on", game=here.table.id, exc_info=error)

    async def _longer_and_longer(
        self, game: Standing, seat: int, tips: Sequence[Tip]
    ) -> AsyncGenerator[tuple[Tip, ...], None]:
        """Yield the tips of longer and longer searches, each going on from the one before, until all are proven.

        Each has a process of its own, which ends with the generator.

        Raises:
            TooMuchError: it came to a bad end, of memory or time most likely.
        """
        course = Course(UNNUMBERED, game.setup, game.said())
        for budget in BUDGETS:
            if all(tip.proven for tip in tips):
                return
            rows = await self._workers.do(PROVE, Considered(seat, tip_rows(tips), budget), course)
            tips = tips_of(game.setup.title, rows)
            yield tips

    async def _has_moved_on(self, here: Position) -> bool:
        async with self._database.reading() as session:
            return await log.fetch_version(session, here.table.id) != here.version

    async def _better(self, here: Position, seat: int, tips: tuple[Tip, ...]) -> bool:
        """Keep what was found and owe the turn message again; ``False`` if the table has moved on."""
        known = self.known(here, seat)
        if known is NOTHING:
            return False
        if tips == known.tips:
            return True
        now = {tip.action for tip in tips}
        gone = tuple(tip for tip in (*known.tips, *known.plans, *known.earlier) if tip.action not in now)
        key = turn_key(here.table.id, here.table.turn_from)
        async with self._database.writing(here.table.id) as session:
            if await log.fetch_version(session, here.table.id) != here.version:
                return False
            self._known[here.table.id] = Advised(here.version, seat, tips, gone)
            stored = await posted.find(session, key)
            if stored is not None:  # an edit: it rings nobody
                await outbox.owe(session, [Owed(key, stored.post, self._clock())], self._clock())
        return True


async def _unbroken(work: Coroutine[None, None, bool]) -> bool:
    """Do something to its end, though we may be told to stop meanwhile."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise
