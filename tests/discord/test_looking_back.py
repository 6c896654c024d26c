"""What may stand in a channel already, and the bot may not look back there: it waits."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.discord.client import DiscordClient
from bot.model.posts import Turn
from bot.store.outbox import Place, StoredPost
from tests.discord.conftest import Desk
from tests.discord.person import Person
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import Fault, StandIn
from tests.discord.test_sending import pass_time, states
from tests.discord.world import Channel


async def test_a_post_that_may_be_in_an_unreadable_channel_waits_until_it_is_readable(
    server: StandIn, desk: Desk
) -> None:
    """The bot dies before it notes that the turn stands, the nonce is forgotten, and Read Message History is taken."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running() as client:
        thread = await open_table(desk, alice, bob)
        await _die_unnoted(server, desk, client, alice, thread)
    thread.denied = frozenset({"read_message_history"})
    async with desk.running():
        await pass_time(desk)
        assert _turns(thread) == 1
        assert (await states(desk))["1:turn:1"] == "owed"
        thread.denied = frozenset()
        server.emit("CHANNEL_UPDATE", server.games.json(server.clock))
        await pass_time(desk)
        assert _turns(thread) == 1
        assert turn_of(thread).files
        assert server.pings() == ["alice", "bob"]
    server.check()


async def test_a_turn_that_may_stand_where_we_may_not_look_keeps_no_live_buttons(server: StandIn, desk: Desk) -> None:
    """As above, and Bob moves by the turn that stands: its line of result waits, to take its place."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running() as client:
        thread = await open_table(desk, alice, bob)
        await _die_unnoted(server, desk, client, alice, thread)
    lost = turn_of(thread)
    thread.denied = frozenset({"read_message_history"})
    async with desk.running():
        assert "✓ Bob bids £2" in (await bob.click(lost, "Bid 2")).text
        await pass_time(desk)
        assert "Highest bid £2" in turn_of(thread).text, "the next turn does not wait for it"
        thread.denied = frozenset()
        await pass_time(desk)
        assert lost.text == "Bob bids £2 for lot 1"
        assert sum(each.text == lost.text for each in thread.public) == 1
    server.check()


async def test_a_post_that_waited_long_for_a_readable_channel_is_sent_without_a_ping(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that never lets us read back is not left without its turn."""
    monkeypatch.setattr("bot.discord.placement.MAX_BLIND_ATTEMPTS", 2)
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running() as client:
        thread = await open_table(desk, alice, bob)
        await _die_unnoted(server, desk, client, alice, thread)
    turn_of(thread).deleted = True
    thread.denied = frozenset({"read_message_history"})
    async with desk.running():
        await pass_time(desk)
        assert "Highest bid £1" in turn_of(thread).text
        assert server.pings() == ["alice", "bob"]
    server.check()


async def test_a_turn_at_which_discord_failed_is_looked_for_before_it_is_sent_again(
    server: StandIn, desk: Desk
) -> None:
    """It stands all the same, and Discord knows no nonce: the library would have asked for it five times more."""
    server.world.knows_nonces = False
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        server.fault(Fault("POST", f"/channels/{thread.id}/messages", 502, done=True))
        await alice.click(turn_of(thread), "Bid 1")
        await pass_time(desk)
        assert _turns(thread) == 1
        assert turn_of(thread).files
        assert server.pings() == ["alice", "bob"]
    server.check()


async def test_a_sender_stalled_within_a_post_does_not_send_it(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lease ends while the turn is worded: whoever has the table by now sends it."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        recheck, stood_still = desk.services.obligations.recheck_pings, ["posts:1"]

        async def late(stored: StoredPost) -> StoredPost:
            if stood_still and isinstance(stored.post, Turn):
                desk.services.outbox._until[stood_still.pop()] = 0.0
            return await recheck(stored)

        monkeypatch.setattr(desk.services.obligations, "recheck_pings", late)
        await alice.click(turn_of(thread), "Bid 1")
        await pass_time(desk)
        assert not stood_still
        assert _turns(thread) == 1
        turn = await desk.services.posted.find_post("1:turn:1")
        assert turn is not None
        assert turn.attempts == 1, "not at the first try"


async def _die_unnoted(server: StandIn, desk: Desk, client: DiscordClient, alice: Person, thread: Channel) -> None:
    """Let Alice bid, and the bot die between Discord's answer to the turn and the note of it."""
    note = desk.services.outbox.note_sent

    async def dies(
        done: Sequence[tuple[StoredPost, Place]], rest: Sequence[StoredPost] | None = None
    ) -> list[StoredPost]:
        if any(isinstance(stored.post, Turn) for stored, _ in done):
            await asyncio.Event().wait()
        return await note(done, rest)

    desk.services.outbox.note_sent = dies  # type: ignore[method-assign]
    await alice.click(turn_of(thread), "Bid 1")
    await server.world.until(lambda: _turns(thread) == 1)
    client._tasks[0].cancel()
    for task in client.sending._busy.values():
        task.cancel()
    for message in thread.messages:
        message.nonce = None


def _turns(thread: Channel) -> int:
    """Return how many messages ask for the second turn."""
    return sum("Highest bid £1" in each.text and not each.text.startswith("##") for each in thread.public)
