"""The process that starts one bot after the other, as the bench sees it."""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

import msgspec

from tests.chaos.prefork_child import Life
from tests.discord.stand_in import StandIn

ROOT = Path(__file__).parents[2]
MAX_START_SECONDS = 60.0


class ForkServer:
    """Starts bots of one shard, one at a time.

    Args:
        server: the stand-in. shard: of the bots.
    """

    def __init__(self, server: StandIn, shard: str) -> None:
        self.server = server
        self.shard = shard
        self.dead = asyncio.Event()
        self.dead.set()
        self.exit_code = 0
        self._pid = 0
        self._process: asyncio.subprocess.Process | None = None
        self._reaping: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Load all that a bot needs."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.chaos.prefork_child",
            cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip

    async def start_bot(self, life: Life) -> None:
        """Start a bot, and wait until it is connected, or dead again."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.dead.clear()
        before = self.server.gateway.identified
        self._process.stdin.write(msgspec.json.encode(life) + b"\n")
        self._pid = int(await self._process.stdout.readline())
        self._reaping = asyncio.create_task(self._reap())
        come = lambda: self.server.gateway.identified > before or self.dead.is_set()  # noqa: E731
        await self.server.world.until(come, MAX_START_SECONDS, "a bot")

    async def _reap(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        how = int(await self._process.stdout.readline())
        self.exit_code = 0 if how == -signal.SIGKILL else how
        self._pid = 0
        self.dead.set()
        self.server.world.touch()

    def kill(self) -> None:
        """Kill the bot, if one lives."""
        self._signal(signal.SIGKILL)

    async def freeze(self, seconds: float) -> bool:
        """Stop the bot for a while, as a machine that is out of memory; return whether one lives."""
        lives = self._signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds if lives else 0)
        finally:
            self._signal(signal.SIGCONT)
        return lives

    def dump_tasks(self) -> None:
        """Make the bot write to its log what its tasks wait for."""
        self._signal(signal.SIGUSR1)

    async def wait_until_dead(self) -> None:
        """Wait until the bot is dead."""
        if self._reaping is not None:
            await self._reaping

    async def end(self) -> None:
        """End the bot and the process that started it."""
        self.kill()
        if self._process is not None:
            self._process.kill()
            await self._process.wait()

    def _signal(self, number: signal.Signals) -> bool:
        if self._pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, number)
        return self._pid > 0
