"""Migrations that are killed: nothing changes, the next one works, and no disk fills with copies."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.operations import backup
from bot.store.migrations import Schema
from bot.store.upgrading import UNDER_WAY, open_store, remove_left
from tests.bot.test_store_upgrading import kept_beside, server
from tests.support.older import form_and_rows, write_older_store

__all__ = ["server"]  # a fixture
ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX's")

KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from bot.store import copies, migrate, upgrading
place, home, module, name, call = sys.argv[1:]
room, calls = {"copies": copies, "migrate": migrate}[module], []
real = getattr(room, name)

def die(done):
    calls.append(done)
    if len(calls) == int(call):
        os.kill(os.getpid(), signal.SIGKILL)
    return done

async def settle(*given):
    die(await real(*given))

setattr(room, name, settle if name == "settle" else lambda *given: die(real(*given)))
asyncio.run(upgrading.open_store(place, Path(home)))
"""
MOMENTS = (("copies", "put", 1), ("migrate", "_rules", 3), ("migrate", "settle", 1))
"""After which a migration is killed: the copy has its name, three games are read, all are."""


def kill_after(place: str, home: Path, moment: tuple[str, str, int]) -> None:
    child = [sys.executable, "-c", KILLED, place, str(home), *map(str, moment)]
    assert subprocess.run(child, cwd=ROOT, capture_output=True, check=False).returncode == -signal.SIGKILL


def test_migration_killed_at_any_moment_changes_nothing_and_fills_no_disk(tmp_path: Path) -> None:
    store = write_older_store("0.1", tmp_path / "store.sqlite")
    before = form_and_rows(store)
    for moment in MOMENTS:
        kill_after(str(store), tmp_path, moment)
        assert form_and_rows(store) == before, moment
        assert len(kept_beside(store)) == 1, moment
    asyncio.run(migrated(store))
    (copy,) = kept_beside(store)
    assert form_and_rows(copy) == before
    assert not list(tmp_path.glob(".*"))


async def test_migration_of_a_server_killed_at_any_moment_changes_nothing(server: str, tmp_path: Path) -> None:
    first, home = write_older_store("0.1", tmp_path / "first.sqlite"), tmp_path / "home"
    before = form_and_rows(first)
    await backup.restore_backup(server, first)
    for moment in MOMENTS[1:]:
        await asyncio.to_thread(kill_after, server, home, moment)
        assert len(kept_beside(home / "any")) <= 1, moment
    await backup.back_up(server, tmp_path / "saved.sqlite")
    assert form_and_rows(tmp_path / "saved.sqlite") == before
    await (await open_store(server, home)).close()
    (copy,) = kept_beside(home / "any")
    assert form_and_rows(copy) == before
    assert (await backup.examine_store(server)).whole == (1, 2, 3, 4)


async def test_copy_of_a_migration_that_came_to_its_end_is_never_removed(tmp_path: Path) -> None:
    """Killed right after, its note is still there when the next release migrates, or an earlier store is put back."""
    older = write_older_store("0.1", tmp_path / "store.sqlite")
    await migrated(older)
    (copy,) = kept_beside(older)
    copy.with_name(f".{copy.name}{UNDER_WAY}").touch()
    remove_left(older, Schema(copy.name.partition(".before-")[2].partition("-")[0], "9999"))
    assert kept_beside(older) == [copy]
    assert not list(older.parent.glob(".*"))


async def migrated(store: Path) -> None:
    await (await open_store(store)).close()
