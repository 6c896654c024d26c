"""What everybody at the table may read tells nobody's secrets."""

import re

from bot.model.posts import Turn
from bot.screens import notices
from bot.screens.desk_choices import openers, quick
from bot.screens.desk_screens import MOST_QUICK, TurnButtons
from engine import Game, Rng, Setup
from tests.discord.test_desk import desk_of, position_of


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
        buttons = TurnButtons(tuple(quick(desk, MOST_QUICK)), tuple(openers(desk)))
        post = Turn(7, len(game.log), 0, (), ("1",), quiet=False, ask=ask)
        shown = notices.turn(post, position_of(game), buttons)
        assert not re.search(r"Treasury \d", shown.text)
        assert not [b.label for row in shown.rows for b in row if b.label.startswith("Buy ")]
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    assert operated > 20
