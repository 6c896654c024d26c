"""A stand-in Discord, a store in a temporary file, and the bot between them."""

import asyncio
import base64
import contextlib
import json
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import discord
import pytest
from discord.app_commands import Command, CommandTree, ContextMenu
from discord.app_commands import Group as GroupOfCommands

from bot.commands.command import Group
from bot.discord.answer import MakeAnswer
from bot.discord.channels import Channels
from bot.discord.client import DiscordClient
from bot.discord.slash import declare_commands
from bot.screens.drawing import make_drawer
from bot.service.services import Services
from bot.service.workers.pool import Workers
from engine import TITLES
from engine.view import View
from render import Renderer
from tests.discord.stand_in import StandIn
from tests.support import postgres
from tests.support.reading import in_threads
from tests.support.toy import toy

DOT = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTK2DQAAAABJRU5ErkJggg==")


_made: dict[object, list[Command[Any, ..., Any] | GroupOfCommands | ContextMenu]] = {}
"""The commands that were made of groups of commands, by the groups' names and those of their commands."""
_listed: list[str] = []
"""The commands as the stand-in lists them, once they are known."""


def declare_once(tree: CommandTree[Any], groups: tuple[Group, ...], make_answer: MakeAnswer) -> None:
    """Declare commands as the bot does, but make them once for all bots of this process: that takes most of a login."""
    names = tuple((group.name, *(command.name for command in group.commands)) for group in groups)
    if names not in _made:
        declare_commands(
            tree, groups, lambda interaction: cast("DiscordClient", interaction.client).make_answer(interaction)
        )
        _made[names] = tree.get_commands()
    else:
        for command in _made[names]:
            tree.add_command(command)


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the toy on the shelf."""
    monkeypatch.setitem(TITLES, "toy", toy())
    monkeypatch.setattr(Workers, "in_threads", in_threads)
    monkeypatch.setattr("bot.discord.client.declare_commands", declare_once)


@pytest.fixture
async def server() -> AsyncIterator[StandIn]:
    async with StandIn() as server:
        yield server


class Desk:
    """The bot's services and how to start and stop the bot in it.

    Args:
        server: the stand-in.
        path: of the store, or its address on a server.

    Pictures are dots, unless ``painting`` is set to have the real ones. Discord knows the commands already, unless the
    bot ``syncs`` them.
    """

    def __init__(self, server: StandIn, path: Path | str) -> None:
        self.server = server
        self.path = path
        self.painting = False
        self.card_gap = 0.05
        self.syncs = False
        self._draw = make_drawer(Renderer())
        self.services: Services  # of the bot that runs
        self.client: DiscordClient

    def clock(self) -> int:
        """The time of the stand-in, which a test may put forward."""
        return int(self.server.clock.now())

    def forward(self, seconds: int) -> None:
        """Put the clock forward, and let the bot look what is due now."""
        self.server.clock.forward(seconds)
        self.services.database.wake.set()

    async def draw(self, view: View, palette: str) -> bytes:
        """Draw a picture, or a dot."""
        return await self._draw(view, palette) if self.painting else DOT

    async def settle(self, most: float = 90.0) -> None:
        """Wait until everything owed now has been posted."""
        async with asyncio.timeout(most):
            await self.client.sending.wait_until_idle()
            while await self.services.outbox.list_due():  # what failed rests for a while
                await asyncio.sleep(0.05)
                await self.client.sending.wait_until_idle()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[DiscordClient]:
        """Start the bot on the store; afterwards close it decently."""
        self.services = await Services.open(self.path, self.clock)
        client = self.client = DiscordClient(self.services, self.draw, self.card_gap)
        if _listed and not self.syncs:
            self.server.world.commands = json.loads(_listed[0])
            client.command_sync.run = asyncio.Event().wait  # type: ignore[method-assign,assignment]
        before = self.server.gateway.identified
        task = asyncio.create_task(client.start("token"))
        try:
            await self.server.world.until(lambda: self.server.gateway.identified > before or task.done())
            if task.done():
                await task
            if not self.server.world.commands:  # no one could type one
                await client.command_sync.checked.wait()
            _listed[:] = _listed or [json.dumps(self.server.world.commands)]
            yield client
        finally:
            await client.close()
            await asyncio.gather(task, return_exceptions=True)
            await self.services.close()


@pytest.fixture
def desk(server: StandIn, tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> Desk:
    if kind == "sqlite":
        fresh: Path = request.getfixturevalue("fresh_store")
        return Desk(server, Path(shutil.copy(fresh, tmp_path / "store.sqlite")))
    address = request.getfixturevalue("server_store")
    asyncio.run(postgres.empty_tables(address))
    return Desk(server, address)


@pytest.fixture
async def channels(server: StandIn) -> AsyncIterator[Channels]:
    """Channels of a client that has logged in and hears no events."""
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        await client.login("token")
        yield Channels(client)
