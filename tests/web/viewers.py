"""Measure a table that many watch: ``python -m tests.web.viewers --viewers 200 --moves 30``.

The viewers are another process. It plays the same moves without and with them, and prints how long the answer to a
mover took, the processor time of the bot's process, and when viewers had the event and the new map.
"""

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import aiohttp

from bot.model.records import NewTable
from bot.service.services import Services
from bot.service.workers.pool import Workers
from bot.web.front import WebFront
from bot.web.guard import Guard
from bot.web.server import open_pages
from tests.web.conftest import begin, find_path, play

PLACE = "https://trains.example"
PAUSE_SECONDS = 1.5


async def watch(address: str, viewers: int) -> None:
    """Follow a table as many pages do, and print for each event when it came and when the map was there."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(None)) as session:
        await asyncio.gather(*(_follow(session, address, number) for number in range(viewers)))


async def _follow(session: aiohttp.ClientSession, address: str, number: int) -> None:
    headers = {"X-Forwarded-For": f"10.0.{number // 250}.{number % 250 + 1}"}
    async with session.get(f"{address}live", headers=headers) as stream:
        async for line in stream.content:
            if line.startswith(b"data: "):
                said, came = json.loads(line[6:]), time.time()
                await asyncio.sleep(random.random() * said["wait"] / 1000)  # noqa: S311
                path = f"{address}at/{said['number']}-{said['move'][0]}/standard/map"
                async with session.get(path, headers=headers) as answer:
                    await answer.read()
                    print(said["number"], came, time.time(), answer.status, flush=True)  # noqa: T201


async def measure(viewers: int, moves: int) -> None:
    """Play moves at a table that so many watch, and print what was measured."""
    with tempfile.TemporaryDirectory() as folder:
        services = await Services.open(Path(folder) / "store.sqlite", workers=Workers.in_processes(2))
        services.boards.web = PLACE
        game = await begin(services, NewTable("1860", 3, seed=5), 40)
        front = WebFront(services, Guard(frozenset({"127.0.0.1"})))
        async with open_pages(front, "127.0.0.1:0") as port:
            address = f"http://127.0.0.1:{port}{await find_path(services, game)}"
            command = (sys.executable, "-m", "tests.web.viewers", "--watch", address, "--viewers", str(viewers))
            crowd = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE) if viewers else None
            while front.watch.count(game) < viewers:
                await asyncio.sleep(0.1)
            await asyncio.sleep(3)
            took, told, began = list[float](), dict[int, float](), time.process_time()
            for _ in range(moves):
                start = time.perf_counter()
                await play(services, game)
                took.append(time.perf_counter() - start)
                told[len((await services.table.load_position(game)).game.line)] = time.time()
                await asyncio.sleep(PAUSE_SECONDS)
            spent = (time.process_time() - began) / moves
            if crowd is not None:
                crowd.terminate()
                print(*_describe_events((await crowd.communicate())[0].decode(), told), sep="\n")  # noqa: T201
        await services.close()
    print(  # noqa: T201
        f"{viewers} viewers: a move took {1000 * statistics.median(took):.0f} ms in the median, "
        f"{1000 * max(took):.0f} at most; {1000 * spent:.0f} ms of processor time a move"
    )


def _describe_events(text: str, told: dict[int, float]) -> list[str]:
    rows = [line.split() for line in text.splitlines()]
    heard = [float(came) - told[int(number)] for number, came, _, _ in rows if int(number) in told]
    seen = [float(there) - told[int(number)] for number, _, there, _ in rows if int(number) in told]
    statuses = {status: sum(row[3] == status for row in rows) for status in {row[3] for row in rows}}
    return [
        f"{what} after {statistics.mean(times):.2f} s in the mean, {max(times):.2f} at most ({len(times)}, {statuses})"
        for what, times in (("event", heard), ("map", seen))
    ]


def main() -> None:
    """Measure without viewers and with them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--watch", default="")
    wish = parser.parse_args()
    if wish.watch:
        asyncio.run(watch(wish.watch, wish.viewers))
        return
    for viewers in (0, wish.viewers):
        asyncio.run(measure(viewers, wish.moves))


if __name__ == "__main__":
    main()
