"""The commands as Discord keeps them: declared, compared with what it lists, declared again.

Discord takes 200 new commands a day, so nothing is sent while it lists what we
have. A declaration it refuses ends nothing: the commands that stand go on, and
the same is tried again later.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.model.errors import BotError
from bot.service.servers.duties import COMMANDS_DUTY, Declared, Duties, write_declared

log = structlog.get_logger(__name__)
LOOK_AGAIN = 60 * 60.0
TRY_AGAIN = 60.0
MOST_WAIT = 6 * 60 * 60.0
MOST_SECONDS = 120
_PLAIN = (
    "name", "description", "required", "autocomplete", "min_value", "max_value", "min_length", "max_length",
    "channel_types", "contexts", "integration_types", "nsfw",
)  # fmt: skip


class Declaration:
    """Keeps Discord's list of our commands as it should be.

    Args:
        tree: with all commands on it. duties: one process declares, and notes how it went.
    """

    def __init__(self, tree: app_commands.CommandTree[Any], duties: Duties) -> None:
        self._tree = tree
        self._duties = duties
        self._taken: object = None
        self._refusals = 0
        self._is_anothers = False
        self.looked = asyncio.Event()
        """Set when it was looked for the first time."""

    async def run(self) -> None:
        """Look, and again now and then, until cancelled: somebody may have wiped the commands on Discord's side."""
        while True:
            await self.renew()
            self.looked.set()
            patience = min(MOST_WAIT, TRY_AGAIN * 2 ** max(0, self._refusals - 1))
            patience = patience if self._refusals else LOOK_AGAIN
            await asyncio.sleep(MOST_SECONDS if self._is_anothers else patience)

    async def renew(self) -> None:
        """Declare the commands if Discord lists others; a refusal is logged and noted, never raised."""
        wanted = [command.to_dict(self._tree) for command in self._tree.get_commands()]
        self._is_anothers = False
        try:
            listed = await self._listed()
            if shape(listed) == shape(wanted) or (self._taken is not None and shape(listed) == self._taken):
                self._refusals = 0
            elif not await self._duties.take(COMMANDS_DUTY, MOST_SECONDS):
                self._is_anothers = True  # which may die of it, so we look again
                return
            else:
                await self._tree.sync()
                self._refusals, self._taken = 0, shape(await self._listed())
                log.info("commands declared", commands=len(wanted))
            await self._say(Declared(len(wanted)))
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, BotError) as error:
            self._refusals += 1
            log.error(
                "commands not registered; the earlier ones still work", refusals=self._refusals, error=str(error)[:1500]
            )
            await self._say(Declared(len(wanted), str(error)[:500] or type(error).__name__))

    async def _listed(self) -> Sequence[Mapping[str, Any]]:
        """Return what Discord lists, as it says it."""
        client = self._tree.client
        assert client.application_id is not None  # known since the login
        listed: Sequence[Mapping[str, Any]] = await client.http.get_global_commands(client.application_id)
        return listed

    async def _say(self, how: Declared) -> None:
        try:
            await self._duties.note(COMMANDS_DUTY, write_declared(how))
            await self._duties.give_back(COMMANDS_DUTY)
        except BotError as error:
            log.warning("note of the commands not written", error=str(error))


def shape(commands: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return commands as they compare: what Discord adds (ids, versions) and what it leaves out (defaults) is gone."""
    shapes = [_shape({"type": 1, **command}) for command in commands]
    return sorted(shapes, key=lambda each: (each["type"], each["name"]))


def _shape(node: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: node[key] for key in _PLAIN if node.get(key) not in (None, "", False, [])}
    kept["type"] = int(node["type"])
    if node.get("default_member_permissions") is not None:
        kept["default_member_permissions"] = str(node["default_member_permissions"])
    if node.get("options"):
        kept["options"] = [_shape(option) for option in node["options"]]
    if node.get("choices"):
        kept["choices"] = [(choice["name"], choice["value"]) for choice in node["choices"]]
    return kept
