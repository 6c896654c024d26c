"""Sixteen tables that act in the same moment, on a server's store six: everybody is acknowledged in time."""

import asyncio
from collections.abc import Callable

import pytest

from bot.service.records import Home, NewTable
from bot.service.records import Person as Host
from tests.discord.conftest import Desk
from tests.discord.interactions import MOST_SECONDS
from tests.discord.play import turn_of
from tests.discord.stand_in import StandIn
from tests.support.postgres import BOTH

TABLES, ON_A_SERVER = 16, 6


@BOTH
@pytest.mark.slow
async def test_many_tables_at_once(server: StandIn, desk: Desk, record_property: Callable[[str, object], None]) -> None:
    async with desk.running():
        tables = ON_A_SERVER if desk.services.database.shared else TABLES
        people = [(server.person(f"ann{n}"), server.person(f"ben{n}")) for n in range(tables)]
        home = Home(str(server.guild.id), str(server.games.id))
        for number, (ann, ben) in enumerate(people):
            wish = NewTable("toy", 2, f"Table {number}.", seed=number)
            table = await desk.services.lobby.create(Host(str(ann.id), ann.user.name), wish, home)
            await desk.services.lobby.join(table.id, Host(str(ben.id), ben.user.name))
            await desk.services.lobby.start(table.id, str(ann.id), "as joined")
        await desk.settled(90)
        threads = {thread.name.split(" · ")[1]: thread for thread in server.threads}
        turns = [turn_of(threads[f"Table {number}."]) for number in range(tables)]
        desk.painting = True
        answers = await asyncio.gather(
            *(ann.click(turn, "Bid 1") for (ann, _), turn in zip(people, turns, strict=True))
        )
        await desk.settled(90)
    record_property("slowest acknowledgement in seconds", max(answer.ack_seconds for answer in answers))
    assert max(answer.ack_seconds for answer in answers) < MOST_SECONDS
    assert all("bids £1" in turn.text for turn in turns)
    server.check()
