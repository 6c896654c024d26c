"""A running table's turn stands in one live message, whatever Discord refused for a while."""

import asyncio
import contextlib
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.model.posts import Turn
from bot.operations.doctor import Finding, examine
from bot.service.table import Typed
from tests.discord.conftest import Desk
from tests.discord.person import Person
from tests.discord.play import open_table, texts, turn_of
from tests.discord.stand_in import Fault, StandIn
from tests.discord.world import Channel, Message
from tests.support.settings import BareSettings

STEP_SECONDS = 5


@pytest.fixture
def people(server: StandIn) -> tuple[Person, Person]:
    return server.person("alice"), server.person("bob")


def refuse_messages(server: StandIn, status: int) -> None:
    """Let Discord refuse every message, and every look at one."""

    def choose_fault(method: str, path: str) -> Fault | None:
        return Fault(method, path, status) if path.startswith("/channels") and "/messages" in path else None

    server.choose_fault = choose_fault


def be_fair(server: StandIn) -> None:
    """Let Discord take everything again."""
    server.choose_fault = lambda method, path: None


async def pass_time(desk: Desk, seconds: int, step: int = 5) -> None:
    for _ in range(seconds // step):
        desk.forward(step)
        await desk.settle()


def live(*channels: Channel) -> list[Message]:
    """Return the messages with live buttons, but for the table message."""
    return [m for each in channels for m in each.public if "Act" in m.labels and not m.text.startswith("##")]


async def turns_told(desk: Desk, pictures: Path) -> Finding:
    """Return what doctor says of the turns."""
    found = await examine(BareSettings(database=str(desk.path), pictures=pictures))
    return next(finding for finding in found if finding.what == "turns")


async def change(desk: Desk, words: str) -> None:
    """Change the store by hand."""
    async with desk.services.database.writing() as session:
        await (await session.connection()).execute(text(words))


@pytest.mark.parametrize("status", [400, 403, 404])
async def test_a_table_speaks_after_refusals_of_any_kind(
    server: StandIn, desk: Desk, people: tuple[Person, Person], tmp_path: Path, status: int
) -> None:
    """Eight seconds of 400 silenced a table for good, and left the buttons of the turn before live.

    Its table message was given up until someone moved.
    """
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        before = turn_of(thread)
        refuse_messages(server, status)
        await alice.click(before, "Bid 1")
        await pass_time(desk, 12, step=1)
        told = await turns_told(desk, tmp_path)
        assert not told.well
        assert "table 1 (Friday): " in told.words
        assert f"{status} " in told.words
        be_fair(server)
        await pass_time(desk, 40)
        assert "Alice bids £1" in thread.public[0].text
        assert (await turns_told(desk, tmp_path)).well
        assert live(thread, server.games) == [turn_of(thread)]
        assert "Highest bid £1" in turn_of(thread).text
        assert "Bid 2" in turn_of(thread).labels
        assert turn_of(thread).files
        assert before.text == "Alice bids £1 for lot 1"
        assert server.pings() == ["alice", "bob"]
    server.check()


async def find_seconds_of_silence(desk: Desk, thread: Channel, server: StandIn) -> int:
    """Return after how many seconds of fair weather the turn stands with its picture, a quarter of an hour at most."""
    for second in range(0, 900, STEP_SECONDS):
        await desk.settle()
        turns = live(thread, server.games)
        if len(turns) == 1 and "Highest bid £1" in turns[0].text and turns[0].files:
            return second
        desk.forward(STEP_SECONDS)
    return 900


@pytest.mark.parametrize("seconds", [12, 3600])
@pytest.mark.parametrize("what", ["every request", "new messages"])
async def test_a_table_speaks_within_a_minute_of_lost_permissions(
    server: StandIn, desk: Desk, people: tuple[Person, Person], seconds: int, what: str
) -> None:
    """However long they were lost, and without a press; its pictures came up to a minute after its words."""
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        before = turn_of(thread)

        def choose_fault(method: str, path: str) -> Fault | None:
            hit = path.startswith("/channels") and (what == "every request" or method == "POST")
            return Fault(method, path, 403) if hit else None

        server.choose_fault = choose_fault
        await alice.click(before, "Bid 1")
        await pass_time(desk, seconds, step=1 if seconds < 100 else 600)
        be_fair(server)
        assert await find_seconds_of_silence(desk, thread, server) < 60
        assert server.pings() == ["alice", "bob"]
    server.check()


async def test_tables_speak_within_a_minute_though_very_many_posts_were_refused(
    server: StandIn, desk: Desk, people: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then a post waited ten minutes, lest Discord ban the bot; now one of each server is tried every 45 seconds."""
    monkeypatch.setattr("bot.discord.errors.MAX_REFUSALS", 8)
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        before = turn_of(thread)
        refuse_messages(server, 403)
        await alice.click(before, "Bid 1")
        await pass_time(desk, 100, step=1)
        seen = len(server.requests)
        await pass_time(desk, 600, step=5)
        assert len(server.requests) - seen < 60, "it asks seldom"
        be_fair(server)
        assert await find_seconds_of_silence(desk, thread, server) < 60
        assert server.pings() == ["alice", "bob"]
    server.check()


class Hasty:
    """The module ``asyncio`` for Discord's library, which waits 16 seconds in all before it gives up a request."""

    def __getattr__(self, name: str) -> object:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 20)


ODD = [
    Fault("PATCH", "", 400),
    Fault("PATCH", "", 404, body=b"<html>Not Found</html>"),
    Fault("PATCH", "", 404, code=10004),
    Fault("PATCH", "", 400, code=30046),
    Fault("PATCH", "", 400, body=b'{"code": "x", "message": 5, "errors": [1]}'),
    Fault("PATCH", "", 500),
]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: f"{odd.status} {odd.code} {odd.body}")
async def test_edits_that_discord_refuses_for_a_while_are_made_later(
    server: StandIn, desk: Desk, people: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch, odd: Fault
) -> None:
    """The result, the pictures, the table message; the new turn does not wait for them.

    A 404 that names no message left the old buttons live beside the new ones.
    """
    monkeypatch.setattr("discord.http.asyncio", Hasty())
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        before = turn_of(thread)

        def choose_fault(method: str, path: str) -> Fault | None:
            return odd if method == "PATCH" and f"/{thread.id}/messages/" in path else None

        server.choose_fault = choose_fault
        await alice.click(before, "Bid 1")
        for _ in range(20):
            desk.forward(2)
            with contextlib.suppress(TimeoutError):
                await desk.settle(0.1)
        be_fair(server)
        for _ in range(60):
            if "Alice bids £1" in thread.public[0].text and live(thread, server.games) == [turn_of(thread)]:
                break
            desk.forward(20)
            with contextlib.suppress(TimeoutError):
                await desk.settle(0.5)
        assert live(thread, server.games) == [turn_of(thread)]
        assert "Highest bid £1" in turn_of(thread).text
        assert turn_of(thread).files
        assert before.text == "Alice bids £1 for lot 1"
        assert "Alice bids £1" in thread.public[0].text
        assert server.pings() == ["alice", "bob"]


