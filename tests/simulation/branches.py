"""Many faults in one run: the run is played once without a fault, and forks shortly before each point that is to fail.

A branch is a process with the memory of the run so far. Files are what it shares with the run, which waits until the
branch has ended and then puts them back as they were. So a run forks only while no transaction is open.
"""

import asyncio
import os
import signal
import sys
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import msgspec

from tests.simulation.loop import TICK_SECONDS
from tests.simulation.runs import Case, Outcome, Runner
from tests.simulation.simulation import Simulation

LENGTH_BYTES = 8


class Gaps:
    """The moments of a run at which no transaction is open, as numbers of the callback that comes next."""

    def __init__(self) -> None:
        self.numbers: list[int] = []

    def pass_by(self, run: Simulation, folder: Path) -> None:
        """Note the moment, if it is one."""
        del folder
        if not any(each.in_transaction for each in run.connections):
            self.numbers.append(run.loop.callbacks)

    def finish(self, outcome: Outcome) -> None:
        """Add the moments to an outcome."""
        outcome.gaps = self.numbers


class Branches:
    """Forks a run at the moments of a plan.

    Args:
        plan: cases by the number of the callback before which they begin. out: where each branch writes its outcome.
    """

    def __init__(self, plan: dict[int, list[Case]], out: BinaryIO) -> None:
        self.plan = plan
        self.out = out
        self.case: Case | None = None

    def pass_by(self, run: Simulation, folder: Path) -> None:
        """Run what branches off here to its end, a case after the other; in a branch, go on with its case."""
        for case in self.plan.pop(run.loop.callbacks, []) if self.case is None else ():
            files = KeptFiles(folder)
            child = os.fork()
            if child == 0:
                self.case = case
                run.points.aim, run.points.fault, run.points.nth = case.point, case.fault, case.nth
                asyncio._set_running_loop(run.loop)  # in this process, too
                signal.setitimer(signal.ITIMER_VIRTUAL, TICK_SECONDS, TICK_SECONDS)  # which has none
                return
            if os.waitpid(child, 0)[1]:
                self.write(Outcome(case, ["the run came to a bad end"]))
            files.put_back()

    def finish(self, outcome: Outcome) -> None:
        """End a branch with what came of its case."""
        if self.case is not None:
            self.write(replace(outcome, case=self.case, seconds=time.process_time(), moments=[]))
            os._exit(0)

    def write(self, outcome: Outcome) -> None:
        """Hand an outcome to the process that asked for it."""
        data = msgspec.json.encode(outcome)
        self.out.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
        self.out.flush()


class KeptFiles:
    """All files below a folder, kept as they are, under second names.

    The run has them open, so they must stay the same files. Closing one here also drops the locks that the run holds,
    which would be in the way of the branch.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept = folder.with_name(f"{folder.name}.kept")
        self._kept.mkdir()
        self._files: list[tuple[Path, Path, bytes]] = []
        for path in folder.rglob("*"):
            if path.is_file():
                second = self._kept / str(len(self._files))
                os.link(path, second)
                self._files.append((path, second, path.read_bytes()))

    def put_back(self) -> None:
        """Make all files what they were."""
        for path in [*self._folder.rglob("*")]:
            if path.is_file():
                path.unlink()
        for path, second, data in self._files:
            with second.open("r+b") as file:
                file.write(data)
                file.truncate()
            path.parent.mkdir(parents=True, exist_ok=True)
            second.rename(path)
        self._kept.rmdir()


def run_branches(runner: Runner, base: Case, cases: Sequence[Case]) -> Iterator[Outcome]:
    """Run cases that differ from a base by their fault alone; yield how each ended."""
    gaps = Gaps()
    calm = runner.run_apart(base, gaps)
    moments = dict(calm.moments)
    plan: dict[int, list[Case]] = {}
    for case in cases:
        assert case.point is not None
        met = moments.get(case.point, [])
        gap = bisect_right(calm.gaps, met[case.nth - 1]) - 1 if len(met) >= case.nth else -1
        plan.setdefault(calm.gaps[gap] if gap >= 0 else 1, []).append(case)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        sys.unraisablehook = lambda _: None  # what is left of a run may become garbage when its loop is closed
        with os.fdopen(write, "wb") as out:
            os.close(read)
            runner.run(base, Branches(plan, out))
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as file:
        while head := file.read(LENGTH_BYTES):
            yield msgspec.json.decode(file.read(int.from_bytes(head, "big")), type=Outcome)
    os.waitpid(child, 0)
