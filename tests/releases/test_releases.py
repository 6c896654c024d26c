"""Games that earlier releases wrote are played by the rules of their release, state for state."""

import pytest
from msgspec.structs import replace

from engine import TITLES, Game, LogError
from tests.releases.kept import RULES, find_parting, games

SAMPLE = {"1860": slice(3, 6), "1862": slice(2), "steel_driver": slice(2)}
"""Games of each that are played in every run of the tests; ``python -m tests.releases`` plays all."""


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("release", RULES)
def test_games_of_a_release_are_played_state_for_state(release: str, title: str) -> None:
    for number, game in enumerate(games(release, title)[SAMPLE[title]]):
        assert find_parting(game) == "", f"game {number} of {release}"


def test_twenty_games_of_each_title_and_release_are_kept() -> None:
    for release in RULES:
        for title in TITLES:
            found = games(release, title)
            assert len(found) == 20
            assert len({game.setup.seats for game in found}) > 1


def test_some_games_of_0_1_break_the_rules_of_0_2() -> None:
    """Three at least: what the version of the rules is for."""
    broken = 0
    for game in games("0.1", "1862")[:3]:
        try:
            Game.replay(replace(game.setup, rules=RULES["0.2"]), game.read_log())
        except LogError:
            broken += 1
    assert broken >= 3
