"""The seeded player: the same every time, sensible, and with games like those people play."""

from collections.abc import Iterable
from functools import cache

import pytest

from engine import Event
from engine.finance.rounds import Pass
from engine.game import LogEntry, play_entry
from engine.hints import write_tip
from engine.setup import Rng, Setup
from engine.titles.steel_driver import TITLE, events, thinking
from engine.titles.steel_driver.actions import Build, Claim, Open, Raise
from engine.titles.steel_driver.state import State
from tests.engine.titles.steel_driver.positions import box, building, deal, lay, play

GAMES = 12


@cache
def play_game(seats: int, seed: int) -> tuple[State, list[Event]]:
    """Return the end of a self-played game, and all that happened in it."""
    state, rng = TITLE.deal(Setup("steel_driver", seats, {}, seed)), Rng(seed)
    told: list[Event] = []
    while TITLE.actors(state):
        (seat,) = TITLE.actors(state)
        TITLE.apply(state, TITLE.check(state, seat, TITLE.advice.choose(state, seat, rng)), told.append)
    return state, told


def mean(numbers: Iterable[float]) -> float:
    """Return the mean of some numbers."""
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_games_end_and_look_like_games(seats: int) -> None:
    """About two links a company and turn, the line nearly always made, shares worth about $100."""
    games = [play_game(seats, seed) for seed in range(GAMES)]
    links = mean(sum(isinstance(e, events.LinkBuilt) for e in told) for _, told in games) / 30
    values = mean(company.value for state, _ in games for company in state.companies)
    profits = mean(sum(state.earned) for state, _ in games)
    assert 1.5 < links < 2.5
    assert 70 < values < 130
    assert 1400 < profits < 2400
    assert sum(state.joined for state, _ in games) >= GAMES - 2


def test_the_same_seed_plays_the_same_game() -> None:
    state, told = play_game(4, 3)
    play_game.cache_clear()
    again, told_again = play_game(4, 3)
    assert (again, told_again) == (state, told)
    assert play_game(4, 4)[1] != told


def test_the_best_links_come_first() -> None:
    """A link that makes the transcontinental line is worth its bonus."""
    state = building(deal(), green=20)
    lay(state, "green", "san_francisco-reno reno-salt_lake_city salt_lake_city-denver")
    lay(state, "red", "omaha-des_moines des_moines-chicago chicago-cleveland cleveland-pittsburgh pittsburgh-new_york")
    assert TITLE.advice.tips(state, 0)[0].action == Build("denver", "omaha")
    best = TITLE.advice.tips(state, 0)[0]
    assert best.label == "Build Denver→Omaha · +$30 +$50 transcontinental · 4 cubes"
    assert best.reason == "new colour orange"


def test_a_colour_that_is_missing_is_claimed_first() -> None:
    state = deal()
    state.turn = 5
    lay(state, "red", "san_francisco-reno reno-portland")
    lay(state, "blue", "san_francisco-los_angeles los_angeles-reno")
    for name in ("red", "blue"):
        box(state, name).shares = [1, 0, 0, 0]
    for seat in (0, 1, 2, 3):
        play(state, seat, Pass())
    assert TITLE.advice.tips(state, 0)[0].action == Claim("reno")


def test_tips_for_bidding() -> None:
    """Each says what the company is worth where the table wants to know; reasons never contradict each other."""
    state = deal()
    tips = TITLE.advice.tips(state, 0)
    assert tips[-1].label == "Pass the marker · you may put one up later"
    assert all(tip.label.startswith("Put up ") and tip.reason.startswith("worth about ") for tip in tips[:-1])
    assert [tip.judged for tip in tips] == [True, True, True, False]
    play(state, 0, tips[0].action)
    first, second = TITLE.advice.tips(state, 1)
    assert (first.action, write_tip(first, advises=True)) == (Raise(2), "Raise to 2 cubes · worth about 3 cubes")
    assert (second.action, write_tip(second, advises=True)) == (Pass(), "Drop out")
    assert write_tip(first, advises=False) == "Raise to 2 cubes"
    assert TITLE.advice.tips(state, 3) == ()


def test_a_company_that_costs_its_worth_is_left_to_others() -> None:
    state = deal()
    play(state, 0, Open("red", 7))
    out, more = TITLE.advice.tips(state, 1)
    assert (more.action, more.reason) == (Raise(8), "")
    assert (out.action, out.reason) == (Pass(), "worth about 3 cubes")


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["auction", "build", "goods"])
def test_playing_the_first_tip_wins_a_fair_share(phase: str) -> None:
    """Of games of four, where the others play as the seeded player does, at least a fifth for each kind of decision."""
    games = 80
    won = sum(seed % 4 in _winners(seed, phase) for seed in range(games))
    assert won >= games // 5


def _winners(seed: int, phase: str) -> tuple[int, ...]:
    state, rng = TITLE.deal(Setup("steel_driver", 4, {}, seed)), Rng(seed)
    while actors := TITLE.actors(state):
        tipped = actors[0] == seed % 4 and state.phase == phase
        action = TITLE.advice.tips(state, actors[0])[0].action if tipped else TITLE.advice.choose(state, actors[0], rng)
        play_entry(TITLE, state, LogEntry(actors[0], action), lambda _event: None)
    result = TITLE.result(state)
    assert result is not None
    return result.winners


def test_a_bid_beyond_its_worth_is_not_explained_by_it() -> None:
    state = deal()
    play(state, 0, Open("red", 1))
    reasons = [thinking.find_reason(state, action) for action in (Raise(2), Raise(4), Pass())]
    assert reasons == [
        "Red is worth about 3 cubes",
        "games played on end better with it",
        "the cubes do more elsewhere",
    ]
