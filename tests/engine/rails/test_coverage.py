"""The best claims on spots that pay but once, against trying all of them."""

from collections.abc import Callable, Sequence
from itertools import product
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rails import spot_search
from engine.rails.choices import Chosen
from engine.rails.claims import Claim, ClaimSet, Picks, Settle
from engine.rails.coverage import Conditions, Coverage, CoverageSearch, Prices
from engine.rails.lagrangian_bound import NEVER, Budget, Relaxation

SPOTS = 6
HOME = 1
NO_FLOOR = (0, False)


def make_claim(pays: int, bonus: int, *, drop: bool, unpaid: int) -> Claim:
    """Return a claim that meets others where it pays and at spots that it only passes."""
    drops = pays if drop and pays & (pays - 1) else 0
    return Claim(pays, drops, bonus, pays | unpaid, pays | unpaid, pays | unpaid)


claims = st.builds(
    make_claim,
    st.integers(1, (1 << SPOTS) - 1),
    st.integers(0, 4),
    drop=st.booleans(),
    unpaid=st.sampled_from((0, 0, 0b100, 0b1010)),
)


def trains_of(kinds: int, most: int) -> st.SearchStrategy[list[list[Claim]]]:
    """Return so many kinds of trains at most, each with so many claims."""
    return st.lists(st.lists(claims, min_size=1, max_size=most), min_size=1, max_size=kinds)


def credit_pay(claim_set: ClaimSet) -> ClaimSet:
    """Return claims that have to their credit what they pay alone, and hang on no other."""
    return ClaimSet([claim._replace(credit=claim.pays, hangs=claim.drops) for claim in claim_set.claims])


def is_connected(meets: Sequence[int], anchor: int) -> bool:
    left = list(meets)
    while near := [one for one in left if one & anchor]:
        left = [one for one in left if not one & anchor]
        for one in near:
            anchor |= one
    return not left


def list_picked(claim_sets: Sequence[ClaimSet], picks: Picks) -> list[Claim]:
    pairs = zip(claim_sets, picks, strict=True)
    return [claim_set.claims[pick] for claim_set, pick in pairs if pick is not None]


def find_value(claim_sets: Sequence[ClaimSet], worth: Sequence[int], picks: Picks) -> int:
    """Return what picks are worth if each leaves out the spot that suits all best."""
    picked = list_picked(claim_sets, picks)
    ways = [
        [claim.pays & ~(1 << spot) for spot in range(SPOTS) if claim.drops >> spot & 1] or [claim.pays]
        for claim in picked
    ]
    best = 0
    for scores in product(*ways):
        covered = [spot for spot in range(SPOTS) if any(one >> spot & 1 for one in scores)]
        best = max(best, sum(worth[spot] for spot in covered))
    return best + sum(claim.bonus for claim in picked)


def find_best(
    claim_sets: Sequence[ClaimSet], rules: Conditions, worth: Sequence[int], budget: int = 1_000_000
) -> Coverage:
    """Look for a first plan, then for the best."""
    search = CoverageSearch(claim_sets, rules, Prices(worth), Budget(budget))
    first = search.look(NO_FLOOR)
    last = search.finish((first.value, False))
    assert first.value <= last.value <= last.bound
    return last


@settings(max_examples=200, deadline=None)
@given(
    kinds=trains_of(2, 5) | trains_of(3, 2),
    twins=st.booleans(),
    worth=st.lists(st.integers(1, 9), min_size=SPOTS, max_size=SPOTS),
    odd=st.booleans(),
    hanging=st.booleans(),
)
def test_as_good_as_trying_all(
    *, kinds: list[list[Claim]], twins: bool, worth: list[int], odd: bool, hanging: bool
) -> None:
    """The value is that of the best plan that is allowed, and it is proven, whatever claims have to their credit."""
    claim_sets = [ClaimSet(kind) if hanging else credit_pay(ClaimSet(kind)) for kind in kinds]
    claim_sets = [claim_sets[0], *claim_sets] if twins else claim_sets

    def settle(picks: Picks) -> bool:
        # An extra rule: the first two claims of a set never run beside each other.
        clash = odd and sorted(pick for pick in picks if pick is not None and pick < 2) == [0, 1]
        return not clash and is_connected([claim.meets for claim in list_picked(claim_sets, picks)], HOME)

    plans = product(*([None, *range(len(claim_set.claims))] for claim_set in claim_sets))
    best = max(find_value(claim_sets, worth, picks) for picks in plans if settle(picks))
    cover = find_best(claim_sets, Conditions(HOME, settle, hanging), worth)
    assert (cover.value, cover.bound) == (best, best)
    if best:
        assert settle(cover.picks)
        assert find_value(claim_sets, worth, cover.picks) == best


