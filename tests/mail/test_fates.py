"""Each mail in and out has one visible fate; what can't be sent is tried for days, and trouble is told."""

import asyncio
from collections import Counter
from pathlib import Path

import aiosmtplib
import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner

from bot.mail.clerk import Clerk, Trust
from bot.mail.ledger import KEPT_DAYS, MAX_UNPROVEN_AN_HOUR
from bot.model.clock import DAY, HOUR
from bot.model.errors import BotError
from bot.model.posts import Notice
from bot.operations import mailing
from bot.operations.cli import app
from bot.operations.settings import Settings
from bot.store.incoming import name_fate
from tests.bot.conftest import Clock
from tests.mail.conftest import POST, Begun, Mails, code_in, version
from tests.mail.letters import text_part

DOWN = aiosmtplib.SMTPResponseException(451, "4.3.0 try again later")
OTHER = "ann.at.work@else.example"


async def fates(mails: Mails, way: str = "in") -> Counter[str]:
    """Return how many mails there are by what became of them."""
    return Counter(line.fate for line in await mails.front.clerk.ledger.list_lines(400 * DAY, 1000) if line.way == way)


async def test_every_kind_of_mail_has_its_row(begun: Begun, clock: Clock) -> None:
    mails, game, first, second = begun
    before, sent = await fates(mails), dict[bytes, str]()

    async def receive(data: bytes, fate: str) -> None:
        sent[data] = fate
        await mails.front.receive(data)
        await mails.send_all()

    await receive(mails.reply(first, "bid 5"), "played")
    await receive(mails.reply(second, "help"), "answered")
    await receive(mails.reply(second, "bid 5000"), "refused")
    await receive(mails.reply(second, "what a day"), "asked back")
    await receive(mails.reply(second, "bid 10", proof=""), "asked back")
    await receive(b"Auto-Submitted: auto-replied\n" + mails.reply(second, "I am away"), "ignored")
    await receive(b"From: x@y.example\nTo: turns@games.example\n\nBuy!\n", "ignored")
    doubled = mails.reply(second, "bid 10").replace(b"Subject: ", b"Subject: Hello\nSubject: ")
    await receive(doubled, "asked back")
    assert await fates(mails) - before == Counter(sent.values())
    for data in sent:  # the same again changes nothing
        await mails.front.receive(data)
    assert await fates(mails) - before == Counter(sent.values())
    assert await version(mails, game) == 1
    clock.now += (KEPT_DAYS + 1) * DAY
    await mails.front.clerk.ledger.tidy()
    assert await fates(mails) == Counter()


