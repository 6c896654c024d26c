"""Discord is slow for ten minutes while a table runs: nothing is lost, doubled or silent."""

import asyncio
from pathlib import Path

from bot.model.clock import MINUTE
from tests.discord.stand_in import Fault
from tests.simulation.simulation import Simulation
from tests.simulation.world import World
from tests.simulation.year import NoPoints

SLOW_SECONDS, LATE_SECONDS = 10 * MINUTE, 70.0


def test_ten_minutes_of_slowness(tmp_path: Path, fresh_store: Path) -> None:
    """Each answer comes later than the bot waits for it; people press on meanwhile."""
    run = Simulation(1, NoPoints())
    world = World(run, tmp_path, fresh_store)

    async def live() -> list[str]:
        async with world.open():
            await world.start_bot()
            people = [world.person("alice"), world.person("bob")]
            number = await world.open_table("toy", people, 900_000_001)
            end = run.loop.time() + SLOW_SECONDS
            world.outages.append((run.loop.epoch(), run.loop.epoch() + SLOW_SECONDS))
            world.server.choose_fault = lambda method, path: (
                Fault(method, path, 0, wait=LATE_SECONDS) if run.loop.time() < end and "/callback" not in path else None
            )
            while run.loop.time() < end:
                await world.play(number, people, 1, (1, 3))
                await asyncio.sleep(MINUTE)
            await asyncio.sleep(2 * MINUTE)
            await world.play(number, people, 1, (1, 3))
            await asyncio.sleep(10 * MINUTE)
            assert len(world.game(number).log) >= 2
            return await world.judge()

    assert run.run(live()) == []
