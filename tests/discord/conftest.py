"""A stand-in Discord, a store in a temporary file, and the bot between them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app import RailBot
from bot.discord.drawing import drawer
from bot.discord.show import Draw
from bot.house import House
from engine import TITLES
from render import Renderer
from tests.discord.stand_in import StandIn
from tests.support.toy import toy


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the toy on the shelf."""
    monkeypatch.setitem(TITLES, "toy", toy())


@pytest.fixture
async def server() -> AsyncIterator[StandIn]:
    async with StandIn(life=60) as server:
        yield server


class Desk:
    """The bot's house and how to start and stop the bot in it.

    Args:
        server: the stand-in.
        path: of the store.
        draw: draws pictures; the real renderer if left out.
    """

    def __init__(self, server: StandIn, path: Path, draw: Draw | None = None) -> None:
        self.server = server
        self.path = path
        self.draw = draw or drawer(Renderer())
        self.house: House | None = None

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[RailBot]:
        """Start the bot on the store; afterwards close it decently."""
        self.house = await House.open(self.path)
        client = RailBot(self.house, self.draw, card_gap=0.05)
        before = self.server.gateway.identified
        task = asyncio.create_task(client.start("token"))
        try:
            await self.server.world.until(lambda: self.server.gateway.identified > before or task.done(), 15)
            if task.done():
                await task
            yield client
        finally:
            await client.close()
            await asyncio.gather(task, return_exceptions=True)
            await self.house.close()


@pytest.fixture
def desk(server: StandIn, tmp_path: Path) -> Desk:
    return Desk(server, tmp_path / "store.sqlite")
