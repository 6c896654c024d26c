"""Comparing moves by trying them out, with a budget of tries."""

from collections import Counter

import pytest

from engine.finance.rounds import Pass
from engine.thinking import compare, is_proven, rate_lead
from tests.support.toy import Bid

MOVES = (Pass(), *(Bid(amount) for amount in range(1, 8)))


def test_the_poorer_half_is_dropped_again_and_again() -> None:
    tried: Counter[object] = Counter()

    def try_out(action: object, _: int) -> float:
        tried[action] += 1
        return 10.0 * action.amount if isinstance(action, Bid) else 5.0

    found = compare(MOVES, try_out, 48)
    assert [each.action for each in found[:3]] == [Bid(7), Pass(), Bid(6)]
    assert [tried[move] for move in (Bid(7), Pass(), Bid(6), Bid(4), Bid(1))] == [10, 10, 10, 5, 2]
    assert [each.tries for each in found] == [tried[each.action] for each in found]


def test_all_moves_meet_the_same_chances() -> None:
    """The number of a try is its chance, so that a lucky one tells nothing about the move."""
    found = compare(MOVES, lambda action, number: 100.0 * (number == 2) + (action == Bid(2)), 64)
    assert found[0].action == Bid(2)


def test_each_move_is_tried_even_on_a_small_budget() -> None:
    assert min(each.tries for each in compare(MOVES, lambda *_: 1.0, 1)) == 1
    assert compare(MOVES, lambda *_: 1.0, 1)[0].action == MOVES[0], "the first wins a tie"
    assert [each.action for each in compare(MOVES[:1], lambda *_: 1.0, 8)] == [MOVES[0]]


def test_a_move_that_is_better_by_chance_is_not_made() -> None:
    """The player's own move stands unless another is better by more than 1.5 standard errors."""
    lucky = compare(MOVES[:2], lambda action, number: 50.0 * (number % 4 == 0) * (action == Bid(1)), 8)
    assert lucky[0].action == Pass()
    assert lucky[1].value > lucky[0].value
    assert is_proven([60, 70, 80], [50, 50, 50])
    assert not is_proven([90, 40, 50, 50], [50, 50, 50, 50])
    assert not is_proven([50, 50], [50, 50])


def test_a_lead_counts_by_what_players_are_worth() -> None:
    assert rate_lead((1100, 1000), 0) == pytest.approx(67.1, abs=0.1)
    assert rate_lead((1000, 1100), 0) == pytest.approx(32.9, abs=0.1)
    assert rate_lead((10, 10, 0), 1) == 50


def test_more_is_better_however_far_ahead_or_behind() -> None:
    """Otherwise a seat that can't win any more would see no difference between its moves."""
    for boldness in (-1, 0, 1):
        behind = [rate_lead((9000, own), 1, boldness) for own in (100, 200, 1000, 6000, 8900)]
        ahead = [rate_lead((own, 100), 0, boldness) for own in (200, 1000, 6000, 9000)]
        assert sorted({*behind, *ahead}) == [*behind, *ahead]
        assert 0 <= behind[0] < ahead[-1] <= 100


def test_the_bold_like_chances_and_the_steady_what_is_certain() -> None:
    """Both would rather have more."""
    great, none, half = (1125, 875), (1000, 1000), (1062, 938)

    def rate_chance(boldness: int) -> float:
        return (rate_lead(great, 0, boldness) + rate_lead(none, 0, boldness)) / 2

    assert rate_chance(1) > rate_lead(half, 0, 1)
    assert rate_chance(-1) < rate_lead(half, 0, -1)
    for boldness in (-1, 1):
        leads = [rate_lead((1000 + 20 * lead, 1000), 0, boldness) for lead in range(-10, 11)]
        assert leads == sorted(leads)
