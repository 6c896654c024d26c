"""The connections of pages: how many there may be, how long each may be silent, what is told to what is no HTTP.

A proxy in front of the bot bounds them, too; without one, who opens connections and says nothing, or asks and doesn't
read, would keep places that others need, and files that the bot needs for the chat.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import structlog
from aiohttp import web

from bot.service.services import Services
from bot.web.front import WebFront, load_page
from bot.web.guard import NEVER, SECURITY, Guard, Places, read_addresses

try:
    import resource
except ImportError:  # pragma: no cover - not on every system; then the system bounds nothing
    resource = None  # type: ignore[assignment]  # looked at before use

SHUTDOWN_SECONDS, BACKLOG = 2.0, 1024
MAX_CONNECTIONS, MAX_CONNECTIONS_EACH = 1500, 40
"""PageConnections in all, and of one address that is no proxy of ours."""
SPARE_FILES = 400
"""Files that connections must leave to the rest of the bot."""
SILENT_SECONDS, PROXY_SECONDS = 20.0, 90.0
"""How long a connection may wait before a whole request has come, and one of a proxy, which keeps them in store."""
SEND_SECONDS, SWEEP_SECONDS = 60.0, 1.0
"""How long an answer may be on its way; how often connections are looked at."""
RETRY_SECONDS = 30
ANY_PORT = "127.0.0.1:0"
_log = structlog.get_logger(__name__)


class PageConnection(web.RequestHandler):
    """A connection, and since when it waits; ``answering`` while one of its requests is dealt with."""

    def __init__(self, connections: "PageConnections", server: web.Server) -> None:
        rules: dict[str, Any] = {"access_log": None, "keepalive_timeout": PROXY_SECONDS, "lingering_time": 1.0}
        super().__init__(server, loop=asyncio.get_running_loop(), **rules)
        self.connections, self.place, self.is_proxy = connections, "", False
        self.since, self.answering = connections.clock(), False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a place, or hang up where there is none."""
        super().connection_made(transport)
        if not self.connections.take(self):
            self.abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Give the place back."""
        super().connection_lost(exc)
        self.connections.give_back(self)

    def abort(self) -> None:
        """Hang up, whatever is on its way."""
        if isinstance(self.transport, asyncio.Transport):
            self.transport.abort()

    def has_waited_long(self, now: float) -> bool:
        """Return whether nothing whole has come for too long, or an answer is not read."""
        if self.answering or not isinstance(self.transport, asyncio.Transport):
            return False
        waits = PROXY_SECONDS if self.is_proxy else SILENT_SECONDS
        return now - self.since > (max(waits, SEND_SECONDS) if self.transport.get_write_buffer_size() else waits)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer what is no HTTP without repeating it, and log none of it: it may hold the address of a page."""
        del message
        if status >= web.HTTPInternalServerError.status_code:
            _log.error("page", exc_info=exc)
        if request.writer.output_size:
            raise ConnectionError
        headers = {**SECURITY, "Cache-Control": NEVER}
        response = web.Response(status=status, text="This request can’t be read.", headers=headers)
        response.force_close()
        return response


