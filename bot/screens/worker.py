"""A worker process: jobs come in on standard input, replies go out on standard output, one at a time.

``python -m bot.screens.worker LANE`` ends when its input ends, whatever it is
at: then the bot is gone. It knows the rules, the desk and how to draw, but no
store, no Discord and no token.
"""

import gc
import os
import queue
import signal
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, BinaryIO

import msgspec

from bot.screens import desk_tasks, drawing, written
from bot.service.workers import follow_up, menu, next_up, tasks, writing
from bot.service.workers.frames import LENGTH, Job
from bot.service.workers.held import MOST_HELD, Positions, Task

MEMORY = 1 << 30
"""Bytes of address space; a job that needs more breaks the worker, not the machine."""
POLITE: Mapping[str, int] = {"looks": 5}
"""How far a lane steps back for the event loop and the moves."""


def known() -> dict[str, Task[Any, Any]]:
    """Return the tasks a worker knows, by name."""
    rooms = (tasks, follow_up, menu, next_up, writing, desk_tasks, written, drawing)
    found = [value for room in rooms for value in vars(room).values() if isinstance(value, Task)]
    return {task.name: task for task in found}


def frames(source: BinaryIO) -> Iterable[bytes]:
    """Yield the frames of a stream until it ends."""
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        yield source.read(length)


def work(jobs: Iterable[bytes], out: BinaryIO) -> None:
    """Do jobs and write the replies."""
    named, positions = known(), Positions(MOST_HELD)
    out.write(LENGTH.pack(0))  # ready
    out.flush()
    for frame in jobs:
        job = msgspec.msgpack.decode(frame, type=Job)
        reply = named[job.task].answer(job, positions)
        out.write(LENGTH.pack(len(reply)) + reply)
        out.flush()
        if job.task in (drawing.READ.name, drawing.WARM_UP.name):
            spare_what_stays()


def spare_what_stays() -> None:
    """Let the garbage collector pass over all that is loaded by now: looking through it costs a tenth of a second."""
    gc.collect()
    gc.freeze()


def _be_modest(lane: str) -> None:
    """Step back for others, take no more memory than is good, and leave the ending to the bot."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        os.nice(POLITE.get(lane, 0))
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415  # not on every system

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def main() -> None:
    """Work until the bot hangs up."""
    _be_modest("".join(sys.argv[1:]))
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not speak between the frames
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for frame in frames(sys.stdin.buffer):
            jobs.put(frame)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    work(iter(jobs.get, None), out)


if __name__ == "__main__":
    main()
