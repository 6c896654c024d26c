"""The moves worth a button, worked out once a position; what is not proven is searched on in the background.

Nothing of it is stored. An action holds the move itself, never "the best", so
a better one found later changes no game; and after a restart the search begins
again as soon as a player looks at the table, and finds the same moves.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing

import msgspec
import structlog

from bot.model.posts import Owed, build_turn_key
from bot.model.records import Position
from bot.model.standing import UNNUMBERED, Course, Standing
from bot.service.workers.choices import (
    NO_ADVICE,
    PLANS,
    PROOF_SECONDS,
    PROVE,
    TIPS,
    Advised,
    Considered,
    decode_tips,
    encode_tips,
)
from bot.service.workers.jobs import DefectError
from bot.service.workers.pool import TooMuchError, Workers
from bot.service.workers.stand_in import COUNSEL, TRIES, CounselAsked
from bot.store import log, outbox, posted
from bot.store.database import Database
from engine import Tip
from engine.setup import may_advise

Prove = Callable[[Standing, int, Sequence[Tip]], AsyncGenerator[tuple[Tip, ...], None]]
"""Searches on from tips that are not all proven; gives what it has now and then, off the event loop."""

MAX_SEARCHES = 1
"""Searches at a time in the whole bot; each keeps a processor busy."""
SEARCH_BUDGETS = (4_000_000, 16_000_000, 64_000_000, 256_000_000)
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
        self.prove: Prove = self._prove_in_steps
        self._database = database
        self._clock = clock
        self._workers = workers
        self._most = most
        self._known: OrderedDict[int, Advised] = OrderedDict()
        self._asked: dict[tuple[int, int, int], asyncio.Task[Advised]] = {}
        self._planning: dict[tuple[int, int, int], asyncio.Task[Advised]] = {}
        self._searching: dict[int, asyncio.Task[None]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(MAX_SEARCHES)

    async def find_tips(self, here: Position, seat: int) -> Advised:
        """Return the moves worth a button for a seat; may search routes for a second or two, once for all who ask."""
        known = self.get_known(here, seat)
        if known is not NO_ADVICE:
            return known
        key = (here.table.id, here.version, seat)
        task = self._asked.get(key)
        if task is None:
            task = self._asked[key] = asyncio.create_task(self._search_tips(here, seat))
            task.add_done_callback(lambda _: self._asked.pop(key, None))
        return await asyncio.shield(task)

    async def _search_tips(self, here: Position, seat: int) -> Advised:
        rows = await self._workers.do(TIPS, seat, here.course)
        known = Advised(here.version, seat, decode_tips(here.table.title, rows))
        self._start_proof(here, known)
        return known

    def get_latest(self, here: Position) -> Advised:
        """Return what was worked out before for whichever seat; ``NO_ADVICE`` if nothing was."""
        known = self._known.get(here.table.id, NO_ADVICE)
        return known if known.version == here.version else NO_ADVICE

    def get_known(self, here: Position, seat: int) -> Advised:
        """Return what was worked out before for a seat; ``NO_ADVICE`` if nothing was."""
        known = self.get_latest(here)
        return known if known.seat == seat else NO_ADVICE

    async def find_plans(self, here: Position, seat: int) -> Advised:
        """Return what is known with the ways to run that differ in what matters; may search for some seconds."""
        known = await self.find_tips(here, seat)
        if known.plans or all(tip.short is None for tip in known.tips):
            return known
        rows = await self._workers.do(PLANS, Considered(seat, encode_tips(known.tips)), here.course)
        known = msgspec.structs.replace(self.get_known(here, seat), plans=decode_tips(here.table.title, rows))
        if self.get_known(here, seat) is not NO_ADVICE:
            self._known[here.table.id] = known
        return known

    async def find_plans_soon(self, here: Position, seat: int, seconds: float = 1.0) -> tuple[Tip, ...]:
        """Return the ways to run if they are found in a moment; if not, who asks again a little later gets them."""
        key = (here.table.id, here.version, seat)
        task = self._planning.get(key)
        if task is None:
            task = self._planning[key] = asyncio.create_task(self.find_plans(here, seat))
            task.add_done_callback(lambda _: self._planning.pop(key, None))
        await asyncio.wait([task], timeout=seconds)
        is_found = task.done() and not task.cancelled() and task.exception() is None
        return task.result().plans if is_found else ()

    async def find_counsel(self, here: Position, seat: int) -> Advised:
        """Return what is known, with what the program would do if it may say so; at once, if thinking takes long."""
        known = await self.find_tips(here, seat)
        if known.counsel or not may_advise(here.table.options, private=True):
            return known
        try:
            rows = await self._workers.do(COUNSEL, CounselAsked(seat, TRIES), here.course)
        except (TooMuchError, DefectError) as error:
            _log.error("no counsel in time", game=here.table.id, error=str(error))
            rows = await self._workers.do(COUNSEL, CounselAsked(seat, 0), here.course)
        known = msgspec.structs.replace(self.get_known(here, seat), counsel=decode_tips(here.table.title, rows))
        if self.get_known(here, seat) is not NO_ADVICE:
            self._known[here.table.id] = known
        return known

    async def await_proof(self, here: Position, seat: int) -> Advised:
        """Return what is known when the search is over, which may take minutes."""
        known = await self.find_tips(here, seat)
        task = self._searching.get(here.table.id)
        if task is not None:
            await asyncio.wait([task], timeout=PROOF_SECONDS)
            return self.get_known(here, seat)
        return known

    def end_search(self, game: int) -> None:
        """End the search of a table: no one needs it any more."""
        task = self._searching.pop(game, None)
        if task is not None and not task.done():
            task.cancel()
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """End all searches."""
        for game in list(self._searching):
            self.end_search(game)
        asked = [*self._asked.values(), *self._planning.values()]
        for task in asked:
            task.cancel()
        await asyncio.gather(*self._ending, *asked, return_exceptions=True)

    def _start_proof(self, here: Position, known: Advised) -> None:
        """Keep what is known, and search on if something is left to be proven; one search a table."""
        game = here.table.id
        if self._known.get(game, NO_ADVICE).version > here.version:
            return
        self._known[game] = known
        self._known.move_to_end(game)
        while len(self._known) > self._most:
            self._known.popitem(last=False)
        self.end_search(game)
        if all(tip.proven for tip in known.tips):
            return
        task = asyncio.create_task(self._run_proof(here, known), name=f"tips of table {game}")
        self._searching[game] = task
        task.add_done_callback(lambda done: self._drop_search(game, done))

    def _drop_search(self, game: int, done: asyncio.Task[None]) -> None:
        if self._searching.get(game) is done:
            del self._searching[game]

    async def _run_proof(self, here: Position, known: Advised) -> None:
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
                    if not await _finish_despite_cancel(self._store_better_tips(here, known.seat, tips)):
                        return
        except TimeoutError:
            _log.info("not proven in time", game=here.table.id, version=here.version)
        except Exception as error:  # noqa: BLE001  # the buttons stay as they are, and the game goes on
            _log.error("searching on", game=here.table.id, exc_info=error)

    async def _prove_in_steps(
        self, game: Standing, seat: int, tips: Sequence[Tip]
    ) -> AsyncGenerator[tuple[Tip, ...], None]:
        """Yield the tips of longer and longer searches, each going on from the one before, until all are proven.

        Each has a process of its own, which ends with the generator.

        Raises:
            TooMuchError: it came to a bad end, of memory or time most likely.
        """
        course = Course(UNNUMBERED, game.setup, game.list_actions())
        for budget in SEARCH_BUDGETS:
            if all(tip.proven for tip in tips):
                return
            rows = await self._workers.do(PROVE, Considered(seat, encode_tips(tips), budget), course)
            tips = decode_tips(game.setup.title, rows)
            yield tips

    async def _has_moved_on(self, here: Position) -> bool:
        async with self._database.reading() as session:
            return await log.fetch_version(session, here.table.id) != here.version

    async def _store_better_tips(self, here: Position, seat: int, tips: tuple[Tip, ...]) -> bool:
        """Keep what was found and owe the turn message again; ``False`` if the table has moved on."""
        known = self.get_known(here, seat)
        if known is NO_ADVICE:
            return False
        if tips == known.tips:
            return True
        now = {tip.action for tip in tips}
        gone = tuple(tip for tip in (*known.tips, *known.plans, *known.earlier) if tip.action not in now)
        key = build_turn_key(here.table.id, here.table.turn_from)
        async with self._database.writing(here.table.id) as session:
            if await log.fetch_version(session, here.table.id) != here.version:
                return False
            self._known[here.table.id] = Advised(here.version, seat, tips, gone)
            stored = await posted.find(session, key)
            if stored is not None:  # an edit: it rings no one
                await outbox.owe(session, [Owed(key, stored.post, self._clock())], self._clock())
        return True


async def _finish_despite_cancel(work: Coroutine[None, None, bool]) -> bool:
    """Do something to its end, though we may be told to stop meanwhile."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise
