"""Processes of tests, forked from a server that has loaded the bot once: loading it again takes a second each."""

import multiprocessing
import os
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TextIO

PRELOADED = ("tests.discord.bot_process", "tests.support.moving", "tests.support.victims")
_CONTEXT = multiprocessing.get_context("forkserver")


def start_process(work: Callable[..., None], *given: object) -> BaseProcess:
    """Fork a process that calls a function of one of the preloaded modules, and ends at the latest when we do."""
    _CONTEXT.set_forkserver_preload(list(PRELOADED))
    process = _CONTEXT.Process(target=work, args=given, daemon=True)
    process.start()
    return process


def start_with_output(work: Callable[..., None], *given: object) -> tuple[BaseProcess, TextIO]:
    """Fork a process as ``start_process`` does; return also what it writes to its standard output and error."""
    reader, writer = _CONTEXT.Pipe(duplex=False)
    process = start_process(_redirect, writer, work, given)
    writer.close()
    output = os.fdopen(os.dup(reader.fileno()), encoding="utf-8")
    reader.close()
    return process, output


def _redirect(writer: Connection, work: Callable[..., None], given: tuple[object, ...]) -> None:
    for stream in (1, 2):
        os.dup2(writer.fileno(), stream)
    writer.close()
    work(*given)
