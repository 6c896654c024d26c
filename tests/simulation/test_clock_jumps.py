"""The machine's clock jumps while a table runs: nothing is lost, doubled or silent, and reminders come in time."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.model.clock import DAY, HOUR, MINUTE
from tests.simulation.simulation import Simulation
from tests.simulation.world import World
from tests.simulation.year import INTERVALS, NoPoints


@pytest.mark.parametrize("jump", [HOUR, -40 * DAY])
def test_a_clock_that_jumps_while_a_table_runs(tmp_path: Path, fresh_store: Path, jump: int) -> None:
    """Between two moves, with posts owed; the reminder comes a day after its turn, by a clock that doesn't jump."""
    run = Simulation(1, NoPoints())
    run.intervals = replace(INTERVALS, outbox=10 * MINUTE)
    world = World(run, tmp_path, fresh_store)
    world.heartbeat_ms = HOUR * 1000

    async def live() -> list[str]:
        async with world.open():
            await world.start_bot()
            people = [world.person("alice"), world.person("bob")]
            number = await world.open_table("toy", people, 900_000_001)
            await world.play(number, people, 1, (1, 3))
            world.outages.append((run.loop.epoch(), run.loop.epoch() + max(0, jump)))  # no time went by
            run.loop.start += jump
            world.server.clock.ahead -= jump  # Discord's own clock goes on as before
            await world.play(number, people, 1, (1, 3))
            await asyncio.sleep(10 * MINUTE)
            entries, rung = len(world.game(number).log), len(world.server.world.pings)
            found = await world.judge()
            await asyncio.sleep(DAY)
            assert entries == 2
            assert len(world.server.world.pings) == rung + 1, "the reminder comes a day after the turn, not later"
            return found + await world.judge()

    assert run.run(live()) == []