@pytest.mark.parametrize("seconds", ["86400", "1e400"])
async def test_a_limit_of_days_is_not_believed_for_longer_than_an_hour(
    server: StandIn, desk: Desk, people: tuple[Person, Person], seconds: str
) -> None:
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        route = f"POST /channels/{thread.id}/messages"
        limit = Fault("POST", "", 429, body=f'{{"message": "x", "retry_after": {seconds}, "global": false}}'.encode())
        server.choose_fault = lambda method, path: limit if f"{method} {path}" == route else None
        asked = server.requests.count(route)
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: server.requests.count(route) > asked)
        be_fair(server)
        for _ in range(10):
            await pass_time(desk, 300, step=300)
        assert server.requests.count(route) == asked + 1, "it is obeyed for an hour"
        await pass_time(desk, 900, step=300)
        assert "Highest bid £1" in turn_of(thread).text
        assert server.pings() == ["alice", "bob"]


async def test_a_reminder_that_discord_refuses_for_a_while_comes_later(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """Three refusals within seconds ended all reminders of the turn."""
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        refuse_messages(server, 400)
        desk.forward(25 * 3600)
        await pass_time(desk, 12, step=1)
        be_fair(server)
        await pass_time(desk, 120, step=20)
        assert texts(thread).count("your turn since") == 1
        assert server.pings() == ["alice", "bob", "bob"]


async def test_a_turn_that_only_the_thread_refuses_goes_above_it(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        server.fault(Fault("POST", f"/channels/{thread.id}/messages", 400, times=999))
        await alice.click(turn_of(thread), "Bid 1")
        await pass_time(desk, 120)
        (turn,) = live(thread, server.games)
        assert turn.channel is server.games
        assert turn.text.startswith("**Friday** — ")
        assert f"I can't post in <#{thread.id}>: Discord refuses my post there" in turn.text
        assert "How much do you bid?" in (await bob.click(turn, "Act")).text
        assert server.pings() == ["alice", "bob"]


async def test_a_result_that_discord_never_takes_leaves_no_live_buttons(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    alice, bob = people
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        before = turn_of(thread)
        server.fault(Fault("PATCH", f"/messages/{before.id}", 400, times=999))
        await alice.click(before, "Bid 1")
        await pass_time(desk, 420, step=20)
        assert live(thread) == [turn_of(thread)]
        assert before.deleted
        assert [m.text for m in thread.public].count("Alice bids £1 for lot 1") == 1
    server.check()


@pytest.mark.parametrize("how", ["dropped", "never owed"])
async def test_abandoned_posts_are_owed_again_at_the_start(
    server: StandIn, desk: Desk, people: tuple[Person, Person], how: str
) -> None:
    """A store of 0.2: turn, result and table message dropped, and the buttons of the turn before live."""
    alice, bob = people
    async with desk.running() as client:
        thread = await open_table(desk, alice, bob)
        before = turn_of(thread)
        client.sending._is_ending = True
        desk.services.database.wake.set()
        await client.sending._over.wait()
        await desk.services.table.submit(1, str(alice.id), Typed("bid", {"amount": "1"}))
        await change(desk, "UPDATE outbox SET state = 'dropped', attempts = 3, error = '400' WHERE state = 'owed'")
        if how == "never owed":
            await change(desk, "DELETE FROM outbox WHERE key = '1:turn:1'")
    assert live(thread) == [before]
    async with desk.running():
        await server.world.until(lambda: "Highest bid £1" in texts(thread), 30)
        await desk.settle()
        assert live(thread) == [turn_of(thread)]
        assert turn_of(thread) is not before
        assert before.text == "Alice bids £1 for lot 1"
        await server.world.until(lambda: "Alice bids £1" in thread.public[0].text, 30, "the table message")
        assert server.pings() == ["alice", "bob"]
    server.check()


async def test_a_turn_message_that_is_gone_or_bare_is_made_live_again(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    async with desk.running() as client:
        thread = await open_table(desk, *people)
        bare = turn_of(thread)
        bare.components = [part for part in bare.components if part["type"] == 10]
        await client.recovery.inspection.run_round()
        await desk.settle()
        assert "Act" in bare.labels
        bare.deleted = True
        await client.recovery.inspection.run_round()
        await desk.settle()
        assert live(thread) == [turn_of(thread)]
        assert turn_of(thread).files
        assert server.pings() == ["alice"], "once is enough"
        requests = len(server.requests)
        await client.recovery.inspection.run_round()
        await desk.settle()
        assert server.requests[requests:] == [f"GET /channels/{thread.id}/messages"], "one read tells it all"
    server.check()


async def test_a_turn_that_was_handed_out_and_is_over_was_never_sent(
    server: StandIn, desk: Desk, people: tuple[Person, Person]
) -> None:
    """Its result would be searched for in the thread and the channel."""
    alice, bob = people
    async with desk.running() as client:
        await open_table(desk, alice, bob)
        client.sending._is_ending = True
        desk.services.database.wake.set()
        await client.sending._over.wait()
        table, outbox = desk.services.table, desk.services.outbox
        await table.submit(1, str(alice.id), Typed("bid", {"amount": "1"}))
        for bid in (2, 3):
            (claim,) = await outbox.claim(["posts:1"])
            turn = next(each for each in claim.posts if isinstance(each.post, Turn))
            assert isinstance(turn.post, Turn)
            await table.submit(1, turn.post.mention[0], Typed("bid", {"amount": str(bid)}))
            first, *others = claim.posts
            left = await (outbox.recheck(claim.posts) if bid == 2 else outbox.note_sent([(first, ("1", "2"))], others))
            assert turn.id not in {each.id for each in left}
            found = await desk.services.posted.find_post(turn.key)
            assert found is not None
            assert not found.unsure
            await outbox.release("posts:1")


@pytest.mark.parametrize("why", ["it's locked", "I lack a permission there"])
async def test_posts_in_the_channel_above_a_thread_keep_the_table_name_and_the_reason(
    server: StandIn, desk: Desk, people: tuple[Person, Person], why: str
) -> None:
    """Its pictures, then its result, are edits, the result after a restart; other tables speak in that channel too."""
    alice, bob = people
    server.guild.granted -= {"manage_threads"}
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        if why == "it's locked":
            thread.archived = thread.locked = True
        else:
            thread.denied = frozenset({"send_messages_in_threads"})
        await alice.slash(server.games, "act bid", amount=2, game=1)
        await server.world.until(lambda: "Highest bid £2" in texts(server.games))
        await desk.settle()
        told = next(message for message in server.games.public if "Highest bid £2" in message.text)
        reason = f"-# I can't post in <#{thread.id}>: {why}."
        assert told.files
        assert told.text.startswith(f"**Friday** — {bob.mention}")
        assert reason in told.text
    async with desk.running():
        await bob.click(told, "Bid 3")
        await desk.settle()
        assert told.text.startswith("**Friday** — Bob bids £3 for lot 1\n")
        assert reason in told.text
        assert told.labels == []
        thread.archived = thread.locked = False
        thread.denied = frozenset()
        above = live(server.games)[-1]
        await alice.click(above, "Bid 4")
        await pass_time(desk, 120, step=60)
        assert live(thread, server.games) == [turn_of(thread)]
        assert "Highest bid £4" in turn_of(thread).text
        assert (await desk.services.lobby.get_table(1)).barred == ""
    server.check()
