"""A button that says "best found": the search goes on, the message is edited, every button does what it says."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence

import pytest

from bot.discord.components import Image, draw_all
from bot.model.standing import Standing
from bot.screens.drawing import Draw
from bot.service.advice import Prove
from engine import TITLES, Rng, Tip
from engine.view import View
from tests.discord.conftest import Desk
from tests.discord.person import Person
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel, Message
from tests.support.changed_title import change
from tests.support.toy import Bid, toy

FOUND = Tip(Bid(3), "Best found 3 (at most 5)", Bid(20), proven=False)
BEST = Tip(Bid(5), "Best 5", Bid(20))


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy's first search finds a bid of 3; while the highest bid is 0, that is not proven."""
    monkeypatch.setitem(TITLES, "toy", change(toy(), tips=lambda s, seat: () if s.bid else (FOUND,)))


def finding(come: asyncio.Event) -> Prove:
    """Return a search that finds the best when an event comes."""

    async def prove(game: Standing, seat: int, tips: Sequence[Tip]) -> AsyncGenerator[tuple[Tip, ...], None]:
        await come.wait()
        yield (BEST,)

    return prove


@contextlib.asynccontextmanager
async def searching(desk: Desk, come: asyncio.Event) -> AsyncIterator[tuple[Person, Person, Channel]]:
    """Open a table of Alice and Bob where the search finds the best when an event comes; check all at the end."""
    alice, bob = desk.server.person("alice"), desk.server.person("bob")
    async with desk.running():
        desk.services.table.advice.prove = finding(come)
        yield alice, bob, await open_table(desk, alice, bob)
    desk.server.check()


async def proven(server: StandIn, thread: Channel) -> Message:
    """Wait until the turn message has the better button."""
    return await server.world.until(lambda: turn_of(thread) if BEST.label in turn_of(thread).labels else None)


def sign_of(message: Message, label: str) -> str:
    return next(str(part["custom_id"]) for part in message.controls if part.get("label") == label)


async def test_the_message_is_edited_with_its_pictures_without_a_ping(server: StandIn, desk: Desk) -> None:
    come = asyncio.Event()
    async with searching(desk, come) as (alice, _, thread):
        turn = turn_of(thread)
        assert FOUND.label in turn.labels
        pings, pictures = server.pings(), [file.name for file in turn.files]
        come.set()
        assert await proven(server, thread) is turn
        await desk.settle()
        assert FOUND.label not in turn.labels
        assert [file.name for file in turn.files] == pictures
        assert turn.files[0].alt.startswith("Buttons: Best 5; "), "the words of the picture know it too"
        assert server.pings() == pings
        assert "✓ Alice bids £5" in (await alice.click(turn, BEST.label)).text


@pytest.mark.parametrize("is_slow", [False, True])
async def test_words_of_a_turn_that_goes_on_do_not_wait_long_for_pictures(
    is_slow: bool, server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is one edit, or two where the pictures take long."""
    come, drawn = asyncio.Event(), asyncio.Event()

    async def draw_when_told(seen: Sequence[View], draw: Draw) -> list[Image]:
        await drawn.wait()
        return await draw_all(seen, draw)

    async with searching(desk, come) as (_, _, thread):
        await desk.settle()
        turn = turn_of(thread)
        monkeypatch.setattr("bot.discord.post_pictures.draw_all", draw_when_told)
        monkeypatch.setattr("bot.discord.post_writer.EDIT_WAIT_SECONDS", 0.01 if is_slow else 60)
        come.set()
        if is_slow:
            await proven(server, thread)
            assert not turn.files
        drawn.set()
        await proven(server, thread)
        await desk.settle()
        assert turn.edits == 1 + is_slow
        assert turn.files


async def test_the_old_button_plays_the_move_it_showed(server: StandIn, desk: Desk) -> None:
    """Someone's client may show it for a while after the edit."""
    come = asyncio.Event()
    async with searching(desk, come) as (alice, _, thread):
        old = sign_of(turn_of(thread), FOUND.label)
        come.set()
        turn = await proven(server, thread)
        assert "✓ Alice bids £3" in (await alice.press(turn, old)).text


async def test_a_check_confirms_what_it_said(server: StandIn, desk: Desk) -> None:
    """The desk shows what "best" stands for; a better one found before Confirm does not slip in."""
    come = asyncio.Event()
    async with searching(desk, come) as (alice, _, thread):
        shown = await alice.click(thread.public[0], "Act")
        shown = await alice.submit(await alice.click(shown.message, "Other…"), value="20")
        assert "• Alice bids £3 for lot 1." in shown.text
        come.set()
        await proven(server, thread)
        assert "✓ Alice bids £3" in (await alice.click(shown.message, "Confirm")).text


async def test_a_table_that_moved_on_is_left_alone(server: StandIn, desk: Desk) -> None:
    come = asyncio.Event()
    async with searching(desk, come) as (alice, bob, thread):
        old = turn_of(thread)
        await alice.click(old, FOUND.label)
        await desk.settle()
        come.set()
        edits = [message.edits for message in thread.public]
        await bob.slash(thread, "view table")
        await desk.settle()
        assert [message.edits for message in thread.public] == edits
        assert not any(BEST.label in message.labels for message in thread.public)


async def test_after_a_restart_a_proven_button_finds_its_move_again(server: StandIn, desk: Desk) -> None:
    come = asyncio.Event()
    come.set()
    async with searching(desk, come) as (alice, _, thread):
        turn = await proven(server, thread)
    come.clear()
    async with desk.running():
        desk.services.table.advice.prove = finding(come)
        click = await alice.click(turn, BEST.label, wait="ack")
        come.set()
        await server.world.until(lambda: click.done)
        assert "✓ Alice bids £5" in click.text
    server.check()


async def test_a_button_without_a_game_is_refused_as_outdated(server: StandIn, desk: Desk) -> None:
    come = asyncio.Event()
    come.set()
    async with searching(desk, come) as (alice, _, thread):
        turn = await proven(server, thread)
        invented = sign_of(turn, BEST.label).rpartition(".")[0] + ".123"
        assert "out of date" in (await alice.press(turn, invented)).text


async def test_1862_proves_its_best_runs(server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real search, in a process of its own, after a first one that was far too short."""
    title = TITLES["1862"]

    def hasty(state: object, seat: int) -> Sequence[Tip]:
        return title.advice.prove(state, seat, (), 0) if title.words.ask(state).kind == "run trains" else ()

    monkeypatch.setitem(TITLES, "1862", change(title, tips=hasty))
    people = tuple(server.person(name) for name in ("alice", "bob", "cid"))
    async with desk.running():
        thread = await open_table(desk, *people, title="1862", seed=1)
        game, rng = (await desk.services.table.load_position(1)).game.replay(), Rng(1)
        while game.ask().kind != "run trains":
            seat = game.actors[0]
            action = title.advice.choose(game.state, seat, rng)
            await desk.services.table.submit(1, str(people[seat].user.id), action)
            game = game.play(seat, action).game
        best = title.advice.tips(game.state, game.actors[0])[0]
        turn = await server.world.until(lambda: _with(thread, best.label), what=best.label)
        revenue = best.label.removeprefix("Best run £").partition(" ")[0]
        answer = await people[game.actors[0]].click(turn, best.label)
        assert f"£{revenue}" in answer.text
        assert (await desk.services.table.load_position(1)).game.list_actions()[-1].action == best.action
    server.check()


def _with(thread: Channel, label: str) -> Message | None:
    return next((message for message in thread.public if label in message.labels), None)
