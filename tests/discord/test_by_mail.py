"""Mail and chat at one table: asked there by mail, made one person by a code, one log whoever plays where."""

import asyncio
import os
from collections.abc import Sequence
from email.utils import parseaddr
from typing import Any

import pytest

from engine import Action, LogEntry
from engine.words import write_parameters
from tests.bot.conftest import Clock
from tests.discord.conftest import Desk
from tests.discord.person import Person
from tests.discord.play import open_table
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel
from tests.mail.conftest import POST, Mails, code_in, settle
from tests.mail.letters import text_part
from tests.playthroughs.record import read

BOB = "bob@home.example"
GAME = "1860-2"
MOVES = int(os.environ.get("MAIL_MOVES", "16"))
"""How many moves of the kept game are played; MAIL_MOVES=1000 plays it to its end."""


@pytest.fixture
def server() -> StandIn:
    """A stand-in that lives as long as the whole game takes."""
    return StandIn(life=110 if MOVES < 100 else 3600)


async def type_action(desk: Desk, person: Person, thread: Channel, action: Action) -> None:
    """Type an action as a slash command."""
    act = next(each for each in desk.server.world.commands if each["name"] == "act")
    verb = next(each for each in act["options"] if each["name"] == action.verb)
    kinds = {each["name"]: each["type"] for each in verb.get("options", [])}
    words: dict[str, Any] = {n: int(w) if kinds[n] == 4 else w for n, w in write_parameters(action).items()}
    answer = await person.slash(thread, f"act {action.verb}", **words)
    assert "✓" in answer.text or "The game is over" in answer.text, (action, answer.text)


async def wait_for_turn(desk: Desk, mails: Mails, game: int) -> None:
    """Wait, bounded, until the last mail is of the present turn."""
    async with asyncio.timeout(20):
        while True:
            desk.server.clock.forward(130)  # who has just acted in the chat is not written to
            await settle(mails.front.letters)  # what the table owes is left to the bot
            token = POST.read_token(parseaddr(str(mails.last(BOB)["Reply-To"]))[1])
            if token is not None and token.turn == (await desk.services.lobby.get_table(game)).turn_from:
                return
            await asyncio.sleep(0.02)


async def mail_action(desk: Desk, mails: Mails, game: int, action: Action) -> None:
    """Answer the mail of the turn with an action in words."""
    await wait_for_turn(desk, mails, game)
    words = write_parameters(action)
    bare = len(words) < 2 and not any(" " in each for each in words.values())
    said = [*words.values()] if bare else [f'{name}:"{value}"' for name, value in words.items()]
    told = await mails.answer(BOB, " ".join([action.verb, *said]))
    assert "✓" in told or "is over" in told, (action, told)
    del mails.out[:-20]


async def seat_two(desk: Desk, mails: Mails, host: Person, seed: int) -> tuple[Channel, int]:
    """Let someone in the chat open a table and ask Bob by mail, who says yes; return its thread and number."""
    games = desk.server.games
    desk.services.contacts.served = True
    await host.slash(games, "game new", title="1860", seats=2, name="Both", seed=seed, privacy="invite")
    lobby = await desk.server.world.until(lambda: [m for m in games.public if "Both" in m.text])
    number = int(lobby[-1].text.split("Game ")[1].split()[0])
    asked = await host.slash(games, "game invite", mail=BOB, game=number)
    assert f"Invited to “Both”: {BOB}" in asked.text
    assert asked.message.ephemeral, "nobody else sees the address"
    await mails.send_all()
    assert "when the host starts it" in await mails.answer(BOB, "yes")
    before = len(desk.server.threads)
    await host.slash(games, "game start", order="as joined", game=number)
    await desk.server.world.until(lambda: len(desk.server.threads) > before)
    assert BOB not in "".join(m.text for c in desk.server.world.channels.values() for m in c.public)
    return desk.server.threads[-1], number


