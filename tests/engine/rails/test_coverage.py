"""The best claims on spots that pay but once, against trying all of them."""

from collections.abc import Sequence
from itertools import count, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.rails.branch_and_bound
from engine.rails.branch_and_bound import BranchAndBound
from engine.rails.claims import Claim, ClaimSet, Pick, Picks, Settle, Shortlist
from engine.rails.coverage import Conditions, Coverage, Prices, find_best_coverage
from engine.rails.lagrangian_bound import Budget, CoverageProblem, Search

SPOTS = 6
HOME = 1

claims = st.builds(
    lambda pays, bonus, drop: Claim(pays, pays if drop and pays & (pays - 1) else 0, bonus, pays | 1 << SPOTS),
    st.integers(1, (1 << SPOTS) - 1),
    st.integers(0, 4),
    st.booleans(),
)


def trains_of(kinds: int, most: int) -> st.SearchStrategy[list[list[Claim]]]:
    """Return so many kinds of trains at most, each with so many claims."""
    return st.lists(st.lists(claims, min_size=1, max_size=most), min_size=1, max_size=kinds)


def ways(claim: Claim) -> list[int]:
    spots = [1 << spot for spot in range(SPOTS) if claim.drops >> spot & 1]
    return [claim.pays & ~spot for spot in spots] or [claim.pays]


def is_connected(meets: Sequence[int], anchor: int) -> bool:
    left = list(meets)
    while near := [one for one in left if one & anchor]:
        left = [one for one in left if not one & anchor]
        for one in near:
            anchor |= one
    return not left


def all_plans(claim_sets: Sequence[ClaimSet]) -> list[Picks]:
    choices = [
        [None, *(Pick(n, scores) for n, claim in enumerate(claim_set.claims) for scores in ways(claim))]
        for claim_set in claim_sets
    ]
    return list(product(*choices))


def value(claim_sets: Sequence[ClaimSet], worth: Sequence[int], picks: Picks) -> int:
    covered = total = 0
    for claim_set, pick in zip(claim_sets, picks, strict=True):
        if pick:
            covered |= pick.scores
            total += claim_set.claims[pick.claim].bonus
    return total + sum(worth[spot] for spot in range(SPOTS) if covered >> spot & 1)


def meets_of(claim_sets: Sequence[ClaimSet], picks: Picks) -> list[int]:
    return [claim_set.claims[pick.claim].meets for claim_set, pick in zip(claim_sets, picks, strict=True) if pick]


def by_spots(given: Sequence[Claim]) -> ClaimSet:
    """Return an claim set whose claims meet where they pay."""
    return ClaimSet([claim._replace(meets=claim.pays) for claim in given])


@settings(max_examples=150, deadline=None)
@given(
    kinds=trains_of(2, 5) | trains_of(3, 1),
    twins=st.booleans(),
    worth=st.lists(st.integers(1, 9), min_size=SPOTS, max_size=SPOTS),
    odd=st.booleans(),
    small=st.sampled_from((0, 4, 1000)),
)
def test_as_good_as_trying_all(
    *, kinds: list[list[Claim]], twins: bool, worth: list[int], odd: bool, small: int
) -> None:
    """The value is that of the best plan that is allowed, and it is proven, however the search is divided."""
    claim_sets = [by_spots(kind) for kind in kinds]
    claim_sets = [claim_sets[0], *claim_sets] if twins else claim_sets

    def settle(picks: Picks) -> bool:
        # An extra rule: the first two claims of a set never run beside each other.
        clash = odd and sorted(pick.claim for pick in picks if pick and pick.claim < 2) == [0, 1]
        return not clash and is_connected(meets_of(claim_sets, picks), HOME)

    best = max(value(claim_sets, worth, picks) for picks in all_plans(claim_sets) if settle(picks))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine.rails.branch_and_bound, "MAX_SIZE_AT_ONCE", small)
        cover = find_best_coverage(claim_sets, Conditions(HOME, settle), Prices(worth), 0, Budget(100_000))
    assert (cover.value, cover.bound) == (best, best)
    if best:
        assert settle(cover.picks)
        assert value(claim_sets, worth, cover.picks) == best


def cut_off(claim_sets: Sequence[ClaimSet], worth: Sequence[int], hidden: Picks) -> Coverage:
    """Search, divided and with too small a budget, where only one plan is allowed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine.rails.branch_and_bound, "MAX_SIZE_AT_ONCE", 0)
        return find_best_coverage(
            claim_sets, Conditions(HOME, lambda picks: picks == hidden), Prices(worth), 0, Budget(10_000)
        )


def test_a_part_that_is_cut_off_keeps_its_bound() -> None:
    """The bound is the greatest of all parts': what the first part left open is not closed by a poor last part."""
    many = ClaimSet([Claim(1 << spot, 0, 0, HOME) for spot in range(60)])
    poor = ClaimSet([Claim(1 << 60, 0, 0, HOME)])
    hidden = (Pick(31, 1 << 31), Pick(57, 1 << 57), None)
    cover = cut_off([many, many, poor], [10] * 60 + [1], hidden)
    assert cover.value in {0, 20}
    assert cover.bound >= 20


