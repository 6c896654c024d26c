"""Branch and bound through all picks that a bound leaves in question, train by train."""

from collections.abc import Sequence
from math import prod
from operator import sub
from typing import NamedTuple

from engine.rails.claims import BitSums, Pick, Shortlist, ways_of
from engine.rails.lagrangian_bound import Search, merge

_SETTLING = 5


class OpenClaim(NamedTuple):
    """A claim that may be in a better plan: what it misses of the bound, what it scores, its bonus."""

    slack: int
    scores: int
    bonus: int
    meets: int
    number: int


class BranchAndBound:
    """The search through all that the bound leaves in question, train by train."""

    def __init__(self, search: Search) -> None:
        self.up = search
        self.bound = search.bound
        self.budget = search.budget
        left = list(map(sub, search.worth, search.prices))
        known = {id(shortlist): self._in_question(shortlist, left) for shortlist in dict.fromkeys(search.shortlists)}
        self.of_train = [known[id(shortlist)][0] for shortlist in search.shortlists]
        self.order = sorted(range(len(search.shortlists)), key=lambda train: len(self.of_train[train]))
        self.kept = [self.of_train[train] for train in self.order]
        self.idle = [known[id(search.shortlists[train])][1] for train in self.order]
        self.overlaps = BitSums(left)
        self.worths = BitSums(search.worth)
        self.trial: list[Pick | None] = [None] * len(search.shortlists)

    @property
    def size(self) -> int:
        """How many sets of picks there would be at most."""
        return prod(len(kept) + 1 for kept in self.kept)

    def _in_question(self, shortlist: Shortlist, left: Sequence[int]) -> tuple[list[OpenClaim], int]:
        """Return the claims of a train that can be in a better plan, and what it costs the bound to be idle."""
        worths = shortlist.worths(left)
        self.budget.weigh(len(worths))
        top = max(0, max(worths, default=0))
        gap = self.bound - self.up.value
        kept: list[OpenClaim] = []
        for place, worth in enumerate(worths):
            if top - worth < gap:
                claim = shortlist.claims[place]
                for scores, missed in ways_of(claim, left):
                    slack = top - worth + missed
                    if slack < gap:
                        kept.append(OpenClaim(slack, scores, claim.bonus, claim.meets, shortlist.numbers[place]))
        return sorted(kept), top

    def search(self) -> None:
        """Go through the claims of the first train; what is left at the end of the budget stays unproven."""
        self._leave_impossible()
        for place, kept in enumerate([*self.kept[0], None]):
            slack = kept.slack if kept else self.idle[0]
            if self.bound - slack <= self.up.value:
                continue
            self._take(0, place, 0, 0, 0, (self.up.problem.anchor,))
            if self.budget.left < 0:
                self.bound = max(self.up.value, self.bound - slack, self.bound - self.idle[0])
                return
        self.bound = self.up.value

    def _leave_impossible(self) -> None:
        """Leave out the claims that cannot be run at all."""
        possible: dict[int, list[OpenClaim]] = {}
        for place, train in enumerate(self.order):
            kept, claim_set = self.kept[place], self.up.shortlists[train].claim_set
            if id(kept) not in possible:
                possible[id(kept)] = [one for one in kept if claim_set.possible(one.number)]
            self.kept[place] = possible[id(kept)]

    def _take(self, depth: int, place: int, covered: int, value: int, missed: int, groups: tuple[int, ...]) -> None:
        """Give a train a claim by its place among those kept, or none, and go on with the next."""
        if place == len(self.kept[depth]):
            self.trial[self.order[depth]] = None
            missed += self.idle[depth]
        else:
            kept = self.kept[depth][place]
            self.trial[self.order[depth]] = Pick(kept.number, kept.scores)
            missed += kept.slack + self.overlaps.total(kept.scores & covered)
            value += kept.bonus + self.worths.total(kept.scores & ~covered)
            covered |= kept.scores
            groups = merge(groups, kept.meets)
        if self.bound - missed <= self.up.value:
            return
        if depth + 1 < len(self.order):
            twins = self.kept[depth + 1] is self.kept[depth]
            self._go(depth + 1, place if twins else 0, covered, value, missed, groups)
        elif value > self.up.value and len(groups) == 1:
            self.budget.left -= _SETTLING
            picks = tuple(self.trial)
            if self.up.problem.settle(picks):
                self.up.keep(value, picks)

    def _go(self, depth: int, start: int, covered: int, value: int, missed: int, groups: tuple[int, ...]) -> None:
        """Try the claims of a train while they may lead to a better plan; twins choose later in the list."""
        last = depth + 1 == len(self.order)
        kept = self.kept[depth]
        for place in range(start, len(kept)):
            one = kept[place]
            if self.bound - missed - one.slack <= self.up.value:
                break
            self.budget.left -= 1
            if self.budget.left < 0:
                return
            if last and (
                any(not one.meets & group for group in groups)
                or value + one.bonus + self.worths.total(one.scores & ~covered) <= self.up.value
            ):
                continue
            self._take(depth, place, covered, value, missed, groups)
        if self.bound - missed - self.idle[depth] > self.up.value:
            self._take(depth, len(kept), covered, value, missed, groups)
