"""Find or prove what is best spot by spot: each is paid by one of the few claims that come to it, or by none.

``coverage`` lets plans grow from the anchor; this search goes on where that takes long. It need not choose claims in
the order in which they are connected, so it begins with spots that few claims come to, and knows what each train
without a claim loses at least.
"""

from collections.abc import Callable, Sequence
from itertools import islice

from engine.rails.choices import (
    Candidate,
    Chosen,
    Outlook,
    Selection,
    add_claim,
    find_hardest,
    find_value,
    join_alike,
    join_parts,
    list_ways,
    look_out,
)
from engine.rails.claims import BitSums, Claim, ClaimSet, Leasts, find_owing, sum_owed
from engine.rails.lagrangian_bound import Budget, Relaxation, Settled
from engine.rails.routes import list_bits

MAX_TRIES_AT_OLD_PRICES = 1_500
"""Tries for what a choice can become, before it gets prices of its own."""
_ROUNDS, _FIRST_ROUNDS = 25, 40
"""Of tightening the bound at those prices; more where claims were chosen beforehand, as that changes much."""
_MAX_WAYS = 500
"""Ways to give claims to trains that are alike, of which the dearest is kept."""


class SpotSearch:
    """The search for picks worth as much as the goal.

    Args:
        kinds: the claims of each kind of train, with the number of trains.
        worth: of each spot. budget: how long to search; it ends when only ``budget.reserve`` is left.
        find_goal: returns what a plan must be worth to matter.
    """

    def __init__(
        self,
        kinds: Sequence[tuple[ClaimSet, int]],
        worth: Sequence[int],
        budget: Budget,
        find_goal: Callable[[], int],
    ) -> None:
        self.alike = join_alike(kinds)
        self.kinds = [kinds[group[0].number][0] for group in self.alike]
        self.worth = worth
        self.worths, self.leasts = BitSums(worth), Leasts(worth)
        self.budget = budget
        self.over = budget.reserve
        self.find_goal = find_goal
        self.paid_before = 0  # by claims that were chosen beforehand
        self.prices: Sequence[int] = ()  # good ones for a search of the same with other claims chosen
        self._ended: dict[tuple[object, ...], int] = {}  # what choices were worth of which all was tried

    def search(
        self,
        anchor: int,
        first: Sequence[Claim],
        prices: Sequence[int],
        bound: int,
        keep: Callable[[int, Chosen], None],
    ) -> int:
        """Return what no plan exceeds that was not come to, 0 if all were.

        Args:
            anchor: bits with which all must be connected.
            first: claims that were chosen beforehand, to their credit what they pay; others hang on none of them.
            prices: of spots, to begin with.
            bound: what no plan exceeds, as far as is known.
            keep: keeps a plan if it is allowed.
        """
        self.keep, self._ended = keep, {}
        none = (0,) * len(self.kinds)
        counts = tuple(sum(kind.trains for kind in group) for group in self.alike)
        choice = Selection(counts, none, anchor, anchor, anchor)
        for claim in first:
            choice = choice._replace(
                group=choice.group | claim.meets,
                taken=choice.taken | claim.pays,
                solid=choice.solid | claim.pays,
                covered=choice.covered | claim.pays,
                value=find_value(choice, claim, self.worths),
            )
        self.paid_before = choice.covered
        if choice.value >= self.find_goal():
            self._keep_dearest(choice)
        allowed = [b"\1" * len(kind.claims) for kind in self.kinds]
        return self._judge_anew(choice, prices, allowed, bound, _FIRST_ROUNDS if first else _ROUNDS)

    def _judge_anew(
        self, choice: Selection, prices: Sequence[int], allowed: Sequence[bytes], bound: int, rounds: int
    ) -> int:
        """Set prices for what can still be chosen, and search by them."""
        worth = list(self.worth)
        for spot in list_bits(choice.taken):
            worth[spot] = 0
        for part in choice.parts:
            for spot in list_bits(part.credit):
                worth[spot] = self.worth[spot]
        fixed = choice.value - self.worths[choice.covered] + self.worths[choice.solid]
        settled = Settled(allowed, [(part.credit, part.hangs) for part in choice.parts])
        counts = [*zip(self.kinds, choice.left, strict=True)]
        relaxation = Relaxation(counts, worth, [*map(min, prices, worth)], self.budget, settled)
        relaxation.tighten(rounds, self.find_goal() - fixed)
        if not choice.picks:
            self.prices = relaxation.prices
        if min(bound, fixed + relaxation.bound) < self.find_goal():
            return 0
        outlook = look_out(fixed + relaxation.bound, relaxation, allowed)
        return min(bound, self._choose(choice._replace(missed=0), outlook, patient=True))

    def _choose(self, choice: Selection, outlook: Outlook, *, patient: bool) -> int:
        """Try each claim for the spot that fewest come to, then none of them; and so on with the next."""
        still_open = 0
        last = sum(choice.left) == 1
        while True:
            possible, candidates = self._list_candidates(choice, outlook)
            if candidates and self.budget.left < self.over:
                return max(still_open, possible)
            spot = 0 if last else find_hardest(choice, candidates, outlook)
            banned = list(choice.banned)
            for missed, kind, place in candidates:
                row = outlook.rows[kind][place]
                if spot and not row.claim.credit & spot:
                    continue
                if self.budget.left < self.over:
                    return max(still_open, possible)
                if not spot:
                    choice = choice._replace(banned=tuple(banned))
                banned[kind] |= 1 << row.number
                if last and find_value(choice, row.claim, self.worths) < self.find_goal():
                    continue
                if self.kinds[kind].is_possible(row.number):
                    grown = add_claim(choice, (missed, kind, place), row, self.worths)
                    still_open = max(still_open, self._go_on(grown, outlook, patient=patient))
            if not spot:
                return still_open
            choice = choice._replace(
                banned=tuple(banned), taken=choice.taken | spot, missed=choice.missed + outlook.price[spot]
            )

    def _go_on(self, choice: Selection, outlook: Outlook, *, patient: bool) -> int:
        """Keep a choice if it is better, and see what it can become.

        Where that takes long, it gets prices of its own, which say more of it.
        """
        if not choice.parts and choice.value >= self.find_goal():
            self._keep_dearest(choice)
        if not any(choice.left) or outlook.bound - choice.missed < self.find_goal():
            return 0
        # What others with the same spots became, this one can become, too.
        key = (*choice[:7], choice.apart)
        if self._ended.get(key, -1) >= choice.value:
            return 0
        over = self.over
        if patient:
            self.over = max(over, self.budget.left - MAX_TRIES_AT_OLD_PRICES)
        still_open = self._choose(choice, outlook, patient=False)
        is_cut, self.over = self.budget.left < self.over, over
        if patient and is_cut and self.budget.left >= over:
            allowed = []
            for kind, claim_set in enumerate(self.kinds):
                may = bytearray(len(claim_set.claims))
                for row in outlook.rows[kind] if choice.left[kind] else ():
                    may[row.number] = not (choice.banned[kind] >> row.number & 1 or row.claim.apart & choice.apart)
                allowed.append(bytes(may))
            still_open = self._judge_anew(choice, outlook.prices, allowed, outlook.bound - choice.missed, _ROUNDS)
        if not choice.owing and self.budget.left >= over:
            self._ended[key] = max(choice.value, self._ended.get(key, 0))
        return still_open

    def _list_candidates(self, choice: Selection, outlook: Outlook) -> tuple[int, list[Candidate]]:
        """Return what no plan exceeds that goes on with a choice, and the claims that matter, the best first."""
        gap = outlook.bound - choice.missed - self.find_goal()
        lists = list[tuple[int, list[Candidate]]]()
        for kind, count in enumerate(choice.left):
            if not count:
                continue
            found = self._list_claims(choice, outlook, kind, gap)
            losses = sorted([*[missed for missed, _, _ in found[:count]], *[outlook.idle[kind]] * count])
            gap -= sum(losses[:count])  # whatever they run, no two run the same, unless it pays nothing more
            if gap < 0:
                return 0, []
            lists.append((losses[count - 1], found))
        while True:
            candidates, credit = list[Candidate](), choice.taken
            for least, found in lists:
                for one in found:
                    if one[0] - least > gap:
                        break
                    candidates.append(one)
                    credit |= outlook.rows[one[1]][one[2]].claim.credit
            lost = outlook.price[outlook.priced & ~credit]  # no claim comes there any more
            if gap < lost:
                return 0, []
            if not lost or not candidates:
                return self.find_goal() + gap, sorted(candidates)
            gap -= lost
            outlook = outlook._replace(priced=outlook.priced & credit)

    def _list_claims(self, choice: Selection, outlook: Outlook, kind: int, gap: int) -> list[Candidate]:
        """Return the claims of a kind that miss no more than the gap beside a choice, the best first."""
        left, least, (_, banned, group, taken, _, parts, *_) = outlook.left, outlook.least, choice
        apart, out = choice.apart, banned[kind]
        most = gap + sum([least[part.hangs] for part in parts])  # whatever it connects, it misses no less
        ends = sum(choice.left) == 1
        found = list[Candidate]()
        tries = 0
        for place, row in enumerate(outlook.rows[kind]):
            if row.floor > gap:
                break
            claim = row.claim
            if out >> row.number & 1 or claim.apart & apart:
                continue
            tries += 1
            missed = row.missed + left[claim.credit & taken]
            if missed > most:
                continue
            if ends and not (claim.meets & group and all(claim.meets & part.meets for part in parts)):
                continue  # the last claim connects what was apart
            if not claim.meets & group:
                part, joined = join_parts(choice, claim) if parts else (None, [])
                hangs = part.hangs if part else 0 if claim.hangs & taken else claim.hangs
                missed += least[hangs] - sum([least[one.hangs] for one in joined])
            else:
                missed -= sum([least[part.hangs] for part in parts if part.meets & claim.meets])
            if missed <= gap:
                found.append((missed, kind, place))
        self.budget.left -= tries
        found.sort()
        return found

    def _keep_dearest(self, choice: Selection) -> None:
        """Keep the dearest way to give the claims of a choice to trains that are alike, if it is worth the goal."""
        best: tuple[int, Chosen] = (-1, ())
        for picks, claims in islice(list_ways(self.alike, choice.picks), _MAX_WAYS):
            covered, owing = self.paid_before, tuple[int, ...]()
            for claim in claims:
                owing = find_owing(owing, covered, claim)
                covered |= claim.pays
            best = max(best, (choice.value - sum_owed(owing, self.leasts), picks), key=lambda one: one[0])
            if not owing:
                break
        if best[0] >= self.find_goal():
            self.keep(*best)
