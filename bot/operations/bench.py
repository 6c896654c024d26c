"""Figures: replay, best runs, pictures, and many tables at once, measured in one run on this machine.

Without a log the game measured is one of 1860 that the seeded player plays
first. Times are the best of several, but for the tables at once.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any  # each title has a state of its own type

from bot.operations import selfplay
from bot.screens import worker
from bot.screens.drawing import Draw, drawer, painter
from bot.service.records import NewTable, Person
from bot.service.services import Services
from bot.service.table import Look
from bot.service.workers.processes import processors, staffed
from engine import TITLES, Game, Request, Rng, Setup, Title
from engine.interop import Imported, import_log
from engine.interop.trace import Wanted, trace
from render import Renderer, png

GAME = Setup("1860", 3, seed=7)
REPLAYS = 5
MOVES_A_TABLE = 10
BEAT = 0.01


def measure(log: Path | None, tables: int) -> Iterator[str]:
    """Yield one line a figure.

    Raises:
        UnreadableLogError, LogError: the log cannot be read or breaks a rule.
    """
    found = import_log(log.read_bytes() if log else selfplay.as_file(selfplay.play(GAME), "native"))
    yield _imported(log) if log else f"game: self-play of {GAME.title}, {GAME.seats} players, seed {GAME.seed}"
    yield _replayed(found)
    yield from _runs(found)
    yield from _drawn(found)
    yield asyncio.run(_at_once(TITLES[found.setup.title], tables))


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
    wanted = Wanted(states=False, clock=time.perf_counter)
    spent = [float(str(row["ms"])) for step in trace(found, wanted) if (row := step.run) is not None]
    if spent:
        worst, middle = max(spent), statistics.median(spent)
        yield f"best runs: {len(spent)} turns in {sum(spent):.0f} ms, worst {worst:.0f} ms, median {middle:.1f} ms"


def _drawn(found: Imported) -> Iterator[str]:
    """Draw each picture of the final position, first and again."""
    game = Game.replay(found.setup, found.log)
    turn = 0.0
    for picture in game.title.pictures:
        about = next((value for value, _ in game.title.subjects(game.state, picture.about)), "")
        if picture.about and not about:
            continue
        view = game.look(Request(picture.name, about=about, names=found.names))
        draw = partial(png, view)
        first, again, size = _seconds(draw), _best(draw), len(draw())
        turn += again if picture.every_turn else 0
        yield f"picture {picture.name}: {again * 1000:.0f} ms (first {first * 1000:.0f} ms), {size / 1000:.0f} kB"
    yield f"pictures of a turn: {turn * 1000:.0f} ms"


async def _at_once(title: Title[Any], tables: int) -> str:
    """Let many tables act at once, each a few moves with their pictures.

    What a player waits for an acknowledgement is how long the event loop
    takes to come round: a beat measures how late it is.
    """
    with tempfile.TemporaryDirectory() as folder:
        workers = staffed(worker.__name__, processors())
        services = await Services.open(Path(folder) / "bench.sqlite", most_live=tables, workers=workers)
        beat = asyncio.create_task(_beat())
        try:
            numbers = [await _opened(services, title, seed) for seed in range(tables)]
            draw = drawer(Renderer(at_once=workers.lookers, paint=painter(workers)))
            spent = await asyncio.gather(*(_moves(services, draw, number) for number in numbers))
        finally:
            beat.cancel()
            late = await _late(beat)
            await services.close()
    waits = sorted(wait for table in spent for wait in table)
    middle, slow = statistics.median(waits), waits[int(len(waits) * 0.95)]
    told = f"a move is stored in {middle * 1000:.0f} ms (95 %: {slow * 1000:.0f} ms)"
    return f"{tables} tables at once: acknowledged within {max(late) * 1000:.0f} ms at worst; {told}"


async def _late(beat: "asyncio.Task[Sequence[float]]") -> Sequence[float]:
    return await beat


async def _beat() -> Sequence[float]:
    """Return by how many seconds each beat came late, until cancelled."""
    late = [0.0]
    try:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(BEAT)
            late.append(time.perf_counter() - began - BEAT)
    except asyncio.CancelledError:
        return late


async def _opened(services: Services, title: Title[Any], seed: int) -> int:
    host = Person(f"host {seed}", "Host")
    table = await services.lobby.create(host, NewTable(title.id, title.seats[0], seed=seed))
    for _ in range(title.seats[0] - 1):
        await services.lobby.join(table.id, host, hot_seat=True)
    await services.lobby.start(table.id, host.id, "as joined")
    return table.id


async def _moves(services: Services, draw: Draw, number: int) -> list[float]:
    """Play a few moves at one table, drawing after each; return the seconds each took to be stored."""
    waits: list[float] = []
    rng = Rng(number)
    for _ in range(MOVES_A_TABLE):
        here = await services.table.position(number)
        if not here.actors:
            break
        seat = here.actors[0]
        game = await asyncio.to_thread(here.game.replayed)
        action = game.title.choose(game.state, seat.number, rng)
        waits.append(await _timed(services.table.submit(number, seat.user, action)))
        await draw(await services.table.look(number, seat.user, Look(here.game.pictures()[0])), "standard")
    return waits


async def _timed(work: Awaitable[object]) -> float:
    began = time.perf_counter()
    await work
    return time.perf_counter() - began
