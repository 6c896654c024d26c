"""Mail as it was set: the front that serves it, and whether its servers answer."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parseaddr
from typing import Annotated

import structlog
import typer

from bot.mail.address import OwnMailbox, load_key
from bot.mail.clerk import Trust
from bot.mail.front import Mailbox, MailFront
from bot.mail.ledger import Ledger
from bot.mail.proof import is_signed
from bot.mail.quarantine import Quarantine
from bot.mail.sender import MailLimits
from bot.mail.servers import (
    Imap,
    Smtp,
    can_announce,
    check_plain_text,
    find_certificate_trouble,
    is_loopback,
    make_tls_context,
)
from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.records import NewTable
from bot.operations.settings import Settings, load_settings
from bot.screens.drawing import Draw
from bot.service.contacts import check_mailbox
from bot.service.hosting import Guest
from bot.service.lobby import find_title
from bot.service.options import parse_options
from bot.service.services import Services
from bot.service.table import read_wall_clock
from bot.store.database import Database
from bot.store.incoming import LedgerLine
from engine.words import pluralise

TIDY_SECONDS = 15 * 60
MAX_LEDGER_LINES = 100_000
MAX_GUEST_CHARACTERS = 250
"""Of a name with its address; what is longer is neither."""
_log = structlog.get_logger(__name__)
commands = typer.Typer()
by_mail = typer.Typer(no_args_is_help=True, help="Play by e-mail alone: open tables and invite players.")
commands.add_typer(by_mail, name="mail")


def make_smtp(settings: Settings) -> Smtp:
    """Return the server that takes mails.

    Raises:
        BotError: mails would cross a network in plain text.
    """
    if settings.smtp_tls == "none":
        check_plain_text("STATIONMASTER_SMTP_TLS=none", settings.smtp_host, _list_plain_hosts(settings))
    password = settings.smtp_password.get_secret_value()
    return Smtp(
        settings.smtp_host, settings.smtp_port, settings.smtp_user, password, settings.smtp_tls, settings.mail_ca_file
    )


def make_imap(settings: Settings) -> Imap | None:
    """Return the mailbox that mails come to; ``None`` if they are brought by LMTP, or there is none.

    Raises:
        BotError: mails would cross a network in plain text.
    """
    if not settings.imap_host or settings.mail_lmtp:
        return None
    if settings.imap_tls == "none":
        check_plain_text("STATIONMASTER_IMAP_TLS=none", settings.imap_host, _list_plain_hosts(settings))
    user, password = settings.imap_user or settings.smtp_user, settings.imap_password.get_secret_value()
    password = password or settings.smtp_password.get_secret_value()
    return Imap(
        settings.imap_host, settings.imap_port, user, password, settings.imap_folder, settings.imap_tls,
        float(settings.mail_poll), settings.mail_ca_file,
    )  # fmt: skip


def _list_plain_hosts(settings: Settings) -> list[str]:
    return [host.strip() for host in settings.mail_plain_hosts.split(",")]


def _check_lmtp(settings: Settings) -> None:
    """Check that no other machine can bring mails, as it could bring forged results with them.

    Raises:
        BotError: it can, and the operator did not allow it by name.
    """
    host, _, port = settings.mail_lmtp.rpartition(":")
    if host and port.isdecimal() and not settings.mail_lmtp.startswith("/"):
        check_plain_text(f"STATIONMASTER_MAIL_LMTP={settings.mail_lmtp}", host, _list_plain_hosts(settings))


def _describe_security(settings: Settings, tls: str, host: str) -> str:
    """Return how safe the way to a server is."""
    if tls == "none":
        return (
            "plain text, on this machine"
            if is_loopback(host)
            else "plain text, as STATIONMASTER_MAIL_PLAIN_HOSTS allows"
        )
    besides = f" and {settings.mail_ca_file}" if settings.mail_ca_file else ""
    return f"{tls}, certificate verified by the system's authorities{besides}"


@contextmanager
def _explain_certificates(host: str, port: int) -> Iterator[None]:
    """Say in a sentence why a certificate is not trusted, and what works.

    Raises:
        BotError: it is not.
    """
    try:
        yield
    except Exception as error:
        why = find_certificate_trouble(error)
        if not why:
            raise
        raise BotError(
            f"The certificate of {host}:{port} isn't trusted: {why}. No password was sent. Set the host to the name "
            "in the certificate, or STATIONMASTER_MAIL_CA_FILE to the certificate of the authority that signed it."
        ) from error


def make_front(services: Services, settings: Settings, draw: Draw) -> MailFront:
    """Return the front that serves mails.

    Raises:
        BotError: the address that was set is none, mails would cross a network in plain text, or the file of
            certificates cannot be read.
    """
    make_tls_context(settings.mail_ca_file)
    _check_lmtp(settings)
    address = check_mailbox(settings.mail_address)
    key = load_key(settings.mail_key.get_secret_value(), settings.home)
    post = OwnMailbox(address, key, settings.mail_plus, settings.mail_web)
    servers = tuple(each.strip() for each in settings.mail_authserv.split(",") if each.strip())
    trust = Trust(servers, settings.mail_trust == "code", is_signed)
    limits = MailLimits(settings.mail_per_person, settings.mail_per_day)
    listen = settings.mail_web_listen if settings.mail_web else ""
    mailbox = Mailbox(post, trust, limits, make_imap(settings), settings.mail_lmtp, listen)
    services.contacts.served = True
    return MailFront(services, draw, mailbox, make_smtp(settings).deliver)


def read_guest(said: str) -> Guest:
    """Return who is asked: "Ann <ann@home.example>", or an address alone."""
    name, address = parseaddr(said) if len(said) <= MAX_GUEST_CHARACTERS else ("", "")
    return Guest(address or said, name)


async def check_smtp(settings: Settings) -> str:
    """Log in where mails are handed over; send nothing.

    Raises:
        Exception: it cannot be done; which says why.
    """
    smtp = make_smtp(settings)
    with _explain_certificates(smtp.host, smtp.port):
        async with smtp.make_client(timeout=10):
            pass
    how = _describe_security(settings, smtp.tls, smtp.host)
    return f"{smtp.host}:{smtp.port} accepts mail from {check_mailbox(settings.mail_address)} ({how})"


async def check_imap(settings: Settings) -> str:
    """Log in to the mailbox; change nothing.

    Raises:
        BotError: no way is set by which replies come in. Exception: it cannot be opened; which says why.
    """
    if settings.mail_lmtp:
        _check_lmtp(settings)
        return f"a local mail server delivers replies to {settings.mail_lmtp} (LMTP)"
    imap = make_imap(settings)
    if imap is None:
        raise BotError("The bot gets no replies: set STATIONMASTER_IMAP_HOST or STATIONMASTER_MAIL_LMTP.")

    def describe_mailbox() -> str:
        box = imap.open()
        try:
            how = f"doesn't announce new mail, so it is checked every {imap.poll:.0f} s"
            how = "announces new mail" if can_announce(box) else how
            return f"{imap.host}:{imap.port} {how} ({_describe_security(settings, imap.tls, imap.host)})"
        finally:
            box.logout()

    with _explain_certificates(imap.host, imap.port):
        return await asyncio.to_thread(describe_mailbox)


async def check_quarantine(settings: Settings) -> str:
    """Look for mails that could not be read.

    Raises:
        BotError: there are some.
    """
    quarantine = Quarantine(settings.home)
    found = await asyncio.to_thread(quarantine.list_mails)
    if not found:
        return "no mail is set aside"
    raise BotError(
        f"{len(found)} couldn't be read and were moved to {quarantine.folder}; the newest is "
        f"{found[0].path.name}: {found[0].reason[:120]}. Look at the files, then delete them."
    )


async def check_sender_proof(settings: Settings) -> str:
    """Tell by what senders are believed."""
    if settings.mail_trust == "code":
        return "the bot asks for a code with every reply (STATIONMASTER_MAIL_TRUST=code)"
    besides = f", or verified by {settings.mail_authserv}" if settings.mail_authserv else ""
    return f"verified by their signature (DKIM), which the bot checks{besides}"


async def check_letters(settings: Settings) -> str:
    """Look for e-mails that went nowhere this week.

    Raises:
        BotError: there are some.
    """
    database = await Database.open_existing(settings.database)
    try:
        lines = await Ledger(database, read_wall_clock).list_lines(7 * DAY, MAX_LEDGER_LINES)
    finally:
        await database.close()
    bad = [line for line in lines if line.fate in ("given up", "retried")]
    if bad:
        raise BotError(
            f"{pluralise(len(bad), 'e-mail')} of this week could not be sent yet, or at all; the last: "
            f"{bad[0].words[:160]}. “stationmaster mail ledger --fate retried” lists them."
        )
    counts = Counter(f"{line.way}: {line.fate}" for line in lines)
    return ", ".join(f"{count} {what}" for what, count in sorted(counts.items())) or "none this week"


@by_mail.command()
def new(
    title: Annotated[str, typer.Argument(help="Game to play, such as 1860.")],
    to: Annotated[list[str], typer.Option("--to", help='Address of a player, such as "Ann <ann@…>"; repeatable.')],
    name: Annotated[str, typer.Option("--name", help="Name of the table.")] = "",
    option: Annotated[list[str] | None, typer.Option("--option", help="Option as name=value; repeatable.")] = None,
) -> None:
    """Open a table by e-mail; it starts when every invited player has accepted."""
    settings = load_settings()
    wish = NewTable(find_title(title).id, len(to), name, dict(parse_options(" ".join(option or []))))

    async def ask() -> str:
        services = await Services.open(settings.database, folder=settings.home)
        try:
            table = await services.hosting.open_table(wish, [read_guest(each) for each in to])
        finally:
            await services.close()
        return f"Game {table.id}, “{table.name}”: {pluralise(len(to), 'player')} invited; it starts when all accept."

    typer.echo(asyncio.run(ask()))
    if not settings.mails:
        typer.echo("No e-mail is sent yet: set STATIONMASTER_MAIL_ADDRESS and STATIONMASTER_SMTP_HOST.", err=True)


@by_mail.command()
def invite(
    game: Annotated[int, typer.Argument(help="Number of the game.")],
    address: Annotated[str, typer.Argument(help='Address of the player, such as "Ann <ann@…>".')],
) -> None:
    """Invite a player by e-mail to a table that hasn't started."""
    settings = load_settings()

    async def ask() -> str:
        services = await Services.open(settings.database, folder=settings.home)
        try:
            host, guest = (await services.lobby.get_table(game)).host, read_guest(address)
            if (await services.contacts.find_or_add(guest.address, guest.name)).state == "stopped":
                raise BotError(f"{guest.address} has unsubscribed.")
            table = await services.hosting.invite_by_letter(game, host, guest)
        finally:
            await services.close()
        return f"{address} is invited to “{table.name}”."

    typer.echo(asyncio.run(ask()))


