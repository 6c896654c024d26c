"""Where a store lies: a file for SQLite, or the address of a PostgreSQL server."""

import re
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.model.errors import BotError

_SERVERS = ("postgresql", "postgres")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
"""Of two letters at least: C: is a drive."""
FORM = "postgresql://USER:PASSWORD@HOST/DATABASE"
_SECRET = re.compile(r"pass|key", re.IGNORECASE)


def is_server(address: Path | str) -> bool:
    """Tell whether an address is that of a server; everything else is the path of a file."""
    return str(address).partition("://")[0] in _SERVERS and "://" in str(address)


def server_url(address: Path | str) -> URL:
    """Return the address of a server as SQLAlchemy takes it.

    Raises:
        BotError: it cannot be read.
    """
    try:
        return make_url(str(address)).set(drivername="postgresql+asyncpg")
    except (ArgumentError, ValueError):
        raise BotError(f"The address of the store is {FORM}.") from None


def readable_address(address: str) -> str:
    """Return the address of a store, if it is one: the path of a file, or the address of a server.

    Raises:
        BotError: it is neither; the sentence repeats no password.
    """
    if is_server(address):
        if not server_url(address).database:
            raise BotError(f"The address names no database; write {FORM}.")
        return address
    scheme = _SCHEME.match(address)
    if scheme:
        raise BotError(f"A store is a file or on PostgreSQL, not “{scheme[1]}:”; write a path, or {FORM}.")
    if not address.strip():
        raise BotError(f"It is empty; write the path of a file, or {FORM}.")
    return address


def shown(address: Path | str) -> str:
    """Return an address as it may be shown: without its password."""
    if not is_server(address):
        return str(address)
    url = server_url(address).set(drivername="postgresql")
    url = url.difference_update_query([name for name in url.query if _SECRET.search(name)])
    return url.render_as_string(hide_password=True)


def folder_of(address: Path | str) -> Path:
    """Return the folder for what lies beside the store: boards, backups."""
    return Path("data") if is_server(address) else Path(address).parent
