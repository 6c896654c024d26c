"""What is done by commands in Discord is done by mail too: each command has its twin, or a reason why not."""

from base64 import b64encode
from email.message import EmailMessage
from os import urandom

import pytest

from bot.commands import build_tree
from bot.mail.body import find_attached_file, parse_mail
from bot.mail.commands import GAME_COMMANDS, GROUPS, MAX_FILE_BYTES, NOT_BY_MAIL
from bot.mail.replays import MAX_HELD_BYTES
from tests.mail.conftest import ONE, PROVEN, TWO, Begun, Mails, version
from tests.mail.letters import text_part

BROUGHT = (
    "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n{order}\n"
    "--b\nContent-Type: {kind}\nContent-Transfer-Encoding: base64\n"
    "Content-Disposition: attachment; filename=game.json\n\n{data}\n--b--\n"
)


def list_files(mail: EmailMessage) -> dict[str, bytes]:
    """Return what is attached to a mail, by name."""
    return {str(part.get_filename()): part.get_content() for part in mail.iter_attachments()}


async def bring(mails: Mails, address: str, order: str, data: bytes) -> str:
    """Answer a mail with a file attached; return the answer to that."""
    mails.count += 1
    head = (
        f"From: <{address}>\nTo: {mails.last(address)['Reply-To']}\nSubject: Re: x\n"
        f"Message-ID: <r{mails.count}@home.example>\nIn-Reply-To: {mails.last(address)['Message-ID']}\n"
    )
    body = BROUGHT.format(order=order, kind="application/json", data=b64encode(data).decode())
    await mails.front.receive(f"{PROVEN.format(domain=address.partition('@')[2])}{head}{body}".encode())
    await mails.send_all()
    return text_part(mails.last(address))


def test_each_command_of_discord_can_be_given_by_mail_or_has_a_reason() -> None:
    """A new command is allowed by mail, or says why not; no reason stays for a command that works."""
    for group in build_tree():
        for command in group.commands:
            name = f"{group.name} {command.name}"
            works = command.name in GAME_COMMANDS if group.name == "game" else group.name in GROUPS
            assert (works and name not in NOT_BY_MAIL) != bool(NOT_BY_MAIL.get(name) or NOT_BY_MAIL.get(group.name)), (
                name
            )


async def test_a_host_does_by_mail_what_discord_allows(begun: Begun) -> None:
    """Rename, replace by an address, close: through the same services; an unknown person is refused."""
    mails, game, _, _ = begun
    assert "now called “Isle”" in await mails.answer("p1@home.example", "/game rename name:Isle")
    assert "neither a player" in await mails.answer("p1@home.example", "/game proxy user:Zoe")
    assert "P2" in await mails.answer("p1@home.example", "/game proxy user:P2")
    assert "P2 must agree" in await mails.answer("p1@home.example", "/game close")
    assert "✓" in await mails.answer("p1@home.example", "/stats player")
    assert (await mails.services.lobby.get_table(game)).name == "Isle"
    assert "is asked whether" in await mails.answer("p1@home.example", "/game replace seat:P1 user:p3@home.example")
    assert "May the players of" in text_part(mails.last("p3@home.example"))
    assert "can now offer you a seat" in await mails.answer("p3@home.example", "yes")
    assert "✓" in await mails.answer("p1@home.example", "/game replace seat:P1 user:p3@home.example")
    assert "Reply yes" in text_part(mails.last("p3@home.example"))
    for address in ("p2@home.example", "p3@home.example"):
        await mails.answer(address, "yes")
    assert "p3" in (await mails.services.lobby.get_table(game)).names


async def test_a_position_is_opened_as_a_table_of_ones_own_and_played_on_by_mail(begun: Begun) -> None:
    """The answer is a mail of the new table: the reply to it is played there, for whoever's turn it is."""
    mails, game, first, second = begun
    await mails.answer(first, "bid 10")
    opened = await mails.answer(second, "/game fork at:0")
    assert f"✓ Game {game + 1} is a table of your own" in opened
    assert "A  Bid £5" in opened
    assert f"#{game + 1}]" in mails.last(second)["Subject"]
    assert "bids £20" in await mails.answer(second, "bid 20")
    assert (await version(mails, game), await version(mails, game + 1)) == (1, 1)
    assert f"✓ Game {game + 2} is your plan" in await mails.answer(first, "/view plan", mails.out[-3][1])


async def test_a_game_comes_as_a_file_and_a_file_becomes_a_game(begun: Begun) -> None:
    """Its name and kind are those of the command in Discord; what is imported is played on by mail."""
    mails, game, first, _ = begun
    await mails.answer(first, "bid 10")
    said = await mails.answer(first, "/game export format:csv")
    assert f"1860-{game}-1.csv, " in said
    ((name, values),) = list_files(mails.last(first)).items()
    assert name == f"1860-{game}-1.csv"
    assert str(values).startswith("Worth over time")
    data = (await mails.services.transfer.export(game)).data
    assert "/game import needs file" in await mails.answer(first, "/game import")
    told = await bring(mails, first, "/game import name:Again", data)
    assert "Imported 1 move." in told
    assert "Again" in (await mails.services.lobby.get_table(game + 1)).name
    assert f"#{game + 1}]" in mails.last(first)["Subject"]
    assert "✓" in await mails.answer(first, "pass")
    assert await version(mails, game + 1) == 2
    assert "can't be named in an e-mail; attach the file" in await mails.answer(first, "/game import file:/etc/passwd")
    assert "✗" in await bring(mails, first, "/game import", b"{}")


