"""What a container's health check sees: it writes to the database, and fails while players couldn't."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.operations import doctor
from bot.service.services import Services
from tests.bot.conftest import seat_three
from tests.support.disks import fill, mount_small_disk, set_read_only
from tests.support.settings import BareSettings


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mount_small_disk(tmp_path / "disk") as place:
        yield place


async def check(address: str, folder: Path) -> str:
    """Return what health reports: "ok", or what is wrong."""
    beat = doctor.beat_path(folder)
    beat.parent.mkdir(exist_ok=True)
    beat.touch()
    finding = await doctor.check_health(BareSettings(database=address, folder=folder))
    return "ok" if finding.well else finding.words


async def test_health_fails_while_the_disk_is_full(small_disk: Path, tmp_path: Path) -> None:
    path = small_disk / "store.sqlite"
    services = await Services.open(path)
    await seat_three(services)
    assert await check(str(path), tmp_path) == "ok"
    fill(small_disk / "filler")
    for _ in range(3):
        assert (await check(str(path), tmp_path)).startswith("The disk of the database is full")
    (small_disk / "filler").unlink()
    assert await check(str(path), tmp_path) == "ok"
    await services.close()


async def test_health_fails_while_the_database_is_read_only(small_disk: Path, tmp_path: Path) -> None:
    path = small_disk / "store.sqlite"
    await (await Services.open(path)).close()
    set_read_only(small_disk, on=True)
    found = await check(str(path), tmp_path)
    assert found.startswith(("The database can't be written", f"The database at {path} can't be opened"))
    set_read_only(small_disk, on=False)
    assert await check(str(path), tmp_path) == "ok"


async def test_health_fails_while_the_database_is_locked_for_long(services: Services, tmp_path: Path) -> None:
    other = sqlite3.connect(str(services.database.address), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert "is locked by another program" in await check(str(services.database.address), tmp_path)
    other.close()
    assert await check(str(services.database.address), tmp_path) == "ok"


async def test_health_gives_up_in_time(services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PROBE_SECONDS_MAX", 0.3)
    other = sqlite3.connect(str(services.database.address), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    assert "didn't answer within" in await check(str(services.database.address), tmp_path)
    assert time.monotonic() - began < 4
    other.close()


async def test_health_leaves_one_note_however_often_it_is_asked(services: Services, tmp_path: Path) -> None:
    address = str(services.database.address)
    sizes = []
    for _ in range(40):
        assert await check(address, tmp_path) == "ok"
        await services.database.tidy()
        sizes.append(Path(address).stat().st_size)
    assert sizes[-1] == sizes[1]
    with sqlite3.connect(address) as file:
        assert file.execute("SELECT count(*) FROM note WHERE name = 'health'").fetchone() == (1,)
    file.close()


async def test_health_fails_if_the_database_forgets_what_was_written(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read_nothing(*_: object) -> str:
        return ""

    monkeypatch.setattr("bot.store.leases.read_note", read_nothing)
    found = await check(str(services.database.address), tmp_path)
    assert found == f"{services.database.name} doesn't return what was just written to it."
