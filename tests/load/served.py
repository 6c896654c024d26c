"""The bot under load, as it is served, in a process of its own.

``python -m tests.load.served URL pictures|dots SETTING=VALUE ...`` serves with these settings.

Each line on standard input asks how its event loop does.
"""

import asyncio
import io
import os
import sys
import time
from pathlib import Path

import msgspec
from PIL import Image

from bot.operations import logs
from bot.operations import serve as service
from bot.operations.settings import Settings
from bot.screens.drawing import Draw
from engine.view import View
from render import Renderer
from tests.discord.gateway import speak_to

BEAT_SECONDS = 0.01
PAGES = "https://trains.example"


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
        self._spent = processor_times()

    async def beat(self) -> None:
        """Note how late each beat comes."""
        while True:
            began = time.monotonic()
            await asyncio.sleep(BEAT_SECONDS)
            self._late.append(time.monotonic() - began - BEAT_SECONDS)

    async def report(self) -> None:
        """Answer each line on standard input with what was measured since the last one."""
        while await asyncio.to_thread(sys.stdin.readline):
            late, self._late = sorted(self._late), [0.0]
            before, self._spent = self._spent, processor_times()
            own, workers = (now - then for now, then in zip(self._spent, before, strict=True))
            sys.stdout.buffer.write(
                msgspec.json.encode(Loop(late[-1], late[int(len(late) * 0.99)], own, workers)) + b"\n"
            )
            sys.stdout.buffer.flush()


def processor_times() -> tuple[float, float]:
    """Return the processor time of this process and of its children, in seconds."""
    fields = (read_fields(child) for child in list_children(os.getpid()))
    ticks = sum(int(each[11]) + int(each[12]) for each in fields if each)
    return time.process_time(), ticks / os.sysconf("SC_CLK_TCK")


def list_children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    running = [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]
    return [each for each in running if read_fields(each)[1:2] == [str(pid)]]


def read_fields(pid: int) -> list[str]:
    """Return what the system says of a process, from its state on; nothing where it has just ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def make_dotter(renderer: Renderer) -> Draw:
    """Return what draws a dot for each picture."""
    del renderer
    buffer = io.BytesIO()
    Image.new("RGB", (1, 1)).save(buffer, "png")

    async def draw(view: View, palette: str) -> bytes:
        del view, palette
        return buffer.getvalue()

    return draw


async def run(url: str, drawn: str, *words: str) -> None:
    """Run the bot at the stand-in with this address and with these settings, until it is killed."""
    speak_to(url)
    if drawn == "dots":
        service.make_drawer = make_dotter  # type: ignore[attr-defined]  # what it has imported
    watch = Watch()
    none = "0,0"  # few people press for many here
    given = {"limit_tables": none, "limit_pictures": none, "limit_searches": none, "backups": "off", "web": PAGES}
    given |= {name: value for name, _, value in (each.partition("=") for each in words)}
    settings = Settings.model_validate(given)
    await asyncio.gather(watch.beat(), watch.report(), service.serve(settings, "token"))


if __name__ == "__main__":
    logs.set_up("ERROR", as_json=True)
    asyncio.run(run(*sys.argv[1:]))
