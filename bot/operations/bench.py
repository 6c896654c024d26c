"""Figures of this machine: replay, best runs, pictures.

All are milliseconds of processor time, so that other work of the machine
hardly shows: the median is for a ratio to another version or another program.
Without a log the game is one of 1860 that the seeded player plays first.
"""

import json
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any  # each title has a state of its own type

import typer

from bot.operations import selfplay
from bot.operations.cli import show_waiting
from bot.screens.drawing import WARM_UP
from engine import TITLES, Game, Record, Request, Rng, Setup, Title
from engine.interop.exchange import TraceWish, import_log, trace_game
from render import png

GAME = Setup("1860", 3, seed=7)
REPLAY_COUNT, REDRAW_COUNT = 5, 3
"""How often a log is replayed, and a picture drawn again."""
PICTURE_MOVES, PICTURE_SEED = 250, 7
"""What is played before a title's pictures are drawn: about half a game."""
commands = typer.Typer()
TABLE_HEADING = ("ms of processor time", "median", "min", "max", "total", "times")


class Figure(Record, frozen=True):
    """What was measured, the milliseconds of each time, and a word about its size."""

    name: str
    times: tuple[float, ...]
    size: str = ""

    @property
    def median(self) -> float:
        """The middle of all times."""
        return statistics.median(self.times)

    @property
    def total(self) -> float:
        """All times together."""
        return sum(self.times)


def measure(log: Path | None, picture_moves: int = PICTURE_MOVES) -> Iterator[Figure]:
    """Yield one figure after the other.

    Raises:
        UnreadableLogError, LogError: the log cannot be read or breaks a rule.
    """
    data = log.read_bytes() if log else selfplay.encode_game(selfplay.play(GAME), "native")
    found = import_log(data)
    actions = f"{len(found.log)} actions"
    if log:
        yield Figure(f"read and check {log.name}", _time_often(lambda: import_log(data)), actions)
    yield Figure("replay, every check on", _time_often(lambda: Game.replay(found.setup, found.log)), actions)
    wanted = TraceWish(states=False, clock=time.process_time)
    runs = tuple(float(str(row["ms"])) for step in trace_game(found, wanted) if (row := step.run) is not None)
    if runs:
        yield Figure("best runs of a turn", runs)
    WARM_UP.do(None, None)  # as a worker does before it is given work
    for title in TITLES.values():
        own = title.id == found.setup.title
        yield from _draw(Game.replay(found.setup, found.log) if own else _self_play(title, picture_moves))


def _time_often(work: Callable[[], object]) -> tuple[float, ...]:
    return tuple(_time(work)[0] for _ in range(REPLAY_COUNT))


def _time(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the milliseconds of processor time that work took, and what came of it."""
    began = time.process_time()
    made = work()
    return (time.process_time() - began) * 1000, made


def _self_play(title: Title[Any], moves: int) -> Game:
    """Play so many moves by the seeded player."""
    game, rng = Game.new(Setup(title.id, min(4, title.seats[-1]), seed=PICTURE_SEED)), Rng(PICTURE_SEED)
    while game.actors and len(game.log) < moves:
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    return game


def _draw(game: Game) -> Iterator[Figure]:
    """Draw each picture of a position for the first time and again, then those of a turn together."""
    turn, name, moves = 0.0, game.title.short_name, f"{len(game.line)} moves"
    for picture in game.title.views.pictures:
        about = next((value for value, _ in game.title.views.subjects(game.state, picture.about)), "")
        if picture.about and not about:
            continue
        draw = partial(png, game.look(Request(picture.name, about=about)))
        first, data = _time(draw)
        turn += first if picture.every_turn else 0
        again = tuple(_time(draw)[0] for _ in range(REDRAW_COUNT))
        yield Figure(f"{name} {picture.name}, first", (first,), f"{moves}, {len(data) / 1000:.0f} kB")
        yield Figure(f"{name} {picture.name}, again", again, f"{moves}, {len(data) / 1000:.0f} kB")
    yield Figure(f"{name}, all pictures of a turn, first", (turn,), moves)


@commands.command()
def bench(
    log: Annotated[Path | None, typer.Option(help="A recorded game to replay.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print each measurement as a line of JSON.")] = False,  # noqa: FBT002
) -> None:
    """Measure how fast this machine replays games, finds best runs and draws pictures."""
    if not as_json:
        typer.echo(_format_row(*TABLE_HEADING))
    for figure in show_waiting(measure(log), "measuring"):
        least, most = min(figure.times), max(figure.times)
        if as_json:
            typer.echo(json.dumps({
                "figure": figure.name, "median": figure.median, "least": least, "most": most, "total": figure.total,
                "times": len(figure.times), "size": figure.size,
            }))  # fmt: skip
        else:
            shown = (f"{ms:.1f}" for ms in (figure.median, least, most, figure.total))
            typer.echo(_format_row(figure.name, *shown, str(len(figure.times)), figure.size))


def _format_row(name: str, *figures: str) -> str:
    """Return a line of the table; what follows the figures is a word about the size."""
    numbers = "".join(f"{figure:>9}" for figure in figures[:5])
    return f"{name:<44}{numbers}  {''.join(figures[5:])}".rstrip()
