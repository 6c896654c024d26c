"""The fault bench in short, and that it would notice what it looks for; the long run is ``python -m tests.chaos``."""

import asyncio
import logging
from pathlib import Path

import pytest

from tests.chaos.bench import Bench
from tests.chaos.expected_posts import Findings, compare
from tests.chaos.stores import store_of
from tests.discord.conftest import Desk
from tests.discord.play import open_table, turn_of
from tests.discord.stand_in import StandIn
from tests.discord.world import Message, Ping
from tests.support import postgres
from tests.support.postgres import BOTH

KILLS = 3


@pytest.fixture
def address(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Path | str:
    if kind == "sqlite":
        return tmp_path / "store.sqlite"
    address: str = request.getfixturevalue("server_store")
    asyncio.run(postgres.empty_tables(address))
    return address


@BOTH
@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_a_few_kills_lose_and_double_nothing(
    address: Path | str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "aiohttp.server")  # lines that are cut are what is wished for here
    async with StandIn(life=890) as server:
        bench = Bench(server, tmp_path, store_of(address), seed=1, tables=2)
        bench.longest_life = 3.0
        await bench.run(kills=KILLS, between=KILLS)
    assert bench.findings.sentences() == []
    assert bench.kills.total() == KILLS
    assert bench.answers


async def test_the_comparison_notices(server: StandIn, desk: Desk) -> None:
    """Each kind of fault, made by hand on a table where all is well."""
    alice, bob = server.person("alice"), server.person("bob")
    store = store_of(desk.path)
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        told = await alice.click(turn_of(thread), "Bid 1")
        await desk.settle()
    assert await compare(server, store, [told], set()) == Findings()

    done = next(message for message in thread.public if message.text == "Alice bids £1 for lot 1")
    done.components[0]["content"] = "Something else"
    assert len((await compare(server, store, [told], set())).posts_lost) == 1
    done.components[0]["content"] = "Alice bids £1 for lot 1"

    turn = turn_of(thread)
    plain = done.components
    done.components = [*plain, next(part for part in turn.components if part["type"] == 1)]
    assert len((await compare(server, store, [told], set())).live_buttons) == 1
    done.components = plain

    server.world.pings.append(Ping(bob.user, turn))
    assert len((await compare(server, store, [told], set())).rings_doubled) == 1
    server.world.pings.pop()

    double = Message(server.world.snowflake(), thread, server.world.me, components=turn.components)
    server.world.messages[double.id] = double
    assert len((await compare(server, store, [told], set())).posts_doubled) == 1
    del server.world.messages[double.id]

    turn.deleted = True
    assert len((await compare(server, store, [told], set())).silent) == 1
    told.id += 1
    assert len((await compare(server, store, [told], set())).moves_lost) == 1
