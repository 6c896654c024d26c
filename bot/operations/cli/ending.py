"""How a command ends that cannot do what it was asked for."""

from typing import NoReturn

import typer

REFUSED, UNREADABLE = 1, 2


def end(sentence: str, code: int) -> NoReturn:
    """Say one line on standard error and end."""
    typer.echo(" ".join(sentence.split())[:1000], err=True)
    raise typer.Exit(code)
