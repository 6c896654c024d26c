"""Upgrading: stores of earlier releases are read as they are, and migrated only after a verified copy was kept."""

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner, Result

from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.letters import Letter, NumberedMove, NumberedMoves
from bot.model.posts import Ballot, Owed, Ping
from bot.model.records import NewTable
from bot.operations import backup
from bot.operations.cli import app
from bot.service.inspection import Inspection
from bot.service.services import Services
from bot.store import copies
from bot.store.upgrading import open_database
from tests.bot.conftest import ANN, Clock
from tests.bot.test_inspection import Blind
from tests.bot.test_table_posts import send_all
from tests.mail.conftest import POST, Mails
from tests.mail.test_who import DSN
from tests.support import postgres
from tests.support.older import RELEASES, form_and_rows, write_older_store
from tests.support.sure import sure

HOME = "ann@home.example"
OFFERED = '{"version":3,"seat":0,"offers":[{"label":"Pass","action":"{}"}],"lettered":false}'
CONTACT = "INSERT INTO contact VALUES (1, ?, 'p1', 'Ann', 'confirmed', 1, '', 0, 0, 0)"
LETTERS = (
    "INSERT INTO letter (id, game, key, user, payload, offers, state, due, attempts, handed, error, created, sent) "
    "VALUES (?, ?, ?, 'p1', ?, ?, ?, ?, ?, ?, '', 0, ?)"
)


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store of 0.1 where the bot looks for it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    return write_older_store("0.1", Path("data/stationmaster.sqlite"))


@pytest.fixture
async def server(server_store: str) -> AsyncIterator[str]:
    """The address of a database of its own with the store of 0.1."""
    folder = server_store.partition("?host=")[2]
    name = f"older_{server_store.rpartition('@/')[2].partition('?')[0]}"
    first = postgres.address_of("postgres", folder)
    await postgres.execute(first, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name}")
    yield postgres.address_of(name, folder)
    await postgres.execute(first, f"DROP DATABASE {name} WITH (FORCE)")


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(words), input=typed)


def list_copies_beside(store: Path) -> list[Path]:
    return sorted(path for path in store.parent.glob("*.before-*") if not path.name.startswith("."))


