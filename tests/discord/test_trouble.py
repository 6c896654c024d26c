"""Restarts, repeated deliveries, stale controls, strangers, missing permissions, defects, a failing Discord."""

import asyncio
from collections.abc import Sequence

import msgspec
import pytest
from sqlalchemy.exc import OperationalError

from bot.model.errors import BotError
from bot.model.posts import Turn
from bot.model.records import Home, NewTable, Person
from bot.model.standing import Course
from bot.service.workers.jobs import A, R, Task
from bot.service.workers.tasks import PLAY
from bot.store.outbox import Place, StoredPost
from engine import TITLES
from tests.discord.conftest import Desk
from tests.discord.play import open_table, texts, turn_of
from tests.discord.stand_in import Fault, StandIn


async def test_controls_survive_a_restart(server: StandIn, desk: Desk) -> None:
    desk.syncs = True
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        step = await alice.click((await alice.click(turn_of(thread), "Act")).message, "£6")
    async with desk.running():
        assert "✓ Alice bids £6" in (await alice.click(step.message, "Confirm")).text
        await desk.settle()
        assert "Bob bids £7 for lot 1" in (await bob.click(turn_of(thread), "Bid 7")).text
        await desk.settle()
    assert server.world.syncs == 1  # the commands did not change
    server.check()


