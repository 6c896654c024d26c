"""The seeded player: the same every time, sensible, and with games like those people play."""

from functools import cache

import pytest

from engine.rng import Rng
from engine.title import Setup
from engine.titles.steel_driver import TITLE, events
from engine.titles.steel_driver.actions import Build, Claim, Pass, Raise
from tests.engine.titles.steel_driver.positions import box, building, deal, lay, play

GAMES = 12


@cache
def played(seats, seed):
    """Return the end of a self-played game, and all that happened in it."""
    state, rng, told = TITLE.deal(Setup("steel_driver", seats, {}, seed)), Rng(seed), []
    while TITLE.actors(state):
        (seat,) = TITLE.actors(state)
        TITLE.apply(state, TITLE.check(state, seat, TITLE.choose(state, seat, rng)), told.append)
    return state, told


def mean(numbers):
    """Return the mean of some numbers."""
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_games_end_and_look_like_games(seats):
    """About two links a company and turn, the line nearly always made, shares worth about $100."""
    games = [played(seats, seed) for seed in range(GAMES)]
    links = mean(sum(isinstance(e, events.LinkBuilt) for e in told) for _, told in games) / 30
    values = mean(company.value for state, _ in games for company in state.companies)
    profits = mean(sum(state.earned) for state, _ in games)
    assert 1.5 < links < 2.5
    assert 70 < values < 130
    assert 1400 < profits < 2400
    assert sum(state.joined for state, _ in games) >= GAMES - 2


def test_the_same_seed_plays_the_same_game():
    state, told = played(4, 3)
    played.cache_clear()
    again, told_again = played(4, 3)
    assert (again, told_again) == (state, told)
    assert played(4, 4)[1] != told


def test_the_best_links_come_first():
    """A link that makes the transcontinental line is worth its bonus."""
    state = building(deal(), green=20)
    lay(state, "green", "san_francisco-reno reno-salt_lake_city salt_lake_city-denver")
    lay(state, "red", "omaha-des_moines des_moines-chicago chicago-cleveland cleveland-pittsburgh pittsburgh-new_york")
    assert TITLE.tips(state, 0)[0].action == Build("denver", "omaha")
    assert TITLE.tips(state, 0)[0].label == "Build Denver→Omaha · 4 cubes · +$30 +$50 transcontinental"


def test_a_colour_that_is_missing_is_claimed_first():
    state = deal()
    state.turn = 5
    lay(state, "red", "san_francisco-reno reno-portland")
    lay(state, "blue", "san_francisco-los_angeles los_angeles-reno")
    for name in ("red", "blue"):
        box(state, name).shares = [1, 0, 0, 0]
    for seat in (0, 1, 2, 3):
        play(state, seat, Pass())
    assert TITLE.tips(state, 0)[0].action == Claim("reno")


def test_tips_for_bidding():
    state = deal()
    assert TITLE.tips(state, 0)[-1].label == "Pass the marker"
    assert all(tip.label.startswith("Open ") for tip in TITLE.tips(state, 0)[:-1])
    play(state, 0, TITLE.tips(state, 0)[0].action)
    assert [(tip.action, tip.label) for tip in TITLE.tips(state, 1)] == [(Raise(2), "Raise to 2"), (Pass(), "Drop out")]
    assert TITLE.tips(state, 3) == ()
