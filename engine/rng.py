"""Shuffles from the seed kept in the set-up; the only chance in the engine.

The generator is SplitMix64 (Steele, Lea and Flood, 2014), written out here so
that a game dealt today is dealt alike by every later Python.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_MASK = (1 << 64) - 1


class Rng:
    """A stream of numbers that depends on the seed alone; ``seed`` is what it began with."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._state = seed & _MASK

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to ``limit - 1``, each as likely."""
        if limit < 1:
            message = "limit must be at least 1"
            raise ValueError(message)
        span = _MASK - _MASK % limit
        while True:
            self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
            word = self._state
            word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
            word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
            word ^= word >> 31
            if word < span:
                return word % limit

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, each as likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order (Fisher and Yates)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return deck
