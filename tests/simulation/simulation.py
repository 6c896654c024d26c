"""A run: the simulated loop, network, disk and workers, and the bots in it."""

import asyncio
import contextlib
import hashlib
import random
from asyncio import sleep
from collections.abc import Coroutine
from functools import partial
from typing import Any

import msgspec

from bot.model.clock import Intervals
from bot.operations import serve
from bot.operations.settings import Settings
from bot.screens.drawing import DRAW
from bot.service.workers.jobs import LANES, MAX_POSITIONS, Done, Job, Positions, Task
from bot.service.workers.pool import Crew, Worker, Workers
from bot.service.workers.processes import PipeBrokenError
from tests.discord.conftest import DOT
from tests.discord.stand_in import Fault as DiscordFault
from tests.simulation import machine
from tests.simulation.loop import PROCESS, Process, SimulatedLoop
from tests.simulation.network import Network
from tests.simulation.points import Fault, Points
from tests.simulation.store import RawConnection

SPRING = 1_774_000_000
"""A moment a few days before clocks go forward in Europe in 2026."""
MAX_SECONDS = 50 * 3600.0
"""Simulated seconds that a run takes unless it says how many."""
WORK_SECONDS = (0.005, 0.08)
DOTS = msgspec.msgpack.encode(Done(msgspec.msgpack.encode(DOT)))
"""What a worker answers instead of a picture."""


class Simulation:
    """A run.

    Args:
        seed: settles everything. points: of what the bot awaits, and the fault. start: second at which it begins.
    """

    def __init__(
        self, seed: int, points: Points | None = None, *, start: float = SPRING, is_fifo: bool = False
    ) -> None:
        self.seed = seed
        self.most: float | None = MAX_SECONDS
        self.intervals = Intervals()
        self.loop = SimulatedLoop(seed, start, is_fifo=is_fifo)
        self.network = Network(self.loop)
        self.points = points or Points()
        self.points.clock = self.loop.time
        self.points.count_callbacks = lambda: self.loop.callbacks
        self.loop.meet, self.loop.strike = self.points.meet, self.strike
        self.connections: set[RawConnection] = set()
        self.weather: dict[tuple[str, str], DiscordFault] = {}
        self.refusals: list[str] = []
        self.trace: list[str] = []
        self.entropy = random.Random(f"{seed} entropy")  # noqa: S311 - not a secret
        self.bots: dict[str, tuple[Process, asyncio.Task[None]]] = {}

    def note(self, what: str) -> None:
        """Write a line of the trace."""
        self.trace.append(f"{self.loop.time():.6f} {PROCESS.get().name} {what}")

    def digest(self) -> str:
        """Return what the trace comes to."""
        return hashlib.blake2b("\n".join(self.trace).encode(), digest_size=16).hexdigest()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401  # whatever the work gives
        """Run something to its end in the simulation, and kill what it started."""
        with machine.replace_machine(self):
            try:
                return self.loop.run_until_complete(self.loop.create_task(asyncio.wait_for(work, self.most)))
            finally:
                for process, _ in self.bots.values():
                    if process.is_alive:
                        process.kill()
                if self.loop.frozen:
                    self.loop.abandon_tasks()
                else:
                    with contextlib.suppress(Exception):
                        self.loop.run_until_complete(self._finish())
                asyncio.set_event_loop(None)
                self.loop.close()

    async def _finish(self) -> None:
        """Let what runs outside of all bots come to its end."""
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=5)

    def start(self, name: str, settings: Settings) -> asyncio.Task[None]:
        """Start a bot as a process of its own."""
        process = Process(name)
        workers = Workers({lane: Crew([Worker(SimulatedPipe(self))]) for lane in LANES})
        self.note(f"start {name}")
        task = self.loop.spawn(process, serve.serve(settings, "token", workers, self.intervals))
        self.bots[name] = process, task
        return task

    def kill(self, name: str) -> None:
        """Kill a bot, so that nothing of it runs any more."""
        process, _ = self.bots.pop(name)
        self.note(f"kill {name}")
        process.kill()

    async def wait_for_end(self, name: str) -> None:
        """Wait until a bot has ended or is killed."""
        process, task = self.bots[name]
        dead: asyncio.Future[None] = self.loop.create_future()
        process.resources[dead] = partial(dead.set_result, None)
        if process.is_alive:
            await asyncio.wait({task, dead}, return_when=asyncio.FIRST_COMPLETED)
        process.resources.pop(dead, None)

    async def end(self, name: str) -> None:
        """Tell a bot to end, and wait until it has."""
        _, task = self.bots.pop(name)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    def strike(self, fault: Fault | None, moment: str) -> bool:
        """Let a process be killed or told to end ("before" or "after"); return whether it is dead."""
        process = PROCESS.get()
        if fault is None or not fault.name.startswith(("killed", "ended")):
            return False
        name = next((name for name, (each, _) in self.bots.items() if each is process), "")
        if name and fault.name == f"killed {moment}":
            self.kill(name)
        elif name and fault.name == "ended" and moment == "before":
            self.bots[name][1].cancel()
        return not process.is_alive


class SimulatedPipe:
    """A worker that does its jobs in the loop.

    Args:
        simulation: the run.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._run = simulation
        self._positions = Positions(MAX_POSITIONS)

    async def exchange(self, task: Task[Any, Any], job: Job) -> bytes:
        """Do a job, a moment later.

        Raises:
            PipeBrokenError: the worker is to die.
        """
        fault = self._run.points.meet("work")
        self._run.note(f"work {task.name}")
        if self._run.strike(fault, "before"):
            await self._run.loop.create_future()
        await sleep(self._run.loop.delays.uniform(*WORK_SECONDS) + (fault.late if fault else 0))
        if fault and fault.name == "dies":
            self._positions = Positions(MAX_POSITIONS)
            raise PipeBrokenError("it was to die")
        self._run.loop.is_working = True
        try:
            reply = DOTS if task.name == DRAW.name else task.answer(job, self._positions)
        finally:
            self._run.loop.is_working = False
        if self._run.strike(fault, "after"):
            await self._run.loop.create_future()
        return reply

    async def close(self) -> None:
        """Do nothing."""
