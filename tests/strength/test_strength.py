"""The players of now beat those of 0.2; the long matches are ``python -m tests.strength``."""

from functools import partial

import pytest

from engine import TITLES, Rng, Setup
from engine.player import think
from engine.thinking import Thought
from engine.titles.steel_driver.player import read_weights
from tests.strength.evolution import Generation, evolve
from tests.strength.matches import Match, Played, describe, find_interval, play_game, play_match
from tests.strength.players import OLD, find_player
from tests.strength.train_steel_driver import list_weights, make_weights

BEYOND_CHANCE = 0.55
"""Part of games that a player who is not better wins of 60 with less than one in a thousand, at three players."""


@pytest.mark.parametrize(("won", "games", "low", "high"), [(50, 100, 0.404, 0.596), (219, 300, 0.677, 0.777)])
def test_wilsons_interval(won: int, games: int, low: float, high: float) -> None:
    assert find_interval(won, games) == pytest.approx((low, high), abs=0.001)


def test_a_player_against_itself_wins_its_part() -> None:
    """Each seat has its own chance, so that the game is the same whichever seat is the candidate's."""
    games = list(play_match(Match("steel_driver", 3, OLD["steel_driver"], OLD["steel_driver"]), range(4)))
    assert sum(game.won for game in games) == pytest.approx(4)
    assert describe(games).startswith("12 games; 33.3% [")


def test_steel_driver_at_once_beats_what_it_was() -> None:
    match = Match("steel_driver", 3, find_player("steel_driver", "now"), OLD["steel_driver"])
    games = list(play_match(match, range(20)))
    assert sum(game.won for game in games) / len(games) > BEYOND_CHANCE


def test_games_with_trains_are_counted_by_rounds_and_revenue() -> None:
    game = play_game(Match("1862", 3, find_player("1862", "now"), OLD["1862"]), 1, 0)
    assert game.rounds > 5
    assert game.revenue > 1000
    assert "a round" in describe([game])


@pytest.mark.parametrize("title", ["steel_driver", "1860"])
def test_the_same_chance_thinks_the_same(title: str) -> None:
    state, rng = TITLES[title].deal(Setup(title, 3, seed=4)), partial(Rng, 9)
    seat = TITLES[title].actors(state)[0]
    before = TITLES[title].clone(state)
    assert think(TITLES[title], state, seat, rng(), 8) == think(TITLES[title], state, seat, rng(), 8)
    assert state == before, "thinking changes nothing"


@pytest.mark.parametrize("name", ["before", "flat-4-6", "one-ply"])
def test_rivals_make_legal_moves(name: str) -> None:
    """A number in ``before.toml`` that the player no longer has is an error."""
    title = TITLES["1862"]
    state = title.deal(Setup("1862", 3, seed=4))
    seat = title.actors(state)[0]
    found = find_player("1862", name)(state, seat, Rng(1))
    assert (found.action if isinstance(found, Thought) else found) in title.legal(state, seat)


def test_weights_go_to_a_file_and_back() -> None:
    assert make_weights(list_weights(read_weights())) == read_weights()


def test_evolution_finds_the_top_of_a_hill() -> None:
    search = evolve(
        Generation((3.0, -2.0), (1.0, 1.0)), lambda at, _: -((at[0] - 1) ** 2) - at[1] ** 2, seed=1, size=16
    )
    for _ in range(12):
        last = next(search)
    assert last.mean == pytest.approx((1, 0), abs=0.2)


def test_a_lost_game_counts_for_the_others() -> None:
    game = Played(0.0, 10, (20, 30), (1.0,), 0, 0, ())
    assert describe([game]).startswith("1 game; 0.0% [")
