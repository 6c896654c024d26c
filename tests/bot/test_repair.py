"""``stationmaster check --repair``: what an operator types, what comes back, and that no kill makes it worse."""

import asyncio
import contextlib
import random
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from bot.model.errors import BotError
from bot.operations import backup, repair, serve
from bot.service.services import Services
from bot.store import games, salvage
from tests.bot.conftest import Clock, seat_three
from tests.support.damage import change_rows, damage_page
from tests.support.fork_server import start_process
from tests.support.toy import Bid, Pass
from tests.support.victims import repair_until

MOVES = (("1", Bid(1)), ("2", Bid(2)), ("3", Bid(3)), ("1", Pass()))
CUT = "UPDATE log SET payload = substr(payload, 1, 9) WHERE game = 1 AND seq = {}"
EDITED = "UPDATE log SET payload = replace(payload, '1', '90') WHERE game = 1 AND seq = {}"
WAYS = [CUT, EDITED, "DELETE FROM log WHERE game = 1 AND seq = {}"]


Prepare = Callable[..., Awaitable[None]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


async def play(services: Services, game: int, *moves: int) -> None:
    for each in moves:
        await services.table.submit(game, *MOVES[each])


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of files that were prepared, by the number of their tables."""
    return tmp_path_factory.mktemp("prepared")


@pytest.fixture
def prepare(prepared: Path, fresh_store: Path, home: Path, clock: Clock) -> Prepare:
    """Play two moves at each table, back up, and play two more; in a file once, then it is copied."""

    async def open_with_backup(address: Path | str, tables: int = 2) -> None:
        (home / "backups").mkdir(parents=True)
        if isinstance(address, str):
            await play_around_backup(address, home, clock, tables)
            return
        whole = prepared / str(tables)
        if not whole.exists():
            half = prepared / "half"
            (half / "backups").mkdir(parents=True)
            shutil.copy(fresh_store, half / "store.sqlite")
            await play_around_backup(half / "store.sqlite", half, clock, tables)
            half.rename(whole)
        address.parent.mkdir(exist_ok=True)
        shutil.copy(whole / "store.sqlite", address)
        shutil.copytree(whole / "backups", home / "backups", dirs_exist_ok=True)

    return open_with_backup


async def play_around_backup(address: Path | str, home: Path, clock: Clock, tables: int) -> None:
    services = await Services.open(address, clock, folder=home)
    for _ in range(tables):
        await play(services, await seat_three(services), 0, 1)
    await backup.back_up(str(address), home / "backups" / "stationmaster-20270115T080000Z.sqlite")
    for game in range(1, tables + 1):
        await play(services, game, 2, 3)
    await services.close()


async def list_versions(address: Path | str, clock: Clock, tables: int = 2) -> list[int]:
    """Return how many entries each table has; let the next player move at each, to see that it goes on."""
    services = await Services.open(address, clock)
    found = []
    for game in range(1, tables + 1):
        here = await services.table.load_position(game)
        found.append(here.version)
        assert not here.damage
        assert here.actors
        await services.table.submit(game, here.actors[0].user, Bid(20))
        assert any(stored.key.startswith(f"{game}:turn:") for stored in await services.outbox.list_due())
    await services.close()
    return found


@pytest.mark.parametrize(("kind", "how"), [*(("sqlite", how) for how in WAYS), ("postgresql", CUT)])
async def test_an_entry_comes_from_the_backup_and_those_after_it_from_the_log(
    store: Path | str, tmp_path: Path, clock: Clock, prepare: Prepare, home: Path, how: str
) -> None:
    await prepare(store)
    await change_rows(store, how.format(0))
    told = await repair.repair_store(str(store), home)
    assert told[0] == "Table 1 is restored: 4 log entries, 1 of them from the backup."
    assert told[1].startswith("The backup used was ")
    assert told[2].startswith("The damaged database ")
    assert (await backup.examine_store(str(store))).is_intact
    aside = next(path for folder in (tmp_path / "data", home) for path in folder.glob("*.damaged-*"))
    assert not (await backup.examine_store(str(aside))).is_intact, "the damaged database is kept"
    assert await repair.repair_store(str(store), home) == (), "the second time there is nothing to do"
    assert await list_versions(store, clock) == [4, 4]


async def test_a_last_entry_that_no_backup_has_is_lost_and_that_is_said(
    path: Path, clock: Clock, prepare: Prepare, home: Path
) -> None:
    await prepare(path)
    await change_rows(path, CUT.format(3))
    told = await repair.repair_store(str(path), home)
    assert told[0] == "Table 1 is restored: 3 log entries. 1 later entry is lost."
    assert await list_versions(path, clock) == [3, 4]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_table_whose_later_moves_can_still_be_read_is_left_until_told_to_discard_them(
    store: Path | str, clock: Clock, prepare: Prepare, home: Path
) -> None:
    await prepare(store)
    await change_rows(store, CUT.format(2))
    told = await repair.repair_store(str(store), home)
    assert told[0].startswith(
        "Table 1 is left as it is: log entry 3 is in no backup, and 1 later entry can still be read."
    )
    assert [each.game for each in (await backup.examine_store(str(store))).damaged] == [1]
    told = await repair.repair_store(str(store), home, discard=True)
    assert told[0] == "Table 1 is restored: 2 log entries. 2 later entries are lost."
    assert await list_versions(store, clock) == [2, 4]


async def test_a_tables_own_row_comes_from_the_backup(path: Path, clock: Clock, prepare: Prepare, home: Path) -> None:
    await prepare(path)
    await change_rows(path, "UPDATE game SET options = '{\"a\": ' WHERE id = 1")
    told = await repair.repair_store(str(path), home)
    assert told[0] == "Table 1 is restored: 4 log entries."
    assert await list_versions(path, clock) == [4, 4]


async def test_without_a_backup_the_intact_part_is_kept(path: Path, clock: Clock, home: Path) -> None:
    services = await Services.open(path, clock)
    await play(services, await seat_three(services), 0, 1)
    await services.close()
    await change_rows(path, CUT.format(1))
    told = await repair.repair_store(str(path), home)
    assert told[:2] == (
        "Table 1 is restored: 1 log entry. 1 later entry is lost.", "There was no backup to use.",
    )  # fmt: skip
    assert await list_versions(path, clock, 1) == [1]


@pytest.mark.parametrize(
    ("name", "flip"),
    [
        ("log", None),
        ("log", 2),
        ("log", 300),
        ("log", 2000),
        ("game", 2),
        ("seat", 300),
        ("outbox", 2000),
        ("note", None),
    ],
)
async def test_a_damaged_page_of_any_table_is_repaired(
    path: Path, clock: Clock, prepare: Prepare, home: Path, name: str, flip: int | None
) -> None:
    await prepare(path, 6)
    damage_page(path, name, 0.3, flip=flip)
    before = await backup.examine_store(str(path))
    told = await repair.repair_store(str(path), home, discard=True)
    assert bool(told) == (not before.is_intact)
    after = await backup.examine_store(str(path))
    assert after.is_intact
    assert after.intact == (1, 2, 3, 4, 5, 6)
    versions = await list_versions(path, clock, 6)
    assert min(versions) >= 2, "what the backup has is never lost"


async def test_a_damaged_index_is_rebuilt(path: Path, clock: Clock, prepare: Prepare, home: Path) -> None:
    await prepare(path)
    with sqlite3.connect(path) as file:
        names = file.execute("SELECT name FROM sqlite_master WHERE tbl_name = 'log' AND type = 'index'").fetchall()
    file.close()
    for (name,) in names:
        damage_page(path, name)
    told = await repair.repair_store(str(path), home)
    assert "The database was rebuilt from what is readable, with new indexes." in told
    assert await list_versions(path, clock) == [4, 4]


MET = [
    ("log", 0.0, None), ("log", 1.0, 8), ("game", 0.0, 4), ("seat", 0.0, None), ("copy_log", 1.0, None),
    ("sqlite_autoindex_log_1", 0.5, None), ("outbox", 0.0, None), ("lease", 0.0, 0), ("obligation", 0.0, None),
]  # fmt: skip
"""Pages that are damaged while a bot runs, and how: overwritten, a byte of its header, the place of a row."""
SENT = "UPDATE outbox SET state = 'sent', sent = due, channel = '9', message = '5' || id WHERE kind <> 'ring'"
LONG = "UPDATE log SET told = '[\"' || hex(zeroblob(400)) || '\"]'"


async def meet_damage(services: Services, path: Path, *damages: tuple[str, float, int | None]) -> None:
    """Damage pages under a bot that has all tables in memory; let people move, and wait until it has repaired them."""
    for game in range(1, 7):
        await services.table.load_position(game)
    watching = asyncio.create_task(serve.repair_what_is_met(services))
    for name, place, flip in damages:
        damage_page(path, name, place, flip=flip)
    for game in range(1, 7):
        with contextlib.suppress(BotError):
            await services.table.submit(game, "2", Bid(9))
    with contextlib.suppress(BotError):
        await services.outbox.claim((await services.outbox.list_waiting()).batches)
    async with asyncio.timeout(60):
        while services.database.damage.is_set() or not [*path.parent.glob(f"{path.name}.damaged-*")]:
            await asyncio.sleep(0.02)
    watching.cancel()


@pytest.mark.parametrize("damage", MET)
async def test_a_damaged_page_under_a_running_bot_stops_no_table(
    path: Path, clock: Clock, prepare: Prepare, home: Path, damage: tuple[str, float, int | None]
) -> None:
    """The bot moves the rows of the page to another, from their copies; what was lost of the outbox is owed again."""
    await prepare(path, 6)
    await change_rows(path, LONG, SENT)
    services = await Services.open(path, clock, folder=home)
    await meet_damage(services, path, damage)
    for game in range(1, 7):
        here = await services.table.load_position(game)
        assert not here.damage
        assert here.version >= 4
        await services.table.submit(game, here.actors[0].user, Bid(12))
    owed = {(stored.game, stored.key.split(":")[1]) for stored in await services.outbox.list_due()}
    assert {(game, "turn") for game in range(1, 7)} <= owed
    await services.close()
    assert (await backup.examine_store(str(path))).is_intact
    assert len([*path.parent.glob(f"{path.name}.damaged-*")]) == 1, "the file as it was is kept"


async def test_entries_whose_copies_are_lost_too_stop_only_their_tables(
    path: Path, clock: Clock, prepare: Prepare, home: Path
) -> None:
    """Two damaged pages: what can't be read makes a table read-only, until it's restored."""
    await prepare(path, 6)
    await change_rows(path, LONG, SENT)
    services = await Services.open(path, clock, folder=home)
    await meet_damage(services, path, ("log", 0.5, 9), ("copy_log", 0.5, None))
    read_only = dict[int, str]()
    for game in range(1, 7):
        here = await services.table.load_position(game)
        if here.damage:
            read_only[game] = here.damage
            assert here.damage == f"log entry {here.version + 1} can't be read"
            assert len(await services.table.read_log(game)) == here.version < 4, "its last intact position"
            with pytest.raises(BotError, match=f"read-only because its stored game is damaged: {here.damage}"):
                await services.table.submit(game, "2", Bid(30))
        else:
            await services.table.submit(game, here.actors[0].user, Bid(12))
    assert 1 <= len(read_only) <= 3
    await services.close()
    assert [each.game for each in (await backup.examine_store(str(path))).damaged] == sorted(read_only)
    await repair.repair_store(str(path), home, discard=True)
    assert (await backup.examine_store(str(path))).intact == (1, 2, 3, 4, 5, 6)
    assert min(await list_versions(path, clock, 6)) >= 2, "what the backup has is never lost"


@pytest.mark.parametrize(("damage", "lost"), [(("game", 10), [2]), (("seat", 8), [1])])
async def test_a_lost_row_of_a_table_or_seat_without_its_copy_stops_that_table_alone(
    path: Path, clock: Clock, prepare: Prepare, home: Path, damage: tuple[str, int], lost: list[int]
) -> None:
    """Two of three seats were taken for all, and nothing that lists tables worked until the repair."""
    await prepare(path, 6)
    damage_page(path, damage[0], flip=damage[1])
    damage_page(path, f"copy_{damage[0]}")
    services = await Services.open(path, clock, folder=home)
    await serve.report_damage(services)
    for game in {1, 2, 3, 4, 5, 6} - {*lost}:
        await services.table.submit(game, "2", Bid(9))
    for game in lost:
        with pytest.raises(BotError, match=f"Table {game} is damaged: what is stored about it can't be read"):
            await services.table.load_position(game)
    async with services.database.reading() as session:
        assert len(await games.list_newest(session, ("running",))) == 6 - len(lost)
    await services.close()
    assert [each.game for each in (await backup.examine_store(str(path))).damaged] == lost
    await repair.repair_store(str(path), home)
    assert (await backup.examine_store(str(path))).intact == (1, 2, 3, 4, 5, 6)


async def test_no_damaged_page_costs_a_row_that_people_made(path: Path, prepare: Prepare) -> None:
    """Whatever a page of any table or index holds afterwards; those of the list of tables excepted."""
    await prepare(path, 6)
    await change_rows(path, LONG, *(f"INSERT INTO {each}" for each in MORE_ROWS))
    with contextlib.closing(sqlite3.connect(path)) as file:
        pages = file.execute("SELECT pageno FROM dbstat WHERE pageno > 1 AND name NOT LIKE '%alembic%'").fetchall()
        schema = file.execute("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'").fetchall()
    whole, data, chance = read_rows(path), path.read_bytes(), random.Random(27)  # noqa: S311 - not a secret
    for (page,) in chance.choices([*{*pages} - {*schema}], k=20):
        place, first = chance.choice((None, 0, 1, 3, 4, 8, 9, 10, 100)), (page - 1) * PAGE_BYTES
        torn = bytearray(data)
        if place is None:
            torn[first : first + PAGE_BYTES] = b"\xa5" * PAGE_BYTES
        else:
            torn[first + place] ^= 0xFF
        path.write_bytes(torn)
        damaged = salvage.find_damaged(path)
        if damaged:
            salvage.renew_tables(path, damaged, partial(Path, f"{path}.aside"))
        assert read_rows(path) == whole, f"page {page}, {place}: {damaged}"
        assert salvage.find_damaged(path) == []


async def test_an_entry_that_names_another_move_than_its_copy_is_taken_from_the_backup(
    path: Path, clock: Clock, prepare: Prepare, home: Path
) -> None:
    """A flipped bit may leave a legal move: no one can tell which of two was made, so the table waits."""
    await prepare(path, 6)
    data = path.read_bytes()
    first = data.index(b'{"do":"bid","amount":2}')
    path.write_bytes(data[:first] + data[first:].replace(b'"amount":2', b'"amount":3', 1))
    services = await Services.open(path, clock, folder=home)
    await serve.report_damage(services)
    await services.close()
    found = await backup.examine_store(str(path))
    assert [each.why for each in found.damaged] == ["log entry 2 can't be read."]
    told = await repair.repair_store(str(path), home)
    assert told[0] == f"Table {found.damaged[0].game} is restored: 4 log entries, 1 of them from the backup."
    assert await list_versions(path, clock, 6) == [4] * 6


PAGE_BYTES = 4096
MORE_ROWS = (
    "standing_order VALUES (1, 2, '1', 'on', '{}')",
    "note VALUES ('commands', 'x')",
    "own_note VALUES (3, '2', 'Buy IOW')",
    "server VALUES ('7', '{}')",
    "style VALUES ('1', 'mono', 1, 0)",
    "follow VALUES (3, '9', 4)",
    "season VALUES (1, '7', '1', 'Autumn', 'toy', '{}', 3, 'daily', 1)",
    "member VALUES (1, '2', '7', 'Bob')",
)


def read_rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of a file but those that the bot owes or takes again."""
    with contextlib.closing(sqlite3.connect(path)) as file:
        tables = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: sorted(file.execute(f'SELECT * FROM "{name}"'), key=repr)  # noqa: S608 - names of ours
            for (name,) in tables
            if name not in ("outbox", "obligation", "lease")
        }


