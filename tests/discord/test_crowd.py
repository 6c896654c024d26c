"""Ten tables that act in the same moment, on a server's store four: all are answered before a picture is drawn."""

import asyncio

import pytest

from bot.model.records import Home, NewTable
from bot.model.records import Person as Host
from engine.view import View
from tests.discord.conftest import DOT, Desk
from tests.discord.play import turn_of
from tests.discord.stand_in import StandIn
from tests.support.postgres import BOTH

TABLES, ON_A_SERVER = 10, 4


@BOTH
@pytest.mark.slow
async def test_many_tables_at_once(server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """No picture is drawn until all have their answer: who waited for one would wait for ever."""
    may_draw = asyncio.Event()
    may_draw.set()

    async def draw_dot(view: View, palette: str) -> bytes:
        await may_draw.wait()
        return DOT

    monkeypatch.setattr(desk, "draw", draw_dot)
    async with desk.running():
        tables = ON_A_SERVER if desk.services.database.shared else TABLES
        people = [(server.person(f"ann{n}"), server.person(f"ben{n}")) for n in range(tables)]
        home = Home(str(server.guild.id), str(server.games.id))
        for number, (ann, ben) in enumerate(people):
            wish = NewTable("toy", 2, f"Table {number}.", seed=number)
            table = await desk.services.lobby.create(Host(str(ann.id), ann.user.name), wish, home)
            await desk.services.lobby.join(table.id, Host(str(ben.id), ben.user.name))
            await desk.services.lobby.start(table.id, str(ann.id), "as joined")
        await desk.settle()
        threads = {thread.name.split(" · ")[1]: thread for thread in server.threads}
        turns = [turn_of(threads[f"Table {number}."]) for number in range(tables)]
        may_draw.clear()
        answers = await asyncio.gather(
            *(ann.click(turn, "Bid 1") for (ann, _), turn in zip(people, turns, strict=True))
        )
        may_draw.set()
        await desk.settle()
        assert all(answer.text.startswith("✓") for answer in answers)
        assert all(turn_of(thread).files for thread in threads.values())
    assert all("bids £1" in turn.text for turn in turns)
    server.check()
