"""What the table posts, when, and how often."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import Engine

from bot.model.clock import DAY
from bot.service.services import Services
from tests.discord.conftest import Desk
from tests.discord.person import Person
from tests.discord.play import open_live_table, open_table, texts, turn_of
from tests.discord.stand_in import Fault, StandIn
from tests.discord.world import Message
from tests.support.toy import Bid


async def test_a_live_table_pings_only_the_player_it_waits_for(server: StandIn, desk: Desk) -> None:
    """Two players acted within five minutes: the ping is held for two, and only sent if it is still their turn."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_live_table(desk, alice, bob)
        assert server.pings() == ["alice", "bob"]
        desk.forward(121)
        await server.world.until(lambda: len(server.pings()) > 2)
        assert server.pings() == ["alice", "bob", "bob"]
        assert "still your turn" in thread.last.text
        assert thread.last.reply_to == turn_of(thread).id
    server.check()


async def test_a_call_whose_message_is_gone_rings_no_more(server: StandIn, desk: Desk) -> None:
    """It rang, its thread's messages were deleted, and its row was dropped by hand."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_live_table(desk, alice, bob)
        desk.forward(121)
        await server.world.until(lambda: len(server.pings()) > 2)
        await desk.settle()
        thread.last.deleted = True
        async with desk.services.database.writing() as session:
            await (await session.connection()).execute(
                text("UPDATE outbox SET state = 'owed', revision = revision + 1 WHERE key LIKE '1:turn:3:ping:%'")
            )
        await server.world.until(lambda: "still your turn" in thread.last.text)
        await desk.settle()
        assert server.pings() == ["alice", "bob", "bob"]


async def test_a_call_comes_though_the_store_has_lost_its_turn(server: StandIn, desk: Desk) -> None:
    """It was dropped, and the turn message that was found again is edited, which pings no one."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_live_table(desk, alice, bob)
        async with desk.services.database.writing() as session:
            await (await session.connection()).execute(text("DELETE FROM outbox WHERE key = '1:turn:3'"))
        desk.forward(121)
        await server.world.until(lambda: len(server.pings()) > 2)
        assert server.pings() == ["alice", "bob", "bob"]
        assert "still your turn" in thread.last.text


@pytest.mark.parametrize("is_heard", [True, False])
async def test_only_the_latest_call_to_a_turn_stands(server: StandIn, desk: Desk, *, is_heard: bool) -> None:
    """Bob lets Carol act for him and takes it back; also if the answer to the first call was lost."""
    alice, bob, carol = (server.person(name) for name in ("alice", "bob", "carol"))
    sent: list[str] = []

    def cut_second(method: str, path: str) -> Fault | None:
        """Lose the answer to the call, which comes after the notice."""
        if method == "POST" and path.endswith("/messages"):
            sent.append(path)
            return Fault(method, path, -2) if len(sent) == 2 else None
        return None

    async with desk.running():
        thread = await open_table(desk, alice, bob)
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        turn = turn_of(thread)
        if not is_heard:
            server.choose_fault = cut_second
        await bob.slash(thread, "game proxy", user=carol.user)
        await server.world.until(lambda: "carol" in server.pings())
        await bob.slash(thread, "game proxy")
        await desk.settle()
        assert "still your turn" not in texts(thread)
        desk.forward(24 * 3600)
        await server.world.until(lambda: server.pings()[-1] == "bob")
        await desk.settle()
        calls = [message.text for message in thread.public if "your turn since" in message.text]
        assert len(calls) == 1
        assert server.pings() == ["alice", "bob", "carol", "bob"]
        await bob.click(turn, "Bid 2")
        await desk.settle()
        assert "your turn since" not in texts(thread), "it was answered"
    server.check()


