"""The best claim for each train where every spot pays but once, over all trains together.

A claim is a set of spots that one run can score, with a bonus. Exact: prices
on the spots (Lagrange multipliers) bound the whole from above and leave few
claims in question; a depth-first search settles those.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from operator import add, sub
from typing import NamedTuple

from engine.rails.routes import bit_numbers

_CHUNK = 11
_LOW = (1 << _CHUNK) - 1
_NEVER = 1 << 80
_PATIENCE = 6


class Claim(NamedTuple):
    """What one run can score.

    Args:
        pays: bits of spots. drops: bits of the spots of which one must be left out, 0 if none must.
        bonus: paid on top. meets: bits by which it can hang together with others.
    """

    pays: int
    drops: int
    bonus: int
    meets: int


class Pick(NamedTuple):
    """A claim of a train by its number in the offer, and the bits of the spots it scores."""

    claim: int
    scores: int


Picks = tuple[Pick | None, ...]
"""For each offer its claim, ``None`` for a train that stays idle."""

Settle = Callable[[Picks], bool]
"""Tells whether picks are allowed together."""


class Offer:
    """The claims of one kind of train."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.claims = sorted(claims, key=lambda claim: claim.drops != 0)
        self.firm = sum(1 for claim in self.claims if not claim.drops)

    @cached_property
    def bonuses(self) -> list[int]:
        """The bonus of each claim."""
        return [claim.bonus for claim in self.claims]

    @cached_property
    def _pays(self) -> "_Columns":
        return _Columns([claim.pays for claim in self.claims])

    @cached_property
    def _drops(self) -> "_Columns":
        return _Columns([claim.drops for claim in self.claims[self.firm :]])

    def worths(self, weights: Sequence[int]) -> list[int]:
        """Return what each claim is worth if spots have these weights, the least one dropped where one must be."""
        worths = self.bonuses
        for weights_of, column in self._pays.read(weights):
            worths = list(map(add, worths, map(_sums(weights_of).__getitem__, column)))
        if self.firm == len(self.claims):
            return worths
        least = [_NEVER] * (len(self.claims) - self.firm)
        for weights_of, column in self._drops.read(weights):
            least = list(map(min, least, map(_leasts(weights_of).__getitem__, column)))
        return worths[: self.firm] + list(map(sub, worths[self.firm :], least))


class _Columns:
    """Masks cut into columns of a few bits each, of those bits alone that any mask has."""

    def __init__(self, masks: Sequence[int]) -> None:
        used = 0
        for mask in masks:
            used |= mask
        self.spots = bit_numbers(used)
        places = {spot: place for place, spot in enumerate(self.spots)}
        new = [1 << places[spot] if spot in places else 0 for spot in range(used.bit_length())]
        tables = [_sums(new[place : place + _CHUNK]) for place in range(0, len(new), _CHUNK)]
        dense = [_total(tables, mask) for mask in masks]
        self.columns = [[mask >> place & _LOW for mask in dense] for place in range(0, len(self.spots), _CHUNK)]

    def read(self, weights: Sequence[int]) -> Iterator[tuple[list[int], list[int]]]:
        """Yield the weights of each column's bits, and the column."""
        for number, column in enumerate(self.columns):
            yield [weights[spot] for spot in self.spots[number * _CHUNK : (number + 1) * _CHUNK]], column


def _sums(weights: Sequence[int]) -> list[int]:
    """Return the sum of the weights for every set of them, by its bits."""
    table = [0]
    for weight in weights:
        table += [one + weight for one in table]
    return table


def _leasts(weights: Sequence[int]) -> list[int]:
    """Return the least of the weights for every set of them, by its bits."""
    table = [_NEVER]
    for weight in weights:
        table += [one if one < weight else weight for one in table]
    return table


def _scored(claim: Claim, weights: Sequence[int]) -> int:
    """Return the bits a claim scores if spots have these weights."""
    if not claim.drops:
        return claim.pays
    dropped = min(bit_numbers(claim.drops), key=lambda spot: (weights[spot], spot))
    return claim.pays & ~(1 << dropped)


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
    search = _Search(market, floor, budget)
    search.lower_bound()
    if search.bound > search.value:
        search.climb()
        search.lower_bound()
        search.exhaust()
    return Cover(search.value, search.picks, max(search.value, search.bound))


