"""Tables whose place in Discord is deleted, locked, closed to the bot, or moved by their host."""

from collections.abc import Awaitable, Callable

import pytest

from bot.service.table import Typed
from bot.store.database import StoreError
from tests.discord.conftest import Desk
from tests.discord.person import Person
from tests.discord.play import open_live_table, open_table, texts, turn_of
from tests.discord.stand_in import Fault, StandIn
from tests.discord.world import Channel
from tests.support.toy import Bid


@pytest.fixture
def people(server: StandIn) -> tuple[Person, Person]:
    return server.person("alice"), server.person("bob")


async def test_players_are_added_to_the_thread_without_a_ping(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    async with desk.running():
        thread = await open_table(desk, *people)
        assert {person.id for person in people} <= thread.members
        assert server.pings() == ["alice"]
    server.check()


async def test_a_deleted_thread_is_made_again(server: StandIn, desk: Desk, people: tuple[Person, Person]) -> None:
    """The turn stands there with live buttons, and the players are told once."""
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        server.delete(thread)
        anew = await _other_thread(server, thread)
        await server.world.until(lambda: "was deleted, so the game continues here" in texts(anew))
        await desk.settle()
        assert server.pings() == ["alice", "bob", "alice", "bob"], "their turns, and the word about the thread"
        assert turn_of(anew).files
        assert "✓ Bob bids £2" in (await bob.click(turn_of(anew), "Bid 2")).text
        await desk.settle()
        assert f"<#{anew.id}>" in server.games.public[0].text
    server.check()


async def test_the_lobby_links_the_thread_that_was_made_again(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """Discord makes no second thread at a message; the one of its own has another id, and the lobby kept the old."""
    async with desk.running():
        thread = await open_table(desk, *people)
        lobby = server.games.public[0]
        server.fault(Fault("POST", f"/messages/{lobby.id}/threads", 400, times=9, code=160004))
        server.delete(thread)
        anew = await _other_thread(server, thread)
        await desk.settle()
        assert anew.id != thread.id
        assert f"started, in <#{anew.id}>" in lobby.text
        assert f"<#{thread.id}>" not in lobby.text
    server.check()


async def test_where_no_more_threads_can_be_made_the_table_lives_in_the_channel(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """A server has a thousand active threads at most; each post was given up for it, and the table was silent."""
    alice, bob = people
    async with desk.running():
        server.fault(Fault("POST", "/threads", 400, times=99))
        await alice.slash(server.games, "game new", title="toy", seats=2)
        await desk.settle()
        lobby = server.games.last
        await bob.click(lobby, "Join")
        await alice.click(lobby, "Start")
        await server.world.until(lambda: "You may bid" in texts(server.games), 30)
        await desk.settle()
        assert "Act" in turn_of(server.games).labels
        assert server.threads == []
    server.check()


@pytest.mark.parametrize("heard", [True, False])
async def test_posts_in_the_channel_are_not_repeated_when_the_thread_is_deleted(
    server: StandIn, desk: Desk, people: tuple[Person, Person], *, heard: bool
) -> None:
    """The turn stands in the channel, whether the bot has heard of that or not: no second one has live buttons."""
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        thread.denied = frozenset({"send_messages_in_threads"})
        if not heard:
            server.fault(Fault("POST", f"/channels/{server.games.id}/messages", -2))
        await alice.click(turn_of(thread), "Bid 1")
        above = await server.world.until(
            lambda: next((each for each in server.games.public if "Highest bid £1" in each.text), None)
        )
        if heard:
            await desk.settle()
        above.nonce = None
        server.delete(thread)
        anew = await _other_thread(server, thread)
        await server.world.until(lambda: "the game continues here" in texts(anew))
        await desk.settle()
        turns = [each for each in (*server.games.public, *anew.public) if "You may bid" in each.text]
        assert [each.id for each in turns if not each.text.startswith("##")] == [above.id]
        assert server.pings().count("bob") == 2, "his turn, and the word about the thread"
        assert "✓ Bob bids £2" in (await bob.click(above, "Bid 2")).text
        await desk.settle()
        assert "Highest bid £2" in turn_of(anew).text
        assert "Act" not in above.labels
    server.check()


async def test_a_call_that_rang_in_a_deleted_thread_rings_no_more(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """Its answer was lost, and where it stands no one can look any more."""
    alice, bob = people
    async with desk.running():
        thread = await open_live_table(desk, alice, bob)
        server.fault(Fault("POST", f"/channels/{thread.id}/messages", -2))
        desk.forward(121)
        await server.world.until(lambda: "still your turn" in texts(thread))
        server.delete(thread)
        anew = await _other_thread(server, thread)
        desk.forward(60)
        await server.world.until(lambda: "still your turn" in texts(anew))
        await desk.settle()
        assert server.pings(anew) == ["alice", "bob"], "the word about the thread, and no more"
    server.check()


async def test_a_thread_deleted_while_the_bot_was_away_is_made_again_at_its_start(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    async with desk.running():
        thread = await open_table(desk, *people)
    server.delete(thread)
    async with desk.running():
        anew = await _other_thread(server, thread)
        await server.world.until(lambda: "the game continues here" in texts(anew))
        await desk.settle()
        assert "Act" in turn_of(anew).labels
    server.check()


@pytest.mark.parametrize("what", ["discord", "the store"])
async def test_a_deletion_heard_while_something_fails_is_repaired_afterwards(
    server: StandIn, desk: Desk, people: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Nothing is owed, no one moves: without a second look the table would be silent."""
    monkeypatch.setattr("bot.discord.client.ERRAND_RETRY_SECONDS", 0.1)
    async with desk.running():
        thread = await open_table(desk, *people)
        if what == "discord":
            server.fault(Fault("GET", f"/channels/{server.games.id}", 503))
        else:
            monkeypatch.setattr(desk.services.moving, "list_tables_in", _fail_once(desk.services.moving.list_tables_in))
        server.delete(thread)
        anew = await _other_thread(server, thread)
        await server.world.until(lambda: "the game continues here" in texts(anew))
    server.check()


def _fail_once(ask: Callable[[str], Awaitable[list[int]]]) -> Callable[[str], Awaitable[list[int]]]:
    """Return a question to the store that fails the first time."""
    held = [True]

    async def fail_first(place: str) -> list[int]:
        if held:
            held.clear()
            raise StoreError("The database is locked by another program.")
        return await ask(place)

    return fail_first


async def _other_thread(server: StandIn, old: Channel) -> Channel:
    return await server.world.until(lambda: next((each for each in server.threads if each is not old), None))


async def test_a_gone_channel_is_not_tried_for_ever(server: StandIn, desk: Desk, people: tuple[Person, Person]) -> None:
    """No one hears of the deletion: the first post that fails finds out, and nothing is sent there again.

    What players read in private instead rings no one, and doesn't come while they are away.
    """
    async with desk.running():
        thread = await open_table(desk, *people)
        await desk.services.obligations.set_away(str(people[1].id), 1)
        server.world.forget(thread)
        server.world.forget(server.games)
        before = len(server.requests)
        seat = (await desk.services.table.load_position(1)).actors[0]
        await desk.services.table.submit(1, seat.user, Bid(1))
        private = server.world.dm(people[0].user)
        await server.world.until(lambda: "was deleted" in texts(private))
        assert private.last.flags & 4096, "it comes without a ring"
        for _ in range(20):
            desk.forward(700)  # longer than the longest wait between two tries
            await desk.settle()
        assert server.world.dm(people[1].user).messages == []
        desk.forward(24 * 3600)
        await desk.settle()
        await server.world.until(lambda: "was deleted" in texts(server.world.dm(people[1].user)))
        tried = [request for request in server.requests[before:] if f"/channels/{thread.id}" in request]
        assert 1 <= len(tried) <= 6, tried
        await server.world.until(lambda: "was deleted" in texts(private))
        assert await desk.services.outbox.list_due() == []


async def test_a_locked_thread_is_opened(server: StandIn, desk: Desk, people: tuple[Person, Person]) -> None:
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        thread.archived = thread.locked = True
        assert "✓" in (await alice.slash(server.games, "act bid", amount=2, game=1)).text
        await server.world.until(lambda: "Highest bid £2" in texts(thread))
        await desk.settle()
        assert not thread.locked
    server.check()


async def test_a_locked_thread_that_may_not_be_opened_is_reported(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """The turn is said in the channel above, with why; it can be played from there."""
    alice, bob = people
    server.guild.granted -= {"manage_threads"}
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        thread.archived = thread.locked = True
        assert "✓" in (await alice.slash(server.games, "act bid", amount=2, game=1)).text
        await server.world.until(lambda: "Highest bid £2" in texts(server.games))
        told = next(message for message in server.games.public if "Highest bid £2" in message.text)
        assert f"I can't post in <#{thread.id}>: it's locked" in told.text
        assert server.pings() == ["alice", "bob"]
        assert "✓ Bob bids £3" in (await bob.click(told, "Bid 3")).text
    server.check()


async def test_posts_that_need_no_missing_permission_are_sent(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """Without Attach Files the turn comes without its pictures, and whoever acts hears why in private."""
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        thread.denied = frozenset({"attach_files"})
        answer = await alice.click(turn_of(thread), "Bid 1")
        assert "I need Attach Files" in answer.text
        await server.world.until(lambda: "Highest bid £1" in texts(thread))
        await desk.settle()
        assert turn_of(thread).files == []
        assert "No pictures: I need **Attach Files** here" in turn_of(thread).text
        assert server.pings() == ["alice", "bob"]
        assert "✓ Bob bids £2" in (await bob.click(turn_of(thread), "Bid 2")).text
    server.check()


async def test_a_permission_that_is_given_back_lets_the_table_speak_at_once(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """Neither the thread nor the channel above took the turn; no one waits for the next try."""
    alice, bob = people
    async with desk.running() as client:
        thread = await open_table(desk, alice, bob)
        await client.wait_until_ready()
        server.games.denied = frozenset({"send_messages", "send_messages_in_threads"})
        server.emit("CHANNEL_UPDATE", server.games.json(server.clock))
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: server.refusals)
        for _ in range(4):  # until the next try is a minute away
            await desk.settle()
            desk.forward(60)
        await desk.settle()
        assert "Highest bid £1" not in texts(thread)
        server.games.denied = frozenset()
        server.emit("CHANNEL_UPDATE", server.games.json(server.clock))
        await server.world.until(lambda: "Highest bid £1" in texts(thread))
        await desk.settle()
        assert server.pings() == ["alice", "bob"]
    server.check()


async def test_a_post_that_may_be_in_an_unreadable_thread_is_not_repeated_in_the_channel(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """The answer was lost, then the thread hidden from the bot: it waits until it can look, and finds its message."""
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        server.fault(Fault("POST", f"/channels/{thread.id}/messages", -2))
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: "Highest bid £1" in texts(thread))
        thread.denied = frozenset({"view_channel"})
        for message in thread.messages:
            message.nonce = None
        for _ in range(3):
            desk.forward(60)
            await desk.settle()
        assert "Highest bid £1" not in texts(server.games)
        thread.denied = frozenset()
        desk.forward(60)
        await desk.settle()
        assert sum("Highest bid £1" in message.text for message in thread.public) == 1
        assert turn_of(thread).files
        assert server.pings() == ["alice", "bob"]
    server.check()


async def test_a_start_looks_first_where_the_table_lives(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """However it is called, and from wherever."""
    alice, bob = people
    elsewhere = server.world.channel(server.guild, "elsewhere")
    server.games.denied = frozenset({"send_messages_in_threads"})
    async with desk.running():
        refused = await alice.slash(server.games, "game new", title="toy", seats=2)
        assert "I need Send Messages in Threads" in refused.text
        server.games.denied = frozenset({"read_message_history"})
        refused = await alice.slash(server.games, "game new", title="toy", seats=2)
        assert "I can't read earlier messages in #games: I need Read Message History" in refused.text
        server.games.denied = frozenset()
        await alice.slash(server.games, "game new", title="toy", seats=2)
        await desk.settle()
        lobby = server.games.last
        await bob.click(lobby, "Join")
    server.games.denied = frozenset({"send_messages_in_threads"})
    async with desk.running() as client:
        await client.wait_until_ready()
        for refused in (
            await alice.click(lobby, "Start"),
            await alice.slash(server.games, "game start", game=1),
            await alice.slash(elsewhere, "game start", game=1),
        ):
            assert "I can't post in #games: I need Send Messages in Threads" in refused.text
        assert server.threads == []
    server.check()


async def test_a_server_without_the_bot_is_left_in_peace(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """Nothing is sent to it; when the bot is back, what was owed comes."""
    alice, bob = people
    async with desk.running() as client:
        thread = await open_table(desk, alice, bob)
        await client.wait_until_ready()
        server.expel()
        await server.world.until(lambda: not client.guilds)
        await client.wait_for_errands()
        await desk.services.table.submit(1, str(alice.id), Typed("bid", {"amount": "1"}))
        await server.world.until(lambda: any("50001" in refusal for refusal in server.refusals))
        await desk.settle()
        tried = len(server.requests)
        desk.forward(3600)
        await desk.settle()
        assert len(server.requests) == tried, "it is not asked again"
        server.readmit()
        await server.world.until(lambda: "Highest bid £1" in texts(thread))
        await desk.settle()
        assert server.pings() == ["alice", "bob"]
    server.check()
