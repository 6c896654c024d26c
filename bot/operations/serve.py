"""The bot as a service: Discord, e-mail or both, the heartbeat, the chores, the watchdog, an orderly end.

Chores are what a running bot does now and then: tables that time has run out
for, backups, the look at the database. However many processes share a database, each
chore is done by one of them. The watchdog ends a process whose event loop
stands still, so that whatever runs it starts it again.
"""

import asyncio
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from types import FrameType

import structlog

from bot.discord.client import DiscordClient, ShardTakeover
from bot.mail.front import MailFront
from bot.model.clock import DAY, HOUR, Intervals
from bot.operations import backup, mailing
from bot.operations.doctor import beat_path
from bot.operations.settings import Settings
from bot.screens.drawing import Draw, make_drawer, make_painter, warm_up
from bot.service.duties import BACKUP_DUTY
from bot.service.services import Services
from bot.service.workers.pool import Workers, count_processors
from bot.service.workers.processes import freeze_garbage_collector
from bot.store import soundness
from bot.store.address import make_folder
from bot.web.server import serve_pages
from engine.view import View
from render import Renderer

RETRY_MAIL_SECONDS = 30
TIDY, CHECK = "tidy", "check"
CHECK_SECONDS_MAX, CHECK_NICE = HOUR, 19
"""How long it may take, and how far it steps back for players: a thousand finished games take a minute and more."""
REPAIR_REST_SECONDS = 600
STUCK_SECONDS_MAX = 60.0
TICK_SECONDS = 1.0
LAST_WORDS_SECONDS = 5.0
EXIT_CODE = 70
"""What the process ends with when its loop stands still: an internal software error, as ``sysexits.h`` has it."""
log = structlog.get_logger(__name__)


async def serve(
    settings: Settings, token: str, workers: Workers | None = None, intervals: Intervals | None = None
) -> None:
    """Run the bot until it is told to end (SIGTERM, SIGINT); processes work for it, if no other workers are given.

    Without a ``token`` it serves everything but Discord.

    Raises:
        LoginRefusedError: the token is wrong.
    """
    workers = workers or Workers.in_processes(settings.workers or count_processors())
    services = await Services.open(
        settings.database, most_live=settings.live_games, folder=settings.home, alone=True, workers=workers
    )
    services.intervals = intervals or services.intervals
    services.quota.limits = settings.limits
    services.duties.backups_kept = settings.schedule.kept if settings.schedule else services.duties.backups_kept
    try:
        draw = time_drawing(make_drawer(Renderer(at_once=workers.looker_count, paint=make_painter(workers))), services)
        count = settings.shards.count
        bot = DiscordClient(services, draw, shard=(settings.shards.number, count)) if token else None

        def hear(number: int) -> DiscordClient:
            return DiscordClient(services, draw, shard=(number, count), only_listens=True)

        def is_up() -> bool:
            return bot is None or (bot.is_listening and not bot.is_closed())

        freeze_garbage_collector()
        jobs = [_warm_up_workers(workers), *list_upkeep(services, settings, is_up)]
        if bot is not None and (count > 1 or services.database.shared):
            jobs.append(ShardTakeover(bot, services.duties, hear, token).run())
        if settings.metrics_listen != "off":
            from bot.operations.monitoring import serve_monitoring  # noqa: PLC0415  # its library, only where it serves

            jobs.append(serve_monitoring(services, bot, settings.metrics_listen))
        if settings.serves_pages:
            jobs.append(serve_pages(services, settings.web, settings.web_listen, settings.web_proxies))
        if settings.mails:
            jobs.append(serve_mail(mailing.make_front(services, settings, draw), alone=bot is None))
        await _run_until_ended(bot, token, jobs)
    finally:
        beat_path(settings.home).unlink(missing_ok=True)
        await services.close()


def list_upkeep(
    services: Services, settings: Settings, is_up: Callable[[], bool] = lambda: True
) -> list[Coroutine[None, None, None]]:
    """Return the jobs of every running bot, with or without Discord; the heartbeat goes on while it ``is_up``."""
    return [
        Watchdog().run(), _beat(services, is_up), do_chores(services, settings), repair_what_is_met(services),
    ]  # fmt: skip


