"""What one move costs: the files it enters and the statements it takes, until it is answered and for its posts."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.service.workers.jobs import Task
from bot.service.workers.pool import Workers
from tests.discord.conftest import Desk
from tests.discord.person import Person
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.world import Channel
from tests.support.footprint import footprint

FILES_MAX = 44
"""Files of ``bot`` that the event loop enters until a bid is answered."""
STATEMENTS_MAX, DESK_STATEMENTS_MAX = 22, 28
"""Statements of a bid with its posts; by the desk the screens before it are counted too."""
READS_MAX = 3
"""Reads of the table's row until a bid is answered; each screen of the desk reads it once. Its posts read it once."""


async def press(person: Person, thread: Channel) -> None:
    """Bid by the button of the turn message."""
    assert "✓" in (await person.click(turn_of(thread), "Bid £5")).text


async def type_it(person: Person, thread: Channel) -> None:
    """Bid by a command."""
    assert "✓" in (await person.slash(thread, "act bid", amount=10)).text


async def go_by_the_desk(person: Person, thread: Channel) -> None:
    """Bid by the desk: Act, the bid, Confirm."""
    shown = await person.click(turn_of(thread), "Act")
    shown = await person.submit(await person.click(shown.message, "Other…"), value="15")
    if "Confirm" in shown.message.labels:
        shown = await person.click(shown.message, "Confirm")
    assert "✓" in shown.text


@pytest.mark.parametrize("bid", [press, type_it, go_by_the_desk], ids=["button", "command", "desk"])
async def test_a_bid_with_its_posts_takes_few_statements(
    server: StandIn, desk: Desk, bid: Callable[[Person, Channel], Awaitable[None]]
) -> None:
    """The figures are printed: ``pytest -n 0 -s tests/discord/test_footprint.py``."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob, title="1860")
        with footprint() as answered:
            await bid(alice, thread)
        with footprint() as posted:
            await desk.settle()
    counts = (len(answered.statements), len(posted.statements))
    reads = (answered.reads_of("game"), posted.reads_of("game"))
    print(f"{bid.__name__}: {len(answered.of('bot'))} files, {counts} statements, {reads} reads of the table's row")  # noqa: T201  # the figures
    assert len(answered.of("bot")) <= FILES_MAX
    assert sum(counts) <= (DESK_STATEMENTS_MAX if bid is go_by_the_desk else STATEMENTS_MAX)
    assert reads[0] <= (1 if bid is press else READS_MAX)
    assert reads[1] <= 1


async def test_a_move_that_was_checked_takes_one_trip_to_a_worker(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read from its draft and made there in one go; then the desk and the posts are worked out."""
    asked, do = list[str](), Workers.do

    async def note_task(self: Workers, task: Task[Any, Any], *given: Any) -> object:  # noqa: ANN401  # as a task takes it
        if task.lane == "moves":
            asked.append(task.name)
        return await do(self, task, *given)

    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob, title="1860")
        shown = await alice.click(turn_of(thread), "Act")
        shown = await alice.submit(await alice.click(shown.message, "Other…"), value="15")
        monkeypatch.setattr(Workers, "do", note_task)
        assert "✓" in (await alice.click(shown.message, "Confirm")).text
        await desk.settle()
    assert asked == ["confirmed"]
