"""Find weights by playing: each generation draws some around the last best, plays all on the same seeds, keeps a few.

The mean and the spread of each weight follow those of the best (the cross-entropy method), which needs no library and
lets a spread shrink where a weight matters and stay where it doesn't.
"""

from collections.abc import Callable, Iterator, Sequence
from math import cos, log, pi, sqrt

from engine import Record, Rng

KEPT_PART = 4
"""One of so many is kept."""
KEPT_SPREAD = 0.7
"""How much of the last spread stays."""
FINE = 1 << 32


class Generation(Record, frozen=True):
    """Where the search stands: the mean of each weight, its spread, and how the best of this generation rated."""

    mean: tuple[float, ...]
    spread: tuple[float, ...]
    best: float = 0.0


def draw_normal(rng: Rng) -> float:
    """Return a number of the standard normal distribution (Box and Muller, 1958)."""
    one, other = ((rng.below(FINE) + 1) / (FINE + 1) for _ in range(2))
    return sqrt(-2 * log(one)) * cos(2 * pi * other)


def evolve(
    first: Generation, rate: Callable[[Sequence[float], int], float], seed: int, size: int
) -> Iterator[Generation]:
    """Yield one generation after the other, without end; the same seed gives the same.

    Args:
        first: where to begin.
        rate: how good weights are in a generation, which says on what games.
        seed: of what is drawn.
        size: how many are tried in a generation.
    """
    now, rng, number = first, Rng(seed), 0
    while True:
        number += 1
        tried = [now.mean]
        for _ in range(size - 1):
            tried.append(
                tuple(mean + spread * draw_normal(rng) for mean, spread in zip(now.mean, now.spread, strict=True))
            )
        rated = sorted(((rate(weights, number), weights) for weights in tried), reverse=True)
        kept = [weights for _, weights in rated[: size // KEPT_PART]]
        means, spreads = [], []
        for column, old in zip(zip(*kept, strict=True), now.spread, strict=True):
            middle = sum(column) / len(column)
            found = sqrt(sum((each - middle) ** 2 for each in column) / len(column))
            means.append(middle)
            spreads.append(KEPT_SPREAD * old + (1 - KEPT_SPREAD) * found)
        now = Generation(tuple(means), tuple(spreads), rated[0][0])
        yield now
