"""Killed in the middle: nothing that was told is lost, and every post owed is there once."""

import asyncio
from collections import Counter
from pathlib import Path

from bot.model.errors import BotError
from bot.service.services import Services
from bot.store.outbox import StoredPost
from engine import Game
from tests.bot.conftest import ANN, BOB, CID, Clock, seat_three
from tests.support import moving
from tests.support.claiming import list_all_posts
from tests.support.fork_server import start_with_output
from tests.support.postgres import BOTH
from tests.support.toy import Bid

pytestmark = BOTH


def kill_after(store: Path | str, moves: int) -> int:
    """Let a process play, kill it after so many moves; return the last version it told."""
    process, output = start_with_output(moving.main, str(store))
    with output:
        told = [output.readline() for _ in range(moves)]
        process.kill()
        told += output.readlines()
    process.join()
    return int([line for line in told if line.endswith("\n")][-1])


async def test_every_confirmed_move_is_stored_with_its_posts_which_are_sent_once(
    store: Path | str, clock: Clock
) -> None:
    told = kill_after(store, 6)
    clock.now += 10**8
    services = await Services.open(store, clock)
    here = await services.table.load_position(1)
    assert told <= here.version <= told + 1, "all that was told, and at most the move that was under way"
    assert here.game.replay().state == Game.replay(here.table.setup, here.game.log).state
    assert [line.seq for line in await services.table.read_log(1)] == list(range(here.version))
    async with services.database.reading() as session:
        posts = await list_all_posts(session, 1)
    assert_owed_once([stored for _, stored in posts], here.version)
    first = await services.outbox.list_due()
    again = await services.outbox.list_due()
    assert [stored.key for stored in again] == [stored.key for stored in first], "a sender that died sends them again"
    for stored in first:
        await services.outbox.note_sent([(stored, ("c", f"m{stored.id}"))])
    assert await services.outbox.list_due() == []
    await services.close()
    services = await Services.open(store, clock)
    assert await services.outbox.list_due() == []
    await services.close()


def assert_owed_once(stored_posts: list[StoredPost], version: int) -> None:
    """Every move of this game hands over the turn: each owes a result, a turn message and pictures."""
    keys = Counter(stored.key for stored in stored_posts)
    assert set(keys.values()) == {1}
    turns = {number for number in range(version + 1) if f"1:turn:{number}" in keys}
    assert max(turns) == version
    assert {f"1:pictures:{number}" for number in turns} <= set(keys)
    assert {f"1:summary:{number}" for number in turns - {version}} <= set(keys)
    assert not [key for key in keys if key.startswith("1:") and key.split(":")[-1] == str(version + 1)]


async def test_many_at_once_through_two_programs_store_each_move_once(store: Path | str, clock: Clock) -> None:
    """Two programs on one file, the same move from both again and again: each is stored once."""
    one, two = await Services.open(store, clock), await Services.open(store, clock)
    game = await seat_three(one)
    for amount, person in enumerate((ANN, BOB, CID, ANN, BOB, CID), 1):
        said = await asyncio.gather(
            *(services.table.submit(game, person.id, Bid(amount)) for services in (one, two) for _ in range(3)),
            return_exceptions=True,
        )
        refused = [each for each in said if isinstance(each, BotError)]
        assert len(refused) == 5
        assert (await one.table.load_position(game)).version == amount
        assert (await two.table.load_position(game)).version == amount
    await one.close()
    await two.close()
