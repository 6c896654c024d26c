"""A network in memory: connections and servers of a simulated loop, and what goes wrong with a line."""

import asyncio
import contextvars
from asyncio import sleep
from collections.abc import Callable
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.tracing import Trace

from tests.simulation.loop import OUTSIDE, PROCESS, SimulatedLoop

LATENCY_SECONDS = (0.002, 0.03)


class MemoryTransport(asyncio.Transport):
    """One end of a line; what is written arrives at the other a little later, in order."""

    def __init__(self, loop: SimulatedLoop, protocol: Any, context: contextvars.Context, name: str) -> None:  # noqa: ANN401
        super().__init__({"peername": ("192.0.2.1", 1), "sockname": (name, 2)})
        self._loop = loop
        self._protocol = protocol
        self.context = context
        self.peer: MemoryTransport | None = None
        self.intercept: Callable[[bytes], bytes | None] | None = None
        self._arrives = 0.0
        self._is_closing = False
        self._is_lost = False
        self._is_paused = False
        self._held: list[Callable[[], None]] = []

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        protocol: asyncio.BaseProtocol = self._protocol
        return protocol

    def is_closing(self) -> bool:
        return self._is_closing

    def is_reading(self) -> bool:
        return not self._is_paused

    def pause_reading(self) -> None:
        self._is_paused = True

    def resume_reading(self) -> None:
        self._is_paused = False
        held, self._held = self._held, []
        for arrive in held:
            self._loop.call_soon(arrive, context=self.context)

    def get_write_buffer_size(self) -> int:
        return 0

    def can_write_eof(self) -> bool:
        return False

    def write(self, data: Any) -> None:  # noqa: ANN401  # any kind of bytes
        if data and not self._is_closing:
            self._deliver(bytes(data))

    def close(self) -> None:
        """Hang up once everything written has arrived."""
        if not self._is_closing:
            self._is_closing = True
            self._deliver(None)
            self._loop.call_soon(self._lose, None, context=self.context)

    def abort(self) -> None:
        """Hang up at once; the other end sees no more than that it ended, as on a real line without unread bytes."""
        self.close()

    def reset(self) -> None:
        """Cut the line; the other end sees a reset."""
        if not self._is_closing:
            self._is_closing = True
            self._loop.call_soon(self._lose, None, context=self.context)
        self.cut()

    def cut(self) -> None:
        """Let the other end see a reset, and say nothing here."""
        self._is_closing = True
        peer = self.peer
        if peer is not None and not peer._is_lost:
            peer._is_closing = True
            peer._loop.call_later(LATENCY_SECONDS[0], peer._lose, ConnectionResetError(), context=peer.context)

    def _deliver(self, data: bytes | None) -> None:
        peer = self.peer
        if peer is None or peer._is_lost:
            return
        self._arrives = max(self._arrives, self._loop.time() + self._loop.delays.uniform(*LATENCY_SECONDS)) + 1e-7
        self._loop.call_at(self._arrives, peer.receive, data, context=peer.context)

    def hold_back(self, seconds: float) -> None:
        """Let everything that is written from now on arrive later."""
        self._arrives = self._loop.time() + seconds

    def receive(self, data: bytes | None) -> None:
        """Take what arrives, ``None`` for the end; ``intercept`` may change the first of it, or take it away."""
        if self._is_lost:
            return
        if data is not None and self.intercept is not None:
            intercept, self.intercept = self.intercept, None
            if (data := intercept(data)) is None:
                return
        if self._is_paused:
            self._held.append(lambda: self.receive(data))
        elif data is not None:
            if not self._is_closing:
                self._protocol.data_received(data)
        else:
            self._is_closing = True
            self._protocol.eof_received()
            self._lose(None)

    def _lose(self, error: Exception | None) -> None:
        if not self._is_lost:
            self._is_lost = True
            self.context.get(PROCESS, OUTSIDE).resources.pop(self, None)
            self._protocol.connection_lost(error)


class _Name:
    """What a server's socket says of itself."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address

    def getsockname(self) -> tuple[str, int]:
        return self._address


class MemoryServer(asyncio.AbstractServer):
    """Something that listens."""

    def __init__(self, network: "Network", address: tuple[str, int]) -> None:
        self._network = network
        self._address = address
        self.sockets = [_Name(address)]

    def close(self) -> None:
        self._network.listeners.pop(self._address, None)

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._network.loop

    async def start_serving(self) -> None:
        """Do nothing: it serves from the beginning."""

    async def serve_forever(self) -> None:
        await self._network.loop.create_future()

    async def wait_closed(self) -> None:
        """Wait for nothing: it is closed at once."""

    def is_serving(self) -> bool:
        return self._address in self._network.listeners


class Network:
    """Who listens where.

    Args:
        loop: in which all this happens.
    """

    def __init__(self, loop: SimulatedLoop) -> None:
        self.loop = loop
        self.listeners: dict[tuple[str, int], tuple[Callable[[], Any], contextvars.Context]] = {}
        loop.create_server = self.listen  # type: ignore[method-assign, assignment]
        loop.create_connection = self.connect  # type: ignore[method-assign, assignment]

    async def listen(
        self,
        factory: Callable[[], Any],
        host: str = "",
        port: int = 0,
        **rest: Any,  # noqa: ANN401
    ) -> MemoryServer:
        """Listen at an address; at a port of our choice if it is 0."""
        address = (host, port or 1024 + len(self.listeners))
        self.listeners[address] = (factory, contextvars.copy_context())
        return MemoryServer(self, address)

    async def connect(
        self,
        factory: Callable[[], Any],
        host: str = "",
        port: int = 0,
        **rest: Any,  # noqa: ANN401
    ) -> tuple[asyncio.Transport, Any]:
        """Connect to who listens.

        Raises:
            ConnectionRefusedError: there is none.
        """
        await sleep(self.loop.delays.uniform(*LATENCY_SECONDS))
        if (host, port) not in self.listeners:
            raise ConnectionRefusedError(f"{host}:{port}")
        there, context = self.listeners[host, port]
        ours = MemoryTransport(self.loop, factory(), contextvars.copy_context(), host)
        theirs = MemoryTransport(self.loop, context.run(there), context, host)
        ours.peer, theirs.peer = theirs, ours
        for end in (ours, theirs):
            process = end.context.get(PROCESS)
            if process is not None:
                process.resources[end] = end.cut
        context.copy().run(theirs._protocol.connection_made, theirs)
        ours._protocol.connection_made(ours)
        return ours, ours._protocol


class MemoryConnector(aiohttp.BaseConnector):
    """Connects aiohttp's client by way of the loop, without names and sockets."""

    def __init__(self, *, limit: int = 100, loop: asyncio.AbstractEventLoop | None = None, **rest: Any) -> None:  # noqa: ANN401
        super().__init__(limit=limit)

    async def _create_connection(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,
    ) -> ResponseHandler:
        try:
            _, protocol = await self._loop.create_connection(self._factory, req.url.host or "", req.url.port or 80)
        except OSError as error:
            raise aiohttp.ClientConnectorError(req.connection_key, error) from error
        made: ResponseHandler = protocol
        return made
