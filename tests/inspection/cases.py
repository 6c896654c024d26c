"""Damage tables at random moments of their games, and judge what people see five minutes later."""

import contextlib
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from sqlalchemy import text

from bot.model.errors import BotError
from bot.model.records import Position
from bot.screens.screen import Control, read_custom_id
from bot.service.game_clock import ClockWish
from bot.service.invariants import compare_shown, find_faults
from bot.store import fates
from engine import TITLES, Rng
from tests.chaos.expected_posts import number_of
from tests.discord.conftest import Desk
from tests.discord.play import open_table, replay_position
from tests.discord.stand_in import StandIn, calm
from tests.discord.world import Channel, Message
from tests.inspection.damage import DAMAGES, Row
from tests.support.looking import Look

CASES_PER_TABLE = 20
ROUND_SECONDS, STEP_SECONDS = 240, 20
MAX_SECONDS = 300


class World:
    """A table with its people, and the bot that serves it."""

    def __init__(self, desk: Desk, seed: int) -> None:
        self.desk = desk
        self.server: StandIn = desk.server
        self.chance = random.Random(f"inspection {seed}")  # noqa: S311 - not a secret
        self.game = 0
        self.turn_from = 0
        self.thread: Channel
        self.keys: dict[int, str] = {}
        self.bare: dict[Message, list[Any]] = {}
        self.damaged: Row = {}
        self.keeps_lease = False
        self.calm_after = 0

    async def rows(self, query: str, **values: object) -> list[Row]:
        """Return rows of the store; ``:game`` is the table's number."""
        async with self.desk.services.database.reading() as session:
            found = await (await session.connection()).execute(text(query), {"game": self.game, **values})
            return [dict(row) for row in found.mappings()]

    async def row(self) -> Row:
        """Return the row of the table."""
        return (await self.rows("SELECT * FROM game WHERE id = :game"))[0]

    async def change(self, words: str, **values: object) -> None:
        """Change the store by hand; ``:game`` is the table's number."""
        async with self.desk.services.database.writing(wakes=False) as session:
            await (await session.connection()).execute(text(words), {"game": self.game, **values})

    async def hold(self, holder: str, seconds: int) -> None:
        """Let a process hold the posts of the table for so many seconds; none if it has no name."""
        until = self.desk.clock() + seconds if holder else 0
        words = "UPDATE lease SET holder = :holder, until = :until WHERE name = :name"
        await self.change(words, holder=holder, until=until, name=f"posts:{self.game}")

    async def open(self) -> None:
        """Open a table and play it to a random place."""
        people = [self.server.person(name) for name in ("alice", "bob", "carol")]
        title = self.chance.choice([each for each in TITLES if each != "tiny18"])
        pace = self.chance.choice(("live", "relaxed"))
        before = self.game
        await open_table(
            self.desk,
            *people,
            title=title,
            seed=self.chance.randrange(1000),
            pace=pace,
            clock=self.chance.random() < 0.3,
            name=f"Table {before + 1}",
        )
        self.game, self.bare = before + 1, {}
        await self.play(self.chance.randrange(25))
        await self.desk.settle()

    async def play(self, moves: int) -> None:
        """Play so many moves, as the seeded player would."""
        services = self.desk.services
        for _ in range(moves):
            here = await services.table.load_position(self.game)
            if not here.game.actors:
                return
            game, seat = replay_position(here), here.game.actors[0]
            action = game.title.advice.choose(game.state, seat, Rng(self.chance.randrange(1 << 30)))
            user = here.table.seats[seat].user
            self.remember()
            with contextlib.suppress(BotError):
                await services.table.submit(self.game, user, action)

    def remember(self) -> None:
        """Remember the messages of turns with their buttons."""
        for message in self.find("turn"):
            self.bare.setdefault(message, message.components)

    def messages(self) -> Iterator[tuple[Message, list[Control]]]:
        """Yield the messages of the bot that can be seen, each with what its buttons do at this table."""
        world = self.server.world
        for message in world.messages.values():
            if message.author is world.me and world.is_visible(message) and not message.ephemeral:
                found = [read_custom_id(str(part.get("custom_id", ""))) for part in message.controls]
                yield message, [each for each in found if each is not None and each.game == self.game]

    def find(self, kind: str) -> list[Message]:
        """Return the messages of a kind: "turn", "card", "ballot"."""
        found = []
        for message, controls in self.messages():
            verbs = {each.verb for each in controls}
            is_a = {
                "turn": "act" in verbs and not verbs & {"log", "snooze"},
                "card": "log" in verbs,
                "ballot": "vote" in verbs,
            }
            if is_a[kind]:
                found.append(message)
        return found

    async def settle(self, seconds: int) -> None:
        """Let so many seconds pass by the clock."""
        for _ in range(0, seconds, STEP_SECONDS):
            self.desk.forward(STEP_SECONDS)
            self.calm_after -= STEP_SECONDS
            if self.calm_after <= 0:
                self.server.choose_fault = calm
            with contextlib.suppress(TimeoutError):
                await self.desk.settle(2.0 if self.keeps_lease or self.calm_after > 0 else 20.0)

    async def run_case(self, name: str) -> str:
        """Damage something at a random moment, and let five minutes pass; return what was damaged."""
        self.keeps_lease = False
        table = await self.row()
        self.turn_from, self.thread = table["turn_from"], self.server.world.channels[int(table["thread"])]
        before_sending = "owed" in name or name in BEFORE_SENDING or self.chance.random() < 0.3
        if before_sending:  # nothing is sent while players move
            await self.hold("test", 800)
            await self.play(self.chance.choice((1, 1, 2, 4)))
            if self.chance.random() < 0.15:
                await self.ask()
        self.turn_from = (await self.row())["turn_from"]
        self.note_keys(await self.rows("SELECT id, key FROM outbox"))
        what = await DAMAGES[name](self)
        if before_sending and not self.keeps_lease:
            await self.hold("", 0)
        self.desk.services.database.wake.set()
        await self.settle(ROUND_SECONDS)
        await self.desk.client.recovery.inspection.run_round()
        self.keeps_lease, self.calm_after = False, 0
        await self.settle(MAX_SECONDS - ROUND_SECONDS)
        self.note_keys(await self.rows("SELECT id, key FROM outbox"))
        return what

    def note_keys(self, rows: list[Row]) -> None:
        """Remember which post has which number: a row may be deleted."""
        self.keys |= {row["id"]: row["key"] for row in rows}

    async def ask(self) -> None:
        """Let Alice ask for another clock."""
        with contextlib.suppress(BotError):
            await self.desk.services.agreements.propose_clock(
                self.game, str(self.server.person("alice").id), ClockWish("by pace")
            )

    async def judge(self) -> list[str]:
        """Return what is wrong, by what people see."""
        table, here = await self.row(), await self.desk.services.table.load_position(self.game)
        cards = self.find("card")
        wrong = [f"{len(cards)} table messages"] * (len(cards) != 1)
        wrong += await self.judge_invariants()
        if table["state"] != "running":
            ends = [m for m, _ in self.messages() if m.text.startswith(f"## {table['name']} is over")]
            counts = (len(ends), len(self.find("turn")))
            return wrong + [f"{counts} ends and turns of a game that is over"] * (counts != (1, 0))
        last = await self.rows("SELECT user, at FROM log WHERE game = :game AND seq = :seq", seq=table["turn_from"] - 1)
        called = {seat.caller for seat in here.actors} - {row["user"] for row in last}  # who passed it to themselves
        begun = max([row["at"] for row in last], default=0)
        wrong += [*self.judge_turn(here), *self.judge_doubles()]
        return [*wrong, *self.judge_rings(here.table.turn_from, begun, called)]

    async def judge_invariants(self) -> list[str]:
        """Return what the bot's own invariants find in the store and in what people see."""
        database, now, look = self.desk.services.database, self.desk.clock(), Look(self.server.world)
        async with database.reading() as session:
            tables = await fates.read_fates(session, now, self.game, self.game, all_turns=True)
        return [
            f"{fault.key} {fault.words}"
            for table in tables
            for fault in (*find_faults(table, now), *compare_shown(table, look.at(table)))
        ]

    def judge_turn(self, here: Position) -> Iterator[str]:
        """Yield what is wrong with the live messages of turns."""
        turns = self.find("turn")
        if len(turns) != 1:
            yield f"{len(turns)} live messages of turns"
            return
        acts = [each for of, controls in self.messages() if of is turns[0] for each in controls if each.verb == "act"]
        if {each.version for each in acts} != {here.version}:
            yield f"the turn message has buttons of {acts}, not of {here.version}"
        if any(f"<@{seat.caller}>" not in turns[0].text for seat in here.actors):
            yield "the turn message names others"
        if not turns[0].files:
            yield "the turn message has no picture"

    def judge_doubles(self) -> Iterator[str]:
        """Yield posts with more than one message."""
        standing = Counter(number_of(message) for message, _ in self.messages())
        for number, count in standing.items():
            if count > 1 and self.keys.get(number, "").startswith(f"{self.game}:"):
                yield f"post {self.keys[number]} has {count} messages"

    def judge_rings(self, turn_from: int, begun: int, called: set[str]) -> Iterator[str]:
        """Yield users pinged twice for one turn, or never since this one began; the notice of a move counts too."""
        calls, moved = Counter[tuple[str, str]](), set[str]()
        for ping in self.server.world.pings:
            game, _, rest = self.keys.get(number_of(ping.message), "").partition(":")
            kind, _, when = rest.partition(":")
            when, _, own = when.partition(":ping:")
            if game == str(self.game) and kind == "turn" and (not own or own.endswith(":0")):  # no reminder
                calls[str(ping.user.id), when] += 1
            if game == str(self.game) and kind == "moved" and int(when) >= begun:
                moved.add(str(ping.user.id))
        yield from (
            f"{user} was pinged {count} times for turn {turn}" for (user, turn), count in calls.items() if count > 1
        )
        if called - moved and not any(calls[user, str(turn_from)] for user in called):
            yield f"none of {called} was pinged for turn {turn_from}"


