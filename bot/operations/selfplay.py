"""Whole games by the seeded player of each title: load, fuzz, and the stand-in of later."""

import time
from collections.abc import Callable, Iterator
from functools import partial

from bot.operations import progress
from bot.service.workers.writing import as_bytes
from engine import Game, Record, Result, Rng, Setup

MOST_MOVES = 20_000


class SelfPlaySeries(Record, frozen=True):
    """Games to be played; their seeds count on from ``seed``."""

    title: str
    players: int
    seed: int
    games: int
    options: dict[str, str]


class SelfPlayed(Record, frozen=True):
    """One game played to its end, or to ``MOST_MOVES``.

    Args:
        result: ``None`` if it did not end. seconds: how long it took.
    """

    game: Game
    result: Result | None
    seconds: float


def play(setup: Setup, watch: Callable[[int], None] = lambda _: None) -> SelfPlayed:
    """Play one game; the same set-up always gives the same game. ``watch`` is told how many moves are made.

    Raises:
        RuleError: the set-up is refused, or the player chose an illegal move (a defect).
    """
    began = time.perf_counter()
    game, rng = Game.new(setup), Rng(setup.seed)
    while game.actors and len(game.log) < MOST_MOVES:
        seat = game.actors[0]
        game = game.play(seat, game.title.advice.choose(game.state, seat, rng)).game
        watch(len(game.line))
    return SelfPlayed(game, game.result(), time.perf_counter() - began)


def play_all(series: SelfPlaySeries) -> Iterator[SelfPlayed]:
    """Play the games of a series, one after the other; a terminal sees how far each is.

    Raises:
        RuleError: the set-up is refused.
    """
    for number in range(series.games):
        setup = Setup(series.title, series.players, dict(series.options), series.seed + number)
        with progress.shown() as tell:
            played = play(setup, partial(_tell, tell, f"game {number + 1} of {series.games}, moves"))
        yield played


def _tell(tell: progress.Watch, what: str, moves: int) -> None:
    tell(what, moves, 0)


def as_file(played: SelfPlayed, kind: str) -> bytes:
    """Return a game in one of the formats."""
    names = tuple(f"Player {seat + 1}" for seat in range(played.game.setup.seats))
    return as_bytes(played.game, names, kind)


def line(played: SelfPlayed) -> str:
    """Return one game as a line: its seed, the scores by seat, the reason it ended."""
    head = f"seed {played.game.setup.seed}: {len(played.game.line)} moves, {played.seconds:.2f} s"
    if played.result is None:
        return f"{head}, no end"
    scores = sorted((score.seat, score.total) for score in played.result.scores)
    return f"{head}, {played.result.told} — " + ", ".join(
        f"seat {seat + 1}: {played.result.currency}{total}" for seat, total in scores
    )
