"""Two processes act on one table in the same moment: what each read is read again before it is stored."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.errors import BotError, StaleError
from bot.model.records import NewTable, Style
from bot.model.standing import Standing
from bot.service.live import Change
from bot.service.services import Services
from bot.service.table import Delivery
from engine import Game, LogEntry
from tests.bot.conftest import ANN, BOB, CID, EVE, Clock, close_together, seat_three
from tests.support.postgres import BOTH
from tests.support.toy import Bid, Pass

pytestmark = BOTH


@pytest.fixture
async def other(services: Services, clock: Clock) -> AsyncIterator[Services]:
    """The services of another process, with a memory of its own."""
    other = await Services.open(services.database.address, clock)
    yield other
    await other.close()


async def test_the_last_seat_is_taken_once(services: Services, other: Services) -> None:
    for _ in range(3):
        table = await services.lobby.create(ANN, NewTable("toy", 3))
        await services.lobby.join(table.id, BOB)
        said = await asyncio.gather(
            services.lobby.join(table.id, CID), other.lobby.join(table.id, EVE), return_exceptions=True
        )
        (refusal,) = [each for each in said if isinstance(each, Exception)]
        assert "is full" in str(refusal)
        assert [seat.number for seat in (await services.lobby.get_table(table.id)).seats] == [0, 1, 2]


async def test_a_player_joining_during_the_start_is_seated_or_refused(services: Services, other: Services) -> None:
    for _ in range(3):
        table = await services.lobby.create(ANN, NewTable("toy", 3))
        await services.lobby.join(table.id, BOB)
        joined, started = await asyncio.gather(
            other.lobby.join(table.id, CID),
            services.lobby.start(table.id, ANN.id, "as joined"),
            return_exceptions=True,
        )
        assert not isinstance(started, BaseException)
        here = await other.table.load_position(table.id)
        sits = not isinstance(joined, BaseException)
        assert [seat.user for seat in here.table.seats] == ["1", "2", "3"][: 3 if sits else 2]
        assert here.table.setup.seats == len(here.table.seats)
        assert sits or "only before the start" in str(joined)


async def test_a_table_is_started_once(services: Services, other: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2))
    await services.lobby.join(table.id, BOB)
    said = await asyncio.gather(
        *(each.lobby.start(table.id, ANN.id) for each in (services, other, services, other)), return_exceptions=True
    )
    assert sorted(type(each).__name__ for each in said) == ["BotError"] * 3 + ["Outcome"]


async def test_a_table_closed_during_a_move_stays_closed(services: Services, other: Services) -> None:
    for _ in range(3):
        game = await seat_three(services)
        await other.table.load_position(game)
        await asyncio.gather(
            close_together(services, game), other.table.submit(game, "1", Bid(1)), return_exceptions=True
        )
        assert (await services.lobby.get_table(game)).state == "closed"
        with pytest.raises(BotError, match="is closed"):
            await other.table.submit(game, "2", Bid(2))


async def test_a_move_overtaken_by_another_process_is_refused_with_the_reason(
    services: Services, other: Services
) -> None:
    game = await seat_three(services)
    here = await other.table.load_position(game)
    await services.table.submit(game, "1", Bid(1))
    played = Game.replay(here.table.setup, ()).play(0, Bid(2))
    with pytest.raises(StaleError) as refusal:
        await other.table.store_change(here, Change(LogEntry(0, Bid(2)), "1", Standing.of(played.game), (), None))
    assert refusal.value.moved_first
    assert (await other.table.load_position(game)).version == 1


async def test_one_delivery_that_comes_to_two_processes_is_answered_by_both_and_played_once(
    services: Services, other: Services
) -> None:
    for number in range(3):
        game = await seat_three(services)
        said = await asyncio.gather(
            *(each.table.submit(game, "1", Bid(1), Delivery(f"i{number}")) for each in (services, other))
        )
        assert sorted(outcome.repeated for outcome in said) == [False, True]
        assert {outcome.version for outcome in said} == {1}
        assert (await services.table.load_position(game)).version == 1


@pytest.mark.parametrize("is_before", [True, False])
async def test_a_delivery_played_elsewhere_while_the_position_is_read_is_answered(
    services: Services, other: Services, monkeypatch: pytest.MonkeyPatch, is_before: bool
) -> None:
    game = await seat_three(services)
    services.table.forget_log(game)
    read_stored = services.table.live.read_stored

    async def play_elsewhere_and_read(session: AsyncSession, game: int) -> object:
        if not is_before:
            found = await read_stored(session, game)
        await other.table.submit(game, "1", Bid(1), Delivery("i1"))
        return await read_stored(session, game) if is_before else found

    with monkeypatch.context() as patch:
        patch.setattr(services.table.live, "read_stored", play_elsewhere_and_read)
        outcome = await services.table.submit(game, "1", Bid(1), Delivery("i1"))
    assert (outcome.repeated, outcome.version) == (True, 1)


async def test_two_last_votes_in_one_moment_take_the_moves_back_once(services: Services, other: Services) -> None:
    game = await seat_three(services)
    for user, action in (("1", Bid(1)), ("2", Bid(2)), ("3", Pass())):
        await services.table.submit(game, user, action)
    await services.back.undo(game, "1", to=0)
    said = await asyncio.gather(
        services.consent.vote(game, "2", yes=True), other.consent.vote(game, "3", yes=True), return_exceptions=True
    )
    assert any(not isinstance(each, BaseException) for each in said)
    here = await other.table.load_position(game)
    assert (here.version, here.game.line) == (4, ())
    proposal = await services.consent.get_proposal(1)
    assert proposal is not None
    assert proposal.state == "accepted"


async def test_a_setting_stored_twice_at_once_is_stored(services: Services, other: Services) -> None:
    style = Style("mono", text_first=True)
    await asyncio.gather(*(each.people.set_style("7", style) for each in (services, other) for _ in range(3)))
    assert await other.people.get_style("7") == style


async def test_one_table_is_opened_by_one_delivery(services: Services, other: Services) -> None:
    tables = await asyncio.gather(
        *(each.lobby.create(ANN, NewTable("toy", 3), interaction="i1") for each in (services, other))
    )
    assert {table.id for table in tables} == {tables[0].id}


async def test_another_process_is_woken_by_a_commit(services: Services, other: Services, kind: str) -> None:
    """On a server the processes tell one another; a file has one that sends."""
    if kind == "sqlite":
        assert not services.database.shared
        return
    game = await seat_three(services)
    await asyncio.wait_for(other.database.wake.wait(), 30)
    other.database.wake.clear()
    await services.table.submit(game, "1", Bid(1))
    await asyncio.wait_for(other.database.wake.wait(), 30)


async def test_a_duty_is_one_processs_at_a_time(services: Services, other: Services, clock: Clock) -> None:
    said = await asyncio.gather(*(each.duties.take_duty("tidy", 60) for each in (services, other, services, other)))
    assert sorted(said) == [False, False, False, True]
    clock.now += 60
    assert await other.duties.take_duty("tidy", 60)
    await other.duties.give_back_duty("tidy")
    assert await services.duties.take_duty("tidy", 60)
    await services.duties.write_note("done", "once")
    assert await other.duties.read_note("done") == "once"
