"""How the clock of a table stands, in words; what a hurried word about it finds out."""

import pytest

from bot.model.clock import HOUR
from bot.model.errors import BotError
from bot.model.posts import ClockAlarm
from bot.model.records import NewTable
from bot.service.game_clock import ClockWish
from bot.service.services import Services
from tests.bot.conftest import ANN, BOB, CID, EVE, Clock
from tests.bot.test_time_control import clock_of, seat_with_clocks


async def test_a_clock_is_reported_before_it_runs_and_while_it_does(services: Services, clock: Clock) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2, seed=5))
    assert await services.agreements.describe_clock(table) == []
    table = await services.hosting.set_clock(table.id, ANN.id, ClockWish(budget=48, increment=4))
    (line,) = await services.agreements.describe_clock(table)
    assert "48" in line or "2 days" in line
    assert "quiet hours" in line
    table = await services.hosting.set_clock(table.id, ANN.id, ClockWish(to="off"))
    assert await services.agreements.describe_clock(table) == []
    game = await seat_with_clocks(services)
    clock.now += HOUR
    first, left = await services.agreements.describe_clock(await services.lobby.get_table(game))
    assert first.startswith("Clock: ")
    assert left.startswith("Left: Ann ")
    assert left.count(",") == 2


async def test_a_word_that_time_is_up_is_true_for_the_turn_it_is_about_only(services: Services, clock: Clock) -> None:
    """With time left, after a move, of a seat that need not decide, or with the clock paused, nothing has run out."""
    game = await seat_with_clocks(services)
    table = await services.lobby.get_table(game)
    word = ClockAlarm(game, table.turn_from, 0)
    assert not await services.agreements.check_time_up(word), "there is time left"
    assert not await services.agreements.check_time_up(ClockAlarm(game, table.turn_from + 1, 0)), "another turn"
    assert not await services.agreements.check_time_up(ClockAlarm(game, table.turn_from, 1)), "Bob need not decide"
    clock.now = (await clock_of(services, game)).ends[0]
    assert await services.agreements.check_time_up(word)
    await services.agreements.propose_clock(game, ANN.id, ClockWish(to="pause"))
    for user in (BOB, CID):
        await services.consent.vote(game, user.id, yes=True)
    assert not await services.agreements.check_time_up(word), "it is paused"


async def test_a_proxy_can_resign_and_has_no_vote_on_the_clock(services: Services) -> None:
    game = await seat_with_clocks(services)
    lent = await services.seats.set_proxy(game, ANN.id, EVE)
    assert lent.sentences == ("Eve acts for Ann until further notice.",)
    with pytest.raises(BotError, match="Only the holder of a seat"):
        await services.agreements.propose_clock(game, EVE.id, ClockWish(to="pause"))
    with pytest.raises(BotError, match="Only the holder of a seat"):
        await services.agreements.propose_close(game, EVE.id)
    ended = await services.seats.set_proxy(game, EVE.id)
    assert ended.sentences == ("No one else acts for Ann now.",)
