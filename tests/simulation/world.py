"""The world around the bot: the tests' Discord, people at tables, the store as it was committed."""

import asyncio
import contextlib
import json
import random
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.discord.client import LoginRefusedError
from bot.model.errors import BotError
from bot.model.posts import build_turn_key
from bot.operations.settings import Settings
from bot.screens.controls import CONTROLS
from bot.screens.screen import read_custom_id
from bot.service import invariants
from bot.store import fates
from bot.store.database import Database
from engine import TITLES, Action, Game, Redo, Rng, Setup, Undo
from engine.codec import decode_entry
from engine.player import choose_action
from engine.words import list_parameters, write_parameters
from tests.chaos.expected_posts import number_of
from tests.discord.interactions import Interaction
from tests.discord.person import Person
from tests.discord.play import at_once
from tests.discord.stand_in import StandIn
from tests.discord.world import DM, Channel
from tests.simulation.invariants import Ring, Shown, Snapshot, find_faults
from tests.simulation.simulation import Simulation
from tests.support.looking import Look
from tests.support.settings import BareSettings
from tests.support.toy import toy

FOREVER = 1e12
WAIT_SECONDS = 40.0
WRONG_TOKEN = 401
START_SECONDS = 15.0
FORGED = ("1|-1", "-1|0", "1|", "|1", "1|+1", "1| 1", "1|zzzzzz", "1|1_0", "1|①", "0|0")
LATE_ANSWERS = ("acknowledged twice", "token invalidated")
"""What a lost or late answer of Discord leads to; people see that they must press again."""
Row = dict[str, Any]


