"""Whole games of people who only have mail, while the bot is killed, the mail server is away and addresses bounce.

``python -m tests.mail.bench`` lives it and prints what the ledger says of it.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from typing import Any

from bot.model.records import NewTable
from bot.service.hosting import Guest
from bot.service.services import Services
from bot.store.incoming import name_fate
from engine import Rng
from engine.player import choose_action
from engine.words import write_parameters
from tests.mail.letters import text_part
from tests.simulation.loop import Process
from tests.simulation.mail_lines import IMAP_PORT, SMTP_PORT
from tests.simulation.mail_world import POISON, SETTLE_SECONDS, MailWorld
from tests.simulation.simulation import Simulation

PAUSE_SECONDS = (200.0, 420.0)
"""Between a player's looks at their mail: above 20 mails an hour the bot reads them later."""
SILENCE_SECONDS_MAX = 6 * 3600.0
"""After which a player who has heard nothing in their turn writes by themselves."""
CHAT_SECONDS = (4 * 3600.0, 10 * 3600.0)
"""Between the messages of players who wait for a server that is away."""
MAX_REFUSALS = 5
"""After so many refusals in one position the games end there, and it is said why."""
STALL_HOURS = 24.0
"""Without a move, while the server is there: then the games end, and it is said where."""
LOOK_SECONDS = 300.0
HOUR = 3600.0
FAILED = (
    "From: MAILER-DAEMON@mx.games.example\nTo: {to}\nSubject: Undelivered\nMessage-ID: <bounce{number}@mx>\n"
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n--b\nContent-Type: text/plain\n\n'
    "There is no such user.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n"
    "Final-Recipient: rfc822; {person}\nAction: failed\nStatus: 5.1.1\n\n--b--\n"
)


@dataclass(frozen=True)
class Wish:
    """What is lived through.

    Args:
        tables: titles, each with its number of players. moves: of each table, 0 to its end.
        kills: of the bot, each within two seconds after a mail came in. hours: for which the mail server is away.
        bounces: letters that come back as undeliverable. poison: mails that readers choke on.
        plus: the separator of our addresses. before: moves of each table until the mail server goes away.
        every: replies from one kill, or one mail of poison, to the next, and turns from one bounce to the next, on
            average.
    """

    tables: tuple[tuple[str, int], ...] = (("1860", 2), ("1862", 3), ("steel_driver", 3))
    moves: int = 0
    kills: int = 50
    hours: float = 72.0
    bounces: int = 12
    poison: int = 50
    plus: str = "+"
    before: int = 60
    every: int = 24


@dataclass
class Lived:
    """What came of it: counts, seconds that people waited, and what is wrong.

    Args:
        moves, over: of all games, and how many games came to their end. days: of the simulated clock.
        mails: that came in. fates, letters: of the ledger, in and out. silent: mails without a fate.
        waited: seconds until replies were answered; of those that met the outage, since its end.
    """

    moves: int = 0
    over: int = 0
    days: float = 0.0
    mails: int = 0
    fates: Mapping[str, int] = field(default_factory=dict)
    letters: Mapping[str, int] = field(default_factory=dict)
    doubled: int = 0
    silent: list[int] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)
    waited_after: list[float] = field(default_factory=list)
    held: int = 0
    killed: int = 0
    wrong: list[str] = field(default_factory=list)


