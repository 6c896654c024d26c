"""Tables to think at: any position as one's own, a plan at the next turn; private, calling no one, touching nothing."""

import pytest

from bot.model.clock import DAY
from bot.model.errors import BotError
from bot.model.records import Home, NewTable
from bot.service.services import Services
from tests.bot.conftest import ANN, BOB, CID, EVE, Clock
from tests.support.toy import Bid, Pass

HOME = Home("g", "c")


@pytest.fixture
async def played(services: Services) -> int:
    """Ann, Bob and Cid play on a server; Ann has bid 3, Bob 4, and Cid is to act."""
    table = await services.lobby.create(ANN, NewTable("toy", 3, seed=5), HOME)
    for person in (BOB, CID):
        await services.lobby.join(table.id, person)
    await services.lobby.start(table.id, ANN.id, "as joined")
    await services.table.submit(table.id, ANN.id, Bid(3))
    await services.table.submit(table.id, BOB.id, Bid(4))
    return table.id


async def test_a_fork_is_a_table_of_your_own_from_any_position(services: Services, played: int) -> None:
    fork = (await services.transfer.fork(played, ANN, 1)).table
    assert (fork.name, fork.names, set(fork.people)) == ("Analysis of The Toy", ("Ann", "Bob", "Cid"), {ANN.id})
    assert len((await services.table.load_position(fork.id)).game.line) == 1
    await services.table.submit(fork.id, ANN.id, Pass())  # for Bob
    await services.back.undo(fork.id, ANN.id, 0)
    assert len((await services.table.load_position(played)).game.line) == 2, "the game is not touched"
    again = (await services.transfer.fork(fork.id, ANN)).table
    assert again.name == fork.name, "said once"
    first = (await services.transfer.fork(played, ANN, 0)).table
    assert (await services.table.load_position(first.id)).game.line == (), "before the first move"
    with pytest.raises(BotError, match="no move 9; the game has 2 moves"):
        await services.transfer.fork(played, ANN, 9)
    with pytest.raises(BotError, match="Only players of"):
        await services.transfer.fork(played, EVE)


async def test_the_same_command_twice_opens_one_table(services: Services, played: int) -> None:
    """A mail that is read again after a crash opened another."""
    one, two = [(await services.transfer.fork(played, ANN, 1, "mail:7")).table.id for _ in range(2)]
    plans = [(await services.transfer.plan(played, ANN, "mail:8")).table.id for _ in range(2)]
    assert (one, plans[0]) == (two, plans[1])
    assert one != plans[0]


async def test_no_one_else_sees_it_and_it_pings_no_one(services: Services, played: int, clock: Clock) -> None:
    fork = (await services.transfer.fork(played, ANN)).table.id
    await services.lobby.refuse_foreign(fork, ANN.id, "g")
    with pytest.raises(BotError, match="no table"):
        await services.lobby.refuse_foreign(fork, BOB.id, "g")
    services.table.live.forget(fork)
    with pytest.raises(BotError, match="no table"):
        await services.lobby.refuse_foreign(fork, BOB.id, "g")
    with pytest.raises(BotError, match="no table"):
        await services.lobby.refuse_foreign(fork, ANN.id, "other")
    assert [table.id for table in await services.lobby.list_tables("running", BOB.id, "g")] == [played]
    assert [table.id for table in await services.lobby.list_tables("running", ANN.id, "g")] == [fork, played]
    clock.now += 30 * DAY
    assert fork not in [stored.game for stored in await services.outbox.list_due()]
    assert (await services.lobby.close(fork, ANN.id)).state == "closed"


async def test_a_plan_begins_at_ones_next_turn(services: Services, played: int) -> None:
    now = await services.transfer.plan(played, CID)
    assert "Try anything" in now.sentences[0]
    later = await services.transfer.plan(played, BOB)
    assert "that the program guessed for the others" in later.sentences[0]
    assert [seat.name for seat in later.actors] == ["Bob"]
    guessed = (await services.table.read_log(later.table.id))[2:]
    assert all(line.sentences[0].startswith("⚙ ") for line in guessed)
    with pytest.raises(BotError, match="Only players of"):
        await services.transfer.plan(played, EVE)