class World:
    """Everything outside of the bot.

    Args:
        run: the simulation. folder: for the store and what lies beside it. fresh: an empty store to copy.
    """

    heartbeat_ms = 41_250

    def __init__(self, run: Simulation, folder: Path, fresh: Path) -> None:
        self.run = run
        self.path = folder / "store.sqlite"
        shutil.copy(fresh, self.path)
        self.chance = random.Random(f"{run.seed} people")  # noqa: S311 - not a secret
        none = "0,0"
        self.settings: Settings = BareSettings(
            database=str(self.path), folder=folder, limit_tables=none, limit_pictures=none, limit_searches=none
        )
        self.server: StandIn
        self.told: list[Interaction] = []
        self.presses = 0
        self.ended: list[str] = []
        self.outages: list[tuple[float, float]] = []
        self._reader: sqlite3.Connection | None = None
        self._games: dict[int, Game] = {}
        self.emit: Callable[[str, dict[str, Any]], None]
        self.cutting: asyncio.Task[None] | None = None
        self.lost: set[str] = set()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator["World"]:
        """Let Discord run, and the toy be played."""
        async with StandIn(life=FOREVER, heartbeat_ms=self.heartbeat_ms, patience=3.0) as self.server:
            self.server.choose_fault = lambda method, path: self.run.weather.pop((method, path), None)
            self.emit = self.server.gateway.emit
            self.server.gateway.emit = self.tell  # type: ignore[method-assign]
            with patch.dict(TITLES, toy=toy()):
                yield self

    def tell(self, event: str, data: dict[str, Any]) -> None:
        """Tell the bot an event, in the way in which it is to go wrong."""
        fault = self.run.points.meet("event", name_event(event, data))
        gateway, loop = self.server.gateway, self.run.loop
        if fault is None:
            return self.emit(event, data)
        if fault.late:
            loop.call_later(fault.late, self.emit, event, data)
            return None
        self.emit(event, data)
        if fault.name == "twice":
            loop.call_later(self.run.loop.delays.uniform(0, 0.1), self.emit, event, data)
        else:
            cut = gateway.drop if fault.name == "line cut" else gateway.invalidate
            self.cutting = loop.create_task(cut())
        return None

    async def start_bot(self, name: str = "bot") -> None:
        """Start a bot and wait until it hears and has declared its commands, or is dead again."""
        before, task = self.server.gateway.identified, self.run.start(name, self.settings)
        world = self.server.world

        def is_over() -> bool:
            hears = self.server.gateway.identified > before and bool(world.commands)
            return hears or task.done() or name not in self.run.bots

        with contextlib.suppress(TimeoutError):
            await world.until(is_over)

    def rows(self, query: str, *values: object) -> list[Row]:
        """Return what the store holds, as committed."""
        if self._reader is None:
            self._reader = sqlite3.connect(self.path, isolation_level=None)
            self._reader.row_factory = sqlite3.Row
        return [dict(row) for row in self._reader.execute(query, values)]

    def game(self, number: int) -> Game:
        """Return a game as its log in the store has it."""
        rows = self.rows("SELECT seat, payload FROM log WHERE game = ? ORDER BY seq", number)
        known = self._games.get(number)
        if known is None or len(known.log) > len(rows):
            row = self.rows("SELECT * FROM game WHERE id = ?", number)[0]
            setup = Setup(row["title"], row["places"], json.loads(row["options"]), row["seed"], row["rules"])
            known = Game.new(setup)
        for row in rows[len(known.log) :]:
            said = decode_entry(known.setup.title, row["seat"], row["payload"])
            if isinstance(said.action, Undo | Redo):
                log = [decode_entry(known.setup.title, each["seat"], each["payload"]) for each in rows]
                known = Game.replay(known.setup, log)
                break
            known = known.play(said.seat, said.action).game
        self._games[number] = known
        return known

    def person(self, name: str) -> Person:
        """Return a person of the server."""
        return self.server.person(name)

    async def press(self, pressing: Awaitable[Interaction]) -> Interaction | None:
        """Let a person do something and wait for the answer, ``None`` if none came or it is not there to be done."""
        self.presses += 1
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                done = await pressing
        except (TimeoutError, LookupError) as error:
            self.run.note(f"not done: {error!r}")
            await asyncio.sleep(1)
            return None
        self.run.note(f"{done.user.name} {done.words} -> {done.text[:60]!r}")
        return done

    async def open_table(self, title: str, people: Sequence[Person], seed: int, **wishes: str) -> int:
        """Open a table as wished, join and start it by presses; return its number."""
        host, *guests = people
        games, before = self.server.games, len(self.rows("SELECT id FROM game"))
        name = f"Table {before + 1}"
        while not (rows := self.rows("SELECT id FROM game WHERE name = ?", name)):
            wished: dict[str, Any] = {"title": title, "seats": len(people), "name": name, "seed": seed, **wishes}
            await self.press(host.slash(games, "game new", **wished))
        number: int = rows[0]["id"]
        while self.rows("SELECT state FROM game WHERE id = ?", number)[0]["state"] == "open":
            lobby = next((each for each in games.public if name in each.text and "Join" in each.labels), None)
            if lobby is None:
                await asyncio.sleep(1)
                continue
            seated = {row["user"] for row in self.rows("SELECT user FROM seat WHERE game = ?", number)}
            missing = [guest for guest in guests if str(guest.id) not in seated]
            for guest in missing:
                await self.press(guest.click(lobby, "Join"))
            if not missing:
                await self.press(host.slash(games, "game start", game=number, order="as joined"))
        return number

    def thread_of(self, number: int) -> Channel | None:
        """Return the thread of a table."""
        place = self.rows("SELECT thread, channel FROM game WHERE id = ?", number)[0]
        return self.server.world.channels.get(int(place["thread"] or 0))

    async def play(self, number: int, people: Sequence[Person], moves: int, pause: tuple[float, float]) -> None:
        """Play a table until its end, or so many moves: people press or type what the seeded player would do.

        They act only when a message with buttons names them; how else would they know that it is their turn?
        """
        begun = len(self.game(number).log)
        while (game := self.game(number)).actors and len(game.log) < begun + moves:
            await asyncio.sleep(self.chance.uniform(*pause))
            game, thread = self.game(number), self.thread_of(number)
            if thread is None or not game.actors:
                continue
            person, seat = people[game.actors[0]], game.actors[0]
            turn = next((each for each in thread.public if "Act" in each.labels and person.mention in each.text), None)
            if turn is None:
                continue
            action = choose_action(game, seat, Rng(self.run.seed + len(game.log)))
            label = at_once(turn, [game.title.words.label(game.state, action, "")[:80]])
            if label is not None:
                done = await self.press(person.click(turn, label))
            else:
                done = await self.press(person.slash(thread, f"act {action.verb}", **write_options(action)))
            if done is not None and done.text.startswith("✓"):
                self.told.append(done)

    def delete(self, thread: Channel) -> None:
        """Delete a thread; what stood there is no longer missed, though another may get the same number."""
        self.lost.update(str(message.id) for message in thread.messages)
        self.server.delete(thread)

    async def forge(self, number: int) -> None:
        """Let a stranger send what no button holds: each verb with numbers that are none."""
        stranger, thread = self.person("mallory"), self.thread_of(number)
        assert thread is not None
        message = next(each for each in thread.public if each.controls)
        for verb in sorted(CONTROLS):
            for numbers in FORGED:
                await self.press(stranger.press(message, f"v1|{numbers}|{verb}|x", wait="no"))
        await asyncio.sleep(WAIT_SECONDS)

    async def keep_alive(self, name: str = "bot") -> None:
        """Start a bot again whenever it is dead, until cancelled; one that ends by itself is remembered."""
        while True:
            if name in self.run.bots:
                await self.run.wait_for_end(name)
                await asyncio.sleep(1)
            known = self.run.bots.get(name)
            error = None if known is None or known[1].cancelled() else known[1].exception()
            fault = self.run.points.fault
            known_why: tuple[type[Exception], ...] = (BotError,)  # that is a sentence for the host
            if fault is not None and fault.status == WRONG_TOKEN:
                known_why = (BotError, LoginRefusedError)
            if error is not None and not isinstance(error, known_why):
                self.ended.append(f"{name} ended by itself: {error!r}")
            since = self.run.loop.epoch()
            self.run.bots.pop(name, None)
            await self.start_bot(name)
            self.outages.append((since - 2, self.run.loop.epoch() + START_SECONDS))

    def snapshot(self) -> Snapshot:
        """Return this moment as the invariants look at it."""
        world = self.server.world
        bots = [m for m in world.messages.values() if m.author is world.me and world.is_visible(m)]
        shown = [Shown(m.id, m.channel.id, number_of(m), m.text) for m in bots if not m.ephemeral]
        games = self.rows("SELECT * FROM game")
        running = {f"the seed of table {row['id']}": str(row["seed"]) for row in games if row["state"] == "running"}
        outages = [
            (since + self.run.loop.start, until + self.run.loop.start) for since, until in self.run.points.spells
        ]
        outbox = self.rows("SELECT * FROM outbox ORDER BY id")
        standing = [row for row in outbox if row["message"] not in self.lost]
        rung = [(ping.user, ping.message) for ping in world.pings]
        rung += [(m.channel.people[0], m) for m in bots if m.channel.kind == DM]
        return Snapshot(
            self.run.loop.epoch(), games, self.rows("SELECT * FROM log ORDER BY game, seq"), standing, shown,
            [Ring(str(user.id), number_of(message)) for user, message in rung if number_of(message)],
            [str(item.id) for item in self.told], [*self.outages, *outages], running, "\n".join(m.text for m in bots),
            self.rows(_CALLED), self.rows(_PAIRED), self.rows(_FOLLOWS),
        )  # fmt: skip

    async def judge(self) -> list[str]:
        """Return everything that is wrong."""
        aimed = self.run.points.aim
        allowed = LATE_ANSWERS if aimed is not None and aimed.kind in ("request", "event") else ()
        broken = [each for each in self.server.violations if not each.endswith(allowed)]
        return [*self.ended, *find_faults(self.snapshot()), *await self.judge_tables(), *broken]

    async def judge_tables(self) -> list[str]:
        """Return what the bot's own invariants say of the tables in channels, by the store and by what people see.

        Whether a post is late is left out: they don't know of outages, as ``check_promises`` does.
        """
        self.run.points.is_over = True
        now, database = int(self.run.loop.epoch()), await Database.open_existing(self.path)
        look = Look(self.server.world)
        try:
            async with database.reading() as session:
                tables = await fates.read_fates(session, now, 0, fates.MAX_NUMBER, all_turns=True)
        finally:
            await database.close()
        found = [
            fault
            for table in tables
            for fault in (
                *invariants.find_faults(table, now),
                *invariants.compare_shown(table, look.at(table)),
            )
        ]
        silent = [
            f"turn: {build_turn_key(each.game, each.turn_from)} isn't posted" for each in tables if each.is_silent
        ]
        return silent + [f"{each.kind}: {each.key} {each.words}" for each in found if each.repair != "none"]


