"""Whole games by the seeded player of each title: load, fuzz, and the stand-in of later."""

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from bot.operations.cli import Watch, ignore_progress, show_progress
from bot.operations.settings import load_settings
from bot.service import options as lobby_options
from bot.service.lobby import find_title
from bot.service.options import check_options, parse_options
from bot.service.workers.files import FORMATS, encode_export
from engine import Game, Record, Result, Rng, Setup
from engine.words import pluralise

MAX_MOVES = 20_000
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


def play(setup: Setup, watch: Watch = ignore_progress, name: str = "moves") -> SelfPlayed:
    """Play one game; the same set-up always gives the same game. ``watch`` is told by ``name`` how many moves are made.

    Raises:
        RuleError: the set-up is refused, or the player chose an illegal move (a defect).
    """
    began = time.perf_counter()
    game, rng = Game.new(setup), Rng(setup.seed)
    while game.actors and len(game.log) < MAX_MOVES:
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
