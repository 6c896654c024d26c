"""The twins of the simulation do what the real ones do: lines, database files, workers; each contract runs on both."""

import asyncio
import contextlib
import shutil
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from bot.model.posts import Notice, Owed
from bot.model.standing import Course
from bot.service.workers.jobs import LANES
from bot.service.workers.pool import Crew, Pipe, ThreadPipe, Worker, Workers
from bot.service.workers.tasks import LEGAL, STAND
from bot.store import leases, outbox
from bot.store.database import Database
from engine import TITLES, LogEntry, LogError, Setup
from tests.simulation.simulation import SimulatedPipe, Simulation
from tests.support.toy import Bid, toy

Seen = list[object]
Contract = Callable[[Path, Pipe], Coroutine[Any, Any, Seen]]


async def exchange_over_lines(path: Path, pipe: Pipe) -> Seen:
    """What is written comes in order and whole; the end of a line, a cut and an empty place are told apart."""
    del path, pipe

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while (line := await reader.readline()) not in (b"", b"cut\n"):
            writer.write(line * 20_000)
            if line == b"last\n":
                writer.close()
                return
        writer.transport.abort()

    async def ask(*words: bytes) -> object:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for word in words:
            writer.write(word)
        try:
            answer = await reader.read(-1)
        except ConnectionResetError as error:
            return type(error)
        finally:
            writer.close()
        return len(answer), answer[:4], answer[-5:]

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    seen = [await ask(b"on", b"e\nla", b"st\n"), await ask(b"cut\n")]
    server.close()
    try:
        await ask(b"last\n")
    except OSError as error:
        seen.append(type(error))
    return seen


async def write_and_read(path: Path, pipe: Pipe) -> Seen:
    """A reader sees one moment, writers come one after the other, and what fails leaves nothing."""
    del pipe
    database, order = await Database.open(path), list[str]()

    async def write(word: str) -> None:
        async with database.writing() as session:
            await leases.write_note(session, "word", word)
            order.append(word)
            await leases.read_note(session, "word")
            order.append(word)

    async def read() -> Seen:
        async with database.reading() as session:
            before = await leases.read_note(session, "word")
            await write("later")
            return [before, await leases.read_note(session, "word")]

    await write("first")
    seen = await read()
    await asyncio.gather(*map(write, "abc"))
    seen += [word == after for word, after in zip(order[::2], order[1::2], strict=True)]
    try:
        async with database.writing() as session:
            await leases.write_note(session, "word", "undone")
            await outbox.owe(session, [Owed("9:x", Notice(9, "There is no such table."), 0)], 0)
    except IntegrityError as error:
        seen.append(str(error.orig))
    with contextlib.suppress(asyncio.CancelledError):
        async with database.writing() as session:
            await leases.write_note(session, "word", "cancelled")
            raise asyncio.CancelledError
    async with database.reading() as session:
        seen.append(await leases.read_note(session, "word") in order[-1])
    await database.close()
    return seen


async def work(path: Path, pipe: Pipe) -> Seen:
    """A worker answers from the position it is sent, goes on from the one it holds, and refuses what is no game."""
    del path
    workers = Workers({lane: Crew([Worker(pipe)]) for lane in LANES})
    course = Course(1, Setup("toy", 2, seed=3), ())
    longer = Course(1, course.setup, (LogEntry(0, Bid(1)),))
    facts = await workers.do(STAND, None, course)
    seen: Seen = [facts, *await workers.do(LEGAL, (1,), longer)]
    try:
        await workers.do(STAND, None, Course(2, course.setup, (LogEntry(0, Bid(99)),)))
    except LogError as error:
        seen.append(str(error))
    await workers.close()
    return seen


@pytest.mark.parametrize("contract", [exchange_over_lines, write_and_read, work])
def test_a_twin_does_what_the_real_one_does(
    contract: Contract, tmp_path: Path, fresh_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TITLES, "toy", toy())
    real, twin = (Path(shutil.copy(fresh_store, tmp_path / name)) for name in ("real.sqlite", "twin.sqlite"))
    seen = asyncio.run(contract(real, ThreadPipe()))
    run = Simulation(1)
    assert run.run(contract(twin, SimulatedPipe(run))) == seen
    assert len(seen) >= 3
