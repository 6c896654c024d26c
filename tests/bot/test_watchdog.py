"""The watchdog ends a process whose event loop stands still, and no other: each is a real process here."""

import signal
import subprocess
import sys
import time

import pytest

from bot.operations.serve import EXIT_CODE

PROGRAM = """
import asyncio, re, time
from bot.operations.serve import Watchdog

def stuck(seconds=1e9):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

def stuck_in_c():
    re.match("(a+)+$", "a" * 60 + "b")

async def main():
    watched = asyncio.create_task(Watchdog({limit}, 0.02).run())
    await asyncio.sleep(0.1)
    print("up", flush=True)
    {then}
    watched.cancel()

asyncio.run(main())
print("over", flush=True)
"""


def started(then: str, limit: float) -> subprocess.Popen[str]:
    """Start a process that is watched, and wait until it is."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(then=then, limit=limit)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"
    return process


def test_a_loop_that_never_ends_ends_the_process_and_says_where() -> None:
    process = started("stuck()", limit=0.4)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == EXIT_CODE
    assert "the event loop is stuck" in said
    assert "in stuck" in said


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the kernel counts no processor time here")
def test_code_that_lets_no_thread_run_ends_the_process_too() -> None:
    process = started("stuck_in_c()", limit=0.4)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGPROF


def test_a_process_that_was_stopped_for_longer_than_the_limit_goes_on() -> None:
    """As when the machine sleeps: the loop was busy and gave no sign, and the watchdog did not run either."""
    process = started("stuck(0.3)", limit=3.0)
    time.sleep(0.1)  # in the midst of that
    process.send_signal(signal.SIGSTOP)
    time.sleep(4)
    process.send_signal(signal.SIGCONT)
    said, _ = process.communicate(timeout=60)
    assert (said, process.returncode) == ("over\n", 0)


def test_a_loop_that_is_slow_again_and_again_goes_on() -> None:
    process = started("[(time.sleep(0.5), await asyncio.sleep(0.05)) for _ in range(5)]", limit=2.0)
    said, _ = process.communicate(timeout=60)
    assert said == "over\n"