class MailLife(MailWorld):
    """The world of some tables that are played by mail."""

    def __init__(self, run: Simulation, folder: Path, fresh: Path, wish: Wish) -> None:
        super().__init__(run, folder, fresh)
        self.wish = wish
        self.settings = self.settings.model_copy(update={"mail_plus": wish.plus})
        self.left = {"kills": wish.kills, "bounces": wish.bounces, "poison": wish.poison}
        self.away: tuple[float, float] = (0.0, 0.0)
        self.put_at: dict[str, float] = {}
        self.answered_at: dict[str, float] = {}
        self.heard: dict[str, float] = {}
        self.struck: set[str] = set()
        self.refused: list[str] = []
        self._chance = random.Random(f"{run.seed} life")  # noqa: S311 - not a secret

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:  # noqa: ANN401
        """Take a mail of the bot, and let some come back."""
        word = await super().handle_DATA(server, session, envelope)
        if word.startswith("250"):
            to, mail = self.got[-1]
            now = self.run.loop.time()
            self.answered_at.setdefault(str(mail["In-Reply-To"]), now)
            self.heard[to] = now
            if self.left["bounces"] and "your turn" in str(mail["Subject"]) and self._meets():
                self.left["bounces"] -= 1
                self.run.loop.call_later(20, self.bounce, envelope.mail_from, to)
                self.heard[to] = now - SILENCE_SECONDS_MAX / 2
        return word

    def bounce(self, sender: str, person: str) -> None:
        """Let a letter come back, to the address from which it was sent."""
        number = len(self.mailbox.mails) + 1
        self.mailbox.put(number, FAILED.format(to=sender, number=number, person=person).encode())

    async def be_away(self) -> None:
        """Let the mail server be out of reach for so many hours."""
        listeners, loop = self.run.network.listeners, self.run.loop
        places = [("localhost", port) for port in (SMTP_PORT, IMAP_PORT)]
        kept = {place: listeners.pop(place) for place in places}
        for line in [*self.mailbox.waiting]:
            line.transport.abort()
        self.away = (loop.time(), loop.time() + self.wish.hours * HOUR)
        await asyncio.sleep(self.wish.hours * HOUR)
        listeners |= kept

    def send(self, person: str, letter: EmailMessage, words: str, habit: str = "plain") -> None:
        """Write a reply; the bot may die over it, and a stranger writes, too."""
        self.write(person, letter, words, habit)
        self.put_at[self.written[-1].name] = self.run.loop.time()
        if self.left["kills"] and self._meets():
            self.left["kills"] -= 1
            self.run.loop.call_later(self._chance.uniform(0, 2), self.kill_bot, self.written[-1].name)
        if self.left["poison"] and self._meets():
            self.left["poison"] -= 1
            self.put_poison(b"X-Number: %d\n" % self.left["poison"] + POISON)

    def _meets(self) -> bool:
        """Return whether something befalls this mail."""
        return self._chance.random() < 1 / self.wish.every

    def kill_bot(self, name: str) -> None:
        """Kill the bot over a mail, if it runs."""
        if "bot" in self.run.bots:
            self.run.kill("bot")
            self.struck.add(name)
        else:
            self.left["kills"] += 1

    async def open_tables(self) -> dict[int, list[str]]:
        """Open the tables by the command line; return the addresses of each one's players."""
        wanted = self.wish.tables
        people = {
            place: [f"p{place}{seat}@home.example" for seat in range(seats)] for place, (_, seats) in enumerate(wanted)
        }

        async def ask() -> None:
            services = await Services.open(self.settings.database, folder=self.settings.home)
            try:
                for place, (title, seats) in enumerate(wanted):
                    guests = [Guest(each, each.partition("@")[0].upper()) for each in people[place]]
                    await services.hosting.open_table(
                        NewTable(title, seats, "Post", seed=self.run.seed + place), guests
                    )
            finally:
                await services.close()

        await self.run.loop.spawn(Process("command"), ask())
        numbers = [row["id"] for row in self.rows("SELECT id FROM game ORDER BY id")]
        return dict(zip(numbers, people.values(), strict=True))

    async def live_by_mail(self, person: str, number: int) -> None:
        """Let a person answer the last letter when it is their turn, until the game is over or cancelled."""
        ordered, name, has_joined, refusals = (-1, 0), person.partition("@")[0].upper(), False, 0
        while True:
            await asyncio.sleep(self._chance.uniform(*(CHAT_SECONDS if self.is_away else PAUSE_SECONDS)))
            letters, now = self.letters_to(person), self.run.loop.time()
            if not letters:
                continue
            if not has_joined:
                self.send(person, letters[-1], "yes")
                has_joined = True
                continue
            if self.rows("SELECT state FROM game WHERE id = ?", number)[0]["state"] != "running":
                continue
            game = self.game(number)
            seat = self.rows("SELECT number FROM seat WHERE game = ? AND name = ?", number, name)[0]["number"]
            is_mine = seat in game.actors and not self.has_played_enough(number)
            state = (len(game.log), len(letters))
            if self.is_away and (not is_mine or state == ordered):
                self.send(person, letters[-1], self._chance.choice(("map", "log", "to all: is the server away?")))
                continue
            if not is_mine:
                continue
            if state == ordered:  # nothing has come since
                if now - self.heard.get(person, now) > SILENCE_SECONDS_MAX:
                    self.heard[person] = now
                    self.send(person, letters[-1], "help")
                continue
            refusals = refusals + 1 if state[0] == ordered[0] and "✗" in text_part(letters[-1]) else 0
            if refusals > MAX_REFUSALS:
                self.refused.append(text_part(letters[-1])[:200])
                return
            ordered = state
            action = choose_action(game, seat, Rng(self.run.seed + len(game.log)))
            words = " ".join([action.verb, *write_parameters(action).values()])
            self.send(person, letters[-1], words, self._chance.choice(("plain", "below", "signed", "html")))

    @property
    def is_away(self) -> bool:
        """Return whether the mail server is out of reach."""
        return self.away[0] <= self.run.loop.time() < self.away[1]

    def has_played_enough(self, number: int) -> bool:
        """Return whether a table has as many moves as are wished."""
        return 0 < self.wish.moves <= len(self.game(number).log)

    def is_over(self, number: int) -> bool:
        """Return whether a table has been played as far as is wished."""
        if self.rows("SELECT state FROM game WHERE id = ?", number)[0]["state"] == "open":
            return False
        return not self.game(number).actors or self.has_played_enough(number)

    async def play_on(self, tables: Iterable[int]) -> None:
        """Wait until all tables are over, with the server away in between.

        Raises:
            TimeoutError: for a day there was no move, or a move was refused again and again.
        """
        was_away, count, since = not self.wish.hours, -1, 0.0
        while not all(self.is_over(number) for number in tables):
            if not was_away and all(len(self.game(number).log) >= self.wish.before for number in tables):
                was_away = True
                await self.be_away()
                since = self.run.loop.time()
            await asyncio.sleep(LOOK_SECONDS)
            now, moves = self.run.loop.time(), sum(len(self.game(number).log) for number in tables)
            count, since = moves, since if moves == count else now
            if self.refused or now - since > STALL_HOURS * HOUR:
                raise TimeoutError

    # --- what came of it ----------------------------------------------------------------------------

    def judge_life(self, tables: Mapping[int, list[str]]) -> Lived:
        """Return what the ledger and the mailboxes say."""
        rows = self.rows("SELECT name, fate FROM incoming")
        names = {row["name"].rpartition(":")[2] for row in rows}
        lived = Lived(days=self.run.loop.time() / 86_400, mails=len(self.mailbox.mails))
        lived.fates = Counter(row["fate"] for row in rows)
        lived.silent = [n for n, data in self.mailbox.mails.items() if not names & set(list_names(data))]
        letters = self.rows("SELECT key, state, sent, attempts, error FROM outbox WHERE kind = 'letter'")
        lived.letters = Counter(name_fate(r["state"], r["sent"], r["attempts"], r["error"]) for r in letters)
        came = Counter(str(mail["Message-ID"]) for _, mail in self.got)
        lived.doubled = sum(number - 1 for number in came.values())
        for name, at in self.put_at.items():
            if (then := self.answered_at.get(name)) is None:
                lived.wrong.append(f"{name} was never answered")
            elif self._meets_outage(name):
                lived.waited_after.append(max(0.0, then - self.away[1]))
            else:
                lived.waited.append(then - at)
        moves = Counter(
            (row["interaction"] or "").partition("#")[0].rpartition(":")[2]
            for row in self.rows("SELECT interaction FROM log WHERE interaction IS NOT NULL")
        )
        waits = {mail.name for mail in self.written if moves[mail.key] and self._meets_outage(mail.name)}
        lived.held, lived.killed = len(waits), sum(mail.name in self.struck for mail in self.written if moves[mail.key])
        lived.wrong += [f"{mail.name} moved {moves[mail.key]} times" for mail in self.written if moves[mail.key] > 1]
        unread = sorted(set(self.mailbox.mails) - self.mailbox.seen)
        lived.wrong += [f"mail {number} was not read" for number in unread]
        games = [self.game(number) for number in tables]
        lived.moves, lived.over = sum(len(game.log) for game in games), sum(not game.actors for game in games)
        lived.wrong += [f"{what} left: {number}" for what, number in self.left.items() if number]
        lived.wrong += [f"refused again and again: {each}" for each in self.refused]
        return lived

    def _meets_outage(self, name: str) -> bool:
        """Return whether a mail came in while the server was away, or was not answered when it went away."""
        at, then = self.put_at[name], self.answered_at.get(name, 0.0)
        return self.away[0] - 1 <= at < self.away[1] or at < self.away[0] <= then