@by_mail.command()
def ledger(
    fate: Annotated[str, typer.Option("--fate", help="Only those with this fate, such as “asked back”.")] = "",
    days: Annotated[int, typer.Option("--days", min=1, max=400, help="How far back.")] = 7,
    most: Annotated[int, typer.Option("--most", min=1, max=100_000, help="How many to list.")] = 100,
) -> None:
    """List every e-mail in and out with what became of it, the newest first, and count them."""
    settings = load_settings()

    async def read() -> list[LedgerLine]:
        database = await Database.open_existing(settings.database)
        try:
            return await Ledger(database, read_wall_clock).list_lines(days * DAY, MAX_LEDGER_LINES)
        finally:
            await database.close()

    found = asyncio.run(read())
    for line in [each for each in found if fate in ("", each.fate)][:most]:
        table = f"#{line.game}" if line.game else "-"
        typer.echo(
            f"{datetime.fromtimestamp(line.at, UTC):%Y-%m-%d %H:%M:%S}  {line.way:<3}  {line.fate:<11}  {table:<5}  "
            f"{line.address or '-'}  {' '.join(line.words.split())[:120]}"
        )
    counts = Counter((line.way, line.fate) for line in found)
    for (way, name), count in sorted(counts.items()):
        typer.echo(f"{way}: {name} {count}")
