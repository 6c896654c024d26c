"""Short turns at a real position: same as last time, the whole turn again, a draft that waits where it was left."""

import pytest
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store import log
from engine import RuleError
from engine.codec import decode_action, encode_file
from engine.titles.g1860.actions import Start
from tests.discord.conftest import Desk
from tests.discord.person import Person
from tests.discord.play import open_table, texts, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel
from tests.playthroughs.record import read

BEFORE_A_RUN = 433
"""Moves of the kept game of 1860 for three after which a company may run as in its last turn."""


async def _import_game(desk: Desk, person: Person, moves: int) -> Channel:
    """Let a person open a table from so many moves of the kept game; return its thread."""
    kept = read("1860-3")
    file = encode_file(kept.setup, kept.read_log()[:moves], ("Ann", "Ben", "Cat"))
    await person.slash(desk.server.games, "game import", file=person.upload("game.json", file), name="Wight")
    await desk.settle()
    return desk.server.threads[-1]


async def test_the_same_again_the_turn_again_and_a_draft_on_two_machines(server: StandIn, desk: Desk) -> None:
    alice = server.person("alice")
    async with desk.running():
        thread = await _import_game(desk, alice, BEFORE_A_RUN)
        shown = await alice.click(turn_of(thread), "Act")
        shown = await alice.click(shown.message, "More…")
        again = next(label for label in shown.message.labels if label.startswith("Repeat"))
        assert "…" not in again, "it says what it earns, and no half of a way"
        done = await alice.click(shown.message, "Repeat")
        assert "✓" in done.text
        done = await alice.click(done.message, "More…")
        back = await alice.click(done.message, "Restart turn")
        await desk.settle()
        assert "takes back" in back.text
        await _runs_by_another_plan(server, desk, alice)
        shown = await alice.click(turn_of(thread), "Act")
        shown = await alice.click(shown.message, "More…")
        shown = await alice.submit(
            await alice.click(shown.message, "Type it…"), value="4+2 F12-G11-G9-[H8]-I7.1-[I7.0]-J8-I9"
        )
        assert "Confirm" in shown.message.labels
        there = await alice.click(turn_of(thread), "Act")
        assert there.text.startswith("-# You're back where you left off.")
        assert "F12-G11-G9" in there.text
        assert "✓" in (await alice.click(there.message, "Confirm")).text
    server.check()


async def _runs_by_another_plan(server: StandIn, desk: Desk, person: Person) -> None:
    """Check that all ways to run are told in words, one tap plays one, and its number typed does too."""
    thread = server.threads[-1]
    shown = await person.click(turn_of(thread), "Act")
    shown = await person.click(shown.message, "More…")
    told = await person.click(shown.message, "Other plans…")
    best, second = told.text.splitlines()[1:3]
    assert best.startswith("1. £")
    assert "less than the best run, 10cc more for halts." in second
    done = await person.click(told.message, "2 · Run")
    ran = done.text.splitlines()[0]
    assert "✓" in ran
    await person.click((await person.click(done.message, "More…")).message, "Restart turn")
    await desk.settle()
    offered = await person.complete(thread, "act run", "plan")
    assert [each["value"] for each in offered][:2] == ["best", "2"]
    assert "less than the best run" in offered[1]["name"]
    typed = await person.slash(thread, "act run", plan="2")
    assert ran == typed.text.splitlines()[0]
    await person.slash(thread, "game undo")
    await desk.settle()


async def test_a_plan_is_played_on_a_private_desk_and_nothing_is_posted(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        before = (len(thread.public), len(server.games.public), len(server.threads), len(server.pings()))
        plan = await bob.slash(thread, "view plan")
        assert "Game 2 is your plan" in plan.text
        assert "✓" in (await bob.click(plan.message, "Bid ")).text
        assert "no table 2" in (await alice.slash(thread, "view table", game=2)).text
        fork = await alice.slash(thread, "game fork", at=0)
        assert "Game 3 is a table of your own" in fork.text
        assert "closed" in (await bob.slash(thread, "game close", game=2)).text
        await desk.settle()
        assert before == (len(thread.public), len(server.games.public), len(server.threads), len(server.pings()))
    server.check()


BEFORE_A_SALE = 133
"""Moves of the same game after which Ben sells three shares and starts a company with the money."""


async def test_a_sale_and_the_purchase_it_pays_for_are_confirmed_together(server: StandIn, desk: Desk) -> None:
    """Prices, directors, money and certificates after both are seen before either is made."""
    alice = server.person("alice")
    async with desk.running():
        thread = await _import_game(desk, alice, BEFORE_A_SALE)
        shown = await alice.click(turn_of(thread), "Act")
        shown = await alice.click(shown.message, "Sell…")
        shown = await alice.choose(shown.message, "Sell 30% IOW")
        assert "Ann becomes director of IOW" in shown.text
        assert "Then: Cash £594, 4 certificates of 21 allowed." in shown.text
        aside = await alice.click(shown.message, "Add a move…")
        assert aside.text.startswith("**In your basket** (nothing is played yet)")
        assert "Ben sells" not in texts(thread)
        shown = await alice.click(aside.message, "Start a company…")
        assert not {"Take it back", "Auto…"} & set(shown.message.labels), "they would speak of the real game"
        shown = await alice.choose(shown.message, "Start FYN at par £62")
        assert "Ben sells 30% IOW" in shown.text, "what was put aside happens with it"
        await _nothing_is_half_stored(desk, alice)
        done = await alice.click(shown.message, "Confirm all")
        await desk.settle()
        assert "Ben sells 30% IOW" in done.text
        assert "starts" in texts(thread)
        log = await desk.services.table.read_log(1, BEFORE_A_SALE)
        assert [line.name for line in log] == ["Ben", "Ben"]

        shown = await alice.click(turn_of(thread), "Act")
        assert "basket" not in shown.text
    server.check()


async def _nothing_is_half_stored(desk: Desk, person: Person) -> None:
    """Check that of moves made in one go none is stored if the store fails or the rules refuse a later one."""
    table = desk.services.table
    here = await table.load_position(1)
    kept = (await desk.services.people.load_draft(1, str(person.id), here.version)).basket
    sale, start = decode_action(here.table.title, kept[0]), Start("FYN", 62)
    append, count = log.append, 0

    async def failing(session: AsyncSession, entry: log.NewEntry) -> None:
        nonlocal count
        count += 1
        if count == 2:
            raise ConnectionAbortedError
        await append(session, entry)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "append", failing)
        with pytest.raises(ConnectionAbortedError):
            await table.submit(1, str(person.id), (sale, start))
    with pytest.raises(RuleError):
        await table.submit(1, str(person.id), (sale, start, start))
    assert (await table.load_position(1)).version == here.version
    assert await table.read_log(1, here.version) == []
