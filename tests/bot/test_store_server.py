"""A store on a PostgreSQL server: moved there and back, shared by processes, and what is said when it fails."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.model.posts import Notice, Owed
from bot.model.records import Home, NewTable, Style
from bot.operations import backup, doctor, repair
from bot.operations.settings import Shard
from bot.service.seasons import Paired
from bot.service.services import Services
from bot.service.table import Delivery
from bot.store.address import find_folder, hide_password, is_server
from bot.store.database import Database, work_in_background
from bot.store.postgres import MAX_BACKGROUND_CONNECTIONS, MAX_CONNECTIONS
from tests.bot.conftest import ANN, BOB, Clock, seat_three
from tests.support import postgres
from tests.support.settings import BareSettings
from tests.support.toy import Bid, Pass


@pytest.fixture
async def new_address(server_store: str) -> AsyncIterator[str]:
    """The address of a database without any tables."""
    folder = server_store.partition("?host=")[2]
    name = f"new_{server_store.rpartition('@/')[2].partition('?')[0]}"
    first = postgres.address_of("postgres", folder)
    await postgres.execute(first, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name}")
    yield postgres.address_of(name, folder)
    await postgres.execute(first, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def there(server_store: str, clock: Clock, tmp_path: Path) -> AsyncIterator[Services]:
    """Services on a server."""
    await postgres.empty_tables(server_store)
    services = await Services.open(server_store, clock, folder=tmp_path)
    yield services
    await services.close()


@pytest.mark.parametrize(
    ("address", "server"),
    [
        ("data/stationmaster.sqlite", False),
        ("/srv/postgresql/store", False),
        ("postgresql", False),
        ("postgresql://bot:secret@db.example/tables", True),
        ("postgres://bot:secret@db.example:5433/tables", True),
    ],
)
def test_the_address_alone_says_which_store_it_is(address: str, *, server: bool) -> None:
    assert is_server(address) == server
    assert "secret" not in hide_password(address)
    assert "secret" not in repr(
        BareSettings(
            database=address,
        )
    )
    assert find_folder(address) == (Path("data") if server else Path(address).parent)


async def test_processes_that_start_at_once_make_the_tables_once_and_as_the_models_describe_them(
    new_address: str,
) -> None:
    opened = await asyncio.gather(*(Database.open(new_address) for _ in range(3)))
    async with opened[0].writing() as session:
        connection = await session.connection()
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync), SQLModel.metadata)
        )
    for database in opened:
        await database.close()
    assert differences == []


async def test_a_store_moves_to_a_server_and_back(
    services: Services, new_address: str, clock: Clock, tmp_path: Path
) -> None:
    """Every table, log, post and wish comes along, and what comes next gets the next number."""
    for _ in range(2):
        game = await seat_three(services)
        for user, action in (("1", Bid(1)), ("2", Bid(2)), ("3", Pass())):
            await services.table.submit(game, user, action)
    await services.people.set_style("1", Style("mono", text_first=True))
    out, back, again = tmp_path / "out.sqlite", tmp_path / "back.sqlite", tmp_path / "again.sqlite"
    await backup.back_up(str(services.database.address), out)
    assert await backup.restore_backup(new_address, out) == "2 tables, 6 log entries."
    with pytest.raises(BotError, match=r"There are already tables at .*. Use --replace to delete them first"):
        await backup.restore_backup(new_address, out)
    moved = await Services.open(new_address, clock)
    assert await seat_three(moved) == 3
    await moved.table.submit(2, "1", Bid(5))
    await moved.close()
    assert (await backup.back_up(new_address, back)).startswith(f"{back}: 3 tables, 7 log entries, ")
    await backup.restore_backup(str(again), back)
    home = await Services.open(again, clock)
    for number in (1, 2):
        was, now = await services.table.load_position(number), await home.table.load_position(number)
        assert now.game.log[:3] == was.game.log
        assert now.table.seats == was.table.seats
    assert (await home.table.load_position(2)).version == 4
    assert await home.people.get_style("1") == Style("mono", text_first=True)
    keys = {stored.key for stored in await services.outbox.list_due()} - {"2:turn:3", "2:pictures:3"}
    assert keys <= {stored.key for stored in await home.outbox.list_due()}
    await home.close()


async def test_nothing_is_put_under_bots_at_work(there: Services, tmp_path: Path) -> None:
    await seat_three(there)
    await backup.back_up(str(there.database.address), tmp_path / "copy.sqlite")
    bots = [await Services.open(there.database.address, alone=True) for _ in range(2)]  # who act may be several
    with pytest.raises(BotError, match="A bot is running on"):
        await backup.restore_backup(str(there.database.address), tmp_path / "copy.sqlite", replace=True)
    for bot in bots:
        await bot.close()
    await backup.restore_backup(str(there.database.address), tmp_path / "copy.sqlite", replace=True)


async def test_two_processes_that_pair_a_season_at_once_seat_everyone_once(there: Services, clock: Clock) -> None:
    wish, home = NewTable("toy", 2), Home("g", "c")
    season = await there.seasons.open(ANN, "Autumn", wish, "g")
    await there.seasons.set_member(season, BOB, on=True)
    other = await Services.open(there.database.address, clock, folder=there.folder)
    try:
        pairs = (
            each.seasons.pair(season, ANN.id, home, key, manages=True) for each, key in ((there, "1"), (other, "2"))
        )
        made = await asyncio.gather(*pairs, return_exceptions=True)
    finally:
        await other.close()
    assert sum(len(each.tables) for each in made if isinstance(each, Paired)) == 1, made


async def test_a_large_seed_and_a_late_moment_fit(there: Services, clock: Clock) -> None:
    clock.now = 1 << 33
    game = await seat_three(there)
    async with there.database.writing() as session:
        from bot.store import games

        await games.change(session, game, seed=(1 << 53) - 1)
    assert (await there.lobby.get_table(game)).seed == (1 << 53) - 1
    assert (await there.lobby.get_table(game)).created == 1 << 33


async def test_a_lock_that_another_holds_is_reported_and_the_next_try_succeeds(there: Services) -> None:
    game = await seat_three(there)
    other = await asyncpg.connect(there.database.address)
    held = other.transaction()
    await held.start()
    await other.execute("SELECT 1 FROM game FOR UPDATE")
    said = await asyncio.gather(
        there.table.submit(game, "1", Bid(1)),
        *(there.outbox.owe(Owed(f"n{n}", Notice(game, "x"), 0)) for n in range(3)),
        return_exceptions=True,
    )
    await held.rollback()
    await other.close()
    assert {str(each) for each in said} == {
        "The database is locked by another program; nothing was changed. Try again in a minute."
    }
    assert (await there.table.submit(game, "1", Bid(1))).version == 1


async def test_a_server_that_ended_every_connection_is_used_again(there: Services) -> None:
    """As after a restart of the server: who reads, who writes and who listens connects anew."""
    game = await seat_three(there)
    other = await asyncpg.connect(there.database.address)
    await other.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid()"
    )
    assert (await there.table.submit(game, "1", Bid(1))).version == 1
    there.database.wake.clear()
    while not there.database.wake.is_set():  # the listener comes back by itself
        await other.execute("NOTIFY stationmaster")
        await asyncio.sleep(0.1)
    await other.close()


async def test_posts_leave_connections_for_people(there: Services) -> None:
    """A bot that catches up with a thousand tables still answers presses; its connections stay open after that."""
    held, release = [], asyncio.Event()

    async def post() -> None:
        with work_in_background():
            async with there.database.reading():
                held.append(1)
                await release.wait()

    posting = [asyncio.create_task(post()) for _ in range(MAX_CONNECTIONS)]
    while len(held) < MAX_BACKGROUND_CONNECTIONS:
        await asyncio.sleep(0.01)
    assert await there.lobby.list_tables() == []
    release.set()
    await asyncio.gather(*posting)
    pool = there.database.backend.writer.pool
    assert isinstance(pool, QueuePool)
    assert pool.checkedin() > MAX_BACKGROUND_CONNECTIONS


async def test_a_server_that_fails_over_loses_no_move(server_store: str, clock: Clock, tmp_path: Path) -> None:
    """It dies under a table, comes back as a standby, which can only be read, and is promoted."""
    assert server_store  # its server has made the user that runs this one
    with tempfile.TemporaryDirectory() as folder:
        server = await asyncio.to_thread(postgres.OwnServer, Path(folder))
        try:
            server.start()
            services = await Services.open(server.address, clock, folder=tmp_path)
            game = await seat_three(services)
            await services.table.submit(game, ANN.id, Bid(1))
            server.crash()
            with pytest.raises(BotError, match="The database doesn't answer; nothing was changed"):
                await services.table.submit(game, BOB.id, Bid(2))
            server.start(standby=True)
            assert (await services.lobby.get_table(game)).state == "running"
            with pytest.raises(BotError, match="The database takes no changes at the moment; nothing was changed"):
                await services.table.submit(game, BOB.id, Bid(2))
            server.promote()
            assert (await services.table.submit(game, BOB.id, Bid(2))).version == 2
            other = await Services.open(server.address, clock, folder=tmp_path)
            assert (await other.table.load_position(game)).version == 2
            await other.close()
            await services.close()
        finally:
            server.crash()


async def test_a_move_whose_commit_was_not_confirmed_is_reported_as_stored(
    there: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line is cut between the commit and its answer: that nothing was changed would be false."""
    game, commit, cut = await seat_three(there), AsyncSession.commit, [True]

    async def lose_answer(session: AsyncSession) -> None:
        await commit(session)
        if cut:
            cut.clear()
            raise DBAPIError("COMMIT", {}, OSError("connection lost"), connection_invalidated=True)

    monkeypatch.setattr(AsyncSession, "commit", lose_answer)
    told = await there.table.submit(game, ANN.id, Bid(3), Delivery("one"))
    assert not cut
    assert told.sentences == ("Ann bids £3 for lot 1.",)
    assert (await there.table.load_position(game)).version == 1
    assert there.database.wake.is_set(), "what the move owes is sent at once"


