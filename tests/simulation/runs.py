"""Runs of the simulation: a table with one fault at one point, and every point with every fault."""

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import msgspec

from bot.store.database import Database
from tests.simulation.points import FAULTS, Fault, Point, Points
from tests.simulation.scenes import SCENES, Table
from tests.simulation.simulation import Simulation
from tests.simulation.world import World
from tests.support import quick_files

PEOPLE = ("alice", "bob", "carol", "dave", "eve", "frank")
AFTERWARDS_SECONDS, AFTERWARDS_ROUNDS = 420.0, 1.75
"""Time for repairs after a run: an inspection checks all tables every few minutes, or less often in some scenes."""
TWICE = ("request", "smtp", "imap")
"""Kinds of points that fail the first time, or halfway through a run."""
SEED = 900_000_000
"""Added to the seed of a run for its tables, so that the number can be recognised where it should not stand."""


@dataclass(frozen=True)
class Case:
    """What is run: ``python -m tests.simulation --replay`` takes what ``str`` gives of it.

    Args:
        seed: of the run. scene: what people do. point, fault, nth: see ``Points``.
        has_stranger: whether one presses buttons that do not exist.
    """

    seed: int
    scene: str = "play"
    point: Point | None = None
    fault: Fault | None = None
    nth: int = 1
    has_stranger: bool = False

    def __str__(self) -> str:
        fault = ""
        if self.fault:
            fault = f" {self.point} {self.fault.name} {self.fault.seconds:g} {self.fault.late:g} {self.nth}"
        return f"{self.seed} {self.scene}{fault}"


@dataclass
class Outcome:
    """What came of a case.

    Args:
        faults: sentences of the invariants. has_struck: whether its point was met.
        seconds: of processor time. requests, moves: how many there were. met: points, and how often each.
        waited: places that waited, also those outside of points.
        moments: callbacks in which each point was met. gaps: those before which no transaction was open.
    """

    case: Case
    faults: list[str]
    has_struck: bool = False
    seconds: float = 0.0
    requests: int = 0
    moves: int = 0
    met: list[tuple[Point, int]] = field(default_factory=list)
    waited: set[str] = field(default_factory=set)
    digest: str = ""
    trace: list[str] = field(default_factory=list)
    moments: list[tuple[Point, list[int]]] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)


class Between(Protocol):
    """What looks at a run between its callbacks."""

    def pass_by(self, run: Simulation, folder: Path) -> None:
        """Look at a run whose files are in a folder."""

    def finish(self, outcome: Outcome) -> None:
        """Complete what came of it."""


Play = Callable[[World, Case], Coroutine[Any, Any, list[str]]]
"""Plays a case in a world; returns what is wrong."""


class Runner:
    """Runs cases, each on a store of its own.

    Args:
        folder: for the stores. make_world, play: what is run; tables on Discord unless said otherwise.
    """

    def __init__(self, folder: Path, make_world: type[World] = World, play: "Play | None" = None) -> None:
        self.folder = folder
        self.make_world = make_world
        self.play = play or play_on_discord
        self.fresh = folder / "fresh.sqlite"
        quick_files.hasten()
        if not self.fresh.exists():
            asyncio.run(_make(self.fresh))

    def run(self, case: Case, between: Between | None = None, *, is_fifo: bool = False) -> Outcome:
        """Run a case to its end."""
        points = Points(case.point, case.fault, case.nth)
        simulation = Simulation(case.seed, points, is_fifo=is_fifo)
        began = time.process_time()
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            world = self.make_world(simulation, Path(folder), self.fresh)
            if between is not None:
                simulation.loop.between = partial(between.pass_by, simulation, Path(folder))
            try:
                faults = simulation.run(self.play(world, case))
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                faults = [f"{type(error).__name__}: {error}"[:1500]]
            outcome = Outcome(
                case, faults, points.struck is not None, time.process_time() - began, len(world.server.requests),
                len(world.told), list(points.met.items()), points.waited, simulation.digest(), simulation.trace,
                list(points.moments.items()),
            )  # fmt: skip
            if between is not None:
                between.finish(outcome)
        return outcome

    def run_apart(self, case: Case, between: Between | None = None) -> Outcome:
        """Run a case in a process of its own, which leaves nothing behind."""
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                with os.fdopen(write, "wb") as file:
                    file.write(msgspec.json.encode(self.run(case, between)))
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as file:
            told = file.read()
        os.waitpid(child, 0)
        return msgspec.json.decode(told, type=Outcome) if told else Outcome(case, ["the run came to a bad end"])


async def play_on_discord(world: World, case: Case) -> list[str]:
    """Let people do what a scene says, let everything come to rest, and return what is wrong."""
    scene = SCENES[case.scene]
    world.run.intervals = scene.intervals
    async with world.open():
        await world.start_bot()
        keeping = asyncio.create_task(world.keep_alive())
        people = [world.person(name) for name in PEOPLE[: scene.players]]
        table = Table(world, scene.title, people, SEED + case.seed)
        found = []
        try:
            async with asyncio.timeout(scene.seconds):
                await scene.play(table)
        except TimeoutError:
            found.append("people could not do what they wanted to")
        if case.has_stranger:
            await world.forge(table.number)
        await asyncio.sleep(max(AFTERWARDS_SECONDS, AFTERWARDS_ROUNDS * scene.intervals.inspection))
        keeping.cancel()
        return found + await world.judge()


def list_cases(
    base: Case, met: Sequence[tuple[Point, int]], faults: Mapping[str, Sequence[Fault]] = FAULTS
) -> Iterator[Case]:
    """Yield a case for each point and each fault of its kind."""
    for point, count in met:
        for fault in faults[point.kind]:
            for nth in sorted({1, (count + 1) // 2} if point.kind in TWICE else {1}):
                yield replace(base, point=point, fault=fault, nth=nth)


async def _make(path: Path) -> None:
    await (await Database.open(path)).close()
