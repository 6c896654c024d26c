"""What a running bot does now and then: tables that time has run out for, backups, the look at the store.

However many processes share a store, each chore is done by one of them.
"""

import asyncio
import os
import sys
from collections.abc import Awaitable

import structlog

from bot.model.clock import DAY, HOUR
from bot.operations import backup
from bot.operations.settings import Settings
from bot.service.servers.copying import DUTY
from bot.service.services import Services
from bot.store import soundness

EVERY = 15 * 60
TIDY, CHECK = "tidy", "check"
MOST_CHECK = HOUR
log = structlog.get_logger(__name__)


async def do_chores(services: Services, settings: Settings) -> None:
    """Do the chores, until cancelled."""
    await _guarded(TIDY, first_look(services))
    while True:
        await _guarded(TIDY, _tidy(services))
        if settings.schedule is not None:
            await _guarded(DUTY, backup.by_schedule(services, settings.schedule))
        await _guarded("checkpoint", services.database.tidy())
        await _guarded(CHECK, _daily_check(services, settings))
        await asyncio.sleep(EVERY)


async def first_look(services: Services) -> None:
    """Tell the host if the store is damaged, and which tables are whole; the bot runs on with those."""
    found = await soundness.examine(services.database, played=False)
    for sentence in found.words if not found.well else ():
        log.error("the store is damaged", told=sentence)


async def _tidy(services: Services) -> None:
    """Close what nobody started, decline what nobody answered."""
    if await services.duties.take(TIDY, EVERY // 2):
        await services.tidy()


async def _daily_check(services: Services, settings: Settings) -> None:
    """Play every log again, once a day, in a process of its own: nobody at a table notices."""
    last, now = await services.duties.noted(CHECK), services.clock()
    if not last.isdecimal():  # the store was looked at when the bot started
        await services.duties.note(CHECK, str(now))
        return
    if 0 <= now - int(last) < DAY or not await services.duties.take(CHECK, EVERY // 2):
        return
    await services.duties.note(CHECK, str(now))
    code, told = await _checked_elsewhere(settings)
    if code:
        log.error("the store is damaged", told=told)
    else:
        log.info("the store was checked", told=told)


async def _checked_elsewhere(settings: Settings) -> tuple[int, str]:
    """Run ``stationmaster check``; return its exit code and what it said."""
    command = (sys.executable, "-P", "-m", "bot", "check")
    path = {"PYTHONPATH": os.pathsep.join(sys.path), "STATIONMASTER_DATABASE": settings.database}
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, env={**os.environ, **path}
    )
    try:
        async with asyncio.timeout(MOST_CHECK):
            told, _ = await process.communicate()
        return process.returncode or 0, told.decode(errors="replace")[-2000:].strip()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _guarded(what: str, chore: Awaitable[None]) -> None:
    """Do a chore; whatever goes wrong ends nothing."""
    try:
        await chore
    except Exception as error:
        log.error("a chore failed", chore=what, exc_info=error)
