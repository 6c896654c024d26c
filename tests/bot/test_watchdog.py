"""The watchdog ends a process whose event loop stands still, and no other: each is a real process here."""

import os
import signal
import time
from multiprocessing.process import BaseProcess
from typing import TextIO

import pytest

from bot.operations.serve import EXIT_CODE
from tests.support.fork_server import start_with_output
from tests.support.victims import run_watched


def start_watched(blocking: str, limit: float) -> tuple[BaseProcess, TextIO]:
    """Start a process that is watched, and wait until it is."""
    process, output = start_with_output(run_watched, limit, blocking)
    assert output.readline() == "up\n"
    return process, output


def wait_for_end(process: BaseProcess, output: TextIO) -> str:
    """Wait until a process has ended; return the rest of its output."""
    with output:
        text = output.read()
    process.join()
    return text


def test_process_whose_loop_never_returns_is_ended_and_logs_where() -> None:
    process, output = start_watched("for ever", limit=0.4)
    text = wait_for_end(process, output)
    assert process.exitcode == EXIT_CODE
    assert "the event loop is stuck" in text
    assert "in busy_loop" in text


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the kernel counts no processor time here")
def test_process_stuck_in_c_code_is_ended_by_the_kernel() -> None:
    process, output = start_watched("for ever in C", limit=0.4)
    wait_for_end(process, output)
    assert process.exitcode == -signal.SIGPROF


def test_process_stopped_for_longer_than_the_limit_continues() -> None:
    """As when the machine sleeps: the loop was busy and gave no sign, and the watchdog did not run either."""
    process, output = start_watched("for 0.3 s", limit=3.0)
    time.sleep(0.1)  # in the midst of that
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)
    time.sleep(4)
    os.kill(process.pid, signal.SIGCONT)
    assert (wait_for_end(process, output), process.exitcode) == ("over\n", 0)


def test_process_whose_loop_is_slow_repeatedly_continues() -> None:
    process, output = start_watched("again and again", limit=2.0)
    assert (wait_for_end(process, output), process.exitcode) == ("over\n", 0)