async def test_a_server_that_does_not_answer_is_one_sentence(tmp_path: Path) -> None:
    address = f"postgresql://postgres:secret@/none?host={tmp_path}"
    with pytest.raises(BotError) as refusal:
        await Database.open(address)
    assert "\n" not in refusal.value.sentence
    assert "secret" not in refusal.value.sentence
    assert "doesn't answer" in refusal.value.sentence
    finding = await doctor.check_health(
        BareSettings(
            database=address,
            folder=tmp_path,
        )
    )
    assert not finding.well


async def test_a_table_dropped_under_the_bot_is_reported(new_address: str, clock: Clock) -> None:
    services = await Services.open(new_address, clock)
    game = await seat_three(services)
    await postgres.execute(new_address, "DROP TABLE log")
    with pytest.raises(BotError, match="The database has lost its tables; nothing was changed"):
        await services.table.submit(game, "1", Bid(1))
    await services.close()


async def test_a_page_that_the_server_cannot_read_is_named_and_its_rows_come_from_the_backup(
    there: Services, new_address: str, clock: Clock, tmp_path: Path
) -> None:
    """All tables with a row on the page are stopped until the server has given it up, as docs/hosting.md describes."""
    (tmp_path / "backups").mkdir()
    for _ in range(2):
        await there.table.submit(await seat_three(there), "1", Bid(1))
    await backup.back_up(str(there.database.address), tmp_path / "backups" / "stationmaster-20270115T080000Z.sqlite")
    for game in (1, 2):
        await there.table.submit(game, "2", Bid(2))
    await there.close()
    was, folder = (each.partition("?")[0] for each in str(there.database.address).rpartition("@/")[2].split("?host="))
    broken, first = new_address.rpartition("@/")[2].partition("?")[0], postgres.address_of("postgres", folder)
    await postgres.execute(first, f"DROP DATABASE {broken} WITH (FORCE)", "CHECKPOINT")
    await postgres.execute(first, f"CREATE DATABASE {broken} TEMPLATE {was} STRATEGY = FILE_COPY")  # none is in memory
    connection = await asyncpg.connect(new_address)
    page = Path(folder, await connection.fetchval("SELECT pg_relation_filepath('game')"))
    await connection.close()
    page.write_bytes(b"\xa5" * page.stat().st_size)
    services = await Services.open(new_address, clock)
    for game in (1, 2):
        with pytest.raises(BotError, match="The database is damaged here; nothing was changed"):
            await services.table.load_position(game)
    await services.close()
    assert [each.game for each in (await backup.examine_store(new_address)).damaged] == [1, 2]
    with pytest.raises(BotError, match=r"The server can't read its database: invalid page .*docs/hosting.md has the"):
        await repair.repair_store(new_address, tmp_path)
    await postgres.execute(first, f"ALTER DATABASE {broken} SET zero_damaged_pages = on")
    await postgres.execute(new_address, "VACUUM FULL game")  # of all in the docs, which takes seconds
    told = await repair.repair_store(new_address, tmp_path)
    assert told[:2] == tuple(f"Table {game} is restored: 2 log entries." for game in (1, 2))
    assert (await backup.examine_store(new_address)).intact == (1, 2)


def test_each_process_serves_a_shard() -> None:
    assert BareSettings().shards == Shard(0, 1)


@pytest.mark.parametrize(("words", "shard"), [("0/2", Shard(0, 2)), ("1/2", Shard(1, 2))])
def test_the_shard_is_a_setting(words: str, shard: Shard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATIONMASTER_SHARDS", words)
    assert BareSettings().shards == shard


@pytest.mark.parametrize("words", ["2/2", "1", "0/0", "-1/2", "a/b"])
def test_a_shard_that_cannot_be_is_refused(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATIONMASTER_SHARDS", words)
    with pytest.raises(ValueError, match="SHARDS"):
        BareSettings()
