"""Whole games of people who only have mail, while the bot is killed, the mail server is away and addresses bounce.

``python -m tests.mail.bench`` lives it and prints what the ledger says of it.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Mapping
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
from tests.simulation.loop import Process
from tests.simulation.mail_lines import IMAP_PORT, SMTP_PORT
from tests.simulation.mail_world import POISON, SETTLE_SECONDS, MailWorld
from tests.simulation.simulation import Simulation

PAUSE_SECONDS = (200.0, 420.0)
"""Between a player's looks at their mail: above 20 mails an hour the bot reads them later."""
SILENCE_SECONDS_MAX = 6 * 3600.0
"""After which a player who has heard nothing in their turn writes by themselves."""
MAX_DAYS = 90
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
        before: hours until the mail server goes away.
    """

    tables: tuple[tuple[str, int], ...] = (("1860", 2), ("1862", 3), ("steel_driver", 3))
    moves: int = 0
    kills: int = 50
    hours: float = 72.0
    bounces: int = 12
    poison: int = 50
    before: float = 3.0


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
    wrong: list[str] = field(default_factory=list)


class MailLife(MailWorld):
    """The world of some tables that are played by mail."""

    def __init__(self, run: Simulation, folder: Path, fresh: Path, wish: Wish) -> None:
        super().__init__(run, folder, fresh)
        self.wish = wish
        self.left = {"kills": wish.kills, "bounces": wish.bounces, "poison": wish.poison}
        self.away: tuple[float, float] = (0.0, 0.0)
        self.put_at: dict[str, float] = {}
        self.answered_at: dict[str, float] = {}
        self.heard: dict[str, float] = {}
        self._chance = random.Random(f"{run.seed} life")  # noqa: S311 - not a secret

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:  # noqa: ANN401
        """Take a mail of the bot, and let some come back."""
        word = await super().handle_DATA(server, session, envelope)
        if word.startswith("250"):
            to, mail = self.got[-1]
            now = self.run.loop.time()
            self.answered_at.setdefault(str(mail["In-Reply-To"]), now)
            self.heard[to] = now
            if self.left["bounces"] and "your turn" in str(mail["Subject"]) and self._chance.random() < 1 / 12:
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
        if self.left["kills"] and self._chance.random() < 1 / 2:
            self.left["kills"] -= 1
            self.run.loop.call_later(self._chance.uniform(0, 2), self.kill_bot)
        if self.left["poison"] and self._chance.random() < 1 / 2:
            self.left["poison"] -= 1
            self.put_poison(b"X-Number: %d\n" % self.left["poison"] + POISON)

    def kill_bot(self) -> None:
        """Kill the bot, if it runs."""
        if "bot" in self.run.bots:
            self.run.kill("bot")
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
        ordered, name, has_joined = (-1, 0), person.partition("@")[0].upper(), False
        while True:
            await asyncio.sleep(self._chance.uniform(*PAUSE_SECONDS))
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
            if seat not in game.actors or 0 < self.wish.moves <= len(game.log):
                continue
            state = (len(game.log), len(letters))
            if state == ordered:  # nothing has come since
                if now - self.heard.get(person, now) > SILENCE_SECONDS_MAX and not self.is_away:
                    self.heard[person] = now
                    self.send(person, letters[-1], "help")
                continue
            ordered = state
            action = choose_action(game, seat, Rng(self.run.seed + len(game.log)))
            words = " ".join([action.verb, *write_parameters(action).values()])
            self.send(person, letters[-1], words, self._chance.choice(("plain", "below", "signed", "html")))

    @property
    def is_away(self) -> bool:
        """Return whether the mail server is out of reach."""
        return self.away[0] <= self.run.loop.time() < self.away[1]

    def is_over(self, number: int) -> bool:
        """Return whether a table has been played as far as is wished."""
        row = self.rows("SELECT state FROM game WHERE id = ?", number)[0]
        if row["state"] == "open":
            return False
        game = self.game(number)
        return not game.actors or 0 < self.wish.moves <= len(game.log)

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
            elif self.away[0] - 1 <= at < self.away[1] or at < self.away[0] <= then:
                lived.waited_after.append(max(0.0, then - self.away[1]))
            else:
                lived.waited.append(then - at)
        moves = Counter(
            (row["interaction"] or "").partition("#")[0].rpartition(":")[2]
            for row in self.rows("SELECT interaction FROM log WHERE interaction IS NOT NULL")
        )
        lived.wrong += [f"{mail.name} moved {moves[mail.key]} times" for mail in self.written if moves[mail.key] > 1]
        unread = sorted(set(self.mailbox.mails) - self.mailbox.seen)
        lived.wrong += [f"mail {number} was not read" for number in unread]
        games = [self.game(number) for number in tables]
        lived.moves, lived.over = sum(len(game.log) for game in games), sum(not game.actors for game in games)
        lived.wrong += [f"kills left: {self.left['kills']}"] if self.left["kills"] else []
        return lived


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
            async with asyncio.timeout(MAX_DAYS * 24 * HOUR):
                if world.wish.hours:
                    await asyncio.sleep(world.wish.before * HOUR)
                    await world.be_away()
                while not all(world.is_over(number) for number in tables):
                    await asyncio.sleep(60)
        except TimeoutError:
            wrong.append("the games could not be played on")
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