def test_a_way_that_is_cut_off_keeps_its_bound() -> None:
    """Of a claim that may score one spot or the other, the better way stays open when the poorer one is closed."""
    either = ClaimSet([Claim(0b11, 0b11, 0, HOME)])
    many = ClaimSet([Claim(0b100 << spot, 0, 0, HOME) for spot in range(60)])
    hidden = (Pick(0, 0b01), Pick(31, 0b100 << 31), Pick(57, 0b100 << 57))
    cover = cut_off([either, many, many], [100, 10] + [10] * 60, hidden)
    assert cover.value in {0, 120}
    assert cover.bound >= 120


def test_a_bound_without_a_budget() -> None:
    """Without a budget the bound still holds."""
    claim_sets = [by_spots([Claim(0b11, 0, 0, 0), Claim(0b110, 0, 0, 0)])] * 2
    cover = find_best_coverage(claim_sets, Conditions(HOME, lambda _: False), Prices([5, 5, 5]), 0, Budget(-1))
    assert cover.value == 0
    assert cover.bound >= 15


def test_nothing_beats_the_floor() -> None:
    """A floor that cannot be beaten is returned, with no picks."""
    claim_sets = [by_spots([Claim(0b1, 0, 0, 0)])]
    cover = find_best_coverage(claim_sets, Conditions(HOME, lambda _: True), Prices([5]), 7, Budget(100))
    assert (cover.value, cover.picks, cover.bound) == (7, (None,), 7)


@pytest.mark.parametrize("budget", [0, 150, 200, 500, 2000])
@pytest.mark.parametrize("worth", [[10] * 60, list(range(100, 40, -1))])
def test_a_search_that_is_cut_off_never_loosens_its_bound(budget: int, worth: list[int]) -> None:
    """Two trains never earn more than the two best spots, wherever the search ends."""
    many = ClaimSet([Claim(1 << spot, 0, 0, HOME) for spot in range(60)])
    hidden = (Pick(31, 1 << 31), Pick(57, 1 << 57))
    allowed = Conditions(HOME, lambda picks: picks == hidden)
    unsearched = find_best_coverage([many, many], allowed, Prices(worth), 0, Budget(-1)).bound
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine.rails.branch_and_bound, "MAX_SIZE_AT_ONCE", 10**9)  # all in one, not divided
        cover = find_best_coverage([many, many], allowed, Prices(worth), 0, Budget(budget))
    assert cover.value in {0, worth[31] + worth[57]}
    assert worth[31] + worth[57] <= cover.bound <= unsearched


def make_search(settle: Settle, kinds: Sequence[ClaimSet], worth: Sequence[int], budget: int = 10**6) -> Search:
    """Return a question before anything was looked for."""
    lists = {id(kind): Shortlist(kind, range(len(kind.claims))) for kind in kinds}
    problem = CoverageProblem(tuple(lists[id(kind)] for kind in kinds), list(worth), [0] * len(worth), settle, HOME)
    return Search(problem, 0, Budget(budget))


@pytest.mark.parametrize("twins", [1, 2])
def test_nothing_is_proven_that_was_not_looked_at(twins: int) -> None:
    """After whatever number of tries the search ends: a plan that it did not come to is within its bound."""
    few, many = (ClaimSet([Claim(1 << spot, 0, 0, HOME) for spot in spots]) for spots in (range(3), range(3, 8)))
    hidden = {Pick(0, 1), *(Pick(place, 8 << place) for place in (1, 3)[:twins])}
    best = 100 + 10 * twins  # the most there is, and only the first spot brings so much
    for tries in count():
        search = make_search(lambda picks: set(picks) == hidden, [few, *[many] * twins], [100, *[10] * 7])
        search.tighten_bound()
        rest = BranchAndBound(search)
        search.budget.left = tries
        assert rest.search() >= best
        if not search.budget.is_spent:
            break
    assert search.value == best


def test_a_budget_is_spent_when_more_was_tried_than_it_has() -> None:
    """Weighing claims costs an eighth of a try each, and something by itself."""
    budget = Budget(96)
    budget.charge(64)
    budget.charge(64)
    assert not budget.is_spent
    budget.charge(0)
    assert budget.is_spent


def test_a_local_search_asks_two_hundred_times_for_a_train_at_most() -> None:
    """Where nothing is allowed: the search that follows asks for what may still be better."""
    tried: list[Picks] = []

    def refuse(picks: Picks) -> bool:
        tried.append(picks)
        return False

    many = ClaimSet([Claim(1 << spot, 0, 0, HOME) for spot in range(300)])
    make_search(refuse, [many], range(300, 0, -1)).search_locally(1)
    assert tried == [(Pick(spot, 1 << spot),) for spot in range(200)], "the best first"
