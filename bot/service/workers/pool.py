"""Workers: rules, searches and pictures are never worked out on the event loop.

Jobs in a lane are served by rank. A worker does one job at a time and
keeps the positions it was asked about, so that of a game that goes on only
what was said since is sent. One that breaks or hangs is replaced and the job
given to it once more: a job changes nothing, only what the bot stores
afterwards counts. What strangers bring, and what may take minutes, is done
apart: by a process for that job only, within bounds of time and memory.
"""

import asyncio
import heapq
import itertools
import os
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec
import structlog

from bot.model.errors import BotError
from bot.model.standing import UNNUMBERED, Course
from bot.service.workers import jobs
from bot.service.workers.jobs import LANES, MAX_POSITIONS, Done, Entries, Job, Lane, Missing, Positions, Reply, Task
from bot.service.workers.processes import PipeBrokenError, ProcessPipe

A = TypeVar("A")
R = TypeVar("R")
TOO_MUCH_REFUSAL = "That took too much time or memory; nothing was changed. Try again in a minute."
MIN_CORES_FOR_TWO_MOVERS, MAX_LOOKERS = 6, 8
MAX_KEPT_BYTES = 32 * 1024 * 1024
_log = structlog.get_logger(__name__)


class TooMuchError(BotError):
    """A job needed more time or memory than it may have, or its worker broke."""


class Pipe(Protocol):
    """The way to one worker."""

    async def exchange(self, task: Task[Any, Any], job: Job) -> bytes:
        """Have a job done and return the reply.

        Raises:
            PipeBrokenError: the worker is gone, with all it held; the next job finds a new one.
        """

    async def close(self) -> None:
        """End the worker."""


class ThreadPipe:
    """A worker that is a thread of this process: for tests and the terminal."""

    def __init__(self, most: int = MAX_POSITIONS) -> None:
        self._positions = Positions(most)

    async def exchange(self, task: Task[Any, Any], job: Job) -> bytes:
        """Have a job done in a thread."""
        return await asyncio.to_thread(task.answer, job, self._positions)

    async def close(self) -> None:
        """Do nothing: a thread ends with its job."""


class Worker:
    """A worker as the bot sees it: the way to it, and which positions it holds."""

    def __init__(self, pipe: Pipe, most: int = MAX_POSITIONS) -> None:
        self.pipe = pipe
        self._most = most
        self._held: OrderedDict[int, int] = OrderedDict()

    def count_held(self, course: Course | None) -> int:
        """Return how many entries of a log the worker knows; -1 if the position must be sent whole."""
        known = self._held.get(course.number, -1) if course is not None else -1
        return known if course is not None and known <= len(course.log) else -1

    async def do(self, task: Task[Any, Any], takes: bytes, course: Course | None) -> Reply:
        """Have a job done, the position sent as far as it is not held."""
        try:
            reply = await self._exchange(task, takes, course, self.count_held(course))
            if isinstance(reply, Missing):
                reply = await self._exchange(task, takes, course, -1)
        except PipeBrokenError:
            self._held.clear()
            raise
        if course is not None and self._held.get(course.number, -1) <= len(course.log) and course.number != UNNUMBERED:
            self._held[course.number] = len(course.log)
            self._held.move_to_end(course.number)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return reply

    async def _exchange(self, task: Task[Any, Any], takes: bytes, course: Course | None, base: int) -> Reply:
        place = None
        if course is not None:
            rows = tuple(jobs.encode_row(said) for said in course.log[max(0, base) :])
            place = Entries(course.number, max(0, base), rows, course.setup if base < 0 else None)
        answer = await self.pipe.exchange(task, Job(task.room, task.name, takes, place, task.cpu_seconds))
        reply: Reply = msgspec.msgpack.decode(answer, type=Reply)
        return reply


class Wait(NamedTuple):
    """A task that waits for a worker; the least is served first."""

    rank: int
    number: int
    course: Course | None
    turn: asyncio.Future[Worker]


class Load(NamedTuple):
    """How busy the workers of a lane are."""

    workers: int
    busy: int
    waiting: int