def time_drawing(draw: Draw, services: Services) -> Draw:
    """Return what draws and counts how long that takes."""

    async def draw_timed(view: View, palette: str) -> bytes:
        with services.measures.drawn.measure():
            return await draw(view, palette)

    return draw_timed


async def _run_until_ended(bot: DiscordClient | None, token: str, jobs: list[Coroutine[None, None, None]]) -> None:
    loop = asyncio.get_running_loop()
    running: asyncio.Task[object] = asyncio.create_task(asyncio.Event().wait() if bot is None else bot.start(token))
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # not on every system
            loop.add_signal_handler(number, running.cancel)
    chores = [asyncio.create_task(job) for job in jobs]
    try:
        await running
    except asyncio.CancelledError:
        log.info("ending")
    finally:
        for chore in chores:
            chore.cancel()
        await asyncio.gather(*chores, return_exceptions=True)
        if bot is not None:
            await bot.close()


@asynccontextmanager
async def serve_beside_terminal(services: Services, settings: Settings) -> AsyncIterator[None]:
    """Serve mails, and do the jobs of a running bot, while someone sits at the local table."""
    front = mailing.make_front(services, settings, make_drawer(Renderer()))
    jobs = [asyncio.create_task(job) for job in (serve_mail(front, alone=True), *list_upkeep(services, settings))]
    try:
        yield
    finally:
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        beat_path(settings.home).unlink(missing_ok=True)


async def serve_mail(front: MailFront, *, alone: bool) -> None:
    """Serve mails; what goes wrong there ends nothing else."""
    while True:
        try:
            await front.run(alone=alone)
        except Exception as error:  # an address that is taken, most likely
            log.error("mails", exc_info=error)
        await asyncio.sleep(RETRY_MAIL_SECONDS)


async def _warm_up_workers(workers: Workers) -> None:
    """Start the workers and let them draw a little, so that the first players do not wait for it."""
    try:
        await warm_up(workers)
    except Exception as error:  # the request for the picture is refused then
        log.error("warm-up drawing failed", exc_info=error)


async def _beat(services: Services, is_up: Callable[[], bool]) -> None:
    """Touch the heartbeat while the bot is up."""
    home = services.folder
    make_folder(home)
    while True:
        ready = is_up()
        if ready:
            await asyncio.to_thread(beat_path(home).touch)
        await asyncio.sleep(services.intervals.heartbeat if ready else 1)


async def do_chores(services: Services, settings: Settings) -> None:
    """Do the chores, until cancelled."""
    await _do_chore(TIDY, report_damage(services))
    while True:
        await _do_chore(TIDY, _tidy(services))
        if settings.schedule is not None:
            await _do_chore(BACKUP_DUTY, backup.back_up_if_due(services, settings.schedule))
        await _do_chore("checkpoint", services.database.tidy())
        await _do_chore(CHECK, _check_daily(services, settings))
        await asyncio.sleep(services.intervals.chores)


async def report_damage(services: Services) -> None:
    """Log whether the database is damaged, and which tables are intact; the bot runs on with those.

    Damaged pages that it writes to all the time are renewed, and damaged indexes rebuilt before.
    """
    aside = partial(backup.find_unused, f"{services.database.address}.damaged-{backup.format_stamp(time.time())}")
    renewed = await soundness.renew_tables(services.database, aside)
    if renewed.tables:
        log.warning("damaged pages of the database were renewed", of=renewed.tables, games=renewed.games)
        services.table.live.forget_damaged()
        for game in renewed.games:  # its players are shown that it is damaged
            await services.table.live.reload(game)
    found = await soundness.examine(services.database, played=False, indexes=True, finished=False)
    if found.pages and await soundness.rebuild_indexes(services.database):
        log.warning("the indexes of the database were damaged and have been rebuilt", found=found.pages[0])
        services.table.live.forget_damaged()
    if not found.is_intact:
        found = await soundness.examine(services.database, played=False)
    for sentence in found.sentences if not found.is_intact else ():
        log.error("the database is damaged", words=sentence)


async def repair_what_is_met(services: Services) -> None:
    """Repair the database as soon as damage is met."""
    while True:
        await services.database.damage.wait()
        await _do_chore("repair", report_damage(services))
        services.database.damage.clear()
        await asyncio.sleep(REPAIR_REST_SECONDS)


