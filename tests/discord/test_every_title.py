"""Every title on the shelf is played on through Discord: each move is typed as autocomplete offers it."""

from typing import Any

import pytest

from engine import TITLES, Action, Game, Rng, Setup
from engine.codec import encode_file
from engine.words import list_parameters, write_parameters
from tests.discord.conftest import Desk
from tests.discord.stand_in import StandIn

BEFORE, MOVES = 100, 8


def begin_game(title: str) -> bytes:
    """Return a game with some moves behind it, as a file."""
    game, rng = Game.new(Setup(title, 3, {}, 3)), Rng(3)
    for _ in range(BEFORE):
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    return encode_file(game.setup, game.log)


def write_options(action: Action) -> dict[str, Any]:
    """Return the parameters of a command as Discord sends them."""
    whole = {each.name for each in list_parameters(type(action)) if each.whole}
    return {name: int(word) if name in whole else word for name, word in write_parameters(action).items()}


@pytest.mark.parametrize("title", list(TITLES))
async def test_a_title_is_played_by_commands(server: StandIn, desk: Desk, title: str) -> None:
    alice = server.person("alice")
    async with desk.running():
        file = alice.upload("game.json", begin_game(title))
        await alice.slash(server.games, "game import", file=file)  # she holds all seats
        await desk.settle()
        thread, rng = server.threads[0], Rng(9)
        for _ in range(MOVES):
            here = await desk.services.table.load_position(1)
            action = here.game.title.advice.choose(here.game.replay().state, here.game.actors[0], rng)
            words = write_options(action)
            for name in words:
                offered = await alice.complete(thread, f"act {action.verb}", name, **words)
                found = words[name] in {choice["value"] for choice in offered} or len(offered) == 25
                assert found or action.verb in here.game.title.open_verbs
            answer = await alice.slash(thread, f"act {action.verb}", **words)
            assert "✓" in answer.text, (action, answer.text)
        await desk.settle()
        assert "Act" in thread.public[-1].labels
    server.check()
