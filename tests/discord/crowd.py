"""The figure of a crowd: ``python -m tests.discord.crowd`` with a loopback Discord and the bot as it is served.

Tables of all titles stand in the middle of their games. For some minutes
people press buttons, so many a second: they play what the turn message offers,
open their desk, look at pictures. Then many tables are started in the same
second. The bot is a process of its own with workers of its own; this process
is Discord and the people. Times are those a person would see; the bot's own
process tells how late its event loop was and what time of the processors it
took. Nothing of it is a test: figures belong to a machine.
"""

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from bot.service.mending import mend
from bot.service.records import Home, NewTable
from bot.service.records import Person as Host
from bot.service.services import Services
from engine import TITLES, Game, Rng, Setup
from engine.codec import encode_file
from tests.discord.person import Person
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel, Message

ROOT = Path(__file__).parents[2]
SEATS = 3
MOST_MOVES = 400
PLAYERS = 12


class Loop(msgspec.Struct, frozen=True):
    """What the bot's process tells at its end: seconds late, seconds of processor time of itself and of its workers."""

    late: float
    late_p99: float
    own: float
    workers: float


@dataclass
class Seen:
    """What was seen of the presses: seconds, by kind."""

    acknowledged: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    lost: int = 0
    refused: int = 0
    presses: int = 0
    moves: int = 0
    words: list[float] = field(default_factory=list)
    pictures: list[float] = field(default_factory=list)
    silent: int = 0


def games() -> dict[str, Game]:
    """Play a game of each title to its end, or so far."""
    found = {}
    for title in TITLES:
        game, rng = Game.new(Setup(title, SEATS, seed=11)), Rng(11)
        while game.actors and len(game.line) < MOST_MOVES:
            game = game.play(game.actors[0], game.title.choose(game.state, game.actors[0], rng)).game
        found[title] = game
    return found


