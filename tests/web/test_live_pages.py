"""Pages that follow a game: what they hear of moves, and when they hear nothing more."""

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer

from bot.model.errors import BotError
from bot.model.records import NewTable
from bot.service.services import Services
from bot.web.front import FRESH_SECONDS, WebFront
from bot.web.guard import MAX_STREAMS_EACH
from bot.web.live import CHECK_SECONDS
from tests.bot.conftest import BOB, Clock
from tests.support import postgres
from tests.web.conftest import PLACE, Browser, address_figure, begin, fetch_moves, find_path, play


async def test_a_move_reaches_an_open_page(services: Services, game: int, front: WebFront, browser: Browser) -> None:
    """The event has the number, the name and the sentence, so no page asks for the whole list again."""
    path = await find_path(services, game)
    moves = await fetch_moves(browser, path)
    async with browser.get(f"{path}live?since={moves[6][0]}") as stream:
        assert stream.content_type == "text/event-stream"
        assert await stream.content.readline() == b"retry: 2000\n"
        await stream.content.readline()
        await play(services, game)
        await front.watch.look()
        async with asyncio.timeout(5):
            lines = [await stream.content.readline() for _ in range(3)]
        said = json.loads(lines[2].removeprefix(b"data: "))
        assert said["number"] == 7
        assert said["before"] == moves[6][0]
        assert said["move"][1]
        front.watch.end()
        async with asyncio.timeout(5):
            assert (await stream.content.read()).strip() == b""


async def test_an_open_page_hears_nothing_more_when_its_address_has_ended(
    services: Services, game: int, front: WebFront, browser: Browser
) -> None:
    """Within two seconds, whether moves follow one another or nothing is played; others go on."""
    assert FRESH_SECONDS + CHECK_SECONDS < 2
    own, now = await find_path(services, game, BOB.id), [0.0]
    front.guard.clock = lambda: now[0]
    moves = await fetch_moves(browser, own)
    figure = address_figure(own, moves, 6, "map")
    other = await browser.get(f"{await find_path(services, game)}live?since={moves[6][0]}")
    async with browser.get(f"{own}live?since={moves[6][0]}") as stream:
        assert await stream.content.readline() == b"retry: 2000\n"
        assert (await browser.get(figure)).status == 200
        await services.boards.revoke_own_link(game, BOB.id)
        now[0] += FRESH_SECONDS + 0.1
        await front.watch.check()
        async with asyncio.timeout(5):
            assert (await stream.content.read()).strip() == b""
        assert (await browser.get(figure)).status == 404
    assert front.watch.count(game) == 1
    other.close()


async def test_a_page_that_is_closed_makes_room_at_once(
    services: Services, game: int, front: WebFront, browser: Browser
) -> None:
    """Whoever opens a page seven times in a row still hears of moves."""
    path = await find_path(services, game)
    for _ in range(MAX_STREAMS_EACH + 1):
        stream = await browser.get(f"{path}live")
        assert stream.status == 200
        stream.close()
        async with asyncio.timeout(5):
            while front.guard.streams.taken:
                await asyncio.sleep(0.005)


async def test_a_move_is_told_though_its_picture_fails(
    services: Services, game: int, front: WebFront, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that dies costs the crowd its picture, not the news; a database that can't be read, the next look."""
    path = await find_path(services, game)
    moves = await fetch_moves(browser, path)

    async def fail(*_: object) -> bytes:
        raise BotError("as the test wants it")

    async with browser.get(f"{path}live?since={moves[6][0]}") as stream:
        for line in (b"retry: 2000\n", b"\n"):
            assert await stream.content.readline() == line
        await play(services, game)
        with monkeypatch.context() as broken:
            broken.setattr(services.table, "load_position", fail)
            await front.watch.look()
            while front.watch._spreading:
                await asyncio.sleep(0)
        monkeypatch.setattr(front, "_draw", fail)
        await front.watch.look()
        async with asyncio.timeout(5):
            assert (await stream.content.readline()).startswith(b"id: ")


async def test_a_page_that_was_away_hears_what_it_missed(services: Services, game: int, browser: Browser) -> None:
    path = await find_path(services, game)
    moves = await fetch_moves(browser, path)
    async with browser.get(f"{path}live", headers={"Last-Event-ID": moves[2][0]}) as stream:
        async with asyncio.timeout(5):
            lines = [await stream.content.readline() for _ in range(5)]
        assert lines[2] == f"id: {moves[6][0]}\n".encode()


async def test_processes_on_one_server_show_the_same_pages(server_store: str, clock: Clock, tmp_path: Path) -> None:
    """What is played in one reaches a page of the other; they agree on names and bytes, and on what has ended."""
    await postgres.empty_tables(server_store)
    async with AsyncExitStack() as stack:
        one, other = [await Services.open(server_store, clock, folder=tmp_path) for _ in range(2)]
        fronts, browsers = [], []
        for services in (one, other):
            stack.push_async_callback(services.close)
            services.boards.web = PLACE
            fronts.append(WebFront(services))
            browsers.append(await stack.enter_async_context(TestClient(TestServer(fronts[-1].make_app()))))
        game = await begin(one, NewTable("steel_driver", 3, seed=5), 2)
        path = await find_path(one, game)
        assert path == await find_path(other, game)
        moves = await fetch_moves(browsers[0], path)
        stream = await browsers[1].get(f"{path}live?since={moves[2][0]}")
        await play(one, game)
        await fronts[1].watch.look()
        async with asyncio.timeout(5):
            lines = [await stream.content.readline() for _ in range(3)]
        newest = await fetch_moves(browsers[0], path)
        assert lines[2] == f"id: {newest[3][0]}\n".encode()
        assert await fetch_moves(browsers[1], path) == newest
        figure = address_figure(path, newest, 3, "map")
        same = {await (await browser.get(figure)).read() for browser in browsers}
        assert len(same) == 1
        assert b"<svg" in same.pop()
        fronts[1].guard.clock = lambda: 1e9
        await one.boards.renew(game, BOB.id)
        await fronts[1].watch.check()
        async with asyncio.timeout(5):
            assert b"data: " in await stream.content.read()
        assert (await browsers[1].get(path)).status == 404
