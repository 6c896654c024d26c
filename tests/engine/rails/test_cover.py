"""The best claims on spots that pay but once, against trying all of them."""

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.rails.cover
from engine.rails.claims import Claim, Offer, Pick, Picks
from engine.rails.cover import Prices, Rules, best_cover
from engine.rails.cover_bound import Budget

SPOTS = 6
HOME = 1

claims = st.lists(
    st.builds(
        lambda pays, bonus, drop: Claim(pays, pays if drop and pays & (pays - 1) else 0, bonus, pays | 1 << SPOTS),
        st.integers(1, (1 << SPOTS) - 1),
        st.integers(0, 4),
        st.booleans(),
    ),
    min_size=1,
    max_size=5,
)


def ways(claim: Claim) -> list[int]:
    spots = [1 << spot for spot in range(SPOTS) if claim.drops >> spot & 1]
    return [claim.pays & ~spot for spot in spots] or [claim.pays]


def hang_together(meets: Sequence[int], anchor: int) -> bool:
    left = list(meets)
    while near := [one for one in left if one & anchor]:
        left = [one for one in left if not one & anchor]
        for one in near:
            anchor |= one
    return not left


def all_plans(offers: Sequence[Offer]) -> list[Picks]:
    choices = [
        [None, *(Pick(n, scores) for n, claim in enumerate(offer.claims) for scores in ways(claim))] for offer in offers
    ]
    return list(product(*choices))


def value(offers: Sequence[Offer], worth: Sequence[int], picks: Picks) -> int:
    covered = total = 0
    for offer, pick in zip(offers, picks, strict=True):
        if pick:
            covered |= pick.scores
            total += offer.claims[pick.claim].bonus
    return total + sum(worth[spot] for spot in range(SPOTS) if covered >> spot & 1)


def meets_of(offers: Sequence[Offer], picks: Picks) -> list[int]:
    return [offer.claims[pick.claim].meets for offer, pick in zip(offers, picks, strict=True) if pick]


def by_spots(given: Sequence[Claim]) -> Offer:
    """Return an offer whose claims meet where they pay."""
    return Offer([claim._replace(meets=claim.pays) for claim in given])


@settings(max_examples=150, deadline=None)
@given(
    kinds=st.lists(claims, min_size=1, max_size=2),
    twins=st.booleans(),
    worth=st.lists(st.integers(1, 9), min_size=SPOTS, max_size=SPOTS),
    odd=st.booleans(),
    small=st.sampled_from((0, 4, 1000)),
)
def test_as_good_as_trying_all(
    *, kinds: list[list[Claim]], twins: bool, worth: list[int], odd: bool, small: int
) -> None:
    """The value is that of the best plan that is allowed, and it is proven, however the search is divided."""
    offers = [by_spots(kind) for kind in kinds]
    offers = [offers[0], *offers] if twins else offers

    def settle(picks: Picks) -> bool:
        # An extra rule: the first two claims of an offer never run beside each other.
        clash = odd and sorted(pick.claim for pick in picks if pick and pick.claim < 2) == [0, 1]
        return not clash and hang_together(meets_of(offers, picks), HOME)

    best = max(value(offers, worth, picks) for picks in all_plans(offers) if settle(picks))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine.rails.cover, "_SMALL", small)
        cover = best_cover(offers, Rules(HOME, settle), Prices(worth), 0, Budget(100_000))
    assert (cover.value, cover.bound) == (best, best)
    if best:
        assert settle(cover.picks)
        assert value(offers, worth, cover.picks) == best


def test_a_bound_without_a_budget() -> None:
    """Without a budget the bound still holds."""
    offers = [by_spots([Claim(0b11, 0, 0, 0), Claim(0b110, 0, 0, 0)])] * 2
    cover = best_cover(offers, Rules(HOME, lambda _: False), Prices([5, 5, 5]), 0, Budget(-1))
    assert cover.value == 0
    assert cover.bound >= 15


def test_nothing_beats_the_floor() -> None:
    """A floor that cannot be beaten is returned, with no picks."""
    offers = [by_spots([Claim(0b1, 0, 0, 0)])]
    cover = best_cover(offers, Rules(HOME, lambda _: True), Prices([5]), 7, Budget(100))
    assert (cover.value, cover.picks, cover.bound) == (7, (None,), 7)
