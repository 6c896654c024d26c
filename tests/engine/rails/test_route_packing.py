"""The best set of choices, against trying all sets."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rails.route_packing import Candidates, Choice, Picks, add_up_values, find_best_packing, search_best_packing
from engine.rails.routes import SearchTooLarge

choices = st.lists(st.tuples(st.integers(1, 30), st.integers(1, 63), st.integers(0, 31), st.integers(0, 3)), max_size=9)


def candidates(*drawn: tuple[int, int, int, int]) -> Candidates:
    """Return an candidates, best first; each choice has a path of its own."""
    numbered = [(*choice, (number, 0)) for number, choice in enumerate(sorted(drawn, reverse=True))]
    return Candidates(numbered)


def is_connected(picks: tuple[Choice, ...], anchors: tuple[int, ...]) -> bool:
    group, left = anchors[0], [*anchors[1:], *(pick[2] for pick in picks)]
    while near := [joins for joins in left if joins & group]:
        for joins in near:
            group |= joins
            left.remove(joins)
    return not left


def try_all_sets(trains: list[Candidates], anchors: tuple[int, ...], floor: int) -> int:
    """Return the most that any allowed set is worth."""
    best = 0
    for picks in product(*((None, *one.choices) for one in trains)):
        chosen = tuple(pick for pick in picks if pick)
        used = 0
        apart = True
        for pick in chosen:
            apart = apart and not used & pick[1]
            used |= pick[1]
        together = not anchors or is_connected(chosen, anchors)
        if apart and together and sum(pick[3] for pick in chosen) >= floor:
            best = max(best, add_up_values(picks))
    return best


@given(
    st.lists(choices, min_size=1, max_size=3),
    st.booleans(),
    st.lists(st.integers(1, 31), max_size=2),
    st.integers(0, 5),
)
def test_it_is_the_best_of_all_sets(
    drawn: list[list[tuple[int, int, int, int]]], twins: bool, anchors: list[int], floor: int
) -> None:
    trains = [candidates(*some) for some in drawn]
    if twins:
        trains.append(trains[-1])
    worth, picks = find_best_packing(trains, anchors=tuple(anchors), floor=floor)
    assert worth == add_up_values(picks) == try_all_sets(trains, tuple(anchors), floor)
    assert len(picks) == len(trains)


@given(st.lists(choices, min_size=1, max_size=3), st.integers(0, 20), st.integers(0, 20))
def test_a_shorter_search_finds_no_more_and_its_bound_holds(
    drawn: list[list[tuple[int, int, int, int]]], few: int, more: int
) -> None:
    trains = [candidates(*some) for some in drawn]
    best = try_all_sets(trains, (1,), 0)
    short, longer = (search_best_packing(trains, anchors=(1,), limit=limit) for limit in (few, few + more))
    assert add_up_values(short.picks) == short.worth <= longer.worth <= best <= longer.bound <= short.bound
    assert search_best_packing(trains, anchors=(1,)) == (best, find_best_packing(trains, anchors=(1,))[1], best)


def test_twins_do_not_take_the_same_choice() -> None:
    both = candidates((5, 1, 0, 0), (3, 2, 0, 0))
    assert find_best_packing([both, both])[0] == 8


def test_of_equal_sets_the_first_is_taken() -> None:
    one = Candidates([(5, 1, 0, 0, (7, 0)), (5, 2, 0, 0, (8, 0))])
    assert find_best_packing([one])[1][0] == one.choices[0]


def test_a_set_may_be_worth_less_than_its_sum() -> None:
    """What a set is really worth may depend on how its members meet."""

    def settle(picks: Picks) -> int | None:
        values = [pick[0] for pick in picks if pick]
        return None if values == [9, 9] else sum(values) - (4 if len(values) > 1 else 0)

    assert find_best_packing([candidates((9, 1, 0, 0)), candidates((9, 2, 0, 0), (8, 2, 0, 0))], settle)[0] == 13
    assert find_best_packing([candidates((9, 1, 0, 0)), candidates((9, 2, 0, 0), (3, 2, 0, 0))], settle)[0] == 9


def test_of_sets_that_come_to_the_same_worth_the_first_is_kept() -> None:
    """The second promises more than the first has turned out to be worth, and is no better."""
    both = [candidates((11, 1, 0, 0), (10, 2, 0, 0))]
    assert find_best_packing(both, lambda picks: 9 if any(picks) else 0) == (9, (both[0].choices[0],))


def test_nothing_comes_of_nothing() -> None:
    assert find_best_packing([]) == (0, ())
    assert find_best_packing([candidates(), candidates()], anchors=(1,)) == (0, (None, None))


def test_too_many_tries_are_refused() -> None:
    """The answer is exact or there is none."""
    many = [(value, 1 << value, 1, 0) for value in range(1, 20)]
    with pytest.raises(SearchTooLarge):
        find_best_packing([candidates(*many), candidates(*many), candidates(*many)], lambda picks: None, limit=50)


@pytest.mark.parametrize("start", [0, 3000, 6000])
def test_a_glance_promises_never_too_little(start: int) -> None:
    """It looks at the first few thousand; what lies beyond is taken for as good as the best of it."""
    many = 6000
    choices: list[Choice] = [(many - at, 1 << at % 7, 1, 0, (1, 0)) for at in range(many)]
    known = Candidates(choices)
    for bits in (0, 1, 0b1111, 0b1111111):
        later = known.all >> start << start
        best = known.find_best_value(later & ~known.select_excluded(bits))
        glanced = known.bound_best_value(known.all, bits, start)
        assert best <= glanced
        assert start or not best or glanced == best
    assert known.bound_best_value(known.all >> 5000 << 5000, 1, 0) == known.choices[4096][0]
