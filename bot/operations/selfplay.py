"""Whole games by the seeded player of each title, and figures of this machine: replay, best runs, pictures.

Figures are milliseconds of processor time, so that other work of the machine hardly shows: the median is for a ratio
to another version or another program.
"""

import json
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import (
    Annotated,
    Any,  # each title has a state of its own type
)

import typer

from bot.operations.cli import Watch, ignore_progress, show_progress, show_waiting
from bot.operations.settings import load_settings
from bot.screens.drawing import WARM_UP
from bot.service import options as lobby_options
from bot.service.lobby import find_title
from bot.service.options import check_options, parse_options
from bot.service.workers.files import FORMATS, encode_export
from engine import TITLES, Game, Record, Request, Result, Rng, Setup
from engine.interop.exchange import TraceWish, import_log, trace_game
from engine.words import pluralise
from render import png

MAX_MOVES = 20_000
GAME = Setup("1860", 3, seed=7)
"""What is measured where no log is given."""
REPLAY_COUNT, REDRAW_COUNT = 5, 3
"""How often a log is replayed, and a picture drawn again."""
PICTURE_MOVES, PICTURE_SEED = 250, 7
"""What is played before a title's pictures are drawn: about half a game."""
TABLE_HEADING = ("ms of processor time", "median", "min", "max", "total", "times")
commands = typer.Typer()


class SelfPlaySeries(Record, frozen=True):
    """Games to be played; their seeds count on from ``seed``."""

    title: str
    players: int
    seed: int
    games: int
    options: dict[str, str]


class SelfPlayed(Record, frozen=True):
    """One game played to its end, or to ``MAX_MOVES``.

    Args:
        result: ``None`` if it did not end. seconds: how long it took.
    """

    game: Game
    result: Result | None
    seconds: float


def play(setup: Setup, watch: Watch = ignore_progress, name: str = "moves", *, most: int = 0) -> SelfPlayed:
    """Play one game, or so many moves of it at the most; the same set-up always gives the same game.

    ``watch`` is told by ``name`` how many moves are made.

    Raises:
        RuleError: the set-up is refused, or the player chose an illegal move (a defect).
    """
    began = time.perf_counter()
    game, rng = Game.new(setup), Rng(setup.seed)
    while game.actors and len(game.log) < (most or MAX_MOVES):
        seat = game.actors[0]
        game = game.play(seat, game.title.advice.choose(game.state, seat, rng)).game
        watch(name, len(game.line), 0)
    return SelfPlayed(game, game.result(), time.perf_counter() - began)


def play_all(series: SelfPlaySeries) -> Iterator[SelfPlayed]:
    """Play the games of a series, one after the other; a terminal sees how far each is.

    Raises:
        RuleError: the set-up is refused.
    """
    for number in range(series.games):
        setup = Setup(series.title, series.players, dict(series.options), series.seed + number)
        with show_progress() as watch:
            played = play(setup, watch, f"game {number + 1} of {series.games}, moves")
        yield played


def encode_game(played: SelfPlayed, kind: str) -> bytes:
    """Return a game in one of the formats."""
    names = tuple(f"Player {seat + 1}" for seat in range(played.game.setup.seats))
    return encode_export(played.game, names, kind)


def format_line(played: SelfPlayed) -> str:
    """Return one game as a line: its seed, the scores by seat, the reason it ended."""
    head = f"seed {played.game.setup.seed}: {len(played.game.line)} moves, {played.seconds:.2f} s"
    if played.result is None:
        return f"{head}, no end"
    scores = sorted((score.seat, score.total) for score in played.result.scores)
    return f"{head}, {played.result.reason_in_words} — " + ", ".join(
        f"seat {seat + 1}: {played.result.currency}{total}" for seat, total in scores
    )


@commands.command(name="selfplay", context_settings={"allow_extra_args": True, "ignore_unknown_options": False})
def play_alone(  # noqa: PLR0913  # one parameter an option of the command
    context: typer.Context,
    title: Annotated[str, typer.Argument(help="Game to play, such as 1860.")],
    *,
    players: Annotated[int, typer.Option(help="Number of players.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first game; each later game adds 1.")] = 1,
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 1,
    options: Annotated[list[str] | None, typer.Option(help="Lobby options as name=value.")] = None,
    profile: Annotated[str, typer.Option(help="Rules profile; 18xx.games also sets the format of files.")] = "",
    export_to: Annotated[Path | None, typer.Option("--export", help="Write each game to this folder.")] = None,
    kind: Annotated[
        str, typer.Option("--format", help=f"One of: {', '.join(FORMATS)}; default: the profile's own.")
    ] = "",
) -> None:
    """Let the program play whole games against itself."""
    wishes = parse_options(" ".join([*(options or []), *context.args]))
    if profile:
        wishes["profile"] = profile
    kind = kind or (wishes["profile"] if wishes.get("profile") in FORMATS else FORMATS[0])
    title = find_title(title).id
    wishes = lobby_options.read_own_files(load_settings().home, title, wishes)
    _play_series(SelfPlaySeries(title, players, seed, games, check_options(title, wishes)), export_to, kind)


def _play_series(series: SelfPlaySeries, folder: Path | None, kind: str) -> None:
    """Play the games of a series and tell each, then all."""
    reasons: Counter[str] = Counter()
    seconds = 0.0
    for played in play_all(series):
        typer.echo(format_line(played))
        reasons[played.result.reason if played.result else "no end"] += 1
        seconds += played.seconds
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            name = f"{series.title}-{series.players}p-{played.game.setup.seed}.json"
            (folder / name).write_bytes(encode_game(played, kind))
    ends = ", ".join(f"{reason}: {count}" for reason, count in reasons.most_common())
    typer.echo(f"{pluralise(series.games, 'game')}, {series.games / max(seconds, 1e-9):.2f} games per second — {ends}")


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
    data = log.read_bytes() if log else encode_game(play(GAME), "native")
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
        new = Setup(title.id, min(4, title.seats[-1]), seed=PICTURE_SEED)
        yield from _draw(Game.replay(found.setup, found.log) if own else play(new, most=picture_moves).game)


def _time_often(work: Callable[[], object]) -> tuple[float, ...]:
    return tuple(_time(work)[0] for _ in range(REPLAY_COUNT))


def _time(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the milliseconds of processor time that work took, and what came of it."""
    began = time.process_time()
    made = work()
    return (time.process_time() - began) * 1000, made


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