class Crew:
    """The workers of some lanes, and who waits for one of them.

    What may take long never takes the last worker, where there are several: what
    is answered at once need not wait for it.
    """

    def __init__(self, workers: Sequence[Worker]) -> None:
        self.workers = list(workers)
        self._idle = list(workers)
        self._waiting: dict[bool, list[Wait]] = {False: [], True: []}
        self._long = 0
        self._most_long = max(1, len(self.workers) - 1)
        self._count = itertools.count()

    @asynccontextmanager
    async def borrow(self, rank: int, course: Course | None, *, is_long: bool = False) -> AsyncIterator[Worker]:
        """Give an idle worker, best one that holds the position; wait for it by rank, then in order."""
        wait = Wait(rank, next(self._count), course, asyncio.get_running_loop().create_future())
        heapq.heappush(self._waiting[is_long], wait)
        self._hand_out()
        try:
            worker = await wait.turn
        except asyncio.CancelledError:
            if wait.turn.done() and not wait.turn.cancelled():
                self._take_back(wait.turn.result(), is_long=is_long)
            raise
        try:
            yield worker
        finally:
            self._take_back(worker, is_long=is_long)

    def count_load(self) -> Load:
        """Return how many workers there are, how many of them are at work, and how many tasks wait for one."""
        waiting = sum(not wait.turn.done() for queue in self._waiting.values() for wait in queue)
        return Load(len(self.workers), len(self.workers) - len(self._idle), waiting)

    def _take_back(self, worker: Worker, *, is_long: bool) -> None:
        self._idle.append(worker)
        self._long -= is_long
        self._hand_out()

    def _hand_out(self) -> None:
        """Give idle workers to those who wait."""
        while self._idle and (found := self._find_next()) is not None:
            wait, is_long = found
            heapq.heappop(self._waiting[is_long])
            worker = max(self._idle, key=lambda each: each.count_held(wait.course))
            self._idle.remove(worker)
            self._long += is_long
            wait.turn.set_result(worker)

    def _find_next(self) -> tuple[Wait, bool] | None:
        """Return who is to be served next, and whether it may take long."""
        found = []
        for is_long, waiting in self._waiting.items():
            while waiting and waiting[0].turn.done():  # given up
                heapq.heappop(waiting)
            if waiting and not (is_long and self._long >= self._most_long):
                found.append((waiting[0], is_long))
        return min(found, default=None)


