"""What mails look like and when they go out: complete, small, one conversation, at the hours their readers wish."""

import re
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import aiosmtplib
import pytest
from msgspec.structs import replace
from sqlalchemy.exc import OperationalError

from bot.discord.components import allow_mentions
from bot.mail.front import Settler
from bot.mail.sender import MailLimits
from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.letters import Letter
from bot.model.posts import Owed
from bot.model.records import Calls, NewTable
from bot.screens.drawing import Draw
from bot.service.hosting import Guest
from bot.service.sending import Sending
from bot.service.services import Services
from bot.service.table import Typed
from bot.service.transfer import restore_log
from bot.store.database import StoreError
from bot.store.outbox import LETTERS, StoredPost
from engine import TITLES, Undo
from engine.codec import encode_file
from engine.setup import RULES
from tests.bot.conftest import Clock
from tests.mail.conftest import POST, Begun, Mails, settle, version
from tests.mail.letters import mail as written_by
from tests.mail.letters import read_reply, text_part
from tests.playthroughs.record import read
from tests.support.sure import sure

ROOT = Path(__file__).parents[2]


def test_no_other_folder_imports_mail() -> None:
    """A front is a folder: service, store, screens and commands have no word of it but in what people read."""
    for room in ("service", "store"):
        for path in (ROOT / "bot" / room).rglob("*.py"):
            code = re.sub(r'"[^"\n]*"|""".*?"""|#.*', "", path.read_text("utf-8"), flags=re.DOTALL)
            assert not re.search(r"\be?-?mails?\b|smtp|imap", code, re.IGNORECASE), path


@pytest.mark.parametrize("kept", ["1860-2", "1862-2", "steel_driver-3"])
async def test_a_turn_mail_is_complete_in_words_small_and_names_nothing_outside(
    mails: Mails, painter: Draw, clock: Clock, kept: str
) -> None:
    """Late in a game: HTML under 20 KB, the whole under a megabyte; the text part alone is enough to play."""
    found = read(kept)
    said, title, services = found.read_log(), found.setup.title, mails.services
    table = await mails.seat(title, found.setup.seats, found.setup.seed)
    late = len(said) * 4 // 5
    await restore_log(services.database, table.id, encode_file(replace(found.setup, rules=RULES), said[:late]), clock())
    mails.front.sender.composer.draw = painter
    written: list[tuple[str, EmailMessage]] = []
    while not written:  # until another player is to move
        here = await services.table.load_position(table.id)
        await services.table.submit(table.id, here.actors[0].user, said[late].action)
        late, clock.now = late + 1, clock.now + 3600
        written = await mails.send_all()
    here = await services.table.load_position(table.id)
    _, mail = written[-1]
    html = mail.get_body(("html",))
    assert html is not None
    page = html.get_content()
    assert len(page.encode()) < 20_000
    assert len(mail.as_bytes()) < 1_000_000
    assert not re.search(r'(?:src|href)="(?!cid:|mailto:)', page)
    assert 'alt="' in page
    assert 'class="picture"' in page, "dimmed in dark mode"
    assert ".picture {" in page
    assert "image/png" in [part.get_content_type() for part in mail.walk()]
    text = text_part(mail)
    assert text.splitlines()[-1].startswith(f"Table #{table.id} ")
    marks = re.findall(r"^([1-9A-I])  \S", text, re.MULTILINE)
    assert 1 <= len(marks) <= 9
    for mark in marks:
        assert f"<b>{mark}</b>" in page
    assert text.splitlines()[-1].startswith(f"Table #{table.id} “{table.name}”, {TITLES[title].short_name}, version ")
    assert not re.search(r"^[1-9A-I]  [a-z]", text, re.MULTILINE), "a choice is a sentence's beginning, no command"
    for other in table.people:
        if other != here.actors[0].user:
            contact = await mails.services.contacts.find_confirmed(other)
            assert contact is not None
            assert contact.address not in mail.as_string()
    assert "seed" not in text.casefold()
    quoting = f"2\n\nAm 22.11.2026 schrieb Stationmaster <{POST.address}>:\n\n{text}"
    assert read_reply(written_by(quoting)).lines == ("2",), "its own words are known as a quote without any mark"


