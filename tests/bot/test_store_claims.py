"""Posts are handed out a table at a time, each table to one sender, and to another when that one falls silent."""

import asyncio
from unittest.mock import AsyncMock

import pytest
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.posts import Notice, Owed
from bot.service.outbox import Outbox
from bot.service.services import Services
from bot.store import leases, outbox
from bot.store.database import Wake
from bot.store.leases import MAX_LEASE_SECONDS
from bot.store.outbox import LETTERS
from tests.bot.conftest import Clock, seat_three
from tests.support.claiming import claim_all
from tests.support.postgres import BOTH

pytestmark = BOTH


async def owe(services: Services, clock: Clock, *keys: str, game: int, later: int = 0) -> None:
    async with services.database.writing(game) as session:
        await outbox.owe(session, [Owed(key, Notice(game, key), clock.now + later) for key in keys], clock.now)


async def send_all_due(services: Services) -> None:
    """Send all that the start of the table owes."""
    for claim in await claim_all(services.outbox):
        for stored in claim.posts:
            await services.outbox.note_sent([(stored, ("c", "m"))])
        await services.outbox.release(claim.name)


async def test_a_table_is_handed_to_one_sender_at_a_time(services: Services, game: int, clock: Clock) -> None:
    await send_all_due(services)
    other = Outbox(services.database, clock)
    await claim_all(other)  # whatever it inherits, it has looked
    await owe(services, clock, "one", "two", game=game)
    (claim,) = await claim_all(services.outbox)
    assert [stored.key for stored in claim.posts] == ["one", "two"]
    await owe(services, clock, "three", game=game)
    assert await claim_all(other) == []
    assert await claim_all(services.outbox) == [], "nor to the same sender, before it has given the table back"
    for stored in claim.posts:
        await services.outbox.note_sent([(stored, ("c", stored.key))])
    await services.outbox.release(f"posts:{game}")
    (claim,) = await claim_all(other)
    assert [stored.key for stored in claim.posts] == ["three"]
    assert not claim.posts[0].unsure


async def test_a_table_is_given_back_with_the_last_of_its_posts_and_not_before(
    services: Services, game: int, clock: Clock
) -> None:
    await send_all_due(services)
    other = Outbox(services.database, clock)
    await claim_all(other)
    await owe(services, clock, "one", "two", game=game)
    ((first, second),) = [claim.posts for claim in await claim_all(services.outbox)]
    await owe(services, clock, "three", game=game)
    (left,) = await services.outbox.note_sent([(first, ("c", "m1"))], (second,))
    assert left.key == "two"
    assert await claim_all(other) == []
    assert await services.outbox.note_sent([(left, ("c", "m2"))], ()) == []
    assert [stored.key for claim in await claim_all(other) for stored in claim.posts] == ["three"]


async def test_senders_who_come_at_once_get_each_table_once(services: Services, clock: Clock) -> None:
    tables = [await seat_three(services) for _ in range(4)]
    senders = [Outbox(services.database, clock) for _ in range(4)]
    for sender in senders:
        await send_all_due(services)
        await claim_all(sender)
    for table in tables:
        await owe(services, clock, f"note {table}", game=table)
    found = await asyncio.gather(*(claim_all(sender) for sender in senders for _ in range(2)))
    assert sorted(claim.name for claims in found for claim in claims) == [f"posts:{table}" for table in tables]


async def test_posts_of_a_silent_sender_go_to_another_as_possibly_sent(
    services: Services, game: int, clock: Clock
) -> None:
    await send_all_due(services)
    other = Outbox(services.database, clock)
    await claim_all(other)
    await owe(services, clock, "one", game=game)
    await claim_all(services.outbox)
    clock.now += services.outbox.lease - 1
    assert await services.outbox.renew([f"posts:{game}"]) == {f"posts:{game}"}
    clock.now += services.outbox.lease - 1
    assert await claim_all(other) == []
    clock.now += 1
    (claim,) = await claim_all(other)
    assert claim.posts[0].unsure
    assert await services.outbox.renew([f"posts:{game}"]) == set(), "it is not this sender's any more"
    await services.outbox.release(f"posts:{game}")
    assert await claim_all(services.outbox) == [], "nor can it give back what it has lost"


