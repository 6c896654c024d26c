"""Workers that are processes of their own: started, spoken with, given up, replaced."""

import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from bot.service.workers.frames import LENGTH, Job
from bot.service.workers.held import Lane, Task
from bot.service.workers.pool import Crew, PipeBrokenError, Worker, Workers

START = 60.0
"""Seconds in which a worker must be ready."""
GRACE = 2.0
"""Seconds in which a worker that is told to end may do so."""
_ROOM = 1 << 20
MANY_CORES, MOST_LOOKERS = 6, 8


def staffed(program: str, cores: int) -> Workers:
    """Return workers that are processes, as many as the processors are good for.

    Args:
        program: the module that a worker runs.
        cores: processors they may keep busy.
    """
    counts: dict[Lane, int] = {"moves": 1 if cores < MANY_CORES else 2, "looks": min(cores, MOST_LOOKERS)}
    return Workers(
        {lane: Crew([Worker(ProcessPipe(program, lane)) for _ in range(count)]) for lane, count in counts.items()}
    )


def processors() -> int:
    """Return how many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


class ProcessPipe:
    """The way to one process, over its standard input and output; it is started when it is needed first."""

    def __init__(self, program: str, lane: str) -> None:
        self._command = (sys.executable, "-P", "-m", program, lane)
        self._process: asyncio.subprocess.Process | None = None

    async def exchange(self, task: Task[Any, Any], job: Job) -> bytes:
        """Have a job done by the process.

        Raises:
            PipeBrokenError: it ended, or did not answer in time; it is gone.
        """
        try:
            process = await self._started()
            async with asyncio.timeout(task.seconds):
                return await _spoken(process, msgspec.msgpack.encode(job))
        except (OSError, EOFError, TimeoutError) as error:
            await self._end(0)
            raise PipeBrokenError(repr(error)) from error
        except asyncio.CancelledError:  # half a conversation cannot be taken up again
            await self._end(0)
            raise

    async def close(self) -> None:
        """Tell the process to end, and end it."""
        await self._end(GRACE)

    async def _started(self) -> asyncio.subprocess.Process:
        """Return the process, which says by an empty frame that it is ready."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=_ROOM,
                env=bare(os.environ),
            )  # fmt: skip
            async with asyncio.timeout(START):
                await _heard(self._process)
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


async def _spoken(process: asyncio.subprocess.Process, frame: bytes) -> bytes:
    """Send a frame and return the one that answers it.

    Raises:
        OSError, EOFError: the process has ended.
    """
    assert process.stdin is not None
    process.stdin.write(LENGTH.pack(len(frame)) + frame)
    await process.stdin.drain()
    return await _heard(process)


async def _heard(process: asyncio.subprocess.Process) -> bytes:
    assert process.stdout is not None
    (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
    return await process.stdout.readexactly(length)


def bare(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a process that only works: what is found here is found there, but no token."""
    kept = {name: value for name, value in environment.items() if "TOKEN" not in name.upper()}
    return {**kept, "PYTHONPATH": os.pathsep.join(sys.path)}
