"""What another player has changed meanwhile is refused, and nothing is stored."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.model.errors import BotError
from bot.model.records import NewTable
from bot.model.terms import Replace, TakeBack
from bot.service.consent.asking import ProposalDraft, note_nothing
from bot.service.services import Services
from bot.service.workers.jobs import Task
from engine import Setup
from tests.bot.conftest import ANN, BOB, CID, EVE
from tests.support.toy import Bid


async def test_a_question_about_moves_waits_for_no_other_move(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(1))
    here = await services.table.load_position(game)
    await services.table.submit(game, BOB.id, Bid(2))
    with pytest.raises(BotError, match=r"^Someone moved at the same moment; check the position and ask again\.$"):
        await services.consent.propose(here, CID.id, ProposalDraft(TakeBack(0), (ANN.id, BOB.id)))
    assert await services.consent.list_open(game) == []


async def test_moves_are_not_taken_back_once_the_game_has_moved_on(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(1))
    await services.table.submit(game, BOB.id, Bid(2))
    await services.back.undo(game, ANN.id, 0)
    asked = (await services.consent.list_open(game))[0]
    await services.table.submit(game, CID.id, Bid(3))
    here = await services.table.load_position(game)
    with pytest.raises(BotError, match=r"^The game has moved on; this proposal has expired\.$"):
        await services.consent.effects[TakeBack](here, asked, note_nothing)
    assert len((await services.table.load_position(game)).game.line) == 3


async def test_a_seat_that_has_changed_hands_is_not_given_away(services: Services, game: int) -> None:
    await services.seats.propose_replacement(game, BOB.id, 1, EVE)
    asked = (await services.consent.list_open(game))[0]
    here = await services.table.load_position(game)
    terms: Any = asked.terms
    assert isinstance(terms, Replace)
    with pytest.raises(BotError, match=r"^The seat has changed hands in the meantime\.$"):
        await services.consent.effects[Replace](here, replace(asked, terms=replace(terms, before="Dan")), note_nothing)
    assert (await services.lobby.get_table(game)).names == ("Ann", "Bob", "Cid")


async def test_variants_that_changed_meanwhile_are_chosen_again(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2))
    do = services.workers.do

    async def change_first(task: Task[Any, Any], given: Setup) -> object:
        monkeypatch.setattr(services.workers, "do", do)
        await services.lobby.set_options(table.id, ANN.id, {"length": "long"})
        return await do(task, given)

    monkeypatch.setattr(services.workers, "do", change_first)
    with pytest.raises(BotError, match=r"^The variants were just changed. Check them and choose again\.$"):
        await services.lobby.set_options(table.id, ANN.id, {"length": "short"})
    assert (await services.lobby.get_table(table.id)).options["length"] == "long"


async def test_a_start_gives_up_while_players_come_and_go(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process seats or unseats a player before each try."""
    table = await services.lobby.create(ANN, NewTable("toy", 4))
    await services.lobby.join(table.id, BOB)

    async def find_others(*_: object) -> bool:
        return False

    monkeypatch.setattr(services.lobby, "_store_start", find_others)
    with pytest.raises(BotError, match=r"^Players are joining or leaving right now. Try again in a moment\.$"):
        await services.lobby.start(table.id, ANN.id)
    assert (await services.lobby.get_table(table.id)).state == "open"
