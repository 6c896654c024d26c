"""A damaged page or row makes one table read-only, with its cause and its last intact position; the others play on."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError
from bot.model.posts import Card, Turn
from bot.operations import backup, doctor
from bot.operations.serve import report_damage
from bot.service.services import Services
from bot.service.table import Delivery, Look
from bot.store import salvage
from bot.store.database import DamageError
from bot.store.soundness import examine
from engine import TITLES
from engine.title import Tell
from tests.bot.conftest import Clock, seat_three
from tests.support.damage import change_rows, damage_page
from tests.support.settings import BareSettings
from tests.support.toy import Bid, Pass, toy

MOVES = (("1", Bid(1)), ("2", Bid(2)), ("3", Bid(3)), ("1", Pass()))
LONG = "UPDATE log SET told = '[\"' || hex(zeroblob(400)) || '\"]'"
"""So that the entries of a table fill pages of their own."""
OF_ROWS = {
    "whose JSON is cut": ("UPDATE log SET payload = substr(payload, 1, 9) WHERE game = 1 AND seq = 2", "can't be read"),
    "of no seat": ("UPDATE log SET seat = 7 WHERE game = 1 AND seq = 2", "can't be read"),
    "that was edited": ("UPDATE log SET payload = replace(payload, '3', '1') WHERE game = 1 AND seq = 2",
                        "can't be replayed: "),
    "that is missing": ("DELETE FROM log WHERE game = 1 AND seq = 2", "is missing"),
    "that is missing with all after it": ("DELETE FROM log WHERE game = 1 AND seq >= 2", "is missing"),
}  # fmt: skip


async def open_two(services: Services) -> None:
    """Play four moves at two tables."""
    for _ in range(2):
        game = await seat_three(services)
        for user, action in MOVES:
            await services.table.submit(game, user, action)


async def assert_read_only(services: Services, why: str, intact: int) -> None:
    """Check that table 1 is read-only after so many moves, and that table 2 plays on."""
    here = await services.table.load_position(1)
    assert why in here.damage
    assert (here.version, here.actors) == (intact, ())
    assert await services.table.look(1, "1", Look(here.game.pictures()[0])) is not None
    assert len(await services.table.read_log(1)) == intact
    sentence = f"“{here.table.name}” is read-only because its stored game is damaged: {here.damage}. It shows"
    for delivery in (Delivery("typed"), Delivery("button", 4)):
        with pytest.raises(BotError) as refusal:
            await services.table.submit(1, "2", Bid(9), delivery)
        assert refusal.value.sentence.startswith(sentence)
    assert (await services.table.submit(2, "2", Bid(9))).version == 5
    owed = [stored.post for stored in await services.outbox.list_due() if stored.game == 1]
    assert {type(post) for post in owed} >= {Card}
    assert all(not post.pings for post in owed if isinstance(post, Turn)) or not any(
        stored.message for stored in await services.outbox.list_due()
    )


@pytest.mark.parametrize("how", OF_ROWS)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_table_with_a_log_entry(
    how: str, store: Path | str, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such a table is read-only; doctor, check and the log name the entry."""
    services = await Services.open(store, clock)
    await open_two(services)
    await services.close()
    statement, why = OF_ROWS[how]
    await change_rows(store, statement)
    services = await Services.open(store, clock)
    await assert_read_only(services, f"log entry 3 {why}", 2)
    told = capsys.readouterr()
    assert "a table is damaged" in told.out + told.err
    await services.close()
    checked = await backup.examine_store(str(store))
    assert [each.game for each in checked.damaged] == [1]
    assert checked.damaged[0].why.startswith(f"log entry 3 {why}")
    found = await doctor.examine(BareSettings(database=str(store), folder=Path("data")))
    assert "Table 1 is damaged: log entry 3 " in next(each.words for each in found if each.what == "database")


async def test_an_overwritten_page_of_the_log_stops_only_its_tables(path: Path, clock: Clock) -> None:
    """Until it is repaired."""
    services = await Services.open(path, clock)
    for _ in range(12):
        game = await seat_three(services)
        for user, action in MOVES:
            await services.table.submit(game, user, action)
    await services.close()
    await change_rows(path, LONG)
    damage_page(path, "log", 0.5)
    services = await Services.open(path, clock)
    read_only = [n for n in range(1, 13) if (await services.table.load_position(n)).damage]
    assert 1 <= len(read_only) <= 4
    for number in range(1, 13):
        if number in read_only:
            assert "is on a damaged page" in (await services.table.load_position(number)).damage
        else:
            assert (await services.table.submit(number, "2", Bid(9))).version == 5
    await services.close()
    assert [each.game for each in (await backup.examine_store(str(path))).damaged] == read_only


async def test_a_damaged_index_of_the_log_is_named_and_refuses_moves(path: Path, clock: Clock) -> None:
    services = await Services.open(path, clock)
    await open_two(services)
    await services.close()
    with sqlite3.connect(path) as file:
        index = file.execute("SELECT name FROM sqlite_master WHERE tbl_name = 'log' AND type = 'index'").fetchall()
    file.close()
    for (name,) in index:
        damage_page(path, name)
    services = await Services.open(path, clock)
    with pytest.raises(BotError, match="The database is damaged here; nothing was changed"):
        await services.table.submit(1, "2", Bid(9))
    await services.close()
    checked = await backup.examine_store(str(path))
    assert checked.pages
    assert [each.why for each in checked.damaged] == ["the index of the log is damaged."] * 2