_CALLED = """SELECT obligation.* FROM obligation LEFT JOIN calls ON calls.user = obligation.user
    WHERE coalesce(calls.place, '') <> 'none'"""
_PAIRED = """SELECT game.season, game.id, seat.user FROM seat JOIN game ON seat.game = game.id
    WHERE game.season > 0 AND seat.gone IS NULL AND game.state IN ('open', 'running')"""
_FOLLOWS = """SELECT follow.* FROM follow JOIN game ON follow.game = game.id WHERE game.state = 'finished'
    AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.game = game.id AND seat.user = follow.user)"""


def name_event(event: str, data: dict[str, Any]) -> str:
    """Return an event in one word; interactions by what is pressed or typed."""
    if event != "INTERACTION_CREATE":
        return event
    asked = data["data"]
    control = read_custom_id(asked.get("custom_id", ""))
    names = [asked.get("name", ""), *(each["name"] for each in asked.get("options", ()) if "options" in each)]
    return ":".join([event, control.verb if control else "-".join(names).replace(" ", "-")])


def write_options(action: Action) -> dict[str, Any]:
    """Return the parameters of a command as Discord sends them."""
    whole = {each.name for each in list_parameters(type(action)) if each.whole}
    return {name: int(word) if name in whole else word for name, word in write_parameters(action).items()}
