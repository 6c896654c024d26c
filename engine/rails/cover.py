"""The best claim for each train where every spot pays but once, over all trains together.

Exact: prices on the spots (Lagrange multipliers) bound the whole from above
and leave few claims in question; a depth-first search settles those.
"""

from collections.abc import Sequence
from operator import sub
from typing import NamedTuple

from engine.rails.claims import Lot, Offer, Pick, Picks, Settle, Table, scored, ways_of
from engine.rails.routes import bit_numbers

_NEVER = 1 << 80
_PATIENCE = 6
_ASKED = 200
_CHEAP = 8


class Prices:
    """Prices of the spots that make the bound low: they begin where an earlier search left them."""

    def __init__(self, worth: Sequence[int]) -> None:
        self.worth = worth
        self.of = [0] * len(worth)

    def left(self) -> list[int]:
        """Return what is left of each spot's worth after its price."""
        return list(map(sub, self.worth, self.of))


class Cover(NamedTuple):
    """The best found: its value and picks, and what no picks can exceed."""

    value: int
    picks: Picks
    bound: int


class Market(NamedTuple):
    """A question: an offer for each train (the same object for trains of a kind, side by side), and the rules."""

    offers: Sequence[Offer]
    prices: Prices
    settle: Settle
    anchor: int


class Budget:
    """How many more claims may be tried."""

    def __init__(self, left: int) -> None:
        self.left = left


def best_cover(market: Market, floor: int, budget: Budget) -> Cover:
    """Find the picks worth most and more than ``floor``, and the bound that is proven.

    All picks must hang together by their ``meets`` bits and have a bit of the
    anchor; ``settle`` has the last word. The bound equals the value when the
    answer is exact; where nothing beats the floor, value is the floor.
    """
    lots = [Lot(offer, range(len(offer.claims))) for offer in dict.fromkeys(market.offers)]
    of = {id(lot.offer): lot for lot in lots}
    whole = _Search(market, [of[id(offer)] for offer in market.offers], floor, budget)
    whole.sink()
    if whole.bound > whole.value:
        whole.climb()
        whole.sink()
    if whole.bound <= whole.value:
        return Cover(whole.value, whole.picks, whole.value)
    # One of the trains is at the anchor: each in turn is held to it.
    best, bound = whole, whole.value
    for number, lot in enumerate(whole.lots):
        if number and whole.lots[number - 1] is lot:
            continue
        held = [*whole.lots[:number], lot.at(market.anchor), *whole.lots[number + 1 :]]
        part = _Search(market, held, best.value, budget)
        part.settle_all()
        best = part if part.value > best.value else best
        bound = max(bound, min(part.bound, whole.bound))
    return Cover(best.value, best.picks, max(bound, best.value))


class _Kept(NamedTuple):
    """A claim that may be in a better plan: what it misses of the bound, what it scores, its bonus."""

    slack: int
    scores: int
    bonus: int
    meets: int
    number: int


