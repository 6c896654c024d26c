"""Take over the shards of processes that have died, until they are back."""

import asyncio
from collections.abc import Callable

import structlog

from bot.discord.client import DiscordClient
from bot.service.duties import Duties

log = structlog.get_logger(__name__)
CONNECT_SECONDS = 60.0
"""How long a client may take to connect."""


class ShardTakeover:
    """Listens to a shard that no process listens to, until its own process does again.

    Args:
        bot: of this process. duties: which process listens to which shard.
        make_client: makes a client that listens to one more shard, by its number.
        token: of the bot.
    """

    def __init__(
        self, bot: DiscordClient, duties: Duties, make_client: Callable[[int], DiscordClient], token: str
    ) -> None:
        self._bot = bot
        self._duties = duties
        self._make_client = make_client
        self._token = token
        self._own, self._count = bot.shard_id or 0, bot.shard_count or 1
        self._others: dict[int, tuple[DiscordClient, asyncio.Task[None], float]] = {}
        self._is_rival_logged = False

    async def run(self) -> None:
        """Check every few seconds which shards have no listener, until cancelled; then hand all of them back."""
        try:
            while True:
                try:
                    await self._check()
                except Exception as error:  # noqa: BLE001 - the store, most likely; the clients go on
                    log.warning("shards not checked", error=repr(error)[:300])
                await asyncio.sleep(self._duties.lease / 4)
        finally:
            for number in list(self._others):
                await self._end(number)
            try:
                await self._duties.give_back_shards(self._own, self._count)
            except Exception as error:  # noqa: BLE001 - the leases expire anyway
                log.warning("shards not handed back", error=repr(error)[:300])

    async def _check(self) -> None:
        now = asyncio.get_running_loop().time()
        for number, (client, task, began) in list(self._others.items()):
            if task.done() or not (client.is_listening or now - began < CONNECT_SECONDS):
                await self._end(number)
        held = await self._duties.renew_shards(self._own, self._count, list(self._others), hears=self._bot.is_listening)
        for number in set(self._others) - held.others:
            log.info("shard handed back", shard=number)
            await self._end(number)
        new = sorted(held.others - set(self._others))
        for number in new[:1]:
            log.warning("shard taken over; no process was connected to it", shard=number)
            client = self._make_client(number)
            task = asyncio.create_task(self._listen(client, number), name=f"shard {number}")
            self._others[number] = client, task, now
        if held.rival and not self._is_rival_logged:
            log.error("another process serves this shard too; see STATIONMASTER_SHARDS", shard=self._own)
        self._is_rival_logged = held.rival

    async def _listen(self, client: DiscordClient, number: int) -> None:
        try:
            await client.start(self._token)
        except Exception as error:  # whatever it is, the shard is taken over again
            log.error("shard disconnected", shard=number, exc_info=error)

    async def _end(self, number: int) -> None:
        client, task, _ = self._others.pop(number)
        task.cancel()  # first it stops listening, then it answers what it has received
        await asyncio.gather(task, return_exceptions=True)
        await client.close()
