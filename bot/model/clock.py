"""The moment, which is never put back while we look at it; the clock of a table; how often a running bot looks."""

import time
from collections.abc import Callable

from engine import Record

Clock = Callable[[], int]
"""Gives the moment in seconds."""

MINUTE, HOUR, DAY = 60, 3_600, 86_400
"""In seconds."""


class Intervals(Record, frozen=True):
    """Seconds after which a running bot looks again, although nothing woke it.

    Args:
        outbox: until the next look for posts; one that is due earlier is still sent in time.
        inspection: all tables, so that what goes wrong is mended within five minutes.
        chores: tables that time ran out for, digests, backups.
        commands: the commands that Discord lists.
        heartbeat: how often it shows that it is alive, for ``health``.
    """

    outbox: float = 30
    inspection: float = 4 * MINUTE
    chores: float = 15 * MINUTE
    commands: float = HOUR
    heartbeat: float = 30


class GameClock(Record, frozen=True):
    """The time that the seats of a table have to decide, in seconds; no one loses by it.

    Args:
        budget: what each has at first, and at most. increment: what each turn gives back.
        left: what each seat had at the moment ``since``; less than 0 in the grace period.
        running: the seats that must decide, whose time goes by. ends: when it will be over as far as is known; in the
            grace period, when that will be.
        paused: no one's time goes by until the table says so.
        grace: for how long a seat may still move before the others dispose of it.
        graces: when the grace period of each running seat will be over. late: how many turns each seat made late.
    """

    budget: int
    increment: int
    left: tuple[int, ...] = ()
    since: int = 0
    running: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    paused: bool = False
    grace: int = 0
    graces: tuple[int, ...] = ()
    late: tuple[int, ...] = ()

    @property
    def is_per_turn(self) -> bool:
        """Return whether each turn begins with the whole budget, so that it is the limit of a turn."""
        return self.increment >= self.budget


class SteadyClock:
    """The moment in seconds; goes on when the wall clock is set back.

    What is owed in two minutes comes in two minutes then, not in an hour and
    two. Put forward, it follows.

    Args:
        wall: gives the moment in seconds. run: gives seconds that never run backwards.
    """

    def __init__(self, wall: Callable[[], int], run: Callable[[], float] = time.monotonic) -> None:
        self._wall = wall
        self._run = run
        self._latest = float(wall())
        self._at = run()

    def __call__(self) -> int:
        """Return the moment in whole seconds."""
        now, run = float(self._wall()), self._run()
        self._latest, self._at = max(now, self._latest + run - self._at), run
        return int(self._latest)
