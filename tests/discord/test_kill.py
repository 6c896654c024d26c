"""kill -9 in the middle of posting: nothing is lost, nothing stands there twice; on a server see ``test_two_bots``."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests.discord import bot_process
from tests.discord.conftest import Desk
from tests.discord.play import texts, turn_of
from tests.discord.stand_in import Fault, StandIn
from tests.support.fork_server import start_process

STARTING = 120.0


@contextlib.asynccontextmanager
async def process(server: StandIn, database: Path | str, shard: str = "0/1") -> AsyncIterator[BaseProcess]:
    """Start the bot, and in the end kill it without a word."""
    before = server.gateway.identified
    running = start_process(bot_process.main, server.url, str(database), shard)
    try:
        await server.world.until(
            lambda: (server.gateway.identified > before and server.world.commands) or not running.is_alive(),
            STARTING, "the bot",
        )  # fmt: skip
        assert running.is_alive(), "the bot did not start"
        yield running
    finally:
        running.kill()
        await asyncio.to_thread(running.join)


@pytest.mark.slow
async def test_killed_while_posting(server: StandIn, desk: Desk) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    async with process(server, desk.path) as running:
        await alice.slash(server.games, "game new", title="toy", seats=2, name="Friday")
        await server.world.until(lambda: server.games.public, what="the lobby message")
        await bob.click(server.games.last, "Join")
        server.fault(Fault("POST", "/threads", 0, wait=0.5))
        await alice.slash(server.games, "game start", order="as joined", game=1)
        await server.world.until(lambda: any("/threads" in request for request in server.requests))
        running.kill()  # Discord makes the thread, the bot never hears of it
    async with process(server, desk.path) as running:
        await server.world.until(lambda: "Highest bid £0" in texts(server.threads[0]))
        await server.world.until(lambda: turn_of(server.threads[0]).files)
        thread = server.threads[0]
        server.fault(Fault("POST", f"/channels/{thread.id}/messages", 0, wait=0.5))
        posts = len(server.requests)
        await alice.click(turn_of(thread), "Bid 1")
        await server.world.until(lambda: any(r.startswith("POST /channels") for r in server.requests[posts:]))
        running.kill()  # Discord posts the turn message, the bot never hears of it
    await server.world.until(lambda: "Highest bid £1" in texts(thread))
    for message in thread.messages:
        message.nonce = None  # long after: Discord no longer compares nonces
    async with desk.running():
        await server.world.until(lambda: turn_of(thread).files)
        assert "✓ Bob bids £2" in (await bob.click(turn_of(thread), "Bid 2")).text
        await server.world.until(lambda: "Highest bid £2" in texts(thread))
    assert len(server.threads) == 1
    assert texts(thread).count("Auction of lot 1** · ") == 1
    assert [line for line in texts(thread).split("\n") if line.startswith("Highest")] == ["Highest bid £2"]
    assert server.violations == []
