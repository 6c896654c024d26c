"""The lowest layer of mail: sockets, threads and waits of the inbox, and what goes wrong with each command on a line.

Above it run the unmodified imaplib, imap_tools and aiosmtplib. The inbox reads in a thread; here that is a greenlet,
which leaves the loop to others wherever the thread would block.
"""

import asyncio
import errno
import imaplib
import socket
from asyncio import sleep
from collections.abc import Callable, Coroutine, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from aiosmtplib.protocol import SMTPProtocol
from imap_tools import idle
from sqlalchemy.util import await_only, greenlet_spawn

from bot.mail import inbox
from tests.simulation.network import MemoryTransport
from tests.simulation.points import DEATHS, SPELL_SECONDS, Fault

if TYPE_CHECKING:
    from tests.simulation.simulation import Simulation

SMTP_PORT, IMAP_PORT = 25, 143
KINDS = {SMTP_PORT: "smtp", IMAP_PORT: "imap"}
LATE_SECONDS = 45.0
"""Longer than either side waits for an answer."""
_LINE = (Fault("cut before"), Fault("cut after"), Fault("late", late=LATE_SECONDS), Fault("cut before", SPELL_SECONDS))
_SMTP_WORDS = (
    "421 4.3.2 closing", "450 4.2.0 busy", "451 4.3.0 error", "452 4.3.1 full", "500 5.5.2 what", "552 5.2.2 full",
    "554 5.7.1 policy",
)  # fmt: skip
_IMAP_WORDS = ("NO", "BAD", "BYE")
FAULTS: Mapping[str, tuple[Fault, ...]] = {
    "smtp": (*DEATHS, *_LINE, *(Fault(f"says {words}", SPELL_SECONDS) for words in _SMTP_WORDS), Fault("done")),
    "imap": (*DEATHS, *_LINE, *(Fault(f"says {word}", SPELL_SECONDS) for word in _IMAP_WORDS)),
}
"""What goes wrong with a command, whose name is the place of its point; "done": it was done and is called failed."""


def list_changes(run: "Simulation") -> tuple[tuple[Any, str, Any], ...]:
    """Return what is replaced while a simulation runs: object, name, and what is there instead."""
    run.loop.create_connection = _connecting(run)  # type: ignore[method-assign]

    def write(protocol: SMTPProtocol, data: bytes) -> None:
        if protocol.transport is None or protocol.transport.is_closing():
            return write_smtp(protocol, data)
        verb = data.split(None, 1)[0].decode("ascii", "replace").upper()
        transport: Any = protocol.transport
        return _write(run, "smtp", verb if verb in _VERBS else "TEXT", transport, data)

    write_smtp = SMTPProtocol.write
    return (
        (inbox, "threading", SimpleNamespace(Thread=_Thread, Event=_Event)),
        (inbox, "Future", _Future),
        (imaplib.IMAP4, "_create_socket", lambda client, timeout: MemorySocket(run, client.host, client.port, timeout)),
        (idle, "get_socket_poller", lambda line, timeout=None: line.wait(timeout)),
        (SMTPProtocol, "write", write),
        (socket, "getfqdn", lambda name="": name or "games.example"),
    )


_VERBS = ("EHLO", "MAIL", "RCPT", "DATA", "QUIT", "RSET")


def _connecting(run: "Simulation") -> Any:  # noqa: ANN401
    """Return what connects, with the faults of a line to a mail server."""
    connect = run.network.connect

    async def connecting(factory: Callable[[], Any], host: str = "", port: int = 0, **rest: Any) -> Any:  # noqa: ANN401
        fault = run.points.meet(KINDS[port], "connect") if port in KINDS else None
        if run.strike(fault, "before"):
            await run.loop.create_future()
        if fault is not None and fault.name.startswith(("cut", "says")):
            raise ConnectionRefusedError(f"{host}:{port}")
        await sleep(fault.late if fault else 0)
        made = await connect(factory, host, port, **rest)
        if run.strike(fault, "after"):
            await run.loop.create_future()
        return made

    return connecting


def _write(run: "Simulation", kind: str, verb: str, line: MemoryTransport, data: bytes) -> None:
    """Write a command to a mail server, or let it go wrong."""
    fault = run.points.meet(kind, verb)
    run.note(f"{kind} {verb}{f' {fault.name}' if fault else ''}")
    if run.strike(fault, "before"):
        return
    name = fault.name if fault else ""
    if name == "cut before":
        line.reset()
        return
    if name.startswith("says "):
        answer = _say(kind, name.removeprefix("says "), data)
        if verb != "TEXT":  # the server would wait for the mail otherwise
            run.loop.call_soon(line.receive, answer, context=line.context)
            return
        run.refusals.append(answer.decode().strip())
    if fault is not None and fault.late and line.peer is not None:
        line.peer.hold_back(fault.late)
    if name == "done":
        line.intercept = lambda _: b"451 4.3.0 error\r\n"
    elif name == "cut after":
        line.intercept = lambda _: line.reset()
    elif name == "killed after":
        line.intercept = lambda answer: None if run.strike(fault, "after") else answer
    line.write(data)


