"""Real servers on the loopback: a mail goes out by SMTP, its answer comes in by IMAP or LMTP."""

import asyncio
import contextlib
import logging
import smtplib
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from imap_tools import BaseMailBox, MailBoxUnencrypted
from imap_tools.query import AND
from pydantic import SecretStr

from bot.mail.front import Mailbox, MailFront
from bot.mail.inbox import listen_lmtp
from bot.mail.servers import Imap, Smtp, can_announce, write_mail
from bot.model.errors import BotError
from bot.operations import mailing
from bot.operations.doctor import examine
from bot.operations.settings import Settings
from tests.mail.conftest import POST, Begun, tiny, version
from tests.mail.mailboxes import Mailbox as TwinMailbox
from tests.mail.mailboxes import serve_mailbox

FETCH = "(BODY.PEEK[]<0.1048577>)"
"""As the inbox asks for a mail."""


def free_port() -> int:
    """Return a port of the loopback that no one has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Taker:
    """A mail server that keeps what it is given and hands it on, or answers with what it is told to."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, EmailMessage]] = []
        self.answers: list[str] = []
        self.senders: list[str] = []
        self.unknown = ""
        self.deliver: Callable[[str, EmailMessage], None] | None = None
        self.came = asyncio.Event()
        self.loop = asyncio.get_running_loop()

    async def handle_RCPT(self, server: object, session: object, envelope: object, address: str, more: object) -> str:
        """Take a recipient that is known."""
        if address == self.unknown:
            return "550 5.1.1 no such person"
        envelope.rcpt_tos.append(address)  # type: ignore[attr-defined]
        return "250 OK"

    async def handle_DATA(self, server: object, session: object, envelope: object) -> str:
        """Keep a mail."""
        if self.answers:
            return self.answers.pop(0)
        mail = message_from_bytes(envelope.content, policy=default)  # type: ignore[attr-defined]
        self.mails.append((envelope.rcpt_tos[0], mail))  # type: ignore[attr-defined]
        self.senders.append(envelope.mail_from)  # type: ignore[attr-defined]
        if self.deliver is not None:
            self.loop.call_soon_threadsafe(self.deliver, *self.mails[-1])
        self.loop.call_soon_threadsafe(self.came.set)
        return "250 OK"


