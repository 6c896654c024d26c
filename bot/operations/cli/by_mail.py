"""Tables whose players answer mails."""

import asyncio
from typing import Annotated

import typer

from bot.commands.options import pairs
from bot.model.records import NewTable
from bot.operations import mailing
from bot.operations.cli.current import settings_here
from bot.service.opening.wishes import title_named
from bot.service.services import Services

commands = typer.Typer()
by_mail = typer.Typer(no_args_is_help=True, help="Tables whose players answer mails.")
commands.add_typer(by_mail, name="mail")


@by_mail.command()
def new(
    title: Annotated[str, typer.Argument(help="Which game, as 1860.")],
    to: Annotated[list[str], typer.Option("--to", help='Address of a player, "Ann <ann@…>"; one for each.')],
    name: Annotated[str, typer.Option("--name", help="Name of the table.")] = "",
    option: Annotated[list[str] | None, typer.Option("--option", help="name=value; several are possible.")] = None,
) -> None:
    """Open a table by mail: all are asked, and it begins when all have said yes."""
    settings = settings_here()
    wish = NewTable(title_named(title).id, len(to), name, dict(pairs(" ".join(option or []))))

    async def ask() -> str:
        services = await Services.open(settings.database, folder=settings.home)
        try:
            table = await services.hosting.open_table(wish, [mailing.guest_of(each) for each in to])
        finally:
            await services.close()
        return f"Game {table.id}, “{table.name}”: {len(to)} players are asked; it begins when all have said yes."

    typer.echo(asyncio.run(ask()))
    if not settings.mails:
        typer.echo("No mails are sent yet: set STATIONMASTER_MAIL_ADDRESS and STATIONMASTER_SMTP_HOST.", err=True)


@by_mail.command()
def invite(
    game: Annotated[int, typer.Argument(help="Number of the game.")],
    address: Annotated[str, typer.Argument(help='Address of the player, "Ann <ann@…>".')],
) -> None:
    """Ask somebody by mail to a table that has not begun."""
    settings = settings_here()

    async def ask() -> str:
        services = await Services.open(settings.database, folder=settings.home)
        try:
            host = (await services.lobby.info(game)).host
            table = await services.hosting.invite_by_letter(game, host, mailing.guest_of(address))
        finally:
            await services.close()
        return f"{address} is asked to “{table.name}”."

    typer.echo(asyncio.run(ask()))
