"""Notes for one's own eyes, and forgetting a person without harm to the games."""

import pytest

from bot.service.errors import BotError
from bot.service.records import Calls, NewTable
from bot.service.services import Services
from tests.bot.conftest import ANN, BOB, CID, close_together
from tests.support.toy import Bid


async def test_a_note_is_seen_by_its_writer_only(services: Services, game: int) -> None:
    await services.forgetting.set_note(game, ANN.id, "Bob bluffs")
    assert await services.forgetting.note(game, ANN.id) == "Bob bluffs"
    assert await services.forgetting.note(game, BOB.id) == ""
    await services.forgetting.set_note(game, ANN.id, "")
    assert await services.forgetting.note(game, ANN.id) == ""
    with pytest.raises(BotError, match="1500 characters"):
        await services.forgetting.set_note(game, ANN.id, "x" * 1501)


async def test_whoever_is_forgotten_leaves_a_seat_and_a_log_that_plays(services: Services, game: int) -> None:
    await services.preferences.set_calls(BOB.id, Calls(digest=7))
    await services.forgetting.set_note(game, BOB.id, "mine")
    for person, amount in ((ANN, 1), (BOB, 2), (CID, 3)):
        await services.table.submit(game, person.id, Bid(amount))
    assert await services.forgetting.forget(BOB.id) == 1
    table = await services.lobby.info(game)
    assert table.names == ("Ann", "a former player", "Cid")
    assert BOB.id not in table.people
    lines = await services.table.log(game)
    assert [line.sentences for line in lines][1] == ("a former player bids £2 for lot 1.",)
    assert (await services.preferences.calls(BOB.id))[BOB.id] == Calls()
    assert await services.forgetting.note(game, BOB.id) == ""
    await services.table.submit(game, ANN.id, Bid(4))
    assert (await services.table.position(game)).game.replayed().state.bid == 4


async def test_who_is_alone_closes_the_table_first(services: Services, game: int) -> None:
    await services.seats.resign(game, BOB.id)
    await services.seats.resign(game, CID.id)
    with pytest.raises(BotError, match="/game close"):
        await services.forgetting.forget(ANN.id)
    await close_together(services, game)
    assert await services.forgetting.forget(ANN.id) == 1


async def test_values_over_time_go_to_a_spreadsheet(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("1860", 2, seed=3))
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    file = await services.transfer.export(table.id, "csv", ANN.id)
    assert file.name.endswith(".csv")
    lines = file.data.decode().splitlines()
    assert lines[0].startswith("Worth over time")
    assert [line.split(",")[0] for line in lines[1:]] == ["Ann", "Bob"]
