"""How often Discord refused us of late: 10,000 refused requests in ten minutes, and it bans the address."""

import time
from collections import deque
from collections.abc import Callable

SPAN = 600.0
MANY = 2000


class Refusals:
    """Counts refusals; where there are many, what was refused before has to wait, and only what is new is tried.

    Args:
        now: gives seconds that never run backwards.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._at: deque[float] = deque(maxlen=MANY)

    def note(self) -> None:
        """Count one."""
        self._at.append(self._now())

    @property
    def are_many(self) -> bool:
        """Tell whether there were too many in the last ten minutes."""
        return len(self._at) == MANY and self._at[0] > self._now() - SPAN
