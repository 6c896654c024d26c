"""Replies that are kept back, captured, changed or sent again: none acts in a turn that it was not written for."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from bot.mail.commands import changes_no_game
from bot.mail.front import Mailbox, MailFront
from bot.model.letters import Letter
from bot.model.posts import Owed
from tests.bot.conftest import Clock
from tests.mail.conftest import ONE, POST, PROVEN, TWO, Begun, Mails, tiny, version
from tests.mail.letters import text_part
from tests.simulation.mail_life import FAILED

ALONE = msgspec.structs.replace(POST, plus="")
"""A mailbox without plus addressing."""
DATE = b"Date: Wed, 25 Nov 2026 09:14:00 +0000\n"


def rename(data: bytes, name: str = "again") -> bytes:
    """Return a mail under another Message-ID."""
    return data.replace(b"Message-ID: <r", b"Message-ID: <" + name.encode())


async def play_round(mails: Mails, first: str, second: str) -> tuple[bytes, bytes]:
    """Let both bid; return the two mails as an attacker captured them."""
    one = DATE + mails.reply(first, "bid 5")
    await mails.front.receive(one)
    await mails.send_all()
    two = DATE + mails.reply(second, "bid 10")
    await mails.front.receive(two)
    await mails.send_all()
    return one, two


async def test_captured_replies_play_nothing_however_they_are_changed(begun: Begun) -> None:
    mails, game, first, second = begun
    one, two = await play_round(mails, first, second)
    now = mails.last(first)
    reply_to, letter = str(now["Reply-To"]).encode(), str(now["Message-ID"]).encode()
    for captured in (one, two):
        fresh = {
            "as it was": captured,
            "under another name": rename(captured),
            "without a date": rename(captured.replace(DATE, b""), "third"),
            "with a second name": b"Message-ID: <x@y>\n" + captured,
            "with a second reference": b"In-Reply-To: " + letter + b"\n" + captured,
            "with other references": re.sub(rb"In-Reply-To: .*", b"In-Reply-To: " + letter, rename(captured, "o")),
            "without references": re.sub(rb"(?:In-Reply-To|References): .*\n", b"", rename(captured, "w")),
            "to the present address": re.sub(rb"To: .*games.example>?", b"To: " + reply_to, rename(captured, "t")),
        }  # fmt: skip
        for how, data in fresh.items():
            await mails.front.receive(data)
            assert await version(mails, game) == 2, how
            mails.clock.now += 3600


async def test_late_reply_gets_the_present_position(begun: Begun) -> None:
    mails, game, first, second = begun
    old = mails.last(first)
    await play_round(mails, first, second)
    told = await mails.answer(first, "pass", to=old)
    assert "✗ Nothing was played: “pass” answers an e-mail of an earlier turn" in told
    assert "Bid £15" in told
    assert await version(mails, game) == 2
    assert "✓" in await mails.answer(first, "pass"), "the answer is of the present turn"
    assert await version(mails, game) == 3


@pytest.mark.parametrize(
    "words", ["most 150", "auto clear", "auto pass", "#1 pass", "yes", "leave", "redo", "/act pass"]
)
async def test_late_reply_changes_nothing_else_either(begun: Begun, words: str) -> None:
    mails, _, first, second = begun
    old = mails.last(first)
    await play_round(mails, first, second)
    assert "answers an e-mail of an earlier turn" in await mails.answer(first, words, to=old)


async def test_late_reply_may_ask_and_say_how_to_be_written_to(begun: Begun) -> None:
    mails, _, first, second = begun
    old = mails.last(first)
    await play_round(mails, first, second)
    for words in ("help", "map", "log", "games", "why bid 5", "remind digest:18", "away 5", "snooze 4h"):
        assert "answers an e-mail of an earlier turn" not in await mails.answer(first, words, to=old), words


async def test_undo_works_from_the_mail_of_the_move_while_no_one_has_moved_since(begun: Begun) -> None:
    mails, game, first, second = begun
    old = mails.last(first)
    await mails.answer(first, "bid 5")
    assert "✓" in await mails.answer(first, "undo", to=old)
    assert (await mails.services.table.load_position(game)).game.line == ()
    await mails.answer(first, "bid 5")
    await mails.answer(second, "bid 10")
    assert "answers an e-mail of an earlier turn" in await mails.answer(first, "undo", to=old)


async def test_mail_that_died_after_its_move_is_not_late_when_it_comes_again(
    begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    mails, game, first, _ = begun
    reply = mails.reply(first, "bid 5")

    async def die(*_: object) -> None:
        raise ConnectionAbortedError

    with monkeypatch.context() as patch:
        patch.setattr(mails.front.clerk.ledger, "note", die)
        with pytest.raises(ConnectionAbortedError):
            await mails.front.receive(reply)
    assert await version(mails, game) == 1
    await mails.front.receive(reply)
    assert any("✓" in text_part(mail) for to, mail in await mails.send_all() if to == first)
    assert await version(mails, game) == 1


async def test_digest_acts_at_other_tables_only_while_they_have_not_moved_on(begun: Begun, clock: Clock) -> None:
    mails, game, _, _ = begun
    there = (await mails.seat()).id
    clock.now += 7 * 3600  # of turns just begun no mail goes out at once
    await mails.send_all()
    here = await mails.services.table.load_position(there)
    actor, other = (ONE, TWO) if here.actors[0].name == "P1" else (TWO, ONE)
    turn = next(mail for to, mail in reversed(mails.out) if to == actor and f"#{there}]" in str(mail["Subject"]))
    letter = Letter(game, here.actors[0].user, "notice", text="Waiting", games=(game, there))
    await mails.services.outbox.owe(Owed("digest", letter, 0))
    await mails.send_all()
    digest = mails.last(actor)
    assert f"#{there} " in text_part(digest)
    clock.now += 60
    await mails.answer(actor, "bid 5", to=turn)
    await mails.answer(other, "bid 10", to=mails.last(other))
    assert await version(mails, there) == 2
    assert f"Table #{there} has moved on since that e-mail" in await mails.answer(actor, f"#{there} pass", to=digest)
    assert await version(mails, there) == 2


async def test_a_game_that_moves_on_while_a_reply_is_read_is_not_played(
    begun: Begun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the reply is of this turn is asked before its orders are done; its first move asks again."""
    mails, game, first, second = begun
    old = mails.last(first)
    await mails.answer(first, "bid 5")
    await mails.answer(second, "bid 10")

    async def find_nothing(*_: object) -> str:
        return ""

    monkeypatch.setattr("bot.mail.player.find_late_order", find_nothing)
    told = await mails.answer(first, "bid 15", to=old)
    assert "You replied to an older e-mail, and the game has moved on. Reply to this one." in told
    assert await version(mails, game) == 2


