"""The process that bears one bot after the other, as the bench sees it."""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

import msgspec

from tests.chaos.zygote import Life
from tests.discord.stand_in import StandIn

ROOT = Path(__file__).parents[2]
STARTING = 60.0


class Mother:
    """Bears bots of one shard, one at a time.

    Args:
        server: the stand-in. shard: of the bots.
    """

    def __init__(self, server: StandIn, shard: str) -> None:
        self.server = server
        self.shard = shard
        self.dead = asyncio.Event()
        self.dead.set()
        self.how = 0
        self._pid = 0
        self._zygote: asyncio.subprocess.Process | None = None
        self._burying: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Load all that a bot needs."""
        self._zygote = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.chaos.zygote",
            cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip

    async def bear(self, life: Life) -> None:
        """Let a bot live, and wait until it is there, or dead again."""
        assert self._zygote is not None
        assert self._zygote.stdin is not None
        assert self._zygote.stdout is not None
        self.dead.clear()
        before = self.server.gateway.identified
        self._zygote.stdin.write(msgspec.json.encode(life) + b"\n")
        self._pid = int(await self._zygote.stdout.readline())
        self._burying = asyncio.create_task(self._bury())
        come = lambda: self.server.gateway.identified > before or self.dead.is_set()  # noqa: E731
        await self.server.world.until(come, STARTING, "a bot")

    async def _bury(self) -> None:
        assert self._zygote is not None
        assert self._zygote.stdout is not None
        how = int(await self._zygote.stdout.readline())
        self.how = 0 if how == -signal.SIGKILL else how
        self._pid = 0
        self.dead.set()
        self.server.world.touch()

    def kill(self) -> None:
        """Kill the bot, if one lives."""
        self._tell(signal.SIGKILL)

    async def freeze(self, seconds: float) -> bool:
        """Let the bot do nothing for a while, as a machine that is out of memory; tell whether one lives."""
        lives = self._tell(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds if lives else 0)
        finally:
            self._tell(signal.SIGCONT)
        return lives

    def ask(self) -> None:
        """Let the bot tell in its log what it waits for."""
        self._tell(signal.SIGUSR1)

    async def buried(self) -> None:
        """Wait until the bot is dead."""
        if self._burying is not None:
            await self._burying

    async def end(self) -> None:
        """End the bot and what bears it."""
        self.kill()
        if self._zygote is not None:
            self._zygote.kill()
            await self._zygote.wait()

    def _tell(self, number: signal.Signals) -> bool:
        if self._pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, number)
        return self._pid > 0
