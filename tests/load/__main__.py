"""Measure the bot under load: ``make load``, or ``python -m tests.load --tables 50 --seconds 30``.

Tables of all titles, each in the middle of a game, are played in the tests'
Discord by people who press buttons at random moments; in the end many tables
start at once. The bot is a process of its own with workers of its own; with
``--processes 2`` it is two, which share a PostgreSQL database and half of the
servers each. This process is Discord and the people. Times are those a person
would see.
"""

import argparse
import asyncio
import contextlib
import os
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
from tests.discord.gateway import shard_of
from tests.discord.stand_in import StandIn
from tests.discord.world import TEXT, Channel, Message
from tests.load.dashboard import Labels, Samples, Scrapes, describe, list_queries, read_metrics
from tests.load.memory import Memory
from tests.load.people import ACKNOWLEDGE_SECONDS, People, buttons_of, find_turn
from tests.load.served import PAGES, Loop
from tests.support import postgres

SEATS, STARTERS = 3, 2
MAX_MOVES = 400
PLAYERS = 12
SEED = 11
POSTING_SECONDS = 900.0
CROWD_SECONDS = 5.0
"""In which the viewers have opened their pages."""
MAX_SHOWN = 8


class Load(Record, frozen=True):
    """How many tables, for how many seconds, how many presses a second, how many starts at once in the end.

    ``viewers`` follow the page of the first table. Each of ``processes`` has its part of the servers. Without
    ``pictures``, each of them is a dot, which takes no time to draw.
    """

    tables: int = 200
    seconds: float = 60
    rate: float = 5
    starts: int = 50
    viewers: int = 0
    processes: int = 1
    pictures: bool = True


async def measure(load: Load, max_moves: int = MAX_MOVES) -> AsyncIterator[str]:
    """Yield one line a figure.

    Raises:
        TimeoutError: a table stays silent.
    """
    life = load.seconds + 3 * POSTING_SECONDS
    with tempfile.TemporaryDirectory() as folder:
        async with StandIn(life=life, heartbeat_ms=30_000, patience=ACKNOWLEDGE_SECONDS) as server:
            store = Path(folder) / "load.sqlite" if load.processes == 1 else await _make_shared_store()
            page, ports = await _prepare(store, server, load, max_moves), _find_free_ports(2 * load.processes)
            crowd, bots, metrics = None, list[asyncio.subprocess.Process](), ports[1::2]
            try:
                for number in range(load.processes):
                    drawn, address = "pictures" if load.pictures else "dots", "127.0.0.1"
                    settings = (
                        f"database={store}", f"folder={folder}/{number}",
                        f"STATIONMASTER_SHARDS={number}/{load.processes}",
                        f"web_listen={address}:{ports[2 * number]}", f"metrics_listen={address}:{metrics[number]}",
                    )  # fmt: skip
                    bots.append(await _run("tests.load.served", server.url, drawn, *settings))
                await _wait_for_turns(load, server)
                if load.viewers:
                    address = page.replace(PAGES, f"http://127.0.0.1:{ports[0]}")
                    crowd = await _run("tests.web.viewers", "--watch", address, "--viewers", str(load.viewers))
                    await asyncio.sleep(CROWD_SECONDS)
                before, began = await _scrape(metrics), time.monotonic()
                async for line in _play(load, server, bots):
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
                for process in (*bots, crowd):
                    if process is not None and process.returncode is None:
                        process.kill()
                        await process.wait()


async def _run(module: str, *arguments: str) -> asyncio.subprocess.Process:
    command = (sys.executable, "-m", module, *arguments)
    return await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)


async def _make_shared_store() -> str:
    """Return the address of an empty store on a server of its own, which ends with this process."""
    folder = await asyncio.to_thread(postgres.start_server, f"load-{os.getpid()}")
    return await asyncio.to_thread(postgres.make_store, folder, "load", quick=False)


def _find_free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


async def _scrape(ports: Sequence[int]) -> Samples:
    """Return the metrics of all processes of the bot, as Prometheus reads them."""
    found: dict[tuple[str, Labels], float] = {}
    async with ClientSession() as session:
        for number, port in enumerate(ports, 1):
            async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
                found |= read_metrics(await answer.text(), f"load{number}")
    return found


async def _wait_for_turns(load: Load, server: StandIn) -> None:
    """Wait until every table shows whose turn it is, with its pictures, and each server is heard by one process."""

    def are_all_posted() -> bool:
        drawn = [find_turn(thread) for thread in server.threads]
        heard = all(server.gateway.listeners(guild) == 1 for guild in server.world.guilds)
        return heard and len(_lobbies(server)) >= load.starts and all(turn and turn.files for turn in drawn)

    await server.world.until(are_all_posted, POSTING_SECONDS)


