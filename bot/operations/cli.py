"""The command line: run, migrate, backup, restore, check, export, replay, selfplay, bench, doctor, health."""

import asyncio
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from pydantic import ValidationError
from typer.core import TyperGroup

from bot.commands.options import pairs
from bot.operations import backup, logs, mailing, progress, selfplay
from bot.operations import doctor as health_check
from bot.operations.settings import Settings
from bot.service.errors import BotError, sentence_of
from bot.service.opening import own_files
from bot.service.opening.wishes import chosen, title_named
from bot.service.records import NewTable
from bot.service.services import Services
from bot.service.workers.writing import FORMATS
from bot.store.address import shown
from bot.store.database import Database
from bot.terminal import local
from engine import LogError, RuleError, UnreadableLogError

REFUSED, UNREADABLE = 1, 2


class OneLine(TyperGroup):
    """Commands whose refusals are one line on standard error and exit code 1."""

    def invoke(self, ctx: Any) -> object:  # noqa: ANN401  # typer gives its Context no public name
        """Run the command."""
        try:
            return super().invoke(ctx)
        except (BotError, RuleError, LogError, UnreadableLogError) as refusal:
            _end(sentence_of(refusal) or "", REFUSED)


app = typer.Typer(
    name="stationmaster",
    help="A Discord bot, and a local table, for long railway board games.",
    cls=OneLine,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line."""
    app()


def _settings() -> Settings:
    try:
        settings = Settings()
    except ValidationError as error:
        first = error.errors()[0]
        _end(f"The setting {first['loc'][0]} is wrong: {first['msg']}.", UNREADABLE)
    logs.set_up(settings.log_level, as_json=settings.log_json)
    return settings


def _end(sentence: str, code: int) -> NoReturn:
    """Say one line on standard error and end."""
    typer.echo(" ".join(sentence.split())[:1000], err=True)
    raise typer.Exit(code)


@app.command()
def run() -> None:
    """Run the bot; without DISCORD_TOKEN open the local table, and serve mails beside it if they are set."""
    settings = _settings()
    if settings.token is None or not settings.token.get_secret_value().strip():
        beside = mailing.beside_the_table(settings) if settings.mails else None
        asyncio.run(local.run(settings.database, settings.pictures, sys.stdin, sys.stdout, beside))
        return
    from bot.discord.client import LoginRefusedError  # noqa: PLC0415  # likewise
    from bot.operations import serve  # noqa: PLC0415  # the terminal does not wait for Discord's library

    try:
        asyncio.run(serve.serve(settings, settings.token.get_secret_value().strip()))
    except LoginRefusedError as refusal:
        _end(str(refusal), REFUSED)


by_mail = typer.Typer(cls=OneLine, no_args_is_help=True, help="Tables whose players answer mails.")
app.add_typer(by_mail, name="mail")


@by_mail.command()
def new(
    title: Annotated[str, typer.Argument(help="Which game, as 1860.")],
    to: Annotated[list[str], typer.Option("--to", help='Address of a player, "Ann <ann@…>"; one for each.')],
    name: Annotated[str, typer.Option("--name", help="Name of the table.")] = "",
    option: Annotated[list[str] | None, typer.Option("--option", help="name=value; several are possible.")] = None,
) -> None:
    """Open a table by mail: all are asked, and it begins when all have said yes."""
    settings = _settings()
    wish = NewTable(title_named(title).id, len(to), name, dict(pairs(" ".join(option or []))))

    async def ask() -> str:
        services = await Services.open(settings.database, folder=settings.home)
        try:
            table = await services.by_letter.open_table(wish, [mailing.guest_of(each) for each in to])
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
    settings = _settings()

    async def ask() -> str:
        services = await Services.open(settings.database, folder=settings.home)
        try:
            host = (await services.lobby.info(game)).host
            table = await services.by_letter.invite(game, host, mailing.guest_of(address))
        finally:
            await services.close()
        return f"{address} is asked to “{table.name}”."

    typer.echo(asyncio.run(ask()))


@app.command()
def migrate() -> None:
    """Bring the store to today's form (also done at every start)."""
    settings = _settings()

    async def bring() -> None:
        await (await Database.open(settings.database)).close()

    asyncio.run(bring())
    typer.echo(f"{shown(settings.database)} is up to date.")


@app.command()
def export(
    game: Annotated[int, typer.Argument(help="Number of the game.")],
    kind: Annotated[str, typer.Option("--format", help=f"One of: {', '.join(FORMATS)}.")] = FORMATS[0],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write; standard output if left out.")] = None,
) -> None:
    """Write a stored game as a file."""
    settings = _settings()

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


@app.command(name="backup")
def back_up(
    file: Annotated[Path, typer.Argument(help="File to write.")],
    *,
    whole: Annotated[bool, typer.Option("--whole", help="Of a damaged store, copy what can be read.")] = False,
) -> None:
    """Copy the store into one file, also while the bot runs; the copy is checked by opening it."""
    typer.echo(asyncio.run(backup.back_up(_settings().database, file, whole=whole)))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup; with --game, the exported log of a table.")],
    *,
    game: Annotated[int | None, typer.Option(help="Number of the one table that gets its log back.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Put the store that is there aside.")] = False,
) -> None:
    """Make the store what a backup says, wherever it was made; the bot must not be running."""
    address = _settings().database
    if game is None:
        typer.echo(asyncio.run(backup.restore(address, file, replace=replace)))
    else:
        typer.echo(asyncio.run(backup.restore_game(address, file, game)))


