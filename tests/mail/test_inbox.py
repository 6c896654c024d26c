"""Mailboxes fail in many ways; whatever they do, each mail is dealt with once and no table falls silent."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from bot.mail import inbox, servers
from bot.mail.address import ReplyToken
from bot.mail.body import MAX_BYTES
from bot.mail.inbox import Inbox
from bot.mail.origin import find_addressee
from bot.mail.quarantine import Quarantine
from tests.mail.conftest import POST
from tests.mail.mailboxes import Mailbox, serve_mailbox


class Reader:
    """Whoever reads the mailbox: keeps what came; the first ``failing`` times it cannot."""

    def __init__(self) -> None:
        self.came: list[bytes] = []
        self.sizes: list[int] = []
        self.failing = 0
        self.word = "answered"
        self._there = asyncio.Event()

    async def receive(self, data: bytes, _: tuple[str, ...], size: int = 0) -> str:
        """Take a mail."""
        self.sizes.append(size)
        if self.failing:
            self.failing -= 1
            raise OSError
        self.came.append(data)
        self._there.set()
        return self.word

    async def has(self, count: int) -> None:
        """Wait, bounded, until so many mails have come."""
        async with asyncio.timeout(30):
            while len(self.came) < count:
                self._there.clear()
                await self._there.wait()


@asynccontextmanager
async def reading(mailbox: Mailbox, poll: float = 0.1, quarantine: Quarantine | None = None) -> AsyncIterator[Reader]:
    """Read a mailbox for as long as it takes."""
    reader = Reader()
    async with serve_mailbox(mailbox, poll) as imap:
        running = asyncio.create_task(
            Inbox(imap, reader.receive, (quarantine or Quarantine(Path(os.devnull))).add).run()
        )
        try:
            yield reader
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def test_announced_mail_is_read_at_once_and_marked() -> None:
    """By IDLE; no one looks by themselves for an hour."""
    mailbox = Mailbox()
    async with reading(mailbox, poll=3600) as reader:
        await mailbox.until_waiting()
        mailbox.put(1, b"Subject: one\r\n\r\nhello\r\n")
        await reader.has(1)
        await mailbox.until_waiting()
        assert mailbox.seen == {1}
        assert mailbox.logins == 1, "an hour is longer than a line may wait"


async def test_a_line_of_the_stand_in_that_is_cancelled_ends_without_a_word() -> None:
    """As the loop's end does; asyncio would log a traceback in the middle of another test."""
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    async with serve_mailbox(Mailbox()) as imap:
        reader, line = await asyncio.open_connection(imap.host, imap.port)
        assert await reader.readline() == b"* OK here\r\n"
        serving = [each for each in asyncio.all_tasks() if each.get_coro().__qualname__ == "Mailbox.serve"]  # type: ignore[union-attr]
        assert [each.cancel() for each in serving] == [True]
        assert await reader.read() == b""
        line.close()
    assert complaints == []


@pytest.mark.parametrize("farewell", [b"* BYE going down\r\n", b"", b"* nonsense {99\r\n"])
async def test_a_connection_closed_with_or_without_notice_is_reopened(farewell: bytes) -> None:
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


async def test_a_silent_connection_is_reopened(monkeypatch: pytest.MonkeyPatch) -> None:
    """It hangs, and was not closed: the next look finds it out."""
    monkeypatch.setattr(servers, "TIMEOUT_SECONDS", 0.3)
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


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rest less after failures."""
    monkeypatch.setattr(inbox, "RETRY_SECONDS_MIN", 0.01)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a mail be the trouble at once if others come through."""
    monkeypatch.setattr(inbox, "MIN_FAILING_SECONDS", 0.0)


async def until_seen(mailbox: Mailbox, *numbers: int) -> None:
    """Wait, bounded, until mails are marked as read."""
    async with asyncio.timeout(30):
        while not set(numbers) <= mailbox.seen:
            await asyncio.sleep(0.02)


@pytest.mark.usefixtures("impatient")
async def test_mail_that_breaks_the_line_is_set_aside_and_a_rebuilt_mailbox_is_read_whole(tmp_path: Path) -> None:
    """The others come first; under a new UIDVALIDITY its number is another mail's, and counts from the start."""
    mailbox, quarantine = Mailbox(), Quarantine(tmp_path)
    mailbox.cuts = {7}
    mailbox.put(7, b"Subject: breaks\r\n\r\nhello\r\n")
    mailbox.put(8, b"Subject: eight\r\n\r\nhello\r\n")
    async with reading(mailbox, quarantine=quarantine) as reader:
        await reader.has(1)
        assert b"eight" in reader.came[0]
        await until_seen(mailbox, 7, 8)
        assert mailbox.logins == 1 + inbox.MIN_FAILED_FETCHES
        assert mailbox.flagged == {7}
        assert [mail.reason for mail in quarantine.list_mails()] == [
            "Mail 7 in INBOX can't be fetched; it's flagged there."
        ]
        mailbox.cuts, mailbox.seen, mailbox.validity = set(), set(), 2
        mailbox.mails = {7: b"Subject: new\r\n\r\nhello\r\n"}
        line = await mailbox.until_waiting()
        line.close()
        await reader.has(2)
        assert b"new" in reader.came[1]


