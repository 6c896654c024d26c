"""All mails of a table are one conversation, by the rule of the field and in a real mail server."""

import asyncio
import imaplib
import re
import smtplib
from email.message import EmailMessage
from pathlib import Path

import pytest

from bot.mail.inbox import Inbox
from bot.mail.page import Envelope, Page, make_mail
from bot.mail.quarantine import Quarantine
from bot.model.letters import Contact
from tests.mail import dovecot
from tests.mail.conftest import POST
from tests.mail.test_servers import free_port

ANN = Contact(12, "ann@home.example", "p12", "Ann")


def conversation(turns: int) -> list[EmailMessage]:
    """Return turns and the replies to them, as they arrive where a relay gives every mail another Message-ID."""
    found = []
    for number in range(1, turns + 1):
        page = Page("[1860 #7 Wight Nights] Your turn", f"OR {number}.1: your move", last="Table #7, version 1")
        turn = make_mail(page, Envelope(POST, ANN, 7, number))
        turn.replace_header("Message-ID", f"<relayed-{number}@ses.example>")
        reply = EmailMessage()
        reply["From"], reply["To"] = ANN.address, str(turn["Reply-To"])
        reply["Subject"] = f"Re: {turn['Subject']}"
        reply["Message-ID"] = f"<reply-{number}@home.example>"
        reply["In-Reply-To"] = turn["Message-ID"]
        reply["References"] = f"{turn['References']} {turn['Message-ID']}"
        reply.set_content("2")
        found += [turn, reply]
    return found


def test_sixty_mails_with_rewritten_names_are_one_conversation() -> None:
    """What names one another, directly or by another mail, belongs together (RFC 5256); and it is one subject."""
    mails = conversation(30)
    of: dict[str, str] = {}

    def root(name: str) -> str:
        while of.setdefault(name, name) != name:
            name = of[name]
        return name

    for mail in mails:
        names = re.findall(r"<[^>]+>", f"{mail['Message-ID']} {mail['In-Reply-To']} {mail['References']}")
        for name in names:
            of[root(name)] = root(names[0])
    assert len({root(str(mail["Message-ID"])) for mail in mails}) == 1
    assert len({str(mail["Subject"]).removeprefix("Re: ") for mail in mails}) == 1


@pytest.mark.skipif(not dovecot.IS_THERE, reason="Debian's dovecot-imapd and dovecot-lmtpd are not installed")
async def test_a_real_mail_server_announces_mails_and_shows_one_conversation(tmp_path: Path) -> None:
    """Dovecot: brought by LMTP, announced by IDLE, read once each; its THREAD is one."""
    came: list[bytes] = []
    all_there = asyncio.Event()
    mails = conversation(5)

    async def receive(data: bytes, _: tuple[str, ...]) -> str:
        came.append(data)
        if len(came) == len(mails):
            all_there.set()
        return "answered"

    at, door = free_port(), free_port()
    with dovecot.dovecot(at, door) as imap:

        def bring(mail: EmailMessage) -> None:
            with smtplib.LMTP("127.0.0.1", door, timeout=30) as client:
                client.sendmail("x@home.example", ["turns+7.12@games.example"], mail.as_bytes())

        await asyncio.to_thread(bring, mails[0])
        running = asyncio.create_task(Inbox(imap, receive, Quarantine(tmp_path).add).run())
        try:
            for mail in mails[1:]:
                await asyncio.to_thread(bring, mail)
            async with asyncio.timeout(60):
                await all_there.wait()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

        def threads() -> str:
            with imaplib.IMAP4("127.0.0.1", at, timeout=30) as box:
                box.login(imap.user, imap.password)
                box.select(readonly=True)
                return str(box.uid("thread", "REFERENCES", "UTF-8", "ALL")[1][0].decode())

        shown = await asyncio.to_thread(threads)
    assert len(came) == len(set(came)) == len(mails)
    depth, roots = 0, 0
    for sign in shown:
        roots += sign == "(" and depth == 0
        depth += (sign == "(") - (sign == ")")
    assert roots == 1, shown
