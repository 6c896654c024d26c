"""What is sent while the store or Discord fails: each post once, none in the way of another."""

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from bot.discord.errors import MAX_REFUSALS, REFUSALS_SECONDS, Refusals
from bot.model.clock import SteadyClock
from bot.model.errors import BotError
from bot.model.posts import Notice, Owed, Turn
from bot.service import sending
from bot.service.outbox import Batch, DuePosts, Outbox
from bot.service.sending import Admission
from bot.store import outbox
from bot.store.outbox import Place, StoredPost
from tests.discord.conftest import Desk
from tests.discord.play import open_live_table, open_table, texts, turn_of
from tests.discord.stand_in import Fault, StandIn
from tests.support.claiming import list_all_posts


async def states(desk: Desk, game: int = 1) -> dict[str, str]:
    async with desk.services.database.reading() as session:
        return {stored.key: state for state, stored in await list_all_posts(session, game)}


async def pass_time(desk: Desk, times: int = 4) -> None:
    """Let the waits between two tries pass."""
    for _ in range(times):
        desk.forward(20)
        await desk.settle()


async def test_a_form_that_discord_refuses_is_given_up_at_last_and_lets_the_later_ones_pass(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One bad table message silenced a table for ever."""
    alice, bob = server.person("alice"), server.person("bob")
    monkeypatch.setattr("bot.discord.post_sender.MAX_ATTEMPTS", 3)
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        card = thread.public[0]
        server.fault(Fault("PATCH", f"/messages/{card.id}", 400, times=99))
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: "Highest bid £1" in texts(thread))
        await pass_time(desk)
        assert (await states(desk))["1:card"] == "dropped"
        assert sum(f"/messages/{card.id}" in request for request in server.requests) == 3
        logged = capsys.readouterr()
        assert "post dropped" in logged.out + logged.err
        assert "Card(" in logged.out + logged.err
        assert server.pings()[:2] == ["alice", "bob"]


async def test_a_turn_that_discord_refuses_is_reported_plainly_at_last(server: StandIn, desk: Desk) -> None:
    """No table falls silent: the third try has only the words, and the button that opens the desk."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        server.fault(Fault("POST", f"/channels/{thread.id}/messages", 400, times=2))
        await alice.click(turn_of(thread), "Bid 1")
        await pass_time(desk)
        assert turn_of(thread).labels[0] == "Act"
        assert "Highest bid £1" in turn_of(thread).text
        assert server.pings()[:2] == ["alice", "bob"]
    server.check()


async def test_a_post_whose_note_cannot_be_written_rings_once(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk between Discord's answer and the note: one turn rang five times."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        noted, failing = desk.services.outbox.note_sent, [2]

        async def full(
            done: Sequence[tuple[StoredPost, Place]], rest: Sequence[StoredPost] | None = None
        ) -> list[StoredPost]:
            if any(isinstance(stored.post, Turn) for stored, _ in done) and failing[0]:
                failing[0] -= 1
                raise OperationalError("UPDATE", {}, Exception("database or disk is full"))
            return await noted(done, rest)

        monkeypatch.setattr(desk.services.outbox, "note_sent", full)
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: "Highest bid £1" in texts(thread))
        for message in thread.messages:
            message.nonce = None
        server.world.messages[turn_of(thread).id].nonce = None
        await pass_time(desk, 8)
        assert failing == [0]
        assert sum("Highest bid £1" in message.text for message in thread.public) == 1
        assert server.pings()[:2] == ["alice", "bob"]
        assert (await states(desk))["1:turn:1"] == "sent"


async def test_a_lost_answer_and_a_quick_press_leave_no_live_buttons(server: StandIn, desk: Desk) -> None:
    """Discord shows the turn, the bot never hears of it, and Bob has moved before it tries again."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        server.fault(Fault("POST", f"/channels/{thread.id}/messages", -2))
        await alice.click(turn_of(thread), "Bid 1")
        lost = await server.world.until(lambda: next((m for m in thread.public if "Highest bid £1" in m.text), None))
        assert "✓ Bob bids £2" in (await bob.click(lost, "Bid 2")).text
        for _ in range(250):
            alice.say(thread, "chatter")
        await pass_time(desk)
        assert lost.text == "Bob bids £2 for lot 1"
        assert [message for message in thread.public if "Act" in message.labels][1:] == [turn_of(thread)]
        assert texts(thread).count("Bob bids £2 for lot 1") == 2, "in its place, and in the log of the table message"
    server.check()


async def test_a_lost_answer_in_the_channel_above_leaves_no_live_buttons(server: StandIn, desk: Desk) -> None:
    """The thread takes nothing, the turn is said above it, the bot never hears of that, and Bob has moved meanwhile."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        thread.denied = frozenset({"send_messages_in_threads"})
        above = server.games
        server.fault(Fault("POST", f"/channels/{above.id}/messages", -2))
        await alice.click(turn_of(thread), "Bid 1")
        lost = await server.world.until(lambda: next((m for m in above.public if "Highest bid £1" in m.text), None))
        assert "✓ Bob bids £2" in (await bob.click(lost, "Bid 2")).text
        await pass_time(desk)
        assert lost.text.startswith("**Friday** — Bob bids £2 for lot 1\n-# I can't post in")
        assert "Act" not in lost.labels
    server.check()


async def test_an_answered_ping_is_deleted(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_live_table(desk, alice, bob)
        desk.forward(121)
        call = await server.world.until(lambda: next((m for m in thread.public if "still your turn" in m.text), None))
        await desk.settle()
        assert bob.mention in call.text
        await bob.click(turn_of(thread), "Bid 4")
        await desk.settle()
        assert call not in thread.public


async def test_a_slow_thread_delays_no_other(server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """One does not answer, and there is one place: the next table is told meanwhile."""
    monkeypatch.setattr(sending, "GRACE_SECONDS", 0.1)  # or the end would wait for the answer
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running() as client:
        client.sending._room = Admission(places=1, patience=0.05, most=10)
        slow = await open_table(desk, alice, bob, name="Slow")
        quick = await open_table(desk, alice, bob, name="Quick")
        server.fault(Fault("POST", f"/channels/{slow.id}/messages", 503, wait=600))
        await alice.click(turn_of(slow), "Bid 1")
        await server.world.until(lambda: not any(fault.times for fault in server.faults))
        await alice.click(turn_of(quick), "Bid 1")
        await server.world.until(lambda: "Highest bid £1" in texts(quick))
        assert "Highest bid £1" not in texts(slow)


async def test_a_clock_that_is_put_forward_gives_no_table_to_two_senders(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lease of a table that is being served seems to be over: it is served all the same."""
    monkeypatch.setattr(sending, "GRACE_SECONDS", 0.1)  # or the end would wait for the answer
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        claim, waiting = desk.services.outbox.claim, desk.services.outbox.list_waiting
        claimed: list[str] = []
        rounds = [0]

        async def note_claim(batches: Sequence[str]) -> list[Batch]:
            claimed.extend(batches)
            return await claim(batches)

        async def count_waiting(*asked: Any) -> DuePosts:  # noqa: ANN401  # as it takes them
            rounds[0] += 1
            return await waiting(*asked)

        def has_reached(count: int) -> bool:
            return rounds[0] >= count

        monkeypatch.setattr(desk.services.outbox, "claim", note_claim)
        monkeypatch.setattr(desk.services.outbox, "list_waiting", count_waiting)
        server.fault(Fault("POST", f"/channels/{thread.id}/messages", 503, wait=600))
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: not any(fault.times for fault in server.faults))
        server.clock.forward(3600)
        seen = rounds[0]
        for more in (1, 2):  # the second round has seen what the first has done
            desk.services.database.wake.set()
            await server.world.until(partial(has_reached, seen + more))
        assert claimed == ["posts:1"]


async def test_a_table_that_could_not_be_given_back_is_given_back_soon(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store failed in that moment: no one waits for the end of the lease."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        release, failing = desk.services.outbox.release, [1]

        async def fails(batch: str, rest: int = 0) -> None:
            if failing[0]:
                failing[0] -= 1
                raise OperationalError("UPDATE", {}, Exception("database is locked"))
            await release(batch, rest)

        monkeypatch.setattr(desk.services.outbox, "release", fails)
        server.fault(Fault("POST", f"/channels/{thread.id}/messages", -1))
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: not failing[0])
        desk.forward(5)
        await server.world.until(lambda: "Highest bid £1" in texts(thread))
    server.check()


async def test_a_turn_is_reported_though_its_buttons_and_its_picture_break(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers that break over the advice, or over a picture, cost what they made, not the words: no table is silent."""
    alice, bob = server.person("alice"), server.person("bob")

    async def broken(*_: object) -> None:
        raise BotError("That took too long, twice.")

    async with desk.running() as client:
        monkeypatch.setattr("bot.discord.post_pictures.fetch_turn_buttons", broken)
        monkeypatch.setattr(client.services.table, "look_at", broken)
        monkeypatch.setattr("bot.discord.post_sender.MAX_ATTEMPTS", 1)
        thread = await open_table(desk, alice, bob)
        assert any(message.text.startswith("##") for message in thread.public), "the table message"
        assert turn_of(thread).labels[0] == "Act"
        assert "✓ Alice bids £6" in (await alice.slash(thread, "act bid", amount=6)).text
        await desk.settle()
        assert "Highest bid £6" in turn_of(thread).text
    server.check()


async def test_a_result_that_stands_alone_is_found_again(server: StandIn, desk: Desk) -> None:
    """The turn message was deleted, the result is a message of its own, and the answer to that is lost."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        turn_of(thread).deleted = True
        server.fault(Fault("POST", f"/channels/{thread.id}/messages", -2))
        await alice.slash(thread, "act bid", amount=1)
        alone = await server.world.until(
            lambda: next((each for each in thread.public if each.text == "Alice bids £1 for lot 1"), None)
        )
        alone.nonce = None
        await pass_time(desk)
        assert [each.id for each in thread.public if each.text == "Alice bids £1 for lot 1"] == [alone.id]
        assert "Highest bid £1" in turn_of(thread).text
    server.check()


async def test_a_slow_task_gives_up_its_place() -> None:
    room, held = Admission(places=1, patience=0.01, most=3), asyncio.Event()

    async def slow() -> None:
        async with room.hold_place():
            await held.wait()

    waiting = [asyncio.create_task(slow()) for _ in range(2)]
    async with room.hold_place():
        assert not any(task.done() for task in waiting)
    held.set()
    await asyncio.gather(*waiting)
    async with room.hold_place():
        pass


def test_few_and_many_refusals_are_distinguished() -> None:
    now = [0.0]
    refusals = Refusals(lambda: now[0])
    for _ in range(MAX_REFUSALS):
        assert not refusals.are_many
        refusals.note()
    assert refusals.are_many
    now[0] += REFUSALS_SECONDS
    assert not refusals.are_many


def test_a_clock_that_is_put_back_continues() -> None:
    wall, run = [1000], [0.0]
    clock = SteadyClock(lambda: wall[0], lambda: run[0])
    run[0], wall[0] = 5.0, 1005
    assert clock() == 1005
    run[0], wall[0] = 15.0, 10
    assert clock() == 1015
    run[0], wall[0] = 16.0, 9000
    assert clock() == 9000


async def test_a_stalled_sender_leaves_the_rest_to_the_tables_new_sender(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process whose machine swaps for a minute must not go on with posts that another has been handed out."""
    async with desk.running() as client:
        thread = await open_table(desk, server.person("alice"), server.person("bob"))
        other, write, written, late = Outbox(desk.services.database, desk.clock), client.sending.sender.send, [], [0.0]
        await other.list_waiting()
        run = time.monotonic
        monkeypatch.setattr("bot.service.outbox.read_steady_seconds", lambda: run() + late[0])

        async def slow(stored: StoredPost) -> Place | None:
            written.append(stored.key)
            place = await write(stored)
            if stored.key == "one":
                late[0] = 60.0
                server.clock.forward(60)
                assert [claim.name for claim in await other.claim(["posts:1"])] == ["posts:1"]
            return place

        monkeypatch.setattr(client.sending.sender, "send", slow)
        async with desk.services.database.writing(1) as session:
            now = desk.clock()
            await outbox.owe(session, [Owed(key, Notice(1, key), now) for key in ("one", "two")], now)
        await server.world.until(lambda: "one" in written)
        await client.sending.wait_until_idle()
        assert written == ["one"]
        await other.release("posts:1")
        desk.services.database.wake.set()
        await desk.settle()
        assert written == ["one", "two"]
        assert [text for text in texts(thread).split("\n") if text in ("one", "two")] == ["one", "two"]


async def test_posts_due_by_a_fast_clock_are_sent_at_the_next_start(server: StandIn, desk: Desk) -> None:
    """The bot was stopped, its clock put back by a day: the turn that was owed does not wait for tomorrow."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
    server.clock.forward(86400)
    async with desk.running() as client:
        client.sending._is_ending = True
        desk.services.database.wake.set()
        await client.sending._over.wait()
        await alice.click(turn_of(thread), "Bid 1")
    server.clock.forward(-86400)
    async with desk.running():
        await server.world.until(lambda: "Highest bid £1" in texts(thread))
        await desk.settle()
        assert server.pings().count("bob") == 1


async def test_posts_due_by_a_clock_set_back_are_sent_while_the_bot_runs(server: StandIn, desk: Desk) -> None:
    """The clock of a server is an hour ahead, and is set right while a turn waits for a permission."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        desk.forward(3600)
        await desk.settle()
        thread.denied, server.games.denied = frozenset({"send_messages_in_threads"}), frozenset({"send_messages"})
        refused = len(server.refusals)
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: len(server.refusals) > refused)
        await desk.client.sending.wait_until_idle()
        thread.denied = server.games.denied = frozenset()
        desk.forward(-3600)
        await server.world.until(lambda: "Highest bid £1" in texts(thread), 30)
        await desk.settle()
        assert server.pings().count("bob") == 1
        await bob.click(turn_of(thread), "Bid 2")
        await server.world.until(
            lambda: "Bob bids £2" in thread.public[0].text, 30, "the table message, an hour too late"
        )


async def test_a_removal_that_is_seen_late_pauses_no_table_of_a_server_the_bot_is_in_again(
    server: StandIn, desk: Desk
) -> None:
    async with desk.running() as client:
        await open_table(desk, server.person("alice"), server.person("bob"))
        guild = client.get_guild(server.guild.id)
        assert guild is not None
        await client.on_guild_remove(guild)
        await client.wait_for_errands()
        assert "paused" not in (await states(desk)).values()
