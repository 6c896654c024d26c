"""People who play by mail: a server that keeps what they get, a mailbox for the bot, and what must hold of both."""

import asyncio
import contextlib
import random
import re
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from aiosmtpd.smtp import SMTP
from pydantic import SecretStr

from bot.model.errors import BotError
from bot.model.records import NewTable
from bot.service.hosting import Guest
from bot.service.services import Services
from engine import Rng
from engine.player import choose_action
from engine.words import write_parameters
from tests.mail.letters import text_part
from tests.mail.mailboxes import Mailbox
from tests.simulation.invariants import CHECKS, Snapshot, check_doubles, check_letters, check_promises, find_secrets
from tests.simulation.loop import Process
from tests.simulation.mail_lines import IMAP_PORT, SMTP_PORT
from tests.simulation.runs import AFTERWARDS_SECONDS, SEED, Case
from tests.simulation.simulation import Simulation
from tests.simulation.world import World

MAIL = "mail"
STRANGER = "mallory@else.example"
"""The scene of a table that is played by mail."""
PLAYERS, MOVES, PLAY_SECONDS = 2, 4, 2400.0
ADDRESS = "turns@games.example"
PROVEN = "Authentication-Results: mx.games.example; dmarc=pass header.from={domain}\n"
BOUNCE = (
    "From: MAILER-DAEMON@mx.games.example\nTo: {to}\nSubject: Delayed\nAuto-Submitted: auto-replied\n"
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
    "--b\nContent-Type: text/plain\n\nIt is late.\n--b\nContent-Type: message/delivery-status\n\n"
    "Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; x@home.example\nAction: delayed\nStatus: 4.4.1\n\n--b--\n"
)
HABITS = ("plain", "plain", "below", "signed", "html", "twice", "stranger", "away", "unproven", "delayed", "old")
"""How people answer; most of it comes besides the answer proper."""
POISON = b"From: " + b"(" * 500 + b"\nTo: turns@games.example\nSubject: hi\n\nhello\n"
SETTLE_SECONDS = 600.0
"""That a mailbox needs at most to be read again after a fault: pauses grow up to five minutes."""


class Written(NamedTuple):
    """A mail that came in: its number in the mailbox, its Message-ID, who is said to have written it.

    Args:
        habit: "answer" where it must be answered, or what else it is.
    """

    number: int
    name: str
    sender: str
    habit: str

    @property
    def key(self) -> str:
        """How the key of its answer, and of each move it makes, goes on behind the number of the address."""
        return sha256(self.name.encode()).hexdigest()[:40]


