"""The bot of the crowd as it is served, in a process of its own: ``python -m bot.operations.crowd.served URL STORE``.

It is told on standard input to say how its event loop does.
"""

import asyncio
import os
import sys
import time
from pathlib import Path

import msgspec

from bot.discord.client import speak_to
from bot.operations import logs
from bot.operations.serve import serve
from bot.operations.settings import Settings

BEAT = 0.01
FREE = "0,0"


class Loop(msgspec.Struct, frozen=True):
    """Since the last time: seconds late, and seconds of processor time of the bot and of its workers."""

    late: float
    late_p99: float
    own: float
    workers: float


class Watch:
    """Measures how late the event loop comes, and what time the processes take."""

    def __init__(self) -> None:
        self._late: list[float] = [0.0]
        self._spent = spent()

    async def beat(self) -> None:
        """Note how late each beat comes."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(BEAT)
            self._late.append(time.monotonic() - began - BEAT)

    async def tell(self) -> None:
        """Answer each line on standard input with what was measured since the last one."""
        while await asyncio.to_thread(sys.stdin.readline):
            late, self._late = sorted(self._late), [0.0]
            before, self._spent = self._spent, spent()
            own, workers = (now - then for now, then in zip(self._spent, before, strict=True))
            sys.stdout.buffer.write(
                msgspec.json.encode(Loop(late[-1], late[int(len(late) * 0.99)], own, workers)) + b"\n"
            )
            sys.stdout.buffer.flush()


def spent() -> tuple[float, float]:
    """Return the processor time of this process and of its children, in seconds."""
    mine, children = str(os.getpid()), 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if fields[1] == mine:
            children += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return time.process_time(), children


async def run(url: str, store: str) -> None:
    """Run the bot at the loopback with this address, until it is killed."""
    speak_to(url)
    watch = Watch()
    settings = Settings(database=store, limit_tables=FREE, limit_pictures=FREE, limit_searches=FREE, backups="off")
    await asyncio.gather(watch.beat(), watch.tell(), serve(settings, "token"))


if __name__ == "__main__":
    logs.set_up("ERROR", as_json=True)
    asyncio.run(run(*sys.argv[1:]))
