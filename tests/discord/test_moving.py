"""Tables that people move, or that migrating sets aside: what they leave behind has no live buttons."""

from collections.abc import Sequence

import pytest
from sqlalchemy import text

from bot.model.clock import HOUR
from bot.model.records import Calls
from bot.store.database import Database
from bot.store.migrate import Unplayable, record_rules
from engine.game import AMBIGUOUS_RULES
from tests.discord.conftest import Desk
from tests.discord.person import Person
from tests.discord.play import open_table, texts, turn_of
from tests.discord.stand_in import Fault, StandIn
from tests.support.toy import Bid


@pytest.fixture
def people(server: StandIn) -> tuple[Person, Person]:
    return server.person("alice"), server.person("bob")


async def test_a_host_moves_a_table_that_runs(server: StandIn, desk: Desk, people: tuple[Person, Person]) -> None:
    alice, bob = people
    elsewhere = server.world.channel(server.guild, "elsewhere")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        assert "is already here" in (await alice.slash(thread, "game move")).text
        await alice.slash(elsewhere, "game move", game=1)
        await server.world.until(lambda: len(server.threads) > 1)
        await desk.settle()
        anew = server.threads[-1]
        assert anew.parent is elsewhere
        assert [message.text[:8] for message in elsewhere.public] == ["## The T"]
        left = [message for message in thread.public if f"“Friday” has moved to <#{anew.id}>" in message.text]
        assert len(left) == len(thread.public) == 2, "the table message and the turn"
        assert server.games.public[0].text == f"-# “Friday” has moved to <#{anew.id}>.", "the lobby message"
        assert not any(message.controls or message.files for message in (*left, *server.games.public))
        assert "✓ Alice bids £1" in (await alice.click(turn_of(anew), "Bid 1")).text
        await desk.settle()
        assert "Highest bid £1" in turn_of(anew).text
        assert len([message for message in anew.public if "Act" in message.labels]) == 2
        await alice.slash(server.games, "game move", game=1)
        await desk.settle()
        assert texts(server.threads[-1]).count("continues here") == 1, "not once for each move"
    server.check()


