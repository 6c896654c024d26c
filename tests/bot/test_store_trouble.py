"""What goes wrong with a store: each is told in one true sentence, soon, and nothing is changed."""

import asyncio
import os
import sqlite3
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import IntegrityError

from bot.model.errors import BotError
from bot.model.posts import Notice, Owed
from bot.service.services import Services
from bot.store import outbox
from bot.store.database import Database
from bot.store.schema import upgrade_schema
from tests.bot.conftest import ANN, Clock
from tests.support.fork_server import start_with_output
from tests.support.toy import Bid
from tests.support.victims import hold_store

AS_IT_WAS = "0002"
"""The form of the store before several processes shared it."""
TWO_ON_ONE_SEAT = """
INSERT INTO game (id, name, title, options, seed, rules, places, host, state, pace, privacy, seating, guild, channel,
    thread, message, created, expires, turn_from, fingerprint, reason)
VALUES (1, 'a', 'toy', '{}', 1, 1, 3, '1', 'open', 'daily', 'open', 'random', '', '', '', '', 1, 2, 0, '', '');
INSERT INTO seat (game, number, user, name, joined) VALUES (1, 0, '1', 'A', 1), (1, 1, '2', 'B', 1),
    (1, 1, '3', 'C', 1);
"""


async def test_a_second_process_on_one_file_is_refused_at_the_start_and_let_in_when_the_first_was_killed(
    path: Path,
) -> None:
    path.parent.mkdir()
    holder, output = start_with_output(hold_store, path)
    with output:
        assert output.readline() == "held\n"
    with pytest.raises(BotError) as refusal:
        await Database.open(path, alone=True)
    assert "\n" not in refusal.value.sentence
    assert f"The database at {path} is in use by another Stationmaster." in refusal.value.sentence
    await (await Database.open(path)).close()  # exporting, looking and copying go on
    holder.kill()
    holder.join()
    await (await Database.open(path, alone=True)).close()


async def test_closing_the_store_lets_the_next_process_in(path: Path) -> None:
    for _ in range(2):
        database = await Database.open(path, alone=True)
        with pytest.raises(BotError, match="is in use"):
            await Database.open(path, alone=True)
        await database.close()


async def test_an_emptied_file_is_not_taken_for_a_new_store(path: Path) -> None:
    await (await Database.open(path)).close()
    path.write_bytes(b"")
    with pytest.raises(BotError, match=r"is an empty file. Restore a backup"):
        await Database.open(path)
    assert path.read_bytes() == b""


async def test_a_copy_without_its_write_ahead_log_is_not_taken_for_a_new_store(path: Path, tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "bare.sqlite").execute("PRAGMA journal_mode = WAL").connection.close()
    with pytest.raises(BotError, match="has no tables: it was emptied, or copied without its “-wal” file"):
        await Database.open(tmp_path / "bare.sqlite")


