"""Figures: replay, best runs, pictures, and a crowd at many tables, measured in one run on this machine.

Without a log the game measured is one of 1860 that the seeded player plays
first. Times are the best of several, but for those of the crowd.
"""

import asyncio
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bot.operations import picture_times, selfplay
from bot.operations.crowd.figures import Crowd, measured
from engine import Game, Setup
from engine.interop import Imported, import_log
from engine.interop.trace import TraceWish, trace

GAME = Setup("1860", 3, seed=7)
REPLAYS = 5


def measure(log: Path | None, crowd: Crowd) -> Iterator[str]:
    """Yield one line a figure.

    Raises:
        UnreadableLogError, LogError: the log cannot be read or breaks a rule.
    """
    found = import_log(log.read_bytes() if log else selfplay.as_file(selfplay.play(GAME), "native"))
    yield _imported(log) if log else f"game: self-play of {GAME.title}, {GAME.seats} players, seed {GAME.seed}"
    yield _replayed(found)
    yield from _runs(found)
    yield from picture_times.drawn(found)
    yield from asyncio.run(measured(crowd))


def _imported(log: Path) -> str:
    """Read a file, translate its actions and check every one of them."""
    data = log.read_bytes()
    return f"read and check {log.name}: {_best(lambda: import_log(data)) * 1000:.0f} ms"


def _best(work: Callable[[], object]) -> float:
    """Return the seconds of the fastest of several goes."""
    return min(_seconds(work) for _ in range(REPLAYS))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _replayed(found: Imported) -> str:
    """Replay the game, every check on."""
    best = _best(lambda: Game.replay(found.setup, found.log))
    return f"replay, every check on: {len(found.log)} actions in {best * 1000:.0f} ms"


def _runs(found: Imported) -> Iterator[str]:
    """Search the best run of every turn in which trains ran."""
    wanted = TraceWish(states=False, clock=time.perf_counter)
    spent = [float(str(row["ms"])) for step in trace(found, wanted) if (row := step.run) is not None]
    if spent:
        worst, middle = max(spent), statistics.median(spent)
        yield f"best runs: {len(spent)} turns in {sum(spent):.0f} ms, worst {worst:.0f} ms, median {middle:.1f} ms"
