"""The mail servers we speak to: certificates and host names are verified, plain text stays on this machine."""

import ipaddress
import re
import ssl
from collections.abc import Collection
from email import policy
from email.message import EmailMessage
from functools import cache

import aiosmtplib
from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted

from bot.model.errors import BotError
from engine import Record

TIMEOUT_SECONDS = 30.0


class Smtp(Record, frozen=True):
    """The server that takes our mails. ``tls``: "starttls", "tls" from the start, or "none".

    Args:
        ca_file: certificates that are trusted besides those of the system.
    """

    host: str
    port: int = 587
    user: str = ""
    password: str = ""
    tls: str = "starttls"
    ca_file: str = ""

    def make_client(self, timeout: float = 30.0) -> aiosmtplib.SMTP:
        """Return a client that is not connected yet; it verifies the server's certificate and name."""
        return aiosmtplib.SMTP(
            hostname=self.host, port=self.port, username=self.user or None, password=self.password or None,
            timeout=timeout, use_tls=self.tls == "tls", start_tls=self.tls == "starttls",
            tls_context=None if self.tls == "none" else make_tls_context(self.ca_file),
        )  # fmt: skip

    async def deliver(self, mail: EmailMessage, sender: str, recipient: str) -> None:
        """Hand a mail to the server.

        Raises:
            aiosmtplib.SMTPException, OSError: it does not take it.
        """
        async with self.make_client() as client:
            await client.sendmail(sender, [recipient], write_mail(mail))


def write_mail(mail: EmailMessage) -> bytes:
    """Return a mail as it goes over the line, in seven bits.

    The library leaves the first line of a field empty where the rest just fits into one more: mail programs then show
    a subject with a space before it, and filters for spam don't like it.
    """
    head, gap, body = mail.as_bytes(policy=policy.SMTP.clone(cte_type="7bit")).partition(b"\r\n\r\n")
    return re.sub(rb"(?m)^([\w-]+:)\r\n +", rb"\1 ", head) + gap + body


class Imap(Record, frozen=True):
    """The mailbox that mails come to. ``tls``: "tls" from the start, "starttls", or "none".

    Args:
        poll: seconds after which the mailbox is looked at though nothing was announced.
        ca_file: certificates that are trusted besides those of the system.
    """

    host: str
    port: int = 993
    user: str = ""
    password: str = ""
    folder: str = "INBOX"
    tls: str = "tls"
    poll: float = 60.0
    ca_file: str = ""

    def open(self) -> BaseMailBox:
        """Return the mailbox, logged in; the server's certificate and name have been verified by then.

        Raises:
            OSError, imaplib.IMAP4.error, imap_tools.ImapToolsError: it cannot be had.
        """
        if self.tls == "none":
            box: BaseMailBox = MailBoxUnencrypted(self.host, self.port, timeout=TIMEOUT_SECONDS)
        else:
            kind = MailBoxStartTls if self.tls == "starttls" else MailBox
            box = kind(self.host, self.port, timeout=TIMEOUT_SECONDS, ssl_context=make_tls_context(self.ca_file))
        try:
            opened: BaseMailBox = box.login(self.user, self.password, initial_folder=self.folder)
        except BaseException:
            box.client.shutdown()
            raise
        return opened


def can_announce(box: BaseMailBox) -> bool:
    """Return whether a mailbox announces new mails; many say so only after the login."""
    _, said = box.client.capability()
    return b"IDLE" in (said[0] or b"").upper().split()


@cache
def make_tls_context(ca_file: str = "") -> ssl.SSLContext:
    """Return what verifies the certificate and the name of a server.

    Args:
        ca_file: certificates in PEM that are trusted besides those of the system; empty for none.

    Raises:
        BotError: the file cannot be read.
    """
    context = ssl.create_default_context()
    if ca_file:
        try:
            context.load_verify_locations(ca_file)
        except OSError as error:  # ssl.SSLError too
            why = error.strerror or "it contains no PEM certificates"
            raise BotError(f"STATIONMASTER_MAIL_CA_FILE={ca_file} can't be read: {why}.") from error
    return context


def check_plain_text(setting: str, host: str, allowed: Collection[str]) -> None:
    """Check that plain text goes to this machine only, or to a host that the operator named.

    Raises:
        BotError: it would cross a network.
    """
    if is_loopback(host) or host.casefold() in {each.casefold() for each in allowed}:
        return
    raise BotError(
        f"{setting} would exchange e-mails and passwords with {host} in plain text, which anyone in between can read "
        f"and change. Use TLS, or allow this host: STATIONMASTER_MAIL_PLAIN_HOSTS={host}."
    )


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine: "localhost", or an address of the loopback."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.casefold() == "localhost"


def find_certificate_trouble(error: BaseException) -> str:
    """Return why a certificate is not believed, if that is at the bottom of an error; else ""."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return cause.verify_message.rstrip(".")
        cause = cause.__cause__ or cause.__context__
    return ""