class MailWorld(World):
    """The world of a table that is played by mail."""

    def __init__(self, run: Simulation, folder: Path, fresh: Path) -> None:
        super().__init__(run, folder, fresh)
        self.settings = self.settings.model_copy(update={
            "mail_address": ADDRESS, "mail_key": SecretStr("k" * 32), "mail_authserv": "mx.games.example",
            "mail_per_person": 10_000, "mail_per_day": 10_000, "smtp_host": "localhost", "smtp_port": SMTP_PORT,
            "smtp_tls": "none", "imap_host": "localhost", "imap_port": IMAP_PORT, "imap_user": "ann",
            "imap_password": SecretStr("secret"), "imap_tls": "none",
        })  # fmt: skip
        self.mailbox = Mailbox()
        self.got: list[tuple[str, EmailMessage]] = []
        self.written: list[Written] = []
        self.poison: set[int] = set()
        self._ordered: dict[str, int] = {}
        self._habits = random.Random(f"{run.seed} habits")  # noqa: S311 - not a secret

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator["World"]:
        """Let Discord, a mail server and a mailbox run."""
        async with super().open():
            loop = asyncio.get_running_loop()
            smtp = await loop.create_server(
                lambda: SMTP(self, hostname="mx.games.example", loop=loop), "localhost", SMTP_PORT
            )
            imap = await asyncio.start_server(self.mailbox.serve, "localhost", IMAP_PORT)
            try:
                yield self
            finally:
                smtp.close()
                imap.close()

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:  # noqa: ANN401
        """Take a mail of the bot."""
        if self.run.refusals:
            return self.run.refusals.pop(0)
        self.got.append((envelope.rcpt_tos[0], message_from_bytes(envelope.content, policy=default)))
        return "250 OK"

    # --- people -----------------------------------------------------------------------------

    def write(self, sender: str, to: EmailMessage, text: str, habit: str = "answer", *, twice: bool = False) -> None:
        """Answer a letter as mail programs do."""
        number = len(self.mailbox.mails) + 1
        name = f"<r{number}@home.example>"
        style = habit if habit in ("below", "signed", "html") else "plain"
        quoted = "\n".join(f"> {line}" for line in text_part(to).splitlines())
        said = f"On 22 Nov 2026, at 09:14, Stationmaster <{ADDRESS}> wrote:\n{quoted}"
        body = {
            "below": f"{said}\n\n{text}\n",
            "signed": f"{text}\n\n-- \nP. Player\n020 7946 0000\n\n{said}\n",
            "html": f"<div>{text}</div><blockquote>{quoted}</blockquote>",
        }.get(style, f"{text}\n\n{said}\n")
        head = "" if habit == "unproven" else PROVEN.format(domain=sender.partition("@")[2])
        head += "Auto-Submitted: auto-replied\n" if habit == "away" else ""
        head += (
            f"From: <{sender}>\nTo: {to['Reply-To']}\nSubject: Re: {to['Subject']}\nMessage-ID: {name}\n"
            f"In-Reply-To: {to['Message-ID']}\nReferences: {to['References']} {to['Message-ID']}\nMIME-Version: 1.0\n"
            f"Content-Type: text/{'html' if style == 'html' else 'plain'}; charset=utf-8\n\n"
        )
        kind = habit if habit in ("stranger", "away", "unproven", "old") else "answer"
        for each in range(number, number + 1 + twice):
            self.mailbox.put(each, (head + body).encode())
            self.written.append(Written(each, name, sender, kind))
        self.run.note(f"{sender} writes {text!r} {habit}")

    def put_poison(self, mail: bytes = POISON) -> None:
        """Let a stranger write what makes a reader fail."""
        number = len(self.mailbox.mails) + 1
        self.mailbox.put(number, mail)
        self.poison.add(number)

    def letters_to(self, person: str) -> list[EmailMessage]:
        """Return what a person got."""
        return [mail for to, mail in self.got if to == person]

    async def live(self, person: str, number: int, end: int) -> None:
        """Let a person read each letter and answer those that ask for something, until cancelled."""
        read = 0
        while True:
            await asyncio.sleep(self._habits.uniform(1, 8))
            letters = self.letters_to(person)
            if read == len(letters):
                continue
            letter, read = letters[read], read + 1
            state = self.rows("SELECT state FROM game WHERE id = ?", number)[0]["state"]
            if state == "open":
                if "answer" not in {each.habit for each in self.written if each.sender == person}:
                    self.write(person, letter, "yes")
                continue
            game, name = self.game(number), person.partition("@")[0].upper()
            seat = self.rows("SELECT number FROM seat WHERE game = ? AND name = ?", number, name)[0]["number"]
            is_refused = "✗" in text_part(letter)
            if seat not in game.actors or len(game.log) >= end:
                continue
            if self._ordered.get(person) == len(game.log) and not is_refused:
                continue
            self._ordered[person] = len(game.log)
            action = choose_action(game, seat, Rng(self.run.seed + len(game.log)))
            await self.order(person, letter, " ".join([action.verb, *write_parameters(action).values()]))

    async def order(self, person: str, letter: EmailMessage, words: str) -> None:
        """Let a person write an order in one of their habits."""
        habit = self._habits.choice(HABITS)
        if habit == "delayed":
            await asyncio.sleep(self._habits.uniform(60, 240))
        if habit == "stranger":
            self.write(STRANGER, letter, words, habit)
        elif habit in ("away", "unproven"):
            self.write(person, letter, "I am away." if habit == "away" else words, habit)
        elif habit == "old" and len(letters := self.letters_to(person)) > 2:
            self.write(person, letters[1], "help", habit)
        style = habit if habit in ("below", "signed", "html") else "plain"
        self.write(person, letter, words, style, twice=habit == "twice")
        number = re.search(r"\.l(\d+)\.", str(letter["Message-ID"]))
        if habit == "delayed" and number:
            self.mailbox.put(len(self.mailbox.mails) + 1, BOUNCE.format(to=ADDRESS).encode())

    async def open_by_mail(self, title: str, addresses: list[str], seed: int) -> int:
        """Open a table by the command line and return its number."""
        guests = [Guest(each, each.partition("@")[0].upper()) for each in addresses]

        async def ask() -> None:
            services = await Services.open(self.settings.database, folder=self.settings.home)
            try:
                await services.hosting.open_table(NewTable(title, len(guests), "Post", seed=seed), guests)
            finally:
                await services.close()

        while not (rows := self.rows("SELECT id FROM game")):
            await asyncio.sleep(1)
            with contextlib.suppress(BotError, sqlite3.Error):
                await self.run.loop.spawn(Process("command"), ask())
        number: int = rows[0]["id"]
        return number

    # --- what must hold -----------------------------------------------------------------------

    async def judge(self) -> list[str]:
        """Return everything that is wrong; what belongs into a chat is looked at for tables in a chat."""
        seen = self.snapshot()
        chat = [game for game in seen.games if game["thread"]]
        numbers = {game["id"] for game in chat}
        posts = [row for row in seen.outbox if row["game"] in numbers and row["kind"] != "letter"]
        part = replace(seen, games=chat, outbox=posts)
        owed = replace(seen, outbox=[row for row in seen.outbox if row["kind"] == "letter" or row["game"] in numbers])
        whole = (check_doubles, check_letters, check_promises)
        found = [
            f"{check.__name__.removeprefix('check_')}: {each}"
            for check in CHECKS
            for each in check(owed if check in whole else part)
        ]
        mails = [f"mail: {each}" for each in self.check_mail(seen)]
        return [*self.ended, *found, *await self.judge_tables(), *self.server.violations, *mails]

    def check_mail(self, seen: Snapshot) -> Iterator[str]:
        """Each mail was read; what must be answered was answered once, and made at most one move of each order."""
        quarantined = len(list((self.settings.home / "quarantine").glob("*.eml")))
        unread = sorted(set(self.mailbox.mails) - self.mailbox.seen)
        yield from (f"mail {number} was not read" for number in unread)
        yield from (f"{to} got a letter" for to, _ in self.got if to == STRANGER)
        if quarantined != len(self.mailbox.flagged) or not self.poison >= self.mailbox.flagged:
            yield f"{quarantined} mails are set aside, {sorted(self.mailbox.flagged)} flagged of {sorted(self.poison)}"
        answers = Counter(row["key"].rpartition(":")[2] for row in seen.outbox if row["key"].startswith("answer:"))
        moves = Counter((row["interaction"] or "").partition("#")[0].rpartition(":")[2] for row in seen.log)
        for mail in dict.fromkeys(each._replace(number=0) for each in self.written):
            is_owed = mail.habit in ("answer", "unproven", "old", "stranger")  # of a stranger, the player is told
            if answers[mail.key] != is_owed:
                yield f"{mail.name} ({mail.habit}) has {answers[mail.key]} answers"
            if moves[mail.key] > (mail.habit == "answer"):
                yield f"{mail.name} ({mail.habit}) made {moves[mail.key]} moves"
        names = Counter(str(mail["Message-ID"]) for _, mail in self.got)
        of_row = {int(found[1]): name for name in names if (found := re.search(r"\.l(\d+)\.", name))}
        for row in seen.outbox:
            count = names[of_row.get(row["id"], "")]
            if row["kind"] == "letter" and row["state"] == "sent" and not count:
                yield f"{row['key']} is said to be sent and did not arrive"
            if count > 1 + (self.run.points.struck is not None):
                yield f"{row['key']} arrived {count} times"
        words = "\n".join(text_part(mail) for _, mail in self.got)
        yield from find_secrets(seen, words)


async def play_by_mail(world: World, case: Case) -> list[str]:
    """Open a table by mail, play it, let everything come to rest, and return what is wrong."""
    assert isinstance(world, MailWorld)
    addresses, found = [f"p{seat}@home.example" for seat in range(1, PLAYERS + 1)], []
    async with world.open():
        await world.start_bot()
        tasks = [asyncio.create_task(world.keep_alive())]
        try:
            async with asyncio.timeout(PLAY_SECONDS):
                number = await world.open_by_mail("toy", addresses, SEED + case.seed)
                tasks += [asyncio.create_task(world.live(each, number, MOVES)) for each in addresses]
                while world.rows("SELECT state FROM game WHERE id = ?", number)[0]["state"] == "open" or (
                    (game := world.game(number)).actors and len(game.log) < MOVES
                ):
                    await asyncio.sleep(1)
                    if case.has_stranger and not world.poison and len(world.mailbox.mails) > 3:
                        world.put_poison()
        except TimeoutError:
            found.append("the table could not be played on")
        await asyncio.sleep(AFTERWARDS_SECONDS + SETTLE_SECONDS)
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        found += [repr(end) for end in ends if isinstance(end, Exception)]
        return found + await world.judge()
