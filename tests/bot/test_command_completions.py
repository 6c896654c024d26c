"""Commands: what is suggested for lists, whose values are separated by commas, and for numbers of orders."""

import pytest

from bot.commands.command import Call, suggest
from bot.model.records import NewTable
from bot.service.services import Services
from tests.bot.conftest import ANN, BOB, CID
from tests.bot.test_commands import find


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("", ["Ann", "Bob", "Cid"]),
        ("Bob", ["Bob, Ann", "Bob, Cid"]),
        ("Bob, Ann", ["Bob, Ann, Cid"]),
        ("nobody, Ann", ["Ann, Bob", "Ann, Cid"]),
    ],
)
async def test_an_order_of_seats_is_continued_by_the_names_left(services: Services, said: str, left: list[str]) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 3))
    for person in (BOB, CID):
        await services.lobby.join(table.id, person)
    command = find("game start")
    assert command.complete
    found = await command.complete(Call(services, ANN, {"seating": said}, table.id), "seating")
    assert [(each.value, each.label) for each in found] == [(names, names) for names in left]


async def test_without_orders_none_is_suggested_or_listed(services: Services, game: int) -> None:
    assert await suggest(find("auto clear"), Call(services, ANN, {}, game), "which", "") == []
    listed = await find("auto list").run(Call(services, ANN, {}, game))
    assert listed.text == "You have no orders at this table. To set one, use for example /auto pass or /auto run."


async def test_players_who_share_no_table_are_told_so(services: Services) -> None:
    with_bob = await find("game list").run(Call(services, ANN, {"with": BOB}))
    assert with_bob.text == "You have no tables with Bob here. To open one, use /game new."
    alone = await find("game list").run(Call(services, ANN, {"with": ANN}))
    assert alone.text == "You have no tables here. To open one, use /game new."