async def test_operator_lists_the_ledger(begun: Begun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mails, _, first, _ = begun
    mails.services.clock.now = 1_790_000_000  # type: ignore[attr-defined]
    mails.front.clerk.ledger.clock = mails.services.clock
    await mails.answer(first, "bid 5")
    await mails.front.receive(b"From: x@y.example\nTo: turns@games.example\n\nBuy!\n")
    monkeypatch.setenv("STATIONMASTER_DATABASE", str(tmp_path / "store.sqlite"))
    monkeypatch.setattr("bot.operations.mailing.read_wall_clock", mails.services.clock)
    listed = await asyncio.to_thread(CliRunner().invoke, app, ["mail", "ledger"])
    assert listed.exit_code == 0, listed.output
    lines = listed.output.splitlines()
    assert any("in   played" in line and first in line and "✓" in line for line in lines)
    assert any("in   ignored" in line and "isn't addressed to a player" in line for line in lines)
    assert any("out  delivered" in line and first in line for line in lines)
    assert "in: ignored 1" in lines
    few = ["mail", "ledger", "--fate", "ignored", "--most", "1"]
    assert "played  " not in (await asyncio.to_thread(CliRunner().invoke, app, few)).output


async def test_letters_are_tried_for_five_days_and_the_turn_mail_is_written_anew(begun: Begun, clock: Clock) -> None:
    """The server is down for 72 hours: nothing is given up, and what goes out then tells what is so then."""
    mails, game, first, second = begun
    await mails.front.receive(mails.reply(first, "bid 5"))
    end = clock.now + 72 * HOUR
    while clock.now < end:
        mails.trouble = [DOWN] * 50
        assert await mails.send_all() == []
        clock.now += 8 * HOUR
    mails.trouble = []
    clock.now += HOUR
    told = {to: text_part(mail) for to, mail in await mails.send_all()}
    assert "✓ P" in told[first], "the answer of three days ago"
    assert "bids £5" in told[second]
    assert (await fates(mails, "out"))["given up"] == 0
    assert not any("hasn't gone out yet" in text for text in told.values()), "it has, by now"
    assert await mails.front.receive(mails.reply(second, "bid 10")) == "answered"
    assert await version(mails, game) == 2


async def test_letter_is_given_up_after_five_days_and_the_operator_reads_so(
    begun: Begun, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails, _, first, _ = begun
    await mails.front.receive(mails.reply(first, "help"))
    with capture_logs() as told:
        for _ in range(5 * 3 + 1):
            mails.trouble = [DOWN] * 50
            await mails.send_all()
            clock.now += 8 * HOUR
    assert (await fates(mails, "out"))["given up"] >= 1
    monkeypatch.setattr("bot.operations.mailing.read_wall_clock", clock)
    settings = Settings(database=str(tmp_path / "store.sqlite"), _env_file=None)  # type: ignore[call-arg]
    with pytest.raises(BotError, match="could not be sent yet, or at all; the last: "):
        await mailing.check_letters(settings)
    clock.now += 8 * DAY
    assert await mailing.check_letters(settings) == "none this week"
    assert any(each["log_level"] == "error" and each["event"] == "e-mail not sent" for each in told)


async def test_table_hears_once_a_turn_that_a_mail_of_a_turn_waits(
    begun: Begun, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its thread: by mail it would wait too while the server takes nothing."""
    mails, game, first, _ = begun
    told = list[str]()
    owe = mails.services.outbox.owe

    async def note(owed: object) -> None:
        told.append(owed.post.text if isinstance(owed.post, Notice) else "")  # type: ignore[attr-defined]
        await owe(owed)  # type: ignore[arg-type]

    monkeypatch.setattr(mails.services.outbox, "owe", note)
    await mails.front.receive(mails.reply(first, "bid 5"))
    for _ in range(5):
        mails.trouble = [DOWN] * 50
        await mails.send_all()
        clock.now += HOUR
    (text,) = told
    assert "about their turn hasn't gone out yet: the mail server doesn't take it. I keep trying." in text
    assert game


async def test_players_by_mail_alone_hear_of_a_turn_that_does_not_reach_its_player(begun: Begun, clock: Clock) -> None:
    """Only that player's server refuses: the others are told once, and no longer when the turn is over."""
    mails, _, first, second = begun
    mails.unreachable[second] = DOWN
    await mails.front.receive(mails.reply(first, "bid 5"))
    told = list[str]()
    for _ in range(5):
        told += [text_part(mail) for to, mail in await mails.send_all() if to == first]
        clock.now += HOUR
        await mails.front.receive(mails.reply(first, "help"))
    assert sum("about their turn hasn't gone out yet" in text for text in told) == 1


async def test_address_that_bounced_is_written_to_again_after_its_next_proven_letter(begun: Begun) -> None:
    """The table is told both times; a mail that proves nothing restores nothing."""
    mails, game, first, second = begun
    contacts = mails.services.contacts
    refused = aiosmtplib.SMTPRecipientRefused(550, "5.1.1 no such user", first)
    await mails.front.receive(mails.reply(first, "help"))
    mails.trouble = [aiosmtplib.SMTPRecipientsRefused([refused])]
    asked = mails.last(first)
    await mails.send_all()
    assert (await contacts.find_contact(first)).state == "failing"  # type: ignore[union-attr]
    heard = [text_part(mail) for to, mail in await mails.send_all() + mails.out if to == second]
    assert any("E-mail to P" in each and "is bouncing" in each for each in heard)
    await mails.front.receive(mails.reply(first, "bid 5", to=asked, proof=""))
    assert (await contacts.find_contact(first)).state == "failing"  # type: ignore[union-attr]
    await mails.send_all()
    assert "✓" in await mails.answer(first, "bid 5", to=asked)
    assert (await contacts.find_contact(first)).state == "confirmed"  # type: ignore[union-attr]
    assert any("E-mail reaches P" in text_part(mail) for to, mail in mails.out if to == second)
    assert await version(mails, game) == 1


async def test_bounce_counts_only_at_the_address_of_its_letter(begun: Begun) -> None:
    """Who holds a letter knows its Message-ID; no one but servers on its way knows where its bounces go."""
    mails, _, first, _ = begun
    name = str(mails.last(first)["Message-ID"])
    report = (
        "From: MAILER-DAEMON@mx.home.example\nTo: {to}\nAuto-Submitted: auto-replied\nSubject: Undelivered\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n--b\n'
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n"
        f"Final-Recipient: rfc822; {first}\nAction: failed\nStatus: 5.1.1\n\n--b\n"
        f"Content-Type: message/rfc822\n\nMessage-ID: {name}\n\n--b--\n"
    )
    reply_to = str(mails.last(first)["Reply-To"])
    for to in ("turns@games.example", reply_to, "turns+bounce-3.aaaaaaaaaaaaaaaa@games.example"):
        assert await mails.front.receive(report.format(to=to).encode()) == "late"
    assert (await mails.services.contacts.find_contact(first)).state == "confirmed"  # type: ignore[union-attr]
    number = int(name.split(".l")[1].split(".", maxsplit=1)[0])
    assert await mails.front.receive(report.format(to=POST.make_bounce_address(number)).encode()) == "bounce"
    assert (await mails.services.contacts.find_contact(first)).state == "failing"  # type: ignore[union-attr]


async def test_reply_from_another_address_is_told_how_to_link_it_and_plays_then(begun: Begun) -> None:
    mails, game, first, _ = begun
    asked = mails.last(first)
    strange = mails.reply(first, "bid 5").replace(f"<{first}>".encode(), f"<{OTHER}>".encode())
    assert await mails.front.receive(strange) == "answered"
    ((to, told),) = await mails.send_all()
    assert to == first
    assert f"reply “link {OTHER}”" in text_part(told)
    assert await version(mails, game) == 0
    assert f"I've written to {OTHER}." in await mails.answer(first, f"link {OTHER}")
    assert "wants to play from this address" in text_part(mails.last(OTHER))
    assert "You have a seat" in await mails.answer(OTHER, "yes")
    assert "✗ link" in await mails.answer(first, f"link {OTHER}", to=asked), "it is linked"
    said = await mails.answer(first, f"link {begun.second}", to=asked)
    assert f"I've written to {begun.second}." in said, "it is another player's, which only that one is told"
    elsewhere = mails.reply(first, "bid 5", to=asked).replace(f"<{first}>".encode(), f"<{OTHER}>".encode())
    elsewhere = elsewhere.replace(b"header.from=home.example", b"header.from=else.example")
    await mails.front.receive(elsewhere)
    assert await version(mails, game) == 1


async def test_code_counts_in_the_mail_that_it_proves_for_a_week_and_five_wrong_tries(
    begun: Begun, clock: Clock
) -> None:
    """The bid and "code 123456" in one mail play it; used, or for another turn, it proves nothing."""
    mails, game, first, second = begun
    asked = {first: mails.last(first), second: mails.last(second)}

    async def write(who: str, text: str) -> str:
        before = len(mails.out)
        await mails.front.receive(mails.reply(who, text, to=asked[who], proof=""))
        await mails.send_all()
        return next((text_part(mail) for to, mail in mails.out[before:] if to == who), "")

    told = await write(first, "bid 5")
    assert "Its orders: bid 5." in told
    code = code_in(told)
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    assert "that code is wrong" in await write(first, f"bid 5\ncode {wrong}")
    clock.now += 7 * DAY - 60
    assert "✓" in await write(first, f"bid 5\ncode {code}")
    assert await version(mails, game) == 1
    asked[second] = mails.last(second)
    told = await write(second, f"bid 10 code {code}")
    assert "that code is wrong" in told, "it was for another address"
    code = code_in(told)
    clock.now += 7 * DAY + 1
    told = await write(second, f"bid 10\n\ncode {code}")
    assert "that code is wrong" in told, "too old"
    for _ in range(5):
        clock.now += HOUR
        code = code_in(told)
        last = await write(second, f"bid 10\n\ncode {(int(code) + 1) % 1_000_000:06}")
    assert "reply yes to this e-mail." in last, "no more codes for this turn"
    clock.now += HOUR
    await write(second, f"bid 10\n\ncode {code}")
    assert await version(mails, game) == 1


async def test_yes_to_the_confirmation_letter_plays_what_it_says_once(begun: Begun) -> None:
    """Instead of a code: only who reads the mailbox can answer that letter."""
    mails, game, first, _ = begun
    await mails.front.receive(mails.reply(first, "bid 5", proof=""))
    ((_, asked),) = await mails.send_all()
    await mails.front.receive(mails.reply(first, "Yes!", to=asked, proof=""))
    assert await version(mails, game) == 1
    assert any("✓" in text_part(mail) for _, mail in await mails.send_all())
    await mails.front.receive(mails.reply(first, "yes", to=asked, proof=""))
    assert await version(mails, game) == 1
    lines = await mails.front.clerk.ledger.list_lines(DAY, 10)
    assert [line.fate for line in lines if line.way == "in"][1] == "played"


async def test_mails_without_proof_are_asked_about_five_times_an_hour_and_take_nothing_from_the_true_ones(
    begun: Begun, clock: Clock
) -> None:
    mails, game, first, _ = begun
    for number in range(30):
        await mails.front.receive(mails.reply(first, f"bid {5 + number}", proof=""))
    told = [text_part(mail) for _, mail in await mails.send_all()]
    assert len(told) == MAX_UNPROVEN_AN_HOUR
    assert ["the last time within the hour" in each for each in told] == [False] * 4 + [True]
    assert "✓" in await mails.answer(first, "bid 5")
    assert await version(mails, game) == 1


async def test_only_a_code_counts_where_the_operator_wants_it(begun: Begun) -> None:
    mails, game, first, _ = begun
    clerk = Clerk(mails.services, POST, Trust(("mx.games.example",), by_code=True))
    await clerk.receive(mails.reply(first, "bid 5"))
    await mails.send_all()
    await clerk.receive(mails.reply(first, f"bid 5\ncode {code_in(text_part(mails.last(first)))}"))
    assert await version(mails, game) == 1


def test_letter_has_one_of_five_fates() -> None:
    assert name_fate("sent", 5, 0, "") == "delivered"
    assert name_fate("owed", None, 2, "451") == "retried"
    assert name_fate("owed", None, 0, "") == "waits"
    assert name_fate("dropped", None, 9, "451") == "given up"
    assert name_fate("dropped", None, 0, "no longer wanted") == "not needed"
