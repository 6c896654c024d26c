"""How far the exact searches go: their answers are held elsewhere, here that they cut off what cannot be better.

A change of these figures is no fault where they fall; where they rise, it is known by how much.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import pytest

from engine.rails import route_packing
from engine.rails.claims import Claim, ClaimSet
from engine.rails.coverage import Conditions, CoverageSearch, Prices
from engine.rails.lagrangian_bound import NEVER, Budget
from engine.rails.route_packing import Candidates, add_up_values, search_best_packing
from engine.rails.spot_search import SpotSearch

SPOTS = 14
HOME = 1
T = TypeVar("T")


def make_random(seed: int) -> random.Random:
    """Return a row of numbers that is always the same."""
    return random.Random(seed)  # noqa: S311  # no secret


def kind_of_train(rng: random.Random, count: int) -> Candidates:
    """Return the choices of a kind of train: each runs over some of 12 pieces of track, and past some of 5 stops."""
    rows = []
    for number in range(count):
        track = rng.sample(range(12), rng.randint(2, 5))
        stops = sum(1 << stop for stop in rng.sample(range(5), 2))
        side = rng.randint(0, 3)
        rows.append((10 * len(track) + rng.randint(0, 9), sum(1 << bit for bit in track), stops, side, (number, 0)))
    return Candidates(sorted(rows, reverse=True))


def tries(trains: list[Candidates], floor: int) -> int:
    """Return the fewest tries that prove the best."""
    few, enough = 0, 1 << 12
    while few + 1 < enough:
        middle = (few + enough) // 2
        found = search_best_packing(trains, anchors=(1, 2), floor=floor, limit=middle)
        few, enough = (few, middle) if found.bound == found.worth else (middle, enough)
    return enough


@pytest.mark.parametrize(("seed", "floor", "figure"), [(1, 0, 150), (2, 4, 100), (3, 7, 77), (4, 9, 23)])
def test_choices_tried_for_the_best_packing(seed: int, floor: int, figure: int) -> None:
    rng = make_random(seed)
    few, many = kind_of_train(rng, 25), kind_of_train(rng, 40)
    assert tries([few, many, many], floor) == figure


def test_choices_tried_for_many_small_packings(monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without twins, anchors, a floor, and a settlement that costs something: each condition cuts some off.

    In choices tried, branches gone into, and what is narrowed for them.
    """
    tried, steps = 0, Counter[str]()
    for name in ("extend", "_narrow"):
        monkeypatch.setattr(route_packing._Search, name, count_steps(getattr(route_packing._Search, name), steps))
    for seed in range(60):
        rng = make_random(100 + seed)
        kinds = [kind_of_train(rng, rng.randint(6, 14)) for _ in range(2)]
        trains = [kinds[0], kinds[1], kinds[1]] if seed % 2 else [*kinds, kind_of_train(rng, 8)]
        free = [kind.all for kind in trains]
        settle = (lambda picks: add_up_values(picks) - 7 * sum(map(bool, picks))) if seed % 5 == 0 else add_up_values
        search = route_packing._Search(trains, settle, (0, 4, 8)[seed % 3], 1 << 20)
        search.extend(0, free, 0, 0, ((), (1,), (1, 2))[seed % 7 % 3])
        tried += (1 << 20) - search.left
    assert (tried, steps) == (1478, {"extend": 866, "_narrow": 747})


def count_steps(step: Callable[..., T], steps: Counter[str]) -> Callable[..., T]:
    """Return a step that counts how often it is taken."""

    def take(*given: object) -> T:
        steps[step.__name__] += 1
        return step(*given)

    return take


def kind_of_claims(rng: random.Random, count: int) -> ClaimSet:
    """Return claims that pay at two to six of the spots, and may have to drop one."""
    found = []
    for _ in range(count):
        pays = sum(1 << spot for spot in rng.sample(range(SPOTS), rng.randint(2, 6)))
        found.append(Claim(pays, pays * (rng.random() < 0.3), rng.choice((0, 0, 5)), pays, pays, pays))
    return ClaimSet(found)


@pytest.mark.parametrize(("seed", "spent"), [(1, 25032), (2, 24719), (3, 26415), (5, 23843)])
def test_cost_of_the_best_coverage(seed: int, spent: int) -> None:
    rng = make_random(seed)
    few, many = kind_of_claims(rng, 20), kind_of_claims(rng, 40)
    worth = [rng.randint(1, 12) * 10 for _ in range(SPOTS)]
    budget = Budget(1_000_000)
    search = CoverageSearch([few, many, many], Conditions(HOME, lambda _: True), Prices(worth), budget)
    first = search.look((0, False))
    last = search.finish((first.value, False))
    assert last.value == last.bound
    assert 1_000_000 - budget.left == spent


@pytest.mark.parametrize(("seed", "spent"), [(1, 32478), (2, 28919)])
def test_cost_of_the_best_coverage_spot_by_spot(seed: int, spent: int) -> None:
    """Eight trains of three kinds, too many for plans that grow from the anchor."""
    rng = make_random(seed)
    kinds = [(kind_of_claims(rng, 12), 3), (kind_of_claims(rng, 15), 3), (kind_of_claims(rng, 10), 2)]
    worth = [rng.randint(1, 12) * 10 for _ in range(SPOTS)]
    budget, found = Budget(1_000_000), [0]
    search = SpotSearch(kinds, worth, budget, lambda: found[-1] + 1)
    assert search.search(HOME, (), [0] * SPOTS, NEVER, lambda value, _: found.append(value)) == 0
    assert 1_000_000 - budget.left == spent
    best, budget.left, found = found[-1], 1_000_000, [0]
    assert search.search(HOME, (), [0] * SPOTS, NEVER, lambda value, _: found.append(value)) == 0
    assert (found[-1], 1_000_000 - budget.left) == (best, spent), "asked again, it has forgotten what it found"
