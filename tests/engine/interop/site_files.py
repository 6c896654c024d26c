"""Files as 18xx.games itself writes them: without fields of our own."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine import Setup
from engine.game import Game
from engine.interop.exchange import export_game
from tests.playthroughs.record import read

OUR_FIELDS = frozenset({"turned", "plan", "recorded"})


def self_played(name: str) -> Game:
    """Return a game of 1862 that is kept, as its title's own player played it to its end."""
    kept = read(name)
    return Game.replay(kept.setup, kept.read_log())


def site_actions(game: Game) -> list[dict[str, Any]]:
    """Return a game's actions in the words of the site, without fields of our own."""
    names = [f"P{seat}" for seat in range(game.setup.seats)]
    written = json.loads(export_game(game, names))["actions"]
    return [{name: value for name, value in action.items() if name not in OUR_FIELDS} for action in written]


def site_file(setup: Setup, actions: Sequence[Mapping[str, Any]], **changed: object) -> bytes:
    """Return the bytes of a file of the site with these actions."""
    players = [{"id": seat + 1, "name": f"P{seat}"} for seat in range(setup.seats)]
    file = {"id": 7, "title": "1862", "players": players, "settings": {"seed": setup.seed, "optional_rules": []}}
    return json.dumps({**file, "actions": actions, **changed}).encode()