BEFORE_SENDING = (
    "hold back",
    "garble a state",
    "put off for weeks",
    "hand out without a lease",
    "give up",
    "refuse 400",
    "refuse 403",
    "refuse 404",
    "hold the lease",
)


async def run_cases(desk: Desk, seed: int, count: int) -> tuple[Counter[str], list[str]]:
    """Run random cases; return how often each thing was damaged, and a description of every failure."""
    world, names = World(desk, seed), list(DAMAGES)
    damaged, failed = Counter[str](), list[str]()
    async with desk.running():
        while damaged.total() < count:
            await world.open()
            for _ in range(CASES_PER_TABLE):
                if damaged.total() == count or (await world.row())["state"] != "running":
                    break
                turn = names[(seed + damaged.total()) % len(names)]
                name = turn if world.chance.random() < 0.5 else world.chance.choice(names)
                if not (what := await world.run_case(name)):
                    continue
                damaged[f"{name}: {what}"] += 1
                where = f"case {damaged.total()}, table {world.game}, {name}: {what} ({world.damaged.get('key', '')})"
                if wrong := await world.judge():
                    failed += [f"{where}: {each}" for each in wrong]
                    break
            await world.change("UPDATE game SET state = 'closed' WHERE id = :game")
            await world.change("UPDATE outbox SET state = 'dropped' WHERE game = :game AND state != 'sent'")
    return damaged, failed