async def _play(load: Load, server: StandIn, bots: Sequence[asyncio.subprocess.Process]) -> AsyncIterator[str]:
    await _ask(bots)
    people, before = People(server, seed=3), len(server.requests)
    memory = Memory([bot.pid for bot in bots])
    watching = asyncio.create_task(memory.watch())
    await people.play(server.threads, load.seconds, load.rate)
    watching.cancel()
    seen, loop = people.seen, await _ask(bots)
    asked = Counter(re.sub(r"/\d+(?:/[\w-]{20,})?", "/…", each) for each in server.requests[before:])
    yield f"{load.tables} tables, {seen.presses} presses in {load.seconds:g} s: {seen.moves} moves"
    yield f"{seen.late} presses too late, {seen.lost} not acknowledged, {seen.silent} without an answer"
    for wait in seen.waits[:MAX_SHOWN]:
        yield f"  {wait}"
    yield _summary("acknowledged", seen.acknowledged)
    yield _summary("answered", seen.answered)
    yield _summary("words of a move in the channel", seen.words)
    yield _summary("its pictures", seen.pictures)
    yield f"event loop late by {loop.late * 1000:.0f} ms at most, 99%: {loop.late_p99 * 1000:.0f} ms"
    yield f"processor time: bot {loop.own:.1f} s, workers {loop.workers:.1f} s"
    yield "memory:"
    for line in memory.describe():
        yield line
    moves = max(1, seen.moves)
    writes = sum(asked[each] for each in asked if " /channels/" in each and not each.startswith("GET "))
    pressed, posted = 1 + seen.changes / moves, writes / moves  # what is read is looked at every few minutes
    yield f"a move costs {pressed + posted:.1f} requests to Discord: {pressed:.1f} to answer, {posted:.1f} to post"
    yield f"with all presses, {asked.total() / moves:.1f} requests a move:"
    for request, count in asked.most_common(MAX_SHOWN):
        yield f"  {count} {request}"
    if load.starts:
        starters = People(server, seed=4)
        took = await starters.start(_lobbies(server)[: load.starts])
        lost, late = starters.seen.lost, (await _ask(bots)).late
        yield f"{load.starts} tables started at once: {lost} not acknowledged, all turn messages after {took:.1f} s"
        yield f"{_summary('acknowledged', starters.seen.acknowledged)}; event loop late by {late * 1000:.0f} ms at most"
    yield f"{len(server.violations)} requests beyond Discord's limits"
    for sentence in server.violations[:MAX_SHOWN]:
        yield f"  {sentence}"


def _lobbies(server: StandIn) -> list[Message]:
    return [
        message
        for channel in server.world.channels.values()
        if channel.kind == TEXT
        for message in channel.public
        if "start" in buttons_of(message)
    ]


async def _prepare(store: Path | str, server: StandIn, load: Load, max_moves: int) -> str:
    """Open the tables, each in a thread of its own in the middle of a game, and those that are to be started.

    Each process has its part of them, in a server of its own.

    Return the address of the first one's page.
    """
    services, titles, chance = await Services.open(store), list(TITLES), random.Random(SEED)  # noqa: S311
    people = [server.world.user(f"Player {number}") for number in range(1, PLAYERS + 1)]
    players = [Player(str(user.id), user.name) for user in people]
    places = [_find_place(server, number, load.processes) for number in range(load.processes)]
    homes = [Home(str(place.guild.id), str(place.id)) for place in places if place.guild is not None]
    played: dict[str, Game] = {}
    try:
        for number in range(load.tables):
            title = titles[number % len(titles)]
            if title not in played:
                played[title] = await asyncio.to_thread(_self_play, title, max_moves)
            game = played[title]
            place, home = places[number % len(places)], homes[number % len(homes)]
            table = await _open(services, chance.sample(players, SEATS), title, home)
            await services.lobby.start(table, (await services.lobby.get_table(table)).host, "as joined")
            thread = server.world.thread(place, f"Table {table}", server.world.me)
            await services.lobby.set_home(table, Home(thread=str(thread.id)))
            said = game.list_in_force()[: chance.randrange(len(game.line) // 4, max(1, len(game.line) * 9 // 10))]
            await restore_log(services.database, table, encode_file(game.setup, said), services.clock())
        fitting = [title for title in titles if TITLES[title].seats[0] <= STARTERS]
        for number in range(load.starts):
            await _open(services, players[:STARTERS], fitting[number % len(fitting)], homes[number % len(homes)])
        services.boards.web = PAGES
        return await services.boards.make_public_link(await services.table.load_position(1))
    finally:
        await services.close()


def _find_place(server: StandIn, number: int, count: int) -> Channel:
    """Return a channel whose server one of so many processes hears."""
    if shard_of(server.guild.id, count) == number:
        return server.games
    while shard_of((guild := server.world.guild(f"Crew {number}")).id, count) != number:
        del server.world.guilds[guild.id]
    return server.world.channel(guild, "games", TEXT)


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


async def _ask(bots: Sequence[asyncio.subprocess.Process]) -> Loop:
    """Return what the bot's processes report of themselves since they were last asked: the worst loop, all the time."""
    found: list[Loop] = []
    for bot in bots:
        assert bot.stdin is not None
        assert bot.stdout is not None
        bot.stdin.write(b"\n")
        await bot.stdin.drain()
        found.append(msgspec.json.decode(await bot.stdout.readline(), type=Loop))
    own, workers = (sum(row) for row in zip(*((each.own, each.workers) for each in found), strict=True))
    return Loop(max(each.late for each in found), max(each.late_p99 for each in found), own, workers)


def read_arguments() -> Load:
    """Read what is wished for."""
    given = argparse.ArgumentParser(prog="make load", description=__doc__)
    for name, kind, words in (
        ("tables", int, "played side by side"),
        ("seconds", float, "for this long"),
        ("rate", float, "presses a second"),
        ("starts", int, "tables started at the same moment in the end"),
        ("viewers", int, "pages that follow the first table"),
        ("processes", int, "of the bot; several share a PostgreSQL database"),
    ):
        given.add_argument(f"--{name}", type=kind, default=getattr(Load(), name), help=f"{words}; %(default)s")
    given.add_argument("--no-pictures", dest="pictures", action="store_false", help="dots in place of pictures")
    return Load(**vars(given.parse_args()))


async def main(load: Load) -> None:
    """Print the figures."""
    async for line in measure(load):
        print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main(read_arguments()))
