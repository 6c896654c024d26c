"""An event loop with a clock of its own: where nothing is ready, it jumps to the next timer.

A seed picks the order of tasks that are ready at the same time. Each callback belongs to the simulated process that
its context names, and is dropped once that process has been killed.
"""

import asyncio
import contextvars
import ctypes
import heapq
import random
import signal
import traceback
from collections import deque
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, TypeVar
from weakref import WeakSet

T = TypeVar("T")
MAX_TICKS_FROZEN = 4
TICK_SECONDS = 1.0
MAX_DELAY_SECONDS = 0.004
"""That work in a thread takes at most."""


class StandstillError(Exception):
    """Nothing is ready and no timer runs: everything waits for ever."""


class FrozenError(BaseException):
    """One callback kept the loop for seconds of processor time."""


class Process:
    """A simulated process: what ends with it when it is killed.

    Args:
        name: of it in traces.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_alive = True
        self.tasks: WeakSet[asyncio.Task[Any]] = WeakSet()
        self.resources: dict[object, Callable[[], None]] = {}
        """What releases each thing that it holds; a thing that ends before takes itself out."""

    def kill(self) -> None:
        """End the process: no callback of it runs again, its lines are cut, its transactions are gone."""
        self.is_alive = False
        for task in self.tasks:
            if not task.done():  # without this its `finally` clauses would run when it becomes garbage
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(task))
        for release in [*self.resources.values()][::-1]:
            release()
        self.resources.clear()


OUTSIDE = Process("world")
PROCESS: contextvars.ContextVar[Process] = contextvars.ContextVar("PROCESS", default=OUTSIDE)


class SimulatedLoop(asyncio.BaseEventLoop):
    """The loop.

    Args:
        seed: of the order and of delays. start: second of the epoch at which it begins. is_fifo: keep tasks in order.
    """

    _scheduled: list[asyncio.TimerHandle]
    _ready: deque[Any]  # handles, whose context and callback the stubs do not know
    _stopping: bool

    def __init__(self, seed: int | str, start: float, *, is_fifo: bool = False) -> None:
        super().__init__()
        self.start = start
        self.is_fifo = is_fifo
        self.meet: Callable[[str], Any] = lambda _: None
        self.strike: Callable[[Any, str], bool] = lambda *_: False
        self.callbacks = 0
        self.between: Callable[[], None] | None = None
        """Called before each callback."""
        self.frozen = ""
        self.is_working = False
        """A worker's job runs in the loop, though it would be another process: it may take its time."""
        self._order = random.Random(f"{seed} order")  # noqa: S311 - not a secret
        self.delays = random.Random(f"{seed} delays")  # noqa: S311 - not a secret
        self._seconds = 0.0
        self._clock_resolution = 1e-9
        self._seen = (0, 0)

    def time(self) -> float:
        """Return the seconds since the simulation began."""
        return self._seconds

    def epoch(self) -> float:
        """Return what a clock on the wall shows."""
        return self.start + self._seconds

    def spawn(self, process: Process, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Begin a task in a process."""
        context = contextvars.copy_context()
        context.run(PROCESS.set, process)
        return context.run(self.create_task, work)

    def create_task(self, coro: Any, **named: Any) -> Any:  # noqa: ANN401  # as the base has it
        """Begin a task, and remember whose it is."""
        task = super().create_task(coro, **named)
        PROCESS.get().tasks.add(task)
        return task

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> "asyncio.Future[Any]":  # type: ignore[override]  # noqa: ANN401
        """Do the work of a thread in this loop, a moment later."""
        del executor
        future, fault = self.create_future(), self.meet("thread")

        def work() -> None:
            if self.strike(fault, "before"):
                return
            try:
                result = func(*args)
            except Exception as error:  # noqa: BLE001 - whoever waits gets it
                if not future.done():
                    future.set_exception(error)
            else:
                if not self.strike(fault, "after") and not future.done():
                    future.set_result(result)

        self.call_later(self.delays.uniform(0, MAX_DELAY_SECONDS) + (fault.late if fault else 0), work)
        return future

    def add_signal_handler(self, sig: int, callback: Callable[..., object], *args: object) -> None:
        """Refuse: signals are sent to simulated processes otherwise.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError

    def _write_to_self(self) -> None:
        """Wake the loop from another thread: there is none."""

    def _process_events(self, event_list: Any) -> None:  # noqa: ANN401  # as the base has it
        """Do nothing: there are no sockets."""

    def run_until_complete(self, future: Any) -> Any:  # noqa: ANN401  # as the base has it
        """Run until something is done.

        Raises:
            StandstillError: everything waits for ever. FrozenError: a callback did not end.
        """
        before = signal.signal(signal.SIGVTALRM, self._look)
        signal.setitimer(signal.ITIMER_VIRTUAL, TICK_SECONDS, TICK_SECONDS)
        try:
            return super().run_until_complete(future)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)

    def abandon_tasks(self) -> None:
        """Let what is left of a frozen loop become garbage without a word.

        The collector may run in the middle of any later test, and 3.11 formats a traceback with ``ast.parse``: a task
        that complains while another ``ast.parse`` is under way breaks that one.
        """
        for task in PROCESS.get().tasks:
            if task.get_loop() is self:
                task._log_destroy_pending = False  # type: ignore[attr-defined]  # the only way to say so
                task._log_traceback = False

    def _look(self, number: int, frame: FrameType | None) -> None:
        """End a callback that has kept the loop for too long."""
        callback, ticks = self._seen
        ticks = ticks + 1 if callback == self.callbacks and not self.is_working else 0
        self._seen = (self.callbacks, ticks)
        if ticks >= MAX_TICKS_FROZEN:
            self.frozen = "".join(traceback.format_stack(frame, 8))
            raise FrozenError(self.frozen)

    def _run_once(self) -> None:
        """Run what is ready; where nothing is, jump to the next timer."""
        timers, ready = self._scheduled, self._ready
        while timers and timers[0]._cancelled:
            heapq.heappop(timers)
        if not ready and not self._stopping:
            if not timers:
                raise StandstillError
            self._seconds = max(self._seconds, timers[0].when())
        while timers and timers[0].when() <= self._seconds:
            ready.append(heapq.heappop(timers))
        if len(ready) > 1 and not self.is_fifo:
            self._shuffle_tasks()
        for _ in range(len(ready)):
            handle = ready.popleft()
            if handle._cancelled or not handle._context.get(PROCESS, OUTSIDE).is_alive:
                continue
            self.callbacks += 1
            if self.between is not None:
                self.between()
            handle._run()
            if self.frozen:
                raise FrozenError(self.frozen)

    def _shuffle_tasks(self) -> None:
        """Let tasks that are ready go on in any order; other callbacks keep their places."""
        ready = self._ready
        places = [
            number
            for number, handle in enumerate(ready)
            if handle._callback is not None and isinstance(getattr(handle._callback, "__self__", None), asyncio.Task)
        ]
        if len(places) > 1:
            moved = [ready[number] for number in places]
            self._order.shuffle(moved)
            for number, handle in zip(places, moved, strict=True):
                ready[number] = handle
