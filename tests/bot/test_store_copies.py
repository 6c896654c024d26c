"""Backups: made while the bot runs, checked, kept, put back; and what can be saved of a damaged store."""

import asyncio
import os
import sqlite3
from pathlib import Path

import msgspec
import pytest

from bot.model.errors import BotError
from bot.model.records import NewTable
from bot.operations import backup
from bot.operations.settings import Schedule
from bot.service.services import Services
from bot.store import soundness
from bot.store.database import Database
from engine import LogError
from engine.codec import encode_file
from tests.bot.conftest import ANN, Clock, seat_three
from tests.support.settings import BareSettings
from tests.support.toy import Bid, Pass


async def play_three_moves(services: Services) -> int:
    """Three moves at a table."""
    game = await seat_three(services)
    for user, action in (("1", Bid(1)), ("2", Bid(2)), ("3", Pass())):
        await services.table.submit(game, user, action)
    return game


async def test_a_backup_is_made_while_moves_are_played_and_holds_them(services: Services, tmp_path: Path) -> None:
    """The file alone holds every table, though most of it was only written ahead when it was copied."""
    game = await play_three_moves(services)
    target = tmp_path / "out" / "copy.sqlite"
    words, _ = await asyncio.gather(
        backup.back_up(str(services.database.address), target), services.table.submit(game, "1", Bid(5))
    )
    assert words.startswith(f"{target}: 1 table, ")
    assert words.endswith(" bytes, checked.")
    assert [path.name for path in target.parent.iterdir()] == ["copy.sqlite"], "one file, and nothing left over"
    copy = await Services.open(target)
    assert (await copy.table.load_position(game)).version in (3, 4)
    await copy.close()


async def test_a_backup_of_nothing_or_to_nowhere_is_one_sentence(services: Services, tmp_path: Path) -> None:
    with pytest.raises(BotError, match="There is no database at"):
        await backup.back_up(str(tmp_path / "none.sqlite"), tmp_path / "copy.sqlite")
    (tmp_path / "file").touch()
    with pytest.raises(BotError, match=r"The copy .* can't be written: "):
        await backup.back_up(str(services.database.address), tmp_path / "file" / "copy.sqlite")


async def test_a_backup_is_put_back(services: Services, tmp_path: Path, clock: Clock) -> None:
    game = await play_three_moves(services)
    copy, store = tmp_path / "copy.sqlite", tmp_path / "new" / "store.sqlite"
    await backup.back_up(str(services.database.address), copy)
    assert await backup.restore_backup(str(store), copy) == f"{store}: 1 table, 3 log entries, checked."
    again = await Services.open(store, clock)
    here, there = await services.table.load_position(game), await again.table.load_position(game)
    assert there.game.replay().state == here.game.replay().state
    assert there.table == here.table
    assert [each.key for each in await again.outbox.list_due()] == [
        each.key for each in await services.outbox.list_due()
    ]
    await again.table.submit(game, "1", Bid(5))
    await again.close()
    with pytest.raises(BotError, match=r"There is already a database at .* Use --replace to set it aside"):
        await backup.restore_backup(str(store), copy)
    await backup.restore_backup(str(store), copy, replace=True)
    again = await Services.open(store)
    assert (await again.table.load_position(game)).version == 3
    await again.close()
    (aside,) = store.parent.glob("store.sqlite.before-*Z")
    before = await Services.open(aside)
    assert (await before.table.load_position(game)).version == 4, "what was there is put aside whole"
    await before.close()


