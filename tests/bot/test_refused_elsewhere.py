"""What is refused at tables that are closed, have changed, or are moved, in one sentence that is true."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from bot.model.errors import BotError
from bot.model.orders import OrderWish
from bot.model.records import Home, NewTable
from bot.service.duties import BACKUP_DUTY, Duties
from bot.service.game_clock import ClockWish
from bot.service.hosting import Guest
from bot.service.options import check_options
from bot.service.services import Services
from bot.store import address
from tests.bot.conftest import ANN, BOB, CID, EVE, Clock, close_together
from tests.support.toy import Bid

Ask = Callable[[Services, int], Awaitable[object]]

CLOSED: list[tuple[Ask, str]] = [
    (lambda s, game: s.agreements.reopen(game, EVE.id), "Only players with a seat at “.+” can reopen it."),
    (lambda s, game: s.lobby.close(game, BOB.id), "“The Toy” is already closed."),
    (lambda s, game: s.moving.move_table(game, ANN.id, Home("g1", "c2")), "only open and running tables can be moved"),
    (
        lambda s, game: s.seats.propose_replacement(game, ANN.id, 1, EVE),
        "seats can change hands only in a running game",
    ),
    (lambda s, game: s.servers.roll_back(game, ANN, 0, sure=True), "is closed; a player must reopen it first"),
    (lambda s, game: s.orders.set_order(game, ANN.id, OrderWish("pass")), "standing orders need a running game"),
    (lambda s, game: s.transfer.plan(game, ANN), "To open any position, use /game fork."),
    (lambda s, game: s.transfer.export(game, "csv", ANN.id), "The Toy has no chart of values over time."),
    (lambda s, game: s.agreements.propose_clock(game, ANN.id, ClockWish(budget=48)), "is already closed"),
]


async def test_a_closed_game_refuses_with_the_reason(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(1))
    await close_together(services, game)
    for ask, sentence in CLOSED:
        with pytest.raises(BotError, match=sentence):
            await ask(services, game)
        assert (await services.lobby.get_table(game)).state == "closed"


async def test_the_last_player_cannot_resign(services: Services, game: int) -> None:
    for person in (BOB, CID):
        await services.seats.resign(game, person.id)
    with pytest.raises(BotError, match=r"You're the last player there. To close the table, use /game close."):
        await services.seats.resign(game, ANN.id)
    assert (await services.lobby.get_table(game)).people == (ANN.id,)


async def test_only_the_holder_or_the_host_ends_the_stand_in(services: Services, game: int) -> None:
    """Nor is the stand-in asked twice, nor taken from a seat without a holder."""
    await services.stand_ins.propose(game, CID.id, 2)
    for person in (ANN, BOB):
        await services.consent.vote(game, person.id, yes=True)
    with pytest.raises(BotError, match=r"The stand-in already plays for Cid."):
        await services.stand_ins.propose(game, CID.id, 2)
    with pytest.raises(BotError, match=r"Only Cid or the host can end the stand-in."):
        await services.stand_ins.take_back(game, BOB.id, 2)
    practice = await services.lobby.create(ANN, NewTable("toy", 2, stand_ins=1))
    await services.lobby.start(practice.id, ANN.id, "as joined")
    with pytest.raises(BotError, match=r"No one holds that seat. To give it to a player, use /game replace."):
        await services.stand_ins.take_back(practice.id, ANN.id, 1)


async def test_two_tables_do_not_share_a_thread(services: Services) -> None:
    await services.lobby.create(ANN, NewTable("toy", 2), Home("g1", "c1", "t1"))
    other = await services.lobby.create(ANN, NewTable("toy", 2), Home("g1", "c1"))
    with pytest.raises(BotError, match=r"Another table is already here; choose a different channel or thread."):
        await services.moving.move_table(other.id, ANN.id, Home("g1", "t1"))


async def test_a_backup_waits_for_that_of_another_process(services: Services, clock: Clock, tmp_path: Path) -> None:
    other = Duties(services.database, clock, tmp_path)
    assert await other.take_duty(BACKUP_DUTY, 60)
    with pytest.raises(BotError, match=r"A backup is being made right now; try again in a minute."):
        await services.duties.back_up()


async def test_an_invitation_is_for_those_invited(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 3))
    contact = await services.contacts.find_or_add("fay@home.example", "Fay")
    with pytest.raises(BotError, match=r"You aren't invited to this table."):
        await services.hosting.accept_invitation(contact, table.id)


async def test_an_invitation_ends_when_the_table_closes(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 3))
    with pytest.raises(BotError, match=r"To give up your own seat, use /game leave\."):
        await services.hosting.kick(table.id, ANN.id, ANN.id)
    await services.hosting.invite_by_letter(table.id, ANN.id, Guest("fay@home.example", "Fay"))
    contact = await services.contacts.find_or_add("fay@home.example", "Fay")
    await services.lobby.close(table.id, ANN.id)
    with pytest.raises(BotError, match=r"“The Toy” is already closed; you can't join it now\."):
        await services.hosting.accept_invitation(contact, table.id)


async def test_fast_auctions_need_a_running_game_and_other_players(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("1860", 2))
    await services.lobby.join(table.id, ANN, hot_seat=True)
    await services.lobby.start(table.id, ANN.id)
    with pytest.raises(BotError, match=r"All seats are yours; fast auctions need other players\."):
        await services.agreements.set_fast_auctions(table.id, ANN.id, on=True)
    await services.agreements.propose_end(table.id, ANN.id)
    with pytest.raises(BotError, match=r"“.+” is finished; fast auctions need a running game\."):
        await services.agreements.set_fast_auctions(table.id, ANN.id, on=True)


async def test_a_table_is_public_or_by_invitation(services: Services) -> None:
    with pytest.raises(BotError, match=r"The privacy must be one of: open, invite."):
        await services.lobby.create(ANN, NewTable("toy", 2, privacy=cast("Any", "secret")))


def test_an_unknown_option_is_refused_with_those_that_exist() -> None:
    with pytest.raises(BotError, match=r"1862: .+ has no option “colour”. Its options: .+"):
        check_options("1862", {"colour": "pink"})


def test_an_address_without_visible_characters_only() -> None:
    with pytest.raises(BotError, match=r"The address contains an invisible character."):
        address.check_address("data/sto\u200bre.sqlite")
