"""The course of a game in a few positions: one after each of its rounds."""

from engine.game import Game, follow
from engine.record import Event
from engine.title import Request
from engine.view import Chart

MOST = 60
"""Positions that are kept of the longest game."""


def moments(game: Game, most: int = MOST) -> tuple[Game, ...]:
    """Return the start of a game, its position after each round, and the last one.

    Of more than ``most`` positions as many are taken, evenly spread. They have no log of their own.
    """
    title, setup = game.title, game.setup
    state = title.deal(setup)
    kept = [title.clone(state)]
    rounds = _rounds(Game(setup, (), (), state))
    for said in game.said():
        follow(title, state, said, _ignore)
        now = _rounds(Game(setup, (), (), state))
        if now != rounds:
            kept.append(title.clone(state))
        rounds = now
    kept.append(title.clone(state))
    step = max(1.0, (len(kept) - 1) / max(1, most - 1))
    count = min(len(kept), most)
    return tuple(Game(setup, (), (), kept[min(len(kept) - 1, round(k * step))]) for k in range(count))


def _rounds(game: Game) -> int:
    """Return how many rounds are over, as the chart of the title counts them."""
    view = game.title.look(game.state, Request("chart"))
    return len(view.steps) if isinstance(view, Chart) else 0


def _ignore(event: Event) -> None:
    """Take no notice of a fact."""
