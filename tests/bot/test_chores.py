"""What a running bot does by itself: it looks at its store when it starts, and plays every log again once a day."""

import asyncio
import os
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.model.clock import DAY
from bot.operations import serve
from bot.operations.settings import Settings
from bot.service.services import Services
from bot.service.table import Delivery
from bot.store import soundness
from tests.bot.conftest import ANN, Clock, close_together, seat_three
from tests.support.settings import BareSettings
from tests.support.toy import Bid


async def test_a_damaged_table_is_reported_when_the_bot_starts(
    services: Services, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The host reads which one, and the others go on."""
    damaged, whole = await seat_three(services), await seat_three(services)
    await services.table.submit(damaged, ANN.id, Bid(1), Delivery("one"))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE log SET seq = 7 WHERE game = ?", (damaged,))
    connection.close()
    await serve.report_damage(services)
    told = capsys.readouterr()
    assert f"Table {damaged} is damaged: log entry 1 is missing" in told.out + told.err
    assert (await services.table.submit(whole, ANN.id, Bid(1))).version == 1


async def test_the_store_is_checked_once_a_day_by_one_process(
    services: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[int] = []

    async def elsewhere(_: Settings) -> tuple[int, str]:
        checked.append(clock.now)
        return 0, "The database is intact."

    monkeypatch.setattr(serve, "_check_in_process", elsewhere)
    began = clock.now
    for _ in range(10):
        await serve._check_daily(services, BareSettings())
        clock.now += DAY // 4
    assert checked == [began + DAY, began + 2 * DAY]


async def test_the_daily_check_steps_back_for_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand finished games keep a processor busy for more than a minute."""
    stepped: list[tuple[int, ...]] = []

    async def start(*_: str, **__: object) -> SimpleNamespace:
        async def communicate() -> tuple[bytes, None]:
            return b"The database is intact.\n", None

        return SimpleNamespace(pid=7, returncode=0, communicate=communicate)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
    monkeypatch.setattr(os, "setpriority", lambda *given: stepped.append(given))
    assert await serve._check_in_process(BareSettings()) == (0, "The database is intact.")
    assert stepped == [(os.PRIO_PROCESS, 7, 19)]


async def test_the_start_looks_at_the_tables_that_are_played(services: Services, path: Path) -> None:
    """Those that are over are looked at each day, or when something is found: a thousand of them took five seconds."""
    over, running = await seat_three(services), await seat_three(services)
    for game in (over, running):
        await services.table.submit(game, ANN.id, Bid(1))
    await close_together(services, over)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE log SET seq = 7")
    connection.close()
    found = await soundness.examine(services.database, played=False, finished=False)
    assert [each.game for each in found.damaged] == [running]
    found = await soundness.examine(services.database, played=False)
    assert [each.game for each in found.damaged] == [over, running]
