"""The best claim for each train where every spot pays but once, over all trains together.

Exact: a plan grows from the anchor, claim by claim, each where it meets those before. A Lagrangian bound
(``lagrangian_bound``) tells what each claim misses; where a plan has missed more than the best known leaves, it grows
no further. Of claims that were tried at a place none is tried there again, so each plan is met once.
"""

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import NamedTuple

from engine.rails.claims import BitSums, Claim, ClaimSet, Leasts, Picks, Settle, find_owing, sum_owed
from engine.rails.lagrangian_bound import Budget, Relaxation
from engine.rails.routes import list_bits

FIRST_ROUNDS, MORE_ROUNDS = 60, 400
"""Of tightening the bound before the first plan is looked for, and before all are."""
_FIRST_TRIES = 3_000
_STARTS = 4
"""Trains with which the search of a first plan begins, one after the other."""
_COST_OF_SETTLING = 5
_NOTHING: tuple[int, ...] = ()
_ASKED = 50
"""Claims of a train that may be tried in turn beside the others of a plan, until one is allowed."""


class Prices:
    """Prices of the spots that make the bound low: one search begins where another left them."""

    def __init__(self, worth: Sequence[int]) -> None:
        self.worth = list(worth)
        self.of = [0] * len(worth)


class Coverage(NamedTuple):
    """The best found: its value and picks, and what no picks can exceed."""

    value: int
    picks: Picks
    bound: int


class Conditions(NamedTuple):
    """Which picks are allowed, and which matter.

    Args:
        anchor: bits with which all are connected by their ``meets``; the spots have the same bits.
        settle: says yes to what is allowed.
        hanging: whether claims hang on others by their credit; else they have only what must be left out of it.
        find_goal: returns what a plan must be worth to matter, of the best known and whether all trains run in it.
    """

    anchor: int
    settle: Settle
    hanging: bool = True
    find_goal: Callable[[int, bool], int] = lambda value, _: value + 1


class _Plan(NamedTuple):
    """A plan that may grow.

    Args:
        left: how many trains of each kind have no claim yet.
        group: what its claims meet. taken: spots that no claim misses any more. covered: spots that pay.
        value: what it is worth. missed: what it falls short of the bound.
        apart: bits that no other claim may have. owing: spots of which one must be left out.
        near: of each kind the places of the claims that meet it, as bits. tried: those that were tried before.
        picks: kind and number of each claim.
    """

    left: tuple[int, ...]
    group: int
    taken: int
    covered: int
    value: int
    missed: int
    apart: int
    owing: tuple[int, ...]
    near: tuple[int, ...]
    tried: tuple[int, ...]
    picks: tuple[tuple[int, int], ...] = ()


class _Row(NamedTuple):
    """A claim by what it misses of the bound if all its credit were its own; with its number."""

    missed: int
    credit: int
    claim: Claim
    number: int