async def test_a_store_killed_while_it_was_made_leaves_none_behind(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kill_process(*paths: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "link", kill_process)
        with pytest.raises(KeyboardInterrupt):
            await Database.open(path)
    assert not path.exists()
    await (await Database.open(path)).close()


async def test_a_store_emptied_while_the_bot_runs_is_reported_to_the_player(services: Services, game: int) -> None:
    async with services.database.writing() as session:
        connection = await session.connection()
        await connection.execute(text("PRAGMA foreign_keys = OFF"))
        await connection.execute(text("DROP TABLE log"))
    with pytest.raises(BotError, match="The database has lost its tables; nothing was changed"):
        await services.table.submit(game, "1", Bid(1))


async def test_a_long_lock_is_reported_to_all_who_wait(services: Services, game: int) -> None:
    other = sqlite3.connect(str(services.database.address), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        said = await asyncio.gather(
            services.table.submit(game, "1", Bid(1)),
            *(services.outbox.owe(Owed(f"n{n}", Notice(game, "x"), 0)) for n in range(4)),
            return_exceptions=True,
        )
    finally:
        other.close()
    assert {str(each) for each in said} == {
        "The database is locked by another program; nothing was changed. Try again in a minute."
    }
    assert (await services.table.submit(game, "1", Bid(1))).version == 1


async def test_a_full_disk_is_reported_and_leaves_everything_as_it_was(services: Services, game: int) -> None:
    async with services.database.reading() as session:
        connection = await session.connection()
        most = (await connection.execute(text("PRAGMA page_count"))).scalar()
    for _ in range(6):  # every connection there may be
        async with services.database.writing() as session:
            await (await session.connection()).execute(text(f"PRAGMA max_page_count = {most}"))
    long = Notice(game, "x" * 100_000)
    with pytest.raises(
        BotError, match=r"The disk of the database is full; nothing was changed. The operator must free some space."
    ):
        await services.outbox.owe(Owed("long", long, 0))
    assert await services.posted.find_post("long") is None


async def test_a_file_that_became_read_only_stops_no_table_for_good(services: Services, game: int) -> None:
    """Its position can still be seen; once the file can be written again, the table plays on, without a restart."""

    async def set_read_only(word: str) -> None:
        async with AsyncExitStack() as held:
            for _ in range(6):  # every connection there may be
                session = await held.enter_async_context(services.database.reading())
                await (await session.connection()).execute(text(f"PRAGMA query_only = {word}"))

    await services.table.submit(game, "1", Bid(1))
    await set_read_only("ON")
    with pytest.raises(BotError, match=r"The database can't be written; nothing was changed\. The operator must check"):
        await services.table.submit(game, "2", Bid(2))
    here = await services.table.load_position(game)
    assert (here.version, here.damage) == (1, "")
    await set_read_only("OFF")
    assert (await services.table.submit(game, "2", Bid(2))).version == 2


async def test_a_defect_is_not_reported_as_database_trouble(services: Services, game: int) -> None:
    async with services.database.writing() as session:
        await outbox.owe(session, [Owed("x", Notice(game, "x"), 0)], 0)
    with pytest.raises(IntegrityError):
        async with services.database.writing() as session:
            await outbox.owe(session, [Owed("y", Notice(10**6, "no such table"), 0)], 0)


@pytest.mark.parametrize(("note", "by"), [("program", "Stationmaster 7.1"), ("other", "a newer version of Station")])
async def test_a_newer_form_is_refused_with_the_version_to_install(path: Path, note: str, by: str) -> None:
    await (await Database.open(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.execute("UPDATE note SET name = ?, words = '7.1' WHERE name = 'program'", (note,))
    connection.close()
    for open_it in (Database.open, Database.open_existing):
        with pytest.raises(
            BotError, match=rf"was last migrated by {by}.*: its schema is 9999, .* Install that version"
        ):
            await open_it(path)


@pytest.mark.parametrize("number", ["0001", "0003", "0013", "0015"])
async def test_a_schema_between_releases_is_refused(path: Path, number: str) -> None:
    await (await Database.open(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (number,))
    connection.close()
    for open_it in (Database.open, Database.open_existing):
        with pytest.raises(BotError, match=rf"is from an unreleased version \(schema {number}\) and can't be migrated"):
            await open_it(path)


async def test_an_older_store_is_migrated_only_by_commands_that_may(path: Path) -> None:
    path.parent.mkdir()
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        upgrade_schema(connection, AS_IT_WAS)
    engine.dispose()
    with sqlite3.connect(path) as file:
        file.executescript(TWO_ON_ONE_SEAT)
    file.close()
    with pytest.raises(BotError, match=r"is from an earlier version \(schema 0002\)"):
        await Database.open_existing(path)
    services = await Services.open(path, Clock())
    table = await services.lobby.get_table(1)
    assert [(seat.number, seat.name) for seat in table.seats] == [(0, "A"), (1, "B"), (2, "C")], "two sat on one"
    await services.close()


async def test_a_seat_has_one_holder(services: Services, game: int) -> None:
    with pytest.raises(IntegrityError):
        async with services.database.writing() as session:
            await (await session.connection()).execute(
                text("INSERT INTO seat (game, number, \"user\", name, joined) VALUES (:game, 0, '9', 'Eve', 1)"),
                {"game": game},
            )
    assert (await services.lobby.get_table(game)).seats[0].user == ANN.id
