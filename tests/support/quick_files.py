"""Stores in files, made quick for tests: statements compiled once for all of them, and no waiting for the disk.

Each test has a store of its own, and all ask the same. What a power cut would
lose they cannot see; that a store is flushed outside the tests is asserted by
``test_a_connection_writes_ahead_flushes_fully_and_checks_foreign_keys``.
"""

from pathlib import Path

from sqlalchemy.engine import Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store import sqlite

PRAGMAS = sqlite._PRAGMAS
"""What the program asks of SQLite for each connection."""


def hasten() -> None:
    """Let all files that are opened from now on know the statements compiled for others, and flush nothing."""
    if sqlite._PRAGMAS != PRAGMAS:  # it is done
        return
    open_one, first = sqlite._make_engine, list[Engine]()

    def sharing(path: Path) -> AsyncEngine:
        made = open_one(path)
        first.append(made.sync_engine)
        made.sync_engine.dialect = first[0].dialect  # for which they were compiled
        made.sync_engine._compiled_cache = first[0]._compiled_cache
        del first[1:]
        return made

    sqlite._make_engine = sharing
    sqlite._PRAGMAS = (*PRAGMAS, "synchronous = OFF")  # the last word counts
