"""How a damaged table is put together from what is left of it and what the backup has."""

import sqlite3
from contextlib import closing

import pytest
from msgspec.structs import replace
from sqlalchemy import text

from bot.model.records import Table
from bot.operations import repair
from bot.operations.repair import NOTHING
from bot.service.services import Services
from bot.store import games
from tests.support.toy import Bid

MOVES = ("1", "2", "3", "1")


@pytest.fixture
async def saved(services: Services, game: int) -> repair._Found:
    """What a backup of table 1 has: two bids; two more were made since."""
    for bid in (1, 2):
        await services.table.submit(game, MOVES[bid - 1], Bid(bid))
    found = await repair._read_table(services.database, game)
    for bid in (3, 4):
        await services.table.submit(game, MOVES[bid - 1], Bid(bid))
    return found


async def change(services: Services, *statements: str) -> None:
    async with services.database.writing() as session:
        for each in statements:
            await (await session.connection()).execute(text(each))


async def restore(services: Services, saved: repair._Found, *, discard: bool = False) -> tuple[str, bool]:
    return await repair._repair_table(services.database, 1, saved, discard=discard)


async def list_bids(services: Services) -> list[int]:
    left = await repair._read_table(services.database, 1)
    return [int(str(left.log[place]["payload"]).rpartition(":")[2].strip("}")) for place in sorted(left.log)]


async def test_a_table_that_is_whole_is_left_as_it_is(services: Services, saved: repair._Found) -> None:
    before = await repair._read_table(services.database, 1)
    for backup in (saved, before, NOTHING):
        assert await restore(services, backup) == ("", False)
    assert await repair._read_table(services.database, 1) == before


async def test_an_entry_that_the_backup_has_comes_from_there_and_those_after_it_stay(
    services: Services, saved: repair._Found
) -> None:
    """Whether it is missing or can't be read."""
    for damage in ("DELETE FROM log WHERE seq = 1", "UPDATE log SET payload = '{' WHERE seq = 1"):
        await change(services, damage)
        told = "Table 1 is restored: 4 log entries, 1 of them from the backup."
        assert await restore(services, saved) == (told, True)
        assert await list_bids(services) == [1, 2, 3, 4]


async def test_what_neither_has_is_lost_and_counted(services: Services, saved: repair._Found) -> None:
    """The row of the table still knows how many entries there were before its turn."""
    await change(services, "DELETE FROM log WHERE seq >= 2")
    told = "Table 1 is restored: 2 log entries. 2 later entries are lost."
    assert await restore(services, saved) == (told, True)
    assert (await fetch_table(services)).turn_from == 2


async def fetch_table(services: Services) -> Table:
    async with services.database.reading() as session:
        return await games.fetch(session, 1)


async def test_later_entries_are_given_up_only_if_that_is_wished(services: Services, saved: repair._Found) -> None:
    await change(services, "DELETE FROM log WHERE seq = 2")
    told, is_changed = await restore(services, saved)
    assert not is_changed
    assert told.startswith(
        "Table 1 is left as it is: log entry 3 is in no backup, and 1 later entry can still be read."
    )
    assert await list_bids(services) == [1, 2, 4]
    told = "Table 1 is restored: 2 log entries. 2 later entries are lost."
    assert await restore(services, saved, discard=True) == (told, True)
    assert await list_bids(services) == [1, 2]


async def test_a_lost_seat_comes_back_and_what_stood_for_it_goes(services: Services, saved: repair._Found) -> None:
    """Who left it before has it no more."""
    await change(services, "UPDATE seat SET number = -7, user = '' WHERE number = 1")
    left = [{**row, "id": 90 + row["id"], "user": "9", "gone": 5} for row in saved.seats]
    backup = replace(saved, seats=[*left, *saved.seats])
    assert await restore(services, backup) == ("Table 1 is restored: 4 log entries.", True)
    assert [(seat.number, seat.user) for seat in (await fetch_table(services)).seats] == [(0, "1"), (1, "2"), (2, "3")]
    assert len((await repair._read_table(services.database, 1)).seats) == 3


async def test_a_lost_table_is_made_anew_from_the_backup(services: Services, saved: repair._Found) -> None:
    """Whether its row is gone or can't be read, with the entries made since; without a backup there is nothing."""
    await change(services, "UPDATE game SET title = '', options = '{' WHERE id = 1")
    assert await restore(services, NOTHING) == (
        "Table 1 can't be restored: what is stored about it is damaged and in no backup.", False
    )  # fmt: skip
    assert await restore(services, saved) == ("Table 1 is restored: 4 log entries.", True)
    with closing(sqlite3.connect(services.database.address)) as file, file:
        file.execute("DELETE FROM game WHERE id = 1")
    assert await restore(services, saved) == ("Table 1 is restored: 4 log entries.", True)
    assert (await fetch_table(services)).title == "toy"
    assert (await services.table.load_position(1)).version == 4


async def test_a_backup_of_another_game_with_the_same_number_is_not_used(
    services: Services, saved: repair._Found
) -> None:
    await change(services, "DELETE FROM log WHERE seq >= 1")
    assert saved.setup is not None
    other = replace(saved, setup=replace(saved.setup, seed=99))
    assert (await restore(services, other))[0] == "Table 1 is restored: 1 log entry. 3 later entries are lost."
    assert await list_bids(services) == [1]
