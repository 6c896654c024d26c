"""Who can play a match: the program's players of now, those of 0.2, and two plain ones that only look ahead."""

import tomllib
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

from engine import TITLES, Action, Rng
from engine.player import LEVELS, read_manner, think
from engine.thinking import Thought
from engine.title import Title, ignore_event
from engine.titles.g1860 import player as player_of_1860
from tests.strength.rivals import g1862, steel_driver

Player = Callable[[Any, int, Rng], Action | Thought]
"""What a seat does, or thinks of doing; the state is the title's own."""
AtOnce = Callable[[Any, int, Rng], Action]

MAX_LOOKED_AT = 24
"""Legal actions that the plain players try; a few drawn of more."""
ROLLOUTS = 24
BEFORE = Path(__file__).with_name("before.toml")
"""Numbers of the thinking players before they were last changed; what isn't named is as it is now."""
TRIES = 48

OLD: dict[str, AtOnce] = {
    "steel_driver": steel_driver.choose,
    "1860": player_of_1860.choose,
    "1862": g1862.choose,
}
"""The players of 0.2. That of 1860 still plays at once; before it changes, it is copied to ``rivals``."""


def find_player(title: str, name: str) -> Player:
    """Return a player by name: now, think or think-16 (tries), before, beginner, club-bold, 0.2, one-ply or flat.

    ``flat-8-20`` plays eight games on from a decision, and each for twenty moves; ``flat`` 24, and to the end.

    Raises:
        KeyError: there is none.
    """
    if name.startswith("think"):
        tries = int(name.partition("-")[2] or TRIES)
        return lambda s, seat, rng: think(TITLES[title], s, seat, rng, tries)
    if name.partition("-")[0] in LEVELS:
        manner = read_manner(name)
        return lambda s, seat, rng: think(TITLES[title], s, seat, rng, TRIES, manner)
    if name.startswith("flat"):
        rollouts, moves = (int(each) for each in name.split("-")[1:]) if "-" in name else (ROLLOUTS, 0)
        return lambda s, seat, rng: choose_flat(TITLES[title], s, seat, rng, rollouts, moves)
    players: dict[str, Player] = {
        "before": make_player_before(title),
        "now": TITLES[title].advice.choose,
        "0.2": OLD[title],
        "one-ply": lambda s, seat, rng: choose_one_ply(TITLES[title], s, seat, rng),
    }
    return players[name]


def make_player_before(title: str) -> Player:
    """Return the thinking player with the numbers that it had before they were last changed."""
    numbers: dict[str, dict[str, Any]] = tomllib.loads(BEFORE.read_text("utf-8")).get(title, {})

    def choose(s: Any, seat: int, rng: Rng) -> Thought:  # noqa: ANN401 - the title's own state
        with ExitStack() as stack:
            for module, values in numbers.items():
                stack.enter_context(patch.multiple(import_module(f"{TITLES[title].package}.{module}"), **values))
            return think(TITLES[title], s, seat, rng, TRIES)

    return choose


def choose_one_ply(title: Title[Any], s: Any, seat: int, rng: Rng) -> Action:  # noqa: ANN401 - the title's own state
    """Return the move after which the seat is worth most at once; where moves are typed freely, what 0.2 does."""
    tried = _list_tried(title, s, seat, rng)

    def rate(action: Action) -> int:
        return title.advice.worth(_try(title, s, seat, action))[seat]

    return max(tried, key=rate) if tried else OLD[title.id](s, seat, rng)


def choose_flat(
    title: Title[Any],
    s: Any,  # noqa: ANN401 - the title's own state
    seat: int,
    rng: Rng,
    rollouts: int = ROLLOUTS,
    most: int = 0,
) -> Action:
    """Return the move that wins most of so many games played on by 0.2's player, for ``most`` moves or to the end."""
    tried = _list_tried(title, s, seat, rng)[: max(2, rollouts)]
    if not tried:
        return OLD[title.id](s, seat, rng)
    each = max(1, rollouts // len(tried))

    def rate(action: Action) -> int:
        chances = [Rng(rng.below(1 << 32)) for _ in range(each)]
        return sum(_roll_out(title, _try(title, s, seat, action), seat, chance, most) for chance in chances)

    return max(tried, key=rate)


def _list_tried(title: Title[Any], s: Any, seat: int, rng: Rng) -> list[Action]:  # noqa: ANN401
    legal = list(title.legal(s, seat))
    if any(action.verb in title.open_verbs for action in legal):
        return []
    return rng.shuffle(legal)[:MAX_LOOKED_AT]


def _try(title: Title[Any], s: Any, seat: int, action: Action) -> Any:  # noqa: ANN401
    after = title.clone(s)
    title.apply(after, title.check(after, seat, action), ignore_event)
    return after


def _roll_out(title: Title[Any], s: Any, seat: int, rng: Rng, most: int) -> int:  # noqa: ANN401
    """Play on, to the end or for so many moves; return how far a seat is ahead of the best other then."""
    made = 0
    while (actors := title.actors(s)) and (not most or made < most):
        made += 1
        action = title.spell_out(s, actors[0], OLD[title.id](s, actors[0], rng))
        title.apply(s, title.check(s, actors[0], action), ignore_event)
    worth = list(title.advice.worth(s))
    own = worth.pop(seat)
    return own - max(worth)
