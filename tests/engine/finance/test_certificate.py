"""Who takes a director's certificate."""

import pytest

from engine.finance.state import IPO, POOL
from engine.finance.trading import find_successor
from tests.engine.finance.records import Company


@pytest.mark.parametrize(
    ("shares", "keep", "least", "taker"),
    [
        ((2, 3, 4, 0), 2, 2, 2),
        ((2, 3, 3, 0), 2, 2, 1),
        ((3, 3, 3, 3), 3, 2, None),
        ((0, 1, 1, 1), 0, 2, None),
        ((0, 2, 2, 2), 0, 3, None),
        ((1, 2, 1, 2), 1, 2, 1),
    ],
)
def test_most_shares_take_it_then_the_nearest_on_the_left_of_seat_0(
    shares: tuple[int, ...], keep: int, least: int, taker: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Company, "certificate", least)
    assert find_successor(Company("AB", [*shares]), 0, keep) == taker


def test_the_nearest_on_the_left_goes_round_the_table() -> None:
    assert find_successor(Company("AB", [4, 4, 0, 1]), 2, 0) == 0


def test_the_ipo_and_the_pool_are_two_places_and_no_seats() -> None:
    assert sorted({IPO, POOL, 0}) == [POOL, IPO, 0]
