"""Mailboxes fail in many ways; whatever they do, each mail is dealt with once and no table falls silent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.mail import inbox
from bot.mail.inbox import Inbox
from tests.mail.mailboxes import Mailbox, served


class Reader:
    """Whoever reads the mailbox: keeps what came; the first ``failing`` times it cannot."""

    def __init__(self) -> None:
        self.came: list[bytes] = []
        self.failing = 0
        self._there = asyncio.Event()

    async def receive(self, data: bytes, _: tuple[str, ...]) -> None:
        """Take a mail."""
        if self.failing:
            self.failing -= 1
            raise OSError
        self.came.append(data)
        self._there.set()

    async def has(self, count: int) -> None:
        """Wait, bounded, until so many mails have come."""
        async with asyncio.timeout(30):
            while len(self.came) < count:
                self._there.clear()
                await self._there.wait()


@asynccontextmanager
async def reading(mailbox: Mailbox, poll: float = 0.1) -> AsyncIterator[Reader]:
    """Read a mailbox for as long as it takes."""
    reader = Reader()
    async with served(mailbox, poll) as imap:
        running = asyncio.create_task(Inbox(imap, reader.receive).run())
        try:
            yield reader
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def test_what_is_announced_is_read_at_once_and_marked() -> None:
    """By IDLE; nobody looks by themselves for an hour."""
    mailbox = Mailbox()
    async with reading(mailbox, poll=3600) as reader:
        await mailbox.until_waiting()
        mailbox.put(1, b"Subject: one\r\n\r\nhello\r\n")
        await reader.has(1)
        await mailbox.until_waiting()
        assert mailbox.seen == {1}


@pytest.mark.parametrize("farewell", [b"* BYE going down\r\n", b"", b"* nonsense {99\r\n"])
async def test_a_line_that_is_closed_with_a_word_or_without_is_made_anew(farewell: bytes) -> None:
    """BYE, a closed line, a broken answer: what came meanwhile is read over the next line."""
    mailbox = Mailbox()
    async with reading(mailbox, poll=3600) as reader:
        line = await mailbox.until_waiting()
        mailbox.waiting.remove(line)
        mailbox.put(1, b"Subject: one\r\n\r\nhello\r\n")
        line.write(farewell)
        line.close()
        await reader.has(1)
        assert mailbox.logins == 2


async def test_a_line_that_says_nothing_any_more_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """It hangs, and was not closed: the next look finds it out."""
    monkeypatch.setattr(inbox, "TIMEOUT", 0.3)
    mailbox = Mailbox()
    async with reading(mailbox) as reader:
        mailbox.silent = await mailbox.until_waiting()
        mailbox.put(1, b"Subject: one\r\n\r\nhello\r\n")
        await reader.has(1)
        assert mailbox.logins == 2


async def test_a_server_that_announces_nothing_is_looked_at() -> None:
    mailbox = Mailbox(idles=False)
    async with reading(mailbox) as reader:
        for number in (1, 2):
            mailbox.put(number, b"Subject: %d\r\n\r\nhello\r\n" % number)
            await reader.has(number)
    assert mailbox.waiting == []


async def test_a_password_that_is_wrong_is_tried_again() -> None:
    """It may be set right at the server; `doctor` says what is wrong."""
    mailbox = Mailbox(refused=2)
    mailbox.put(1, b"Subject: one\r\n\r\nhello\r\n")
    async with reading(mailbox) as reader:
        await reader.has(1)
    assert mailbox.logins == 3


async def test_a_mail_that_breaks_the_line_is_left_and_a_rebuilt_mailbox_is_read_whole() -> None:
    """After three tries the others come; under a new UIDVALIDITY its number is another mail's, and counts anew."""
    mailbox = Mailbox()
    mailbox.cuts = {7}
    mailbox.put(7, b"Subject: breaks\r\n\r\nhello\r\n")
    mailbox.put(8, b"Subject: eight\r\n\r\nhello\r\n")
    async with reading(mailbox) as reader:
        await reader.has(1)
        assert b"eight" in reader.came[0]
        assert mailbox.logins == 1 + inbox.MOST_TRIES
        mailbox.cuts, mailbox.seen, mailbox.validity = set(), set(), 2
        mailbox.mails = {7: b"Subject: new\r\n\r\nhello\r\n"}
        line = await mailbox.until_waiting()
        line.close()
        await reader.has(2)
        assert b"new" in reader.came[1]


async def test_a_mail_that_could_not_be_dealt_with_comes_again() -> None:
    """Killed, or the store does not answer: the mail is not marked as read."""
    mailbox = Mailbox()
    mailbox.put(1, b"Subject: one\r\n\r\nhello\r\n")
    async with reading(mailbox) as reader:
        reader.failing = 2
        await reader.has(1)
        await mailbox.until_waiting()
    assert len(reader.came) == 1