@app.command()
def check() -> None:
    """Read every page of the store and play every log again; exit 1 if something is damaged."""
    found = asyncio.run(backup.check(_settings().database))
    for sentence in found.words:
        typer.echo(sentence)
    if not found.well:
        raise typer.Exit(REFUSED)


@app.command()
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
    from bot.operations import replay as player  # noqa: PLC0415  # pictures and interop are loaded only where they are used

    try:
        with progress.shown() as watch:
            wishes = player.Wishes(trace, routes, options, images, film, until, seed)
            report = player.replay(player.content(file), wishes, watch)
    except LogError as refusal:
        _end(f"Action {refusal.index} is refused: {refusal.cause}", REFUSED)
    except UnreadableLogError as refusal:
        _end(str(refusal), UNREADABLE)
    except OSError as error:
        _end(f"{error.filename}: {error.strerror}.", UNREADABLE)
    except Exception as error:  # noqa: BLE001  # a hostile file may find a hole in the reader: one clear line, never a trace
        _end(f"This file cannot be read as a game log ({type(error).__name__}: {error}).", UNREADABLE)
    if as_json:
        fields = ("title", "finished", "reason", "actions", "result")
        typer.echo(json.dumps({name: getattr(report, name) for name in fields}, ensure_ascii=False))
        return
    typer.echo(f"{report.title}: {report.actions} actions in force, {report.reason or 'not finished'}.")
    for player_id, score in report.result.items():
        typer.echo(f"  {player_id}: {score}")


@app.command(name="selfplay", context_settings={"allow_extra_args": True, "ignore_unknown_options": False})
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
    wishes = own_files.with_files(_settings().home, title, wishes)
    _series(selfplay.Series(title, players, seed, games, chosen(title, wishes)), export_to, kind)


def _series(series: selfplay.Series, folder: Path | None, kind: str) -> None:
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
    typer.echo(f"{series.games} games, {series.games / max(seconds, 1e-9):.2f} games per second — {ends}")


@app.command()
def bench(
    log: Annotated[Path | None, typer.Option(help="A recorded game to replay.")] = None,
    tables: Annotated[int, typer.Option(min=1, help="Tables that are played side by side.")] = 50,
    seconds: Annotated[float, typer.Option(min=0, help="For so long.")] = 30,
    rate: Annotated[float, typer.Option(min=0.1, help="Presses a second, of which two in five are moves.")] = 2,
    starts: Annotated[int, typer.Option(min=0, help="Tables started in the same moment at the end.")] = 10,
) -> None:
    """Measure: replay, routes, pictures, and a crowd at many tables of a Discord that is here on the machine."""
    from bot.operations import bench as measure  # noqa: PLC0415  # only here
    from bot.operations.crowd.figures import Crowd  # noqa: PLC0415

    crowd = Crowd(tables, seconds, rate, starts)
    for line in progress.waited_for(measure.measure(log, crowd), "measuring"):
        typer.echo(line)


@app.command()
def doctor() -> None:
    """Look whether everything the bot needs is there; exit 1 if not."""
    findings = asyncio.run(health_check.examine(_settings()))
    for finding in findings:
        typer.echo(f"{'ok ' if finding.well else 'BAD'} {finding.what}: {finding.words}")
    if not all(finding.well for finding in findings):
        raise typer.Exit(REFUSED)


@app.command()
def health() -> None:
    """Tell whether the running bot is alive (for a container's health check)."""
    finding = asyncio.run(health_check.health(_settings()))
    typer.echo(finding.words, err=not finding.well)
    if not finding.well:
        raise typer.Exit(REFUSED)
