"""Measure the bot under load: ``make load``, or ``python -m tests.load --tables 50 --seconds 30``.

Tables of all titles, each in the middle of a game, are played in the tests'
Discord by people who press buttons at random moments; in the end many tables
start at once. The bot is a process of its own with workers of its own; this
process is Discord and the people. Times are those a person would see.
"""

import argparse
import asyncio
import random
import re
import socket
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import msgspec
from aiohttp import ClientSession

from bot.model.records import Home, NewTable
from bot.model.records import Person as Player
from bot.service.services import Services
from bot.service.transfer import restore_log
from engine import TITLES, Game, Record, Rng, Setup
from engine.codec import encode_file
from tests.discord.stand_in import StandIn
from tests.discord.world import Message
from tests.load.dashboard import Samples, Scrapes, describe, list_queries, read_metrics
from tests.load.people import ACKNOWLEDGE_SECONDS, People, buttons_of, find_turn
from tests.load.served import Loop

SEATS, STARTERS = 3, 2
MAX_MOVES = 400
PLAYERS = 12
SEED = 11
POSTING_SECONDS = 900.0
PAGES = "https://trains.example"
CROWD_SECONDS = 5.0
"""In which the viewers have opened their pages."""
MAX_SHOWN = 8


class Load(Record, frozen=True):
    """How many tables, for how many seconds, how many presses a second, how many starts at once in the end.

    ``viewers`` follow the page of the first table.
    """

    tables: int = 200
    seconds: float = 60
    rate: float = 5
    starts: int = 50
    viewers: int = 0


async def measure(load: Load, max_moves: int = MAX_MOVES) -> AsyncIterator[str]:
    """Yield one line a figure.

    Raises:
        TimeoutError: a table stays silent.
    """
    life = load.seconds + 3 * POSTING_SECONDS
    with tempfile.TemporaryDirectory() as folder:
        async with StandIn(life=life, heartbeat_ms=30_000, patience=ACKNOWLEDGE_SECONDS) as server:
            store = Path(folder) / "load.sqlite"
            page, (port, metrics) = await _prepare(store, server, load, max_moves), _find_free_ports()
            bot = await _run("tests.load.served", server.url, str(store), str(port), str(metrics))
            crowd = None
            try:
                await _wait_for_turns(load, server)
                if load.viewers:
                    address = page.replace(PAGES, f"http://127.0.0.1:{port}")
                    crowd = await _run("tests.web.viewers", "--watch", address, "--viewers", str(load.viewers))
                    await asyncio.sleep(CROWD_SECONDS)
                before, began = await _scrape(metrics), time.monotonic()
                async for line in _play(load, server, bot):
                    yield line
                seen = Scrapes(before, await _scrape(metrics), time.monotonic() - began)
                yield f"the dashboard's {len(list_queries())} queries over this run:"
                for line in describe(seen):
                    yield line
                if crowd is not None:
                    crowd.terminate()
                    rows = (await crowd.communicate())[0].decode().splitlines()
                    moves = {row.split()[0] for row in rows}
                    yield f"{load.viewers} viewers of one table had {len(rows)} maps of {len(moves)} moves"
            finally:
                for process in (bot, crowd):
                    if process is not None and process.returncode is None:
                        process.kill()
                        await process.wait()


async def _run(module: str, *arguments: str) -> asyncio.subprocess.Process:
    command = (sys.executable, "-m", module, *arguments)
    return await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)


def _find_free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        for probe in (one, other):
            probe.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


async def _scrape(port: int) -> Samples:
    """Return the bot's metrics, as Prometheus reads them."""
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{port}/metrics") as answer:
        return read_metrics(await answer.text())


async def _wait_for_turns(load: Load, server: StandIn) -> None:
    """Wait until every table shows whose turn it is, with its pictures."""

    def are_all_posted() -> bool:
        drawn = [find_turn(thread) for thread in server.threads]
        return len(_lobbies(server)) >= load.starts and all(turn is not None and turn.files for turn in drawn)

    await server.world.until(are_all_posted, POSTING_SECONDS)


