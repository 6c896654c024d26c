"""Stores, backups and keys are readable by their owner alone, also where an earlier version made them."""

import asyncio
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner

from bot.mail.address import load_key
from bot.mail.quarantine import Quarantine
from bot.operations import backup, doctor
from bot.operations.cli import app
from bot.operations.settings import Schedule
from bot.service.services import Services
from bot.store import copies
from bot.store.upgrading import open_database
from tests.bot.conftest import Clock, seat_three
from tests.support import postgres
from tests.support.older import write_older_store
from tests.support.settings import BareSettings
from tests.support.toy import Bid

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


@pytest.fixture(autouse=True, params=[0o022, 0o000], ids=["readable", "writable"])
def as_on_most_machines(request: pytest.FixtureRequest) -> Iterator[None]:
    """Files that say nothing of it can be read, or even written, by everyone."""
    before = os.umask(request.param)
    yield
    os.umask(before)


def readable(folder: Path) -> dict[str, str]:
    """Return the files of a folder that others than the owner have any right to, with their modes."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    modes = {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in files}
    return {name: oct(mode) for name, mode in modes.items() if mode & 0o077}


def writable(folder: Path) -> list[str]:
    """Return the folders in which others than the owner can write: there they could put a file in another's place."""
    return [str(path) for path in (folder, *folder.rglob("*")) if path.is_dir() and path.stat().st_mode & 0o022]


async def test_a_new_store_and_the_files_next_to_it(tmp_path: Path, clock: Clock) -> None:
    """While it is open as after it was closed: the file, what is written ahead, the lock, backups, the key of mails."""
    home = tmp_path / "data"
    services = await Services.open(home / "store.sqlite", clock, folder=home, alone=True)
    game = await seat_three(services)
    await services.table.submit(game, "1", Bid(1))
    await backup.back_up_if_due(services, Schedule(3600, 2))
    await services.duties.back_up()
    load_key("", home)
    await Quarantine(home).add(b"From: x\n\nhi\n", "odd")
    await Quarantine(home).begin(b"another")
    names = {path.name for path in home.iterdir()}
    assert {"store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "store.sqlite.lock", "mail.key"} <= names
    assert len(list((home / "backups").iterdir())) == 2
    assert readable(home) == {}
    assert writable(home) == []
    await services.close()
    assert readable(home) == {}


async def test_manual_copies_restored_stores_and_unfinished_copies(
    services: Services, game: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, put = [], copies.put_in_place

    def look(fresh: Path, target: Path) -> None:
        seen.append(fresh.name)
        assert readable(target.parent) == {}, "nor is it for the moment in which it is made"
        put(fresh, target)

    monkeypatch.setattr(copies, "put_in_place", look)
    out, store = tmp_path / "out" / "copy.sqlite", tmp_path / "other" / "store.sqlite"
    await backup.back_up(str(services.database.address), out)
    await backup.back_up(str(services.database.address), out, whole=True)
    out.chmod(0o644)  # as it came from another machine
    await backup.restore_backup(str(store), out)
    await backup.restore_backup(str(store), out, replace=True)
    assert len(seen) == 4
    assert len(list(store.parent.glob("store.sqlite.before-*"))) == 1
    assert readable(store.parent) == {}
    assert writable(store.parent) == writable(out.parent) == []


async def test_exported_log_is_readable_by_its_owner_alone(
    services: Services, game: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the seed, and with it what is hidden."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STATIONMASTER_DATABASE", str(services.database.address))
    await services.table.submit(game, "1", Bid(1))
    done = await asyncio.to_thread(CliRunner().invoke, app, ["export", str(game), "--out", "log.json"])
    assert done.exit_code == 0, done.output
    assert stat.S_IMODE(Path("log.json").stat().st_mode) == 0o600


async def test_a_store_on_a_server_is_copied_and_restored_in_private(server_store: str, tmp_path: Path) -> None:
    out = tmp_path / "copy.sqlite"
    await postgres.empty_tables(server_store)  # another test may have damaged its rows
    await backup.back_up(server_store, out)
    assert readable(tmp_path) == {}
    modes: list[dict[str, str]] = []
    copy_rows = copies.copy_rows

    async def look(*them: object, **how: bool) -> None:
        modes.append(readable(tmp_path))
        await copy_rows(*them, **how)  # type: ignore[arg-type]  # as they come

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(copies, "copy_rows", look)
        await backup.restore_backup(server_store, out, replace=True)
    assert modes == [{}]


@pytest.mark.parametrize("release", ["0.1", "0.2"])
async def test_proposals_left_open_by_an_earlier_version_are_closed_at_the_start(release: str, tmp_path: Path) -> None:
    home = tmp_path / "data"
    store = write_older_store(release, home / "store.sqlite")
    (home / "backups").mkdir()
    for name in ("backups/stationmaster-20260101T000000Z.sqlite", "store.sqlite.before-20260101T000000Z"):
        shutil.copy(store, home / name)
    for name in ("store.sqlite.lock", "mail.key"):
        (home / name).touch()
    for path in home.rglob("*.*"):
        path.chmod(0o644)
    settings = BareSettings(database=str(store))
    (before,) = [finding for finding in await doctor.examine(settings) if finding.what == "rights"]
    assert not before.well
    assert "Other users can read 5 files, such as " in before.words
    await (await open_database(store)).close()
    assert readable(home) == {}
    (after,) = [finding for finding in await doctor.examine(settings) if finding.what == "rights"]
    assert after.well


async def test_a_file_of_another_owner_is_reported_and_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = write_older_store("0.2", tmp_path / "store.sqlite")
    store.chmod(0o644)

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refuse)
    with capture_logs() as told:
        await (await open_database(store)).close()
    assert [entry["file"] for entry in told if entry["event"].startswith("Other users can read")] == [str(store)]
