"""Notes for one's own eyes, and forgetting a person without harm to the games."""

import pytest
from sqlmodel import select

from bot.model.errors import BotError
from bot.model.records import Calls, NewTable, Proposal
from bot.service.services import Services
from bot.store import proposals
from bot.store.tables import ProposalRow
from tests.bot.conftest import ANN, BOB, CID, DAN, close_together
from tests.support.sure import as_a, sure
from tests.support.toy import Bid


async def test_a_note_is_seen_by_its_writer_only(services: Services, game: int) -> None:
    await services.people.set_note(game, ANN.id, "Bob bluffs")
    assert await services.people.get_note(game, ANN.id) == "Bob bluffs"
    assert await services.people.get_note(game, BOB.id) == ""
    await services.people.set_note(game, ANN.id, "")
    assert await services.people.get_note(game, ANN.id) == ""
    with pytest.raises(BotError, match="limit is 1500"):
        await services.people.set_note(game, ANN.id, "x" * 1501)


async def test_a_forgotten_person_leaves_a_seat_and_a_log_that_replays(services: Services, game: int) -> None:
    await services.people.set_calls(BOB.id, Calls(digest=7))
    await services.people.set_note(game, BOB.id, "mine")
    for person, amount in ((ANN, 1), (BOB, 2), (CID, 3)):
        await services.table.submit(game, person.id, Bid(amount))
    assert await services.seats.forget_person(BOB.id) == 1
    table = await services.lobby.get_table(game)
    assert table.names == ("Ann", "a former player", "Cid")
    assert BOB.id not in table.people
    lines = await services.table.read_log(game)
    assert [line.sentences for line in lines][1] == ("a former player bids £2 for lot 1.",)
    assert (await services.people.get_calls(BOB.id))[BOB.id] == Calls()
    assert await services.people.get_note(game, BOB.id) == ""
    await services.table.submit(game, ANN.id, Bid(4))
    assert (await services.table.load_position(game)).game.replay().state.bid == 4


async def test_open_proposals_no_longer_name_a_forgotten_person(services: Services, game: int) -> None:
    """Who asked, who was asked, whom it was about, and whose move it was; also of one who never sat there."""
    await services.table.submit(game, ANN.id, Bid(1))
    await services.table.submit(game, BOB.id, Bid(2))
    await services.back.undo(game, CID.id, 0)
    await services.seats.propose_replacement(game, CID.id, 2, DAN)
    words = (repr(BOB.id), BOB.name, repr(DAN.id), DAN.name)
    asked = await proposals_of(services, game)
    assert [each.state for each in asked] == ["open", "open"]
    assert all(any(word in str(each) for each in asked) for word in words), asked
    for person in (DAN, BOB):
        assert await services.seats.forget_person(person.id) == 1
    left = await proposals_of(services, game)
    assert len(left) == len(asked)
    assert not any(word in str(each) for each in left for word in words), left
    assert "open" not in {each.state for each in left}


async def proposals_of(services: Services, game: int) -> list[Proposal]:
    async with services.database.reading() as session:
        numbers = (await session.exec(select(ProposalRow.id).where(ProposalRow.game == game))).all()
        return [sure(await proposals.fetch(session, as_a(int, number))) for number in numbers]


async def test_a_lone_player_must_close_the_table_first(services: Services, game: int) -> None:
    await services.seats.resign(game, BOB.id)
    await services.seats.resign(game, CID.id)
    with pytest.raises(BotError, match="/game close"):
        await services.seats.forget_person(ANN.id)
    await close_together(services, game)
    assert await services.seats.forget_person(ANN.id) == 1


async def test_values_over_time_go_to_a_spreadsheet(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("1860", 2, seed=3))
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    file = await services.transfer.export(table.id, "csv", ANN.id)
    assert file.name.endswith(".csv")
    lines = file.data.decode().splitlines()
    assert lines[0].startswith("Worth over time")
    assert [line.split(",")[0] for line in lines[1:]] == ["Ann", "Bob"]
