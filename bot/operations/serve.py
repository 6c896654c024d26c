"""The bot as a service: the store, the Discord client, the heartbeat, an orderly end."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path

import structlog

from bot.discord.client import RailBot
from bot.discord.ears import Ears
from bot.mail.front import MailFront
from bot.operations import mailing
from bot.operations.chores import do_chores
from bot.operations.doctor import beat_file
from bot.operations.settings import Settings
from bot.operations.watchdog import Watchdog
from bot.screens.drawing import drawer, painter, warm_up
from bot.service.services import Services
from bot.service.workers.pool import Workers, processors
from bot.service.workers.processes import spare_what_stays
from render import Renderer

BEAT_SECONDS = 30

log = structlog.get_logger(__name__)


async def serve(settings: Settings, token: str, workers: Workers | None = None) -> None:
    """Run the bot until it is told to end (SIGTERM, SIGINT); processes work for it, if no other workers are given.

    Raises:
        LoginRefusedError: the token is wrong.
    """
    workers = workers or Workers.in_processes(settings.workers or processors())
    services = await Services.open(
        settings.database, most_live=settings.live_games, folder=settings.home, alone=True, workers=workers
    )
    services.quota.limits = settings.limits
    services.copying.kept = settings.schedule.kept if settings.schedule else services.copying.kept
    try:
        draw = drawer(Renderer(at_once=workers.lookers, paint=painter(workers)))
        count = settings.shards.count
        bot = RailBot(services, draw, shard=(settings.shards.number, count))

        def hear(number: int) -> RailBot:
            return RailBot(services, draw, shard=(number, count), only_hears=True)

        spare_what_stays()
        jobs = [
            Watchdog().run(),
            _prepare(workers),
            do_chores(services, settings),
            Ears(bot, services.shards, hear, token).run(),
        ]
        if settings.mails:
            jobs.append(_mails(mailing.front_of(services, settings, draw)))
        await _until_ended(bot, services, token, *jobs)
    finally:
        beat_file(settings.home).unlink(missing_ok=True)
        await services.close()


async def _until_ended(bot: RailBot, services: Services, token: str, *more: Coroutine[None, None, None]) -> None:
    loop = asyncio.get_running_loop()
    running = asyncio.create_task(bot.start(token))
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # not on every system
            loop.add_signal_handler(number, running.cancel)
    chores = [asyncio.create_task(chore) for chore in (_beat(bot, services.folder), *more)]
    try:
        await running
    except asyncio.CancelledError:
        log.info("ending")
    finally:
        for chore in chores:
            chore.cancel()
        await asyncio.gather(*chores, return_exceptions=True)
        await bot.close()


async def _mails(front: MailFront) -> None:
    """Serve mails beside the chat; what goes wrong there ends nothing else."""
    while True:
        try:
            await front.run(alone=False)
        except Exception as error:  # an address that is taken, most likely
            log.error("mails", exc_info=error)
        await asyncio.sleep(BEAT_SECONDS)


async def _prepare(workers: Workers) -> None:
    """Start the workers and let them draw a little, so that the first players do not wait for it."""
    try:
        await warm_up(workers)
    except Exception as error:  # whoever asks for the picture will be told
        log.error("drawing beforehand failed", exc_info=error)


async def _beat(bot: RailBot, home: Path) -> None:
    """Touch the heartbeat while the gateway is up."""
    home.mkdir(parents=True, exist_ok=True)
    while True:
        ready = bot.hears and not bot.is_closed()
        if ready:
            await asyncio.to_thread(beat_file(home).touch)
        await asyncio.sleep(BEAT_SECONDS if ready else 1)
