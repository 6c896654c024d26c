"""Write games of a release, by its own code and player: run from a checkout of it.

``cd CHECKOUT; python -P …/tests/releases/write.py 1862 OUT.json.gz`` writes twenty games of a title, in each some moves
by chance. The games that are kept were written from 9579f14 (0.1) and ce91166 (0.2).
"""

import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path.cwd()), str(Path(__file__).parent)]

from neutral import EVERY, digest  # type: ignore[import-not-found]  # noqa: E402  # beside this file

from engine import TITLES, Game, Rng, Setup  # noqa: E402  # of the release in the working directory
from engine.codec import encode_action  # noqa: E402  # the same

GAMES = 20
MAX_MOVES = 1500
OPTIONS: dict[str, list[dict[str, str]]] = {
    "1860": [
        {},
        {"map": "original", "destinations": "on", "any_order": "on"},
        {"edition": "first", "variable_privates": "on", "destinations": "on"},
        {"no_train_limit": "on", "full_price": "on"},
        {"insolvency": "original", "re_enter": "on", "waiting_companies": "ignore"},
    ],
    "1862": [
        {},
        {"length": "short"},
        {"trains": "advanced_express", "home_first": "off"},
        {"eight_markers": "on", "failed_charter": "parliament"},
    ],
    "steel_driver": [{}, {"first": "host", "line": "differing"}, {"claims": "played", "tie": "best"}],
}


def play_game(title_id: str, number: int) -> dict[str, Any]:
    """Return one game as it is kept."""
    title: Any = TITLES[title_id]  # as the release has it
    low, high = title.seats
    options = OPTIONS[title_id][number % len(OPTIONS[title_id])]
    seats, noise = low + number % (min(high, 5) - low + 1), (0, 0, 5, 20, 50)[number % 5]
    setup = Setup(title_id, seats, options, 1000 + number, 1)
    game, rng, chance = Game.new(setup), Rng(setup.seed), random.Random(number)  # noqa: S311  # games, no secrets
    digests = [digest(title, game.state)]
    while game.actors and len(game.log) < MAX_MOVES:
        seat = game.actors[0]
        choice = _by_chance(game, seat, chance) if chance.randrange(100) < noise else None
        game = game.play(seat, choice or title.choose(game.state, seat, rng)).game
        if len(game.log) % EVERY == 0 or not game.actors:
            digests.append(digest(title, game.state))
    log = [[said.seat, _row(said)] for said in game.log]
    return {"seats": seats, "options": options, "seed": setup.seed, "log": log, "digests": "".join(digests)}


def _by_chance(game: Game, seat: int, chance: random.Random) -> Any:  # noqa: ANN401  # an action of the title
    listed = [action for action in game.legal(seat) if type(action).verb not in (*game.title.open_verbs, "end")]
    kinds = sorted({type(action).verb for action in listed})
    kind = chance.choice(kinds) if kinds else ""
    return chance.choice([action for action in listed if type(action).verb == kind]) if kinds else None


def _row(said: Any) -> Any:  # noqa: ANN401  # an entry of the log, of any release
    action = json.loads(encode_action(said.action))
    return {"action": action, "runs": list(said.runs)} if getattr(said, "runs", ()) else action


if __name__ == "__main__":
    found = [play_game(sys.argv[1], number) for number in range(GAMES)]
    text = json.dumps(found, separators=(",", ":")).encode()
    Path(sys.argv[2]).write_bytes(gzip.compress(text, 9, mtime=0))
