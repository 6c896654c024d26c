"""A bound from above by Lagrangian relaxation, for claims on spots that pay but once.

Each spot has a price, its Lagrange multiplier; what the best claims of all trains are worth beyond the
prices, and the prices, are together never less than any plan. Subgradient steps bring the bound down.
"""

from collections.abc import Sequence
from operator import mul, sub
from typing import NamedTuple

from engine.rails.claims import Claim, ClaimSet
from engine.rails.routes import list_bits

NEVER = 1 << 80
_MAX_STEPS_WITHOUT_GAIN = 12
_MIN_PACE = 1e-4
_ATTAINABLE = 0.95
"""Part of the bound that some plan is worth, at a guess: it decides how long the steps are."""
_MOMENTUM = 0.6
"""Part of the last step that the next one keeps: less zigzag."""
_CHEAP = 8
_SET_UP = 40


class Budget:
    """How many more claims may be tried, down to a reserve; weighing one at given prices is an eighth of a try."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.reserve = 0

    def charge(self, claims: int) -> None:
        """Pay for weighing claims."""
        self.left -= claims // _CHEAP + _SET_UP

    @property
    def is_spent(self) -> bool:
        """More was tried than there was to try."""
        return self.left < 0


class Settled(NamedTuple):
    """What is settled of a question.

    Args:
        allowed: for each kind a byte for each claim, 1 if it may be chosen.
        chosen: credit of claims that were chosen and pay at these prices, too, and the spots of which they lose one.
    """

    allowed: Sequence[bytes] | None = None
    chosen: Sequence[tuple[int, int]] = ()


_NOTHING_SETTLED = Settled()


class Relaxation:
    """What is known of a question in which no claim need meet another; each is worth its ``credit`` but for a spot.

    Args:
        kinds: the claims of each kind of train, with the number of trains.
        worth: of each spot. prices: of each spot, to begin with.
        settled: what is settled already.
    """

    def __init__(
        self,
        kinds: Sequence[tuple[ClaimSet, int]],
        worth: Sequence[int],
        prices: Sequence[int],
        budget: Budget,
        settled: Settled = _NOTHING_SETTLED,
    ) -> None:
        self.kinds = kinds
        self.settled = settled
        self.worth = worth
        self.prices = prices
        self.budget = budget
        self.bound = NEVER

    @property
    def left(self) -> list[int]:
        """What is left of the worth of each spot beyond its price."""
        return list(map(sub, self.worth, self.prices))

    def find_top(self, kind: int) -> int:
        """Return what the best claim of a kind of train is worth beyond the prices."""
        return max(0, max(self._list_worths(kind, self.left), default=0))

    def _list_worths(self, kind: int, left: Sequence[int]) -> Sequence[int]:
        """Return what the claims of a kind are worth; nothing, if they may not be chosen."""
        worths, allowed = self.kinds[kind][0].compute_worths(left), self.settled.allowed
        return worths if allowed is None else [*map(mul, worths, allowed[kind])]

    def tighten(self, rounds: int, goal: int) -> None:
        """Move the prices by subgradient steps until the bound sinks no more, or below what is looked for."""
        trial, stale, pace = self.prices, 0, 1.0
        drift = dict[int, float]()
        for _ in range(rounds):
            bound, wanted = self._compute_bound(trial)
            stale += 1
            if bound < self.bound:
                self.bound, self.prices, stale = bound, trial, 0
            elif stale == _MAX_STEPS_WITHOUT_GAIN:
                trial, stale, pace, drift = self.prices, 0, pace / 2, {}
            if self.bound < goal or pace < _MIN_PACE or self.budget.is_spent:
                break
            moves = self._find_subgradient(trial, wanted)
            drift = {
                spot: _MOMENTUM * drift.get(spot, 0) + (1 - _MOMENTUM) * moves.get(spot, 0)
                for spot in drift.keys() | moves.keys()
            }
            norm = sum([move * move for move in drift.values()])
            if not norm:
                break
            step = pace * (bound - max(goal, int(_ATTAINABLE * self.bound)) + bound // 1000) / norm
            trial = list(trial)
            for spot in sorted(drift):
                trial[spot] = min(max(0, trial[spot] + round(step * drift[spot])), self.worth[spot])

    @staticmethod
    def _find_subgradient(prices: Sequence[int], wanted: dict[int, int]) -> dict[int, int]:
        """Return how many trains too many want each spot whose price has to move; none can sink below nothing."""
        moves = {spot: -1 for spot, price in enumerate(prices) if price}
        for spot, trains in wanted.items():
            moves[spot] = trains - 1
        return moves

    def _compute_bound(self, prices: Sequence[int]) -> tuple[int, dict[int, int]]:
        """Return the bound at some prices, and how many trains want each spot."""
        left = list(map(sub, self.worth, prices))
        bound, wanted = sum(prices), dict[int, int]()
        for kind, (claim_set, count) in enumerate(self.kinds):
            if not count:
                continue
            worths = self._list_worths(kind, left)
            self.budget.charge(len(worths))
            top = max(worths, default=0)
            if top > 0:
                bound += count * top
                for spot in list_bits(_choose_credit(claim_set.claims[worths.index(top)], left)):
                    wanted[spot] = wanted.get(spot, 0) + count
        for credit, hangs in self.settled.chosen:
            least = min(list_bits(hangs), key=lambda spot: (left[spot], spot), default=None)
            for spot in list_bits(credit):
                if spot != least:
                    bound += left[spot]
                    wanted[spot] = wanted.get(spot, 0) + 1
        return bound, wanted


def _choose_credit(claim: Claim, left: Sequence[int]) -> int:
    """Return the spots that a claim has to its credit, but for the least where it hangs on another."""
    if not claim.hangs:
        return claim.credit
    least = min(list_bits(claim.hangs), key=lambda spot: (left[spot], spot))
    return claim.credit & ~(1 << least)
