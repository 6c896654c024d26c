"""Work on what strangers send in: in a process of its own, with bounded time and memory.

The process is a module run by ``python -m``: it takes bytes, gives bytes and
touches nothing else. Where it needs more than it may have it is ended, and
only whoever asked hears of it.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress

from engine import Record

try:
    import resource
except ImportError:  # pragma: no cover - not on every system; then only the clock bounds it
    resource = None  # type: ignore[assignment]  # looked at before use


class Bounds(Record, frozen=True):
    """What a process may use.

    Args:
        seconds: of a processor. megabytes: of memory. patience: seconds by the clock, on a busy machine.
    """

    seconds: int = 4
    megabytes: int = 512
    patience: int = 30


class TooMuchError(Exception):
    """The process needed more than it may have, or broke."""


async def run(module: str, data: bytes, bounds: Bounds) -> bytes:
    """Give bytes to a module in a process of its own and return what it gives.

    Raises:
        TooMuchError: it needed more than ``bounds``, or broke.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, str(bounds.seconds), str(bounds.megabytes),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        async with asyncio.timeout(bounds.patience):
            given, _ = await process.communicate(data)
    except TimeoutError:
        raise TooMuchError from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode != 0:
        raise TooMuchError
    return given


def main(work: Callable[[bytes], bytes]) -> None:
    """Be such a process: bound it, then do the work on what comes in."""
    seconds, megabytes = int(sys.argv[1]), int(sys.argv[2])
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, AttributeError):
        os.nice(5)
    given = work(sys.stdin.buffer.read())
    sys.stdout.buffer.write(given)
    sys.stdout.buffer.flush()