class _Kept(NamedTuple):
    """A claim that may be in a better plan: what it misses of the bound, what it scores, its bonus."""

    slack: int
    scores: int
    bonus: int
    meets: int
    number: int


class _Search:
    def __init__(self, market: Market, floor: int, budget: Budget) -> None:
        self.market = market
        self.offers = market.offers
        self.worth = market.prices.worth
        self.budget = budget
        self.value = floor
        self.picks: Picks = (None,) * len(self.offers)
        self.trial: list[Pick | None] = [None] * len(self.offers)
        self.bound = _NEVER
        self.kept: list[list[_Kept]] = []
        self.idle: list[int] = []

    # --- the bound -------------------------------------------------------------------------

    def lower_bound(self, rounds: int = 60) -> None:
        """Move the prices until the bound sinks no more."""
        prices = self.market.prices
        kinds = list(dict.fromkeys(self.offers))
        many = [self.offers.count(offer) for offer in kinds]
        trial, best, stale, pace = list(prices.of), list(prices.of), 0, 1.0
        for _ in range(rounds):
            left = list(map(sub, self.worth, trial))
            bound, excess = sum(trial), [-1] * len(trial)
            for offer, count in zip(kinds, many, strict=True):
                worths = offer.worths(left)
                top = max(worths, default=0)
                if top <= 0:
                    continue
                bound += count * top
                for spot in bit_numbers(_scored(offer.claims[worths.index(top)], left)):
                    excess[spot] += count
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

    # --- a good plan to begin with -----------------------------------------------------------

    def climb(self) -> None:
        """Find a good plan: each train in turn takes what is best beside the others, until none gains."""
        for first in range(len(self.offers)):
            picks: list[Pick | None] = [None] * len(self.offers)
            order = [*range(first, len(self.offers)), *range(first)]
            gained = True
            while gained:
                gained = sum(self._improve(picks, train) for train in order) > 0

    def _improve(self, picks: list[Pick | None], train: int) -> bool:
        """Give one train what is best beside the others; tell whether that gained."""
        others = [pick for number, pick in enumerate(picks) if pick and number != train]
        covered = 0
        for pick in others:
            covered |= pick.scores
        weights = [0 if covered >> spot & 1 else worth for spot, worth in enumerate(self.worth)]
        offer, old = self.offers[train], picks[train]
        worths = offer.worths(weights)
        before = worths[old.claim] if old else 0
        for number in sorted(range(len(worths)), key=worths.__getitem__, reverse=True)[:60]:
            if worths[number] <= before:
                return False
            picks[train] = Pick(number, _scored(offer.claims[number], weights))
            if self.market.settle(tuple(picks)):
                self._keep(self._value(picks), tuple(picks))
                return True
        picks[train] = old
        return False

    def _value(self, picks: Sequence[Pick | None]) -> int:
        covered = value = 0
        for offer, pick in zip(self.offers, picks, strict=True):
            if pick:
                covered |= pick.scores
                value += offer.claims[pick.claim].bonus
        return value + sum(self.worth[spot] for spot in bit_numbers(covered))

    def _keep(self, value: int, picks: Picks) -> None:
        if value > self.value:
            self.value, self.picks = value, picks

    # --- what is left in question ------------------------------------------------------------

    def exhaust(self) -> None:
        """Try all picks that the bound leaves in question; lower the bound to what is proven."""
        if self.bound <= self.value:
            return
        left = self.market.prices.left()
        known: dict[int, tuple[list[_Kept], int]] = {}
        for offer in self.offers:
            if id(offer) not in known:
                known[id(offer)] = self._in_question(offer, left)
        order = sorted(range(len(self.offers)), key=lambda train: len(known[id(self.offers[train])][0]))
        self.order = order
        self.kept = [known[id(self.offers[train])][0] for train in order]
        self.idle = [known[id(self.offers[train])][1] for train in order]
        self.overlaps = [_sums(left[place : place + _CHUNK]) for place in range(0, len(left), _CHUNK)]
        self.worths = [_sums(self.worth[place : place + _CHUNK]) for place in range(0, len(left), _CHUNK)]
        self._top()

    def _in_question(self, offer: Offer, left: Sequence[int]) -> tuple[list[_Kept], int]:
        """Return the claims of a train that can be in a better plan, and what it costs the bound to be idle."""
        worths = offer.worths(left)
        top = max(0, max(worths, default=0))
        gap = self.bound - self.value
        kept: dict[tuple[int, int, int], _Kept] = {}
        for number, worth in enumerate(worths):
            if top - worth >= gap:
                continue
            claim = offer.claims[number]
            for scores, missed in _ways(claim, left):
                slack = top - worth + missed
                key = (scores, claim.bonus, claim.meets)
                if slack < gap and key not in kept:
                    kept[key] = _Kept(slack, scores, claim.bonus, claim.meets, number)
        return sorted(kept.values()), top

    def _top(self) -> None:
        """Go through the claims of the first train; what is left at the end of the budget stays unproven."""
        ceiling = self.bound
        for kept in chain(self.kept[0], (None,)):
            slack = kept.slack if kept else self.idle[0]
            if ceiling - slack <= self.value:
                if kept:
                    continue
                break
            self.ceiling = ceiling
            self._take(0, kept, 0, 0, 0, (self.market.anchor,))
            if self.budget.left < 0:
                self.bound = ceiling if kept is None else max(ceiling - slack, ceiling - self.idle[0])
                return
        self.bound = self.value

    def _take(
        self, depth: int, kept: _Kept | None, covered: int, value: int, missed: int, groups: tuple[int, ...]
    ) -> None:
        """Give a train a claim, or none, and go on with the next."""
        if kept is None:
            self.trial[self.order[depth]] = None
            missed += self.idle[depth]
        else:
            self.trial[self.order[depth]] = Pick(kept.number, kept.scores)
            missed += kept.slack + _total(self.overlaps, kept.scores & covered)
            value += kept.bonus + _total(self.worths, kept.scores & ~covered)
            covered |= kept.scores
            groups = _merge(groups, kept.meets)
        if self.ceiling - missed <= self.value:
            return
        if depth + 1 == len(self.order):
            if value > self.value and len(groups) == 1:
                picks = tuple(self.trial)
                if self.market.settle(picks):
                    self._keep(value, picks)
            return
        self._go(depth + 1, covered, value, missed, groups)

    def _go(self, depth: int, covered: int, value: int, missed: int, groups: tuple[int, ...]) -> None:
        """Try the claims of a train while they may lead to a better plan."""
        last = depth + 1 == len(self.order)
        for kept in self.kept[depth]:
            if self.ceiling - missed - kept.slack <= self.value:
                break
            self.budget.left -= 1
            if self.budget.left < 0:
                return
            if last:
                if any(not kept.meets & group for group in groups):
                    continue
                if value + kept.bonus + _total(self.worths, kept.scores & ~covered) <= self.value:
                    continue
            self._take(depth, kept, covered, value, missed, groups)
        if self.ceiling - missed - self.idle[depth] > self.value:
            self._take(depth, None, covered, value, missed, groups)


def _ways(claim: Claim, left: Sequence[int]) -> list[tuple[int, int]]:
    """Return what a claim can score, with what each way misses of the claim's worth."""
    if not claim.drops:
        return [(claim.pays, 0)]
    spots = bit_numbers(claim.drops)
    least = min(left[spot] for spot in spots)
    return [(claim.pays & ~(1 << spot), left[spot] - least) for spot in spots]


def _total(tables: Sequence[Sequence[int]], mask: int) -> int:
    total = number = 0
    while mask:
        total += tables[number][mask & _LOW]
        mask >>= _CHUNK
        number += 1
    return total


def _merge(groups: tuple[int, ...], meets: int) -> tuple[int, ...]:
    """Return the parts of a plan after one more pick, which may hang some of them together."""
    apart = tuple(group for group in groups if not group & meets)
    for group in groups:
        if group & meets:
            meets |= group
    return (meets, *apart)
