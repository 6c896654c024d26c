"""Sync the commands with Discord: compare them with its list, and send them if they differ.

Discord takes 200 new commands a day, so nothing is sent while its list is right.
If it refuses them, the earlier ones still work, and we try again later.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.model.errors import BotError
from bot.service.duties import COMMANDS_DUTY, Declared, Duties, encode_declared

log = structlog.get_logger(__name__)
CHECK_SECONDS = 60 * 60.0
MIN_RETRY_SECONDS = 60.0
MAX_RETRY_SECONDS = 6 * 60 * 60.0
LEASE_SECONDS = 120
_COMPARED = (
    "name", "description", "required", "autocomplete", "min_value", "max_value", "min_length", "max_length",
    "channel_types", "contexts", "integration_types", "nsfw",
)  # fmt: skip


class CommandSync:
    """Keeps Discord's list of our commands up to date.

    Args:
        tree: with all commands on it. duties: make one process do it, and note how it went.
    """

    def __init__(self, tree: app_commands.CommandTree[Any], duties: Duties) -> None:
        self._tree = tree
        self._duties = duties
        self._accepted: object = None
        self._refusals = 0
        self._is_left_to_another = False
        self.checked = asyncio.Event()
        """Set once the list was compared for the first time."""

    async def run(self) -> None:
        """Sync now and then, until cancelled: the commands may have been wiped on Discord's side."""
        while True:
            await self.sync()
            self.checked.set()
            wait = CHECK_SECONDS
            if self._is_left_to_another:
                wait = LEASE_SECONDS
            elif self._refusals:
                wait = min(MAX_RETRY_SECONDS, MIN_RETRY_SECONDS * 2 ** (self._refusals - 1))
            await asyncio.sleep(wait)

    async def sync(self) -> None:
        """Send the commands if Discord lists others; a refusal is logged and noted, never raised."""
        wanted = [command.to_dict(self._tree) for command in self._tree.get_commands()]
        self._is_left_to_another = False
        try:
            listed = await self._fetch_commands()
            if normalise(listed) == normalise(wanted) or (
                self._accepted is not None and normalise(listed) == self._accepted
            ):
                self._refusals = 0
            elif not await self._duties.take_duty(COMMANDS_DUTY, LEASE_SECONDS):
                self._is_left_to_another = True  # which may die of it, so we check again
                return
            else:
                await self._tree.sync()
                self._refusals, self._accepted = 0, normalise(await self._fetch_commands())
                log.info("commands declared", commands=len(wanted))
            await self._note_result(Declared(len(wanted)))
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, BotError) as error:
            self._refusals += 1
            log.error(
                "commands not registered; the earlier ones still work", refusals=self._refusals, error=str(error)[:1500]
            )
            await self._note_result(Declared(len(wanted), str(error)[:500] or type(error).__name__))

    async def _fetch_commands(self) -> Sequence[Mapping[str, Any]]:
        """Return the commands that Discord lists."""
        client = self._tree.client
        assert client.application_id is not None  # known since the login
        listed: Sequence[Mapping[str, Any]] = await client.http.get_global_commands(client.application_id)
        return listed

    async def _note_result(self, how: Declared) -> None:
        try:
            await self._duties.write_note(COMMANDS_DUTY, encode_declared(how))
            await self._duties.give_back_duty(COMMANDS_DUTY)
        except BotError as error:
            log.warning("note of the commands not written", error=str(error))


def normalise(commands: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return commands in a form to compare, without what Discord adds (ids, versions) and leaves out (defaults)."""
    shapes = [_normalise_one({"type": 1, **command}) for command in commands]
    return sorted(shapes, key=lambda each: (each["type"], each["name"]))


def _normalise_one(node: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: node[key] for key in _COMPARED if node.get(key) not in (None, "", False, [])}
    kept["type"] = int(node["type"])
    if node.get("default_member_permissions") is not None:
        kept["default_member_permissions"] = str(node["default_member_permissions"])
    if node.get("options"):
        kept["options"] = [_normalise_one(option) for option in node["options"]]
    if node.get("choices"):
        kept["choices"] = [(choice["name"], choice["value"]) for choice in node["choices"]]
    return kept
