"""An inspection reads all tables without keeping the event loop from its work."""

import asyncio

import pytest

from bot.model.records import Home, NewTable
from bot.service import inspection
from bot.service.inspection import Inspection
from bot.service.invariants import Fault
from bot.service.services import Services
from bot.store.fates import TableFates
from tests.bot.conftest import ANN


class Blind:
    """Looks at no table."""

    async def look_at(self, table: TableFates) -> None:
        """See nothing."""

    async def erase(self, channel: str, message: str) -> None:
        """Delete nothing."""


@pytest.mark.parametrize("kind", ["sqlite"])
async def test_other_work_goes_on_after_each_table(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nothing is wrong, and no message is looked at."""
    monkeypatch.setattr(inspection, "MAX_TABLES_READ", 3)
    monkeypatch.setattr(inspection, "MAX_LOOK_SECONDS", 0.0)
    for _ in range(7):
        table = await services.lobby.create(ANN, NewTable("toy", 3))
        await services.lobby.set_home(table.id, Home("1", "2"))
    turns, seen = [0], dict[int, int]()

    def note(table: TableFates, _: int) -> list[Fault]:
        seen[table.game] = turns[0]
        return []

    async def work() -> None:
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(inspection, "find_faults", note)
    working = asyncio.create_task(work())
    try:
        await Inspection(services.table, Blind()).run_round()
    finally:
        working.cancel()
    assert list(seen) == list(range(1, 8))
    assert len(set(seen.values())) == 7, "nothing else was done between two tables"
