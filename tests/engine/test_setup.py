"""What a table has chosen in the lobby."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Rng
from engine.errors import RuleError
from engine.setup import LobbyOption, choose_options

OPTIONS = (
    LobbyOption("map", "Map", "Which map.", (("large", "large"), ("small", "small"))),
    LobbyOption("fast", "Fast", "Fast play."),
)


def test_omitted_values_have_their_default() -> None:
    assert choose_options(OPTIONS, {"map": "small"}, "Toy") == {"map": "small", "fast": "off"}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"colour": "red"}, "Toy has no option “colour”; it has map, fast."),
        ({"map": "huge"}, "Map can be large or small, not “huge”."),
    ],
)
def test_an_option_or_value_that_the_lobby_does_not_have_is_refused(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(RuleError) as refusal:
        choose_options(OPTIONS, given, "Toy")
    assert refusal.value.sentence == sentence


def test_the_stream_is_fixed() -> None:
    """A game dealt today is dealt alike by every later version: SplitMix64 of seed 0 and of seed 1862."""
    rng = Rng(0)
    assert [rng.below(1 << 32) for _ in range(3)] == [
        0xE220A8397B1DCDAF & 0xFFFFFFFF, 0x6E789E6AA1B965F4 & 0xFFFFFFFF, 0x06C45D188009454F & 0xFFFFFFFF,
    ]  # fmt: skip
    orders = {0: [4, 2, 5, 3, 0, 1], 7: [1, 5, 0, 2, 4, 3], 1862: [5, 1, 0, 3, 2, 4]}
    assert {seed: Rng(seed).shuffle(range(6)) for seed in orders} == orders
    assert Rng(7 + (1 << 64)).below(1 << 32) == Rng(7).below(1 << 32), "a seed has 64 bits that count"


def test_random_words_that_would_favour_small_numbers_are_rejected() -> None:
    """Of seed 0 the first word is the first that is too large for a limit just as large."""
    for limit in (0xE220A8397B1DCDAF, (1 << 63) + 1):
        rng = Rng(0)
        assert [rng.below(limit) for _ in range(2)] == [0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert Rng(0).below(0xE220A8397B1DCDB0) == 0xE220A8397B1DCDAF
    assert Rng(0).below(1) == 0


@given(st.integers(-(2**70), 2**70), st.integers(1, 50))
def test_numbers_stay_below_the_limit(seed: int, limit: int) -> None:
    rng = Rng(seed)
    assert all(0 <= rng.below(limit) < limit for _ in range(20))


@given(st.integers(0, 2**64), st.lists(st.integers(), max_size=30))
def test_a_shuffle_keeps_the_cards_and_leaves_the_deck_alone(seed: int, deck: list[int]) -> None:
    before = list(deck)
    assert sorted(Rng(seed).shuffle(deck)) == sorted(deck)
    assert deck == before


def test_every_order_comes_up() -> None:
    orders = Counter(tuple(Rng(seed).shuffle("abc")) for seed in range(600))
    assert len(orders) == 6
    assert min(orders.values()) > 60


def test_choices_come_from_the_items() -> None:
    rng = Rng(3)
    assert {rng.choose("abc") for _ in range(50)} == set("abc")


@pytest.mark.parametrize("limit", [0, -1])
def test_nothing_is_below_nothing(limit: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Rng(0).below(limit)