@settings(max_examples=60, deadline=None)
@given(
    kinds=trains_of(2, 5) | trains_of(3, 2),
    counts=st.lists(st.integers(1, 2), min_size=3, max_size=3),
    worth=st.lists(st.integers(1, 9), min_size=SPOTS, max_size=SPOTS),
    tries=st.sampled_from((1, 10, 10**6)),
)
def test_spot_by_spot_the_best_is_found_too(
    kinds: list[list[Claim]], counts: list[int], worth: list[int], tries: int
) -> None:
    """The value is that of the best plan that is connected, however soon choices get prices of their own."""
    groups = [(ClaimSet(kind), count) for kind, count in zip(kinds, counts, strict=False)]
    claim_sets = [claim_set for claim_set, count in groups for _ in range(count)]
    plans = product(*([None, *range(len(claim_set.claims))] for claim_set in claim_sets))
    best = max(
        find_value(claim_sets, worth, picks)
        for picks in plans
        if is_connected([claim.meets for claim in list_picked(claim_sets, picks)], HOME)
    )
    found: list[tuple[int, Chosen]] = [(0, ())]

    def keep(value: int, chosen: Chosen) -> None:
        claims = [groups[kind][0].claims[number] for kind, number in chosen]
        assert is_connected([claim.meets for claim in claims], HOME)
        assert find_value([ClaimSet([claim]) for claim in claims], worth, (0,) * len(claims)) == value
        found.append((value, chosen))

    with patch.object(spot_search, "MAX_TRIES_AT_OLD_PRICES", tries):
        search = spot_search.SpotSearch(groups, worth, Budget(10**6), lambda: found[-1][0] + 1)
        assert search.search(HOME, (), [0] * SPOTS, NEVER, keep) == 0
    assert found[-1][0] == best


def make_hub(spots: Sequence[int]) -> ClaimSet:
    """Return claims that all meet at the anchor, and pay a spot each."""
    return ClaimSet([Claim(1 << spot, 0, 0, HOME, 1 << spot | HOME, HOME) for spot in spots])


def test_of_claims_that_stay_apart_only_one_is_taken() -> None:
    claim_sets = [ClaimSet([claim._replace(apart=1) for claim in make_hub([1, 2]).claims])] * 2
    cover = find_best(claim_sets, Conditions(HOME, lambda _: True), [0, 5, 7])
    assert (cover.value, cover.bound) == (7, 7)


def test_a_claim_that_cannot_be_run_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ClaimSet, "is_possible", lambda _, number: number != 1)
    assert find_best([make_hub([1, 2])], Conditions(HOME, lambda _: True), [0, 5, 7]).value == 5


def test_a_plan_that_matters_no_more_ends_the_search() -> None:
    """What is worth less than the next ten is not looked for once all trains run."""
    goal: Callable[[int, bool], int] = lambda value, all_run: (value // 10 + 1) * 10 if all_run else value + 1  # noqa: E731
    rules = Conditions(HOME, lambda _: True, find_goal=goal)
    search = CoverageSearch([make_hub([1, 2])], rules, Prices([0, 15, 17]), Budget(1000))
    cover = search.finish((15, True))
    assert (cover.value, cover.picks, cover.bound) == (15, (None,), 15)


def test_a_plan_as_good_as_the_bound_is_looked_for() -> None:
    """The first look finds what is worth one more than the floor, if the bound allows no more."""
    search = CoverageSearch([make_hub([1])], Conditions(HOME, lambda _: True), Prices([0, 5]), Budget(100))
    assert search.look((4, False))[:2] == (5, (0,))


def test_a_bound_without_a_budget() -> None:
    """Without a budget the bound still holds."""
    claim_sets = [make_hub([1, 2])] * 2
    search = CoverageSearch(claim_sets, Conditions(HOME, lambda _: False), Prices([0, 5, 5]), Budget(-1))
    assert search.finish(NO_FLOOR).bound >= 10


def test_nothing_beats_the_floor() -> None:
    """A floor that cannot be beaten is returned, with no picks."""
    search = CoverageSearch([make_hub([1])], Conditions(HOME, lambda _: True), Prices([0, 5]), Budget(100))
    cover = search.finish((7, False))
    assert (cover.value, cover.picks, cover.bound) == (7, (None,), 7)


@pytest.mark.parametrize("worth", [[0] + [10] * 60, [0, *range(100, 40, -1)]])
def test_a_search_that_is_cut_off_finds_no_less_and_keeps_its_bound(worth: list[int]) -> None:
    """After whatever number of tries: a plan that it did not come to is within its bound, and more find no less."""
    many = make_hub(range(1, 61))
    hidden = {31, 57}
    allowed: Settle = lambda picks: set(picks) in ({None}, {None, 5}, hidden)  # noqa: E731
    best, values = worth[32] + worth[58], list[int]()
    for budget in (-1, 0, 150, 500, 2000, 5000, 10**6):
        search = CoverageSearch([many, many], Conditions(HOME, allowed), Prices(worth), Budget(budget))
        cover = search.finish(NO_FLOOR)
        assert best <= cover.bound <= NEVER
        values.append(cover.value)
    assert values == sorted(values)
    assert values[-1] == best


def test_the_bound_counts_a_spot_less_for_what_hangs_on_another() -> None:
    """Three claims in a row: the second and the third pay one spot each beside the one where they meet the others."""
    row = [Claim(0b11 << spot, 0, 0, 0b11 << spot, 0b11 << spot, 0b11 << spot) for spot in range(3)]
    relaxation = Relaxation([(ClaimSet([claim]), 1) for claim in row], [0, 10, 10, 10], [0] * 4, Budget(10**6))
    relaxation.tighten(400, 0)
    assert relaxation.bound == 30
    assert relaxation.find_top(0) == 10


def test_a_budget_is_spent_when_more_was_tried_than_it_has() -> None:
    """Weighing claims costs an eighth of a try each, and something by itself."""
    budget = Budget(96)
    budget.charge(64)
    budget.charge(64)
    assert not budget.is_spent
    budget.charge(0)
    assert budget.is_spent