class _Search:
    """One search: bound from above, a good plan from below, then all that is left in question."""

    def __init__(self, market: Market, lots: Sequence[Lot], floor: int, budget: Budget) -> None:
        self.market = market
        self.lots = lots
        self.worth = market.prices.worth
        self.budget = budget
        self.value = floor
        self.picks: Picks = (None,) * len(lots)
        self.bound = _NEVER

    def settle_all(self) -> None:
        """Search to the end, or to the end of the budget."""
        self.sink()
        if self.bound > self.value:
            self.climb()
            self.sink()
        if self.bound > self.value:
            deep = _Depth(self)
            deep.search()
            self.bound = deep.bound

    # --- the bound -------------------------------------------------------------------------

    def sink(self, rounds: int = 60) -> None:
        """Move the prices until the bound sinks no more."""
        prices = self.market.prices
        trial, best, stale, pace = list(prices.of), list(prices.of), 0, 1.0
        for _ in range(rounds):
            bound, excess = self._priced(trial)
            if bound < self.bound:
                self.bound, best, stale = bound, trial, 0
            else:
                stale += 1
                pace = pace if stale % 3 else pace / 2
            moves = [move if move > 0 or price else 0 for move, price in zip(excess, trial, strict=True)]
            norm = sum(move * move for move in moves)
            if not norm or self.bound <= self.value or stale > _PATIENCE:
                break
            step = pace * max(bound - self.value, bound // 200) / norm
            trial = [
                min(max(0, price + round(step * move)), worth)
                for price, move, worth in zip(trial, moves, self.worth, strict=True)
            ]
        prices.of = best

    def _priced(self, prices: Sequence[int]) -> tuple[int, list[int]]:
        """Return the bound at some prices, and how many trains too many want each spot."""
        left = list(map(sub, self.worth, prices))
        bound, excess = sum(prices), [-1] * len(prices)
        for lot in dict.fromkeys(self.lots):
            worths, count = lot.worths(left), self.lots.count(lot)
            self.budget.left -= len(worths) // _CHEAP
            top = max(worths, default=0)
            if top > 0:
                bound += count * top
                for spot in bit_numbers(scored(lot.claims[worths.index(top)], left)):
                    excess[spot] += count
        return bound, excess

    # --- a good plan to begin with -----------------------------------------------------------

    def climb(self) -> None:
        """Find a good plan: each train in turn takes what is best beside the others, until none gains."""
        for first in range(len(self.lots)):
            picks: list[Pick | None] = [None] * len(self.lots)
            order = [*range(first, len(self.lots)), *range(first)]
            while sum(self._improve(picks, train) for train in order):
                pass

    def _improve(self, picks: list[Pick | None], train: int) -> bool:
        """Give one train what is best beside the others; tell whether that gained."""
        covered = 0
        groups: tuple[int, ...] = (self.market.anchor,)
        for number, pick in enumerate(picks):
            if pick and number != train:
                covered |= pick.scores
                groups = _merge(groups, self.lots[number].offer.claims[pick.claim].meets)
        weights = [0 if covered >> spot & 1 else worth for spot, worth in enumerate(self.worth)]
        lot, old, asked = self.lots[train], picks[train], 0
        worths = lot.worths(weights)
        self.budget.left -= len(worths) // _CHEAP
        before = self._value(picks) - self._value([*picks[:train], None, *picks[train + 1 :]]) if old else 0
        for place in sorted(range(len(worths)), key=worths.__getitem__, reverse=True):
            if worths[place] <= before or asked > _ASKED:
                break
            if any(not lot.claims[place].meets & group for group in groups):
                continue
            asked += 1
            picks[train] = Pick(lot.numbers[place], scored(lot.claims[place], weights))
            if self.market.settle(tuple(picks)):
                self.keep(self._value(picks), tuple(picks))
                return True
        picks[train] = old
        return False

    def _value(self, picks: Sequence[Pick | None]) -> int:
        covered = value = 0
        for lot, pick in zip(self.lots, picks, strict=True):
            if pick:
                covered |= pick.scores
                value += lot.offer.claims[pick.claim].bonus
        return value + sum(self.worth[spot] for spot in bit_numbers(covered))

    def keep(self, value: int, picks: Picks) -> None:
        """Keep picks that are worth more than the best so far."""
        if value > self.value:
            self.value, self.picks = value, picks


class _Depth:
    """The search through all that the bound leaves in question, train by train."""

    def __init__(self, search: _Search) -> None:
        self.up = search
        self.bound = search.bound
        self.budget = search.budget
        left = search.market.prices.left()
        known = {id(lot): self._in_question(lot, left) for lot in dict.fromkeys(search.lots)}
        trains = range(len(search.lots))
        self.order = sorted(trains, key=lambda train: len(known[id(search.lots[train])][0]))
        self.kept = [known[id(search.lots[train])][0] for train in self.order]
        self.idle = [known[id(search.lots[train])][1] for train in self.order]
        self.overlaps = Table(left)
        self.worths = Table(search.worth)
        self.trial: list[Pick | None] = [None] * len(search.lots)

    def _in_question(self, lot: Lot, left: Sequence[int]) -> tuple[list[_Kept], int]:
        """Return the claims of a train that can be in a better plan, and what it costs the bound to be idle."""
        worths = lot.worths(left)
        top = max(0, max(worths, default=0))
        gap = self.bound - self.up.value
        kept: dict[tuple[int, int, int], _Kept] = {}
        for place, worth in enumerate(worths):
            if top - worth >= gap or not lot.offer.possible(lot.numbers[place]):
                continue
            claim = lot.claims[place]
            for scores, missed in ways_of(claim, left):
                slack = top - worth + missed
                if slack < gap:
                    kept.setdefault(
                        (scores, claim.bonus, claim.meets),
                        _Kept(slack, scores, claim.bonus, claim.meets, lot.numbers[place]),
                    )
        return sorted(kept.values()), top

    def search(self) -> None:
        """Go through the claims of the first train; what is left at the end of the budget stays unproven."""
        for place, kept in enumerate([*self.kept[0], None]):
            slack = kept.slack if kept else self.idle[0]
            if self.bound - slack <= self.up.value:
                continue
            self._take(0, place, 0, 0, 0, (self.up.market.anchor,))
            if self.budget.left < 0:
                self.bound = max(self.up.value, self.bound - slack, self.bound - self.idle[0])
                return
        self.bound = self.up.value

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
            groups = _merge(groups, kept.meets)
        if self.bound - missed <= self.up.value:
            return
        if depth + 1 < len(self.order):
            twins = self.kept[depth + 1] is self.kept[depth]
            self._go(depth + 1, place if twins else 0, covered, value, missed, groups)
        elif value > self.up.value and len(groups) == 1:
            picks = tuple(self.trial)
            if self.up.market.settle(picks):
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


def _merge(groups: tuple[int, ...], meets: int) -> tuple[int, ...]:
    """Return the parts of a plan after one more pick, which may hang some of them together."""
    apart = tuple(group for group in groups if not group & meets)
    for group in groups:
        if group & meets:
            meets |= group
    return (meets, *apart)
