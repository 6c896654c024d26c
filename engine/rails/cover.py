"""The best claim for each train where every spot pays but once, over all trains together.

Exact: a bound (``cover_bound``) leaves few claims in question, and a search
(``cover_depth``) settles those. Where too many are left the question is
divided by how a plan grows from the anchor: by the train that is there, and by its claim.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.rails.claims import Lot, Offer, Pick, Picks, Settle
from engine.rails.cover_bound import Budget, Market, Search
from engine.rails.cover_depth import Depth, Kept
from engine.rails.routes import bit_numbers

_SMALL = 400_000
_STARTS = 4


class Prices:
    """Prices of the spots that make the bound low: one search begins where another left them."""

    def __init__(self, worth: Sequence[int]) -> None:
        self.worth = list(worth)
        self.of = [0] * len(worth)


class Cover(NamedTuple):
    """The best found: its value and picks, and what no picks can exceed."""

    value: int
    picks: Picks
    bound: int


class Rules(NamedTuple):
    """Which picks are allowed: all hang together with the anchor by their ``meets``, and ``settle`` says yes."""

    anchor: int
    settle: Settle


def best_cover(offers: Sequence[Offer], rules: Rules, prices: Prices, floor: int, budget: Budget) -> Cover:
    """Find the picks worth most and more than ``floor``, and the bound that is proven.

    The bound equals the value when the answer is exact; where nothing beats
    the floor, value is the floor.

    Args:
        offers: one for each train, those of a kind one object, side by side.
        rules: which picks are allowed.
        prices: what spots are worth, and where to begin; they are left as good prices.
        floor: what must be beaten.
        budget: how long to search.
    """
    near = _near(offers, rules.anchor)
    lots = {
        id(offer): Lot(offer, [number for number, claim in enumerate(offer.claims) if claim.meets & near])
        for offer in dict.fromkeys(offers)
    }
    market = Market(tuple(lots[id(offer)] for offer in offers), prices.worth, prices.of, rules.settle, rules.anchor)
    whole = Search(market, floor, budget)
    whole.narrow(_STARTS)
    prices.of = whole.prices
    _finish(whole)
    return Cover(whole.value, whole.picks, max(whole.value, whole.bound))


def _near(offers: Sequence[Offer], anchor: int) -> int:
    """Return all bits that picks can hang together with the anchor by."""
    left = {claim.meets for offer in dict.fromkeys(offers) for claim in offer.claims}
    while found := [meets for meets in left if meets & anchor]:
        for meets in found:
            anchor |= meets
        left.difference_update(found)
    return anchor


def _finish(search: Search) -> None:
    """Settle what is left in question, at once if that is little, else divided by the train at the anchor."""
    if search.closed or search.budget.left < 0:
        return
    depth = Depth(search)
    if depth.size <= _SMALL:
        depth.search()
        search.bound = depth.bound
        return
    bound = search.value
    lots = search.lots
    for number, lot in enumerate(lots):
        if number and lots[number - 1] is lot:
            continue
        # The trains before it are not at the anchor, this one is; its twins may be.
        before = tuple(_off(one, search.market.anchor) for one in lots[:number])
        at = Lot(lot.offer, [one for one in lot.numbers if lot.offer.claims[one].meets & search.market.anchor])
        held = (*before, at, *lots[number + 1 :])
        part = Search(search.market._replace(lots=held, prices=search.prices), search.value, search.budget)
        part.narrow(1)
        _divide(part, number)
        search.keep(part.value, part.picks)
        bound = max(bound, part.bound)
    search.bound = min(search.bound, max(bound, search.value))


def _off(lot: Lot, anchor: int) -> Lot:
    """Return the claims that are not at the anchor."""
    return Lot(lot.offer, [one for one in lot.numbers if not lot.offer.claims[one].meets & anchor])


def _divide(part: Search, held: int) -> None:
    """Settle a part, at once if little is left in question, else claim by claim of the train that is held."""
    if part.closed or part.budget.left < 0:
        return
    depth = Depth(part)
    if depth.size <= _SMALL:
        depth.search()
        part.bound = depth.bound
        return
    bound, gone = part.value, set[int]()
    for number, ways in _by_claim(depth.of_train[held]).items():
        slack = ways[0].slack
        if part.bound - slack <= part.value:
            break
        if part.budget.left < 0:
            bound = max(bound, part.bound - slack)
            break
        if part.lots[held].offer.possible(number):
            for kept in ways:
                bound = max(bound, min(part.bound - kept.slack, _with(part, held, kept, gone)))
        gone.add(number)
    part.bound = max(bound, part.value)


def _by_claim(kept: Sequence[Kept]) -> dict[int, list[Kept]]:
    """Return the ways to score each claim, the best first."""
    claims: dict[int, list[Kept]] = {}
    for one in kept:
        claims.setdefault(one.number, []).append(one)
    return claims


def _with(part: Search, held: int, kept: Kept, gone: set[int]) -> int:
    """Search on with one train's pick fixed, its twins without the claims that are done; return the bound."""
    pick, market = Pick(kept.number, kept.scores), part.market

    def whole(picks: Picks) -> Picks:
        return (*picks[:held], pick, *picks[held:])

    worth = [0 if kept.scores >> spot & 1 else value for spot, value in enumerate(part.worth)]
    base = kept.bonus + sum(part.worth[spot] for spot in bit_numbers(kept.scores))
    prices = [min(pair) for pair in zip(part.prices, worth, strict=True)]
    offer = part.lots[held].offer
    lots = dict.fromkeys(part.lots[:held] + part.lots[held + 1 :])
    fresh = {lot: _less(lot, gone) if lot.offer is offer and gone else lot for lot in lots}
    rest = tuple(fresh[lot] for lot in part.lots[:held] + part.lots[held + 1 :])
    alone = whole((None,) * len(rest))
    if base > part.value and market.settle(alone):
        part.keep(base, alone)
    if not rest:
        return part.value
    below = Market(rest, worth, prices, lambda picks: market.settle(whole(picks)), market.anchor | kept.meets)
    search = Search(below, part.value - base, part.budget)
    search.narrow(1)
    _finish(search)
    if search.value + base > part.value:
        part.keep(search.value + base, whole(search.picks))
    return search.bound + base


def _less(lot: Lot, gone: set[int]) -> Lot:
    """Return a lot without some of its claims."""
    return Lot(lot.offer, [one for one in lot.numbers if one not in gone])
