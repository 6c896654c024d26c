"""The best claim for each train where every spot pays but once, over all trains together.

Exact: a Lagrangian bound (``lagrangian_bound``) leaves few claims in question, and a branch
and bound over them (``branch_and_bound``) settles those. Where too many are left the question is
divided by how a plan grows from the anchor: by the train that is there, and by its claim.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.rails.branch_and_bound import BranchAndBound, OpenClaim
from engine.rails.claims import ClaimSet, Pick, Picks, Settle, Shortlist, spread_connections
from engine.rails.lagrangian_bound import Budget, CoverageProblem, Search
from engine.rails.routes import list_bits

_STARTS = 4
_ROUNDS = 6
"""Of tightening the bound of a part, which begins with the prices of the whole."""


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
    """Which picks are allowed: all are connected with the anchor by their ``meets``, and ``settle`` says yes."""

    anchor: int
    settle: Settle


def find_best_coverage(
    claim_sets: Sequence[ClaimSet], rules: Conditions, prices: Prices, floor: int, budget: Budget
) -> Coverage:
    """Find the picks worth most and more than ``floor``, and the bound that is proven.

    The bound equals the value when the answer is exact; where nothing beats
    the floor, value is the floor.

    Args:
        claim_sets: one for each train, those of a kind one object, side by side.
        rules: which picks are allowed.
        prices: what spots are worth, and where to begin; they are left as good prices.
        floor: what must be beaten.
        budget: how long to search.
    """
    whole_of = {id(one): Shortlist(one, range(len(one.claims))) for one in dict.fromkeys(claim_sets)}
    near = spread_connections(whole_of.values(), rules.anchor, len(claim_sets) - 1)
    shortlists = {key: shortlist.keep_meeting(near) for key, shortlist in whole_of.items()}
    problem = CoverageProblem(
        tuple(shortlists[id(claim_set)] for claim_set in claim_sets),
        prices.worth,
        prices.of,
        rules.settle,
        rules.anchor,
    )
    whole = Search(problem, floor, budget)
    whole.narrow_gap(_STARTS)
    prices.of = whole.prices
    _branch_by_train(whole)
    return Coverage(whole.value, whole.picks, max(whole.value, whole.bound))


def _branch_by_train(search: Search) -> None:
    """Settle what is left in question, at once if that is little, else divided by the train at the anchor."""
    if search.is_over:
        return
    depth = BranchAndBound(search)
    if depth.is_small:
        search.bound = depth.search()
        return
    bound = search.value
    shortlists = search.shortlists = _list_open_claims(search, depth)
    for number, shortlist in enumerate(shortlists):
        if number and shortlists[number - 1] is shortlist:
            continue
        # The trains before it are not at the anchor, this one is; its twins may be.
        before = [one.select_apart_from(search.problem.anchor) for one in shortlists[:number]]
        held = (*before, shortlist.select_meeting(search.problem.anchor), *shortlists[number + 1 :])
        part = Search(search.problem._replace(shortlists=held, prices=search.prices), search.value, search.budget)
        part.tighten_bound(_ROUNDS)
        _branch_by_claim(part, number)
        search.keep_if_better(part.value, part.picks)
        bound = max(bound, part.bound)
    search.bound = min(search.bound, max(bound, search.value))


def _list_open_claims(search: Search, depth: BranchAndBound) -> tuple[Shortlist, ...]:
    """Return the claims of each train that the bound leaves in question, which no part needs to weigh others beside."""
    kept = {
        shortlist: Shortlist(shortlist.claim_set, sorted({one.number for one in ways}))
        for shortlist, ways in zip(search.shortlists, depth.of_train, strict=True)
    }
    return tuple(kept[shortlist] for shortlist in search.shortlists)


def _branch_by_claim(part: Search, held: int) -> None:
    """Settle a part, at once if little is left in question, else claim by claim of the train that is held."""
    if part.is_over:
        return
    depth = BranchAndBound(part)
    if depth.is_small:
        part.bound = depth.search()
        return
    part.shortlists = _list_open_claims(part, depth)
    bound, gone = part.value, set[int]()
    for number, ways in _group_by_claim(depth.of_train[held]).items():
        slack = ways[0].slack
        if part.bound - slack <= part.value:
            break
        if part.budget.is_spent:
            bound = max(bound, part.bound - slack)
            break
        if part.shortlists[held].claim_set.is_possible(number):
            for kept in ways:
                bound = max(bound, min(part.bound - kept.slack, _fix_claim(part, held, kept, gone)))
        gone.add(number)
    part.bound = max(bound, part.value)


def _group_by_claim(kept: Sequence[OpenClaim]) -> dict[int, list[OpenClaim]]:
    """Return the ways to score each claim, the best first."""
    claims: dict[int, list[OpenClaim]] = {}
    for one in kept:
        claims.setdefault(one.number, []).append(one)
    return claims


def _fix_claim(part: Search, held: int, kept: OpenClaim, gone: set[int]) -> int:
    """Search on with one train's pick fixed, its twins without the claims that are done; return the bound."""
    pick, problem = Pick(kept.number, kept.scores), part.problem

    def whole(picks: Picks) -> Picks:
        return (*picks[:held], pick, *picks[held:])

    worth = [0 if kept.scores >> spot & 1 else value for spot, value in enumerate(part.worth)]
    base = kept.bonus + sum(part.worth[spot] for spot in list_bits(kept.scores))
    prices = [min(pair) for pair in zip(part.prices, worth, strict=True)]
    claim_set = part.shortlists[held].claim_set
    shortlists = dict.fromkeys(part.shortlists[:held] + part.shortlists[held + 1 :])
    fresh = {
        shortlist: shortlist.without(gone) if shortlist.claim_set is claim_set and gone else shortlist
        for shortlist in shortlists
    }
    near = spread_connections(fresh.values(), problem.anchor | kept.meets, len(part.shortlists) - 2)
    fresh = {shortlist: less.keep_meeting(near) for shortlist, less in fresh.items()}
    rest = tuple(fresh[shortlist] for shortlist in part.shortlists[:held] + part.shortlists[held + 1 :])
    alone = whole((None,) * len(rest))
    if base > part.value and problem.settle(alone):
        part.keep_if_better(base, alone)
    if not rest:
        return part.value
    below = CoverageProblem(
        rest, worth, prices, lambda picks: problem.settle(whole(picks)), problem.anchor | kept.meets
    )
    search = Search(below, part.value - base, part.budget)
    search.tighten_bound(_ROUNDS)
    _branch_by_train(search)
    if search.value + base > part.value:
        part.keep_if_better(search.value + base, whole(search.picks))
    return search.bound + base
