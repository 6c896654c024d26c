"""Calls in private: tried before they are chosen, and at the table where Discord does not deliver them."""

import contextlib
import time
from typing import Any

import pytest

from bot.model.records import Calls
from tests.discord.conftest import Desk
from tests.discord.person import Person
from tests.discord.play import open_table, texts, turn_of
from tests.discord.stand_in import Fault, StandIn
from tests.discord.world import Channel


@pytest.fixture
def people(server: StandIn) -> tuple[Person, Person]:
    return server.person("alice"), server.person("bob")


def close_dms(server: StandIn, person: Person, status: int = 403) -> None:
    """Let Discord deliver nothing to a person."""
    dm = server.world.dm(person.user)
    server.fault(Fault("POST", f"/channels/{dm.id}/messages", status, times=999))


async def wish(desk: Desk, person: Person, calls: Calls) -> None:
    await desk.services.people.set_calls(str(person.id), calls)


async def open_table_of(desk: Desk, people: tuple[Person, Person], calls: Calls, title: str = "toy") -> Channel:
    """Open a table at which the second person wishes to be called so."""
    thread = await open_table(desk, *people, *([desk.server.person("carol")] if title == "1860" else []), title=title)
    await wish(desk, people[1], calls)
    return thread


async def play_to_the_end(desk: Desk, people: tuple[Person, Person], thread: Channel) -> None:
    """Let both pass both lots of the toy."""
    for person in (*people, *people):
        await person.slash(thread, "act pass")
        await desk.settle()


@pytest.mark.parametrize("status", [400, 403, 404])
async def test_a_refused_call_goes_to_the_table_at_once(
    server: StandIn, desk: Desk, people: tuple[Person, Person], status: int
) -> None:
    """Whoever chose private messages and closed them was never called again."""
    alice, bob = people
    async with desk.running():
        thread = await open_table_of(desk, people, Calls(place="dm"))
        close_dms(server, bob, status)
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        call = thread.last
        assert call.text.startswith(f"{bob.mention} — Auction of lot 1.\n")
        assert "Allow direct messages" in call.text
        assert "/me remind place:table" in call.text
        assert server.pings(thread) == ["alice", "bob"]
        desk.forward(24 * 3600)  # a reminder of the same turn does not try again
        await server.world.until(lambda: "your turn since" in texts(thread), 30)
        await desk.settle()
        assert server.pings(thread) == ["alice", "bob", "bob"]
        assert texts(thread).count("Allow direct messages") == 1
        await bob.slash(thread, "act bid", amount=2)
        await desk.settle()
        assert call not in thread.public, "it was answered"


