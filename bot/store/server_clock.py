"""The moment by the clock of the store's server: processes whose machines' clocks differ agree about it."""

import time
from collections.abc import Callable

from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

FRESH = 10.0
"""Seconds for which what the server said is good enough, where nothing is compared with what others wrote."""
asked = text("SELECT extract(epoch FROM clock_timestamp())")


def seconds_run() -> float:
    """Return seconds that only ever go forward, those included in which the machine slept."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class ServerClock:
    """The server's clock, and what has passed here since it was last looked at; this machine's own is never asked.

    Args:
        run: gives seconds that never run backwards.
    """

    def __init__(self, run: Callable[[], float] = seconds_run) -> None:
        self._run = run
        self._moment = 0.0
        self._at = 0.0

    def __call__(self) -> int:
        """Return the moment in whole seconds; ``look`` first."""
        return int(self._moment + self._run() - self._at)

    async def look(self, session: AsyncSession, *, exactly: bool = True) -> int:
        """Ask the server, where it need not be ``exactly`` only now and then; return the moment."""
        if exactly or not self._moment or self._run() - self._at >= FRESH:
            moment = (await (await session.connection()).execute(asked)).scalar_one()
            self._moment, self._at = float(moment), self._run()
        return self()


async def moment(session: AsyncSession, clock: Callable[[], int], *, exactly: bool = True) -> int:
    """Return the moment that is compared with what other processes wrote: by the server's clock, where there is one."""
    return await clock.look(session, exactly=exactly) if isinstance(clock, ServerClock) else clock()