async def _play(load: Load, server: StandIn, bot: asyncio.subprocess.Process) -> AsyncIterator[str]:
    await _ask(bot)
    people, before = People(server, seed=3), len(server.requests)
    await people.play(server.threads, load.seconds, load.rate)
    seen, loop = people.seen, await _ask(bot)
    asked = Counter(re.sub(r"/\d+(?:/[\w-]{20,})?", "/…", each) for each in server.requests[before:])
    yield f"{load.tables} tables, {seen.presses} presses in {load.seconds:g} s: {seen.moves} moves"
    yield f"{seen.late} presses too late, {seen.lost} not acknowledged, {seen.silent} without an answer"
    yield _summary("acknowledged", seen.acknowledged)
    yield _summary("answered", seen.answered)
    yield _summary("words of a move in the channel", seen.words)
    yield _summary("its pictures", seen.pictures)
    yield f"event loop late by {loop.late * 1000:.0f} ms at most, 99%: {loop.late_p99 * 1000:.0f} ms"
    yield f"processor time: bot {loop.own:.1f} s, workers {loop.workers:.1f} s"
    yield f"{asked.total() / max(1, seen.moves):.1f} requests to Discord a move"
    for request, count in asked.most_common(MAX_SHOWN):
        yield f"  {count} {request}"
    if load.starts:
        starters = People(server, seed=4)
        took = await starters.start(_lobbies(server)[: load.starts])
        lost, late = starters.seen.lost, (await _ask(bot)).late
        yield f"{load.starts} tables started at once: {lost} not acknowledged, all turn messages after {took:.1f} s"
        yield f"{_summary('acknowledged', starters.seen.acknowledged)}; event loop late by {late * 1000:.0f} ms at most"
    yield f"{len(server.violations)} requests beyond Discord's limits"
    for sentence in server.violations[:MAX_SHOWN]:
        yield f"  {sentence}"


def _lobbies(server: StandIn) -> list[Message]:
    return [message for message in server.games.public if "start" in buttons_of(message)]


async def _prepare(store: Path, server: StandIn, load: Load, max_moves: int) -> str:
    """Open the tables, each in a thread of its own in the middle of a game, and those that are to be started.

    Return the address of the first one's page.
    """
    services, titles, chance = await Services.open(store), list(TITLES), random.Random(SEED)  # noqa: S311
    people = [server.world.user(f"Player {number}") for number in range(1, PLAYERS + 1)]
    players = [Player(str(user.id), user.name) for user in people]
    home = Home(str(server.guild.id), str(server.games.id))
    played: dict[str, Game] = {}
    try:
        for number in range(load.tables):
            title = titles[number % len(titles)]
            if title not in played:
                played[title] = await asyncio.to_thread(_self_play, title, max_moves)
            game = played[title]
            table = await _open(services, chance.sample(players, SEATS), title, home)
            await services.lobby.start(table, (await services.lobby.get_table(table)).host, "as joined")
            thread = server.world.thread(server.games, f"Table {table}", server.world.me)
            await services.lobby.set_home(table, Home(thread=str(thread.id)))
            said = game.list_in_force()[: chance.randrange(len(game.line) // 4, max(1, len(game.line) * 9 // 10))]
            await restore_log(services.database, table, encode_file(game.setup, said), services.clock())
        fitting = [title for title in titles if TITLES[title].seats[0] <= STARTERS]
        for number in range(load.starts):
            await _open(services, players[:STARTERS], fitting[number % len(fitting)], home)
        services.boards.web = PAGES
        return await services.boards.make_public_link(await services.table.load_position(1))
    finally:
        await services.close()


async def _open(services: Services, players: Sequence[Player], title: str, home: Home) -> int:
    host, *guests = players
    table = await services.lobby.create(host, NewTable(title, len(players), seed=SEED), home)
    for guest in guests:
        await services.lobby.join(table.id, guest)
    return table.id


def _self_play(title: str, max_moves: int) -> Game:
    """Play a game to its end, or so many moves."""
    game, rng = Game.new(Setup(title, SEATS, seed=SEED)), Rng(SEED)
    while game.actors and len(game.line) < max_moves:
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    return game


def _summary(name: str, seconds: Sequence[float]) -> str:
    """Return the median, the slow and the slowest of some times in words."""
    if not seconds:
        return f"{name}: nothing"
    row = sorted(seconds)
    p95, p99 = row[int(len(row) * 0.95)], row[int(len(row) * 0.99)]
    return f"{name}: median {statistics.median(row):.3f} s, 95%: {p95:.3f} s, 99%: {p99:.3f} s, most {row[-1]:.3f} s"


async def _ask(bot: asyncio.subprocess.Process) -> Loop:
    """Return what the bot's process reports of itself since it was last asked."""
    assert bot.stdin is not None
    assert bot.stdout is not None
    bot.stdin.write(b"\n")
    await bot.stdin.drain()
    return msgspec.json.decode(await bot.stdout.readline(), type=Loop)


def read_arguments() -> Load:
    """Read what is wished for."""
    given = argparse.ArgumentParser(prog="make load", description=__doc__)
    for name, kind, words in (
        ("tables", int, "played side by side"),
        ("seconds", float, "for this long"),
        ("rate", float, "presses a second"),
        ("starts", int, "tables started at the same moment in the end"),
        ("viewers", int, "pages that follow the first table"),
    ):
        given.add_argument(f"--{name}", type=kind, default=getattr(Load(), name), help=f"{words}; %(default)s")
    return Load(**vars(given.parse_args()))


async def main(load: Load) -> None:
    """Print the figures."""
    async for line in measure(load):
        print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main(read_arguments()))
