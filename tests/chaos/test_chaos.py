"""The fault bench in short, and that it would notice what it looks for; the long run is ``python -m tests.chaos``."""

import logging
from pathlib import Path

import pytest

from tests.chaos.bench import Bench
from tests.chaos.ledger import Findings, compare
from tests.discord.conftest import Desk
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.world import Message, Ping


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_six_kills_lose_and_double_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "aiohttp.server")  # lines that are cut are what is wished for here
    async with StandIn(life=280) as server:
        bench = Bench(server, tmp_path, seed=1, tables=2)
        await bench.run(kills=6, between=3)
    assert bench.findings.sentences() == []
    assert bench.kills.total() == 6


async def test_the_comparison_notices(server: StandIn, desk: Desk) -> None:
    """Each kind of fault, made by hand on a table where all is well."""
    alice, bob = server.person("alice"), server.person("bob")
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        told = await alice.click(turn_of(thread), "Bid 1")
        await desk.settled()
    assert compare(server, desk.path, [told], set()) == Findings()

    done = next(message for message in thread.public if message.text == "Alice bids £1 for lot 1")
    done.components[0]["content"] = "Something else"
    assert len(compare(server, desk.path, [told], set()).posts_lost) == 1
    done.components[0]["content"] = "Alice bids £1 for lot 1"

    turn = turn_of(thread)
    plain = done.components
    done.components = [*plain, next(part for part in turn.components if part["type"] == 1)]
    assert len(compare(server, desk.path, [told], set()).live_buttons) == 1
    done.components = plain

    server.world.pings.append(Ping(bob.user, turn))
    assert len(compare(server, desk.path, [told], set()).rings_doubled) == 1
    server.world.pings.pop()

    double = Message(server.world.snowflake(), thread, server.world.me, components=turn.components)
    server.world.messages[double.id] = double
    assert len(compare(server, desk.path, [told], set()).posts_doubled) == 1
    del server.world.messages[double.id]

    turn.deleted = True
    assert len(compare(server, desk.path, [told], set()).silent) == 1
    told.id += 1
    assert len(compare(server, desk.path, [told], set()).moves_lost) == 1
