"""The bot as a process of its own, so that a test can kill it."""

import asyncio
import os

from bot.operations import serve as service
from bot.operations.settings import Settings
from bot.service import duties, outbox
from bot.service.workers.pool import Workers
from engine import TITLES
from tests.discord.gateway import speak_to
from tests.support.toy import toy


def main(url: str, database: str, shard: str = "0/1") -> None:
    """Run the bot against the stand-in at a URL until it is killed; what it logs is of no interest."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    speak_to(url)
    TITLES["toy"] = toy()
    outbox.LEASE_SECONDS = duties.LEASE_SECONDS = 2  # so that a test need not wait long for what a dead process had
    service.warm_up = as_it_is  # type: ignore[attr-defined]  # it is imported there
    none = "0,0"  # few people press for many here
    settings = Settings(
        database=database, limit_tables=none, limit_pictures=none, limit_searches=none, metrics_listen="off"
    )
    asyncio.run(run(settings.model_copy(update={"shard": shard, "backups": "off"})))


async def as_it_is(workers: Workers) -> None:
    """Draw nothing beforehand: it takes longer than all the rest of such a life."""


async def run(settings: Settings) -> None:
    """Run the bot with threads for workers, which know the toy too."""
    await service.serve(settings, "token", Workers.in_threads())