@pytest.mark.parametrize("flip", [8, -1, -2, -3])
async def test_a_bot_rebuilds_an_index_when_it_starts(path: Path, clock: Clock, flip: int) -> None:
    """If a cell of it is damaged; a page that is overwritten as a whole needs ``check --repair``."""
    services = await Services.open(path, clock)
    await open_two(services)
    await services.close()
    with sqlite3.connect(path) as file:
        index = file.execute("SELECT name FROM sqlite_master WHERE tbl_name = 'log' AND type = 'index'").fetchall()
    file.close()
    for (name,) in index:
        damage_page(path, name, flip=flip)
    services = await Services.open(path, clock)
    with suppress(BotError):  # read by a damaged index, a log may seem to have gaps
        await services.table.load_position(1)
    await report_damage(services)
    for table in (1, 2):
        assert (await services.table.submit(table, "2", Bid(9))).version == 5
    await services.close()
    assert (await backup.examine_store(str(path))).is_intact


async def test_a_table_whose_own_row_is_cut_is_named_and_hides_no_other(store: Path | str, clock: Clock) -> None:
    services = await Services.open(store, clock)
    await open_two(services)
    await services.close()
    await change_rows(store, "UPDATE game SET options = '{\"a\": ' WHERE id = 1")
    services = await Services.open(store, clock)
    with pytest.raises(BotError, match=r"Table 1 is damaged: what is stored about it can't be read. Nothing was ch"):
        await services.table.submit(1, "2", Bid(9))
    assert [table.id for table in await services.lobby.list_tables("running", "1")] == [2]
    assert (await services.table.submit(2, "2", Bid(9))).version == 5
    await services.close()
    assert [each.game for each in (await backup.examine_store(str(store))).damaged] == [1]


async def test_a_damaged_post_holds_up_no_other_table(store: Path | str, clock: Clock) -> None:
    services = await Services.open(store, clock)
    await open_two(services)
    await change_rows(store, "UPDATE outbox SET payload = '{\"type\"' WHERE game = 1 AND kind IN ('turn', 'card')")
    waiting = await services.outbox.list_waiting()
    handed = {batch.name: len(batch.posts) for batch in await services.outbox.claim(waiting.batches)}
    assert handed["posts:2"] > handed["posts:1"] >= 1
    assert await services.posted.find_post("1:card") is None, "it was removed, and is owed again with the next move"
    await services.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_log_entry_that_crashes_the_engine_stops_only_its_table(
    store: Path | str, clock: Clock, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is read-only with the number of the defect, until a version of the bot without it replays the log."""
    services = await Services.open(store, clock)
    await open_two(services)
    await services.close()
    await change_rows(store, "UPDATE log SET payload = replace(payload, '3', '4') WHERE game = 2 AND seq = 2")
    applies = toy().apply

    def crash(state: Any, plan: Any, tell: Tell) -> None:  # noqa: ANN401  # the toy's own
        if getattr(plan.action, "amount", 0) == 3:
            raise ZeroDivisionError
        applies(state, plan, tell)

    with monkeypatch.context() as broken:
        broken.setitem(TITLES, "toy", replace(toy(), apply=crash))
        services = await Services.open(store, clock)
        await assert_read_only(services, "log entry 3 can't be replayed, which is a defect on our side (ref ", 2)
        reference = (await services.table.load_position(1)).damage[-7:-1]
        told = capsys.readouterr()
        assert f"ref={reference}" in told.out + told.err
        await services.close()
        checked = await backup.examine_store(str(store))
        assert [each.game for each in checked.damaged] == [1]
        assert "ZeroDivisionError" in checked.damaged[0].why
    services = await Services.open(store, clock)
    assert (await services.table.submit(1, "2", Bid(9))).version == 5
    await services.close()


@pytest.mark.parametrize(("torn", "found"), [((), (1,)), (("game",), (1,)), (("game", "seat"), (1,)), (("log",), (1,))])
async def test_tables_are_found_by_any_of_their_rows(
    services: Services, game: int, monkeypatch: pytest.MonkeyPatch, torn: tuple[str, ...], found: tuple[int, ...]
) -> None:
    """Only where neither they nor their seats nor their entries can be read, the database can't be examined."""
    await services.table.submit(game, "1", Bid(1))
    ask = AsyncSession.exec

    async def tear(session: AsyncSession, statement: Any, **said: Any) -> Any:  # noqa: ANN401  # as the library has it
        if any(f"SELECT DISTINCT {name}." in str(statement) for name in torn):
            raise DamageError("a page is torn")
        return await ask(session, statement, **said)

    monkeypatch.setattr(AsyncSession, "exec", tear)
    soundness = await examine(services.database, played=False)
    assert soundness.intact == found
    torn = ("game", "seat", "log")
    with pytest.raises(DamageError):
        await examine(services.database, played=False)


def test_rows_that_share_a_number_are_both_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """One gets another number; a row that no index knows is none, one that only the index knows is lost."""
    rows = [(1, 1, 0, "a"), (1, 1, 1, "b"), (9, 9, 9, "x")]
    known = [(1, 1, 0), (1, 1, 1), (2, 1, 2)]
    for name, answer in (("_read_both", None), ("_list_columns", ["id", "game", "seq", "told"]),
                         ("_list_by_index", known), ("_read_rows", (rows, False))):  # fmt: skip
        monkeypatch.setattr(salvage, name, lambda *_, answer=answer: answer)
    with closing(sqlite3.connect(":memory:")) as there:
        found = salvage._read_known_rows(there, "log")
    assert found == ([(1, 1, 0, "a"), (None, 1, 1, "b")], [(2, 1, 2)])
