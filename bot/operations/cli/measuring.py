"""Measure this machine."""

import json
from pathlib import Path
from typing import Annotated

import typer

from bot.operations import bench as figures
from bot.operations import progress

commands = typer.Typer()
HEADING = ("ms of processor time", "median", "least", "most", "total", "times")


@commands.command()
def bench(
    log: Annotated[Path | None, typer.Option(help="A recorded game to replay.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print each figure as a line of JSON.")] = False,  # noqa: FBT002
) -> None:
    """Measure replay, best runs and pictures on this machine."""
    if not as_json:
        typer.echo(_row(*HEADING))
    for figure in progress.waited_for(figures.measure(log), "measuring"):
        least, most = min(figure.times), max(figure.times)
        if as_json:
            typer.echo(json.dumps({
                "figure": figure.name, "median": figure.median, "least": least, "most": most, "total": figure.total,
                "times": len(figure.times), "size": figure.size,
            }))  # fmt: skip
        else:
            shown = (f"{ms:.1f}" for ms in (figure.median, least, most, figure.total))
            typer.echo(_row(figure.name, *shown, str(len(figure.times)), figure.size))


def _row(name: str, *figures: str) -> str:
    """Return a line of the table; what follows the figures is a word about the size."""
    numbers = "".join(f"{figure:>9}" for figure in figures[:5])
    return f"{name:<44}{numbers}  {''.join(figures[5:])}".rstrip()
