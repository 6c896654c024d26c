"""A watchdog: a process whose event loop stands still is ended, so that whatever runs it starts it again."""

import asyncio
import os
import signal
import sys
import threading
import time
import traceback
from types import FrameType

import structlog

STANDSTILL_SECONDS = 60.0
TICK_SECONDS = 1.0
LAST_WORDS_SECONDS = 5.0
EXIT_CODE = 70
"""What the process ends with: an internal software error, as ``sysexits.h`` has it."""
log = structlog.get_logger(__name__)


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

    def __init__(self, limit: float = STANDSTILL_SECONDS, tick: float = TICK_SECONDS) -> None:
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
                _allow(2 * self.limit)
                await asyncio.sleep(self.tick)
        finally:
            _allow(0)
            self._over.set()

    def _watch(self, loop_thread: int) -> None:
        seen, silent, before = 0, 0.0, time.monotonic()
        while not self._over.wait(self.tick):
            now = time.monotonic()
            beats, passed, before = self._beats, min(now - before, 2 * self.tick), now
            seen, silent = beats, silent + passed if beats == seen else 0.0
            if silent >= self.limit:
                _end(sys._current_frames().get(loop_thread), silent)  # noqa: SLF001 - there is no other way to see it


def _allow(seconds: float) -> None:
    """Let the process use so much processor time from now on; 0 is no limit."""
    if hasattr(signal, "setitimer"):  # not on every system
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _end(frame: FrameType | None, silent: float) -> None:
    """Say where the loop stands, and end the process, even if nothing can be said any more."""
    where = "".join(traceback.format_stack(frame)) if frame else ""
    words = threading.Thread(
        target=log.critical, args=("the event loop stands still; this process ends",),
        kwargs={"seconds": round(silent), "where": where}, daemon=True,
    )  # fmt: skip
    words.start()
    words.join(LAST_WORDS_SECONDS)
    os._exit(EXIT_CODE)