async def test_a_table_that_waits_long_reminds_in_reply_to_the_turn(server: StandIn, desk: Desk) -> None:
    """Bob lets the table wait for a day, and does not want to hear of it a second time."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        asked = turn_of(thread)
        await forward(server, desk, DAY, lambda: len(server.pings()) > 2)
        assert server.pings() == ["alice", "bob", "bob"]
        assert "your turn since <t:" in thread.last.text
        assert thread.last.reply_to == asked.id
        answer = await bob.slash(thread, "me remind", reminders=False)
        assert "Reminders are off" in answer.text
        desk.forward(3 * DAY)
        await desk.settle()
        assert server.pings() == ["alice", "bob", "bob"]
    server.check()


async def test_nothing_rings_in_quiet_hours_and_the_call_comes_when_they_end(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        hour = datetime.fromtimestamp(desk.clock(), UTC).hour
        await bob.slash(thread, "me remind", quiet_from=hour, quiet_to=(hour + 3) % 24, zone="UTC")
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        assert server.pings() == ["alice"]
        assert f"<@{bob.user.id}>" in turn_of(thread).text, "he is named, but nothing rings"
        await forward(server, desk, 3 * 3600, lambda: len(server.pings()) > 1)
        assert server.pings() == ["alice", "bob"]
        assert "still your turn" in thread.last.text
    server.check()


async def test_pictures_in_words_for_players_who_prefer_them(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        assert "Highest bid" not in (await alice.slash(thread, "view table")).text
        await alice.slash(thread, "me style", palette="mono", words=True)
        shown = await alice.slash(thread, "view table")
        assert "Player" in shown.text
        assert "£20" in shown.text
        assert shown.message.files
    server.check()


async def test_any_result_shows_its_position_again(server: StandIn, desk: Desk) -> None:
    """By pressing on the message of a turn that is done; what is no turn says so."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        first = turn_of(thread)
        await alice.click(first, "Bid 1")
        await desk.settle()
        await bob.click(turn_of(thread), "Bid 2")
        await desk.settle()
        shown = await bob.press_long(first, "Show position here")
        assert "after 1 move" in shown.text
        assert shown.message.files
        assert shown.message.seen_by == bob.user
        assert "after 2 moves" in (await bob.press_long(turn_of(thread), "Show position here")).text
        words = bob.say(thread, "hello")
        assert "doesn't show a position" in (await bob.press_long(words, "Show position here")).text
    server.check()


async def forward(server: StandIn, desk: Desk, seconds: int, until: Callable[[], bool]) -> None:
    """Put the clock forward and wait for what comes of it."""
    desk.forward(seconds)
    await server.world.until(until)
    await desk.settle()


async def test_the_table_message_is_edited_now_and_then_only(server: StandIn, desk: Desk) -> None:
    """Four bids within a minute: nothing at first, then all of them at once."""
    alice, bob = server.person("alice"), server.person("bob")
    desk.card_gap = 60
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        for number in range(4):
            person = (alice, bob)[number % 2]
            await person.slash(thread, "act bid", amount=number + 1)
            await desk.settle()
        assert thread.public[0].edits == 0
        await forward(server, desk, 61, lambda: thread.public[0].edits > 0)
        assert thread.public[0].edits == 1
        assert "Alice bids £3" in thread.public[0].text
        assert "Bob bids £4" in thread.public[0].text
    server.check()


async def test_a_new_turn_is_posted_with_its_pictures_unless_they_take_long(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move then costs its press, the result in the old turn message, and the new one; else one edit more."""
    alice, bob = server.person("alice"), server.person("bob")
    desk.card_gap = 60
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        monkeypatch.setattr("bot.discord.post_writer.CALL_WAIT_SECONDS", 60)
        for person, edits in ((alice, 1), (bob, 2)):
            before = len(server.requests)
            await person.click(turn_of(thread), "Bid")
            await desk.settle()
            asked = [each.partition(" ")[0] for each in server.requests[before:] if "/channels/" in each]
            assert sorted(asked) == ["PATCH"] * edits + ["POST"]
            assert turn_of(thread).files
            monkeypatch.setattr("bot.discord.post_writer.CALL_WAIT_SECONDS", 0)
    server.check()


async def test_two_clicks_at_once_play_once(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        turn = turn_of(thread)
        answers = await asyncio.gather(*(alice.click(turn, "Bid 1") for _ in range(3)))
        assert sum("✓ Alice bids £1" in answer.text for answer in answers) == 1
        assert sum("out of date" in answer.text for answer in answers) == 2
        await desk.settle()
        assert "Highest bid £1" in turn_of(thread).text
    server.check()


async def test_a_thread_whose_making_was_not_answered_is_found_again(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        server.fault(Fault("POST", "/threads", -2))
        await open_table(desk, alice, bob)
        await server.world.until(lambda: len(server.threads[0].public) == 2)
        await desk.settle()
        assert len(server.threads) == 1
        assert "· 2 players · started, in <#" in server.games.public[0].text
    server.check()


async def test_a_forum_post_is_a_table_of_its_own(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        post = server.world.thread(server.forum, "Who plays?", alice.user)
        await alice.slash(post, "game new", title="toy", seats=2)
        await desk.settle()
        await bob.click(post.last, "Join")
        await alice.click(post.public[0], "Start")
        await desk.settle()
        assert "Highest bid £0" in turn_of(post).text
        assert "£1" in (await turn_actor(alice, bob, turn_of(post)).slash(post, "act bid", amount=1)).text
        await desk.settle()
        again = await alice.slash(post, "game new", title="toy", seats=2)
        assert "This post already has a table" in again.text
    server.check()


def turn_actor(alice: Person, bob: Person, turn: Message) -> Person:
    return alice if alice.mention in turn.text else bob


async def test_a_deleted_table_message_is_posted_again(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        first = thread.public[0]
        first.deleted = True
        await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
        pinned = [message for message in thread.public if message.pinned]
        assert len(pinned) == 1
        assert "Alice bids £1" in pinned[0].text
    server.check()


async def test_a_move_while_discord_is_down_is_posted_when_it_is_back(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        server.fault(Fault("PATCH", f"/channels/{thread.id}", 403, times=1))
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: "Highest bid £1" in texts(thread))
        await desk.settle()
        assert texts(thread).count("Highest bid £1") == 1
    server.check()


async def test_the_words_of_a_turn_do_not_wait_for_the_table_message(server: StandIn, desk: Desk) -> None:
    """The table message that stands is drawn anew when the turn message is there."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        card = next(message for message in thread.public if message.text.startswith("##"))
        desk.card_gap = 0.0
        before = len(server.requests)
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: f"PATCH /channels/{thread.id}/messages/{card.id}" in server.requests[before:])
        await desk.settle()
    after = server.requests[before:]
    told = after.index(f"POST /channels/{thread.id}/messages")
    assert told < after.index(f"PATCH /channels/{thread.id}/messages/{card.id}")
    server.check()


