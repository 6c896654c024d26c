"""Figures: how fast a recorded game replays, pictures are drawn, and 50 tables act at once."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bot.house import House
from bot.records import NewTable, Person
from bot.transfer import Loaded, load
from engine import TITLES, Game, Request, Rng
from render import png

MOVES_A_TABLE = 10


def measure(log: Path | None, tables: int) -> Iterator[str]:
    """Yield one line a figure."""
    if log is not None:
        loaded = load(log.read_bytes())
        yield _replayed(loaded)
        yield from _drawn(loaded)
    yield asyncio.run(_at_once(tables))


def _replayed(loaded: Loaded) -> str:
    """Replay a recorded game five times, every check on; the best time counts."""
    best = min(_seconds(loaded) for _ in range(5))
    return f"replay: {len(loaded.log)} actions in {best * 1000:.0f} ms"


def _seconds(loaded: Loaded) -> float:
    began = time.perf_counter()
    Game.replay(loaded.setup, loaded.log)
    return time.perf_counter() - began


def _drawn(loaded: Loaded) -> Iterator[str]:
    """Draw each picture of the final position."""
    game = Game.replay(loaded.setup, loaded.log)
    whole = 0.0
    for picture in game.title.pictures:
        began = time.perf_counter()
        png(game.look(Request(picture.name, names=loaded.names)))
        seconds = time.perf_counter() - began
        whole += seconds if picture.name in game.pictures() else 0
        yield f"picture {picture.name}: {seconds * 1000:.0f} ms"
    yield f"pictures of a turn: {whole * 1000:.0f} ms"


async def _at_once(tables: int) -> str:
    """Let many tables act at once, each a few moves, through the store."""
    with tempfile.TemporaryDirectory() as folder:
        house = await House.open(Path(folder) / "bench.sqlite", most_live=tables)
        try:
            numbers = [await _opened(house, seed) for seed in range(tables)]
            spent = await asyncio.gather(*(_moves(house, number) for number in numbers))
        finally:
            await house.close()
    waits = sorted(wait for table in spent for wait in table)
    middle, late = statistics.median(waits), waits[int(len(waits) * 0.95)]
    return f"{tables} tables at once: a move is stored in {middle * 1000:.0f} ms (95 %: {late * 1000:.0f} ms)"


async def _opened(house: House, seed: int) -> int:
    title = next(iter(TITLES.values()))
    host = Person(f"host {seed}", "Host")
    table = await house.lobby.create(host, NewTable(title.id, title.seats[0], seed=seed))
    for _ in range(title.seats[0] - 1):
        await house.lobby.join(table.id, host, hot_seat=True)
    await house.lobby.start(table.id, host.id, "as joined")
    return table.id


async def _moves(house: House, number: int) -> list[float]:
    """Play a few moves at one table; return the seconds each took."""
    waits: list[float] = []
    rng = Rng(number)
    for _ in range(MOVES_A_TABLE):
        here = await house.table.position(number)
        if not here.actors:
            break
        seat = here.actors[0]
        action = here.game.title.choose(here.game.state, seat.number, rng)
        began = time.perf_counter()
        await house.table.submit(number, seat.user, action)
        waits.append(time.perf_counter() - began)
    return waits
