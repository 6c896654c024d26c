"""Comparing moves by trying them out, with a budget of tries."""

from collections import Counter

import pytest

from engine.finance.rounds import Pass
from engine.thinking import compare, rate_outcome
from tests.support.toy import Bid

MOVES = (Pass(), *(Bid(amount) for amount in range(1, 8)))


def test_the_poorer_half_is_dropped_again_and_again() -> None:
    tried: Counter[object] = Counter()

    def try_out(action: object, _: int) -> float:
        tried[action] += 1
        return 10.0 * action.amount if isinstance(action, Bid) else 5.0

    found = compare(MOVES, try_out, 48)
    assert [each.action for each in found[:2]] == [Bid(7), Bid(6)]
    assert found[-1].action == Pass()
    assert sum(tried.values()) == 48
    assert [tried[move] for move in (Bid(7), Bid(5), Bid(3), Pass())] == [14, 6, 2, 2]
    assert [each.tries for each in found] == [tried[each.action] for each in found]


def test_all_moves_meet_the_same_chances() -> None:
    """The number of a try is its chance, so that a lucky one tells nothing about the move."""
    found = compare(MOVES, lambda action, number: 100.0 * (number == 3) + (action == Bid(2)), 64)
    assert found[0].action == Bid(2)


def test_each_move_is_tried_even_on_a_small_budget() -> None:
    assert min(each.tries for each in compare(MOVES, lambda *_: 1.0, 1)) == 1
    assert compare(MOVES, lambda *_: 1.0, 1)[0].action == MOVES[0], "the first wins a tie"
    assert [each.action for each in compare(MOVES[:1], lambda *_: 1.0, 8)] == [MOVES[0]]


def test_an_outcome_is_mostly_who_won() -> None:
    assert rate_outcome((100, 90), 0, 300) == pytest.approx(75.8, abs=0.1)
    assert rate_outcome((90, 100), 0, 300) == pytest.approx(24.2, abs=0.1)
    assert rate_outcome((100, 100), 1, 300) == 50
    assert (rate_outcome((900, 0), 0, 300), rate_outcome((900, 0), 1, 300)) == (100, 0)
