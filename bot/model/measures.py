"""What a running bot counts about itself: moves, how long people wait, how late its event loop is.

Plain numbers: nothing here knows how they are read. ``bot/operations/monitoring.py`` shows them to Prometheus.
"""

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
"""Discord waits three seconds for an acknowledgement: what took longer than that has a bucket of its own."""


class Durations:
    """How often something took how long: a histogram.

    Args:
        bounds: upper bounds of the buckets, in seconds, ascending; what takes longer is counted as well.
    """

    def __init__(self, bounds: tuple[float, ...] = SECONDS_BOUNDS) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Count something that took so long."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += max(0.0, seconds)

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Count how long the block takes, if it succeeds."""
        began = time.perf_counter()
        yield
        self.add(time.perf_counter() - began)

    def list_buckets(self) -> list[tuple[str, float]]:
        """Return each upper bound with how often no more than it was taken; the last one has all."""
        bounds = [*(f"{bound:g}" for bound in self.bounds), "+Inf"]
        return [(bound, float(sum(self.counts[: place + 1]))) for place, bound in enumerate(bounds)]


class Measures:
    """All of it, since the process began.

    Args:
        moves: moves that people and standing orders made, by title; redone and undone ones count too.
        acknowledged: from the arrival of a press or command to Discord's receipt of the acknowledgement.
        drawn: pictures, from the request to the bytes, with the wait for a worker.
        late: how much later than it wished to the event loop ran.
    """

    def __init__(self) -> None:
        self.moves: Counter[str] = Counter()
        self.acknowledged = Durations()
        self.drawn = Durations()
        self.late = Durations()
