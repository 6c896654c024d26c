"""A year at many tables: people sleep, leave, come back and change devices, while clocks around them change.

Each move is one of the table's own ``legal`` list, so a game may go anywhere; one that ends is replaced by a new one.
A day ends with a look at what was promised to whom (``promises.py``). A span is its seed, as a run is.
"""

import asyncio
import gc
import random
from bisect import bisect
from collections import deque
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import structlog

from bot.model.clock import DAY, HOUR, MINUTE, Intervals
from engine import Action
from engine.words import write_parameters
from tests.discord.person import Person
from tests.discord.play import at_once
from tests.discord.world import EPOCH_MS, Channel, Message
from tests.simulation.mail_world import MailWorld
from tests.simulation.points import Fault, Point, Points
from tests.simulation.simulation import Simulation
from tests.simulation.world import Row, write_options

ZONES = (
    "Europe/Berlin", "America/New_York", "Europe/London", "America/Los_Angeles", "Asia/Tokyo", "Australia/Sydney",
    "America/Santiago", "Europe/Dublin", "America/Sao_Paulo", "Asia/Kathmandu",
)  # fmt: skip
QUIET = ((22, 7), (23, 8), (1, 2), (2, 3), (0, 6), (21, 9), (0, 0), (3, 2))
"""Some begin or end in hours that a change of clocks skips or repeats."""
TITLES = ("toy",) * 5 + ("steel_driver",) * 3 + ("1860", "1862")
SEATS = {"toy": (2, 3, 4), "steel_driver": (3,), "1860": (2, 3), "1862": (2,)}
PACES = ("relaxed", "relaxed", "daily")
PEOPLE_PER_TABLE = 0.3
LEGAL_MOVES_SEEN = 30
REST_SECONDS = 15 * MINUTE
"""At the beginning of each day (UTC), in which no one does anything, so that it can be looked at."""
DILIGENCE, LEAVING, STALE_PRESS, BY_MAIL = 0.6, 0.07, 0.1, 0.5
"""How likely a person moves when they look, leaves for days instead, presses an old button first, moves by mail."""
AWAY_DAYS = (2, 40)
RESTART_DAYS = 30
"""After which the bot is restarted, as after an update."""
collect = gc.collect
"""Runs do without; a year would fill the memory."""
COLLECT_DAYS = 3
KEPT_SECONDS, KEPT_PACKETS = 2 * DAY, 200
"""How long what no one looks at again is kept; packets of a line that may have to be sent again."""
ARCHIVE_SECONDS = 3 * DAY
"""After which Discord archives a thread in which no one writes, if its server wishes so."""
BACKUPS_KEPT = 1
POSTS_KEPT_DAYS, PAST_POSTS_MAX = 33, 4
"""Of a table, when they are older: those of its last turn."""
LINES_A_DAY_MAX = 50
"""Of the log, and one a table."""
FILE_BYTES_MAX, ENTRY_BYTES_MAX = 4_000_000, 4000
"""Of the database, whatever is in it, and for each entry of a log."""
INTERVALS = Intervals(outbox=DAY, inspection=10 * DAY, chores=HOUR, commands=DAY, heartbeat=HOUR)
"""Nothing may hang on the usual ones: what is due is sent when it is due."""


@dataclass(frozen=True)
class Span:
    """What is simulated: from which second, how many days, with how many tables.

    ``visit_seconds`` are between two looks of a person at their tables, on average; no one looks in quiet hours.
    """

    seed: int
    start: float
    days: int
    tables: int
    visit_seconds: float = 24 * HOUR


class Wishes(NamedTuple):
    """What a person wishes of their calls, as they said it to the bot."""

    zone: str = "UTC"
    quiet_from: int = 0
    quiet_to: int = 0
    place: str = "table"
    digest: int = -1
    most: int = 5