@pytest.fixture
async def taker() -> AsyncIterator[tuple[Taker, Smtp]]:
    """An SMTP server."""
    taker, port = Taker(), free_port()
    controller = Controller(taker, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield taker, Smtp("127.0.0.1", port, tls="none")
    finally:
        controller.stop()


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Imap]:
    """An IMAP server in a process of its own, with one empty mailbox."""
    port = free_port()
    start = "from pymap.main import main; main()"
    command = [sys.executable, "-c", start, "--host", "127.0.0.1", "--port", str(port), "--no-tls", "dict"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield Imap("127.0.0.1", port, "demouser", "demopass", tls="none", poll=1)
    finally:
        process.kill()
        process.wait()


def put(imap: Imap, data: bytes) -> None:
    """Put a mail into the mailbox, as a mail server does."""
    with MailBoxUnencrypted(imap.host, imap.port, timeout=10).login(imap.user, imap.password) as box:
        box.append(data, "INBOX")


async def came(taker: Taker, count: int) -> None:
    """Wait, bounded, until so many mails have come."""
    async with asyncio.timeout(30):
        while len(taker.mails) < count:
            taker.came.clear()
            await taker.came.wait()


async def test_a_reply_goes_around_through_real_servers(begun: Begun, taker: tuple[Taker, Smtp], mailbox: Imap) -> None:
    """From the reply in the mailbox to the move in the store and the answer at the server; a mail counts once."""
    kept, smtp = taker
    mails, game, first, second = begun
    front = MailFront(mails.services, tiny, Mailbox(POST, mails.front.mailbox.trust, imap=mailbox), smtp.deliver)
    running = asyncio.create_task(front.run(alone=True))
    took: list[float] = []
    try:
        bid, reply = 10, b""
        who, other = first, second
        for _ in range(3):
            at, before = time.perf_counter(), len(kept.mails)
            reply = mails.reply(who, f"bid {bid}")
            await asyncio.to_thread(put, mailbox, reply)
            await came(kept, before + 2)
            took.append(time.perf_counter() - at)
            mails.out += kept.mails[before:]
            assert {to for to, _ in kept.mails[before:]} == {who, other}
            who, other, bid = other, who, bid + 5
        assert await version(mails, game) == 3
        await asyncio.to_thread(put, mailbox, reply)
        await asyncio.to_thread(put, mailbox, mails.reply(who, "help"))
        await came(kept, 7)
        assert len(kept.mails) == 7
        assert await version(mails, game) == 3
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    logging.getLogger(__name__).warning("round trip, median of %d: %.3f s", len(took), statistics.median(took))


async def test_a_server_that_dies_inside_a_mail_gets_it_again_under_the_same_name(
    begun: Begun, taker: tuple[Taker, Smtp]
) -> None:
    """Killed within DATA: no one knows whether it was taken; it goes out again, and its name tells that it is one."""
    mails, _, first, _ = begun
    kept, smtp = taker
    names: list[str] = []

    async def dying(reader: asyncio.StreamReader, line: asyncio.StreamWriter) -> None:
        line.write(b"220 here\r\n")
        while said := await reader.readline():
            if said.upper().startswith(b"DATA"):
                line.write(b"354 go on\r\n")
                names.append((await reader.readuntil(b"Reply-To")).decode())
                break
            line.write(b"250 well\r\n")
        line.close()

    server = await asyncio.start_server(dying, "127.0.0.1", 0)
    mails.front.sender.deliver = Smtp("127.0.0.1", server.sockets[0].getsockname()[1], tls="none").deliver
    try:
        await mails.front.receive(mails.reply(first, "help"))
        await mails.send_all()
        assert len(names) == 1
    finally:
        server.close()
    mails.front.sender.deliver = smtp.deliver
    await mails.send_all()
    assert kept.mails == [], "it rests for a while"
    mails.clock.now += 3600
    await mails.send_all()
    ((to, mail),) = kept.mails
    assert to == first
    assert str(mail["Message-ID"]) in names[0]


async def test_the_program_ends_though_it_is_just_handing_over_a_mail(begun: Begun) -> None:
    """Told to end within a delivery that swallows that, the sender ends all the same."""
    mails, _, first, _ = begun
    inside = asyncio.Event()

    async def swallows(mail: EmailMessage, sender: str, recipient: str) -> None:
        inside.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)

    mails.front.sender.deliver = swallows
    await mails.front.receive(mails.reply(first, "help"))
    running = asyncio.create_task(mails.front.letters.run())
    async with asyncio.timeout(30):
        await inside.wait()
    running.cancel()
    done, _ = await asyncio.wait([running], timeout=30)
    assert done == {running}