async def laid_out(path: Path, server: StandIn, people: list[Person], tables: int) -> None:
    """Open tables in the middle of games, a thread of its own each."""
    services, played = await Services.open(path), games()
    chance = random.Random(5)  # noqa: S311
    for number in range(tables):
        game = played[list(played)[number % len(played)]]
        sat = chance.sample(people, SEATS)
        hosts = [Host(str(each.id), each.user.name.title()) for each in sat]
        wish = NewTable(game.setup.title, SEATS, f"Table {number}", seed=game.setup.seed)
        table = await services.lobby.create(hosts[0], wish, Home(str(server.guild.id), str(server.games.id)))
        for guest in hosts[1:]:
            await services.lobby.join(table.id, guest)
        await services.lobby.start(table.id, hosts[0].id, "as joined")
        thread = server.world.thread(server.games, f"Table {number}", server.world.me)
        await services.lobby.settle(table.id, Home(thread=str(thread.id)))
        said = game.said()[: chance.randrange(len(game.line) // 4, len(game.line) * 9 // 10)]
        await mend(services.database, table.id, encode_file(game.setup, said), services.clock())
    await services.close()


def turn_of(thread: Channel) -> Message | None:
    """Return the turn message that waits in a thread."""
    found = [m for m in thread.public if "Act" in m.labels and not m.text.startswith("##")]
    return found[-1] if found else None


class Crowd:
    """People who press, at the tables whose turn they have."""

    def __init__(self, server: StandIn, people: list[Person], seed: int) -> None:
        self.server, self.seen, self.chance = server, Seen(), random.Random(seed)  # noqa: S311
        self.people = {str(person.id): person for person in people}
        self._busy: set[int] = set()
        self._watching: set[asyncio.Task[None]] = set()

    async def press(self) -> None:
        """Press one thing: a move in two cases of five, else the desk or a picture."""
        thread = self.chance.choice([each for each in self.server.threads if each.id not in self._busy])
        turn = turn_of(thread)
        if turn is None:
            return
        named = [user for user in self.people if f"<@{user}>" in turn.text]
        person = self.people[named[0]] if named else next(iter(self.people.values()))
        ids = {part["custom_id"].split("|")[3]: part["custom_id"] for part in turn.controls}
        ways = [ids[verb] for verb in ("tip", "do") if verb in ids]
        plays = bool(ways) and self.chance.random() < 0.5
        pressed = ways[0] if plays else ids.get(self.chance.choice(["act", "view"]), ids["act"])
        self._busy.add(thread.id)
        try:
            await self._pressed(person, turn, pressed, plays=plays)
        finally:
            self._busy.discard(thread.id)

    async def _pressed(self, person: Person, turn: Message, pressed: str, *, plays: bool) -> None:
        began, edits = time.monotonic(), turn.edits
        self.seen.presses += 1
        try:
            answer = await person.press(turn, pressed, "ack")
            self.seen.acknowledged.append(answer.ack_seconds)
        except TimeoutError:
            self.seen.lost += 1
            return
        try:
            await self.server.world.until(lambda: answer.done, 60, "an answer")
            self.seen.answered.append(time.monotonic() - began)
        except TimeoutError:
            self.seen.silent += 1
            return
        if plays and "✓" in answer.text:
            self.seen.moves += 1
            watch = asyncio.create_task(self._told(turn, edits, began))
            self._watching.add(watch)
            watch.add_done_callback(self._watching.discard)
        elif plays:
            self.seen.refused += 1

    async def _told(self, turn: Message, edits: int, began: float) -> None:
        """Note when the channel tells of a move: by a new turn message, or by an edit within the turn."""
        thread = turn.channel

        def fresh() -> Message | None:
            now = turn_of(thread)
            if now is turn:
                return turn if turn.edits > edits else None
            if now is None or now.id < turn.id:  # its result stands there, what comes next not yet
                return thread.last if thread.last.text.startswith("## ") and thread.last.id > turn.id else None
            return now

        try:
            told = await self.server.world.until(fresh, 60, "words")
            self.seen.words.append(time.monotonic() - began)
            await self.server.world.until(lambda: told.files or "Act" not in told.labels, 60, "pictures")
            self.seen.pictures.append(time.monotonic() - began)
        except TimeoutError:
            self.seen.silent += 1

    async def all_told(self) -> None:
        """Wait for what is still watched."""
        await asyncio.gather(*self._watching)


async def start_at_once(server: StandIn, people: list[Person], tables: int, seen: Seen) -> float:
    """Open tables, then start all in the same second; return after how many seconds the last has its turn message."""
    host, guest = people[:2]
    titles = [title for title in TITLES if TITLES[title].seats[0] <= 2] or list(TITLES)
    lobbies = []
    for number in range(tables):
        title = titles[number % len(titles)]
        before = len(server.games.public)
        await host.slash(server.games, "game new", title=title, seats=2, name=f"Start {number}")
        await server.world.until(lambda before=before: len(server.games.public) > before, 60, "a lobby")
        lobbies.append(server.games.last)
        await guest.click(server.games.last, "Join")
    before = {thread.id for thread in server.threads}
    began = time.monotonic()

    async def start(lobby: Message) -> None:
        seen.presses += 1
        try:
            answer = await host.click(lobby, "Start", "ack")
            seen.acknowledged.append(answer.ack_seconds)
        except TimeoutError:
            seen.lost += 1

    await asyncio.gather(*(start(lobby) for lobby in lobbies))

    def begun() -> bool:
        fresh = [thread for thread in server.threads if thread.id not in before]
        return sum(turn_of(thread) is not None for thread in fresh) >= tables

    await server.world.until(begun, 300, "all turn messages")
    return time.monotonic() - began


def shown(name: str, seconds: list[float]) -> str:
    """Return the middle, slow and slowest of some seconds in words."""
    if not seconds:
        return f"{name}: none"
    row = sorted(seconds)
    p95, p99 = row[int(len(row) * 0.95)], row[int(len(row) * 0.99)]
    middle = statistics.median(row)
    return f"{name}: p50 {middle:.3f} s, p95 {p95:.3f} s, p99 {p99:.3f} s, most {row[-1]:.3f} s ({len(row)})"


async def measure(tables: int, seconds: float, rate: float, starts: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        async with StandIn(life=3600, heartbeat_ms=30000) as server:
            people = [server.person(f"p{number}") for number in range(PLAYERS)]
            path = Path(folder) / "crowd.sqlite"
            await laid_out(path, server, people, tables)
            command = (sys.executable, "-m", "tests.discord.crowd_bot", server.url, str(path))
            bot = await asyncio.create_subprocess_exec(
                *command, cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )
            try:
                await _measured(server, people, (tables, seconds, rate, starts), bot)
            finally:
                if bot.returncode is None:
                    bot.kill()
                await bot.wait()


async def _measured(
    server: StandIn, people: list[Person], wanted: tuple[int, float, float, int], bot: asyncio.subprocess.Process
) -> None:
    tables, seconds, rate, starts = wanted
    began = time.monotonic()
    await server.world.until(lambda: sum(turn_of(each) is not None for each in server.threads) >= tables, 900)
    print(f"{tables} tables posted {time.monotonic() - began:.0f} s after the start of the bot", flush=True)  # noqa: T201
    await server.settled(2.0, 300)
    await _asked(bot)
    crowd = Crowd(server, people, 3)
    under_way = set()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        under_way.add(asyncio.create_task(crowd.press()))
        await asyncio.sleep(crowd.chance.expovariate(rate))
    await asyncio.gather(*under_way)
    await crowd.all_told()
    seen, loop = crowd.seen, await _asked(bot)
    print(f"{seen.presses} presses, {seen.moves} moves, {seen.refused} late, {seen.lost} lost, {seen.silent} silent")  # noqa: T201
    for line in (
        shown("acknowledged", seen.acknowledged), shown("answered", seen.answered),
        shown("words", seen.words), shown("pictures", seen.pictures),
        f"event loop late by {loop.late * 1000:.0f} ms at most, p99 {loop.late_p99 * 1000:.0f} ms",
        f"processor time: bot {loop.own:.1f} s, workers {loop.workers:.1f} s",
    ):  # fmt: skip
        print(line, flush=True)  # noqa: T201
    if starts:
        seen = Seen()
        took = await start_at_once(server, people, starts, seen)
        print(f"{starts} tables started at once: {seen.lost} lost, all turn messages after {took:.1f} s")  # noqa: T201
        print(shown("acknowledged", seen.acknowledged), f"loop {await _asked(bot)}")  # noqa: T201
    print("broken limits:", server.violations[:5])  # noqa: T201


async def _asked(bot: asyncio.subprocess.Process) -> Loop:
    """Return what the bot's process tells of itself since it was last asked."""
    assert bot.stdin is not None
    assert bot.stdout is not None
    bot.stdin.write(b"\n")
    await bot.stdin.drain()
    return msgspec.json.decode(await bot.stdout.readline(), type=Loop)


def main() -> None:
    """Read the wishes and measure."""
    parser = argparse.ArgumentParser(description="Measure a crowd at a loopback Discord.")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--rate", type=float, default=5.0, help="presses a second")
    parser.add_argument("--starts", type=int, default=50, help="tables started at once in the end")
    wished = parser.parse_args()
    asyncio.run(measure(wished.tables, wished.seconds, wished.rate, wished.starts))


if __name__ == "__main__":
    main()
