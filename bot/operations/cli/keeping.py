"""The store: bring it up to date, copy it, read it, write a game of it as a file."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from bot.operations import backup
from bot.operations.cli.current import settings_here
from bot.operations.cli.ending import REFUSED
from bot.service.services import Services
from bot.service.workers.writing import FORMATS
from bot.store.address import shown
from bot.store.upgrading import open_store

commands = typer.Typer()


@commands.command()
def migrate(
    *,
    set_aside: Annotated[
        bool, typer.Option("--set-aside", help="Keep games that cannot be played as files, and close their tables.")
    ] = False,
) -> None:
    """Bring the store to today's form, as every start does; a copy of an older one is kept first."""
    settings = settings_here()

    async def bring() -> None:
        store = await open_store(settings.database, settings.home, set_aside=set_aside, report=typer.echo)
        await store.close()

    asyncio.run(bring())
    typer.echo(f"{shown(settings.database)} is up to date.")


@commands.command()
def export(
    game: Annotated[int, typer.Argument(help="Number of the game.")],
    kind: Annotated[str, typer.Option("--format", help=f"One of: {', '.join(FORMATS)}.")] = FORMATS[0],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write; standard output if left out.")] = None,
) -> None:
    """Write a stored game as a file."""
    settings = settings_here()

    async def fetch() -> bytes:
        services = await Services.open(settings.database, folder=settings.home)
        try:
            return (await services.transfer.export(game, kind)).data
        finally:
            await services.close()

    data = asyncio.run(fetch())
    if out is None:
        sys.stdout.buffer.write(data)
    else:
        out.write_bytes(data)


@commands.command(name="backup")
def back_up(
    file: Annotated[Path, typer.Argument(help="File to write.")],
    *,
    whole: Annotated[bool, typer.Option("--whole", help="Of a damaged store, copy what can be read.")] = False,
) -> None:
    """Copy the store into one file, also while the bot runs; the copy is checked by opening it."""
    typer.echo(asyncio.run(backup.back_up(settings_here().database, file, whole=whole)))


@commands.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup; with --game, the exported log of a table.")],
    *,
    game: Annotated[int | None, typer.Option(help="Number of the one table that gets its log back.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Put the store that is there aside.")] = False,
) -> None:
    """Make the store what a backup says, wherever it was made; the bot must not be running."""
    settings = settings_here()
    if game is None:
        typer.echo(asyncio.run(backup.restore(settings.database, file, replace=replace, home=settings.home)))
    else:
        typer.echo(asyncio.run(backup.restore_game(settings.database, file, game, home=settings.home)))


@commands.command()
def check() -> None:
    """Read every page of the store and play every log again; exit 1 if something is damaged."""
    found = asyncio.run(backup.check(settings_here().database))
    for sentence in found.words:
        typer.echo(sentence)
    if not found.well:
        raise typer.Exit(REFUSED)
