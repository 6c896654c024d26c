"""The bot of the crowd's figure as it is served, told to say now and then how its event loop does."""

import asyncio
import os
import sys
import time
from pathlib import Path

import msgspec
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.operations import logs
from bot.operations.serve import serve
from bot.operations.settings import Settings
from tests.discord.crowd import Loop

BEAT = 0.01


class Watch:
    """Measures how late the event loop comes, and what time the processes take."""

    def __init__(self) -> None:
        self.late: list[float] = [0.0]
        self.spent = spent()

    async def beat(self) -> None:
        """Note how late each beat comes."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(BEAT)
            self.late.append(time.monotonic() - began - BEAT)

    async def tell(self) -> None:
        """Answer each line on standard input with what was measured since the last one."""
        while await asyncio.to_thread(sys.stdin.readline):
            late, self.late = sorted(self.late), [0.0]
            before, self.spent = self.spent, spent()
            own, workers = (now - then for now, then in zip(self.spent, before, strict=True))
            told = Loop(late[-1], late[int(len(late) * 0.99)], own, workers)
            sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
            sys.stdout.buffer.flush()


def spent() -> tuple[float, float]:
    """Return the processor time of this process and of its children, in seconds."""
    ticks, mine = os.sysconf("SC_CLK_TCK"), os.getpid()
    children = 0.0
    for folder in Path("/proc").iterdir():
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split() if folder.name.isdecimal() else []
        except OSError:  # it has just ended
            continue
        if fields and int(fields[1]) == mine:
            children += (int(fields[11]) + int(fields[12])) / ticks
    return time.process_time(), children


async def run(url: str, database: str) -> None:
    """Run the bot against the stand-in at a URL until it is killed."""
    Route.BASE = f"{url}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{url.replace('http', 'ws')}/gateway")
    watch = Watch()
    none = "0,0"  # one host opens all tables here, and few people press for all
    settings = Settings(database=database, limit_tables=none, limit_pictures=none, limit_searches=none)
    await asyncio.gather(watch.beat(), watch.tell(), serve(settings, "token"))


if __name__ == "__main__":
    logs.set_up("WARNING", as_json=True)
    asyncio.run(run(*sys.argv[1:]))
