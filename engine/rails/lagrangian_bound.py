"""A bound from above by Lagrangian relaxation, and a good plan from below, for claims on spots that pay but once.

Each spot has a price, its Lagrange multiplier; what the best claims of all trains are worth beyond the
prices, and the prices, are together never less than any plan. Subgradient steps bring the bound down.
"""

from collections.abc import Sequence
from itertools import islice, takewhile
from operator import sub
from typing import NamedTuple

from engine.rails.claims import Pick, Picks, Settle, Shortlist, choose_scored_bits
from engine.rails.routes import list_bits

_NEVER = 1 << 80
_MAX_STEPS_WITHOUT_GAIN = 6
_ASKED = 200
"""Claims of a train that may be asked for in turn, until one is allowed."""
_CHEAP = 8
_SET_UP = 40


class Budget:
    """How many more claims may be tried; weighing one at given prices is an eighth of a try."""

    def __init__(self, left: int) -> None:
        self.left = left

    def charge(self, claims: int) -> None:
        """Pay for weighing claims."""
        self.left -= claims // _CHEAP + _SET_UP

    @property
    def is_spent(self) -> bool:
        """More was tried than there was to try."""
        return self.left < 0


class CoverageProblem(NamedTuple):
    """A question.

    Args:
        shortlists: the claims of each train, those of trains of a kind the same object, side by side.
        worth: of each spot. prices: of each spot, where the search for good prices begins.
        settle: whether picks are allowed. anchor: bits with which all picks must be connected.
    """

    shortlists: tuple[Shortlist, ...]
    worth: list[int]
    prices: list[int]
    settle: Settle
    anchor: int


class Search:
    """What is known of a question: ``value`` of the best ``picks``, ``bound`` of all, and the prices that prove it."""

    def __init__(self, problem: CoverageProblem, floor: int, budget: Budget) -> None:
        self.problem = problem
        self.shortlists = problem.shortlists
        self.worth = problem.worth
        self.prices = problem.prices
        self.budget = budget
        self.value = floor
        self.picks: Picks = (None,) * len(self.shortlists)
        self.bound = _NEVER

    @property
    def is_closed(self) -> bool:
        """Nothing can be better than the best known."""
        return self.bound <= self.value

    @property
    def is_over(self) -> bool:
        """There is nothing better to find, or nothing left to look for it with."""
        return self.is_closed or self.budget.is_spent

    def narrow_gap(self, starts: int) -> None:
        """Bring bound and value together, by a local search from so many starts."""
        self.tighten_bound()
        if not self.is_closed:
            self.search_locally(starts)
            self.tighten_bound()

    # --- the bound -------------------------------------------------------------------------

    def tighten_bound(self, rounds: int = 60) -> None:
        """Move the prices by subgradient steps until the bound sinks no more."""
        trial, best, stale, pace = self.prices, self.prices, 0, 1.0
        for _ in range(rounds):
            bound, wanted = self._compute_bound(trial)
            if bound < self.bound:
                self.bound, best, stale = bound, trial, 0
            else:
                stale += 1
                pace = pace if stale % 3 else pace / 2
            moves = self._find_subgradient(trial, wanted)
            norm = sum([move * move for move in moves.values()])
            if not norm or self.bound <= self.value or stale > _MAX_STEPS_WITHOUT_GAIN:
                break
            step = pace * max(bound - self.value, bound // 200) / norm
            trial = trial.copy()
            for spot, move in moves.items():
                trial[spot] = min(max(0, trial[spot] + round(step * move)), self.worth[spot])
        self.prices = best

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
        for shortlist in dict.fromkeys(self.shortlists):
            worths, count = shortlist.compute_worths(left), self.shortlists.count(shortlist)
            self.budget.charge(len(worths))
            top = max(worths, default=0)
            if top > 0:
                bound += count * top
                for spot in list_bits(choose_scored_bits(shortlist.claims[worths.index(top)], left)):
                    wanted[spot] = wanted.get(spot, 0) + count
        return bound, wanted

    # --- a good plan to begin with -----------------------------------------------------------

    def search_locally(self, starts: int) -> None:
        """Find a good plan: each train in turn takes what is best beside the others, until none gains.

        The first to choose is once as good as can be, and once where most others can meet it.
        """
        for start in range(2 * min(starts, len(self.shortlists))):
            first = start // 2
            picks: list[Pick | None] = [None] * len(self.shortlists)
            if start % 2:
                picks[first] = self._find_widest(self.shortlists[first])
            order = [*range(first, len(self.shortlists)), *range(first)]
            order = order[1:] + order[:1] if start % 2 else order
            while not self.budget.is_spent and sum(self._improve_pick(picks, train) for train in order):
                pass

    def _find_widest(self, shortlist: Shortlist) -> Pick | None:
        """Return the claim at the anchor that meets most."""
        near = [place for place, claim in enumerate(shortlist.claims) if claim.meets & self.problem.anchor]
        if not near:
            return None
        worths = shortlist.compute_worths(self.worth)
        place = max(near, key=lambda place: (shortlist.claims[place].meets.bit_count(), worths[place]))
        return Pick(shortlist.numbers[place], choose_scored_bits(shortlist.claims[place], self.worth))

    def _improve_pick(self, picks: list[Pick | None], train: int) -> bool:
        """Give one train what is best beside the others; return whether that gained."""
        covered = 0
        groups: tuple[int, ...] = (self.problem.anchor,)
        for number, pick in enumerate(picks):
            if pick and number != train:
                covered |= pick.scores
                groups = merge_groups(groups, self.shortlists[number].claim_set.claims[pick.claim].meets)
        weights = [0 if covered >> spot & 1 else worth for spot, worth in enumerate(self.worth)]
        shortlist, old = self.shortlists[train], picks[train]
        worths = shortlist.compute_worths(weights)
        self.budget.charge(len(worths))
        before = self._total_value(picks) - self._total_value([*picks[:train], None, *picks[train + 1 :]]) if old else 0
        ordered = sorted(range(len(worths)), key=worths.__getitem__, reverse=True)
        better = takewhile(lambda place: worths[place] > before, ordered)
        joined = (place for place in better if all(shortlist.claims[place].meets & group for group in groups))
        for place in islice(joined, _ASKED):
            picks[train] = Pick(shortlist.numbers[place], choose_scored_bits(shortlist.claims[place], weights))
            if self.problem.settle(tuple(picks)):
                self.keep_if_better(self._total_value(picks), tuple(picks))
                return True
        picks[train] = old
        return False

    def _total_value(self, picks: Sequence[Pick | None]) -> int:
        covered = value = 0
        for shortlist, pick in zip(self.shortlists, picks, strict=True):
            if pick:
                covered |= pick.scores
                value += shortlist.claim_set.claims[pick.claim].bonus
        return value + sum(self.worth[spot] for spot in list_bits(covered))

    def keep_if_better(self, value: int, picks: Picks) -> None:
        """Keep picks that are worth more than the best so far."""
        if value > self.value:
            self.value, self.picks = value, picks


def merge_groups(groups: tuple[int, ...], meets: int) -> tuple[int, ...]:
    """Return the parts of a plan after one more pick, which may connect some of them."""
    if len(groups) == 1:
        return (groups[0] | meets,) if groups[0] & meets else (meets, groups[0])
    apart = tuple(group for group in groups if not group & meets)
    for group in groups:
        if group & meets:
            meets |= group
    return (meets, *apart)
