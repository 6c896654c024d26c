"""What is stored of whom: list tables, export everything about a person or all games, delete a person or a server."""

import asyncio
import csv
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from bot.model.clock import DAY
from bot.model.errors import BotError, explain_error
from bot.operations import backup
from bot.operations.cli import REFUSED, end_with, show_progress
from bot.operations.settings import Settings, load_settings
from bot.service.league import LeagueLine, LeagueTable
from bot.service.people import People
from bot.service.services import Services
from bot.service.table import read_wall_clock
from bot.store import census, people, servers
from bot.store.address import PRIVATE_MODE, is_server, make_folder
from bot.store.census import ServerLine, TableLine
from bot.store.database import Database
from engine import LogError, RuleError
from engine.words import pluralise

STATES = ("open", "running", "finished", "closed")
T = TypeVar("T")
commands = typer.Typer()


def _write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_MODE), "wb") as file:
        file.write(data)


@asynccontextmanager
async def _open_alone(settings: Settings) -> AsyncIterator[Services]:
    """Open the database while no bot runs on it: it would go on showing what is deleted here."""
    alone = not is_server(settings.database)
    services = await Services.open(settings.database, folder=settings.home, alone=alone)
    try:
        await backup.refuse_running(services.database)
        yield services
    finally:
        await services.close()


def _read(settings: Settings, ask: Callable[[Database], Awaitable[T]]) -> T:
    """Return what a question to the database finds; the bot can keep running."""

    async def read() -> T:
        database = await Database.open_existing(settings.database)
        try:
            return await ask(database)
        finally:
            await database.close()

    return asyncio.run(read())


@commands.command("tables")
def show_tables(
    server: Annotated[str | None, typer.Option(metavar="ID", help="Only tables of this Discord server.")] = None,
    state: Annotated[str, typer.Option(help=f"Only tables in this state: {', '.join(STATES)}.")] = "",
    user: Annotated[str, typer.Option(metavar="ID", help="Only tables where this person has or had a seat.")] = "",
) -> None:
    """List all tables of all servers, with what happened there last."""
    if state and state not in STATES:
        raise BotError(f"There is no state “{state[:40]}”; choose from {', '.join(STATES)}.")

    async def ask(database: Database) -> list[TableLine]:
        async with database.reading() as session:
            return await census.list_tables(session, guild=server, states=[state] if state else (), user=user)

    found = _read(load_settings(), ask)
    for line in found:
        last = datetime.fromtimestamp(line.last, UTC).strftime("%Y-%m-%d %H:%M")
        where = line.guild or "no server"
        typer.echo(
            f"{line.number:>6}  {line.title:<12}  {line.state:<8}  {pluralise(line.seats, 'seat'):<7}  "
            f"{line.entries:>5} entries  {last}  {where}  {line.name}"
        )
    typer.echo(f"{pluralise(len(found), 'table').capitalize()}.")


@commands.command("servers")
def show_servers(
    days: Annotated[int, typer.Option(min=1, max=3650, help="Days of which moves and messages count.")] = 30,
) -> None:
    """Write what each server costs as CSV: its tables, and the moves, messages and bytes of the last days."""

    async def ask(database: Database) -> list[ServerLine]:
        async with database.reading() as session:
            return await census.list_servers(session, read_wall_clock() - days * DAY)

    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(ServerLine.__struct_fields__)
    rows.writerows([getattr(line, name) for name in line.__struct_fields__] for line in _read(load_settings(), ask))


@commands.command("league")
def show_league(
    server: Annotated[str, typer.Option(metavar="ID", help="The Discord server; tables without one if left out.")] = "",
) -> None:
    """Write the standings of a server's finished games as CSV: a line for each player and kind of game."""

    async def ask(database: Database) -> list[LeagueTable]:
        return await People(database, read_wall_clock).make_league(server)

    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(("title", "players", "options", *LeagueLine.__struct_fields__))
    for table in _read(load_settings(), ask):
        kind = (table.kind.title, table.kind.players, table.kind.options)
        rows.writerows((*kind, *(getattr(line, name) for name in line.__struct_fields__)) for line in table.standings)


@commands.command("person")
def show_person(
    user: Annotated[str, typer.Argument(help="The person's Discord ID.")],
    export: Annotated[Path | None, typer.Option("--export", help="Also write all of it to this file, as JSON.")] = None,
) -> None:
    """Show what is stored about a person; the file has no seeds, codes or addresses of pages."""

    async def ask(database: Database) -> dict[str, list[dict[str, object]]]:
        async with database.reading() as session:
            return await people.collect_rows(session, user)

    found = _read(load_settings(), ask)
    for name, rows in found.items():
        typer.echo(f"{name}: {len(rows)}")
    if not found:
        typer.echo("Nothing is stored about this person.")
    if export is not None:
        _write_private(export, json.dumps(found, ensure_ascii=False, indent=1).encode())
        typer.echo(f"Written to {export}.")


@commands.command("forget")
def forget(
    user: Annotated[str, typer.Option(metavar="ID", help="Delete this person's data, as /me forget does.")] = "",
    server: Annotated[str, typer.Option(metavar="ID", help="Delete a Discord server: its tables, logs, rules.")] = "",
    *,
    sure: Annotated[bool, typer.Option("--sure", help="Do it; without this, only show what would be deleted.")] = False,
) -> None:
    """Delete a person's or a server's data; stop the bot first. Backups keep theirs until they are replaced."""
    if bool(user) == bool(server):
        raise BotError("Name either --user or --server.")
    settings = load_settings()
    if not sure:
        typer.echo(_read(settings, lambda database: _preview(database, user, server)))
        return

    async def delete() -> str:
        async with _open_alone(settings) as services:
            if user:
                return f"Deleted at {pluralise(await services.seats.forget_person(user), 'table')}."
            async with services.database.writing() as session:
                count = await servers.delete_server(session, server, int(time.time()))
            return f"Deleted: {pluralise(count, 'table')}."

    typer.echo(asyncio.run(delete()))


async def _preview(database: Database, user: str, server: str) -> str:
    async with database.reading() as session:
        found = await census.list_tables(session, guild=server or None, user=user)
    running = sum(line.state == "running" for line in found)
    what = "the person's name and data" if user else "these tables with their logs, and the server's rules and record"
    where = f"{pluralise(len(found), 'table')}, {running} of them running"
    return f"{where}: --sure deletes {what}. This can't be undone."


async def export_all(settings: Settings, folder: Path) -> tuple[int, list[str]]:
    """Write the log of every game in a folder; return how many, and a sentence for each that can't be read.

    Raises:
        BotError: the folder can't be made.
    """
    failed = list[str]()
    services = await Services.open(settings.database, folder=settings.home)
    try:
        make_folder(folder)
        async with services.database.reading() as session:
            tables = await census.list_tables(session, states=("running", "finished", "closed"))
        begun = [line for line in tables if line.entries]
        with show_progress() as watch:
            for count, line in enumerate(begun, 1):
                watch("games", count, len(begun))
                try:
                    made = await services.transfer.export(line.number)
                except (BotError, LogError, RuleError) as refusal:
                    failed.append(f"Game {line.number}: {explain_error(refusal)}")
                    continue
                _write_private(folder / f"{line.number}-{made.name}", made.data)
    finally:
        await services.close()
    return len(begun) - len(failed), failed


def print_all(folder: Path) -> None:
    """Export all games, and say how many; exit 1 if one can't be exported."""
    count, failed = asyncio.run(export_all(load_settings(), folder))
    typer.echo(f"{pluralise(count, 'game')} written to {folder}.")
    if failed:
        end_with(" ".join(failed), REFUSED)
