"""Seats that one person holds are there for the taking, all but one."""

import pytest

from bot.model.errors import BotError
from bot.model.records import NewTable, Person
from bot.service.services import Services
from tests.bot.conftest import ANN, BOB, EVE

FAY = Person("6", "Fay")


@pytest.fixture
async def table(services: Services) -> int:
    """A running table of three at which Ann holds the first two seats, Bob the third."""
    made = await services.lobby.create(ANN, NewTable("toy", 3, seed=5))
    await services.lobby.join(made.id, ANN, hot_seat=True)
    await services.lobby.join(made.id, BOB)
    await services.lobby.start(made.id, ANN.id, "as joined")
    return made.id


async def test_a_player_with_several_seats_can_give_away_all_but_one(services: Services, table: int) -> None:
    await services.seats.offer_seats(table, ANN.id)
    assert await services.seats.find_giver(table) == ANN.id
    await services.seats.take_seat(table, EVE, 1)
    seats = (await services.lobby.get_table(table)).seats
    assert [seat.user for seat in seats] == [ANN.id, EVE.id, BOB.id]
    assert (await services.lobby.get_table(table)).host == ANN.id
    with pytest.raises(BotError, match="No one is giving that seat away"):
        await services.seats.take_seat(table, FAY, 0)


async def test_a_player_with_one_seat_cannot_give_it_away(services: Services, table: int) -> None:
    with pytest.raises(BotError, match="Only a player who holds several seats in a running game"):
        await services.seats.offer_seats(table, BOB.id)
    assert await services.seats.find_giver(table) == ""


async def test_seats_of_a_closed_game_cannot_be_given_away(services: Services, table: int) -> None:
    await services.agreements.propose_close(table, ANN.id)
    await services.consent.vote(table, BOB.id, yes=True)
    assert (await services.lobby.get_table(table)).state != "running"
    with pytest.raises(BotError, match="in a running game"):
        await services.seats.offer_seats(table, ANN.id)


async def test_only_a_seat_given_away_is_taken_and_not_by_a_player_of_the_table(services: Services, table: int) -> None:
    with pytest.raises(BotError, match="No one is giving that seat away"):
        await services.seats.take_seat(table, EVE, 1)
    await services.seats.offer_seats(table, ANN.id)
    with pytest.raises(BotError, match=r"You already have a seat at "):
        await services.seats.take_seat(table, BOB, 1)
    with pytest.raises(BotError, match="No one is giving that seat away"):
        await services.seats.take_seat(table, EVE, 2)