async def test_a_form_opened_before_a_restart_is_heard_after_it(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        opened = await alice.click(turn_of(thread), "Act")
        form = await alice.click(opened.message, "Other…")
    async with desk.running():
        check = await alice.submit(form, value="9")
        assert "Alice bids £9" in check.text
        await alice.click(opened.message, "Back")
        refused = await alice.submit(await alice.click(opened.message, "Other…"), value="21")
        assert "You have £20, the bid needs £21. (Toy, bidding)" in refused.text
        unread = await alice.submit(await alice.click(opened.message, "Other…"), value="a lot")
        assert "amount must be a whole number, not “a lot”" in unread.text
    server.check()


async def test_the_same_delivery_twice_is_played_once(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        turn = turn_of(thread)
        first = await alice.click(turn, "Bid 1")
        await desk.settle()
        said = first.text
        assert (await alice.again(first)).text == said, "quietly: the answer stays as it was"
        command = await bob.slash(thread, "act bid", amount=2)
        said = command.text
        assert (await bob.again(command)).text == said
        await desk.settle()
        assert texts(thread).count("bids £1 for lot 1") == 2  # the log and the result line
        assert "Highest bid £2" in turn_of(thread).text


async def test_stale_controls_offer_the_present_desk(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        opened = await alice.click(turn_of(thread), "Act")
        old = [part["custom_id"] for part in turn_of(thread).controls]
        turn = turn_of(thread)
        await alice.click(turn, "Bid 1")
        await desk.settle()
        late = await alice.click(opened.message, "£6")
        assert "That menu is out of date" in late.text
        await bob.click(turn_of(thread), "Bid 2")
        await desk.settle()
        late = await alice.press(turn, old[1])
        assert "That menu is out of date" in late.text
        assert "£4" in late.message.labels
        assert "This button no longer works" in (await alice.press(turn, "v1|1|1|dance|")).text
        assert "This button no longer works" in (await alice.press(turn, "something else")).text
    server.check()


async def test_strangers_are_refused_politely(server: StandIn, desk: Desk) -> None:
    alice, bob, carol = server.person("alice"), server.person("bob"), server.person("carol")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        for act in (carol.click(turn_of(thread), "Act"), carol.click(turn_of(thread), "Bid 1")):
            answer = await act
            assert "You have no seat at “Friday”. The players are Alice and Bob." in answer.text
            assert answer.message.ephemeral
        assert "It's not your turn" in (await bob.click(turn_of(thread), "pass")).text
        looked = await carol.click(turn_of(thread), "Map")
        assert looked.message.image().startswith(b"\x89PNG")
        await desk.settle()
        assert "Highest bid £0" in turn_of(thread).text
    server.check()


async def test_missing_permissions_are_named(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        await alice.slash(server.games, "game new", title="toy", seats=2)
        await desk.settle()
        lobby = server.games.last
        await bob.click(lobby, "Join")
        server.games.denied = frozenset({"send_messages_in_threads"})
        refused = await alice.click(lobby, "Start")
        assert refused.text == "I can't post in #games: I need Send Messages in Threads."
        server.games.denied = frozenset({"create_public_threads"})
        await alice.click(lobby, "Start")
        await desk.settle()
        assert server.threads == []
        assert "Act" in server.games.last.labels  # it plays in the channel then
    server.check()


async def test_a_defect_gets_a_reference_and_changes_nothing(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    alice, bob = server.person("alice"), server.person("bob")

    def broken(*args: object) -> str:
        message = "a defect"
        raise ZeroDivisionError(message)

    async with desk.running():
        thread = await open_table(desk, alice, bob)
        monkeypatch.setitem(TITLES, "toy", msgspec.structs.replace(TITLES["toy"], check=broken))
        answer = await alice.slash(thread, "act bid", amount=4)
        assert answer.text.startswith(
            "Something went wrong on our side. No move is half done: the table shows the current state. Ref "
        )
        reference = answer.text.split("Ref ")[1].rstrip(".")
        logged = capsys.readouterr()
        assert reference in logged.out + logged.err
        assert "ZeroDivisionError" in logged.out + logged.err
        monkeypatch.undo()
    server.check()


async def test_a_press_just_before_the_shutdown_is_stored_and_answered(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot is told to end while a move is worked out: the player was told that it thinks."""
    alice, bob = server.person("alice"), server.person("bob")
    begun, going_on = asyncio.Event(), asyncio.Event()
    async with desk.running() as client:
        thread = await open_table(desk, alice, bob)
        do = desk.services.workers.do

        async def slow(task: Task[A, R], takes: A, course: Course | None = None) -> R:
            if task is PLAY:
                begun.set()
                await going_on.wait()
            return await do(task, takes, course)

        monkeypatch.setattr(desk.services.workers, "do", slow)
        pressing = asyncio.create_task(alice.click(turn_of(thread), "Bid 1"))
        await begun.wait()
        ending = asyncio.create_task(client.close())
        done, _ = await asyncio.wait([ending], timeout=0.1)
        assert not done, "the bot waits for the move"
        going_on.set()
        await ending
        assert "✓ Alice bids £1" in (await pressing).text
    server.check()


async def test_a_refused_token_an_expired_answer_and_a_cut_line_lose_no_press(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A 401 at the acknowledgement and a reset of the answer are tried again; an answer no one takes costs no move."""
    monkeypatch.setattr("bot.discord.first_response.BLINK_SECONDS", 0)
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        server.fault(Fault("POST", "/callback", 401))
        server.fault(Fault("PATCH", "/webhooks", -1))
        assert "✓ Alice bids £1" in (await alice.click(turn_of(thread), "Bid 1")).text
        await desk.settle()
        server.fault(Fault("PATCH", "/webhooks", 404))
        await bob.click(turn_of(thread), "Bid 2", "ack")
        await server.world.until(lambda: "Highest bid £2" in texts(thread))
        await desk.settle()
        assert texts(thread).count("Highest bid £2") == 1


async def test_a_move_is_reported_though_the_desk_cannot_be_shown_after_it(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal after the move was stored would say that nothing was changed."""
    alice = server.person("alice")
    async with desk.running():
        host, lobby = Person(str(alice.id), "Alice"), desk.services.lobby
        home = Home(str(server.guild.id), str(server.games.id))
        table = await lobby.create(host, NewTable("toy", 2, "Friday", seed=1), home)
        await lobby.join(table.id, host, hot_seat=True)
        await lobby.start(table.id, host.id, "as joined")
        await desk.settle()

        async def broken(*args: object, **words: object) -> None:
            raise BotError("That took too long; nothing was changed.")

        monkeypatch.setattr("bot.screens.open_desk.fetch_desk_screen", broken)
        told = await alice.click(turn_of(server.threads[0]), "Bid 1")
        assert "✓ Alice bids £1" in told.text
        assert "To reopen your desk, press Act" in told.text.replace("*", "")
        assert "nothing was changed" not in told.text
    server.check()


async def test_a_file_that_discord_does_not_give_or_that_is_too_large_is_reported(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No one is left before a bot that thinks for ever."""
    alice = server.person("alice")
    async with desk.running():
        server.fault(Fault("GET", "/cdn/", 404))
        refused = await alice.slash(server.games, "game import", file=alice.upload("game.json", b"{}"))
        assert refused.text == "I couldn't get the file from Discord. Send it again in a minute."
        monkeypatch.setattr("bot.discord.slash.MAX_FILE_BYTES", 1000)
        refused = await alice.slash(server.games, "game import", file=alice.upload("game.json", bytes(1001)))
        assert refused.text == "The file is too large: it has 1,001 bytes; the limit is 1,000."
    server.check()


async def test_a_post_that_discord_fails_is_sent_later_and_once(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        where = f"/channels/{thread.id}/messages"
        server.fault(Fault("POST", where, -2))  # Discord posts it, but the answer is lost
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: "Highest bid £1" in texts(thread))
        await desk.settle()
        assert sum("Highest bid £1" in message.text for message in thread.public) == 1
        server.fault(Fault("POST", where, 429, retry_after=0.05))
        await bob.click(turn_of(thread), "Bid 2")
        await server.world.until(lambda: "Highest bid £2" in texts(thread))
        await desk.settle()
        assert sum("Highest bid £2" in message.text for message in thread.public) == 1
    server.check()


async def test_posts_owed_at_a_crash_are_sent_once_afterwards(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running() as client:
        thread = await open_table(desk, alice, bob)
        note = desk.services.outbox.note_sent

        async def dies(
            done: Sequence[tuple[StoredPost, Place]], rest: Sequence[StoredPost] | None = None
        ) -> list[StoredPost]:
            """Die between Discord's answer and the note of it."""
            if any(isinstance(stored.post, Turn) for stored, _ in done):
                await asyncio.Event().wait()
            return await note(done, rest)

        monkeypatch.setattr(desk.services.outbox, "note_sent", dies)
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: "Highest bid £1" in texts(thread))
        client._tasks[0].cancel()
        for task in client.sending._busy.values():
            task.cancel()
    server.clock.forward(3600)  # long after: Discord has forgotten the nonce
    for message in thread.messages:
        message.nonce = None
    async with desk.running():
        await desk.settle()
        assert sum("Highest bid £1" in message.text for message in thread.public) == 1
        assert server.pings() == ["alice", "bob"]
        assert turn_of(thread).files
    server.check()


async def test_a_table_message_stands_once_though_its_place_could_not_be_noted(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store fails after Discord took the table message, the nonce is forgotten, and we may not read back."""
    alice, bob = server.person("alice"), server.person("bob")
    failed: list[str] = []
    async with desk.running():
        settle = desk.services.lobby.set_home

        async def fails(game: int, home: Home) -> None:
            if home.message and not failed:
                failed.append(home.message)
                for channel in server.world.channels.values():
                    for message in channel.messages:
                        message.nonce = None
                server.fault(Fault("GET", "/messages", 403, times=99))
                raise OperationalError("settle", None, OSError("database is locked"))
            return await settle(game, home)

        monkeypatch.setattr(desk.services.lobby, "set_home", fails)
        thread = await open_table(desk, alice, bob)
        await desk.settle()
        assert failed
        desk.forward(10)
        await desk.settle()
        assert len(thread.public) == 2, "the table message and the turn"
    server.check()


async def test_an_archived_thread_is_woken(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        turn = turn_of(thread)
        thread.archived = True
        await alice.slash(server.games, "act bid", amount=2, game=1)
        await server.world.until(lambda: "Highest bid £2" in texts(thread))
        await desk.settle()
        assert not thread.archived
        assert turn.text == "Alice bids £2 for lot 1"
    server.check()


async def test_a_lost_line_is_taken_up_again(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        await server.gateway.drop()
        await server.world.until(lambda: not server.gateway.online)
        assert "✓ Alice bids £1" in (await alice.click(turn_of(thread), "Bid 1")).text
        assert server.gateway.resumed == 1
        await desk.settle()
        await server.gateway.reconnect()
        assert "✓ Bob bids £2" in (await bob.click(turn_of(thread), "Bid 2")).text
    server.check()


async def test_an_event_that_the_library_cannot_read_ends_nothing(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        before = server.gateway.identified
        server.emit("INTERACTION_CREATE", {"id": "1", "type": 3, "token": "?", "version": 1, "data": {}})
        await server.world.until(lambda: server.gateway.identified > before, 30)
        await desk.client.wait_until_ready()
        assert "✓" in (await alice.click(turn_of(thread), "Bid 1")).text
