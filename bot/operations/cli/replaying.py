"""Play a log again."""

import json
from pathlib import Path
from typing import Annotated

import typer

from bot.operations import progress
from bot.operations import replay as player
from bot.operations.cli.ending import REFUSED, UNREADABLE, end
from engine import LogError, UnreadableLogError

commands = typer.Typer()


@commands.command()
def replay(  # noqa: PLR0913  # one parameter an option of the command
    file: Annotated[Path, typer.Argument(help="A log in our format or that of 18xx.games.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    trace: Annotated[Path | None, typer.Option(help="Write the state after each action.")] = None,
    routes: Annotated[Path | None, typer.Option(help="Write each run, and the best there was.")] = None,
    options: Annotated[Path | None, typer.Option(help="Write what was legal before each action.")] = None,
    images: Annotated[Path | None, typer.Option(help="Write the pictures of every turn to a folder.")] = None,
    film: Annotated[Path | None, typer.Option(help="Write a time-lapse of the board, a frame a round (WebP).")] = None,
    until: Annotated[int | None, typer.Option(min=0, help="Stop after so many actions in force.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Opens a log that was taken while the game ran.")] = None,
) -> None:
    """Play a log again, checking every action; exit 1 at a broken rule, 2 if it is no log."""
    try:
        with progress.shown() as watch:
            wishes = player.Wishes(trace, routes, options, images, film, until, seed)
            report = player.replay(player.content(file), wishes, watch)
    except LogError as refusal:
        end(f"Action {refusal.index} is refused: {refusal.cause}", REFUSED)
    except UnreadableLogError as refusal:
        end(str(refusal), UNREADABLE)
    except OSError as error:
        end(f"{error.filename}: {error.strerror}.", UNREADABLE)
    except Exception as error:  # noqa: BLE001  # a hostile file may find a hole in the reader: one clear line, never a trace
        end(f"This file cannot be read as a game log ({type(error).__name__}: {error}).", UNREADABLE)
    if as_json:
        fields = ("title", "finished", "reason", "actions", "result")
        typer.echo(json.dumps({name: getattr(report, name) for name in fields}, ensure_ascii=False))
        return
    for line in report.words:
        typer.echo(line)