class CoverageSearch:
    """The search for the picks worth most; ``bound`` is what none exceed.

    Args:
        claim_sets: one for each train, those of a kind one object.
        rules: which picks are allowed.
        prices: what spots are worth, and where to begin; they are left as good prices.
        budget: how long to search.
    """

    def __init__(self, claim_sets: Sequence[ClaimSet], rules: Conditions, prices: Prices, budget: Budget) -> None:
        self.claim_sets = claim_sets
        self.rules = rules
        self.budget = budget
        self.prices = prices
        self.kinds = list(dict.fromkeys(claim_sets))
        self.counts = tuple(map(list(claim_sets).count, self.kinds))
        self.picks: Picks = (None,) * len(claim_sets)
        self.value = 0
        self.goal = 1
        # The spots at the anchor pay once, whoever comes there.
        self.anchored = sum(prices.worth[spot] for spot in list_bits(rules.anchor))
        worth = [0 if rules.anchor >> spot & 1 else value for spot, value in enumerate(prices.worth)]
        self.relaxation = Relaxation([*zip(self.kinds, self.counts, strict=True)], worth, prices.of, budget)
        self.worths, self.leasts = BitSums(prices.worth), Leasts(prices.worth)
        self.over = 0

    @property
    def bound(self) -> int:
        """What no plan exceeds."""
        return max(self.value, self.relaxation.bound + self.anchored)

    def look(self, floor: tuple[int, bool]) -> Coverage:
        """Tighten the bound a little, and look for a first plan if one could beat the floor; see ``finish``."""
        self.goal = self.rules.find_goal(*floor)
        self.relaxation.tighten(FIRST_ROUNDS, self.goal - self.anchored)
        if self.bound < self.goal:
            return Coverage(floor[0], self.picks, floor[0])
        cover = self._search((0, False), 0, _FIRST_TRIES)
        if cover.bound == cover.value:
            return cover
        none: Picks = (None,) * len(self.claim_sets)
        for first, claim_set in enumerate(self.claim_sets[:_STARTS]):
            self._climb(0, none, first)
            near = [number for number, claim in enumerate(claim_set.claims) if claim.meets & self.rules.anchor]
            if near:  # then where most others can meet it
                widest = max(near, key=lambda number: (claim_set.claims[number].meets.bit_count(), -number))
                self._climb(0, (*none[:first], widest, *none[first + 1 :]), first + 1)
        return Coverage(self.value, self.picks, max(self.value, cover.bound))

    def finish(self, floor: tuple[int, bool], tries: int | None = None) -> Coverage:
        """Find the best plan, or the best that the budget allows; where nothing beats the floor, value is the floor.

        Args:
            floor: what must be beaten, and whether as many trains run for it as could.
            tries: after which it stops; by default the whole budget.
        """
        self.goal = self.rules.find_goal(*floor)
        self.relaxation.tighten(MORE_ROUNDS, self.goal - self.anchored)
        if self.bound >= self.goal:
            first = self._search((0, False), 0, _FIRST_TRIES)  # with better prices than at the first look
            floor = max(floor, (first.value, False))
        return self._search(floor, 0, self.budget.left if tries is None else tries)

    def _search(self, floor: tuple[int, bool], rounds: int, tries: int) -> Coverage:
        """Let plans grow from the anchor."""
        if floor[0] > self.value:
            self.value, self.picks = floor[0], (None,) * len(self.claim_sets)
        self.goal = self.rules.find_goal(*floor)
        self.relaxation.tighten(rounds, self.goal - self.anchored)
        self.prices.of = list(self.relaxation.prices)
        top = self.bound
        if top < self.goal:
            return Coverage(self.value, self.picks, self.value)
        self.over = max(0, self.budget.left - tries)
        self._prepare_rows()
        anchor = self.rules.anchor
        none = (0,) * len(self.kinds)
        start = _Plan(self.counts, anchor, anchor, 0, 0, 0, 0, (), self._find_near(none, anchor), none)
        still_open = self._grow(start)
        return Coverage(self.value, self.picks, max(self.value, min(top, still_open)))

    def _prepare_rows(self) -> None:
        """List the claims of each kind, those that miss least first, with their places by what they meet."""
        left = self.relaxation.left
        self.left, self.least_left = BitSums(left), Leasts(left)
        self.rows: list[list[_Row]] = []
        self.joins: list[dict[int, int]] = []
        for kind, claim_set in enumerate(self.kinds):
            top = self.relaxation.find_top(kind)
            rows = [
                _Row(top - claim.bonus - self.left[claim.credit], claim.credit, claim, number)
                for number, claim in enumerate(claim_set.claims)
            ]
            rows.sort()
            joins = dict[int, int]()
            for place, row in enumerate(rows):
                for bit in list_bits(row.claim.meets):
                    joins[bit] = joins.get(bit, 0) | 1 << place
            self.rows.append(rows)
            self.joins.append(joins)

    def _find_near(self, near: tuple[int, ...], more: int) -> tuple[int, ...]:
        """Return the places of claims that meet a plan, with those that meet some bits more."""
        found = list(near)
        for bit in list_bits(more):
            for kind, joins in enumerate(self.joins):
                found[kind] |= joins.get(bit, 0)
        return tuple(found)

    def _grow(self, plan: _Plan) -> int:
        """Try all that a plan can grow by; return what no plan exceeds that was not come to, 0 if all were."""
        candidates = self._list_candidates(plan)
        last = sum(plan.left) == 1
        still_open = 0
        tried = list(plan.tried)
        for missed, kind, place in candidates:
            possible = self.bound - plan.missed - missed
            if possible < self.goal:
                break
            if self.budget.left < self.over:
                return max(still_open, possible)
            row = self.rows[kind][place]
            if (not last or self._find_value(plan, row.claim) >= self.goal) and self.kinds[kind].is_possible(
                row.number
            ):
                grown = self._add(plan, tuple(tried), kind, row, missed)
                self._keep_if_better(grown)
                if not last:
                    still_open = max(still_open, self._grow(grown))
            tried[kind] |= 1 << place
        return still_open

    def _list_candidates(self, plan: _Plan) -> list[tuple[int, int, int]]:
        """Return what a plan can grow by: what each claim misses beside it, its kind and its place; the best first."""
        found = []
        gap = self.bound - plan.missed - self.goal
        taken, left, exact = plan.taken, self.left, not self.rules.hanging
        owed = sum_owed(plan.owing, self.least_left) if exact else 0
        for kind, rows in enumerate(self.rows):
            places = plan.near[kind] & ~plan.tried[kind] if plan.left[kind] else 0
            while places:
                low = places & -places
                places ^= low
                place = low.bit_length() - 1
                row = rows[place]
                if row.missed > gap + owed:
                    break
                self.budget.left -= 1
                missed = row.missed + left[row.credit & taken]
                if exact and (plan.owing or row.claim.drops):
                    missed += sum_owed(find_owing(plan.owing, plan.covered, row.claim), self.least_left) - owed
                if missed <= gap and not row.claim.apart & plan.apart:
                    found.append((missed, kind, place))
        found.sort()
        return found

    def _find_value(self, plan: _Plan, claim: Claim) -> int:
        """Return what a plan is worth with one claim more, if nothing must be left out."""
        return plan.value + claim.bonus + self.worths[claim.pays & ~plan.covered]

    def _add(self, plan: _Plan, tried: tuple[int, ...], kind: int, row: _Row, missed: int) -> _Plan:
        """Return a plan with one claim more."""
        claim = row.claim
        return _Plan(
            tuple([count - (number == kind) for number, count in enumerate(plan.left)]),
            plan.group | claim.meets,
            plan.taken | row.credit,
            plan.covered | claim.pays,
            self._find_value(plan, claim),
            plan.missed + missed,
            plan.apart | claim.apart,
            find_owing(plan.owing, plan.covered, claim),
            self._find_near(plan.near, claim.meets & ~plan.group),
            tried,
            (*plan.picks, (kind, row.number)),
        )

    def _keep_if_better(self, plan: _Plan) -> None:
        """Keep a plan that is better than the best known, if it is allowed, and what it leads to train by train."""
        value = plan.value - sum_owed(plan.owing, self.leasts)
        if value < self.goal:
            return
        waiting: dict[ClaimSet, list[int]] = {}
        for kind, number in plan.picks:
            waiting.setdefault(self.kinds[kind], []).append(number)
        picks = tuple(waiting[each].pop() if waiting.get(each) else None for each in self.claim_sets)
        self.budget.left -= _COST_OF_SETTLING
        if self.rules.settle(picks):
            self._keep(value, picks)
            self._climb(value, picks, 0)

    def _keep(self, value: int, picks: Picks) -> None:
        self.value, self.picks = value, picks
        runs = all(pick is not None or not each.claims for each, pick in zip(self.claim_sets, picks, strict=True))
        self.goal = self.rules.find_goal(value, runs)

    def _climb(self, value: int, picks: Picks, first: int) -> None:
        """Let each train in turn take what is best beside the others, until none gains."""
        trains = range(len(picks))
        stale = 0
        for train in cycle([*trains[first:], *trains[:first]]):
            better = self._find_better(value, picks, train)
            stale = 0 if better else stale + 1
            value, picks = better or (value, picks)
            if stale > len(trains) or self.budget.left < self.over:
                break
        if value >= self.goal:
            self._keep(value, picks)

    def _find_better(self, value: int, picks: Picks, train: int) -> tuple[int, Picks] | None:
        """Return picks in which one train takes what is best beside the others, with their value, if that gains."""
        beside = [
            each.claims[pick]
            for number, (each, pick) in enumerate(zip(self.claim_sets, picks, strict=True))
            if pick is not None and number != train
        ]
        base = covered = apart = 0
        groups: tuple[int, ...] = (self.rules.anchor,)
        for claim in beside:
            base += claim.bonus + self.worths[claim.pays & ~covered]
            covered |= claim.pays
            apart |= claim.apart
            groups = _merge_groups(groups, claim.meets)
        claims = self.claim_sets[train].claims
        self.budget.charge(len(claims))
        gains = [claim.bonus + self.worths[claim.pays & ~covered] for claim in claims]
        for number in sorted(range(len(claims)), key=gains.__getitem__, reverse=True)[:_ASKED]:
            claim = claims[number]
            if base + gains[number] <= value:
                break
            if claim.apart & apart or not all(claim.meets & group for group in groups):
                continue
            real = base + gains[number] - sum_owed(self._find_all_owing([*beside, claim]), self.leasts)
            changed = (*picks[:train], number, *picks[train + 1 :])
            if real > value and self.claim_sets[train].is_possible(number) and self.rules.settle(changed):
                return real, changed
        return None

    def _find_all_owing(self, claims: list[Claim]) -> tuple[int, ...]:
        """Return the spots of which claims that are connected must leave one out, in groups."""
        group, covered, owing = self.rules.anchor, 0, _NOTHING
        while claims:
            claim = next(claim for claim in claims if claim.meets & group)
            claims.remove(claim)
            owing = find_owing(owing, covered, claim)
            group |= claim.meets
            covered |= claim.pays
        return owing


def _merge_groups(groups: tuple[int, ...], meets: int) -> tuple[int, ...]:
    """Return the parts of a plan after one more claim, which may connect some of them."""
    apart = tuple(group for group in groups if not group & meets)
    for group in groups:
        if group & meets:
            meets |= group
    return (meets, *apart)
