"""A player may confirm each mail by answering a letter: only who reads their mailbox can, once, and in time."""

from email.message import EmailMessage

import pytest

from bot.model.clock import DAY
from engine.finance.rounds import Pass
from tests.bot.conftest import Clock
from tests.mail.conftest import POST, Begun, Mails, code_in, version
from tests.mail.letters import text_part

PASS = Pass()
HELD = "✗ Nothing was done yet: you confirm each of your e-mails. Its orders: bid 5."


@pytest.fixture
async def held(begun: Begun) -> Begun:
    """A player who confirms each mail, and has just sent a bid."""
    mails, _, first, _ = begun
    turn = mails.last(first)
    assert "when you reply yes to that" in await mails.answer(first, "/me confirm")
    assert HELD in await mails.answer(first, "bid 5", turn)
    return begun


async def write(mails: Mails, address: str, text: str, to: EmailMessage | None = None, proof: str = "") -> str:
    """Send a mail without any proof; return its answer."""
    before = len(mails.out)
    await mails.front.receive(mails.reply(address, text, to, proof))
    await mails.send_all()
    return next((text_part(mail) for who, mail in mails.out[before:] if who == address), "")


async def test_a_mail_is_done_when_its_letter_is_confirmed_whoever_proves_its_sender(held: Begun) -> None:
    """No code is offered. What changes nothing is answered at once; a yes counts once."""
    mails, game, first, _ = held
    asked = mails.last(first)
    assert "code" not in text_part(asked).partition("\n\n")[0]
    assert "Log of" in await mails.answer(first, "log", asked)
    assert await version(mails, game) == 0
    assert "✓" in await write(mails, first, "yes", asked)
    assert await version(mails, game) == 1
    assert "Nothing was played" in await write(mails, first, "Yes!", asked)
    assert await version(mails, game) == 1


async def test_neither_codes_nor_the_yes_of_another_confirm(held: Begun) -> None:
    """A forger knows the address that replies go to and the turn mail, but not the name of the letter."""
    mails, game, first, second = held
    asked = mails.last(first)
    code = await mails.front.clerk.ledger.make_code(1, game, 0)
    assert HELD in await write(mails, first, f"bid 5\ncode {code}", asked)
    name = str(asked["Message-ID"])
    number = int(name.split(".l")[1].split(".", maxsplit=1)[0])
    for forged in (
        name.replace(f".l{number}.", f".l{number + 1}."),
        f"<g{game}.l{number}.aaaaaaaaaaaaaaaa@games.example>",
    ):
        letter = EmailMessage()
        for field in ("Reply-To", "Subject", "References"):
            letter[field] = asked[field]
        letter["Message-ID"] = forged
        letter.set_content("x")
        letter.replace_header("References", forged)
        assert "✓" not in await write(mails, first, "yes", letter)
    elsewhere = mails.reply(first, "yes", asked, "").replace(f"<{first}>".encode(), f"<{second}>".encode(), 1)
    await mails.front.receive(elsewhere)
    assert await version(mails, game) == 0
    assert POST.find_letters(name)


async def test_a_late_yes_plays_nothing(held: Begun, clock: Clock) -> None:
    """After a week, or once the game has passed the turn of the orders."""
    mails, game, first, second = held
    asked = mails.last(first)
    clock.now += 7 * DAY + 1
    assert "more than a week old" in await mails.answer(first, "yes", asked)
    assert HELD in await mails.answer(first, "bid 5", mails.out[-1][1])
    fresh = mails.last(first)
    await mails.services.table.submit(game, (await mails.services.table.load_position(game)).actors[0].user, PASS)
    assert "Nothing was played" in await mails.answer(first, "yes", fresh)
    assert await version(mails, game) == 1
    assert second != first


async def test_ending_it_needs_a_confirmation_too(held: Begun) -> None:
    mails, game, first, _ = held
    asked = mails.last(first)
    assert "Its orders: /me confirm on:no" in await mails.answer(first, "/me confirm on:no", asked)
    assert "count again" in await mails.answer(first, "yes")
    assert "✓" in await mails.answer(first, "bid 5", asked)
    assert await version(mails, game) == 1


async def test_mails_that_were_confirmed_count_as_proven(begun: Begun) -> None:
    """Who has no signature can play more than five mails an hour by answering yes."""
    mails, game, first, second = begun
    turn = {first: mails.last(first), second: mails.last(second)}
    amount = 5
    for number in range(14):
        who = (first, second)[number % 2]
        told = await write(mails, who, f"bid {amount + 5 * number}", turn[who])
        assert code_in(told)
        assert "✓" in await write(mails, who, "yes"), number
        turn[first], turn[second] = mails.last(first), mails.last(second)
    assert await version(mails, game) == 14
