"""What mail bears: ``python -m tests.mail.bench [--poison 5000] [--good 200] [--kills 50] [--hours 72] [--moves 0]``.

``--plus ""`` does it with a mailbox that has one address for all. First a flood, in real time: good replies among
thousands of mails that readers choke on, over IMAP on the loopback. Then each good reply comes again in every way in
which others could send it. Last a life on the clock of the simulation: three games whose players only have mail, while
the bot is killed, the mail server is away for days and addresses bounce. It prints the ledger's counts, and how long
people waited for their answers.
"""

import argparse
import asyncio
import contextlib
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path

import msgspec
import structlog

from bot.mail.clerk import Trust
from bot.mail.front import Mailbox as BotMailbox
from bot.mail.front import MailFront, Settler
from bot.mail.inbox import Inbox
from bot.mail.origin import find_addressee
from bot.mail.sender import MailLimits
from bot.model.clock import DAY
from bot.model.records import NewTable
from bot.service.hosting import Guest
from bot.service.sending import Sending
from bot.service.services import Services
from bot.store.database import Database
from tests.bot.conftest import Clock
from tests.mail.conftest import POST, PROVEN, Mails, tiny
from tests.mail.mailboxes import Mailbox, serve_mailbox
from tests.mail.test_quarantine import hostile
from tests.simulation.mail_life import FAILED, Lived, Wish, list_names, live
from tests.simulation.runs import Runner

MAX_EACH = 17
"""Good replies of one player: above 20 an hour they are read later, as they should be."""
ANSWER_SECONDS_MAX = 600.0
INVITED_A_DAY = 5
"""Tables of two that are opened on one day: the bot writes to ten new addresses a day."""
LEDGER = "SELECT name, fate FROM incoming"
TRUST = Trust(("mx.games.example",))
FORGED = "Authentication-Results: mx.evil.example; dmarc=pass header.from={domain}\n"