async def test_a_file_waits_for_the_yes_together_with_its_order(begun: Begun) -> None:
    """One that is too large to keep is asked for again."""
    mails, game, first, _ = begun
    data = (await mails.services.transfer.export(game)).data
    await mails.answer(first, "/me confirm")
    assert "you confirm each of your e-mails" in await bring(mails, first, "/game import name:Held", data)
    assert "✓" in await mails.answer(first, "yes")
    assert (await mails.services.lobby.get_table(game + 1)).name == "Held"
    noise = b"{" + urandom(MAX_HELD_BYTES + 1000) + b"}"
    assert "you confirm each" in await bring(mails, first, "/game import", noise)
    assert "/game import needs file" in await mails.answer(first, "yes")


def test_only_a_file_that_may_hold_a_game_is_taken() -> None:
    """The first by its kind or name; of hundreds of parts none is looked for."""
    for kind, found in (("text/x", b"{}"), ("application/json", b"{}")):
        mail = BROUGHT.format(order="x", kind=kind, data=b64encode(b"{}").decode())
        assert find_attached_file(parse_mail(mail.encode())) == found
    mail = BROUGHT.format(order="x", kind="image/png", data=b64encode(b"{}").decode()).replace(".json", ".png")
    assert find_attached_file(parse_mail(mail.encode())) == b""
    parts = "--b\nContent-Type: text/plain\n\nx\n" * 30
    mail = BROUGHT.format(order="x", kind="a/json", data="e30=").replace("--b\n", parts, 1)
    assert find_attached_file(parse_mail(mail.encode())) == b""


async def test_a_file_that_is_too_large_for_a_mail_is_refused(begun: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.mail.commands.MAX_FILE_BYTES", 10)
    assert MAX_FILE_BYTES > 10
    assert "too large for an e-mail" in await begun.mails.answer(begun.first, "/game export")
    assert list_files(begun.mails.last(begun.first)) == {}


async def test_a_person_who_is_forgotten_gets_no_more_mail(begun: Begun) -> None:
    """First they read what is deleted; after that nothing is known of them, not even which mails they sent."""
    mails, game, first, second = begun
    assert "there's no answer to that" in await mails.answer(first, "/me forget")
    assert await mails.answer(first, "/me forget sure:true") == ""
    assert await mails.services.contacts.find_contact(first) is None
    assert "a former player" in (await mails.services.lobby.get_table(game)).names
    lines = await mails.front.clerk.ledger.list_lines(10**9, 100)
    assert first not in {line.address for line in lines}
    assert await mails.front.receive(mails.reply(first, "help")) == "stranger"
    assert await mails.answer(second, "help") != ""


async def test_a_table_is_opened_filled_and_started_by_mail(begun: Begun) -> None:
    """New, invite and start, as a host does in Discord; it also begins when all have said yes."""
    mails, game, _, _ = begun
    said = await mails.answer(ONE, "/game new title:1862 seats:3 name:Third")
    assert "Third" in said
    assert f"#{game + 1}]" in mails.last(ONE)["Subject"]
    assert "needs at least 2 players" in await mails.answer(ONE, "/game start")
    asked = await mails.answer(ONE, "/game replace seat:1 user:zoe@x.example")
    assert "Only a player of a running game" in asked, "before the start they are invited"
    mails.services.contacts.served = True
    assert "✓" in await mails.answer(ONE, f"/game invite mail:{TWO}")
    assert "It begins when 1 more player has accepted" in await mails.answer(TWO, "yes")
    before = len(mails.out)
    await mails.answer(ONE, "/game start")
    told = [text_part(mail) for to, mail in mails.out[before:] if to == ONE]  # whoever moves first gets their turn, too
    assert any("Cheat sheet" in text for text in told), "of a game that the host has never played"
    assert (await mails.services.lobby.get_table(game + 1)).state == "running"


async def test_no_player_can_find_out_which_addresses_the_bot_knows(begun: Begun) -> None:
    """Of a stranger, a player of another table and one who has unsubscribed it says the same, and asks each once."""
    mails, game, _, _ = begun
    for address, state in (("known@x.example", "confirmed"), ("gone@x.example", "stopped")):
        contact = await mails.services.contacts.find_or_add(address)
        await mails.services.contacts.set_state(contact.id, state)  # type: ignore[arg-type]
    told, sent = set[str](), list[str]()
    for address in ("new@x.example", "known@x.example", "gone@x.example"):
        for order in (
            f"/game replace seat:P1 user:{address}", f"/game proxy user:{address}", f"/me profile user:{address}",
            f"/stats player user:{address}", f"link {address}",
        ):  # fmt: skip
            before = len(mails.out)
            first = (await mails.answer(ONE, order)).partition("\n")[0]
            told.add(first.replace(address, "A"))
            sent += [to for to, _ in mails.out[before:] if to not in (ONE, TWO)]
    assert len(told) == 5, told
    assert sorted(sent) == ["known@x.example", "new@x.example"]
    assert game


async def test_an_invitation_says_the_same_of_every_address(begun: Begun) -> None:
    """Of a stranger, one who was asked already, a player and one who has unsubscribed; the last gets no mail."""
    mails, _, _, _ = begun
    mails.services.contacts.served = True
    await mails.answer(ONE, "/game new title:1862 seats:6")
    for address, state in (("known@x.example", "confirmed"), ("gone@x.example", "stopped")):
        contact = await mails.services.contacts.find_or_add(address)
        await mails.services.contacts.set_state(contact.id, state)  # type: ignore[arg-type]
    told, before = set[str](), len(mails.out)
    for address in ("new@x.example", "new@x.example", "known@x.example", "known@x.example", "gone@x.example"):
        said = (await mails.answer(ONE, f"/game invite mail:{address}")).partition("\n")[0]
        told.add(said.replace(address, "A"))
    assert len(told) == 1, told
    assert sorted(to for to, _ in mails.out[before:] if to != ONE) == ["known@x.example", "new@x.example"]
