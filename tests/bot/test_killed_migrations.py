"""Migrations that are killed: nothing changes, the next one works, and no disk fills with copies."""

import asyncio
import os
import re
import signal
from pathlib import Path

import pytest

from bot.operations import backup
from bot.store.schema import Schema
from bot.store.upgrading import UNDER_WAY, open_database, remove_killed_copies
from tests.bot.test_store_upgrading import list_copies_beside, server
from tests.support.fork_server import start_process
from tests.support.older import RELEASES, form_and_rows, write_older_store
from tests.support.victims import migrate_until_killed

ROOT = Path(__file__).parents[2]
__all__ = ["server"]  # a fixture
pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX's")

MOMENTS = (("copies", "put_in_place", 1), ("migrate", "_find_rules", 3), ("migrate", "record_rules", 1))
"""After which a migration is killed: the copy has its name, three games are read, all are."""


def kill_after(place: str, home: Path, moment: tuple[str, str, int]) -> None:
    process = start_process(migrate_until_killed, place, str(home), *moment)
    process.join()
    assert process.exitcode == -signal.SIGKILL


def test_every_release_has_a_store_to_migrate() -> None:
    """A release is a dated section of the changelog."""
    dated = re.findall(
        r"^## (\d+\.\d+)\.\d+ - ", (ROOT / "CHANGELOG").with_suffix(".md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(set(dated)) == sorted(RELEASES)


@pytest.mark.parametrize(("release", "moments"), [("0.1", MOMENTS), ("0.2", MOMENTS[-1:])])
def test_migration_killed_at_any_moment_changes_nothing_and_goes_back_by_its_copy(
    release: str, moments: tuple[tuple[str, str, int], ...], tmp_path: Path
) -> None:
    """Of every release; killed migrations fill no disk."""
    store = write_older_store(release, tmp_path / "store.sqlite")
    before = form_and_rows(store)
    for moment in moments:
        kill_after(str(store), tmp_path, moment)
        assert form_and_rows(store) == before, moment
        assert len(list_copies_beside(store)) == 1, moment
    asyncio.run(migrate_store(store))
    (copy,) = list_copies_beside(store)
    assert form_and_rows(store)[0] != before[0]
    assert form_and_rows(copy) == before
    assert not list(tmp_path.glob(".*"))
    asyncio.run(backup.restore_backup(str(store), copy, replace=True))
    assert form_and_rows(store) == before


async def test_migration_of_a_server_killed_at_any_moment_changes_nothing(server: str, tmp_path: Path) -> None:
    first, home = write_older_store("0.1", tmp_path / "first.sqlite"), tmp_path / "home"
    before = form_and_rows(first)
    await backup.restore_backup(server, first)
    for moment in MOMENTS[1:2]:
        await asyncio.to_thread(kill_after, server, home, moment)
        assert len(list_copies_beside(home / "any")) <= 1, moment
    await backup.back_up(server, tmp_path / "saved.sqlite")
    assert form_and_rows(tmp_path / "saved.sqlite") == before
    await (await open_database(server, home)).close()
    (copy,) = list_copies_beside(home / "any")
    assert form_and_rows(copy) == before
    assert (await backup.examine_store(server)).intact == (1, 2, 3, 4)


async def test_copy_of_a_finished_migration_is_never_removed(tmp_path: Path) -> None:
    """Killed right after, its note is still there when the next release migrates, or an earlier store is put back."""
    older = write_older_store("0.1", tmp_path / "store.sqlite")
    await migrate_store(older)
    (copy,) = list_copies_beside(older)
    copy.with_name(f".{copy.name}{UNDER_WAY}").touch()
    remove_killed_copies(older, Schema(copy.name.partition(".before-")[2].partition("-")[0], "9999"))
    assert list_copies_beside(older) == [copy]
    assert not list(older.parent.glob(".*"))


async def migrate_store(store: Path) -> None:
    await (await open_database(store)).close()
