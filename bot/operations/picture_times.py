"""Figures of pictures: what each costs in processor time, when it is drawn for the first time and again."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any  # each title has a state of its own type

from bot.screens.drawing import WARM_UP
from engine import TITLES, Game, Request, Rng, Setup, Title
from engine.interop import Imported
from render import png

MOVES = 250
"""Played before a title's pictures are drawn: about half a game."""

SEED = 7
GOES = 3


def drawn(found: Imported, moves: int = MOVES) -> Iterator[str]:
    """Yield a line a picture, title by title: a game's last position, and one of every other title.

    Before the first one is drawn, what a worker draws before it is given work.
    """
    WARM_UP.do(None, None)
    for title in TITLES.values():
        own = title.id == found.setup.title
        yield from _of_title(Game.replay(found.setup, found.log) if own else _played(title, moves))


def _played(title: Title[Any], moves: int) -> Game:
    """Return a position that the seeded player comes to."""
    game, rng = Game.new(Setup(title.id, min(4, title.seats[-1]), seed=SEED)), Rng(SEED)
    while game.actors and len(game.log) < moves:
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    return game


def _of_title(game: Game) -> Iterator[str]:
    """Draw each picture of a position, first and again."""
    turn, name = 0.0, game.title.short_name
    for picture in game.title.views.pictures:
        about = next((value for value, _ in game.title.views.subjects(game.state, picture.about)), "")
        if picture.about and not about:
            continue
        view = game.look(Request(picture.name, about=about))
        draw = partial(png, view)
        first, data = _timed(draw)
        again = min(_timed(draw)[0] for _ in range(GOES))
        turn += first if picture.every_turn else 0
        figures = f"{again:.0f} ms of processor time (first {first:.0f} ms), {len(data) / 1000:.0f} kB"
        yield f"{name}, {len(game.line)} moves, picture {picture.name}: {figures}"
    yield f"{name}: all pictures of a turn, drawn for the first time: {turn:.0f} ms of processor time"


def _timed(work: Callable[[], bytes]) -> tuple[float, bytes]:
    """Return milliseconds of processor time, and what came of it."""
    began = time.process_time()
    data = work()
    return (time.process_time() - began) * 1000, data
