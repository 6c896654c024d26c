"""Certificates with identity: the one named moves first, then those that came first to their holder."""

import pytest

from engine.interop.writing import DIRECTORS, ShareRegister

IPO, POOL = -1, -2


def register(*moves: tuple[list[int], int]) -> ShareRegister:
    """Return the register of a company that seat 0 started, after these moves."""
    of = ShareRegister("IOW", 9, 3, (IPO, POOL))
    of.transfer([DIRECTORS], 0)
    for numbers, to in moves:
        of.transfer(numbers, to)
    return of


def test_the_director_gets_the_first_certificate() -> None:
    of = register()
    assert (of.director, of.shares(0), of.singles(IPO)) == (0, 2, [1, 2, 3, 4, 5, 6, 7, 8])
    assert of.ids([0, 1]) == ["IOW_0", "IOW_1"]
    assert (of.holder(0), of.holder(9)) == (0, None)


def test_the_one_named_moves() -> None:
    of = register(([5], 1), ([2], 1))
    assert of.singles(1) == [5, 2], "in order of acquisition"


def test_a_change_of_director_swaps_the_first_two_of_the_taker() -> None:
    """4.13: seat 1 has more; the two it got first go to the director before."""
    of = register(([7], 1), ([4], 1), ([1], 1))
    assert of.director == 1
    assert (of.singles(1), of.singles(0)) == ([1], [7, 4])
    assert of.holder(DIRECTORS) == 1


def test_at_equal_shares_the_director_stays() -> None:
    assert register(([7], 1), ([4], 1)).director == 0


def test_of_equal_shares_the_closest_clockwise_takes_over() -> None:
    """4.13: the director sells down; seats 1 and 2 hold as much."""
    of = register(([1], 2), ([2], 2), ([3], 1), ([4], 1))
    of.transfer([DIRECTORS], POOL, 2)
    assert of.director == 1
    assert of.singles(POOL) == [3, 4], "the taker's certificates stand for the director's in the pool"


def test_a_director_who_keeps_two_shares_gets_two_singles() -> None:
    of = register(([1], 0), ([2], 1), ([3], 1), ([4], 2))
    of.transfer([1], POOL, 1)
    assert of.director == 0, "two and two: he stays"
    of.transfer([5], 1)
    assert (of.director, of.singles(0), of.singles(1)) == (1, [2, 3], [5])


def test_a_part_of_the_directors_certificate_is_given_back_out_of_the_pool() -> None:
    """4.12: nobody can take it; he sells two shares of three and gets back the first single of the pool."""
    of = register(([6], 0), ([3], 2), ([3], POOL))
    assert of.for_sale(0, 2) == [6, DIRECTORS]
    of.transfer([6, DIRECTORS], POOL, 2)
    assert of.director == POOL
    assert (of.singles(0), of.singles(POOL), of.holder(DIRECTORS)) == ([3], [6], POOL)


def test_singles_are_named_before_the_directors() -> None:
    of = register(([6], 0), ([2], 0))
    assert (of.for_sale(0, 2), of.for_sale(0, 4)) == ([6, 2], [6, 2, DIRECTORS])


def test_two_shares_take_the_directors_certificate_out_of_the_pool() -> None:
    """7.8: both go to the pool for it."""
    of = register(([5], 1), ([DIRECTORS], POOL))
    of.transfer([2], 1)
    assert (of.director, of.singles(1), of.singles(POOL)) == (1, [], [5, 2])


def test_the_directors_certificate_bought_out_of_the_pool_sends_one_back() -> None:
    of = register(([5], 1), ([DIRECTORS], POOL))
    of.transfer([DIRECTORS], 1, 1)
    assert (of.director, of.shares(1), of.singles(POOL)) == (1, 2, [5])


def test_a_bankruptcy_puts_all_back_in_order() -> None:
    of = register(([5], 1), ([2], 1), ([5], POOL))
    assert not of.fresh
    of.reset()
    assert of.fresh
    assert (of.director, of.singles(IPO)) == (IPO, [1, 2, 3, 4, 5, 6, 7, 8])


@pytest.mark.parametrize("seed", range(6))
def test_no_certificate_is_ever_lost(seed: int) -> None:
    """Whatever moves, each certificate lies in one place and the director's with the director."""
    of = register()
    for step in range(60):
        number = (step * 7 + seed * 3) % 9
        to = (step * 5 + seed) % 4 - 1
        if number and to != of.holder(number):
            of.transfer([number], POOL if to < 0 else to)
        places = (IPO, POOL, 0, 1, 2)
        assert sorted(number for place in places for number in of.singles(place)) == list(range(1, 9))
        assert of.holder(DIRECTORS) == of.director
        assert sum(of.shares(place) for place in places) == 10


def test_singles_bought_out_of_the_pool_leave_the_directors_certificate_in_it() -> None:
    """7.8: one share does not take it."""
    of = register(([5], 0), ([5, DIRECTORS], POOL))
    assert of.director == POOL
    of.transfer([5], 1)
    assert (of.director, of.singles(1), of.holder(DIRECTORS)) == (POOL, [5], POOL)
