"""Is all well? Checks for people (``doctor``) and for a container's health check (``health``)."""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bot.model.errors import BotError
from bot.operations import backup, mailing
from bot.operations.cli import REFUSED
from bot.operations.settings import Settings, list_in_force, load_settings, mask_words
from bot.screens.drawing import make_drawer
from bot.service.duties import COMMANDS_DUTY, decode_declared
from bot.service.inspection import NOTE, decode_report
from bot.store import fates, leases, soundness
from bot.store.address import is_open_to_others, is_server, list_secrets
from bot.store.database import Database
from engine import TITLES, Game, Record, Setup
from engine.view import Note
from engine.words import pluralise
from render import Renderer, png

BEAT_SECONDS_MAX = 120
PROBE_NOTE, PROBE_CHARACTERS = "health", 16_000
"""The note that ``health`` writes over each time: as long as a move with its posts, so that it fails when they do."""
PROBE_SECONDS_MAX = 8.0
"""Seconds for all of it: a container gives its health check ten, and the next must not meet this one."""
commands = typer.Typer()


def beat_path(home: Path) -> Path:
    """Return the file that the bot of this machine touches while it is up."""
    return home / f"{socket.gethostname()}.alive"


class Finding(Record, frozen=True):
    """One thing looked at: what, whether it is well, and a few words."""

    what: str
    well: bool
    words: str


async def examine(settings: Settings) -> list[Finding]:
    """Look at everything a running bot needs; each check stands alone."""
    is_fresh = _is_fresh(settings)
    used = {} if is_fresh else {"commands": _check_commands, "turns": _check_turns}
    mail_checks = _MAIL_CHECKS if settings.mails else {}
    if not is_fresh and settings.mails:
        mail_checks = {**mail_checks, "mails of this week": mailing.check_letters}
    return [
        await run_check("token", lambda: _check_token(settings)),
        await run_check("database", lambda: _check_store(settings)),
        *[await run_check(what, check) for what, check in _PLAIN_CHECKS.items()],
        await run_check("folder", lambda: _check_folder(settings.pictures)),
        await run_check("rights", lambda: _check_rights(settings)),
        *[await run_check(what, partial(check, settings.database)) for what, check in used.items()],
        await run_check("backups", lambda: _check_backups(settings)),
        *[await run_check(what, partial(check, settings)) for what, check in mail_checks.items()],
    ]


async def check_health(settings: Settings) -> Finding:
    """Return whether the bot of this machine is alive: the database can be written and the heartbeat is young."""
    return await run_check("bot", lambda: _check_alive(settings))


async def run_check(what: str, check: Callable[[], Awaitable[str]]) -> Finding:
    """Return what a check finds: what it returns is well; what it raises isn't, and is told in words."""
    try:
        return Finding(what, well=True, words=await check())
    except BotError as refusal:
        return Finding(what, well=False, words=refusal.sentence)
    except Exception as error:  # noqa: BLE001  # whatever it is, it is the finding
        return Finding(what, well=False, words=f"{type(error).__name__}: {error}".partition("\n")[0])


async def _check_token(settings: Settings) -> str:
    """Return whether there is a token, without it."""
    if settings.bot_token:
        return "DISCORD_TOKEN is set; “stationmaster run” starts the bot"
    serves = "serves e-mail, and opens the local table at a terminal" if settings.mails else "opens the local table"
    return f"DISCORD_TOKEN isn't set; “stationmaster run” {serves}"


def _is_fresh(settings: Settings) -> bool:
    """Return whether nothing was ever stored here: there is no database, and no backup of one."""
    if is_server(settings.database) or Path(settings.database).exists():
        return False
    return backup.find_newest(settings.home) is None and not any(settings.home.glob("*.before-*"))


async def _check_store(settings: Settings) -> str:
    """Look at every page and replay every log."""
    if _is_fresh(settings):
        return f"none at {settings.database} yet; the first start creates it"
    address = settings.database
    database = await Database.open_existing(address)
    try:
        sound = await soundness.examine(database, played=True)
    finally:
        await database.close()
    if not sound.is_intact:
        raise BotError(" ".join(sound.sentences))
    return f"{database.name}: {sound.sentences[0]}"


async def _check_alive(settings: Settings) -> str:
    """Write a note and read it back, no more: this is done every minute."""
    try:
        async with asyncio.timeout(PROBE_SECONDS_MAX):
            database = await Database.open_existing(settings.database)
            try:
                await _write_and_read_back(database)
            finally:
                await database.close()
    except TimeoutError:
        raise BotError(f"The database didn't answer within {PROBE_SECONDS_MAX:.0f} seconds.") from None
    return f"{database.name} can be written and read; {_check_heartbeat(settings.home)}"


async def _write_and_read_back(database: Database) -> None:
    written = f"{time.time_ns()}".ljust(PROBE_CHARACTERS, ".")
    async with database.writing(wakes=False) as session:
        await leases.write_note(session, PROBE_NOTE, written)
    async with database.reading() as session:
        found = await leases.read_note(session, PROBE_NOTE)
    if len(found) != len(written) or found < written:  # that of another machine may follow ours
        raise BotError(f"{database.name} doesn't return what was just written to it.")


async def _check_commands(address: str) -> str:
    """Tell how it went to declare the commands."""
    database = await Database.open_existing(address)
    try:
        async with database.reading() as session:
            declared = decode_declared(await leases.read_note(session, COMMANDS_DUTY))
    finally:
        await database.close()
    if declared is None:
        return "not registered yet; the bot does that when it starts"
    if declared.refused:
        raise BotError(
            f"Discord refused them: {declared.refused}. "
            "The commands registered before still work, and the bot keeps trying."
        )
    return f"{declared.commands} registered"


