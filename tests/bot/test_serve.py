"""The bot as a service: it comes up, shows that it lives, and ends in order when told to."""

import asyncio
import gc
import os
import signal
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from bot.discord.client import LoginRefusedError
from bot.operations.doctor import beat_path, check_health
from bot.operations.serve import serve
from bot.operations.settings import Settings
from bot.service.workers.pool import Workers
from tests.discord.stand_in import Fault, StandIn
from tests.support.settings import BareSettings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return BareSettings(
        database=str(tmp_path / "store.sqlite"),
        pictures=tmp_path / "pictures",
        workers=1,
    )


@pytest.mark.slow
async def test_it_runs_until_it_is_stopped(settings: Settings) -> None:
    async with StandIn() as server:
        gc.unfreeze()
        running = asyncio.create_task(serve(settings, "token"))
        await server.world.until(lambda: beat_path(settings.home).exists() or running.done())
        assert not running.done()
        assert (await check_health(settings)).well
        assert gc.get_freeze_count() > 100_000, "the collector would hold the loop up for a tenth of a second"
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(running, 60)
    assert not (await check_health(settings)).well, "it took its heartbeat with it"


async def test_a_wrong_token_is_reported_in_one_line(settings: Settings) -> None:
    async with StandIn() as server:
        server.fault(Fault("GET", "/users/@me", status=401))
        with pytest.raises(LoginRefusedError, match="rejected the token in DISCORD_TOKEN"):
            await asyncio.wait_for(serve(settings, "token", Workers.in_threads()), 60)


async def test_it_comes_up_when_discord_does(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the login nor the gateway answers at first: who started the bot has not to start it again."""
    monkeypatch.setattr("bot.discord.client.FIRST_WAIT_SECONDS", 0.01)
    monkeypatch.setattr("bot.operations.serve.warm_up", AsyncMock())
    async with StandIn() as server:
        server.fault(Fault("GET", "/users/@me", -1, times=2))
        server.fault(Fault("GET", "/oauth2/applications/@me", -1))
        server.fault(Fault("GET", "/gateway", 503, times=2))
        running = asyncio.create_task(serve(settings, "token", Workers.in_threads()))
        await server.world.until(lambda: beat_path(settings.home).exists() or running.done())
        assert not running.done()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
