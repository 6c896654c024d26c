"""Machines whose clocks differ share a store: no one steals what another has, and no one starves."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from bot.model.posts import Notice, Owed
from bot.service.services import Services
from tests.bot.conftest import seat_three
from tests.support import postgres
from tests.support.claiming import claim_all

HOUR = 3600


@pytest.fixture
async def machines(server_store: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Services]]:
    """Services on three machines: one has the right time, one is an hour behind it, one an hour ahead."""
    await postgres.empty_tables(server_store)
    opened = []
    for wrong in (0, -HOUR, HOUR):
        monkeypatch.setattr("bot.service.services.read_wall_clock", lambda wrong=wrong: int(time.time()) + wrong)
        opened.append(await Services.open(server_store))
    yield opened
    for services in opened:
        await services.close()


async def owe(services: Services, game: int, key: str) -> None:
    await services.outbox.owe(Owed(key, Notice(game, key), services.clock()))


async def test_leases_of_another_machine_hold_and_a_wrong_clock_delays_no_one(
    machines: list[Services],
) -> None:
    game = await seat_three(machines[0])
    for owner in machines:
        others = [services for services in machines if services is not owner]
        await owe(owner, game, f"of {owner.clock()}")
        assert [claim.name for claim in await claim_all(owner.outbox)] == [f"posts:{game}"]
        assert await owner.outbox.renew([f"posts:{game}"]) == {f"posts:{game}"}
        assert [await claim_all(other.outbox) for other in others] == [[], []], "it is had"
        assert await owner.duties.take_duty("sweep", 60)
        assert not any([await other.duties.take_duty("sweep", 60) for other in others])
        await owner.duties.give_back_duty("sweep")
        await owner.outbox.release(f"posts:{game}")
        for other in others:  # what was owed now is due now, everywhere
            assert [claim.name for claim in await claim_all(other.outbox)] == [f"posts:{game}"]
            await other.outbox.release(f"posts:{game}")


async def test_a_slow_clock_does_not_make_posts_of_another_machine_due_earlier(machines: list[Services]) -> None:
    game = await seat_three(machines[2])
    await owe(machines[2], game, "later")
    assert [await services.outbox.set_clock_back() for services in machines] == [0, 0, 0]
    assert max(abs(services.clock() - time.time()) for services in machines) < 60
    await asyncio.gather(*(services.outbox.list_waiting() for services in machines))
