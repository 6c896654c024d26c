"""Every mail comes to an end, whatever it holds, and the next one is read; what fails the reader is set aside."""

import asyncio
import random
import smtplib
import time
from email.message import Message
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from bot.mail import clerk, origin, quarantine
from bot.mail.address import OwnMailbox
from bot.mail.body import MAX_BYTES, MAX_HEAD_BYTES
from bot.mail.inbox import Inbox, listen_lmtp
from bot.mail.ledger import Ledger
from bot.mail.origin import Sorted, sort_mail
from bot.mail.proof import MAX_RESULT_LETTERS, parse_results
from bot.mail.quarantine import Quarantine
from bot.model.posts import Owed
from bot.operations.doctor import examine
from bot.operations.settings import Settings
from bot.store.database import StoreError
from bot.store.incoming import Received
from tests.mail.conftest import POST, Begun, version
from tests.mail.letters import mail, read_reply
from tests.mail.mailboxes import Mailbox, serve_mailbox
from tests.mail.test_servers import free_port

POISON = b"From: a@b.example\nTo: turns@games.example\nSubject: poison\n\nhello\n"
ENDS = {"answered", "known", "stranger", "loop", "silent", "too many", "unreadable", "quarantined", "late", "machine",
        "bounce", "policy", "complaint"}  # fmt: skip
TO = b"To: turns@games.example\n"