async def _tidy(services: Services) -> None:
    """Close what no one started, decline what no one answered."""
    if await services.duties.take_duty(TIDY, int(services.intervals.chores) // 2):
        await services.tidy()


async def _check_daily(services: Services, settings: Settings) -> None:
    """Forget old posts and play every log again, once a day, in a process of its own: no one at a table notices."""
    last, now = await services.duties.read_note(CHECK), services.clock()
    if not last.isdecimal():  # the database was looked at when the bot started
        await services.duties.write_note(CHECK, str(now))
        return
    if 0 <= now - int(last) < DAY or not await services.duties.take_duty(CHECK, int(services.intervals.chores) // 2):
        return
    await services.duties.write_note(CHECK, str(now))
    log.info("posts of past turns were forgotten", posts=await services.outbox.forget_past_turns())
    code, told = await _check_in_process(settings)
    if code:
        log.error("the database is damaged", words=told)
        await report_damage(services)
    else:
        log.info("the database was checked", words=told)


async def _check_in_process(settings: Settings) -> tuple[int, str]:
    """Run ``stationmaster check``; return its exit code and what it said."""
    command = (sys.executable, "-P", "-m", "bot", "check")
    path = {"PYTHONPATH": os.pathsep.join(sys.path), "STATIONMASTER_DATABASE": settings.database}
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, env={**os.environ, **path}
    )
    with suppress(AttributeError, OSError):  # not on every system, or it has ended
        os.setpriority(os.PRIO_PROCESS, process.pid, CHECK_NICE)
    try:
        async with asyncio.timeout(CHECK_SECONDS_MAX):
            told, _ = await process.communicate()
        return process.returncode or 0, told.decode(errors="replace")[-2000:].strip()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _do_chore(what: str, chore: Awaitable[None]) -> None:
    """Do a chore; whatever goes wrong ends nothing."""
    try:
        await chore
    except Exception as error:
        log.error("a chore failed", chore=what, exc_info=error)


class Watchdog:
    """Sees the beats of the event loop from a thread of its own, and ends the process when they stay away.

    Time counts only as far as the thread itself gets to run: each of its ticks counts for two at most. So neither
    a machine that slept nor a process that was stopped for an hour is taken for a loop that stands still.

    Code that never lets another thread run (a search in C, say) would stop the thread too. For that the kernel
    counts the processor time since the last beat, which does not pass either while nothing runs, and ends the
    process by SIGPROF.

    Args:
        limit: seconds without a beat. tick: seconds between two looks.
    """

    def __init__(self, limit: float = STUCK_SECONDS_MAX, tick: float = TICK_SECONDS) -> None:
        self.limit = limit
        self.tick = tick
        self._beats = 0
        self._over = threading.Event()

    async def run(self) -> None:
        """Beat and be watched, until cancelled."""
        watching = threading.Thread(target=self._watch, args=(threading.get_ident(),), name="watchdog", daemon=True)
        watching.start()
        try:
            while True:
                self._beats += 1
                _limit_processor_time(2 * self.limit)
                await asyncio.sleep(self.tick)
        finally:
            _limit_processor_time(0)
            self._over.set()

    def _watch(self, loop_thread: int) -> None:
        seen, silent, before = 0, 0.0, time.monotonic()
        while not self._over.wait(self.tick):
            now = time.monotonic()
            beats, passed, before = self._beats, min(now - before, 2 * self.tick), now
            seen, silent = beats, silent + passed if beats == seen else 0.0
            if silent >= self.limit:
                _end_process(sys._current_frames().get(loop_thread), silent)  # noqa: SLF001 - there is no other way to see it


def _limit_processor_time(seconds: float) -> None:
    """Let the process use so much processor time from now on; 0 is no limit."""
    if hasattr(signal, "setitimer"):  # not on every system
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _end_process(frame: FrameType | None, silent: float) -> None:
    """Say where the loop stands, and end the process, even if nothing can be said any more."""
    where = "".join(traceback.format_stack(frame)) if frame else ""
    words = threading.Thread(
        target=log.critical, args=("the event loop is stuck; ending this process",),
        kwargs={"seconds": round(silent), "where": where}, daemon=True,
    )  # fmt: skip
    words.start()
    words.join(LAST_WORDS_SECONDS)
    os._exit(EXIT_CODE)
