"""Who hears which shard: each process its own, the living those of the dead."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.discord.client import DiscordClient, ShardTakeover
from bot.service.duties import LEASE_SECONDS, START_SECONDS, Duties
from bot.service.services import Services
from tests.bot.conftest import Clock
from tests.discord.conftest import DOT
from tests.discord.stand_in import StandIn
from tests.discord.test_two_bots import other_place
from tests.support import postgres


@pytest.fixture
async def shared(server_store: str, clock: Clock) -> AsyncIterator[Services]:
    await postgres.empty_tables(server_store)
    services = await Services.open(server_store, clock)
    yield services
    await services.close()


async def test_a_shard_goes_to_the_living_and_back(shared: Services, clock: Clock, tmp_path: Path) -> None:
    first, second, third = (Duties(shared.database, clock, tmp_path) for _ in range(3))

    async def others(duties: Duties, own: int, *heard: int, hears: bool = True) -> set[int]:
        held = await duties.renew_shards(own, 3, heard, hears=hears)
        assert not held.rival
        return set(held.others)

    assert await others(first, 0) == set(), "the others may still start"
    clock.now += START_SECONDS - 1
    assert await others(first, 0) == await others(second, 1) == set()
    clock.now += 1
    assert await others(first, 0, hears=False) == set(), "whoever hears nothing takes nothing"
    assert await others(first, 0) == {2}, "nobody has ever heard it"
    assert await others(second, 1) == set()
    assert await others(third, 2) == set()
    assert await others(first, 0, 2) == set(), "its own process hears it now"

    clock.now += LEASE_SECONDS - 1
    assert await others(first, 0) == set()
    assert await others(third, 2) == set()
    clock.now += 1
    assert await others(third, 2) == {1}, "the second has fallen silent"
    assert await others(first, 0) == set(), "and one took it"
    await first.give_back_shards(0, 3)
    assert await others(third, 2, 1) == {0, 1}, "one that ends gives its shard up at once"
    assert await others(second, 1) == set()
    assert await others(third, 2, 0, 1) == {0}, "back to its own"


async def test_two_processes_with_one_shard_are_reported(shared: Services, clock: Clock, tmp_path: Path) -> None:
    first, second = (Duties(shared.database, clock, tmp_path) for _ in range(2))
    assert not (await first.renew_shards(0, 1, (), hears=True)).rival
    assert (await second.renew_shards(0, 1, (), hears=True)).rival
    clock.now += LEASE_SECONDS
    assert not (await first.renew_shards(0, 1, (), hears=True)).rival, "the other is gone"


async def test_one_process_alone_serves_all_shards(tmp_path: Path) -> None:
    async with StandIn(life=100) as server:
        services = await Services.open(tmp_path / "store.sqlite")
        services.duties.lease = 0.2

        async def draw(*_: object) -> bytes:
            return DOT

        bots = [DiscordClient(services, draw, shard=(0, 2))]

        def hear(number: int) -> DiscordClient:
            bots.append(DiscordClient(services, draw, shard=(number, 2), only_listens=True))
            return bots[-1]

        bot, takeover = bots[0], ShardTakeover(bots[0], services.duties, hear, "token")
        there = other_place(server)
        assert there.guild is not None
        places = {server.guild.id, there.guild.id}
        running = [asyncio.create_task(each) for each in (bot.start("token"), takeover.run())]
        await server.world.until(lambda: all(server.gateway.listeners(place) == 1 for place in places), 30)
        await server.world.until(lambda: server.world.commands, 30)
        for each in bots:
            await each.wait_until_ready()  # or it would go on with that after its end
        for place in (server.games, there):
            said = await server.person("ann").slash(place, "game list")
            assert "You have no tables." in said.text
        running[1].cancel()
        await asyncio.gather(running[1], return_exceptions=True)
        await server.world.until(lambda: sum(server.gateway.listeners(place) for place in places) == 1, 30)
        await bot.close()
        await asyncio.gather(*running, return_exceptions=True)
        await services.close()
