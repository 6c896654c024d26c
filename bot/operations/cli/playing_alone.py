"""Whole games by the seeded player."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from bot.commands.options import pairs
from bot.operations import selfplay
from bot.operations.cli.current import settings_here
from bot.service.opening import own_files
from bot.service.opening.wishes import chosen, title_named
from bot.service.workers.writing import FORMATS
from engine.english import counted

commands = typer.Typer()


@commands.command(name="selfplay", context_settings={"allow_extra_args": True, "ignore_unknown_options": False})
def play_alone(  # noqa: PLR0913  # one parameter an option of the command
    context: typer.Context,
    title: Annotated[str, typer.Argument(help="Which game.")],
    *,
    players: Annotated[int, typer.Option(help="Number of players.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first game; the next ones count on.")] = 1,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1,
    options: Annotated[list[str] | None, typer.Option(help="Lobby options as name=value.")] = None,
    profile: Annotated[str, typer.Option(help="Rules profile; with 18xx.games files are of that site too.")] = "",
    export_to: Annotated[Path | None, typer.Option("--export", help="Write each game to this folder.")] = None,
    kind: Annotated[
        str, typer.Option("--format", help=f"One of: {', '.join(FORMATS)}; the profile's own if left out.")
    ] = "",
) -> None:
    """Play whole games by the seeded player, to a real ending."""
    wishes = pairs(" ".join([*(options or []), *context.args]))
    if profile:
        wishes["profile"] = profile
    kind = kind or (wishes["profile"] if wishes.get("profile") in FORMATS else FORMATS[0])
    title = title_named(title).id
    wishes = own_files.with_files(settings_here().home, title, wishes)
    _series(selfplay.SelfPlaySeries(title, players, seed, games, chosen(title, wishes)), export_to, kind)


def _series(series: selfplay.SelfPlaySeries, folder: Path | None, kind: str) -> None:
    """Play the games of a series and tell each, then all."""
    reasons: Counter[str] = Counter()
    seconds = 0.0
    for played in selfplay.play_all(series):
        typer.echo(selfplay.line(played))
        reasons[played.result.reason if played.result else "no end"] += 1
        seconds += played.seconds
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            name = f"{series.title}-{series.players}p-{played.game.setup.seed}.json"
            (folder / name).write_bytes(selfplay.as_file(played, kind))
    ends = ", ".join(f"{reason}: {count}" for reason, count in reasons.most_common())
    typer.echo(f"{counted(series.games, 'game')}, {series.games / max(seconds, 1e-9):.2f} games per second — {ends}")
