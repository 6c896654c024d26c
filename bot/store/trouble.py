"""What is said when the store fails: one true sentence, for the player and for the host."""

import sqlite3

from sqlalchemy.exc import DBAPIError

from bot.model.errors import BotError

_BUSY = "The database is locked by another program; nothing was changed. Try again in a minute."
_FULL = "The disk of the database is full; nothing was changed. The operator must free some space."
_DAMAGED = "The database is damaged here; nothing was changed. The operator can run “stationmaster check” to see more."
_LOCKED_UP = "The database can't be written; nothing was changed. The operator must check its permissions."
_EMPTIED = "The database has lost its tables; nothing was changed. The operator must restore a backup."
_FAILING = "The disk of the database is failing; nothing was changed. The operator must check it."
SILENT = "The database doesn't answer; nothing was changed. Try again in a minute."

_BY_SQLITE = {
    "SQLITE_BUSY": _BUSY,
    "SQLITE_LOCKED": _BUSY,
    "SQLITE_FULL": _FULL,
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_NOTADB": _EMPTIED,
    "SQLITE_READONLY": _LOCKED_UP,
    "SQLITE_PERM": _LOCKED_UP,
    "SQLITE_CANTOPEN": _LOCKED_UP,
    "SQLITE_IOERR": _FAILING,
}
"""By the beginning of the error's name."""

_BY_STATE = {
    "53100": _FULL,
    "53": SILENT,  # too many connections, out of memory
    "55P03": _BUSY,
    "57014": _BUSY,
    "40": _BUSY,  # a deadlock, or a serialization failure
    "42P01": _EMPTIED,
    "3D000": _EMPTIED,
    "XX": _DAMAGED,
    "25006": _LOCKED_UP,
    "42501": _LOCKED_UP,
    "57": SILENT,
    "08": SILENT,
}
"""By PostgreSQL's state, or the class it belongs to."""


class StoreError(BotError):
    """The store could not do it; the sentence says why."""


def sentence_of(error: DBAPIError) -> str | None:
    """Return what is said of an error of the store, ``None`` if it is a defect of ours."""
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        if str(cause).startswith("no such table"):
            return _EMPTIED
        name = getattr(cause, "sqlite_errorname", "")
        return next((words for start, words in _BY_SQLITE.items() if name.startswith(start)), None)
    state = str(getattr(cause, "sqlstate", None) or "")
    found = _BY_STATE.get(state) or _BY_STATE.get(state[:2])
    return found or (SILENT if error.connection_invalidated or not state else None)
