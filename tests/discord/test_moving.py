"""Tables that their host moves: what they leave behind has no live buttons."""

import pytest

from tests.discord.conftest import Desk
from tests.discord.person import Person
from tests.discord.play import open_table, texts, turn_of
from tests.discord.stand_in import Fault, StandIn


@pytest.fixture
def people(server: StandIn) -> tuple[Person, Person]:
    return server.person("alice"), server.person("bob")


async def test_a_host_moves_a_table_that_runs(server: StandIn, desk: Desk, people: tuple[Person, Person]) -> None:
    alice, bob = people
    elsewhere = server.world.channel(server.guild, "elsewhere")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        assert "lives here already" in (await alice.slash(thread, "game move")).text
        await alice.slash(elsewhere, "game move", game=1)
        await server.world.until(lambda: len(server.threads) > 1)
        await desk.settled()
        anew = server.threads[-1]
        assert anew.parent is elsewhere
        assert [message.text[:8] for message in elsewhere.public] == ["## The T"]
        left = [message for message in thread.public if f"“Friday” was moved to <#{anew.id}>" in message.text]
        assert len(left) == len(thread.public) == 2, "the table message and the turn"
        assert server.games.public[0].text == f"-# “Friday” was moved to <#{anew.id}>.", "the lobby message"
        assert not any(message.controls or message.files for message in (*left, *server.games.public))
        assert "✓ Alice bids £1" in (await alice.click(turn_of(anew), "Bid 1")).text
        await desk.settled()
        assert "Highest bid £1" in turn_of(anew).text
        assert len([message for message in anew.public if "Act" in message.labels]) == 2
    server.check()


async def test_an_open_table_that_is_moved_can_be_joined_in_its_new_place_only(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    alice, bob = people
    elsewhere = server.world.channel(server.guild, "elsewhere")
    async with desk.running():
        await alice.slash(server.games, "game new", title="toy", seats=2)
        await desk.settled()
        (lobby,) = [message for message in server.games.public if "Join" in message.labels]
        await alice.slash(elsewhere, "game move", game=1)
        await desk.settled()
        assert lobby.text.endswith(f"was moved to <#{elsewhere.id}>.")
        assert lobby.controls == []
        (anew,) = [message for message in elsewhere.public if "Join" in message.labels]
        await bob.click(anew, "Join")
        await desk.settled()
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
        await desk.settled()
        anew = server.threads[-1]
        shown = [message for each in {thread, anew} for message in each.public if message.controls]
        assert {message.channel for message in shown} == {anew}, "in its own channel it finds its thread again"
        assert len([message for message in shown if "Act" in message.labels]) == 2, "the turn and the table message"
        assert "Highest bid £1" in turn_of(anew).text
        assert "✓ Bob bids £2" in (await bob.click(turn_of(anew), "Bid 2")).text
        await desk.settled()
        assert len([message for message in anew.public if "Act" in message.labels]) == 2
    server.check()


async def test_what_discord_does_not_let_edit_where_a_table_lived_is_deleted(
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
            await desk.settled()
            desk.forward(10)
        await desk.settled()
        assert thread.public == []
        assert "Act" in turn_of(server.threads[-1]).labels
