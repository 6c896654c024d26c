"""Measure this machine."""

from pathlib import Path
from typing import Annotated

import typer

from bot.operations import bench as measure
from bot.operations import progress
from bot.operations.crowd.figures import Crowd

commands = typer.Typer()


@commands.command()
def bench(
    log: Annotated[Path | None, typer.Option(help="A recorded game to replay.")] = None,
    tables: Annotated[int, typer.Option(min=1, help="Tables that are played side by side.")] = 50,
    seconds: Annotated[float, typer.Option(min=0, help="For so long.")] = 30,
    rate: Annotated[float, typer.Option(min=0.1, help="Presses a second, of which two in five are moves.")] = 2,
    starts: Annotated[int, typer.Option(min=0, help="Tables started in the same moment at the end.")] = 10,
) -> None:
    """Measure: replay, routes, pictures, and a crowd at many tables of a Discord that is here on the machine."""
    crowd = Crowd(tables, seconds, rate, starts)
    for line in progress.waited_for(measure.measure(log, crowd), "measuring"):
        typer.echo(line)
