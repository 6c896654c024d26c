"""What processes do that tests kill, stop or let hang; started by ``fork_server``."""

import asyncio
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

from bot.operations import repair
from bot.operations.serve import Watchdog
from bot.store import copies, migrate, salvage, upgrading
from bot.store.sqlite import SqliteFile
from engine import TITLES
from tests.support.toy import toy


def busy_loop(seconds: float = 1e9) -> None:
    """Use the processor for so many seconds."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def loop_in_c() -> None:
    """Use the processor in C code, which lets no other thread run."""
    re.match("(a+)+$", "a" * 60 + "b")


def block_briefly() -> None:
    """Use the processor for a moment."""
    busy_loop(0.3)


BLOCKING = {"for ever": busy_loop, "for ever in C": loop_in_c, "for 0.3 s": block_briefly}


def run_watched(limit: float, blocking: str) -> None:
    """Run an event loop under a watchdog: print "up", block, print "over".

    Args:
        limit: seconds after which the watchdog ends the process.
        blocking: a key of ``BLOCKING``, or "again and again" for five times half a second.
    """

    async def run() -> None:
        watched = asyncio.create_task(Watchdog(limit, 0.02).run())
        await asyncio.sleep(0.1)
        print("up", flush=True)  # noqa: T201
        if blocking == "again and again":
            for _ in range(5):
                time.sleep(0.5)
                await asyncio.sleep(0.05)
        else:
            BLOCKING[blocking]()
        watched.cancel()

    asyncio.run(run())
    print("over", flush=True)  # noqa: T201


def migrate_until_killed(place: str, home: str, module: str, name: str, call: int) -> None:
    """Migrate a store, and die just after a function has returned for the ``call``-th time.

    Args:
        place: address of the store.
        home: folder of the copies.
        module: of the function, ``copies`` or ``migrate``.
        name: of the function.
        call: after how many calls.
    """
    room, calls = {"copies": copies, "migrate": migrate}[module], list[object]()
    real = getattr(room, name)

    def die(done: object) -> object:
        calls.append(done)
        if len(calls) == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    async def record_rules(*given: object) -> None:
        die(await real(*given))

    setattr(room, name, record_rules if name == "record_rules" else lambda *given: die(real(*given)))
    asyncio.run(upgrading.open_database(place, Path(home)))


def hold_store(path: Path) -> None:
    """Keep a database file for this process alone, until it is killed."""
    held = SqliteFile(path)
    held.keep_others_out()
    print("held", flush=True)  # noqa: T201
    signal.pause()


def repair_until(path: Path, home: Path, name: str, *, is_done: bool) -> None:
    """Repair a store until one of its steps begins or is done, and die there."""
    place = salvage if name == "salvage_rows" else copies
    step: Callable[..., object] = getattr(place, name)

    def die(*given: object) -> None:
        if is_done:
            step(*given)
        os._exit(9)

    setattr(place, name, die)
    TITLES["toy"] = toy()
    asyncio.run(repair.repair_store(str(path), home))
