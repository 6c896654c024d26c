"""Statements compiled once for all stores of a run: each test has a store of its own, and all ask the same."""

from pathlib import Path

from sqlalchemy.engine import Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store import sqlite


def share() -> None:
    """Let all files that are opened from now on know the statements that were compiled for others."""
    open_one, first = sqlite._engine, list[Engine]()

    def sharing(path: Path) -> AsyncEngine:
        made = open_one(path)
        first.append(made.sync_engine)
        made.sync_engine.dialect = first[0].dialect  # for which they were compiled
        made.sync_engine._compiled_cache = first[0]._compiled_cache
        del first[1:]
        return made

    sqlite._engine = sharing