async def test_a_player_pinged_in_both_places_is_told_how_to_fix_it_and_pinged_once_at_the_table(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    alice, bob = people
    async with desk.running():
        thread = await open_table_of(desk, people, Calls(place="both"))
        close_dms(server, bob)
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        assert server.pings() == ["alice", "bob"]
        assert thread.last.text.startswith(f"{bob.mention} — Auction of lot 1.\n")
        assert "Allow direct messages" in thread.last.text
    async with desk.running():
        await desk.settle()
        assert texts(thread).count("Allow direct messages") == 1
        assert server.pings() == ["alice", "bob"]
    server.check()


@pytest.mark.parametrize("status", [429, 503])
async def test_a_call_that_does_not_come_through_for_long_goes_to_the_table(
    server: StandIn, desk: Desk, people: tuple[Person, Person], status: int
) -> None:
    """A limit of an hour, or a line that fails again and again: no one knew whose turn it was."""
    alice, _ = people
    async with desk.running():
        thread = await open_table_of(desk, people, Calls(place="dm"))
        server.fault(Fault("POST", "/users/@me/channels", status, times=999, retry_after=3000.0))
        await alice.click(turn_of(thread), "Bid 1")
        for _ in range(12):
            desk.forward(5)
            with contextlib.suppress(TimeoutError):
                await desk.settle(1)
        assert server.pings(thread) == ["alice", "bob"]
        assert "Allow direct messages" in texts(thread)


async def test_a_refused_call_that_waited_for_the_morning_goes_to_the_table(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """The call was promised for the end of the quiet hours; a restart lies between."""
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        hour = time.gmtime(desk.clock()).tm_hour
        await wish(desk, bob, Calls(place="dm", quiet_from=hour, quiet_to=(hour + 2) % 24))
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        close_dms(server, bob)
        assert server.pings() == ["alice"]
    async with desk.running():
        desk.forward(2 * 3600)
        await server.world.until(lambda: "Allow direct messages" in texts(thread), 30)
        await desk.settle()
        assert server.pings(thread) == ["alice", "bob"]
    async with desk.running():
        await desk.settle()
        assert server.pings(thread) == ["alice", "bob"]
    server.check()


async def test_a_vote_on_a_finished_game_is_asked_for_in_private_too(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    alice, bob = people
    async with desk.running():
        thread = await open_table_of(desk, people, Calls(place="dm"))
        await play_to_the_end(desk, people, thread)
        assert (await desk.services.lobby.get_table(1)).state == "finished"
        await alice.slash(thread, "game undo", to=0)
        await desk.settle()
        assert "asks to take back" in server.world.dm(bob.user).last.text


async def test_a_refused_digest_is_reported_at_the_table(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """What it says stays private: it may name tables of other servers."""
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        await wish(desk, alice, Calls(digest=0))
        close_dms(server, alice)
        await desk.services.tidy()
        await server.world.until(lambda: "doesn't deliver your digest" in texts(thread))
        assert "Waiting for you" not in texts(thread)
        assert server.pings(thread) == ["alice", "alice"]


@pytest.mark.parametrize("chosen", [{"place": "dm"}, {"place": "both"}, {"digest": 0}])
async def test_private_messages_are_tried_before_they_are_chosen(
    server: StandIn, desk: Desk, people: tuple[Person, Person], chosen: dict[str, Any]
) -> None:
    alice, bob = people
    async with desk.running():
        close_dms(server, bob)
        refused = await bob.slash(server.games, "me remind", **chosen)
        assert "Discord doesn't deliver my private messages to you, so nothing was changed" in refused.text
        assert (await desk.services.people.get_calls(str(bob.id)))[str(bob.id)] == Calls()
        await alice.slash(server.games, "me remind", **chosen)
        assert "This is a test" in server.world.dm(alice.user).last.text
        assert (await desk.services.people.get_calls(str(alice.id)))[str(alice.id)] != Calls()
        server.fault(Fault("POST", "/users/@me/channels", 503, times=99))
        before = len(server.world.dm(alice.user).messages)
        assert "quiet" not in (await alice.slash(server.games, "me remind", quiet_from=22, quiet_to=7)).text
        assert len(server.world.dm(alice.user).messages) == before, "nothing private was chosen here"
    server.check()


async def test_a_private_call_to_a_turn_that_has_passed_is_not_sent(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    alice, bob = people
    async with desk.running():
        thread = await open_table_of(desk, people, Calls(place="dm"))
        dm = server.world.dm(bob.user)
        server.fault(Fault("POST", f"/channels/{dm.id}/messages", 503, times=5))
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: "Highest bid £1" in texts(thread))
        await bob.click(turn_of(thread), "Bid 2")
        for _ in range(12):
            desk.forward(20)
            await desk.settle()
        assert "It's your turn" not in texts(dm)


async def test_reminders_are_snoozed_from_the_private_message_that_rings(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """An old one says that the turn is over."""
    alice, bob = people
    async with desk.running():
        thread = await open_table_of(desk, people, Calls(place="dm"))
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        dm = server.world.dm(bob.user)
        asked = await bob.click(dm.last, "Snooze 4 h")
        assert "You'll be pinged again on" in asked.text
        for hours, rings in ((3, 1), (1, 2)):
            desk.forward(hours * 3600)
            await desk.settle()
            assert len([message for message in dm.public if "your turn" in message.text]) == rings
        await bob.slash(thread, "act bid", amount=2)
        await desk.settle()
        late = await bob.click([message for message in dm.public if "your turn" in message.text][-1], "Stop for")
        assert "no longer your turn" in late.text
    server.check()


@pytest.mark.parametrize(("calls", "rings"), [(Calls(place="table"), False), (Calls(place="dm"), True)])
async def test_why_an_order_stopped_is_told_in_private_alone(
    server: StandIn, desk: Desk, people: tuple[Person, Person], calls: Calls, rings: bool
) -> None:
    """To a player who wishes pings at the table it comes without a ring (4096 is Discord's flag for that)."""
    alice, bob = people
    async with desk.running():
        thread = await open_table_of(desk, people, calls, "1860")
        await bob.slash(thread, "auto bid", on="choice", up_to=30)
        await alice.slash(thread, "act bid", amount=5)
        await desk.settle()
        await alice.slash(thread, "game undo")
        await desk.settle()
        (told,) = [message for message in server.world.dm(bob.user).public if "Your order stopped" in message.text]
        assert "Moves made before it were undone. It's Alice's turn." in told.text
        assert bool(told.flags & 4096) is not rings
        assert "Your order" not in texts(thread)
    server.check()


async def test_whoever_sleeps_through_the_end_is_told_on_waking_in_reply_to_it(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    async with desk.running():
        thread = await open_table_of(desk, people, Calls(away_from=desk.clock(), away_to=desk.clock() + 7200))
        await play_to_the_end(desk, people, thread)
        before = server.pings(thread).count("bob")
        end = next(message for message in thread.public if " is over: " in message.text)
        desk.forward(7200)
        await desk.settle()
        assert server.pings(thread).count("bob") == before + 1
        assert "The game is over" in thread.last.text
        assert thread.last.reply_to == end.id
    server.check()


async def test_a_call_in_private_opens_the_desk_and_links_the_turn(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    alice, bob = people
    async with desk.running():
        thread = await open_table_of(desk, people, Calls(place="dm"))
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        call = server.world.dm(bob.user).last
        assert call.labels[0] == "Act"
        turn = turn_of(thread)
        assert f"https://discord.com/channels/{server.guild.id}/{thread.id}/{turn.id}" in call.text
        opened = await bob.click(call, "Act")
        assert "✓" in (await bob.click(opened.message, "Bid 2")).text
    server.check()