def _say(kind: str, words: str, data: bytes) -> bytes:
    """Return the answer of a server to a command."""
    tag = data.split(None, 1)[0].decode()
    return (
        f"{words}\r\n" if kind == "smtp" else f"* {words}\r\n" if words == "BYE" else f"{tag} {words} no\r\n"
    ).encode()


def _block(work: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401  # whatever the work gives
    """Wait for something in what was a thread."""
    return await_only(work)


class _Thread:
    """A thread that is a greenlet of the loop."""

    def __init__(self, target: Callable[[], None], **rest: object) -> None:
        self._target = target

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(greenlet_spawn(self._target))


class _Event:
    """An event that a thread waits for."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def is_set(self) -> bool:
        return self._event.is_set()

    def set(self) -> None:
        self._event.set()

    def wait(self, timeout: float | None = None) -> bool:
        async def wait() -> bool:
            try:
                async with asyncio.timeout(timeout):
                    await self._event.wait()
            except TimeoutError:
                return False
            return True

        return bool(_block(wait()))


class _Future:
    """What a thread waits for."""

    def __init__(self) -> None:
        self._future: asyncio.Future[Any] = asyncio.get_event_loop().create_future()

    def __class_getitem__(cls, item: object) -> type["_Future"]:
        return cls

    def set_result(self, result: object) -> None:
        self._future.set_result(result)

    def cancel(self) -> None:
        self._future.cancel()

    def result(self) -> Any:  # noqa: ANN401  # whatever it was given
        async def wait() -> Any:  # noqa: ANN401
            return await self._future

        return _block(wait())


class MemorySocket(asyncio.Protocol):
    """A socket of a thread, as imaplib uses it, at one end of a line in memory."""

    def __init__(self, run: "Simulation", host: str, port: int, timeout: float | None) -> None:
        self._run = run
        self._timeout = timeout
        self._data = bytearray()
        self._end: Exception | None = None
        self._changed = asyncio.Event()
        self._io_refs = 0

        async def connect() -> Any:  # noqa: ANN401
            async with asyncio.timeout(timeout):
                return await run.loop.create_connection(lambda: self, host, port)

        self._line: MemoryTransport
        self._line, _ = _block(connect())

    def data_received(self, data: bytes) -> None:
        self._data += data
        self._changed.set()

    def connection_lost(self, error: Exception | None) -> None:
        self._end = error or EOFError()
        self._changed.set()

    def wait(self, timeout: float | None) -> bool:
        """Wait until there is something to read; return whether there is."""

        async def wait() -> None:
            async with asyncio.timeout(timeout):
                while not self._data and self._end is None:
                    self._changed.clear()
                    await self._changed.wait()

        if self._data or self._end is not None:
            return True
        try:
            _block(wait())
        except TimeoutError:
            return False
        return True

    def recv_into(self, buffer: memoryview) -> int:
        """Read; raise as a socket does."""
        if self._timeout == 0 and not self._data and self._end is None:
            raise BlockingIOError(errno.EAGAIN, "nothing there")
        if not self.wait(self._timeout):
            raise TimeoutError("timed out")
        if not self._data and isinstance(self._end, OSError):
            raise self._end
        count = min(len(buffer), len(self._data))
        buffer[:count] = self._data[:count]
        del self._data[:count]
        return count

    def sendall(self, data: bytes) -> None:
        """Write a command."""
        if self._end is not None or self._line.is_closing():
            raise BrokenPipeError
        words = data.decode("utf-8", "replace").split()
        verb = " ".join(words[1 : 3 if words[1:2] == ["UID"] else 2]) or words[0]
        _write(self._run, "imap", verb.replace("UID ", "").upper(), self._line, data)

    def makefile(self, mode: str) -> Any:  # noqa: ANN401  # a buffered reader
        """Return a file to read from."""
        self._io_refs += 1
        make: Any = socket.socket.makefile  # it takes whatever looks like a socket
        return make(self, mode)

    def _decref_socketios(self) -> None:
        self._io_refs -= 1

    def fileno(self) -> int:
        return -1

    def gettimeout(self) -> float | None:
        return self._timeout

    def settimeout(self, timeout: float | None) -> None:
        self._timeout = timeout

    def shutdown(self, how: int) -> None:
        """End the line for both sides."""
        del how
        self._line.close()
        self.connection_lost(None)

    def close(self) -> None:
        self._line.close()
