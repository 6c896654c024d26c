"""A disk that is really full, a small one mounted for the test; and a database that can't be written for a while."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.store import sqlite
from tests.discord.conftest import Desk
from tests.discord.play import open_table, texts, turn_of
from tests.discord.stand_in import StandIn
from tests.support.disks import fill, mount_small_disk


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mount_small_disk(tmp_path / "disk") as place:
        yield place


async def test_a_full_disk_is_reported_and_the_table_continues_when_there_is_room(
    server: StandIn, desk: Desk, small_disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alice, bob = server.person("alice"), server.person("bob")
    desk.path = small_disk / "store.sqlite"
    async with desk.running():
        thread = await open_table(desk, alice, bob)
        fill(small_disk / "filler")
        capsys.readouterr()
        for _ in range(3):
            refused = await alice.click(turn_of(thread), "Bid 1")
            assert (
                refused.text
                == "The disk of the database is full; nothing was changed. The operator must free some space."
            )
        logged = capsys.readouterr()
        assert "the database failed" in logged.out + logged.err
        assert "full" in logged.out + logged.err
        (small_disk / "filler").unlink()
        assert "✓ Alice bids £1" in (await alice.click(turn_of(thread), "Bid 1")).text
        await desk.settle()
        assert "Highest bid £1" in turn_of(thread).text
        assert texts(thread).count("Alice bids £1 for lot 1") == 2, "its result, and the log of the table message"
        assert (await desk.services.table.load_position(1)).version == 1
    server.check()


async def test_a_database_that_becomes_read_only_is_reported_and_the_table_continues_when_it_can_be_written(
    server: StandIn, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a restart; SQLite refuses every write over the connections that the bot has open."""
    alice, bob = server.person("alice"), server.person("bob")
    run = sqlite._run_in_order

    def refuse_writes(connection: sqlite3.Connection, *asked: Any) -> sqlite.StatementResult:  # noqa: ANN401
        connection.execute("PRAGMA query_only = ON")
        try:
            return run(connection, *asked)
        finally:
            connection.execute("PRAGMA query_only = OFF")

    async with desk.running():
        thread = await open_table(desk, alice, bob)
        with monkeypatch.context() as broken:
            broken.setattr(sqlite, "_run_in_order", refuse_writes)
            for _ in range(2):
                refused = await alice.click(turn_of(thread), "Bid 1")
                assert refused.text.startswith("The database can't be written; nothing was changed.")
        assert "✓ Alice bids £1" in (await alice.click(turn_of(thread), "Bid 1")).text
        await desk.settle()
        assert "Highest bid £1" in turn_of(thread).text
        assert (await desk.services.table.load_position(1)).version == 1
    server.check()