@pytest.mark.parametrize("step", ["salvage_rows", "put_aside", "put_in_place"])
async def test_a_repair_that_is_killed_makes_nothing_worse(
    path: Path, clock: Clock, prepare: Prepare, home: Path, step: str
) -> None:
    """Before and after each step: what can be read afterwards is what could before, or the repair is done."""
    await prepare(path)
    await change_rows(path, CUT.format(0))
    for is_done in (False, True):
        victim = start_process(partial(repair_until, is_done=is_done), path, home, step)
        await asyncio.to_thread(victim.join)
        assert victim.exitcode == 9
        found = await backup.examine_store(str(path))
        assert found.intact == ((1, 2) if (step, is_done) == ("put_in_place", True) else (2,))
    await repair.repair_store(str(path), home)
    assert (await backup.examine_store(str(path))).intact == (1, 2)
    assert not list(path.parent.glob(".*.repaired*"))
    assert await list_versions(path, clock) == [4, 4]


async def test_a_repair_that_cannot_replace_the_database_leaves_it(
    path: Path, prepare: Prepare, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await prepare(path)
    await change_rows(path, CUT.format(0))

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("bot.store.copies.put_aside", refuse)
    with pytest.raises(BotError, match="can't be replaced: Permission denied"):
        await repair.repair_store(str(path), home)
    assert [each.game for each in (await backup.examine_store(str(path))).damaged] == [1]
    assert not list(path.parent.glob(".*.repaired*"))