async def test_a_mail_shows_the_ways_to_run_that_differ_each_trains_way_by_name(mails: Mails, clock: Clock) -> None:
    """Dividend or halts, as at the desk; the mark of one plays it."""
    found = read("1860-2")
    table = await mails.seat("1860", 2, found.setup.seed)
    await restore_log(
        mails.services.database,
        table.id,
        encode_file(replace(found.setup, rules=RULES), found.read_log()[:426]),
        clock(),
    )
    here = await mails.services.table.load_position(table.id)
    await mails.services.table.submit(table.id, here.actors[0].user, found.read_log()[426].action)
    clock.now += DAY
    await mails.send_all()
    to, mail = mails.out[-1]
    choices = re.findall(r"^\d  .*$", text_part(mail), re.MULTILINE)
    assert choices[0].startswith("1  Best run £110: pays £11 a share")
    assert choices[0].endswith("; 3+2 Yarmouth–Ningwood–(Calbourne)–Watchingwell–(Cement Mills)–Cowes £110.")
    assert "£10 less than the best run, 10cc more for halts" in choices[1]
    assert "1 Best run £110 · 2 Run £100 + 10cc for halts" in text_part(mail).splitlines()[0]
    assert "runs for £100" in await mails.answer(to, "2")


async def test_one_conversation_a_table_whatever_relays_call_the_mails(begun: Begun) -> None:
    """The subject says how things stand, and every mail goes back to one that all have in common."""
    mails, _, first, second = begun
    for bid in range(10, 30, 5):
        await mails.answer(first, f"bid {bid}")
        await mails.answer(second, f"bid {bid + 3}")
    subjects = [str(mail["Subject"]) for _, mail in mails.out]
    assert subjects[0] == "[1860 #1] You're invited to “1860: Railways on the Isle of Wight”"
    assert "[1860 #1] Auction 1 of 6: your turn, bid or pass" in subjects[2:]
    assert {f"[1860 #1] Auction 1 of 6: waiting for {name}" for name in ("P1", "P2")} <= {*subjects}
    for _, mail in mails.out:
        assert POST.format_thread_id(1) in mail["References"]
        assert mail["Message-ID"] in mail["References"], "a relay may give it another"
        assert mail["Auto-Submitted"] == "auto-generated"
        assert mail["List-Unsubscribe"].startswith("<mailto:")
    assert len({mail["Message-ID"] for _, mail in mails.out}) == len(mails.out)


async def test_players_asleep_away_or_on_a_digest_get_no_turn_mail(begun: Begun, clock: Clock) -> None:
    """The same wishes as anywhere; answers come at any hour."""
    mails, game, first, second = begun
    user = (await mails.services.contacts.find_contact(second)).user  # type: ignore[union-attr]
    await mails.services.people.set_calls(user, Calls(quiet_from=0, quiet_to=23))
    await mails.answer(first, "bid 10")
    assert second not in [to for to, _ in await mails.send_all()][-1:]
    assert "help" in await mails.answer(second, "help")
    clock.now += 24 * 3600
    await mails.services.people.set_calls(user, Calls())
    assert second in [to for to, _ in await mails.send_all()]
    assert await version(mails, game) == 1


async def test_after_a_long_standstill_the_turn_is_mailed_and_its_reminder_not_at_once(
    begun: Begun, clock: Clock
) -> None:
    """One mail for one thing; the reminder comes as long after it as ever."""
    mails, _, first, second = begun
    await mails.front.receive(mails.reply(first, "bid 10"))
    clock.now += 3 * DAY
    assert [to for to, _ in await mails.send_all() if to == second] == [second]
    clock.now += DAY - 1
    assert second not in [to for to, _ in await mails.send_all()]
    clock.now += 1
    assert "Reminder: " in text_part((await mails.send_all())[-1][1])


async def test_a_reminder_goes_to_the_player_the_table_waits_for(begun: Begun, clock: Clock) -> None:
    """Without any chat the reminders of a turn follow one another all the same."""
    mails, _, first, _ = begun
    settling = Sending(mails.services.outbox, Settler(mails.services))
    seen = len(mails.out)
    for _ in range(8):
        clock.now += 25 * 3600
        await settle(settling)
        await mails.send_all()
    told = [text_part(mail) for to, mail in mails.out[seen:] if to == first]
    assert len([each for each in told if each.startswith("Reminder: ")]) == 5


async def test_answers_to_ones_own_mails_leave_room_for_turns(begun: Begun) -> None:
    """A player who plays many moves in an evening isn't held back by the answers to them."""
    mails, game, first, _ = begun
    user = (await mails.services.table.load_position(game)).actors[0].user
    count = await mails.services.posted.count_letters(DAY, user)
    before = await mails.services.posted.count_letters(DAY)
    await mails.answer(first, "games")
    assert await mails.services.posted.count_letters(DAY, user) == count
    assert await mails.services.posted.count_letters(DAY) == before + 1


async def test_the_end_of_a_game_is_reported_however_many_mails_there_were_that_day(begun: Begun) -> None:
    """More than its share a day no one gets; answers and the end come all the same."""
    mails, game, first, _ = begun
    mails.front.sender.limits = MailLimits(person=0, day=0)
    user = (await mails.services.table.load_position(game)).actors[0].user
    await mails.services.outbox.owe(Owed("news", Letter(game, user, "notice", text="Bob is back."), 0))
    await mails.services.outbox.owe(Owed("end", Letter(game, user, "end"), 0))
    told = [text_part(mail) for to, mail in await mails.send_all() if to == first]
    assert ["is over" in each for each in told] == [True, False]
    assert "The limit is 0 e-mails a day for you, and it's reached." in told[1]