async def test_only_posts_that_may_have_arrived_are_uncertain(services: Services, game: int, clock: Clock) -> None:
    """Not what Discord refused, what was put off, or what was not even tried; but what a cut line leaves open."""
    await send_all_due(services)
    await owe(services, clock, "cut", "refused", "put off", "not tried", game=game)
    (claim,) = await claim_all(services.outbox)
    cut, refused, put_off, not_tried = claim.posts
    await services.outbox.note_failed(cut, "reset", clock.now)
    await services.outbox.note_failed(refused, "403", clock.now, is_refused=True)
    await services.outbox.put_off(put_off, clock.now)
    await services.outbox.note_unsent([not_tried])
    await services.outbox.release(f"posts:{game}")
    (again,) = await claim_all(services.outbox)
    assert [stored.key for stored in again.posts if stored.unsure] == ["cut"]
    await services.outbox.note_failed(again.posts[0], "403", clock.now, is_refused=True)
    await services.outbox.release(f"posts:{game}")
    (at_last,) = await claim_all(services.outbox)
    assert at_last.posts[0].unsure, "it may stand there from the time before"


async def test_a_table_that_rests_is_handed_out_when_the_rest_is_over(
    services: Services, game: int, clock: Clock
) -> None:
    await send_all_due(services)
    await owe(services, clock, "one", game=game)
    await claim_all(services.outbox)
    await services.outbox.release(f"posts:{game}", rest=40)
    assert await claim_all(services.outbox) == []
    assert (await services.outbox.list_waiting()).next_due == clock.now + 40
    clock.now += 40
    assert [claim.name for claim in await claim_all(services.outbox)] == [f"posts:{game}"]


async def test_a_clock_that_is_put_back_frees_what_was_leased_by_it(
    services: Services, game: int, clock: Clock
) -> None:
    await send_all_due(services)
    await owe(services, clock, "one", game=game, later=-10_000)
    await claim_all(services.outbox)
    clock.now -= MAX_LEASE_SECONDS
    assert [claim.name for claim in await claim_all(services.outbox)] == [f"posts:{game}"]


async def test_claiming_and_releasing_wakes_no_sender(
    services: Services, game: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has served a table looks for more by itself."""
    told = AsyncMock()
    monkeypatch.setattr(type(services.database.backend), "announce", told)
    services.database.wake = Wake()  # a server may still tell the old one of the table's start
    await claim_all(services.outbox)
    await services.outbox.renew([f"posts:{game}"])
    await services.outbox.release(f"posts:{game}")
    assert not services.database.wake.is_set()
    told.assert_not_awaited()


async def test_posts_held_back_by_a_clock_set_back_are_sent_as_soon_as_possible(
    services: Services, clock: Clock
) -> None:
    """The bot is out of a server while the clock, a day ahead, is set right; then it is there again."""
    game = await seat_three(services)
    await send_all_due(services)
    clock.now += 86400
    await owe(services, clock, "one", game=game)
    await services.moving.pause_posts("")
    clock.now -= 86400
    assert await services.outbox.set_clock_back() == 86400
    await services.moving.resume_posts("")
    assert "one" in {stored.key for stored in await services.outbox.list_due()}


async def test_senders_that_begin_at_once_take_nothing_from_each_other(
    services: Services, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a dead process had is free at first, once: later it would be what another sender has by then."""
    freed, give_back = [], leases.give_all_back

    async def count_return(session: AsyncSession) -> None:
        freed.append(session)
        await give_back(session)

    monkeypatch.setattr(leases, "give_all_back", count_return)
    both = Outbox(services.database, services.clock)
    await asyncio.gather(both.list_waiting(), both.list_waiting(head=LETTERS))
    assert len(freed) == (kind == "sqlite")


async def test_waking_ends_the_rest_of_a_lease_but_takes_none_from_its_holder(services: Services, clock: Clock) -> None:
    later = clock.now + 600
    async with services.database.writing() as session:
        assert await leases.take(session, ["held"], "one", clock.now, 600) == {"held"}
        assert await leases.take(session, ["resting"], "one", clock.now, 600) == {"resting"}
        await leases.give_back(session, "resting", "one", free_from=later)
        assert await leases.take(session, ["resting"], "two", clock.now, 600) == set()
        await leases.wake(session, ["held", "resting"])
        assert await leases.take(session, ["held", "resting"], "two", clock.now, 600) == {"resting"}
        await leases.wake(session, ["held"], held=True)
        assert await leases.take(session, ["held"], "two", clock.now, 600) == {"held"}
