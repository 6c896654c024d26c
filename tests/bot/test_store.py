"""The store: its form, its transactions, the log, the posts owed."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from msgspec.structs import replace
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel

from bot.model.posts import Notice, Owed, Turn
from bot.model.records import Home, NewTable, Style
from bot.service.outbox import Outbox
from bot.service.services import Services
from bot.store import games, log, outbox, sqlite
from bot.store.database import Database
from bot.store.salvage import MIN_FREE_PAGES, give_back_space
from engine import TITLES, LogEntry
from engine.codec import decode_action
from tests.bot.conftest import ANN, Clock, seat_three
from tests.support.claiming import claim_all, list_all_posts
from tests.support.postgres import BOTH
from tests.support.quick_files import PRAGMAS
from tests.support.sure import as_a
from tests.support.toy import Bid, Pass


async def test_the_migrations_make_the_very_tables_that_the_models_describe(path: Path) -> None:
    database = await Database.open(path)
    async with database.writing() as session:
        connection = await session.connection()
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync), SQLModel.metadata)
        )
    await database.close()
    copies = [change[1] for change in differences if change[0] == "remove_index" and change[1].name.startswith("copy_")]
    assert len(copies) == len(differences)
    assert {index.table.name for index in copies} == {*SQLModel.metadata.tables} - {"outbox", "obligation", "lease"}
    assert all([*index.columns.keys()] == [*index.table.columns.keys()] for index in copies), "a copy of whole rows"


async def test_opening_again_and_two_at_once_is_harmless(path: Path) -> None:
    first, second = await asyncio.gather(Database.open(path), Database.open(path))
    third = await Database.open(path)
    for database in (first, second, third):
        await database.close()


async def test_a_connection_writes_ahead_flushes_fully_and_checks_foreign_keys(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_PRAGMAS", PRAGMAS)
    database = await Database.open(path)
    async with database.reading() as session:
        connection = await session.connection()
        found = {
            name: (await connection.execute(text(f"PRAGMA {name}"))).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    await database.close()
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 2000}


@BOTH
async def test_a_transaction_that_fails_leaves_no_trace(services: Services, game: int) -> None:
    before = await snapshot(services, game)
    with pytest.raises(ZeroDivisionError):
        await write_and_fail(services, game)
    assert await snapshot(services, game) == before


async def write_and_fail(services: Services, game: int) -> None:
    async with services.database.writing() as session:
        await log.append(session, log.NewEntry(game, 0, LogEntry(0, Pass()), "1", (), 0))
        await outbox.owe(session, [Owed("x", Notice(game, "x"), 0)], 0)
        await games.change(session, game, state="closed")
        raise ZeroDivisionError


async def snapshot(services: Services, game: int) -> object:
    async with services.database.reading() as session:
        return (
            await games.fetch(session, game),
            await log.fetch_version(session, game),
            [stored.key for _, stored in await list_all_posts(session, game)],
        )


@BOTH
async def test_two_entries_cannot_have_one_place_nor_one_interaction(services: Services, game: int) -> None:
    async with services.database.writing() as session:
        await log.append(session, log.NewEntry(game, 0, LogEntry(0, Bid(1)), "1", (), 0, "i1"))
    for seq, interaction in ((0, "i2"), (1, "i1")):
        with pytest.raises(IntegrityError):
            async with services.database.writing() as session:
                await log.append(session, log.NewEntry(game, seq, LogEntry(0, Bid(2)), "1", (), 0, interaction))
    async with services.database.reading() as session:
        assert await log.read(session, game, "toy") == [LogEntry(0, Bid(1))]


@BOTH
async def test_a_log_row_is_readable_json(services: Services, game: int) -> None:
    await services.table.submit(game, "1", Bid(3))
    async with services.database.reading() as session:
        connection = await session.connection()
        payload = (await connection.execute(text("SELECT payload FROM log"))).scalar()
    assert payload == '{"do":"bid","amount":3}'
    assert decode_action("toy", str(payload)) == Bid(3)


@BOTH
async def test_reopened_services_resume_where_the_old_ones_stopped(services: Services, game: int) -> None:
    await services.table.submit(game, "1", Bid(3))
    await services.table.submit(game, "2", Pass())
    again = await Services.open(services.database.address)
    here, there = await services.table.load_position(game), await again.table.load_position(game)
    await again.close()
    assert there.version == here.version == 2
    assert there.game.replay().state == here.game.replay().state
    assert there.table == here.table


@BOTH
async def test_the_cache_is_bounded_and_follows_what_others_store(store: Path | str, clock: Clock) -> None:
    one, two = await Services.open(store, clock, 1), await Services.open(store, clock)
    first, second = await seat_three(one), await seat_three(one)
    await two.table.load_position(first)
    await one.table.submit(first, "1", Bid(3))
    await one.table.submit(second, "1", Bid(4))
    assert list(one.table.live._games) == [second]
    assert (await two.table.load_position(first)).version == 1
    assert (await one.table.load_position(first)).game.replay().state.bid == 3
    await one.close()
    await two.close()


@BOTH
async def test_a_post_with_the_same_key_replaces_the_earlier_one(services: Services, game: int, clock: Clock) -> None:
    async with services.database.writing() as session:
        await outbox.owe(session, [Owed("note", Notice(game, "one"), clock.now)], clock.now)
    stored = await fetch_post(services, "note")
    async with services.database.writing() as session:
        await outbox.owe(session, [Owed("note", Notice(game, "two"), clock.now)], clock.now)
    await services.outbox.note_sent([(stored, ("c", "m1"))])
    still = await fetch_post(services, "note")
    assert still in await services.outbox.list_due(), "the newer text is owed yet, as an edit of the message"
    assert still.post == Notice(game, "two")
    assert still.message == "m1"
    await services.outbox.note_sent([(still, ("c", "m1"))])
    assert "note" not in [stored.key for stored in await services.outbox.list_due()]


async def fetch_post(services: Services, key: str) -> outbox.StoredPost:
    stored = await services.posted.find_post(key)
    assert stored is not None
    return stored


@BOTH
async def test_a_post_is_handed_out_when_due_and_again_after_a_failure(
    services: Services, game: int, clock: Clock
) -> None:
    for stored in await services.outbox.list_due():
        await services.outbox.note_sent([(stored, ("c", "m"))])
    async with services.database.writing() as session:
        await outbox.owe(session, [Owed("later", Notice(game, "x"), clock.now + 60)], clock.now)
    assert await services.outbox.list_due() == []
    assert (await services.outbox.list_waiting()).next_due == clock.now + 60
    clock.now += 60
    (stored,) = await services.outbox.list_due()
    await services.outbox.note_failed(stored, "no connection", clock.now + 5)
    assert await services.outbox.list_due() == []
    clock.now += 5
    (stored,) = await services.outbox.list_due()
    assert stored.attempts == 1
    await services.outbox.note_failed(stored, "no such channel", None)
    clock.now += 5
    assert await services.outbox.list_due() == [], "it was given up"


@BOTH
async def test_a_retry_that_was_set_while_the_clock_was_ahead_comes_soon_after_the_next_start(
    services: Services, game: int, clock: Clock
) -> None:
    (stored, *_) = await services.outbox.list_due()
    await services.outbox.note_failed(stored, "no connection", clock.now + 3600)
    assert await services.outbox.set_clock_back() == 0, "it was owed by a clock that was right"
    clock.now += 600
    assert stored.id in [post.id for post in await services.outbox.list_due()]


@BOTH
@pytest.mark.parametrize("again", [True, False])
async def test_a_failure_of_the_old_text_leaves_the_new_one_owed(
    services: Services, game: int, clock: Clock, *, again: bool
) -> None:
    """What was sent in vain was replaced meanwhile: the newer text is neither given up nor put off."""
    async with services.database.writing() as session:
        await outbox.owe(session, [Owed("note", Notice(game, "one"), clock.now)], clock.now)
    old = await fetch_post(services, "note")
    async with services.database.writing() as session:
        await outbox.owe(session, [Owed("note", Notice(game, "two"), clock.now)], clock.now)
    await services.outbox.note_failed(old, "refused", clock.now + 600 if again else None)
    (still,) = [stored for stored in await services.outbox.list_due() if stored.key == "note"]
    assert (still.post, still.attempts) == (Notice(game, "two"), 0)


@BOTH
async def test_a_quiet_turn_message_takes_no_ping_from_a_loud_one_that_was_not_posted(
    services: Services, game: int, clock: Clock
) -> None:
    """Once the loud one stands in the channel, its replacement may be quiet."""
    (loud,) = [stored for stored in await services.outbox.list_due() if isinstance(stored.post, Turn)]
    post = as_a(Turn, loud.post)
    assert post.pings == post.mention
    quiet = Owed(loud.key, replace(post, pings=()), clock.now)
    async with services.database.writing() as session:
        await outbox.owe(session, [quiet], clock.now)
    unsent = await fetch_post(services, loud.key)
    assert unsent.post == loud.post
    await services.outbox.note_sent([(unsent, ("c", "m"))])
    async with services.database.writing() as session:
        await outbox.owe(session, [quiet], clock.now)
    assert (await fetch_post(services, loud.key)).post == quiet.post


@BOTH
async def test_leaving_one_table_leaves_the_seats_at_others(services: Services) -> None:
    one = await services.lobby.create(ANN, NewTable("toy", 2))
    other = await services.lobby.create(ANN, NewTable("toy", 2))
    await services.lobby.leave(one.id, ANN.id)
    assert [seat.user for seat in (await services.lobby.get_table(other.id)).seats] == [ANN.id]


@BOTH
async def test_a_sender_is_woken_by_a_commit(services: Services, game: int) -> None:
    services.database.wake.clear()
    await services.table.submit(game, "1", Bid(3))
    await asyncio.wait_for(services.database.wake.wait(), 60)


async def test_a_sender_that_has_woken_keeps_no_other_asleep(services: Services, game: int) -> None:
    one, other = services.database.wake.add_listener(), services.database.wake.add_listener()
    await services.outbox.owe(Owed("note", Notice(game, "x"), 0))
    one.clear()
    assert other.is_set()


@BOTH
async def test_a_table_is_found_by_its_thread(services: Services, game: int) -> None:
    other = await services.lobby.create(ANN, NewTable("toy", 2))
    await services.lobby.set_home(game, Home("g", "c", "t1", "m"))
    await services.lobby.set_home(other.id, Home(thread="t2"))
    await services.lobby.set_home(game, Home(message="m2"))
    assert await services.lobby.find_game("t1") == game
    assert await services.lobby.find_game("t2") == other.id
    assert await services.lobby.find_game("") is None
    assert (await services.lobby.get_table(game)).home == Home("g", "c", "t1", "m2")


@BOTH
async def test_people_keep_their_style(services: Services) -> None:
    assert await services.people.get_style("1") == Style()
    await services.people.set_style("1", Style("mono", text_first=True))
    assert await services.people.get_style("1") == Style("mono", text_first=True)


@BOTH
async def test_a_title_that_left_the_shelf_does_not_break_the_list(
    services: Services, game: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(TITLES, "toy")
    assert [table.id for table in await services.lobby.list_tables("all")] == [game]


async def test_the_only_process_of_a_store_takes_over_the_leases_of_a_dead_one_at_once(
    services: Services, game: int, clock: Clock
) -> None:
    (had,) = await claim_all(services.outbox)
    (claim,) = await claim_all(Outbox(services.database, clock))
    assert [stored.key for stored in claim.posts] == [stored.key for stored in had.posts]
    assert all(stored.unsure for stored in claim.posts)


def test_a_file_of_which_much_is_free_is_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "some.sqlite"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("CREATE TABLE filler (part)")
        file.execute("INSERT INTO filler VALUES (zeroblob(?))", (4096 * MIN_FREE_PAGES * 2,))
        assert not give_back_space(path), "nothing is free"
        file.execute("DELETE FROM filler")
    before = path.stat().st_size
    assert give_back_space(path)
    assert path.stat().st_size < before / 100
    assert not give_back_space(path)