async def test_a_server_that_is_down_delays_and_one_that_refuses_for_good_ends_it(begun: Begun, clock: Clock) -> None:
    """Down, 451, a full mailbox, a server that doesn't understand: later, once. 550: the address fails."""
    mails, _, first, second = begun
    mails.trouble = [ConnectionRefusedError(), aiosmtplib.SMTPResponseException(451, "later")]
    await mails.front.receive(mails.reply(first, "bid 10"))
    assert await mails.send_all() == []
    clock.now += 3600
    assert sorted(to for to, _ in await mails.send_all()) == sorted([first, second])
    for code, words in (552, "5.2.2 mailbox full"), (500, "5.5.2 what"):
        mails.trouble = [aiosmtplib.SMTPRecipientsRefused([aiosmtplib.SMTPRecipientRefused(code, words, first)])]
        await mails.front.receive(mails.reply(first, "help"))
        assert await mails.send_all() == []
        clock.now += 3600
        assert first in [to for to, _ in await mails.send_all()], words
    mails.trouble = [aiosmtplib.SMTPRecipientsRefused([aiosmtplib.SMTPRecipientRefused(550, "5.1.1 nobody", first)])]
    await mails.front.receive(mails.reply(second, "bid 20"))
    await mails.send_all()
    states = [(await mails.services.contacts.find_contact(each)).state for each in (first, second)]  # type: ignore[union-attr]
    assert states.count("failing") == 1


def test_a_player_without_a_place_in_the_chat_is_not_rung_in_it() -> None:
    users = allow_mentions(["11", "p7"]).users
    assert isinstance(users, list)
    assert [each.id for each in users] == [11]


async def test_a_letter_is_owed_once_for_each_key(mails: Mails) -> None:
    table = await mails.seat()
    before = len(mails.out)
    for _ in range(3):
        letter = Letter(table.id, table.people[0], "notice", text="Hello.")
        await mails.services.outbox.owe(Owed("once", letter, mails.clock.now))
    assert len(await mails.send_all()) == 1
    assert len(mails.out) == before + 1


async def test_a_digest_is_one_mail_a_day_that_can_be_answered(begun: Begun) -> None:
    """Whoever wants one gets no turn mail; the digest comes at its hour, once, and shows what may be chosen."""
    mails, game, first, second = begun
    assert "at 18:00" in await mails.answer(second, "remind digest:18 zone:UTC")
    await mails.answer(first, "B")
    mails.clock.now += 600
    assert second not in [to for to, _ in await mails.send_all()]
    mails.clock.now += (18 * 3600 - mails.clock.now) % 86400
    for _ in range(3):
        await mails.services.tidy()
        assert len([to for to, _ in await mails.send_all() if to == second]) <= 1
    told = text_part(mails.last(second))
    assert "Waiting for you:" in told
    assert "1  Bid £15" in told
    assert "A letter could be a signature" in await mails.answer(second, "A"), "it may be a signature"
    assert await version(mails, game) == 1
    assert "✓" in await mails.answer(second, "1")
    assert await version(mails, game) == 2


async def test_a_choice_that_was_not_offered_is_asked_back(begun: Begun) -> None:
    """Nor is one played of a turn that no mail was about."""
    mails, game, first, _ = begun
    assert "There's no such choice; that e-mail offered" in await mails.answer(first, "I")
    assert "I can't see which e-mail you replied to." in await mails.answer(first, "B (turn 99)")
    assert await version(mails, game) == 0


async def test_a_digest_of_several_tables_shows_the_choices_of_each(begun: Begun) -> None:
    """A mark alone is for the first; "#1 B" for the other, in the same mail or by a touch, which writes there."""
    mails, _, first, second = begun
    table = await mails.services.hosting.open_table(
        NewTable("1860", 2, name="Other", seed=6), [Guest(first, "P1"), Guest(second, "P2")]
    )
    for address in (first, second):
        await mails.send_all()
        await mails.answer(address, "yes")
    there = await mails.services.table.load_position(table.id)
    if there.actors[0].name != "P1":  # let it wait for the same person
        await mails.services.table.submit(table.id, there.actors[0].user, Typed("bid", {"amount": "5"}))
    await mails.answer(first, "remind digest:18 zone:UTC")
    mails.clock.now += (18 * 3600 - mails.clock.now) % 86400
    await mails.services.tidy()
    await mails.send_all()
    mail = mails.last(first)
    told, html = text_part(mail), mail.get_body(("html",))
    assert told.count("#1 “1860: Railways on the Isle of Wight”") == 2, "in the list, and above its choices"
    assert re.search(r"^A  \S.*^#1 A  \S", told, re.MULTILINE | re.DOTALL)
    assert html is not None
    touched = re.search(r'href="mailto:([^"?]+)[^"]*body=B[^"]*"[^>]*><b>#1 B</b>', html.get_content())
    assert touched is not None
    assert touched[1] != mail["Reply-To"].addresses[0].addr_spec, "a touch answers to the other table"
    answer = await mails.answer(first, "B, #1 B", mail)
    assert "✓ P1 bids" in answer
    assert "✓ #1: P1 bids" in answer
    assert "You have no seat at table #77" in await mails.answer(first, "#77 best")


