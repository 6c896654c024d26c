"""The shards of others that this process hears: those of the dead, until they are back."""

import asyncio
from collections.abc import Callable

import structlog

from bot.discord.client import RailBot
from bot.service.servers.duties import Duties

log = structlog.get_logger(__name__)
YOUNG = 60.0
"""Seconds a client may take until it hears something."""


class Ears:
    """Begins to hear a shard that nobody hears, and ends when its own process does again.

    Args:
        bot: of this process. duties: who hears what.
        hear: makes a client that hears one more shard, by its number.
        token: of the bot.
    """

    def __init__(self, bot: RailBot, duties: Duties, hear: Callable[[int], RailBot], token: str) -> None:
        self._bot = bot
        self._duties = duties
        self._hear = hear
        self._token = token
        self._own, self._count = bot.shard_id or 0, bot.shard_count or 1
        self._others: dict[int, tuple[RailBot, asyncio.Task[None], float]] = {}
        self._is_told = False

    async def run(self) -> None:
        """Look who hears what, every few seconds, until cancelled; then let others hear it all."""
        try:
            while True:
                try:
                    await self._look()
                except Exception as error:  # noqa: BLE001 - the store, most likely; what is heard goes on being heard
                    log.warning("shards not checked", error=repr(error)[:300])
                await asyncio.sleep(self._duties.lease / 4)
        finally:
            await self._end_all()

    async def _look(self) -> None:
        for number in [number for number in self._others if not self._is_alive(number)]:
            await self._end(number)
        held = await self._duties.hear(self._own, self._count, list(self._others), hears=self._bot.hears)
        for number in set(self._others) - held.others:
            log.info("shard handed back", shard=number)
            await self._end(number)
        new = sorted(held.others - set(self._others))
        for number in new[:1]:
            log.warning("shard taken over; no process was connected to it", shard=number)
            self._begin(number)
        if held.rival and not self._is_told:
            log.error("another process serves this shard too; see STATIONMASTER_SHARDS", shard=self._own)
        self._is_told = held.rival

    def _is_alive(self, number: int) -> bool:
        client, task, began = self._others[number]
        return not task.done() and (client.hears or asyncio.get_running_loop().time() - began < YOUNG)

    def _begin(self, number: int) -> None:
        client = self._hear(number)
        task = asyncio.create_task(self._listen(client, number), name=f"shard {number}")
        self._others[number] = client, task, asyncio.get_running_loop().time()

    async def _listen(self, client: RailBot, number: int) -> None:
        try:
            await client.start(self._token)
        except Exception as error:  # whatever it is, somebody takes the shard once more
            log.error("shard disconnected", shard=number, exc_info=error)

    async def _end(self, number: int) -> None:
        client, task, _ = self._others.pop(number)
        task.cancel()  # first it hears nothing more, then it answers what it has heard
        await asyncio.gather(task, return_exceptions=True)
        await client.close()

    async def _end_all(self) -> None:
        for number in list(self._others):
            await self._end(number)
        try:
            await self._duties.hear_no_more(self._own, self._count)
        except Exception as error:  # noqa: BLE001 - the leases end by themselves
            log.warning("shards not handed back", error=repr(error)[:300])