async def _check_turns(address: str) -> str:
    """Name the running tables whose turn could not be posted, and say what the inspections have mended."""
    database = await Database.open_existing(address)
    try:
        async with database.reading() as session:
            now = int(time.time())
            tables = await fates.read_fates(session, now, 0, fates.MAX_NUMBER, all_turns=False)
            report = decode_report(await leases.read_note(session, NOTE))
    finally:
        await database.close()
    silent = [
        f"table {table.game} ({table.name}): {(table.turn and table.turn.error) or 'no post is waiting to be sent'}"
        for table in tables
        if table.is_silent
    ]
    if silent:
        raise BotError(f"These turns couldn't be posted; a running bot keeps trying. {'; '.join(silent)}")
    running = sum(table.state == "running" for table in tables)
    return f"{pluralise(running, 'running table')} in Discord, every turn posted; {report.describe()}"


async def _check_titles() -> str:
    for title in TITLES.values():
        Game.new(Setup(title.id, title.seats[0]))
    return ", ".join(title.short_name for title in TITLES.values())


async def _check_pictures() -> str:
    return f"{len(png(Note('Stationmaster', 'A test.', ('drawn',))))} bytes drawn"


async def _check_folder(folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / ".probe"
    probe.touch()
    probe.unlink()
    return f"{folder} is writable"


async def _check_rights(settings: Settings) -> str:
    """Refuse stores, backups and keys that other users of the machine can read."""
    store = None if is_server(settings.database) else Path(settings.database)
    open_files = [path for path in list_secrets(settings.home, store) if is_open_to_others(path)]
    if open_files:
        raise BotError(
            f"Other users can read {pluralise(len(open_files), 'file')}, such as {open_files[0]}; "
            "the bot corrects this when it starts if it owns them."
        )
    return "only their owner can read the database, its backups and keys"


def _check_heartbeat(home: Path) -> str:
    """Return how old the heartbeat of the bot is."""
    beat = beat_path(home)
    if not beat.exists():
        raise BotError("No bot is running here, or it isn't connected to Discord.")
    age = time.time() - beat.stat().st_mtime
    if age > BEAT_SECONDS_MAX:
        raise BotError(
            f"The bot's last heartbeat was {age:.0f} s ago, and a running bot has one every 30 s: it has "
            "stopped or is hanging. Restart it."
        )
    return f"heartbeat {age:.0f} s ago"


async def _check_backups(settings: Settings) -> str:
    """Tell how old the newest backup is."""
    schedule = settings.schedule
    if schedule is None:
        return "the bot makes none (STATIONMASTER_BACKUPS=off)"
    newest = backup.find_newest(settings.home)
    return f"the newest is {newest.name}" if newest else "none yet; the running bot makes them automatically"


_PLAIN_CHECKS: dict[str, Callable[[], Awaitable[str]]] = {"titles": _check_titles, "pictures": _check_pictures}
_MAIL_CHECKS: dict[str, Callable[[Settings], Awaitable[str]]] = {
    "mails out": mailing.check_smtp,
    "mails in": mailing.check_imap,
    "senders": mailing.check_sender_proof,
    "mails set aside": mailing.check_quarantine,
}


@commands.command("doctor")
def show_doctor(
    channel: Annotated[
        str, typer.Option("--discord", metavar="CHANNEL", help="Also try out Discord in this text channel, by its id.")
    ] = "",
    mail: Annotated[
        str, typer.Option("--mail", metavar="ADDRESS", help="Also try out e-mail with this address of yours.")
    ] = "",
) -> None:
    """Show the settings and check everything the bot needs; exit 1 if something is wrong."""
    settings = load_settings()
    for each in list_in_force(settings):
        typer.echo(f"{each.variable}={each.value}  ({each.source})")
    findings = asyncio.run(examine(settings))
    for finding in findings:
        _print_finding(settings, finding)
    well = not channel or asyncio.run(_try_discord(settings, channel))
    well = (not mail or asyncio.run(_try_mail(settings, mail))) and well
    if not well or not all(finding.well for finding in findings):
        raise typer.Exit(REFUSED)


async def _try_discord(settings: Settings, channel: str) -> bool:
    """Try out Discord, and print each step as soon as it is done."""
    from bot.discord.trial import PERSON_TIMEOUT_SECONDS, Trial, TrialStep  # noqa: PLC0415  # nothing else here needs Discord

    def report(step: TrialStep) -> None:
        _print_finding(settings, Finding(f"discord {step.what}", step.well, step.words))

    typer.echo(
        f"Discord: open the thread “Trial” in that channel and do what it asks, within {PERSON_TIMEOUT_SECONDS:.0f} s."
    )
    return await Trial(channel, make_drawer(Renderer()), report).run_trial(settings.bot_token)


async def _try_mail(settings: Settings, address: str) -> bool:
    """Try out e-mail, and print each step as soon as it is done."""
    from bot.operations.mail_trial import MailTrial, TrialTimes  # noqa: PLC0415  # it uses the checks of this module

    def report(step: Finding) -> None:
        _print_finding(settings, Finding(f"mail {step.what}", step.well, step.words))

    minutes = TrialTimes().person / 60
    typer.echo(f"E-mail: a letter goes to {address}; reply to it within {minutes:.0f} minutes.")
    return await MailTrial(settings, address, report).run_trial()


def _print_finding(settings: Settings, finding: Finding) -> None:
    typer.echo(f"{'ok ' if finding.well else 'BAD'} {finding.what}: {mask_words(settings, finding.words)}")


@commands.command("health")
def show_health() -> None:
    """Report whether the running bot is alive (for a container's health check)."""
    finding = asyncio.run(check_health(load_settings()))
    typer.echo(finding.words, err=not finding.well)
    if not finding.well:
        raise typer.Exit(REFUSED)
