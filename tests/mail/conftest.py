"""A mail front whose mails are caught, and people who answer them."""

import asyncio
import contextlib
import re
import shutil
from base64 import encodebytes
from collections.abc import AsyncIterator
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.mail.address import OwnMailbox
from bot.mail.clerk import Trust
from bot.mail.front import Mailbox, MailFront, Settler
from bot.model.records import NewTable, Person, Table
from bot.screens.drawing import Draw, make_drawer
from bot.service.hosting import Guest
from bot.service.sending import Sending
from bot.service.services import Services
from engine.view import View
from render import Renderer
from tests.bot.conftest import Clock
from tests.mail.letters import text_part

POST = OwnMailbox("turns@games.example", b"k" * 32)
PROVEN = "Authentication-Results: mx.games.example; dmarc=pass header.from={domain}\n"
TINY = b"\x89PNG\r\n\x1a\n" + b"\0" * 64


async def tiny(view: View, palette: str) -> bytes:
    """Draw nothing, quickly."""
    del view, palette
    return TINY


async def settle(sending: Sending) -> None:
    """Let a sender do all that is due."""
    while True:
        await sending.run_round()
        tasks = list(sending._busy.values())
        if not tasks:
            return
        await asyncio.gather(*tasks)


class Mails:
    """A table by mail: what goes out is caught, what people write is handed in.

    Args:
        services: on a store of its own. clock: set by the test. draw: the pictures.
    """

    def __init__(self, services: Services, clock: Clock, draw: Draw = tiny) -> None:
        self.services = services
        self.clock = clock
        self.out: list[tuple[str, EmailMessage]] = []
        self.trouble: list[Exception] = []
        self.unreachable: dict[str, Exception] = {}
        self.front = MailFront(services, draw, Mailbox(POST, Trust(("mx.games.example",))), self.caught)
        self.count = 0

    async def caught(self, mail: EmailMessage, sender: str, recipient: str) -> None:
        """Take a mail as a server does, or make the trouble that was ordered."""
        del sender
        if self.trouble:
            raise self.trouble.pop(0)
        if recipient in self.unreachable:
            raise self.unreachable[recipient]
        self.out.append((recipient, mail))

    async def send_all(self) -> list[tuple[str, EmailMessage]]:
        """Send all that is due; return it."""
        before = len(self.out)
        await settle(Sending(self.services.outbox, Settler(self.services)))
        await settle(self.front.letters)
        return self.out[before:]

    def last(self, address: str) -> EmailMessage:
        """Return the last mail to someone."""
        return next(mail for to, mail in reversed(self.out) if to == address)

    def reply(self, address: str, text: str, to: EmailMessage | None = None, proof: str = PROVEN) -> bytes:
        """Return what someone's mail program sends as the answer to their last mail (or to another)."""
        mail = to if to is not None else self.last(address)
        self.count += 1
        head = (
            f"From: <{address}>\nTo: {mail['Reply-To']}\nSubject: Re: {mail['Subject']}\n"
            f"Message-ID: <r{self.count}@home.example>\nIn-Reply-To: {mail['Message-ID']}\n"
            f"References: {mail['References']} {mail['Message-ID']}\n"
            "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n"
        )
        quoted = "\n".join(f"> {line}" for line in text_part(mail).splitlines())
        body = f"{text}\n\nOn 22 Nov 2026, at 09:14, Stationmaster <{POST.address}> wrote:\n{quoted}\n"
        return (proof.format(domain=address.partition("@")[2]) + head + "\n").encode() + encodebytes(body.encode())

    async def answer(self, address: str, text: str, to: EmailMessage | None = None) -> str:
        """Answer a mail, and return the text of the answer to that, "" if there is none."""
        before = len(self.out)
        await self.front.receive(self.reply(address, text, to))
        await self.send_all()
        return next((text_part(mail) for who, mail in self.out[before:] if who == address), "")

    async def seat(self, title: str = "1860", people: int = 2, seed: int = 5) -> Table:
        """Open a table by mail only, and let all invited say yes."""
        addresses = [f"p{number}@home.example" for number in range(1, people + 1)]
        guests = [Guest(address, f"P{number}") for number, address in enumerate(addresses, 1)]
        table = await self.services.hosting.open_table(NewTable(title, people, seed=seed), guests)
        for address in addresses:
            await self.send_all()
            await self.answer(address, "yes")
        return await self.services.lobby.get_table(table.id)


class Begun(NamedTuple):
    """A table of two that has begun: its number, the address of who must decide, and the other."""

    mails: Mails
    game: int
    first: str
    second: str


ONE, TWO = "p1@home.example", "p2@home.example"
_Out = list[tuple[str, EmailMessage]]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def begun_store(fresh_store: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, str, _Out]:
    """A store in which two have said yes to a game of 1860; made once, to be copied."""
    path = tmp_path_factory.mktemp("begun") / "store.sqlite"
    shutil.copy(fresh_store, path)

    async def make() -> tuple[int, str, _Out]:
        clock = Clock()
        services = await Services.open(path, clock)
        try:
            mails = Mails(services, clock)
            table = await mails.seat()
            here = await services.table.load_position(table.id)
            return table.id, ONE if here.actors[0].name == "P1" else TWO, mails.out
        finally:
            await services.close()

    return path, *asyncio.run(make())


@pytest.fixture
async def begun(begun_store: tuple[Path, int, str, _Out], clock: Clock, tmp_path: Path) -> AsyncIterator[Begun]:
    """A table of two by mail, at its first decision."""
    made, game, first, out = begun_store
    path = tmp_path / "store.sqlite"
    shutil.copy(made, path)
    services = await Services.open(path, clock)
    try:
        mails = Mails(services, clock)
        mails.out, mails.count = list(out), 100
        yield Begun(mails, game, first, TWO if first == ONE else ONE)
    finally:
        await services.close()


async def version(mails: Mails, game: int) -> int:
    """Return how many entries the log has."""
    return (await mails.services.table.load_position(game)).version


@pytest.fixture
async def mails(clock: Clock, fresh_store: Path, tmp_path: Path) -> AsyncIterator[Mails]:
    path = tmp_path / "store.sqlite"
    shutil.copy(fresh_store, path)
    services = await Services.open(path, clock)
    try:
        yield Mails(services, clock)
    finally:
        await services.close()


@pytest.fixture
def painter() -> Draw:
    return make_drawer(Renderer())


def code_in(text: str) -> str:
    """Return the code that a mail holds."""
    found = re.search(r"\b(\d{6})\b", text)
    assert found is not None, text
    return found[1]


async def until(happened: "asyncio.Event", seconds: float = 20.0) -> None:
    """Wait for an event, bounded."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await happened.wait()
    assert happened.is_set()


ANN, BOB = Person("1", "Ann"), Person("2", "Bob")