def list_names(data: bytes) -> Iterator[str]:
    """Yield the names by which the ledger may know a mail."""
    yield sha256(data).hexdigest()[:40]
    for line in data[:4000].splitlines():
        if line.lower().startswith(b"message-id:"):
            yield sha256(line.partition(b":")[2].strip()).hexdigest()[:40]


async def live_all(world: MailLife) -> Lived:
    """Open the tables, let people play them through all of it, and return what came of it."""
    async with world.open():
        await world.start_bot()
        tasks = [asyncio.create_task(world.keep_alive())]
        tables = await world.open_tables()
        tasks += [asyncio.create_task(world.live_by_mail(p, number)) for number, all_ in tables.items() for p in all_]
        wrong = list[str]()
        try:
            await world.play_on(tables)
        except TimeoutError:
            where = ((world.game(number), number) for number in tables if not world.is_over(number))
            wrong += [f"table {number} stands still at move {len(game.log)}" for game, number in where]
        await asyncio.sleep(SETTLE_SECONDS + HOUR)
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        lived = world.judge_life(tables)
        lived.wrong = [*wrong, *(repr(end) for end in ends if isinstance(end, Exception)), *world.ended, *lived.wrong]
        return lived


def live(seed: int, folder: Path, wish: Wish) -> Lived:
    """Live through it once, on a store in a folder with an empty one in ``fresh.sqlite``."""
    run = Simulation(seed)
    run.most = None
    world = MailLife(run, folder, folder / "fresh.sqlite", wish)
    lived = run.run(live_all(world))
    assert isinstance(lived, Lived)
    return lived
