"""Worker processes, both sides: started, spoken with and replaced by the bot; what each does until the bot hangs up.

``python -m bot.service.workers.processes LANE ROOM`` takes jobs on standard
input and gives replies on standard output, one at a time. It ends when its
input ends, whatever it is at: then the bot is gone. It knows the rules and the
rooms whose tasks it is given, but no store, no Discord and no token.
"""

import asyncio
import ctypes
import gc
import importlib
import math
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, BinaryIO

import msgspec

from bot.service.workers.jobs import LANES, LENGTH, MAX_POSITIONS, Job, Lane, LaneRules, Positions, Task

try:
    import resource
except ImportError:  # pragma: no cover - not on every system; then only the clock bounds a job
    resource = None  # type: ignore[assignment]  # looked at before use

START_SECONDS = 60.0
"""Within which a worker must be ready."""
GRACE_SECONDS = 2.0
"""In which a worker that is told to end may do so."""
TRIM_SECONDS = 5.0
"""After which memory that jobs have freed goes back to the system: pictures leave holes, of 60 MiB after an hour."""
_BUFFER = 1 << 20


class PipeBrokenError(Exception):
    """A worker came to a bad end, or did not answer in time."""


class ProcessPipe:
    """The way to one process, over its standard input and output; it is started when it is needed first.

    In a lane that is ``apart`` it is ended after each job, whatever came of it.
    """

    def __init__(self, lane: Lane) -> None:
        self._lane = lane
        self._process: asyncio.subprocess.Process | None = None

    async def exchange(self, task: Task[Any, Any], job: Job) -> bytes:
        """Have a job done by the process.

        Raises:
            PipeBrokenError: it ended, or did not answer in time; it is gone.
        """
        stays = False
        try:
            process = await self._get_process(task.room)
            async with asyncio.timeout(task.seconds):
                reply = await _exchange_frames(process, msgspec.msgpack.encode(job))
            stays = not LANES[self._lane].apart
        except (OSError, EOFError, TimeoutError) as error:
            raise PipeBrokenError(repr(error)) from error
        finally:
            if not stays:  # also where no one waits any more: half a conversation cannot be taken up again
                await self._end(0)
        return reply

    async def close(self) -> None:
        """Tell the process to end, and end it."""
        await self._end(GRACE_SECONDS)

    async def _get_process(self, room: str) -> asyncio.subprocess.Process:
        """Return the process, which says by an empty frame that it is ready."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", __name__, self._lane, room,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=_BUFFER,
                stderr=asyncio.subprocess.DEVNULL if LANES[self._lane].apart else None,
                env=strip_tokens(os.environ),
            )  # fmt: skip
            async with asyncio.timeout(START_SECONDS):
                await _read_frame(self._process)
        return self._process

    async def _end(self, grace: float) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await process.wait()
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _exchange_frames(process: asyncio.subprocess.Process, frame: bytes) -> bytes:
    """Send a frame and return the one that answers it.

    Raises:
        OSError, EOFError: the process has ended.
    """
    assert process.stdin is not None
    process.stdin.write(LENGTH.pack(len(frame)) + frame)
    await process.stdin.drain()
    return await _read_frame(process)


async def _read_frame(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
    return await process.stdout.readexactly(length)


def strip_tokens(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a process that only works: what is found here is found there, but no token."""
    kept = {name: value for name, value in environment.items() if "TOKEN" not in name.upper()}
    return {**kept, "PYTHONPATH": os.pathsep.join(sys.path)}


# --- the process ---------------------------------------------------------------------------


def main() -> None:
    """Work until the bot hangs up."""
    _, lane, room = sys.argv
    limit_process(next(rules for name, rules in LANES.items() if name == lane))
    importlib.import_module(room)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not speak between the frames
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for frame in read_frames(sys.stdin.buffer):
            jobs.put(frame)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    do_jobs(iter(jobs.get, None), out)


def read_frames(source: BinaryIO) -> Iterable[bytes]:
    """Yield the frames of a stream until it ends."""
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        yield source.read(length)


def do_jobs(jobs: Iterable[bytes], out: BinaryIO) -> None:
    """Do jobs and write the replies."""
    positions, trimmed = Positions(MAX_POSITIONS), time.monotonic()
    out.write(LENGTH.pack(0))  # ready
    out.flush()
    for frame in jobs:
        job = msgspec.msgpack.decode(frame, type=Job)
        found = vars(importlib.import_module(job.room)).values()
        task = next(each for each in found if isinstance(each, Task) and each.name == job.task)
        limit_time(job.cpu_seconds)
        reply = task.answer(job, positions)
        out.write(LENGTH.pack(len(reply)) + reply)
        out.flush()
        if task.warms:
            freeze_garbage_collector()
        if time.monotonic() - trimmed >= TRIM_SECONDS:
            trim_memory()
            trimmed = time.monotonic()


def trim_memory() -> None:
    """Give memory that is free back to the system, where its C library can."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def limit_process(rules: LaneRules) -> None:
    """Step back for others, take no more memory than is good, and leave the ending to the bot."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        os.nice(rules.nice)
    if resource is not None:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (rules.megabytes << 20, rules.megabytes << 20))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_time(seconds: int | None) -> None:
    """Let the system end this process once it has worked so many seconds from now; ``None`` takes the bound away."""
    if resource is None:
        return
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    limit = most if seconds is None else math.ceil(time.process_time()) + seconds
    with suppress(ValueError, OSError):  # a lower bound may be set from outside
        resource.setrlimit(resource.RLIMIT_CPU, (limit, most))


def freeze_garbage_collector() -> None:
    """Let the garbage collector pass over all that is loaded by now: looking through it costs a tenth of a second."""
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    main()