async def read_log(desk: Desk, game: int) -> Sequence[tuple[int, Action]]:
    """Return the log of a table."""
    here = await desk.services.table.load_position(game)
    return [(said.seat, said.action) for said in here.game.log]


@pytest.mark.timeout(60 + 10 * MOVES)
async def test_a_game_half_by_mail_half_in_the_chat_has_the_log_of_one_in_the_chat_alone(
    desk: Desk, server: StandIn
) -> None:
    """The same moves, one player asked by mail and answering mails, and then both in the chat: two equal logs.

    The suite plays the first moves of a kept game of 1860; MAIL_MOVES=1000 plays it to its end.
    """
    kept = read(GAME)
    moves: Sequence[LogEntry] = kept.read_log()[:MOVES]
    async with server, desk.running():
        alice, carol = server.person("alice"), server.person("carol")
        mails = Mails(desk.services, Clock())
        thread, number = await seat_two(desk, mails, alice, kept.setup.seed)
        other = await open_table(desk, alice, carol, title="1860", name="Alone", seed=kept.setup.seed)
        for said in moves:
            if said.seat == 0:
                await type_action(desk, alice, thread, said.action)
            else:
                await mail_action(desk, mails, number, said.action)
            await type_action(desk, (alice, carol)[said.seat], other, said.action)
        mixed, alone = await read_log(desk, number), await read_log(desk, number + 1)
        assert mixed == alone == [(said.seat, said.action) for said in moves]
        if len(moves) == len(kept.log):
            assert (await desk.services.lobby.get_table(number)).state == "finished"
            await mails.send_all()
            assert any("is over" in text_part(mail) for to, mail in mails.out if to == BOB)
    assert server.violations == []


async def test_a_mail_only_player_is_merged_with_an_account_by_a_code(desk: Desk, server: StandIn) -> None:
    """`/me mail` sends a code to the address; with it the seat, the log and the calls are of one person."""
    async with server, desk.running():
        alice, bob, eve = server.person("alice"), server.person("bob"), server.person("eve")
        mails = Mails(desk.services, Clock())
        thread, number = await seat_two(desk, mails, alice, read(GAME).setup.seed)
        asked = await bob.slash(server.games, "me mail", address=BOB)
        assert "code has been sent" in asked.text
        await mails.send_all()
        code = code_in(text_part(mails.last(BOB)))
        assert "wrong or too old" in (await eve.slash(server.games, "me mail", code=code)).text, (
            "a code is of who asked for it"
        )
        linked = await bob.slash(server.games, "me mail", code=code)
        assert "Its seat at “Both” is now yours" in linked.text
        table = await desk.services.lobby.get_table(number)
        assert table.people == (str(alice.id), str(bob.id))
        assert table.names[1] == "bob"
        old = mails.last(BOB)["Reply-To"]
        for said in read(GAME).read_log()[:4]:
            await type_action(desk, (alice, bob)[said.seat], thread, said.action)
            server.clock.forward(700)
            await mails.send_all()
        assert (await desk.services.table.load_position(number)).version == 4
        assert mails.last(BOB)["Reply-To"] != old, "mails still come, and what was answered to before is void"
        assert "A code has been sent" in (await eve.slash(server.games, "me mail", address=BOB)).text
        assert "wrong or too old" in (await eve.slash(server.games, "me mail", code="000000")).text
    assert server.violations == []


async def test_a_table_by_mail_alone_is_kept_going_by_a_bot_in_discord(desk: Desk, server: StandIn) -> None:
    """Its reminders follow one another, and no picture waits for a message that will never stand in a chat."""
    async with server, desk.running():
        desk.services.contacts.served = True
        mails = Mails(desk.services, Clock())
        table = await mails.seat()
        for _ in range(6):
            await desk.settle()
            desk.forward(25 * 3600)
            await desk.settle()
            await mails.send_all()
        told = [text_part(mail) for _, mail in mails.out]
        assert len([each for each in told if each.startswith("Reminder: ")]) == 5
        owed = await desk.services.outbox.list_due()
        assert [each.key for each in owed if each.game == table.id] == []