@dataclass
class Figures:
    """What came of a part.

    Args:
        put: mails that came in. silent: of them without a fate in the ledger. unread: left in the mailbox.
        fates: how many rows of the ledger have each fate. waited: seconds until good replies were answered.
        moves: made by mails that must make none.
    """

    put: int = 0
    silent: int = 0
    unread: int = 0
    fates: Mapping[str, int] = field(default_factory=dict)
    waited: list[float] = field(default_factory=list)
    moves: int = 0

    def describe(self) -> str:
        """Return the figures in a line or two."""
        waited = sorted(self.waited) or [0.0]
        half, most = waited[len(waited) // 2], waited[-1]
        late = sum(each > 60 for each in waited)
        return (
            f"{self.put} mails in: {_list_counts(self.fates)}; {self.silent} silent, {self.unread} unread, "
            f"{self.moves} moves by mails that must make none\n{len(self.waited)} good replies answered, "
            f"median {half:.1f} s, most {most:.1f} s, {late} later than a minute\n"
        )


def list_poison(known: Sequence[EmailMessage]) -> Iterator[bytes]:
    """Yield mails without end that readers choke on, or that take what is not theirs; no two are alike.

    Args:
        known: letters of ours, whose addresses strangers have got hold of.
    """
    kinds = [data for size in (700, 4000) for data in hostile(size).values()]
    bounce = FAILED.format(to="turns@games.example", number=0, person="p1@home.example").encode()
    away = b"From: p1@home.example\nTo: turns@games.example\nAuto-Submitted: auto-replied\nSubject: Away\n\npass\n"
    strangers = [
        f"From: mallory@else.example\nTo: {each['Reply-To']}\nIn-Reply-To: {each['Message-ID']}\n\npass\n".encode()
        for each in known
    ]
    for number, data in enumerate(cycle([*kinds, bounce, away, *strangers])):
        yield b"X-Number: %d\nMessage-ID: <poison%d@else.example>\n" % (number, number) + data


async def judge_ledger(database: Database, mails: Mapping[int, bytes], seen: set[int]) -> Figures:
    """Return the figures of the ledger: each mail must have a fate there, by its name or by what it holds."""
    async with database.reading() as session:
        connection = await session.connection()
        rows = [(str(row.name), str(row.fate)) for row in await connection.exec_driver_sql(LEDGER)]
    names, fates = {name.rpartition(":")[2] for name, _ in rows}, Counter(fate for _, fate in rows)
    silent = [number for number, data in mails.items() if not names & set(list_names(data))]
    return Figures(len(mails), len(silent), len(set(mails) - seen), fates)


# --- the flood -------------------------------------------------------------------------------------


class Flood:
    """Tables of two in an auction, whose players bid while poison comes in."""

    def __init__(self, services: Services, clock: Clock, plus: str = "+") -> None:
        self.mails = Mails(services, clock)
        self.post = msgspec.structs.replace(POST, plus=plus)
        self.mails.front = MailFront(
            services,
            tiny,
            BotMailbox(self.post, Trust(("mx.games.example",)), MailLimits(10_000, 10_000)),
            self.mails.caught,
        )
        self.box = Mailbox()
        self.numbers = count(1)
        self.good: list[tuple[str, int, bytes]] = []
        self.waited: list[float] = []

    async def seat(self, number: int) -> tuple[int, tuple[str, str]]:
        """Open a table of two and let both say yes; return its number and their addresses."""
        self.mails.clock.now += DAY * (number % INVITED_A_DAY == 0)
        addresses = (f"a{number}@home.example", f"b{number}@home.example")
        guests = [Guest(each, each.partition("@")[0].upper()) for each in addresses]
        table = await self.mails.services.hosting.open_table(NewTable("1860", 2, seed=number), guests)
        for address in addresses:
            await self.mails.send_all()
            await self.mails.answer(address, "yes")
        return table.id, addresses

    async def bid(self, game: int, addresses: tuple[str, str], times: int) -> None:
        """Let two players raise each other; each waits for the letter that asks."""
        for turn in range(times):
            here = await self.mails.services.table.load_position(game)
            address = next(each for each in addresses if each.partition("@")[0].upper() == here.actors[0].name)
            data = self.mails.reply(address, f"bid {5 * (turn + 1)}")
            name = next(list_names(data)), f"<r{self.mails.count}@home.example>"
            self.good.append((address, game, data))
            began = time.monotonic()
            self.box.put(next(self.numbers), data)
            async with asyncio.timeout(ANSWER_SECONDS_MAX):
                while not any(to == address and mail["In-Reply-To"] == name[1] for to, mail in self.mails.out[-40:]):
                    await asyncio.sleep(0.02)
            self.waited.append(time.monotonic() - began)

    async def run(self, poison: int, good: int) -> Figures:
        """Let good replies come among poison, until all are read; return the figures."""
        tables = [await self.seat(number) for number in range(1, -(-good // (2 * MAX_EACH)) + 1)]
        flood = list_poison([self.mails.last(each) for _, pair in tables for each in pair])
        for data in islice(flood, poison):
            self.box.put(next(self.numbers), data)
        services = self.mails.services
        async with serve_mailbox(self.box, poll=3600) as imap:
            find = partial(find_addressee, post=self.post)
            jobs = [
                Inbox(imap, self.mails.front.receive, self.mails.front.clerk.set_aside, find).run(),
                self.mails.front.letters.run(), Sending(services.outbox, Settler(services)).run(),
            ]  # fmt: skip
            running = [asyncio.create_task(job) for job in jobs]
            left = [good // len(tables) + (place < good % len(tables)) for place in range(len(tables))]
            await asyncio.gather(*(self.bid(*table, times) for table, times in zip(tables, left, strict=True)))
            while set(self.box.mails) - self.box.seen and not all(each.done() for each in running):
                await asyncio.sleep(0.05)
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        found = await judge_ledger(services.database, self.box.mails, self.box.seen)
        found.waited = self.waited
        here = [await services.table.load_position(game) for game, _ in tables]
        found.moves = sum(each.version for each in here) - good
        return found

    # --- replays and forgeries -----------------------------------------------------------------

    async def send_again(self) -> tuple[int, int]:
        """Send each good reply again in every way; return how many came in, and how many moves they made."""
        tables = {game for _, game, _ in self.good}
        before = [(await self.mails.services.table.load_position(game)).version for game in tables]
        sent = 0
        for place, (address, _, data) in enumerate(self.good):
            other = self.good[place - 1][2]
            for copy in list_forgeries(data, address, other):
                await self.mails.front.receive(copy)
                sent += 1
        after = [(await self.mails.services.table.load_position(game)).version for game in tables]
        return sent, sum(after) - sum(before)


def list_forgeries(data: bytes, address: str, other: bytes) -> Iterator[bytes]:
    """Yield a captured mail as others could send it; only the first has the proof of its writer in full.

    Args:
        data: the mail.
        address: of its writer.
        other: a mail of another turn.
    """
    proof = PROVEN.format(domain=address.partition("@")[2]).encode()
    bare = data.removeprefix(proof)
    head = {line.partition(b":")[0]: line for line in other.splitlines()[:9]}
    to, answers = head[b"To"], head[b"In-Reply-To"]
    yield data
    yield data.replace(b"Message-ID: <r", b"Message-ID: <again")
    yield b"Message-ID: <more@home.example>\n" + data
    yield answers + b"\n" + data
    yield data.replace(b"In-Reply-To:", b"X-Was:")
    yield b"\n".join(answers if line.startswith(b"In-Reply-To:") else line for line in data.split(b"\n"))
    yield bare
    yield FORGED.format(domain="home.example").encode() + bare
    yield proof + bare.replace(address.encode(), b"mallory@else.example", 1)
    yield bare.replace(b"From: <", b"From: <mallory@else.example>, <", 1)
    yield proof + b"\n".join(to if line.startswith(b"To:") else line for line in bare.split(b"\n"))
    yield b"Resent-From: mallory@else.example\n" + data.replace(b"Message-ID: <r", b"Message-ID: <resent")


@contextlib.asynccontextmanager
async def open_flood(folder: Path, plus: str = "+") -> AsyncIterator[Flood]:
    """Open an empty house for a flood."""
    clock = Clock()
    clock.now = int(time.time())
    services = await Services.open(folder / "store.sqlite", clock)
    try:
        yield Flood(services, clock, plus)
    finally:
        await services.close()


async def run_flood(folder: Path, poison: int, good: int, plus: str = "+") -> tuple[Figures, int, int]:
    """Run a flood, then the replays; return the figures, and how many copies came in and moved."""
    async with open_flood(folder, plus) as flood:
        found = await flood.run(poison, good)
        sent, moved = await flood.send_again()
        found.moves += moved
        return found, sent, moved


def main() -> int:
    """Run what is asked for; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mail.bench")
    parser.add_argument("--poison", type=int, default=5000)
    parser.add_argument("--good", type=int, default=200, help="0 leaves the flood out")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--hours", type=float, default=72.0, help="for which the mail server is away")
    parser.add_argument("--moves", type=int, default=0, help="of each game, 0 to its end; less than 0 leaves them out")
    parser.add_argument("--plus", default="+", help="the separator of our addresses; empty for none")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    with tempfile.TemporaryDirectory() as folder:
        wrong = report_flood(Path(folder), given.poison, given.good, given.plus) if given.good else 0
    if given.moves >= 0:
        wish = Wish(moves=given.moves, kills=given.kills, hours=given.hours, plus=given.plus)
        wrong += report_life(given.seed, wish)
    return min(1, wrong)


def report_flood(folder: Path, poison: int, good: int, plus: str) -> int:
    """Run a flood and the replays; print the figures, and return how much went wrong."""
    began, used = time.monotonic(), time.process_time()
    found, sent, moved = asyncio.run(run_flood(folder, poison, good, plus))
    spent = f"{time.monotonic() - began:.0f} s, {time.process_time() - used:.0f} s of a processor"
    sys.stdout.write(f"{found.describe()}replays and forgeries: {sent} mails, {moved} moves; {spent}\n")
    sys.stdout.flush()
    return found.silent + found.unread + found.moves


def report_life(seed: int, wish: Wish) -> int:
    """Live through games by mail; print the figures, and return how much went wrong."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        Runner(Path(folder))
        used = time.process_time()
        lived = live(seed, Path(folder), wish)
    sys.stdout.write(f"{describe_life(lived, wish)}{time.process_time() - used:.0f} s of a processor\n")
    return len(lived.silent) + len(lived.wrong)


def describe_life(lived: Lived, wish: Wish) -> str:
    """Return the figures of a life, a line each."""
    waits = [sorted(each) or [0.0] for each in (lived.waited, lived.waited_after)]
    late = sum(each > 60 for each in lived.waited)
    waits_of = f"median {waits[0][len(waits[0]) // 2]:.1f} s, most {waits[0][-1]:.1f} s, {late} later than a minute"
    met = f"{len(lived.waited_after)} that met the outage, {lived.held} of them moves"
    played = f"{lived.over} to their end: {lived.moves} moves in {lived.days:.1f} days, {wish.kills} kills"
    lines = (
        f"{len(wish.tables)} games by mail, {played}, server away for {wish.hours:g} hours, {wish.bounces} bounces",
        f"{lived.mails} mails in: {_list_counts(lived.fates)}; {len(lived.silent)} silent {lived.silent[:5] or ''}",
        f"letters: {_list_counts(lived.letters)}; {lived.doubled} came twice, under the same Message-ID",
        f"{len(lived.waited)} replies answered, {waits_of}",
        f"{met}, most {waits[1][-1]:.0f} s after it; {lived.killed} moves met a kill",
        *(f"WRONG {each}" for each in lived.wrong[:12]),
    )
    return "\n".join(lines) + "\n"


def _list_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(counts.items()))


if __name__ == "__main__":
    sys.exit(main())