# --- a mailbox without plus addressing ---------------------------------------------------------------


@pytest.fixture
async def alone(begun: Begun) -> Begun:
    """The table of two, whose letters come from a mailbox with one address."""
    mails, _, first, second = begun
    mails.front = MailFront(mails.services, tiny, Mailbox(ALONE, mails.front.mailbox.trust), mails.caught)
    for each in (first, second):
        await mails.services.outbox.owe(
            Owed(f"here:{each}", Letter(begun.game, await find_user(mails, each), "notice", text="Here."), 1)
        )
    await mails.send_all()
    return begun


async def find_user(mails: Mails, address: str) -> str:
    contact = await mails.services.contacts.find_contact(address)
    assert contact is not None
    return contact.user


def begin_mail(link: str, sender: str) -> bytes:
    """Return the mail that a link begins, as programs send it: new, with nothing that it answers."""
    parts = urlsplit(link)
    fields = {name: values[0] for name, values in parse_qs(parts.query).items()}
    head = f"From: <{sender}>\nTo: {parts.path}\nSubject: {fields['subject']}\nMessage-ID: <tap@home.example>\n"
    return f"{PROVEN.format(domain='home.example')}{head}\n{fields.get('body', '')}\n".encode()


async def test_with_one_address_for_all_the_letter_that_is_answered_tells_whose_and_which_turn(alone: Begun) -> None:
    mails, game, first, second = alone
    old = mails.last(first)
    assert "turns@games.example" in str(old["Reply-To"])
    one, _ = await play_round(mails, first, second)
    assert await version(mails, game) == 2
    assert "answers an e-mail of an earlier turn" in await mails.answer(first, "pass", to=old)
    for data in (rename(one), re.sub(rb"(?:In-Reply-To|References): .*\n", b"", rename(one, "w"))):
        await mails.front.receive(data)
    mine, letter = mails.reply(first, "bid 15").decode(), str(mails.last(first)["Message-ID"])
    assert await mails.front.receive(mine.replace(first, "mallory@else.example").encode()) == "answered"
    assert "a reply to this table came from mallory@else.example" in text_part((await mails.send_all())[-1][1])
    guessed = mine.replace(letter, letter.replace(".l", ".l9"))
    assert await mails.front.receive(rename(guessed.encode(), "guessed")) == "stranger"
    assert await version(mails, game) == 2, "neither late, nor changed, nor of another person"


async def test_with_one_address_for_all_a_choice_to_tap_and_a_stop_name_their_letter(alone: Begun) -> None:
    mails, game, first, _ = alone
    page = mails.last(first).get_body(("html",))
    assert page is not None
    (link,) = re.findall(r'href="(mailto:[^"]*body=B%20[^"]*)"', page.get_content())
    await mails.front.receive(begin_mail(unescape(link), first))
    assert await version(mails, game) == 1
    stop = str(mails.last(first)["List-Unsubscribe"]).strip("<>")
    assert await mails.front.receive(begin_mail(stop, first).replace(b"<tap@", b"<stop@")) == "answered"
    contact = await mails.services.contacts.find_contact(first)
    assert contact is not None
    assert contact.state == "stopped"


async def test_with_one_address_for_all_no_bounce_counts(alone: Begun) -> None:
    """Whoever holds a letter could write it; the ledger has it."""
    mails, _, first, _ = alone
    number = ALONE.find_letters(str(mails.last(first)["Message-ID"]))[0].letter
    bounce = FAILED.format(to=ALONE.make_bounce_address(number), number=1, person=first)
    await mails.front.receive(f"{bounce}\nMessage-ID: {mails.last(first)['Message-ID']}\n".encode())
    assert await mails.services.contacts.find_confirmed(await find_user(mails, first)) is not None
    (line,) = [each for each in await mails.front.clerk.ledger.list_lines(10**9, 100) if "A report" in each.words]
    assert line.fate == "ignored"


@pytest.mark.parametrize(
    ("order", "is_free"),
    [
        ("/game new 1860 seats:3", True), ("game import", True), ("/me forget", True), ("/me snooze 4h", True),
        ("stop.", True), ("/view map", True), ("/game undo", False), ("/game vote yes", False), ("bid 25", False),
    ],
)  # fmt: skip
def test_orders_about_other_tables_and_about_letters_change_nothing_at_this_one(order: str, is_free: bool) -> None:
    """They hold however old the letter is that is answered."""
    assert changes_no_game(order) is is_free