async def test_a_press_reads_each_thing_once(server: StandIn, desk: Desk) -> None:
    """A press reads its table once, its posts read it once more; a delivery is looked up where a move is refused."""
    alice, bob = server.person("alice"), server.person("bob")
    asked: list[tuple[str, str]] = []

    def note(*given: object) -> None:
        task = asyncio.current_task()
        asked.append((task.get_name() if task else "", str(given[2])))

    async with desk.running():
        thread = await open_table(desk, alice, bob)
        turn = turn_of(thread)
        event.listen(Engine, "before_cursor_execute", note)
        try:
            await alice.click(turn, "Bid 1")
            await desk.settle()
        finally:
            event.remove(Engine, "before_cursor_execute", note)
    deliveries = [words for _, words in asked if "WHERE log.interaction" in words]
    assert deliveries == []
    posted = [words for task, words in asked if task.startswith("posts:")]
    assert sum("UPDATE outbox" in words and "CASE" in words for words in posted) == 1, "all are noted together"
    pressed = [words for task, words in asked if task.startswith("discord.py: ")]  # chores may read it at any time
    assert [sum("FROM game" in words for words in each) for each in (pressed, posted)] == [1, 1]
    assert sum("FROM calls" in words for words in posted) == 0, "the move has read them"


async def test_sent_posts_are_recorded_though_the_bot_is_stopped_during_a_slow_post(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The posts of a table are noted together: the result stands, and the turn after it hangs."""
    alice, bob = server.person("alice"), server.person("bob")
    monkeypatch.setattr("bot.service.sending.GRACE_SECONDS", 0.1)
    monkeypatch.setattr("bot.discord.post_sender.PostSender.note_after", 60.0)
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        server.fault(Fault("POST", f"/channels/{thread.id}/messages", 503, wait=600))
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: not any(fault.times for fault in server.faults))
    desk.services = await Services.open(desk.path, desk.clock)
    found = await desk.services.posted.find_post("1:summary:0")
    assert found is not None
    assert found.sent
    await desk.services.close()


async def test_turns_that_were_superseded_are_searched_for_nowhere(server: StandIn, desk: Desk) -> None:
    """Eight quick bids took eight searches through the history: what was never tried cannot stand there."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        await desk.settle()
        before = len(server.requests)
        game = int(thread.name.rpartition("#")[2])
        for bid in range(1, 9):
            await desk.services.table.submit(game, str((alice, bob)[(bid - 1) % 2].id), Bid(bid))
        await desk.settle()
        made = server.requests[before:]
        assert not [each for each in made if each.startswith("GET")]
        assert "Bid 9" in turn_of(thread).labels
    server.check()