def hostile(size: int) -> dict[str, bytes]:
    """Return mails that take readers long, or make them fail, each of about a size."""
    head = b"From: Ann <p1@home.example>\n" + TO
    parts = b"Content-Type: multipart/mixed; boundary=x\n\n--x\n"
    report = b"Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n--x\n"
    return {
        "from-comments": b"From: " + b"(" * size + b"\n" + TO + b"\nhi\n",
        "from-groups": b"From: " + b"a:" * (size // 2) + b"\n" + TO + b"\nhi\n",
        "from-many": b"From: " + b"a@b," * (size // 4) + b"\n" + TO + b"\nhi\n",
        "subject-encoded": head + b"Subject: " + b"=?utf-8?q?x?= " * (size // 14) + b"\n\nhi\n",
        "results": b"Authentication-Results: mx.games.example;" + b" a=b" * (size // 4) + b"\n" + head + b"\nhi\n",
        "results-comments": b"Authentication-Results: mx.games.example; dmarc=pass " + b"(" * size + b"\n" + head,
        "type-quotes": head + b"Content-Type: text/plain" + b';"' * (size // 2) + b"\n\nhi\n",
        "type-continued": head + b"Content-Type: text/plain"
        + b"".join(b"; a*%d=b" % number for number in range(size // 10)) + b"\n\nhi\n",
        "part-quotes": head + parts + b"Content-Disposition: a" + b';"' * (size // 2) + b"\n\nhi\n--x--\n",
        "part-folded": head + parts + b"Content-Type: text/plain" + b';\r\n "a' * (size // 6) + b"\n\nhi\n--x--\n",
        "report-blocks": head + report + b"Content-Type: message/delivery-status\n\n" + b"A: b\n\n" * (size // 6),
        "long-line": head + b"\n" + b"a.a" * (min(size, 16_000) // 3) + b"\n",
        "charset-hex": head + b"Content-Type: text/plain; charset=hex\n\nzz\n",
        "charset-idna": head + b"Content-Type: text/plain; charset=idna\n\n" + b"a." * (min(size, 16_000) // 2),
        "charset-undefined": head + b"Content-Type: text/plain; charset=undefined\n\nhi\n",
        "charset-nul": head + b'Content-Type: text/plain; charset="a\0b"\n\nhi\n',
        "encoded-charset": head + b"Subject: =?hex?q?zz?= =?undefined?b?zz?= =?\xff?q?=?=\n\nhi\n",
        "date": head + b"Date: Mon, 99 Zzz 99999999999 99:99:99 +9999999\nMessage-ID: <\xff\xfe>\n\nhi\n",
        "type-odd": head + b"Content-Type: multipart/\xff; boundary*=x'y'%ff; boundary*0*=a\n\nhi\n",
        "nothing": b"", "nul": b"\0" * size, "returns": b"\r" * size, "lines": b"\n" * size,
    }  # fmt: skip


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the reader fail at what is poison."""

    def sort(message: Message, post: OwnMailbox, recipients: tuple[str, ...] = ()) -> Sorted:
        if message["Subject"] == "poison":
            raise RecursionError
        return sort_mail(message, post, recipients)

    monkeypatch.setattr(origin, "sort_mail", sort)


async def test_sixty_mails_that_break_the_reader_do_not_stop_it(begun: Begun, tmp_path: Path, breaks: None) -> None:
    """The reply behind them is played in the first look; they are read, flagged, kept, and `doctor` reports them."""
    mails, game, first, _ = begun
    box = Mailbox()
    for number in range(1, 61):
        box.put(number, POISON + b"%d" % number)
    box.put(61, mails.reply(first, "B"))
    async with serve_mailbox(box, poll=3600) as imap:
        inbox = Inbox(imap, mails.front.receive, mails.front.clerk.set_aside)
        running = asyncio.create_task(inbox.run())
        try:
            async with asyncio.timeout(30):
                while len(box.seen) < 61:
                    await asyncio.sleep(0.02)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
    assert await version(mails, game) == 1
    assert box.flagged == set(range(1, 61))
    kept = mails.front.clerk.quarantine.list_mails()
    assert len(kept) == 60
    assert all("RecursionError" in each.reason for each in kept)
    assert kept[0].path.read_bytes().partition(b"\r\n")[2].startswith(POISON)
    assert kept[0].path.stat().st_mode & 0o077 == 0
    found = {each.what: each for each in await examine(make_settings(tmp_path))}["mails set aside"]
    assert not found.well
    assert found.words.startswith(f"60 couldn't be read and were moved to {tmp_path / 'quarantine'}")


def make_settings(folder: Path) -> Settings:
    """Return settings with mail, in a folder."""
    return Settings(
        database=str(folder / "store.sqlite"), mail_address=POST.address, mail_key=SecretStr("k"),
        smtp_host="127.0.0.1", smtp_port=free_port(), smtp_tls="none", _env_file=None,
    )  # type: ignore[call-arg]  # fmt: skip


async def test_doctor_is_content_where_no_mail_was_set_aside(begun: Begun, tmp_path: Path) -> None:
    found = {each.what: each for each in await examine(make_settings(tmp_path))}["mails set aside"]
    assert found.well


@pytest.mark.parametrize("size", [700, 60_000, 900_000])
async def test_hostile_mail_comes_to_an_end_soon(begun: Begun, size: int) -> None:
    """A second is ten times what the slowest takes; without bounds several take from 3 to 37 seconds."""
    mails, game, first, _ = begun
    for name, data in hostile(size).items():
        at = time.process_time()
        assert await mails.front.receive(data) in ENDS, name
        assert time.process_time() - at < 1.5, name
    assert await version(mails, game) == 0
    assert "✓" in await mails.answer(first, "B")


async def test_hostile_fields_in_a_players_own_reply_are_answered_or_set_aside(begun: Begun) -> None:
    """The sender is known: the whole way to the choices is gone."""
    mails, game, first, _ = begun
    fields = [
        b"Content-Type: text/plain" + b';"' * 4000,
        b"Content-Type: text/plain; charset=hex",
        b"Content-Type: text/plain; charset=\"a\0b\"; format*0*=x'y'%ff",
        b"Content-Type: multipart/mixed",
        b"Content-Transfer-Encoding: uuencode",
        b"Authentication-Results: mx.games.example; dmarc=pass " + b"(" * 3000,
        b"Authentication-Results: mx.games.example;" + b" a=b" * 15_000,
        b"Subject: =?hex?q?zz?= " + b"=?utf-8?q?x?= " * 3000,
        b"References: " + b"<g1.l1.aaaaaaaaaaaaaaaa@games.example> " * 1500,
        b"Message-ID: " + b"<" * 5000,
    ]
    for field in fields:
        assert await mails.front.receive(field + b"\n" + mails.reply(first, "zz zz")) in ENDS, field[:60]
    assert await version(mails, game) == 0


async def test_players_reply_whose_names_are_badly_encoded_is_played(begun: Begun) -> None:
    """A subject or a name that no one can decode is no more than that."""
    mails, game, first, _ = begun
    reply = mails.reply(first, "B").replace(b"Subject: Re:", b"Subject: =?utf-8?b?A?= Re:")
    reply = reply.replace(b"From: <", b"From: =?utf-8?b?A?= <")
    assert await mails.front.receive(reply) == "answered"
    assert await version(mails, game) == 1


async def test_players_reply_with_an_endless_field_in_a_part_is_answered_soon(begun: Begun) -> None:
    """Python's own parser takes 19 seconds for the parameters of this field."""
    mails, _, first, _ = begun
    head = mails.reply(first, "B").partition(b"MIME-Version")[0]
    part = b"Content-Type: text/plain" + b';"' * 450_000 + b"\n\nhi\n--x--\n"
    at = time.process_time()
    word = await mails.front.receive(head + b"Content-Type: multipart/mixed; boundary=x\n\n--x\n" + part)
    assert time.process_time() - at < 1.5
    assert word == "answered"


def test_endless_line_is_read_soon() -> None:
    """Some patterns take time with the square of a line's length: 1.5 s for 16 kB."""
    at = time.process_time()
    read_reply(mail("=" * 16_000))
    assert time.process_time() - at < 0.6


def test_result_of_a_length_that_no_server_writes_proves_nothing() -> None:
    """The time that the library takes grows faster than the length: 0.8 s for 60 kB."""
    result = "mx.games.example; dmarc=pass header.from=home.example"
    assert parse_results(result).found
    assert not parse_results(f"{result}{' ' * MAX_RESULT_LETTERS}").found


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1 << 32), raw=st.binary(max_size=300))
def test_no_mail_makes_the_reader_fail(seed: int, raw: bytes) -> None:
    """Fields and bodies mixed, cut and bent by chance: each is sorted, or raises what the clerk sets aside."""
    chance = random.Random(seed)  # noqa: S311
    pool = [line for data in hostile(400).values() for line in data.split(b"\n")]
    lines = chance.choices(pool, k=chance.randrange(1, 12))
    lines.insert(chance.randrange(len(lines)), raw)
    data = chance.choice((b"\n", b"\r\n")).join(lines)
    word = asyncio.run(clerk_without_store().receive(data, (POST.address,)))
    assert word in ENDS


class _Nothing:
    """Services of a clerk that never gets as far as the store."""

    folder = Path()
    contacts = None


def clerk_without_store() -> clerk.Clerk:
    """Return a clerk whose store knows nothing, and which keeps no files."""
    made = object.__new__(clerk.Clerk)
    made._tries, made.services = {}, _Nothing()  # type: ignore[assignment]
    made.post, made.trust = POST, clerk.Trust(("mx.games.example",))

    class Drops(Quarantine):
        async def add(self, data: bytes, reason: str) -> None:
            assert reason

        async def begin(self, data: bytes) -> int:
            del data
            return 1

        async def end(self, data: bytes) -> None:
            pass

    class Forgets(Ledger):
        async def note(self, mail: Received, *answers: Owed) -> None:
            assert mail.fate
            assert not answers

    made.quarantine = Drops(Path())
    made.ledger = object.__new__(Forgets)
    return made


async def test_store_that_fails_in_the_middle_sets_no_mail_aside(begun: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it fails: the mail comes again, and is played when the store is back."""
    mails, game, first, _ = begun
    reply = mails.reply(first, "B")

    async def down(*_: object) -> None:
        raise StoreError("The disk of the database is full; nothing was changed.")

    for room, name in (
        (mails.services.table, "submit"),
        (mails.services.contacts, "get_contact"),
        (mails.services.lobby, "get_table"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(room, name, down)
            for _ in range(clerk.MIN_TRIES + 2):
                with pytest.raises(StoreError):
                    await mails.front.receive(reply)
    assert await mails.send_all() == []
    assert mails.front.clerk.quarantine.list_mails() == []
    assert await mails.front.receive(reply) == "answered"
    assert await version(mails, game) == 1


async def test_mail_that_fails_each_time_with_a_sound_store_is_set_aside(
    begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once may be bad luck, so it comes again; after a minute it is kept for the operator."""
    mails, _, first, _ = begun
    reply = mails.reply(first, "B")

    async def defect(*_: object) -> None:
        raise LookupError("a defect")

    monkeypatch.setattr(mails.front.clerk.player, "answer", defect)
    for _ in range(clerk.MIN_TRIES + 2):
        with pytest.raises(LookupError):
            await mails.front.receive(reply)
    mails.clock.now += 60
    assert await mails.front.receive(reply) == "quarantined"
    assert [each.reason for each in mails.front.clerk.quarantine.list_mails()] == ["LookupError('a defect')"]


async def test_mail_that_ends_the_process_each_time_is_set_aside(begun: Begun) -> None:
    """No memory, an event loop that stands still, a defect of a library: then no one is left to count in memory."""
    mails, game, first, _ = begun
    reply = mails.reply(first, "B")
    for _ in range(clerk.MAX_PROCESS_ENDS):
        assert await Quarantine(mails.services.folder).begin(reply) <= clerk.MAX_PROCESS_ENDS
    assert await mails.front.receive(reply) == "quarantined"
    (kept,) = mails.front.clerk.quarantine.list_mails()
    assert "the process crashed 4 times" in kept.reason
    assert await version(mails, game) == 0
    assert await mails.front.receive(reply) == "answered", "the operator may hand it in again"
    assert await version(mails, game) == 1
    assert not list(mails.services.folder.glob("quarantine/*.begun"))


async def test_process_that_dies_a_few_times_loses_no_mail(begun: Begun) -> None:
    mails, game, first, _ = begun
    reply = mails.reply(first, "B")
    for _ in range(clerk.MAX_PROCESS_ENDS - 1):
        await Quarantine(mails.services.folder).begin(reply)
    assert await mails.front.receive(reply) == "answered"
    assert await version(mails, game) == 1


async def test_players_mail_that_fails_the_parser_is_answered_and_set_aside(
    begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails, game, first, _ = begun

    def fails(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(clerk, "read_message", fails)
    assert "I couldn't read your e-mail" in await mails.answer(first, "B")
    assert len(mails.front.clerk.quarantine.list_mails()) == 1
    assert await version(mails, game) == 0


async def test_mail_by_lmtp_that_breaks_the_reader_is_accepted_once(begun: Begun, breaks: None) -> None:
    """The server that brings it must not bring it again for days."""
    mails, _, first, _ = begun
    port = free_port()
    running = asyncio.create_task(listen_lmtp(f"127.0.0.1:{port}", POST, mails.front.receive))
    token = str(mails.last(first)["Reply-To"]).partition("<")[2].rstrip(">")

    def bring() -> None:
        with smtplib.LMTP("127.0.0.1", port, timeout=10) as client:
            client.sendmail("x@home.example", [token], POISON.replace(b"\n", b"\r\n"))

    try:
        for _ in range(100):
            try:
                await asyncio.to_thread(bring)
                break
            except ConnectionRefusedError:
                await asyncio.sleep(0.02)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert len(mails.front.clerk.quarantine.list_mails()) == 1


async def test_quarantine_keeps_each_mail_once_and_only_so_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quarantine, "MAX_QUARANTINED_FILES", 3)
    kept = Quarantine(tmp_path)
    for number in (1, 2, 3, 3, 4, 5):
        await kept.add(b"%d" % number, f"reason {number}\nand a line")
        await asyncio.sleep(0.01)
    assert [each.reason for each in kept.list_mails()] == [f"reason {number} and a line" for number in (5, 4, 3)]


async def test_mail_that_is_too_large_is_refused_by_its_head(begun: Begun) -> None:
    """As the mailbox hands it over, cut off behind what is read; a head beyond all measure is refused too."""
    mails, game, first, _ = begun
    for data in (
        (mails.reply(first, "B") + b"x" * MAX_BYTES)[: MAX_BYTES + 1],
        mails.reply(first, "B").replace(b"Subject:", b"X-Long: " + b"x" * MAX_HEAD_BYTES + b"\nSubject:"),
    ):
        assert await mails.front.receive(data) == "answered"
        ((to, answer),) = await mails.send_all()
        assert to == first
        assert "Send" in answer.get_body(("plain",)).get_content().partition("\n")[0]  # type: ignore[union-attr]
    assert await version(mails, game) == 0
