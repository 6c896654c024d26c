"""Sums in the lanes of one long integer, against plain sums."""

from random import Random

import pytest

from engine.rails.lanes import Lanes


def plain(starts: list[int], masks: list[int], drops: list[int], weights: list[int]) -> list[int]:
    """Return each sum by itself; of the last ones the least weight that may be dropped is left out."""
    sums = [
        start + sum(weight for bit, weight in enumerate(weights) if mask >> bit & 1)
        for start, mask in zip(starts, masks, strict=True)
    ]
    for place, drop in enumerate(drops, len(sums) - len(drops)):
        sums[place] -= min(weight for bit, weight in enumerate(weights) if drop >> bit & 1)
    return sums


@pytest.mark.parametrize("highest", [9, (1 << 32) // 20, 1 << 40])
@pytest.mark.parametrize(("count", "dropping"), [(1, 0), (1, 1), (12, 0), (12, 5), (30, 30)])
def test_all_sums_are_those_of_each_mask_by_itself(highest: int, count: int, dropping: int) -> None:
    """Asked again, with weights that rise and fall, they are as if asked for the first time."""
    chance = Random(count * 100 + dropping)  # noqa: S311
    bits = 19
    masks = [chance.randrange(1, 1 << bits) for _ in range(count)]
    starts = [chance.randrange(highest) for _ in range(count)]
    lanes = Lanes(starts, masks, masks[count - dropping :])
    for _ in range(4):
        weights = [chance.choice((0, chance.randrange(highest), highest)) for _ in range(bits)]
        assert list(lanes.sums(weights)) == plain(starts, masks, masks[count - dropping :], weights)


def test_sums_of_nothing() -> None:
    assert list(Lanes([], [], []).sums([1, 2])) == []
    assert list(Lanes([7, 5], [0, 2], []).sums([1, 2])) == [7, 7]


@pytest.mark.parametrize("weight", [(1 << 32) - 2, (1 << 32) - 1, 1 << 33])
def test_a_sum_has_room_in_its_lane_at_any_size(weight: int) -> None:
    """Of the narrow lanes the largest sum still fits; from one more on they are wide."""
    assert list(Lanes([1, 0], [1, 1], [1]).sums([weight])) == [1 + weight, 0]
    assert list(Lanes([0, 0, 0], [1, 3, 2], []).sums([weight, 1])) == [weight, weight + 1, 1]