async def test_a_server_of_this_machine_brings_mails_by_lmtp(begun: Begun) -> None:
    """A wrong token is refused at the door, and so is what is too large."""
    mails, game, first, _ = begun
    port = free_port()
    running = asyncio.create_task(listen_lmtp(f"127.0.0.1:{port}", POST, mails.front.receive))
    token = str(mails.last(first)["Reply-To"]).partition("<")[2].rstrip(">")
    reply = mails.reply(first, "B").replace(b"\n", b"\r\n")

    def bring(to: str, data: bytes) -> None:
        with smtplib.LMTP("127.0.0.1", port, timeout=10) as client:
            client.sendmail("x@home.example", [to], data)

    try:
        for _ in range(100):
            try:
                await asyncio.to_thread(bring, token, reply)
                break
            except ConnectionRefusedError:
                await asyncio.sleep(0.02)
        assert await version(mails, game) == 1
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            await asyncio.to_thread(bring, "turns+1.1.1.aaaaaaaaaaaaaaaa@games.example", reply)
        with pytest.raises((smtplib.SMTPSenderRefused, smtplib.SMTPDataError, smtplib.SMTPServerDisconnected)):
            await asyncio.to_thread(bring, token, reply + b"x\r\n" * 400_000)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_doctor_tries_both_servers_and_says_what_is_wrong(
    taker: tuple[Taker, Smtp], mailbox: Imap, tmp_path: Path
) -> None:
    settings = Settings(
        database=str(tmp_path / "s.sqlite"), mail_address="turns@games.example", smtp_host="127.0.0.1",
        smtp_port=taker[1].port, smtp_tls="none", imap_host="127.0.0.1", imap_port=mailbox.port, imap_tls="none",
        imap_user="demouser", imap_password=SecretStr("wrong"), _env_file=None,
    )  # type: ignore[call-arg]  # fmt: skip
    assert "accepts mail" in await mailing.check_smtp(settings)
    found = {each.what: each for each in await examine(settings)}
    assert found["mails out"].well
    assert "mails of this week" not in found, "there is no database before the first start"
    assert found["token"].words.endswith("“stationmaster run” serves e-mail, and opens the local table at a terminal")
    assert not found["mails in"].well
    assert found["senders"].words == "verified by their signature (DKIM), which the bot checks"
    with pytest.raises(BotError, match="gets no replies"):
        await mailing.check_imap(settings.model_copy(update={"imap_host": ""}))


@pytest.mark.parametrize("is_twin", [False, True])
async def test_the_mailbox_of_other_tests_answers_as_a_real_server_does(mailbox: Imap, *, is_twin: bool) -> None:
    """Announced by IDLE, fetched without being marked, marked when that is said; a mail that is gone is no error."""
    twin, data = TwinMailbox(), b"Subject: one\r\n\r\nhello\r\n"

    def use(box: BaseMailBox, imap: Imap) -> None:
        assert can_announce(box)
        assert box.client.response("UIDVALIDITY")[1][0]
        before = set(box.uids(AND(seen=False)))
        with box.idle as idle:
            if is_twin:
                loop.call_soon_threadsafe(twin.put, 1, data)
            else:
                put(imap, data)
            assert any(b"EXISTS" in line for line in idle.poll(timeout=20))
        (uid,) = set(box.uids(AND(seen=False))) - before
        for _ in range(2):
            status, found = box.client.uid("fetch", uid, FETCH)
            assert (status, [part[1] for part in found if isinstance(part, tuple)]) == ("OK", [data])
            assert uid in box.uids(AND(seen=False))
        assert box.client.uid("store", uid, "+FLAGS", "(\\Seen \\Flagged)")[0] == "OK"
        assert uid not in box.uids(AND(seen=False))
        status, found = box.client.uid("fetch", "999999", FETCH)
        assert (status, [part for part in found if isinstance(part, tuple)]) == ("OK", [])

    def try_out(imap: Imap) -> None:
        box = imap.open()
        try:
            use(box, imap)
        finally:
            box.logout()

    loop = asyncio.get_running_loop()
    async with contextlib.AsyncExitStack() as stack:
        await asyncio.to_thread(try_out, await stack.enter_async_context(serve_mailbox(twin)) if is_twin else mailbox)


@pytest.mark.parametrize("length", [60, 72, 77, 100])
def test_a_subject_of_any_length_begins_on_its_own_line(length: int) -> None:
    """Else mail programs show it with a space before it."""
    mail = EmailMessage()
    mail["Subject"] = ("[1862 #1] " + "SR 3: your turn, buy or sell, " * 5)[:length].strip()
    mail.set_content("Zoë\n")
    written = write_mail(mail)
    assert message_from_bytes(written, policy=default)["Subject"] == mail["Subject"]
    assert written.isascii()
