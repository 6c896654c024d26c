"""Is all well? Checks for people (``doctor``) and for a container's health check (``health``)."""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import create_engine

from bot.operations.settings import Settings
from bot.service.declared import declared_file, read_declared
from bot.store.migrate import revisions
from engine import TITLES, Game, Record, Setup
from engine.view import Note
from render import png

OLDEST_BEAT = 120


class Finding(Record, frozen=True):
    """One thing looked at: what, whether it is well, and a few words."""

    what: str
    well: bool
    words: str


def examine(settings: Settings) -> list[Finding]:
    """Look at everything a running bot needs; each check stands alone."""
    checks: dict[str, Callable[[], str]] = {
        "store": lambda: _store(settings.database),
        "titles": _titles,
        "pictures": _pictures,
        "folder": lambda: _folder(settings.pictures),
        "commands": lambda: _commands(settings.database),
    }
    return [_checked(what, check) for what, check in checks.items()]


def health(settings: Settings) -> Finding:
    """Tell whether the bot that runs on this store is alive: the store answers and the heartbeat is young."""
    return _checked("bot", lambda: f"{_store(settings.database)}; {_heart(settings.database)}")


def _checked(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(what, well=True, words=check())
    except Exception as error:  # noqa: BLE001  # whatever it is, it is the finding
        return Finding(what, well=False, words=f"{type(error).__name__}: {error}".partition("\n")[0])


def _store(path: Path) -> str:
    if not path.exists():
        raise FileNotFoundError(f"there is no store at {path} yet; “stationmaster migrate” makes it")
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    connection.close()
    if said != "ok":
        raise RuntimeError(said)
    engine = create_engine(f"sqlite:///{path}")
    try:
        with engine.connect() as open_store:
            has, wants = revisions(open_store)
    finally:
        engine.dispose()
    if has != wants:
        raise RuntimeError(f"the store has form {has}, this program needs {wants}; run “stationmaster migrate”")
    return f"{path} is sound, form {has}"


def _titles() -> str:
    for title in TITLES.values():
        Game.new(Setup(title.id, title.seats[0]))
    return ", ".join(TITLES)


def _pictures() -> str:
    return f"{len(png(Note('Stationmaster', 'A test.', ('drawn',))))} bytes drawn"


def _folder(folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / ".probe"
    probe.touch()
    probe.unlink()
    return f"{folder} can be written"


def _commands(database: Path) -> str:
    """Return how Discord took our commands when the bot last told it."""
    declared = read_declared(declared_file(database))
    if declared is None:
        return "not declared yet; the bot does that when it starts"
    if declared.refused:
        raise RuntimeError(
            f"Discord refused them: {declared.refused}; those declared before go on, and the bot tries again by itself"
        )
    return f"{declared.commands} declared"


def _heart(database: Path) -> str:
    """Return how old the heartbeat of the bot is."""
    beat = database.with_suffix(".alive")
    if not beat.exists():
        raise RuntimeError("no bot is connected")
    age = time.time() - beat.stat().st_mtime
    if age > OLDEST_BEAT:
        raise RuntimeError(f"the last heartbeat is {age:.0f} s old")
    return f"heartbeat {age:.0f} s ago"