async def test_a_question_is_answered_by_mail(begun: Begun) -> None:
    """Whoever must agree is written to; no keeps the move, yes takes it back."""
    mails, game, first, second = begun
    await mails.answer(first, "B")
    await mails.answer(second, "bid 20")
    for said, left in (("no", 2), ("yes", 3)):
        await mails.answer(first, "undo")
        asked = mails.last(second)
        assert "Reply yes or no" in text_part(asked), text_part(asked)
        assert "✓" in await mails.answer(second, said, to=asked)
        assert await version(mails, game) == left
    assert (await mails.services.table.load_position(game)).game.log[-1].action == Undo(0)


async def test_slow_server_gets_no_letter_from_two_processes(
    begun: Begun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it takes, whoever has the letters keeps them."""
    mails, _, first, _ = begun
    for _ in range(4):
        await mails.front.receive(mails.reply(first, "help"))
    services = await Services.open(tmp_path / "store.sqlite", mails.clock)
    await services.outbox.list_waiting()  # whatever it inherits, it has looked
    other = Mails(services, mails.clock)
    run = [0.0]
    monkeypatch.setattr("bot.service.outbox.read_steady_seconds", lambda: run[0])
    caught = mails.caught

    async def slowly(mail: EmailMessage, sender: str, recipient: str) -> None:
        for _ in range(4):
            mails.clock.now += 20
            run[0] += 20
            await mails.services.outbox.renew([LETTERS])
            assert await other.send_all() == []
        await caught(mail, sender, recipient)

    mails.front.sender.deliver = slowly
    try:
        sent = [str(mail["Message-ID"]) for _, mail in await mails.send_all()]
        assert await other.send_all() == []
    finally:
        await services.close()
    assert len(sent) == len(set(sent)) == 4


async def test_a_letter_whose_note_cannot_be_written_goes_out_once(
    begun: Begun, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full between the server's word that it has the mail and our note of it."""
    mails, _, first, _ = begun
    note, failing = mails.services.outbox.note_sent, [2]

    async def full(*given: Any) -> list[StoredPost]:  # noqa: ANN401  # as it takes them
        if failing[0]:
            failing[0] -= 1
            raise OperationalError("UPDATE", {}, Exception("database or disk is full"))
        return await note(*given)

    monkeypatch.setattr(mails.services.outbox, "note_sent", full)
    await mails.front.receive(mails.reply(first, "help"))
    sent = []
    for _ in range(4):
        sent += await mails.send_all()
        clock.now += 60
    assert failing == [0]
    assert len(sent) == 1


async def test_a_letter_that_cannot_be_looked_into_keeps_no_other_from_going_out(
    begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails, _, first, _ = begun
    broken, put_off = ["broken"], mails.front.sender.put_off

    async def breaks(stored: StoredPost) -> int:
        if stored.key in broken:
            raise BotError("There is no such table.")
        return await put_off(stored)

    monkeypatch.setattr(mails.front.sender, "put_off", breaks)
    user = sure(await mails.services.contacts.find_contact(first)).user
    for key in ("broken", "whole"):
        await mails.services.outbox.owe(Owed(key, Letter(0, user, "notice", text=key), mails.clock.now))
    assert ["whole" in text_part(mail) for _, mail in await mails.send_all()] == [True]


async def test_a_letter_waits_while_the_store_fails(begun: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    """A locked database is no reason to give the letter up: the table would wait for its player for ever."""
    mails, _, first, _ = begun
    failing, put_off = [True], mails.front.sender.put_off

    async def fail_once(stored: StoredPost) -> int:
        if failing:
            failing.clear()
            raise StoreError("The database is locked by another program; nothing was changed.")
        return await put_off(stored)

    monkeypatch.setattr(mails.front.sender, "put_off", fail_once)
    user = sure(await mails.services.contacts.find_contact(first)).user
    await mails.services.outbox.owe(Owed("late", Letter(0, user, "notice", text="late"), mails.clock.now))
    assert await mails.send_all() == []
    mails.clock.now += 60
    assert ["late" in text_part(mail) for _, mail in await mails.send_all()] == [True]
