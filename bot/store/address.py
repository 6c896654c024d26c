"""Where a store lies: a file for SQLite, or the address of a PostgreSQL server."""

from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.service.errors import BotError

_SERVERS = ("postgresql", "postgres")


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
        raise BotError("The address of the store is postgresql://USER:PASSWORD@HOST/DATABASE.") from None


def shown(address: Path | str) -> str:
    """Return an address as it may be shown: without its password."""
    if not is_server(address):
        return str(address)
    return server_url(address).set(drivername="postgresql").render_as_string(hide_password=True)


def folder_of(address: Path | str) -> Path:
    """Return the folder for what lies beside the store: boards, backups."""
    return Path("data") if is_server(address) else Path(address).parent