@pytest.mark.parametrize("has_other", [True, False])
async def test_good_mail_is_read_after_the_mailbox_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_other: bool
) -> None:
    """It failed as often as a bad mail does: not for long though others came through, or with every mail for long."""
    if not has_other:
        monkeypatch.setattr(inbox, "MIN_FAILING_SECONDS", 0.0)
    mailbox, quarantine = Mailbox(), Quarantine(tmp_path)
    mailbox.cuts = {7}
    mailbox.put(7, b"Subject: seven\r\n\r\nhello\r\n")
    if has_other:
        mailbox.put(8, b"Subject: eight\r\n\r\nhello\r\n")
    async with reading(mailbox, quarantine=quarantine) as reader:
        async with asyncio.timeout(30):
            while mailbox.logins <= inbox.MIN_FAILED_FETCHES:
                await asyncio.sleep(0.02)
        mailbox.cuts = set()
        await until_seen(mailbox, 7)
        assert b"seven" in reader.came[-1]
    assert mailbox.flagged == set()
    assert quarantine.list_mails() == []


@pytest.mark.usefixtures("impatient")
async def test_mail_that_the_server_cannot_give_is_set_aside(tmp_path: Path) -> None:
    """It says NO to the fetch: that mail is noted, not taken for one that is gone; the next is read."""
    mailbox, quarantine = Mailbox(), Quarantine(tmp_path)
    mailbox.unfetchable = {1}
    mailbox.put(1, b"Subject: one\r\n\r\nhello\r\n")
    mailbox.put(2, b"Subject: two\r\n\r\nhello\r\n")
    async with reading(mailbox, quarantine=quarantine) as reader:
        await reader.has(1)
        await until_seen(mailbox, 1, 2)
    assert mailbox.flagged == {1}
    assert len(quarantine.list_mails()) == 1


async def test_mails_that_fail_each_time_do_not_stop_the_next(tmp_path: Path) -> None:
    """However many lie unread before it, a mail is read in the same look."""
    mailbox = Mailbox()
    for number in range(1, 121):
        mailbox.put(number, b"Subject: %d\r\n\r\nhello\r\n" % number)
    async with reading(mailbox, poll=3600, quarantine=Quarantine(tmp_path)) as reader:
        reader.failing = 119
        await reader.has(1)
        assert b"120" in reader.came[0]
        await until_seen(mailbox, 120)


async def test_large_mail_is_not_fetched_whole() -> None:
    """Its size is asked first, and only its head comes over the line, so that it can be answered."""
    mailbox = Mailbox()
    large = b"Subject: one\r\n\r\n" + b"x" * (3 * MAX_BYTES)
    mailbox.put(1, large)
    mailbox.put(2, b"Subject: two\r\n\r\n" + b"x" * 1000)
    async with reading(mailbox) as reader:
        await reader.has(2)
    assert mailbox.fetches == [inbox.HEAD_BYTES, 1016]
    assert reader.sizes == [len(large), 0]


async def test_mail_that_was_set_aside_is_flagged_for_the_operator() -> None:
    mailbox = Mailbox()
    mailbox.put(1, b"Subject: one\r\n\r\nhello\r\n")
    async with reading(mailbox) as reader:
        reader.word = "quarantined"
        await until_seen(mailbox, 1)
    assert mailbox.flagged == {1}


async def test_mail_that_cannot_be_marked_is_read_once() -> None:
    """In a mailbox that may only be read the program would read it without end."""
    mailbox = Mailbox()
    mailbox.read_only = True
    mailbox.put(1, b"Subject: one\r\n\r\nhello\r\n")
    async with reading(mailbox) as reader:
        await reader.has(1)
        mailbox.put(2, b"Subject: two\r\n\r\nhello\r\n")
        await reader.has(2)
    assert [data[9:12] for data in reader.came] == [b"one", b"two"]


async def test_a_mail_that_could_not_be_dealt_with_comes_again() -> None:
    """Killed, or the store does not answer: the mail is not marked as read."""
    mailbox = Mailbox()
    mailbox.put(1, b"Subject: one\r\n\r\nhello\r\n")
    async with reading(mailbox) as reader:
        reader.failing = 2
        await reader.has(1)
        await mailbox.until_waiting()
    assert len(reader.came) == 1


async def test_a_mail_that_was_dealt_with_is_marked_over_the_next_line_where_its_own_broke() -> None:
    """Else it would look unread for as long as the bot runs."""
    mailbox = Mailbox()
    mailbox.put(1, b"Subject: one\r\n\r\nhello\r\n")
    mailbox.cut_marks = 1
    async with reading(mailbox) as reader:
        await reader.has(1)
        async with asyncio.timeout(30):
            while mailbox.seen != {1}:
                await asyncio.sleep(0.02)
    assert len(reader.came) == 1
    assert mailbox.logins == 2


@pytest.mark.parametrize(
    "to",
    [POST.address, "turns+1.2.3.aaaaaaaaaaaaaaaa@games.example", POST.make_reply_address(ReplyToken(7, 8, 1))],
    ids=["no address of ours", "an address that we didn't sign", "the address of another player"],
)
async def test_reply_is_not_kept_waiting_by_hundreds_of_other_mails(to: str) -> None:
    """It comes while the others are read, and at most a few before it; a second one of its player follows."""
    mailbox = Mailbox()
    for number in range(1, 301):
        mailbox.put(number, f"From: m@else.example\r\nSubject: spam\r\nTo: {to}\r\n\r\nhello\r\n".encode())
    own = POST.make_reply_address(ReplyToken(7, 9, 1))
    for number, name in ((301, "one"), (302, "two")):
        mailbox.put(number, f"From: ann@home.example\r\nSubject: {name}\r\nTo: {own}\r\n\r\n2\r\n".encode())
    reader = Reader()
    async with serve_mailbox(mailbox) as imap:
        inbox = Inbox(imap, reader.receive, Quarantine(Path(os.devnull)).add, partial(find_addressee, post=POST))
        running = asyncio.create_task(inbox.run())
        try:
            await reader.has(302)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    places = [place for place, data in enumerate(reader.came) if b"spam" not in data]
    assert places[1] < 10
    assert b"Subject: one" in reader.came[places[0]]