@pytest.mark.parametrize("release", RELEASES)
def test_backup_and_check_read_the_store_of_every_release(
    release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = write_older_store(release, tmp_path / "store.sqlite")
    monkeypatch.setenv("STATIONMASTER_DATABASE", str(store))
    before = form_and_rows(store)
    assert before[0] == RELEASES[release]
    checked = run("check")
    assert (checked.exit_code, checked.stdout) == (0, "The database is intact and contains 4 tables.\n")
    saved = tmp_path / "saved.sqlite"
    for words in (["backup", str(saved)], ["backup", str(saved), "--whole"]):
        result = run(*words)
        assert result.exit_code == 0, result.stderr
        assert form_and_rows(saved) == before
    assert form_and_rows(store) == before, "the store itself was only looked at"


def test_check_names_a_damaged_log_of_an_older_store(older: Path) -> None:
    with sqlite3.connect(older) as file:
        file.execute("DELETE FROM log WHERE game = 2 AND seq = 3")
    file.close()
    result = run("check")
    assert result.exit_code == 1
    assert result.stdout == "Table 2 is damaged: log entry 4 is missing.\nIntact tables: 1, 3, 4.\n"


def test_migrate_keeps_a_verified_copy_beside_the_store_and_says_how_to_go_back(older: Path) -> None:
    before = form_and_rows(older)
    result = run("migrate")
    assert result.exit_code == 0, result.stderr
    (copy,) = list_copies_beside(older)
    assert f"is kept in {copy}: 4 tables, 100 log entries, from an earlier version (schema 0002), checked." in (
        result.stdout
    )
    assert f"To go back, stop the bot, run “stationmaster restore {copy} --replace” with this version" in result.stdout
    assert form_and_rows(copy) == before
    assert form_and_rows(older)[0] != before[0]
    assert run("migrate").stdout == f"{older} is up to date.\n"
    assert list_copies_beside(older) == [copy], "a store of today's form is not copied again"
    back = run("restore", str(copy), "--replace")
    assert back.exit_code == 0, back.stderr
    assert form_and_rows(older) == before
    assert run("migrate").exit_code == 0
    assert run("check").exit_code == 0


def test_the_start_of_the_bot_keeps_a_copy_too(older: Path) -> None:
    before = form_and_rows(older)
    result = run("run", typed="/quit\n")
    assert result.exit_code == 0
    (copy,) = list_copies_beside(older)
    assert form_and_rows(copy) == before
    assert str(copy) in result.stderr
    assert "To go back" in result.stderr


async def test_a_store_on_a_server_is_kept_in_the_folder_and_goes_back(server: str, tmp_path: Path) -> None:
    """By rows, with numbers, moments and yes or no as they were."""
    first = write_older_store("0.1", tmp_path / "first.sqlite")
    before, home = form_and_rows(first), tmp_path / "home"
    assert await backup.restore_backup(server, first) == (
        "4 tables, 100 log entries, from an earlier version (schema 0002)."
    )
    found = await backup.examine_store(server)
    assert (found.is_intact, found.intact) == (True, (1, 2, 3, 4))
    await backup.back_up(server, tmp_path / "saved.sqlite")
    assert form_and_rows(tmp_path / "saved.sqlite") == before
    with capture_logs() as told:
        services = await Services.open(server, folder=home)
    (copy,) = list_copies_beside(home / "any")
    assert form_and_rows(copy) == before
    assert [f"is kept in {copy}: 4 tables" in entry["words"] for entry in told if "words" in entry] == [True]
    assert len((await services.table.load_position(1)).game.log) == 40
    await services.close()
    await backup.restore_backup(server, copy, replace=True, home=home)
    await backup.back_up(server, tmp_path / "again.sqlite")
    assert form_and_rows(tmp_path / "again.sqlite") == before
    services = await Services.open(server, folder=home)
    assert (await services.lobby.create(ANN, NewTable("1860", 3))).id == 5, "the next gets the next number"
    await services.close()


def test_without_room_for_the_copy_nothing_is_migrated(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, files = form_and_rows(older), sorted(older.parent.iterdir())
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1 << 20))
    result = run("migrate")
    assert result.exit_code == 1
    assert "it can't be copied first: " in result.stderr
    assert "has 1.0 MB free, but 1." in result.stderr
    assert "Free some space, then start again. Nothing was changed." in result.stderr
    assert form_and_rows(older) == before
    assert {path for path in sorted(older.parent.iterdir()) if "lock" not in path.name} == set(files)