async def test_a_majority_moves_a_table_and_nothing_stays_open_at_the_old_place(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """The turn, a reminder, the question about Alice's clock and that about the move have no live buttons left."""
    alice, bob = people
    carol, elsewhere = server.person("carol"), server.world.channel(server.guild, "elsewhere")
    async with desk.running():
        thread = await open_table(desk, alice, bob, carol, pace="several a day")
        desk.forward(5 * HOUR)
        await server.world.until(lambda: "your turn since" in texts(thread), what="a reminder")
        await bob.slash(thread, "game stand_in", seat="Alice")
        await carol.slash(elsewhere, "me remind", place="dm")
        asked = await bob.slash(elsewhere, "game move", game=1)
        assert f"Bob asks to move the table to <#{elsewhere.id}>" in asked.text
        await desk.settle()
        ballot = next(message for message in thread.public if "asks to move the table" in message.text)
        assert "1 of 2 votes are needed" in ballot.text
        await carol.click(ballot, "Agree")
        await server.world.until(lambda: len(server.threads) > 1)
        await desk.settle()
        anew = server.threads[-1]
        assert anew.parent is elsewhere
        assert not any(message.controls or message.files for message in thread.public)
        assert "your turn since" not in texts(thread)
        assert f"“Friday” has moved to <#{anew.id}>" in texts(thread)
        assert "Bob moved “Friday” here, as the players agreed." in texts(anew)
        assert server.pings(anew) == ["alice", "bob"]
        told = texts(server.world.dm(carol.user))
        assert f"“Friday” <#{anew.id}>: Bob moved “Friday” here, as the players agreed." in told
        (vote,) = [message for message in anew.public if "Agree" in message.labels]
        assert "for the stand-in to play for Alice" in vote.text
        assert "✓ Alice bids £1" in (await alice.click(turn_of(anew), "Bid 1")).text
    server.check()


async def test_a_manager_makes_another_player_the_host_and_the_table_hears_it(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    alice, bob = people
    eve, boss = server.person("eve"), server.person("boss", admin=True)
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        refused = await eve.slash(thread, "game host", seat="Bob")
        assert "host" in refused.text
        assert (await desk.services.lobby.get_table(1)).host == str(alice.id)
        await boss.slash(thread, "game host", seat="Bob")
        await desk.settle()
        assert "Bob is now the host of “Friday”, as server manager Boss decided." in texts(thread)
        assert (await desk.services.lobby.get_table(1)).host == str(bob.id)
        assert "Boss game 1: made Bob the host" in (await boss.slash(thread, "admin audit")).text
    server.check()


async def test_what_a_sleeping_player_is_asked_waits_for_them_where_the_table_has_moved(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """A prompt to give away a seat, and the word that the table has moved: pinged on waking, in the new place."""
    alice, bob = people
    carol, elsewhere = server.person("carol"), server.world.channel(server.guild, "elsewhere")
    boss = server.person("boss", admin=True)
    async with desk.running():
        thread = await open_table(desk, alice, bob, carol)
        await bob.slash(thread, "me remind", place="dm")
        asleep = Calls(away_from=desk.clock(), away_to=desk.clock() + HOUR)
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        await desk.services.people.set_calls(str(alice.id), asleep)
        await bob.slash(thread, "game resign")
        await desk.settle()
        (prompt,) = [message for message in thread.public if "no one holds it" in message.text]
        await boss.slash(elsewhere, "game move", game=1)
        await server.world.until(lambda: len(server.threads) > 1)
        await desk.settle()
        anew = server.threads[-1]
        assert "has moved to" in prompt.text
        assert "no one holds it" in texts(anew)
        assert server.pings(anew) == ["carol"]
        desk.forward(HOUR)
        await desk.settle()
        assert sorted(server.pings(anew)) == ["alice", "alice", "carol"]
        assert "Server manager Boss moved “Friday” here" in anew.last.text + anew.public[-2].text
    server.check()


async def test_an_open_table_that_is_moved_can_be_joined_in_its_new_place_only(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    alice, bob = people
    elsewhere = server.world.channel(server.guild, "elsewhere")
    async with desk.running():
        await alice.slash(server.games, "game new", title="toy", seats=2)
        await desk.settle()
        (lobby,) = [message for message in server.games.public if "Join" in message.labels]
        await alice.slash(elsewhere, "game move", game=1)
        await desk.settle()
        assert lobby.text.endswith(f"has moved to <#{elsewhere.id}>.")
        assert lobby.controls == []
        (anew,) = [message for message in elsewhere.public if "Leave" in message.labels]
        await bob.click(anew, "Join")
        await desk.settle()
        assert "2 of 2 players" in anew.text
        assert server.threads == []
    server.check()


@pytest.mark.parametrize("where", ["elsewhere", "games"])
async def test_a_turn_that_is_being_sent_while_its_table_moves_is_live_in_the_new_place_only(
    server: StandIn, desk: Desk, people: tuple[Person, Person], where: str
) -> None:
    alice, bob = people
    channel = server.games if where == "games" else server.world.channel(server.guild, where)
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        server.fault(Fault("POST", f"/channels/{thread.id}/messages", 0, wait=1.5))
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: "Highest bid £1" in texts(thread), what="the turn, whose answer is late")
        await alice.slash(channel, "game move", game=1)
        await desk.settle()
        anew = server.threads[-1]
        shown = [message for each in {thread, anew} for message in each.public if message.controls]
        assert {message.channel for message in shown} == {anew}, "in its own channel it finds its thread again"
        assert len([message for message in shown if "Act" in message.labels]) == 2, "the turn and the table message"
        assert "Highest bid £1" in turn_of(anew).text
        assert "✓ Bob bids £2" in (await bob.click(turn_of(anew), "Bid 2")).text
        await desk.settle()
        assert len([message for message in anew.public if "Act" in message.labels]) == 2
    server.check()


async def _lose_channel(server: StandIn, people: Sequence[Person]) -> None:
    """Delete the channel of the only table, and wait until its players are told how to move it."""
    server.delete(server.games)
    dms = [server.world.dm(person.user) for person in people]
    await server.world.until(lambda: all("/game move game:1" in texts(private) for private in dms))


@pytest.mark.parametrize("who", ["the host", "the other player", "a manager"])
async def test_players_of_a_deleted_channel_hear_of_it_and_move_the_table(
    server: StandIn, desk: Desk, people: tuple[Person, Person], who: str
) -> None:
    """The host may be gone: a server manager can move it, and so can the only other player."""
    alice, bob = people
    eve, boss = server.person("eve"), server.person("boss", admin=True)
    mover, word = {
        "the host": (alice, "continues here"),
        "the other player": (bob, "Bob moved “Friday” here, as the players agreed."),
        "a manager": (boss, "Server manager Boss moved “Friday” here."),
    }[who]
    elsewhere = server.world.channel(server.guild, "elsewhere")
    async with desk.running():
        await open_table(desk, alice, bob)
        await _lose_channel(server, people)
        refused = await eve.slash(elsewhere, "game move", game=1)
        assert "Only the host and server managers can move a table at once" in refused.text
        moved = await mover.slash(elsewhere, "game move", game=1)
        assert "has moved" in moved.text
        await server.world.until(lambda: server.threads)
        await desk.settle()
        thread = server.threads[-1]
        assert thread.parent is elsewhere
        assert word in texts(thread)
        assert server.pings(thread) == ["alice", "bob"], "the word that it moved"
        if who == "a manager":
            audit = (await boss.slash(elsewhere, "admin audit")).text
            assert f"Boss game 1: moved the table to <#{elsewhere.id}>" in audit
        assert "✓ Alice bids £1" in (await alice.click(turn_of(thread), "Bid 1")).text
    server.check()


async def test_turns_without_a_channel_are_told_in_private(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """They were told nowhere; a new host and a vote are told in private too, and all goes on in the new place."""
    alice, bob = people
    carol, elsewhere = server.person("carol"), server.world.channel(server.guild, "elsewhere")
    dms = {person: server.world.dm(person.user) for person in (alice, bob, carol)}
    async with desk.running():
        await open_table(desk, alice, bob, carol)
        await _lose_channel(server, [*dms])
        assert "✓ Alice bids £1" in (await alice.slash(elsewhere, "act bid", amount=1, game=1)).text
        await server.world.until(lambda: "It's your turn. Its channel was deleted" in texts(dms[bob]))
        await desk.settle()
        for person in (bob, carol):
            assert "“Friday” (game 1): Alice bids £1" in texts(dms[person])
        assert "Alice bids" not in texts(dms[alice])
        assert "your turn" not in texts(dms[carol])

        await bob.slash(elsewhere, "game host", seat="Carol", game=1)
        await server.world.until(lambda: "Bob asks for Carol to become the host" in texts(dms[carol]))
        await carol.slash(elsewhere, "game vote", answer="yes", game=1)
        await server.world.until(
            lambda: "Carol is now the host of “Friday”, as the players agreed" in texts(dms[alice])
        )
        assert (await desk.services.lobby.get_table(1)).host == str(carol.id)
        assert "has moved here" in (await carol.slash(elsewhere, "game move", game=1)).text
        await server.world.until(lambda: server.threads)
        await desk.settle()
        thread = server.threads[-1]
        assert "✓ Bob bids £2" in (await bob.click(turn_of(thread), "Bid 2")).text
        await desk.settle()
        assert "Bob bids" not in texts(dms[carol]), "it stands in the thread again"
    server.check()


async def test_a_turn_that_could_not_be_sent_to_a_deleted_thread_rings_in_the_next(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """The bot doesn't hear of the deletion; the result before the turn finds out, and the turn was never tried."""
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        await desk.settle()
        server.world.forget(thread)
        await desk.services.table.submit(1, str(alice.id), Bid(1))
        anew = await server.world.until(lambda: next((each for each in server.threads if each is not thread), None))
        await server.world.until(lambda: "Highest bid £1" in texts(anew))
        await desk.settle()
        assert sorted(server.pings(anew)) == ["alice", "bob", "bob"], "the word about the thread, and Bob's turn"
    server.check()


async def test_old_messages_that_discord_refuses_to_edit_after_a_move_are_deleted(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    alice, bob = people
    elsewhere = server.world.channel(server.guild, "elsewhere")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        server.fault(Fault("PATCH", f"/channels/{thread.id}/messages", 400, times=99))
        await alice.slash(elsewhere, "game move", game=1)
        await server.world.until(lambda: len(server.threads) > 1)
        for _ in range(4):
            await desk.settle()
            desk.forward(10)
        await desk.settle()
        assert thread.public == []
        assert "Act" in turn_of(server.threads[-1]).labels


async def test_a_table_that_was_set_aside_is_announced_once_where_it_lived(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """Nothing was said, the buttons stayed live, and a press was told that the table had not started."""
    alice, bob = people
    async with desk.running() as client:
        thread = await open_table(desk, alice, bob)
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        turn, card, lobby = turn_of(thread), thread.public[0], server.games.public[0]
        await bob.slash(thread, "game undo", to=0)
        await desk.settle()
        (ballot,) = [message for message in thread.public if "No" in message.labels]
        await _set_aside(client.services.database, 1)
    async with desk.running():
        await server.world.until(lambda: "when the bot was updated" in texts(thread), 30)
        await desk.settle()
        why = "an earlier version wrote moves that break its rules; the bot's operator has the log as a file"
        assert thread.last.text.endswith(
            f"“Friday” was closed when the bot was updated: {why}. /game new opens a new table.".replace(
                "/game new", "**/game new**"
            )
        )
        assert turn.text == card.text == ballot.text == f"-# “Friday” is closed: {why}."
        assert f"closed: {why}" in lobby.text
        assert not any(message.controls for message in (turn, card, lobby, ballot))
        pressed = await bob.press(turn, "v1|1|1|act|")
        assert pressed.text == f"“Friday” was closed: {why}."
    async with desk.running():
        await desk.settle()
        assert texts(thread).count("when the bot was updated") == 1
        assert server.pings() == ["alice", "bob", "alice"], "the turns and the question; that it is closed rings no one"
    server.check()


async def _set_aside(database: Database, game: int) -> None:
    """Break the log of a table, and migrate as an older store is."""
    kept = list[Unplayable]()
    async with database.backend.writer.begin() as connection:
        broken = {"payload": '{"do":"bid","amount":99}', "rules": AMBIGUOUS_RULES, "game": game}
        await connection.execute(text("UPDATE log SET payload = :payload WHERE seq = 0 AND game = :game"), broken)
        await connection.execute(text("UPDATE game SET rules = :rules WHERE id = :game"), broken)
        await record_rules(connection, kept.append)
    assert [each.game for each in kept] == [game]
