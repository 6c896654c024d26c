"""The connections of pages: slow, silent and too many of them, and what is no HTTP."""

import asyncio
import logging
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from aiohttp import web

from bot.service.services import Services
from bot.web import server
from bot.web.front import WebFront
from bot.web.guard import Guard, Places
from bot.web.server import (
    MAX_CONNECTIONS_EACH,
    PROXY_SECONDS,
    SEND_SECONDS,
    SILENT_SECONDS,
    PageConnection,
    PageConnections,
    open_pages,
)
from tests.bot.conftest import Clock
from tests.web.conftest import find_path


@pytest.fixture
async def port(front: WebFront) -> AsyncIterator[int]:
    async with open_pages(front, "127.0.0.1:0") as port:
        yield port


async def _send(port: int, data: bytes) -> bytes:
    """Send bytes, and return what comes until the server hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    async with asyncio.timeout(5):
        answer = await reader.read()
    writer.close()
    return answer


async def test_what_is_no_http_gets_protected_words_and_reaches_no_log(
    services: Services, game: int, port: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Its answer has the same headers as all others, repeats nothing, and the key in its address is not logged."""
    token = (await find_path(services, game)).split("/")[2]
    with caplog.at_level(logging.DEBUG, logger="aiohttp.server"):
        for line in (b"\x00\xff", b"GET /t/%s/\xff HTTP/1.1" % token.encode(), b"<script> / HTTP/9.9"):
            answer = await _send(port, line + b"\r\nHost: x\r\nX\x00: <script>\r\n\r\n")
            assert answer.startswith(b"HTTP/1.0 400 ")
            assert b"default-src 'none'" in answer
            assert b"nosniff" in answer
            assert b"script>" not in answer
            assert b"aiohttp" not in answer
    assert token not in caplog.text
    answer = await _send(port, b"GET / HTTP/1.1\r\nHost: x\r\nExpect: <script>\r\nConnection: close\r\n\r\n")
    assert b"default-src 'none'" in answer


class _Transport(asyncio.Transport):
    def __init__(self, peer: str) -> None:
        super().__init__({"peername": (peer, 1)})
        self.waiting, self.is_open = 0, True

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def is_closing(self) -> bool:
        return not self.is_open

    def abort(self) -> None:
        self.is_open = False

    close = abort


@pytest.fixture
async def lines(front: WebFront, clock: Clock) -> PageConnections:
    front.guard.proxies = frozenset({"10.0.0.1"})
    return PageConnections(front.guard, 60, clock)


async def _answer(request: web.BaseRequest) -> web.StreamResponse:
    raise web.HTTPNotFound


def _connect(lines: PageConnections, peer: str) -> tuple[PageConnection, _Transport]:
    line, transport = PageConnection(lines, web.Server(_answer)), _Transport(peer)
    line.connection_made(transport)
    return line, transport


async def test_a_connection_that_says_nothing_is_closed(lines: PageConnections, clock: Clock) -> None:
    """Not while a request is dealt with; later while an answer is on its way, or where a proxy keeps it in store."""
    (line, transport), (proxy, _) = (_connect(lines, peer) for peer in ("5.5.5.5", "10.0.0.1"))
    assert not line.has_waited_long(clock.now + SILENT_SECONDS)
    assert line.has_waited_long(clock.now + SILENT_SECONDS + 1)
    assert not proxy.has_waited_long(clock.now + PROXY_SECONDS)
    assert proxy.has_waited_long(clock.now + PROXY_SECONDS + 1)
    transport.waiting = 1
    assert not line.has_waited_long(clock.now + SEND_SECONDS)
    assert line.has_waited_long(clock.now + SEND_SECONDS + 1)
    line.answering = True
    assert not line.has_waited_long(clock.now + SEND_SECONDS + 1)


async def test_a_connection_waits_from_its_answer_on_and_not_while_it_is_given(
    lines: PageConnections, clock: Clock
) -> None:
    """Whether the answer can be given or not."""
    line, _ = _connect(lines, "5.5.5.5")
    waited = list[bool]()

    async def answer_late(request: web.BaseRequest) -> web.StreamResponse:
        clock.now += 1000
        waited.append(line.has_waited_long(clock.now))
        return await _answer(request)

    server = cast("Any", SimpleNamespace(request_handler=answer_late))
    lines.watch_requests(server)
    with pytest.raises(web.HTTPNotFound):
        await server.request_handler(SimpleNamespace(protocol=line))
    waited += [line.has_waited_long(clock.now + late) for late in (SILENT_SECONDS, SILENT_SECONDS + 1)]
    assert waited == [False, False, True]


def test_places_that_are_given_back_can_be_taken_again() -> None:
    places = Places(4, 2)
    taken = {who: [places.take(who) for _ in range(3)] for who in ("ann", "bob")}
    assert taken == {"ann": [True, True, False], "bob": [True, True, False]}
    assert not places.take("cid"), "all are taken"
    for who in ("ann", "bob"):
        places.give_back(who)
    assert [places.take(who) for who in ("ann", "ann", "dan", "bob")] == [True, False, True, False]


async def test_connections_are_counted_by_address_and_in_all(lines: PageConnections, clock: Clock) -> None:
    """Who has waited longest gives way to a newcomer; what a proxy opens is that of many."""
    mine = [_connect(lines, "5.5.5.5")[1] for _ in range(MAX_CONNECTIONS_EACH + 1)]
    assert [transport.is_open for transport in mine] == [True] * MAX_CONNECTIONS_EACH + [False]
    clock.now += 1
    others = [_connect(lines, "10.0.0.1") for _ in range(20)]
    assert all(transport.is_open for _, transport in others)
    assert lines.places.taken == len(lines.open) == 60
    _, late = _connect(lines, "6.6.6.6")
    assert late.is_open
    assert sum(transport.is_open for transport in mine) == MAX_CONNECTIONS_EACH - 1
    for line, _ in others:
        line.connection_lost(None)
    assert lines.places.taken == len(lines.open) == 40


async def test_a_connection_without_a_whole_request_ends(
    services: Services, front: WebFront, monkeypatch: pytest.MonkeyPatch
) -> None:
    del services
    monkeypatch.setattr(server, "SILENT_SECONDS", 0.0)
    monkeypatch.setattr(server, "SWEEP_SECONDS", 0.01)
    front.guard = Guard()
    async with open_pages(front, "127.0.0.1:0") as port:
        assert await _send(port, b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ") == b""
