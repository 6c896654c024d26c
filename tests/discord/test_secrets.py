"""What everyone at the table may read tells no one's secrets."""

import re

import pytest

from bot.model.posts import Turn
from bot.screens import notices
from bot.screens.desk import DeskAsked
from bot.screens.desk_buttons import make_openers, make_quick_buttons
from bot.screens.desk_screens import BUTTONS, MAX_QUICK_BUTTONS, TurnButtons
from bot.service.workers.choices import encode_tips
from bot.service.workers.jobs import Held
from engine import Game, Rng, Setup
from tests.discord.test_desk import desk_of, position_of
from tests.playthroughs.record import read


def test_hidden_treasuries_stay_hidden_in_the_channel() -> None:
    """1860 10.4: with hidden treasuries neither words nor buttons of a turn message tell what a company has."""
    game, rng = Game.new(Setup("1860", 3, {"treasuries": "hidden"}, 4)), Rng(4)
    operated = 0
    for _ in range(250):
        if not game.actors:
            break
        ask = game.ask()
        operated += "operates" in ask.headline
        desk = desk_of(game)
        buttons = TurnButtons(tuple(make_quick_buttons(desk, MAX_QUICK_BUTTONS)), tuple(make_openers(desk)))
        post = Turn(7, len(game.log), 0, (), ("1",), pings=("1",), ask=ask)
        shown = notices.make_turn(post, position_of(game), buttons)
        assert not re.search(r"Treasury \d", shown.text)
        assert not [b.label for row in shown.rows for b in row if b.label.startswith("Buy ")]
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    assert operated > 20


@pytest.mark.parametrize(("count", "words"), [
    (74, "You must buy trains."),
    (73, "You may place a marker."),
    (76, "You may buy trains."),
])  # fmt: skip
def test_a_turn_message_states_the_players_duty(count: int, words: str) -> None:
    """A company without a train must buy one; with a train it may."""
    kept = read("1862-3")
    assert words in _turn_message(Game.replay(kept.setup, kept.read_log()[:count]))


def test_a_turn_message_hides_a_duty_that_would_give_away_a_hidden_treasury() -> None:
    """Only an 1860 company with money for a train must buy one."""
    setup, rng = Setup("1860", 3, {"treasuries": "hidden"}, 4), Rng(4)
    game = Game.new(setup)
    while game.ask().kind != "buy trains":
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    assert "To do: buy trains" in _turn_message(game)


def _turn_message(game: Game) -> str:
    seat = game.actors[0]
    buttons = BUTTONS.do(Held(game), DeskAsked(7, ("Ann", "Bob", "Cid"), seat, encode_tips(game.tips(seat))))
    post = Turn(7, len(game.log), 0, (), ("1",), pings=("1",), ask=game.ask())
    return notices.make_turn(post, position_of(game), buttons).text
