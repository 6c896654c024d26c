"""Measures a crowd: tables of all titles in the middle of their games, people who press, many starts at once.

The bot is a process of its own with workers of its own; this process is
Discord and the people. Times are those a person would see.
"""

import asyncio
import random
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bot.operations.crowd.loopback import Loopback, Message
from bot.operations.crowd.people import People, turn_of, verbs_of
from bot.operations.crowd.served import Loop
from bot.service.records import Home, NewTable, Person
from bot.service.servers.mending import mend
from bot.service.services import Services
from engine import TITLES, Game, Record, Rng, Setup
from engine.codec import encode_file

SEATS, STARTERS = 3, 2
MOST_MOVES = 400
PLAYERS = 12
SEED = 11
POSTING = 900.0


class Crowd(Record, frozen=True):
    """How many tables, for how many seconds, how many presses a second, how many starts at once in the end."""

    tables: int
    seconds: float
    rate: float
    starts: int


async def measured(crowd: Crowd) -> list[str]:
    """Return one line a figure.

    Raises:
        TimeoutError: a table stays silent.
    """
    with tempfile.TemporaryDirectory() as folder:
        async with Loopback([f"Player {number}" for number in range(1, PLAYERS + 1)]) as server:
            store = Path(folder) / "crowd.sqlite"
            await _laid_out(store, server, crowd)
            bot = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "bot.operations.crowd.served", server.url, str(store),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
            try:
                return await _seen(crowd, server, bot)
            finally:
                if bot.returncode is None:
                    bot.kill()
                await bot.wait()


async def _seen(crowd: Crowd, server: Loopback, bot: asyncio.subprocess.Process) -> list[str]:
    threads = server.threads

    def all_there() -> bool:
        drawn = [turn_of(thread) for thread in threads]
        return len(_lobbies(server)) >= crowd.starts and all(turn is not None and turn.files for turn in drawn)

    await server.until(all_there, POSTING)
    await _asked(bot)
    people = People(server, seed=3)
    await people.play(threads, crowd.seconds, crowd.rate)
    seen, loop = people.seen, await _asked(bot)
    lines = [
        f"{crowd.tables} tables, {seen.presses} presses in {crowd.seconds:g} s: {seen.moves} moves",
        f"{seen.late} presses too late, {seen.lost} not acknowledged, {seen.silent} without an answer",
        _shown("acknowledged", seen.acknowledged),
        _shown("answered", seen.answered),
        _shown("words of a move in the channel", seen.words),
        _shown("its pictures", seen.pictures),
        f"event loop late by {loop.late * 1000:.0f} ms at most, 99 %: {loop.late_p99 * 1000:.0f} ms",
        f"processor time: bot {loop.own:.1f} s, workers {loop.workers:.1f} s",
    ]
    return [*lines, *await _started(crowd.starts, server, bot)] if crowd.starts else lines


async def _started(starts: int, server: Loopback, bot: asyncio.subprocess.Process) -> list[str]:
    starters = People(server, seed=4)
    took = await starters.start(_lobbies(server)[:starts])
    lost, late = starters.seen.lost, (await _asked(bot)).late
    return [
        f"{starts} tables started at once: {lost} not acknowledged, all turn messages after {took:.1f} s",
        f"{_shown('acknowledged', starters.seen.acknowledged)}; event loop late by {late * 1000:.0f} ms at most",
    ]


def _lobbies(server: Loopback) -> list[Message]:
    return [message for message in server.games.messages if "start" in verbs_of(message)]


async def _laid_out(store: Path, server: Loopback, crowd: Crowd) -> None:
    """Open the tables, each in a thread of its own in the middle of a game, and those that are to be started."""
    services, titles, chance = await Services.open(store), list(TITLES), random.Random(SEED)  # noqa: S311
    people = [Person(str(number), name) for number, name in server.people.items()]
    home = Home(str(server.guild), str(server.games.id))
    played: dict[str, Game] = {}
    try:
        for number in range(crowd.tables):
            title = titles[number % len(titles)]
            if title not in played:
                played[title] = await asyncio.to_thread(_played, title)
            game = played[title]
            table = await _opened(services, chance.sample(people, SEATS), title, home)
            await services.lobby.start(table, (await services.lobby.info(table)).host, "as joined")
            await services.lobby.settle(table, Home(thread=str(server.thread(f"Table {table}").id)))
            said = game.said()[: chance.randrange(len(game.line) // 4, max(1, len(game.line) * 9 // 10))]
            await mend(services.database, table, encode_file(game.setup, said), services.clock())
        fitting = [title for title in titles if TITLES[title].seats[0] <= STARTERS]
        for number in range(crowd.starts):
            await _opened(services, people[:STARTERS], fitting[number % len(fitting)], home)
    finally:
        await services.close()


async def _opened(services: Services, people: Sequence[Person], title: str, home: Home) -> int:
    host, *guests = people
    table = await services.lobby.create(host, NewTable(title, len(people), seed=SEED), home)
    for guest in guests:
        await services.lobby.join(table.id, guest)
    return table.id


def _played(title: str) -> Game:
    """Play a game to its end, or so far."""
    game, rng = Game.new(Setup(title, SEATS, seed=SEED)), Rng(SEED)
    while game.actors and len(game.line) < MOST_MOVES:
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    return game


def _shown(name: str, seconds: Sequence[float]) -> str:
    """Return the middle, the slow and the slowest of some times in words."""
    if not seconds:
        return f"{name}: nothing"
    row = sorted(seconds)
    p95, p99 = row[int(len(row) * 0.95)], row[int(len(row) * 0.99)]
    middle = statistics.median(row)
    return f"{name}: {middle:.3f} s in the middle, 95 %: {p95:.3f} s, 99 %: {p99:.3f} s, at most {row[-1]:.3f} s"


async def _asked(bot: asyncio.subprocess.Process) -> Loop:
    """Return what the bot's process tells of itself since it was last asked."""
    assert bot.stdin is not None
    assert bot.stdout is not None
    bot.stdin.write(b"\n")
    await bot.stdin.drain()
    return msgspec.json.decode(await bot.stdout.readline(), type=Loop)