class PageConnections:
    """All of them."""

    def __init__(self, guard: Guard, most: int = MAX_CONNECTIONS, clock: Callable[[], float] = time.monotonic) -> None:
        self.guard, self.clock = guard, clock
        self.places = Places(most, MAX_CONNECTIONS_EACH)
        self.open: set[PageConnection] = set()

    def take(self, connection: PageConnection) -> bool:
        """Count a connection; return whether there is a place for it."""
        peer = connection.peername
        address = peer[0] if isinstance(peer, tuple) else ""
        connection.is_proxy = address in self.guard.proxies
        # through a proxy come all visitors: of each only what they ask for is counted
        connection.place = (
            f"{address} {id(connection)}" if connection.is_proxy else self.guard.find_address(address, "")
        )
        if self.places.taken >= self.places.most:
            self._make_room()
        if not self.places.take(connection.place):
            return False
        self.open.add(connection)
        return True

    def give_back(self, connection: PageConnection) -> None:
        """Count a connection no longer."""
        if connection in self.open:
            self.open.remove(connection)
            self.places.give_back(connection.place)

    def _make_room(self) -> None:
        """Hang up on whoever has waited longest without asking anything."""
        idle = min((each for each in self.open if not each.answering), key=lambda each: each.since, default=None)
        if idle is not None:
            self.give_back(idle)
            idle.abort()

    def watch_requests(self, server: web.Server) -> None:
        """Have connections know while a request of theirs is dealt with."""
        answer = server.request_handler

        async def handle(request: web.BaseRequest) -> web.StreamResponse:
            connection = request.protocol
            assert isinstance(connection, PageConnection)
            connection.answering = True
            try:
                return await answer(request)
            finally:
                connection.answering, connection.since = False, self.clock()

        server.request_handler = handle

    async def sweep(self) -> None:
        """Hang up on all that have waited too long, until cancelled."""
        while True:
            now = self.clock()
            for connection in [each for each in self.open if each.has_waited_long(now)]:
                connection.abort()
            await asyncio.sleep(SWEEP_SECONDS)


def count_connections() -> int:
    """Return how many connections this process has files for, after it has asked the system for more."""
    if resource is None:  # pragma: no cover - see above
        return MAX_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wished = MAX_CONNECTIONS + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wished:
        soft = wished if hard == resource.RLIM_INFINITY else min(wished, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MAX_CONNECTIONS if soft == resource.RLIM_INFINITY else max(1, min(MAX_CONNECTIONS, soft - SPARE_FILES))


@asynccontextmanager
async def open_pages(front: WebFront, address: str) -> AsyncIterator[int]:
    """Serve pages at "host:port" while the block runs, behind the web server of the host; give the port.

    Raises:
        OSError: the address is taken.
    """
    await asyncio.to_thread(load_page)  # reads all code that draws, to know its version
    watching = asyncio.create_task(front.watch.run())
    try:
        async with open_app(front.make_app(), front.guard, address) as port:
            yield port
    finally:
        watching.cancel()


@asynccontextmanager
async def open_app(app: web.Application, guard: Guard, address: str) -> AsyncIterator[int]:
    """Serve something at "host:port" while the block runs, its connections bounded and nothing of them logged.

    Raises:
        OSError: the address is taken.
    """
    host, _, port = address.rpartition(":")
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=SHUTDOWN_SECONDS)
    await runner.setup()
    server = runner.server
    assert server is not None
    connections = PageConnections(guard, count_connections())
    connections.watch_requests(server)
    sweeping = asyncio.create_task(connections.sweep())
    try:
        listening = await asyncio.get_running_loop().create_server(
            lambda: PageConnection(connections, server), host.strip("[]") or "127.0.0.1", int(port), backlog=BACKLOG
        )
        try:
            yield listening.sockets[0].getsockname()[1]
        finally:
            listening.close()
    finally:
        sweeping.cancel()
        await runner.cleanup()


async def serve_pages(services: Services, web_address: str, listen: str, proxies: str) -> None:
    """Serve pages until cancelled; what goes wrong there ends nothing else."""
    services.boards.web = web_address.rstrip("/")
    while True:
        try:
            async with open_pages(WebFront(services, Guard(read_addresses(proxies))), listen):
                await asyncio.Event().wait()
        except OSError as error:  # an address that is taken, most likely
            _log.error("pages", exc_info=error)
        await asyncio.sleep(RETRY_SECONDS)


@asynccontextmanager
async def open_local_pages(services: Services, listen: str) -> AsyncIterator[None]:
    """Serve pages on this machine while the block runs, at any free port if the one that was set is taken."""
    async with AsyncExitStack() as stack:
        try:
            port = await stack.enter_async_context(open_pages(WebFront(services), listen))
        except OSError:
            port = await stack.enter_async_context(open_pages(WebFront(services), ANY_PORT))
        services.boards.web = f"http://127.0.0.1:{port}"
        yield