@dataclass
class Player:
    """A person and what they have told the bot.

    Args:
        wishes: each with the second since when. away: spans in which they are away, as the bot knows.
        mail: their address, "" for none. back: second before which they look at nothing.
    """

    person: Person
    mail: str = ""
    wishes: list[tuple[float, Wishes]] = field(default_factory=lambda: [(0.0, Wishes())])
    away: list[list[float]] = field(default_factory=list)
    back: float = 0.0
    old: deque[tuple[Message, str, tuple[int, int]]] = field(default_factory=lambda: deque(maxlen=20))
    mailed: dict[int, int] = field(default_factory=dict)

    @property
    def user(self) -> str:
        return str(self.person.id)

    def wish_at(self, moment: float) -> Wishes:
        """Return what they wished at a moment."""
        return self.wishes[bisect(self.wishes, moment, key=lambda each: each[0]) - 1][1]

    def wants_peace(self, moment: float) -> bool:
        """Return whether they want no call at a moment: by the hour that their own clock shows, or as they are away."""
        if any(begin <= moment < end for begin, end in self.away):
            return True
        wish = self.wish_at(moment)
        hour = datetime.fromtimestamp(moment, ZoneInfo(wish.zone)).hour
        return (hour - wish.quiet_from) % 24 < (wish.quiet_to - wish.quiet_from) % 24

    def find_peace_end(self, moment: float) -> float:
        """Return the first full minute from a moment on at which they can be called."""
        while self.wants_peace(moment):
            ends = [end for begin, end in self.away if begin <= moment < end]
            moment = ends[0] if ends else (moment // MINUTE + 1) * MINUTE
        return moment


class NoPoints(Points):
    """Points at which nothing goes wrong; not counted, as a year has too many."""

    def meet(self, kind: str, place: str = "") -> Fault | None:
        """Let it pass."""
        del kind, place
        return None


class Year(MailWorld):
    """The world of a span.

    Args:
        span: what is simulated. folder: for the store and what lies beside it. fresh: an empty store to copy.
    """

    heartbeat_ms = HOUR * 1000

    def __init__(self, span: Span, folder: Path, fresh: Path) -> None:
        run = Simulation(span.seed, NoPoints(Point("", "")), start=span.start)
        run.most, run.intervals = None, INTERVALS
        run.trace = deque(maxlen=2000)  # type: ignore[assignment]  # the last of it is enough
        super().__init__(run, folder, fresh)
        self.settings = self.settings.model_copy(update={"mail_poll": HOUR, "backups": f"720h,{BACKUPS_KEPT}"})
        self.span = span
        self.habits = random.Random(f"{span.seed} year")  # noqa: S311 - not a secret
        self.players: list[Player] = []
        self.moves = self.days = self.archived = self.lines = 0
        self.errors: list[str] = []
        self._read = 0

    # --- people ---------------------------------------------------------------------------

    async def settle(self) -> None:
        """Let all people come and say when and how they are to be called."""
        count = max(4, round(self.span.tables * PEOPLE_PER_TABLE))
        self.players = [Player(self.person(f"p{number}")) for number in range(count)]
        for number, me in enumerate(self.players):
            zone, (quiet_from, quiet_to) = ZONES[number % len(ZONES)], QUIET[number % len(QUIET)]
            place, digest = ("dm", "both", "table", "table", "none")[number % 5], (-1, -1, 2, 8)[number % 4]
            await self.wish(me, Wishes(zone, quiet_from, quiet_to, place, digest, self.habits.choice((5, 5, 2))))
            if number % 7 == 1:
                await self.link(me, f"p{number}@home.example")

    async def wish(self, me: Player, wish: Wishes) -> None:
        """Let a person tell the bot what they wish."""
        done = await self.press(me.person.slash(self.server.games, "me remind", **wish._asdict()))
        if done is not None and "minders are on" in done.text:
            me.wishes.append((self.run.loop.epoch(), wish))

    async def link(self, me: Player, address: str) -> None:
        """Let a person link an address, with the code that comes there."""
        await self.press(me.person.slash(self.server.games, "me mail", address=address))
        await self.server.world.until(lambda: self.letters_to(address))
        letter = str(self.letters_to(address)[-1].get_body(("plain",)))
        code = letter.partition("Your code is ")[2][:6]
        done = await self.press(me.person.slash(self.server.games, "me mail", code=code))
        me.mail = address if done is not None and "is linked" in done.text else ""

    async def spend_time(self, me: Player) -> None:
        """Let a person look at their tables now and then, leave for days and come back, until cancelled."""
        while True:
            await asyncio.sleep(self.habits.expovariate(1 / self.span.visit_seconds))
            if self.run.loop.epoch() % DAY < REST_SECONDS:
                await asyncio.sleep(REST_SECONDS)
            now = self.run.loop.epoch()
            if now < me.back or (me.wants_peace(now) and not any(begin <= now < end for begin, end in me.away)):
                continue
            if me.away and now < me.away[-1][1]:
                me.away[-1][1] = now
                await self.press(me.person.slash(self.server.games, "me away", days=0))
            elif self.habits.random() < LEAVING:
                await self.leave(me)
                continue
            for row in self.rows(_SEATS, me.user):
                await self.sit_down(me, row)

    async def leave(self, me: Player) -> None:
        """Let a person leave for days: half of them say so, and some of these come back earlier; some travel."""
        days = self.habits.randint(*AWAY_DAYS)
        if self.habits.random() < 0.2:
            await self.wish(me, me.wishes[-1][1]._replace(zone=self.habits.choice(ZONES)))
        me.back = self.run.loop.epoch() + days * DAY
        if self.habits.random() < 0.5:
            now = self.run.loop.epoch() // 1
            done = await self.press(me.person.slash(self.server.games, "me away", days=days))
            if done is not None and "away until" in done.text:
                me.away.append([now, now + days * DAY])
                me.back -= days * DAY * self.habits.choice((0.0, 0.0, 0.6))

    async def sit_down(self, me: Player, row: Row) -> None:
        """Let a person do at a table what waits for them there."""
        thread = self.thread_of(row["id"])
        if thread is None:
            return
        if row["stand_in"]:
            await self.press(me.person.slash(thread, "game stand_in", seat=row["name"], on=False))
        ballot = next((each for each in newest(thread, "Agree") if me.person.mention in each.text), None)
        if ballot is not None:
            await self.press(me.person.click(ballot, self.habits.choice(("Agree", "Agree", "No"))))
        stale = [each[:2] for each in me.old if each[2][0] == row["id"] and each[2][1] != row["turn_from"]]
        if stale and self.habits.random() < STALE_PRESS:
            await self.press(me.person.press(*self.habits.choice(stale), wait="no"))
        game = self.game(row["id"])
        turn = next((each for each in newest(thread, "Act") if me.person.mention in each.text), None)
        if row["number"] not in game.actors or turn is None or self.habits.random() > DILIGENCE:
            return
        action = self.habits.choice([*islice(game.title.legal(game.state, row["number"]), LEGAL_MOVES_SEEN)])
        me.old.extend((turn, each["custom_id"], (row["id"], row["turn_from"])) for each in turn.controls[:8])
        if not (me.mail and self.habits.random() < BY_MAIL and self.move_by_mail(me, row["id"], action)):
            await self.move(me, thread, turn, action, game.title.words.label(game.state, action, ""))

    async def move(self, me: Player, thread: Channel, turn: Message, action: Action, words: str) -> None:
        """Let a person move by a button, or by a command where none has the move."""
        label = at_once(turn, [words[:80]])
        if label is not None:
            done = await self.press(me.person.click(turn, label))
        else:
            done = await self.press(me.person.slash(thread, f"act {action.verb}", **write_options(action)))
        if done is not None and done.text.startswith("✓"):
            self.told.append(done)
            self.moves += 1

    def move_by_mail(self, me: Player, number: int, action: Action) -> bool:
        """Let a person answer the last letter of a table, once in a position; return whether there was one."""
        letters = [each for each in self.letters_to(me.mail)[-50:] if f"#{number} " in str(each["Subject"])]
        entries = len(self.game(number).log)
        if not letters or me.mailed.get(number) == entries:
            return False
        me.mailed[number] = entries
        self.write(me.mail, letters[-1], " ".join([action.verb, *write_parameters(action).values()]))
        self.moves += 1
        return True

    async def open_tables(self) -> None:
        """Open tables until there are as many as there should be."""
        while self.rows("SELECT count(*) AS n FROM game WHERE state = 'running'")[0]["n"] < self.span.tables:
            title = self.habits.choice(TITLES)
            people = self.habits.sample([each.person for each in self.players], self.habits.choice(SEATS[title]))
            await self.open_table(title, people, self.habits.getrandbits(40), pace=self.habits.choice(PACES))

    # --- the days -------------------------------------------------------------------------

    async def pass_day(self, day: int) -> None:
        """Let time go by until the beginning of the next day, when all people rest."""
        if day % RESTART_DAYS == RESTART_DAYS - 1:
            await self.run.end("bot")
            await self.start_bot()
        await asyncio.sleep(DAY - self.run.loop.epoch() % DAY + REST_SECONDS / 2)
        self.days += 1

    def forget_the_past(self) -> None:
        """Let go of what can't matter any more: answers to old presses, packets of old lines, garbage."""
        self.archive_threads()
        server, past = self.server, self.run.loop.epoch() - KEPT_SECONDS
        server.requests.clear()
        for number, item in [*server.interactions.items()]:
            if item.born < past:
                del server.tokens[server.interactions.pop(number).token]
        for name, session in [*server.gateway.sessions.items()]:
            if session.socket is None:
                del server.gateway.sessions[name]
            else:
                session.sent[:-KEPT_PACKETS] = [{}] * len(session.sent[:-KEPT_PACKETS])
        for message in [*server.world.messages.values()][self._read :]:
            if (message.id >> 22) + EPOCH_MS > past * 1000:
                break
            self._read += 1
            if message.ephemeral or message.deleted:
                message.content, message.embeds, message.components, message.files = "", [], [], []
                if message in message.channel.messages:
                    message.channel.messages.remove(message)
        running = {row["id"] for row in self.rows("SELECT id FROM game WHERE state = 'running'")}
        self._games = {number: game for number, game in self._games.items() if number in running}
        if self.days % COLLECT_DAYS == 0:
            collect()

    def archive_threads(self) -> None:
        """Archive the threads in which no one has written for days, as Discord does."""
        now = self.run.loop.epoch()
        for thread in self.server.threads:
            last = thread.messages[-1].id if thread.messages else thread.id
            if not thread.archived and now - ((last >> 22) + EPOCH_MS) / 1000 > ARCHIVE_SECONDS:
                thread.archived = True
                self.archived += 1
                self.server.emit("THREAD_UPDATE", thread.json(self.server.clock))

    def check_bounds(self) -> Iterator[str]:
        """Yield what has grown beyond its bound."""
        kept = sorted(each.name for each in (self.path.parent / "backups").glob("stationmaster-*"))
        if len(kept) > BACKUPS_KEPT:
            yield f"bounds: {len(kept)} backups are kept: {kept}"
        old = self.rows(_PAST_POSTS, self.run.loop.epoch() - POSTS_KEPT_DAYS * DAY)
        for game in [row["game"] for row in old if row["n"] > PAST_POSTS_MAX]:
            yield f"bounds: table {game} keeps posts of turns that are long over"
        if self.lines > (self.days + 1) * (LINES_A_DAY_MAX + self.span.tables):
            yield f"bounds: {self.lines} lines of the log in {self.days} days"
        entries, size = self.rows("SELECT count(*) AS n FROM log")[0]["n"], self.path.stat().st_size
        if size > FILE_BYTES_MAX + entries * ENTRY_BYTES_MAX:
            yield f"bounds: the file has {size:,} bytes for {entries:,} entries"

    def count_finished(self) -> int:
        """Return how many games have ended."""
        return int(self.rows("SELECT count(*) AS n FROM game WHERE state = 'finished'")[0]["n"])

    def note_errors(self) -> None:
        """Have what the bot logs as an error noted here, and its lines counted."""

        def keep(_: object, level: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
            self.lines += 1
            if level in ("error", "critical"):
                self.errors.append(f"{level}: {event}"[:600])
            raise structlog.DropEvent

        structlog.configure(processors=[keep], wrapper_class=structlog.make_filtering_bound_logger(20))


_SEATS = (
    "SELECT game.id, game.turn_from, seat.number, seat.name, seat.stand_in FROM seat JOIN game ON game.id = seat.game "
    "WHERE seat.user = ? AND seat.gone IS NULL AND game.state = 'running' ORDER BY game.id"
)


_PAST_POSTS = (
    "SELECT game, count(*) AS n FROM outbox WHERE kind IN ('turn', 'summary', 'pictures') AND state = 'sent' "
    "AND created < ? GROUP BY game"
)


def newest(channel: Channel, label: str) -> Iterator[Message]:
    """Yield the messages with a button, the newest first, as far as people scroll back."""
    for message in reversed(channel.messages[-60:]):
        if label in message.labels and not message.deleted and not message.ephemeral:
            yield message
