"""How mail servers are spoken to: certificates and host names are verified, plain text stays on this machine."""

import ipaddress
import ssl
from collections.abc import Collection
from functools import cache

from bot.model.errors import BotError


@cache
def tls_context(ca_file: str = "") -> ssl.SSLContext:
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
            why = error.strerror or "it holds no certificates in PEM"
            raise BotError(f"STATIONMASTER_MAIL_CA_FILE={ca_file} cannot be read: {why}.") from error
    return context


def check_plain_text(setting: str, host: str, allowed: Collection[str]) -> None:
    """Check that plain text goes to this machine only, or to a host that the operator named.

    Raises:
        BotError: it would cross a network.
    """
    if is_loopback(host) or host.casefold() in {each.casefold() for each in allowed}:
        return
    raise BotError(
        f"{setting} would send mails and passwords to {host} in plain text, which anyone in between can read and "
        f"change. Use TLS, or allow it by name: STATIONMASTER_MAIL_PLAIN_HOSTS={host}."
    )


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine: "localhost", or an address of the loopback."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.casefold() == "localhost"


def certificate_trouble(error: BaseException) -> str:
    """Return why a certificate is not believed, if that is at the bottom of an error; else ""."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return cause.verify_message.rstrip(".")
        cause = cause.__cause__ or cause.__context__
    return ""
