"""Posts are handed out a table at a time, each table to one sender, and to another when that one falls silent."""

import asyncio

from bot.service.outbox import Outbox
from bot.service.posts import Notice, Owed
from bot.service.services import Services
from bot.store import outbox
from bot.store.leases import LONGEST
from tests.bot.conftest import Clock, seat_three
from tests.support.postgres import BOTH

pytestmark = BOTH


async def owe(services: Services, clock: Clock, *keys: str, game: int, later: int = 0) -> None:
    async with services.database.writing(game) as session:
        await outbox.owe(session, [Owed(key, Notice(game, key), clock.now + later) for key in keys], clock.now)


async def emptied(services: Services) -> None:
    """Send all that the start of the table owes."""
    for claim in await services.outbox.claim():
        for stored in claim.posts:
            await services.outbox.sent(stored, "c", "m")
        await services.outbox.release(claim.game)


async def test_a_table_is_handed_to_one_sender_at_a_time(services: Services, game: int, clock: Clock) -> None:
    await emptied(services)
    other = Outbox(services.database, clock)
    await other.claim()  # whatever it inherits, it has looked
    await owe(services, clock, "one", "two", game=game)
    (claim,) = await services.outbox.claim()
    assert [stored.key for stored in claim.posts] == ["one", "two"]
    await owe(services, clock, "three", game=game)
    assert await other.claim() == []
    assert await services.outbox.claim() == [], "nor to the same sender, before it has given the table back"
    for stored in claim.posts:
        await services.outbox.sent(stored, "c", stored.key)
    await services.outbox.release(game)
    (claim,) = await other.claim()
    assert [stored.key for stored in claim.posts] == ["three"]
    assert not claim.posts[0].unsure


async def test_senders_who_come_at_once_get_each_table_once(services: Services, clock: Clock) -> None:
    tables = [await seat_three(services) for _ in range(4)]
    senders = [Outbox(services.database, clock) for _ in range(4)]
    for sender in senders:
        await emptied(services)
        await sender.claim()
    for table in tables:
        await owe(services, clock, f"note {table}", game=table)
    found = await asyncio.gather(*(sender.claim() for sender in senders for _ in range(2)))
    assert sorted(claim.game for claims in found for claim in claims) == tables


async def test_what_a_silent_sender_had_goes_to_another_who_knows_that_it_may_stand_there(
    services: Services, game: int, clock: Clock
) -> None:
    await emptied(services)
    other = Outbox(services.database, clock)
    await other.claim()
    await owe(services, clock, "one", game=game)
    await services.outbox.claim()
    clock.now += services.outbox.lease - 1
    assert await services.outbox.renew([game]) == {game}
    clock.now += services.outbox.lease - 1
    assert await other.claim() == []
    clock.now += 1
    (claim,) = await other.claim()
    assert claim.posts[0].unsure
    assert await services.outbox.renew([game]) == set(), "it is not this sender's any more"
    await services.outbox.release(game)
    assert await services.outbox.claim() == [], "nor can it give back what it has lost"


async def test_a_table_that_rests_is_handed_out_when_the_rest_is_over(
    services: Services, game: int, clock: Clock
) -> None:
    await emptied(services)
    await owe(services, clock, "one", game=game)
    await services.outbox.claim()
    await services.outbox.release(game, rest=40)
    assert await services.outbox.claim() == []
    assert await services.outbox.next_due() == clock.now + 40
    clock.now += 40
    assert [claim.game for claim in await services.outbox.claim()] == [game]


async def test_a_clock_that_is_put_back_frees_what_was_leased_by_it(
    services: Services, game: int, clock: Clock
) -> None:
    await emptied(services)
    await owe(services, clock, "one", game=game, later=-10_000)
    await services.outbox.claim()
    clock.now -= LONGEST
    assert [claim.game for claim in await services.outbox.claim()] == [game]


async def test_taking_and_giving_back_wakes_nobody(services: Services, game: int) -> None:
    """Whoever has served a table looks for more by itself."""
    services.database.wake.clear()
    await services.outbox.claim()
    await services.outbox.renew([game])
    await services.outbox.release(game)
    assert not services.database.wake.is_set()