class Kept:
    """What was made once of a position, by name: the latest, up to so many bytes.

    Two who ask for the same at the same time wait for one work; it is given up when no one waits for it any more.
    """

    def __init__(self, most: int = MAX_KEPT_BYTES) -> None:
        self._most = most
        self._made: OrderedDict[bytes, bytes] = OrderedDict()
        self._under_way: dict[bytes, asyncio.Task[bytes]] = {}
        self._waiting: Counter[asyncio.Task[bytes]] = Counter()

    async def get_or_make(self, name: bytes, make: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """Return what has a name, made now if it is not kept; what fails is not kept, and raises what making raised."""
        if name in self._made:
            self._made.move_to_end(name)
            return self._made[name]
        work = self._under_way.get(name)
        if work is None:
            work = self._under_way[name] = asyncio.create_task(make())
            work.add_done_callback(lambda done: self._keep_made(name, done))
        self._waiting[work] += 1
        try:
            return await asyncio.shield(work)
        finally:
            self._waiting[work] -= 1
            if not self._waiting[work]:
                del self._waiting[work]
                if not work.done():  # a new request must not wait for what is being given up
                    self._under_way.pop(name, None)
                    work.cancel()

    def _keep_made(self, name: bytes, work: asyncio.Task[bytes]) -> None:
        if self._under_way.get(name) is work:
            del self._under_way[name]
        if work.cancelled() or work.exception():  # the caller has heard of it
            return
        self._made[name] = work.result()
        while sum(map(len, self._made.values())) > self._most:
            self._made.popitem(last=False)


class Workers:
    """All workers of the bot.

    Args:
        crews: the workers of the lanes "moves" and "looks", which also search and draw; of lanes that are apart
            where these are not to be processes.
    """

    def __init__(self, crews: Mapping[Lane, Crew]) -> None:
        apart: dict[Lane, Crew] = {lane: _build_crew(lane, 1) for lane, rules in LANES.items() if rules.apart}
        self._crews = {**apart, **crews, "searches": crews["looks"], "pictures": crews["looks"]}
        self._under_way: set[asyncio.Task[Any]] = set()
        self._begun: set[asyncio.Task[Any]] = set()
        self._kept = Kept()

    @classmethod
    def in_threads(cls) -> "Workers":
        """Return workers in this process, a thread for each lane; hostile work still has a process of its own."""
        return cls({"moves": Crew([Worker(ThreadPipe())]), "looks": Crew([Worker(ThreadPipe())])})

    @classmethod
    def in_processes(cls, cores: int) -> "Workers":
        """Return workers that are processes, as many as so many processors are good for."""
        return cls(
            {
                "moves": _build_crew("moves", 1 if cores < MIN_CORES_FOR_TWO_MOVERS else 2),
                "looks": _build_crew("looks", min(cores, MAX_LOOKERS)),
            }
        )

    async def do(self, task: Task[A, R], takes: A, course: Course | None = None) -> R:
        """Have a worker do something.

        Raises:
            BotError, RuleError, WordingError, LogError, UnreadableLogError: the task refuses.
            TooMuchError: two workers broke over it, or the one that it had apart.
            DefectError: the task met a defect of ours.
        """
        try:
            job = self._do_job(task, msgspec.msgpack.encode(takes), course)
        except UnicodeEncodeError:  # half a character, as no keyboard sends
            raise BotError("That contains characters that can't be read; please retype it.") from None
        work = asyncio.create_task(job, name=task.name)
        self._under_way.add(work)
        work.add_done_callback(self._drop_work)
        # what is apart ends when no one waits for it; any other worker is free again only when it has answered
        try:
            reply = await (work if LANES[task.lane].apart else asyncio.shield(work))
        except asyncio.CancelledError:
            if work not in self._begun:
                work.cancel()
            raise
        if not isinstance(reply, Done):
            assert not isinstance(reply, Missing)
            raise jobs.decode_error(reply)
        value: R = msgspec.msgpack.decode(reply.value, type=task.gives)
        return value

    async def do_once(self, task: Task[A, bytes], takes: A, course: Course) -> bytes:
        """Have a worker make what takes long of a position, and keep it for the next request.

        Raises:
            as ``do``.
        """
        if course.number == UNNUMBERED:
            return await self.do(task, takes, course)
        name = msgspec.msgpack.encode((task.name, takes, course.number, len(course.log)))
        return await self._kept.get_or_make(name, lambda: self.do(task, takes, course))

    def _drop_work(self, work: asyncio.Task[Any]) -> None:
        self._under_way.discard(work)
        self._begun.discard(work)
        if not work.cancelled():
            work.exception()  # the caller has heard of it, or no longer waits

    async def _do_job(self, task: Task[Any, Any], takes: bytes, course: Course | None) -> Reply:
        rules, mine = LANES[task.lane], asyncio.current_task()
        for _ in range(1 if rules.apart else 2):
            async with self._crews[task.lane].borrow(task.rank, course, is_long=rules.long) as worker:
                if mine is not None:
                    self._begun.add(mine)
                try:
                    return await worker.do(task, takes, course)
                except PipeBrokenError as error:
                    number = course.number if course is not None else None
                    say = _log.info if rules.apart else _log.error  # strangers may bring anything
                    say("worker broke", task=task.name, game=number, error=str(error))
        raise TooMuchError(TOO_MUCH_REFUSAL)

    async def do_everywhere(self, task: Task[A, Any], takes: A) -> None:
        """Have every worker of the task's lane do something once, as to be ready for what comes."""
        await asyncio.gather(*(self.do(task, takes) for _ in self._crews[task.lane].workers))

    def count_loads(self) -> dict[str, Load]:
        """Return how busy the workers are that move, and those that look, search and draw."""
        return {lane: self._crews[lane].count_load() for lane in ("moves", "looks")}

    @property
    def looker_count(self) -> int:
        """How many workers look, search and draw."""
        return len(self._crews["looks"].workers)

    async def close(self) -> None:
        """End all workers; what they are at is given up."""
        for work in list(self._under_way):
            work.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        pipes = {worker.pipe for crew in self._crews.values() for worker in crew.workers}
        await asyncio.gather(*(pipe.close() for pipe in pipes))


def _build_crew(lane: Lane, count: int) -> Crew:
    return Crew([Worker(ProcessPipe(lane)) for _ in range(count)])


def count_processors() -> int:
    """Return how many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
