"""The course of a game in a few positions: one after each of its rounds, as the frames of a time-lapse."""

from collections.abc import Sequence

import msgspec

from engine.game import Game, follow
from engine.record import Event
from engine.title import Request
from engine.view import Chart, MarketView, Poster, View

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
    return tuple(Game(setup, (), (), kept[round(k * step)]) for k in range(count))


def frames(game: Game, names: Sequence[str] = (), table: str = "") -> tuple[View, ...]:
    """Return the pictures of the moments of a game: its card with the market, else its first picture.

    Args:
        game: with its log.
        names: of the players by seat.
        table: its name.
    """
    known = [picture.name for picture in game.title.views.pictures]
    return tuple(_frame(moment, known, tuple(names), table) for moment in moments(game))


def _frame(moment: Game, known: Sequence[str], names: tuple[str, ...], table: str) -> View:
    view = moment.look(Request("card" if "card" in known else known[0], names=names, table=table))
    market = moment.look(Request("market", names=names)) if "market" in known else None
    if isinstance(view, Poster) and isinstance(market, MarketView):
        return msgspec.structs.replace(view, market=market)
    return view


def _rounds(game: Game) -> tuple[str, ...]:
    """Return the rounds that are over, as the chart of the title has them."""
    view = game.title.views.look(game.state, Request("chart"))
    return view.steps if isinstance(view, Chart) else ()


def _ignore(event: Event) -> None:
    """Take no notice of a fact."""
