"""Branch and bound through all picks that a bound leaves in question, train by train."""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import sub
from typing import NamedTuple

from engine.rails.claims import BitSums, Pick, Shortlist, list_ways_to_score, spread_connections
from engine.rails.lagrangian_bound import Search, merge_groups
from engine.rails.routes import list_bits

MAX_SIZE_AT_ONCE = 400_000
"""Sets of picks that are gone through at once."""
_COST_OF_CLOSING = 5
_STEPS = 64
"""Into so many steps slacks are divided to count sets."""


class OpenClaim(NamedTuple):
    """A claim that may be in a better plan: what it misses of the bound, what it scores, its bonus.

    ``spots`` is what it scores as bits of those spots alone that are in question.
    """

    slack: int
    scores: int
    bonus: int
    meets: int
    number: int
    spots: int = 0


class BranchAndBound:
    """The search through all that the bound leaves in question, train by train."""

    def __init__(self, search: Search) -> None:
        self.up = search
        self.bound = search.bound
        self.budget = search.budget
        left = list(map(sub, search.worth, search.prices))
        known = {
            id(shortlist): self._list_open_claims(shortlist, left) for shortlist in dict.fromkeys(search.shortlists)
        }
        self._number_spots(known.values(), left)
        self.of_train = [known[id(shortlist)][0] for shortlist in search.shortlists]
        self.order = sorted(range(len(search.shortlists)), key=lambda train: len(self.of_train[train]))
        self.kept = [self.of_train[train] for train in self.order]
        self.idle = [known[id(search.shortlists[train])][1] for train in self.order]
        self.trial: list[Pick | None] = [None] * len(search.shortlists)
        self.reached: dict[tuple[int, int], int] = {}
        # The places of the last train's claims that meet some bits; all bits that any of them meets.
        self.joining: dict[int, int] = {}
        self.last_meet = 0

    def _number_spots(self, known: Iterable[tuple[list[OpenClaim], int]], left: Sequence[int]) -> None:
        """Give the spots in question numbers without gaps, so that their sums are looked up in few steps."""
        used = 0
        for kept, _ in known:
            for one in kept:
                used |= one.scores
        numbers = list_bits(used)
        self.overlaps = BitSums([left[spot] for spot in numbers])
        self.worths = BitSums([self.up.worth[spot] for spot in numbers])
        bits = [0] * used.bit_length()
        for number, spot in enumerate(numbers):
            bits[spot] = 1 << number
        squeezed = BitSums(bits)
        for kept, _ in known:
            kept[:] = [one._replace(spots=squeezed.add_up(one.scores)) for one in kept]

    @property
    def is_small(self) -> bool:
        """Whether it is little enough to go through at once."""
        return self._size <= MAX_SIZE_AT_ONCE

    @property
    def _size(self) -> int:
        """How many sets of picks there are, about, whose slacks together leave them better than the best known."""
        gap = self.bound - self.up.value
        sets = [1] + [0] * (_STEPS - 1)
        alike = 1
        for depth, kept in enumerate(self.kept):
            slacks = Counter(one.slack * _STEPS // gap for one in kept)
            slacks[min(_STEPS, self.idle[depth] * _STEPS // gap)] += 1
            longer = [0] * _STEPS
            for more, count in slacks.items():
                for at in range(_STEPS - more):
                    longer[at + more] += sets[at] * count
            alike = alike + 1 if depth and kept is self.kept[depth - 1] else 1
            sets = [count // alike for count in longer]
        return sum(sets)

    def _list_open_claims(self, shortlist: Shortlist, left: Sequence[int]) -> tuple[list[OpenClaim], int]:
        """Return the claims of a train that can be in a better plan, and what it costs the bound to be idle."""
        worths = shortlist.compute_worths(left)
        self.budget.charge(len(worths))
        top = max(0, max(worths, default=0))
        gap = self.bound - self.up.value
        kept: list[OpenClaim] = []
        for place, worth in enumerate(worths):
            if top - worth < gap:
                claim = shortlist.claims[place]
                for scores, missed in list_ways_to_score(claim, left):
                    slack = top - worth + missed
                    if slack < gap:
                        kept.append(OpenClaim(slack, scores, claim.bonus, claim.meets, shortlist.numbers[place]))
        return sorted(kept), top

    def search(self) -> int:
        """Go through the claims of the first train; return what no plan exceeds.

        What is left at the end of the budget stays unproven.
        """
        self._leave_impossible()
        for place, one in enumerate(self.kept[-1]):
            self.last_meet |= one.meets
            for bit in list_bits(one.meets):
                self.joining[1 << bit] = self.joining.get(1 << bit, 0) | 1 << place
        for place, kept in enumerate([*self.kept[0], None]):
            slack = kept.slack if kept else self.idle[0]
            if self.bound - slack <= self.up.value:
                continue
            self._take(0, place, 0, 0, slack, (self.up.problem.anchor,))
            if self.budget.is_spent:
                return max(self.up.value, self.bound - slack, self.bound - self.idle[0])
        return self.up.value

    def _leave_impossible(self) -> None:
        """Leave out the claims that cannot be run at all."""
        possible: dict[int, list[OpenClaim]] = {}
        for place, train in enumerate(self.order):
            kept, claim_set = self.kept[place], self.up.shortlists[train].claim_set
            if id(kept) not in possible:
                possible[id(kept)] = [one for one in kept if claim_set.is_possible(one.number)]
            self.kept[place] = possible[id(kept)]

    def _take(self, depth: int, place: int, covered: int, value: int, missed: int, groups: tuple[int, ...]) -> None:
        """Give a train a claim by its place among those kept, or none, and go on with the next.

        ``value`` and ``missed`` are those of the trains before, and ``missed`` that of the claim too.
        """
        if place == len(self.kept[depth]):
            self.trial[self.order[depth]] = None
        else:
            kept = self.kept[depth][place]
            self.trial[self.order[depth]] = Pick(kept.number, kept.scores)
            value += kept.bonus + self.worths[kept.spots & ~covered]
            covered |= kept.spots
            groups = merge_groups(groups, kept.meets)
        left = len(self.order) - depth - 1
        if left == 0:
            self._close(value, groups)
            return
        start = place if self.kept[depth + 1] is self.kept[depth] else 0
        if left == 1:
            self._try_last_claims(start, covered, value, missed, groups)
        elif len(groups) == 1 or not self._are_too_few_to_connect(depth + 1, groups):
            self._try_claims(depth + 1, start, covered, value, missed, groups)

    def _close(self, value: int, groups: tuple[int, ...]) -> None:
        """Keep the picks on trial if they are the best and allowed."""
        if value > self.up.value and len(groups) == 1:
            self.budget.left -= _COST_OF_CLOSING
            picks = tuple(self.trial)
            if self.up.problem.settle(picks):
                self.up.keep_if_better(value, picks)

    def _are_too_few_to_connect(self, depth: int, groups: tuple[int, ...]) -> bool:
        """Return whether the trains from one on are too few to connect all groups."""
        key = (depth, groups[0])
        near = self.reached.get(key)
        if near is None:
            shortlists = [self.up.shortlists[train] for train in self.order[depth:]]
            near = self.reached[key] = spread_connections(dict.fromkeys(shortlists), groups[0], len(shortlists))
        for group in groups:  # noqa: SIM110  asked a million times
            if not near & group:
                return True
        return False

    def _try_claims(
        self, depth: int, start: int, covered: int, value: int, missed: int, groups: tuple[int, ...]
    ) -> None:
        """Try the claims of a train while they may lead to a better plan; twins choose later in the list."""
        kept, overlaps, up = self.kept[depth], self.overlaps, self.up
        limit = self.bound - missed
        joined = (
            [self._find_claims_of_group(group) for group in groups]
            if depth + 2 == len(self.order) and len(groups) > 1
            else []
        )
        for place in range(start, len(kept)):
            one = kept[place]
            gap = limit - up.value
            if one.slack >= gap:
                break
            self.budget.left -= 1
            if self.budget.left < 0:
                return
            shared = one.spots & covered
            more = one.slack + overlaps[shared] if shared else one.slack
            if more < gap and (not joined or self._can_connect(one.meets, groups, joined)):
                self._take(depth, place, covered, value, missed + more, groups)
        if limit - self.idle[depth] > up.value and (not joined or self._find_connecting_claims(groups)):
            self._take(depth, len(kept), covered, value, missed + self.idle[depth], groups)

    def _try_last_claims(self, start: int, covered: int, value: int, missed: int, groups: tuple[int, ...]) -> None:
        """Try the claims of the last train that connect all, from one on, and none."""
        kept, up, train = self.kept[-1], self.up, self.order[-1]
        limit = self.bound - missed
        places = self._find_connecting_claims(groups) >> start << start
        while places:
            low = places & -places
            places ^= low
            one = kept[low.bit_length() - 1]
            gap = limit - up.value
            if one.slack >= gap:
                break
            self.budget.left -= 1
            if self.budget.left < 0:
                return
            shared = one.spots & covered
            if shared and one.slack + self.overlaps[shared] >= gap:
                continue
            total = value + one.bonus + self.worths[one.spots & ~covered]
            if total > up.value:
                self.trial[train] = Pick(one.number, one.scores)
                self._close(total, groups[:1])
        if limit - self.idle[-1] > up.value:
            self.trial[train] = None
            self._close(value, groups)

    def _can_connect(self, meets: int, groups: tuple[int, ...], joined: list[int]) -> bool:
        """Return whether a claim, then the last train, can connect all groups; ``joined`` has its places by group."""
        here, beside = self._find_claims_of_group(meets), -1
        for group, places in zip(groups, joined, strict=True):
            if group & meets:
                here |= places
            else:
                beside &= places
        return beside == -1 or here & beside != 0

    def _find_connecting_claims(self, groups: tuple[int, ...]) -> int:
        """Return the places of the last train's claims that connect all, as bits."""
        places = -1
        for group in groups:
            places &= self._find_claims_of_group(group)
        return places

    def _find_claims_of_group(self, group: int) -> int:
        """Return the places of the last train's claims that meet a group, as bits."""
        found = self.joining.get(group)
        if found is None:
            found = 0
            for bit in list_bits(group & self.last_meet):
                found |= self.joining[1 << bit]
            self.joining[group] = found
        return found
