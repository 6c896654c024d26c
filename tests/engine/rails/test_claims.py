"""Sums for thousands of masks at once, as claims are weighed."""

import random

import pytest

from engine.rails.claims import Lanes
from engine.rails.routes import list_bits

BITS = 40


def plain(starts: list[int], masks: list[int], drops: list[int], weights: list[int]) -> list[int]:
    """Return the sums one by one; the last of them leave out the least weight of their drops."""
    sums = [start + sum(weights[bit] for bit in list_bits(mask)) for start, mask in zip(starts, masks, strict=True)]
    for place, drop in enumerate(drops, len(sums) - len(drops)):
        sums[place] -= min(weights[bit] for bit in list_bits(drop))
    return sums


@pytest.mark.parametrize("most", [100, 1 << 31, 1 << 50])
def test_lanes_add_up_each_mask_independent_of_earlier_calls(most: int) -> None:
    """Narrow and wide lanes, weights that rise and fall, and nothing at all."""
    rng = random.Random(most)  # noqa: S311  # no secret
    masks = [rng.getrandbits(BITS) for _ in range(30)]
    drops = [mask | 1 << rng.randrange(BITS) for mask in masks[20:]]
    masks[20:] = drops
    starts = [rng.randrange(most) for _ in masks]
    lanes = Lanes(starts, masks, drops)
    for top in (1, most, 10, most):
        weights = [rng.randrange(top) for _ in range(BITS)]
        assert list(lanes.add_up(weights)) == plain(starts, masks, drops, weights)
    assert list(Lanes([], [], []).add_up([])) == []
    assert list(Lanes([3, 4], [0, 0], []).add_up([9])) == [3, 4]