async def test_a_copy_that_is_not_sound_stops_the_migration(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lacks an entry that the store has."""
    before, take_pages = form_and_rows(older), copies.copy_pages

    def take_less(source: Path, target: Path) -> None:
        take_pages(source, target)
        with sqlite3.connect(target) as file:
            file.execute("DELETE FROM log WHERE game = 2 AND seq = 3")
        file.close()

    monkeypatch.setattr(copies, "copy_pages", take_less)
    with pytest.raises(BotError, match=r"The copy is damaged. Table 2 is damaged: .* Nothing was changed"):
        await open_database(older)
    assert form_and_rows(older) == before
    assert list_copies_beside(older) == []


async def test_a_damaged_log_is_kept_as_it_is(older: Path) -> None:
    """One table that cannot be read keeps no one from an upgrade with the others."""
    with sqlite3.connect(older) as file:
        file.execute("DELETE FROM log WHERE game = 2 AND seq = 3")
    file.close()
    before = form_and_rows(older)
    await (await open_database(older)).close()
    (copy,) = list_copies_beside(older)
    assert form_and_rows(copy) == before


async def test_a_migration_that_fails_changes_nothing_and_leaves_no_copy(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that is started again and again would fill the disk with them."""
    before, files = form_and_rows(older), {path.name for path in older.parent.iterdir()}

    def fail(*_: object) -> None:
        raise BotError("One of the games cannot be read.")

    monkeypatch.setattr("bot.store.migrate.upgrade_schema", fail)
    for _ in range(2):
        with pytest.raises(BotError, match="One of the games"):
            await open_database(older)
    assert form_and_rows(older) == before
    assert {path.name for path in older.parent.iterdir()} - {f"{older.name}.lock"} == files


async def test_leftovers_of_a_killed_migration_are_removed_by_the_next(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(copies, "put_in_place", kill)
        patch.setattr(copies, "remove_database", lambda _: None)
        with pytest.raises(KeyboardInterrupt):
            await open_database(older)
    assert list(older.parent.glob(f".{older.name}.before-*"))
    await (await open_database(older)).close()
    assert not list(older.parent.glob(f".{older.name}.before-*"))
    assert len(list_copies_beside(older)) == 1


def kill(*_: object) -> None:
    raise KeyboardInterrupt


def write_letters(path: Path, clock: Clock) -> Path:
    """Write the store of 0.2 with a letter in every state; their numbers are those of posts too."""
    write_older_store("0.2", path)
    clock.now += 86400  # after all that the store holds
    now = clock.now
    words = '{{"game":{},"user":"p1","about":"notice","text":"Letter {}.","turn_from":0}}'
    rows = [
        # game, key, offers, state, due, attempts, handed, sent
        (1, "1:turn:3:to:p1", OFFERED, "sent", now - 9, 0, 1, now - 5),
        (0, "gone", "", "dropped", now - 9, 12, 12, None),
        (0, "fresh", "", "owed", now - 9, 0, 0, None),
        (1, "tried", "", "owed", now - 9, 2, 3, None),
        (0, "later", "", "owed", now + 3600, 1, 1, None),
    ]
    with closing(sqlite3.connect(path)) as file:
        (posts,) = file.execute("SELECT count(*) FROM outbox").fetchone()
        assert posts > len(rows)
        file.execute(CONTACT, (HOME,))
        for number, (game, key, offers, *rest) in enumerate(rows, 1):
            file.execute(LETTERS, (number, game, key, words.format(game, number), offers, *rest))
        file.commit()
    return path


async def test_letters_of_version_0_2_continue_as_they_were(tmp_path: Path, clock: Clock) -> None:
    await check_letters(write_letters(tmp_path / "older.sqlite", clock), tmp_path, clock)


async def test_letters_of_version_0_2_on_a_server_continue_as_they_were(
    server: str, tmp_path: Path, clock: Clock
) -> None:
    await backup.restore_backup(server, write_letters(tmp_path / "older.sqlite", clock))
    await check_letters(server, tmp_path / "home", clock)


async def check_letters(store: Path | str, home: Path, clock: Clock) -> None:
    """Each is sent, or not, as before; what comes back to it finds it, and new ones have other numbers."""
    services = await Services.open(store, clock, folder=home)
    try:
        mails = Mails(services, clock)
        found = [sure(await services.posted.get_letter(number)) for number in range(1, 6)]
        assert [each.letter.text for each in found] == [f"Letter {number}." for number in range(1, 6)]
        assert found[0].offered == NumberedMoves(3, 0, (NumberedMove("Pass", "{}"),))
        assert sure(await services.posted.find_post("1:turn:3:to:p1")) == found[0]
        assert numbers(await mails.send_all()) == [3, 4]
        clock.now += 3600
        assert numbers(await mails.send_all()) == [5]
        await services.outbox.owe(Owed("fresh", Letter(0, "p1", "notice", text="again"), clock.now))
        assert await mails.send_all() == [], "it was owed before"
        await services.outbox.owe(Owed("new", Letter(0, "p1", "notice", text="new"), clock.now))
        (number,) = numbers(await mails.send_all())
        assert sure(await services.posted.get_letter(number)).letter.text == "new"
        assert number > 5
        to = POST.make_bounce_address(1)
        assert await mails.front.receive(DSN.format(to=to, status="5.1.1").encode(), (to,)) == "bounce"
        assert sure(await services.contacts.find_contact(HOME)).state == "failing"
    finally:
        await services.close()


def numbers(sent: list[tuple[str, EmailMessage]]) -> list[int]:
    """Return the numbers that mails have in their names."""
    return [each.letter for _, mail in sent for each in POST.find_letters(str(mail["Message-ID"]))]


async def test_the_pings_and_reminders_of_0_2_come_when_they_were_promised(tmp_path: Path) -> None:
    """At table 1 Ann was to be pinged at 2,520 s; the reminder comes as long after that as ever."""
    clock = Clock()
    services = await Services.open(write_older_store("0.2", tmp_path / "store.sqlite"), clock)

    async def list_pings(moment: int) -> list[tuple[tuple[str, ...], int]]:
        clock.now = moment
        posts = [post for post in await send_all(services) if post.game == 1]
        return [(post.mention, post.number) for post in posts if isinstance(post, Ping)]

    try:
        for moment, expected in (
            (1_800_002_519, []), (1_800_002_520, [(("1",), 0)]), (1_800_002_520 + DAY - 1, []),
            (1_800_002_520 + DAY, [(("1",), 1)]),
        ):  # fmt: skip
            assert await list_pings(moment) == expected
    finally:
        await services.close()


async def open_upgraded(tmp_path: Path, clock: Clock, *statements: str) -> Services:
    """Open the store of 0.2 after changes by hand."""
    path = write_older_store("0.2", tmp_path / "store.sqlite")
    with closing(sqlite3.connect(path)) as file:
        for statement in statements:
            file.execute(statement)
        file.commit()
    return await Services.open(path, clock)


async def test_a_server_of_0_2_that_was_paused_stays_so(tmp_path: Path) -> None:
    """A damaged row doesn't stop the migration either."""
    clock = Clock()
    services = await open_upgraded(
        tmp_path, clock, "UPDATE game SET guild = '7', channel = '70', thread = '71', message = '72' WHERE id = 1",
        """INSERT INTO server VALUES ('7', '{"paused":true}')""",
        "UPDATE outbox SET state = 'held' WHERE game = 1 AND kind IN ('ping', 'reminder')",
        "UPDATE outbox SET payload = '{' WHERE game = 2 AND kind = 'turn'",
    )  # fmt: skip
    try:
        clock.now += 7 * DAY
        assert [post for post in await send_all(services) if post.game == 1 and isinstance(post, Ballot | Ping)] == []
        await services.servers.set_paused("7", ANN, on=False)
        assert [post.mention for post in await send_all(services) if post.game == 1 and isinstance(post, Ping)]
    finally:
        await services.close()


async def test_a_table_of_0_2_asks_about_the_stand_in_as_often_as_ever(tmp_path: Path) -> None:
    """After five days, and again five days later; never where a clock tells when."""
    clock = Clock()
    budget = (
        """UPDATE game SET clock = '{"budget":9999999,"increment":0,"left":[9999999,9999999,9999999]}' WHERE id = 2"""
    )
    services = await open_upgraded(tmp_path, clock, budget)
    asked = list[tuple[int, int]]()
    try:
        start = clock.now = 1_800_002_400
        for day in range(13):
            clock.now = start + day * DAY + 5000
            await services.tidy()
            asked += [
                (each.game, day) for each in await send_all(services) if isinstance(each, Ballot) and each.mention
            ]
        assert [day for game, day in asked if game == 1] == [5, 10]
        assert [day for game, day in asked if game == 2] == []
    finally:
        await services.close()


async def test_an_inspection_after_an_upgrade_pings_no_one_again(tmp_path: Path) -> None:
    """The pings of 0.2 are gone from the outbox; whoever got them knows."""
    clock = Clock()
    services = await open_upgraded(
        tmp_path, clock, "UPDATE game SET guild = '7', channel = '70', thread = '71', message = '72' WHERE id = 1",
        "UPDATE outbox SET state = 'sent', sent = due, channel = '71', message = '8' WHERE game = 1",
    )  # fmt: skip
    try:
        clock.now = 1_800_002_520 + DAY + 60
        await send_all(services)
        await Inspection(services.table, Blind()).run_round()
        assert [post for post in await send_all(services) if post.game == 1 and isinstance(post, Ping)] == []
    finally:
        await services.close()