async def test_a_restore_that_is_killed_leaves_the_old_store(
    services: Services, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the last moment, when the old store had been put aside: the next start made a new one without any table."""
    game = await play_three_moves(services)
    copy = tmp_path / "copy.sqlite"
    await backup.back_up(str(path), copy)
    await services.table.submit(game, "1", Bid(5))
    await services.close()

    def kill(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bot.store.copies.put_in_place", kill)
    with pytest.raises(KeyboardInterrupt):
        await backup.restore_backup(str(path), copy, replace=True)
    again = await Services.open(path)
    assert (await again.table.load_position(game)).version == 4
    await again.close()


async def test_restore_refuses_a_running_bot_and_a_file_that_is_no_backup(
    services: Services, tmp_path: Path, path: Path
) -> None:
    copy = tmp_path / "copy.sqlite"
    await backup.back_up(str(path), copy)
    bot = await Services.open(path, alone=True)
    with pytest.raises(BotError, match="is in use"):
        await backup.restore_backup(str(path), copy, replace=True)
    await bot.close()
    (tmp_path / "log.json").write_text("{}")
    with pytest.raises(BotError, match="isn't a backup"):
        await backup.restore_backup(str(tmp_path / "x.sqlite"), tmp_path / "log.json")
    half = tmp_path / "half.sqlite"
    half.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    with pytest.raises(BotError):
        await backup.restore_backup(str(tmp_path / "x.sqlite"), half)
    assert not (tmp_path / "x.sqlite").exists()


@pytest.mark.parametrize("hostile", ["pipe", "directory", "loop of links", "dump", "trigger", "endless view"])
async def test_restore_refuses_a_hostile_file_and_leaves_the_database(
    services: Services, tmp_path: Path, path: Path, hostile: str
) -> None:
    """A pipe and a view without end hung the command, and a trigger came into the database."""
    file = tmp_path / "hostile"
    if hostile == "pipe":
        os.mkfifo(file)
    elif hostile == "directory":
        file.mkdir()
    elif hostile == "loop of links":
        file.symlink_to(file)
    elif hostile == "dump":
        file.write_bytes(b"PGDMP\x01\x0e")
    else:
        await backup.back_up(str(path), file)
        endless = "CREATE VIEW v AS WITH RECURSIVE x(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM x) SELECT a FROM x"
        trigger = "CREATE TRIGGER t AFTER INSERT ON game BEGIN DELETE FROM game; END"
        with sqlite3.connect(file) as connection:
            connection.execute(trigger if hostile == "trigger" else endless)
        connection.close()
    await services.close()
    before = path.read_bytes()
    with pytest.raises(BotError, match=r"isn't a backup|can't be read: "):
        await asyncio.wait_for(backup.restore_backup(str(path), file, replace=True), 20)
    assert path.read_bytes() == before
    assert not list(path.parent.glob(".*restored*"))


async def test_backups_are_made_by_the_schedule_and_the_old_ones_go(services: Services, clock: Clock) -> None:
    schedule, folder = Schedule(3600, 2), services.folder / "backups"
    await backup.back_up_if_due(services, schedule)
    assert backup.find_newest(services.folder) is None, "there is nothing yet"
    await play_three_moves(services)
    made = []
    for wait in (0, 3599, 1, 3600):
        clock.now += wait
        await backup.back_up_if_due(services, schedule)
        made.append(len(list(folder.iterdir())))
    assert made == [1, 1, 2, 2]
    newest = backup.find_newest(services.folder)
    assert newest is not None
    assert await copy_version(newest) == 3


async def copy_version(path: Path) -> int:
    copy = await Services.open(path)
    version = (await copy.table.load_position(1)).version
    await copy.close()
    return version


@pytest.mark.parametrize(
    ("words", "schedule"), [("off", None), ("24h,7", Schedule(86400, 7)), ("6h,28", Schedule(21600, 28))]
)
def test_the_schedule_is_a_setting(words: str, schedule: Schedule | None) -> None:
    assert (
        BareSettings(
            backups=words,
        ).schedule
        == schedule
    )


@pytest.mark.parametrize("words", ["", "daily", "0h,7", "24h", "24h,0", "-1h,3"])
def test_an_invalid_schedule_is_refused(words: str) -> None:
    with pytest.raises(ValueError, match="backups"):
        BareSettings(
            backups=words,
        )


async def test_a_sound_store_is_reported_as_sound(services: Services, game: int) -> None:
    found = await soundness.examine(services.database, played=True)
    assert found.sentences == ("The database is intact and contains 1 table.",)


DAMAGES = {
    "an entry that is no action": 'UPDATE log SET payload = \'{"do":"dance"}\' WHERE game = 2 AND seq = 1',
    "a missing entry": "DELETE FROM log WHERE game = 2 AND seq = 1",
    "an entry that breaks a rule": 'UPDATE log SET payload = \'{"do":"bid","amount":1}\' WHERE game = 2 AND seq = 1',
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_log_is_reported_with_the_tables_that_are_whole_and_is_restored_from_its_export(
    services: Services, path: Path, tmp_path: Path, damage: str
) -> None:
    for _ in range(3):
        await play_three_moves(services)
    here = await services.table.load_position(2)
    (tmp_path / "log.json").write_bytes(encode_file(here.game.setup, here.game.log, here.table.names, sealed=True))
    await services.close()
    with sqlite3.connect(path) as connection:
        connection.execute(DAMAGES[damage])
    connection.close()
    found = await backup.examine_store(str(path))
    assert found.intact == (1, 3)
    assert [each.game for each in found.damaged] == [2]
    assert found.sentences[-1] == "Intact tables: 1, 3."
    assert await backup.restore_game(str(path), tmp_path / "log.json", 2) == "Table 2 is restored: 3 log entries."
    assert (await backup.examine_store(str(path))).is_intact
    again = await Services.open(path)
    there = await again.table.load_position(2)
    assert there.game.replay().state == here.game.replay().state
    assert [line.sentences for line in await again.table.read_log(2)] == [
        line.sentences for line in await again.table.read_log(1)
    ]
    assert (await again.table.submit(2, "1", Bid(5))).version == 4
    await again.close()


async def test_a_log_of_another_table_or_one_that_breaks_a_rule_is_not_put_in(
    services: Services, path: Path, tmp_path: Path
) -> None:
    game = await play_three_moves(services)
    here = await services.table.load_position(game)
    await services.close()
    file = tmp_path / "log.json"
    other = msgspec.structs.replace(here.game.setup, seed=6)
    file.write_bytes(encode_file(other, here.game.log))
    with pytest.raises(BotError, match="That isn't the log of table 1"):
        await backup.restore_game(str(path), file, game)
    file.write_bytes(encode_file(here.game.setup, [*here.game.log, here.game.log[0]]))
    with pytest.raises(LogError):
        await backup.restore_game(str(path), file, game)
    assert (await backup.examine_store(str(path))).is_intact


async def test_a_table_is_restored_from_a_log_and_only_once_it_has_started(services: Services, path: Path) -> None:
    game = await play_three_moves(services)
    here = await services.table.load_position(game)
    waiting = await services.lobby.create(ANN, NewTable("toy", 2))
    file = path.with_name("log.json")
    file.write_bytes(encode_file(here.game.setup, here.game.log))
    await services.close()
    with pytest.raises(BotError, match=rf"^Table {waiting.id} hasn't started; it has no log\.$"):
        await backup.restore_game(str(path), file, waiting.id)
    await backup.back_up(str(path), path.with_name("copy.sqlite"))
    with pytest.raises(BotError, match=r"copy.sqlite is a backup of a whole database; --game needs the exported log"):
        await backup.restore_game(str(path), path.with_name("copy.sqlite"), game)


async def test_of_a_file_with_a_damaged_page_every_whole_table_is_saved(services: Services, path: Path) -> None:
    """A page of the log is overwritten: the others' tables go on in a new store, the damaged one gets its log back."""
    for _ in range(12):
        await play_three_moves(services)
    games = {number: await services.table.load_position(number) for number in range(1, 13)}
    await services.close()
    overwrite_a_page_of_the_log(path)
    found = await backup.examine_store(str(path))
    assert found.pages
    assert found.damaged
    assert found.intact
    bot = await Services.open(path)
    number = found.damaged[0].game
    here = await bot.table.load_position(number)
    assert here.damage
    assert (here.actors, here.version < 3) == ((), True), "it shows what is left"
    with pytest.raises(BotError, match="is read-only because its stored game is damaged: log entry"):
        await bot.table.submit(number, "1", Bid(5))
    assert (await bot.table.load_position(found.intact[-1])).version == 3
    await bot.close()
    saved = path.with_name("saved.sqlite")
    words = await backup.back_up(str(path), saved, whole=True)
    assert f"Intact tables: {', '.join(map(str, found.intact))}." in words
    for each in found.damaged:
        log = path.with_name(f"{each.game}.json")
        log.write_bytes(encode_file(games[each.game].game.setup, games[each.game].game.log))
        await backup.restore_game(str(saved), log, each.game)
    assert (await backup.examine_store(str(saved))).intact == tuple(range(1, 13))
    again = await Services.open(saved)
    for number, here in games.items():
        there = await again.table.load_position(number)
        assert there.game.replay().state == here.game.replay().state
        assert there.table.seats == here.table.seats
        assert there.table.state == "running"
    await again.close()


def overwrite_a_page_of_the_log(path: Path) -> None:
    """Overwrite the page that holds the middle of the log."""
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE log SET told = '[\"' || hex(zeroblob(400)) || '\"]'")  # so that it fills several
    with sqlite3.connect(path) as connection:
        pages = connection.execute(
            "SELECT pageno FROM dbstat WHERE name = 'log' AND pagetype = 'leaf' ORDER BY pageno"
        ).fetchall()
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with path.open("r+b") as file:
        file.seek((pages[len(pages) // 2][0] - 1) * size)
        file.write(b"\xa5" * size)


async def test_the_write_ahead_log_is_merged_into_the_file(services: Services, path: Path) -> None:
    await play_three_moves(services)
    ahead = path.with_name(path.name + "-wal")
    assert ahead.stat().st_size > 0
    await services.database.tidy()
    assert ahead.stat().st_size == 0
    await Database.tidy(services.database)  # and nothing is wrong with doing so again
    await services.table.submit(1, "1", Bid(5))
