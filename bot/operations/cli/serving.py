"""Run the bot or the local table, and look whether all is well."""

import asyncio
import sys

import typer

from bot.operations import doctor as health_check
from bot.operations import mailing, variables
from bot.operations.cli.current import settings_here
from bot.operations.cli.ending import REFUSED, end
from bot.terminal import local

commands = typer.Typer()


@commands.command()
def run() -> None:
    """Run the bot; without DISCORD_TOKEN open the local table, and serve mails beside it if they are set."""
    settings = settings_here()
    if not settings.bot_token:
        beside = mailing.beside_the_table(settings) if settings.mails else None
        asyncio.run(local.run(settings.database, settings.pictures, sys.stdin, sys.stdout, beside))
        return
    from bot.discord.client import LoginRefusedError  # noqa: PLC0415  # likewise
    from bot.operations import serve  # noqa: PLC0415  # the terminal does not wait for Discord's library

    try:
        asyncio.run(serve.serve(settings, settings.bot_token))
    except LoginRefusedError as refusal:
        end(str(refusal), REFUSED)


@commands.command()
def doctor() -> None:
    """Show the settings in force, and check that everything the bot needs is there; exit 1 if not."""
    settings = settings_here()
    for each in variables.in_force(settings):
        typer.echo(f"{each.variable}={each.value}  ({each.source})")
    findings = asyncio.run(health_check.examine(settings))
    for finding in findings:
        typer.echo(f"{'ok ' if finding.well else 'BAD'} {finding.what}: {finding.words}")
    if not all(finding.well for finding in findings):
        raise typer.Exit(REFUSED)


@commands.command()
def health() -> None:
    """Tell whether the running bot is alive (for a container's health check)."""
    finding = asyncio.run(health_check.health(settings_here()))
    typer.echo(finding.words, err=not finding.well)
    if not finding.well:
        raise typer.Exit(REFUSED)
