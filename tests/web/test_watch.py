"""What keeps pages at their tables: who is told what, what a visitor pays, how many connections the system allows."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from aiohttp import web

from bot.model.errors import BotError
from bot.model.records import Position
from bot.service.services import Services
from bot.web import server
from bot.web.front import WebFront
from bot.web.guard import BURST, PREVIEW_COST, UNKNOWN_COST
from bot.web.live import CROWD, JITTER_PER_VIEWER_MS, MAX_JITTER_MS, Watch
from bot.web.server import MAX_CONNECTIONS, SPARE_FILES, count_connections
from tests.web.conftest import Browser, address_figure, fetch_moves, find_path, play

HERE = {game: cast("Position", SimpleNamespace(number=game)) for game in (1, 2)}


class Tables:
    """Two tables, how many entries each has, and what is drawn before their viewers are told."""

    def __init__(self) -> None:
        self.entries = {1: 6, 2: 6}
        self.fails, self.dead = False, set[str]()
        self.slow = asyncio.Event()
        self.slow.set()
        boards = SimpleNamespace(count_entries=self.count)
        self.watch = Watch(cast("Any", SimpleNamespace(boards=boards)), self.prepare, self.works)

    async def count(self, games: list[int]) -> dict[int, int]:
        return {game: self.entries[game] for game in games}

    async def prepare(self, game: int) -> Position:
        if self.fails:
            raise BotError("The database is busy.")
        if game == 1:
            await self.slow.wait()
        return HERE[game]

    async def works(self, token: str) -> bool:
        return token not in self.dead

    async def look(self) -> None:
        """Look for changes, and let viewers be told of them."""
        await self.watch.look()
        for _ in range(3):
            await asyncio.sleep(0)


async def test_viewers_of_a_table_that_changed_are_told_where_it_stands() -> None:
    """Once for each change; who has not read the last news finds only the newest."""
    tables = Tables()
    one, late, other = (tables.watch.join(game, 6, "a") for game in (1, 1, 2))
    await tables.look()
    assert (one.qsize(), other.qsize()) == (0, 0)
    tables.entries[1] = 7
    await tables.look()
    assert one.get_nowait() is HERE[1]
    tables.entries[1] = 8
    await tables.look()
    await tables.look()
    assert (one.qsize(), late.qsize(), other.qsize()) == (1, 1, 0)


async def test_a_picture_that_takes_long_holds_up_no_other_table() -> None:
    """Nor is it begun a second time."""
    tables = Tables()
    one, other = tables.watch.join(1, 5, "a"), tables.watch.join(2, 5, "a")
    tables.slow.clear()
    await tables.look()
    assert (one.qsize(), other.qsize()) == (0, 1)
    tables.entries[1] = 7
    await tables.look()
    tables.slow.set()
    await tables.look()
    assert one.qsize() == 1


async def test_a_change_that_could_not_be_told_is_told_at_the_next_look() -> None:
    tables = Tables()
    queue = tables.watch.join(1, 5, "a")
    tables.fails = True
    await tables.look()
    assert queue.empty()
    tables.fails = False
    await tables.look()
    assert queue.get_nowait() is HERE[1]


async def test_only_streams_whose_address_has_ended_are_ended() -> None:
    tables = Tables()
    lives, ended = tables.watch.join(1, 6, "a"), tables.watch.join(1, 6, "b")
    tables.dead.add("b")
    await tables.watch.check()
    assert (lives.qsize(), ended.get_nowait()) == (0, None)
    assert tables.watch.count(1) == 1
    tables.watch.leave(1, lives)
    assert tables.watch.count(1) == 0
    again = tables.watch.join(1, 6, "a")
    await tables.look()
    assert again.empty()


async def test_the_more_viewers_the_longer_their_pages_wait_before_they_ask() -> None:
    """A second at most."""
    tables = Tables()
    for number in (1, 2):
        tables.watch.join(1, 6, "a")
        assert tables.watch.measure_jitter(1) == number * JITTER_PER_VIEWER_MS
    for _ in range(MAX_JITTER_MS // JITTER_PER_VIEWER_MS):
        tables.watch.join(1, 6, "a")
    assert tables.watch.measure_jitter(1) == MAX_JITTER_MS


async def test_a_crowd_is_told_in_parts_so_that_presses_come_in_between() -> None:
    tables = Tables()
    queues = [tables.watch.join(2, 5, "a") for _ in range(2 * CROWD + 1)]
    await tables.watch.look()
    told = [0]
    while told[-1] < len(queues):
        await asyncio.sleep(0)
        told.append(sum(queue.qsize() for queue in queues))
    assert told == [0, CROWD, 2 * CROWD, 2 * CROWD + 1]


@pytest.mark.parametrize(
    ("soft", "hard", "asked", "count"),
    [
        (100_000, 100_000, None, MAX_CONNECTIONS),
        (-1, -1, None, MAX_CONNECTIONS),
        (1000, -1, MAX_CONNECTIONS + SPARE_FILES, MAX_CONNECTIONS),
        (1000, 100_000, MAX_CONNECTIONS + SPARE_FILES, MAX_CONNECTIONS),
        (1000, 1400, 1400, 1400 - SPARE_FILES),
        (256, 256, 256, 1),
    ],
)
def test_the_system_is_asked_for_as_many_files_as_connections_need(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, asked: int | None, count: int
) -> None:
    """Some are left for everything else; -1 is without a limit."""
    given: list[tuple[int, int]] = []
    system = SimpleNamespace(
        RLIM_INFINITY=-1,
        RLIMIT_NOFILE=7,
        getrlimit=lambda _: (soft, hard),
        setrlimit=lambda _, both: given.append(both),
    )
    monkeypatch.setattr(server, "resource", system)
    assert count_connections() == count
    assert given == ([] if asked is None else [(asked, hard)])


async def test_each_request_costs_its_visitor_what_it_makes_us_do(
    services: Services, game: int, front: WebFront, browser: Browser
) -> None:
    """One for a page that isn't there ten times as much, one for a preview twenty times."""
    front.guard.clock = lambda: 0.0
    path = await find_path(services, game)
    moves = await fetch_moves(browser, path)
    unknown = f"/t/{'A' * 22}/"
    costs = [(unknown, 404, UNKNOWN_COST), (address_figure(path, moves, 6, "place.Atlantis"), 404, UNKNOWN_COST),
             (f"{path}card-{moves[0][0]}.png", 200, PREVIEW_COST), (path, 200, 1.0)]  # fmt: skip
    for address, status, cost in costs:
        front.guard._buckets.clear()
        assert (await browser.get(address)).status == status
        assert [left for left, _ in front.guard._buckets.values()] == [BURST - cost]


async def test_a_database_that_cannot_be_read_ends_no_stream(front: WebFront, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only an address that is known to have ended does."""
    for error, lives in ((BotError("The database is busy."), True), (web.HTTPNotFound(), False)):

        async def fail(_: str, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(front, "_find_viewer", fail)
        assert await front._has_viewer("a") == lives


async def test_a_figure_is_drawn_though_its_table_was_forgotten(
    services: Services, game: int, browser: Browser
) -> None:
    path = await find_path(services, game)
    moves = await fetch_moves(browser, path)
    services.table.live._games.clear()
    assert (await browser.get(address_figure(path, moves, 6, "map"))).status == 200


async def test_a_page_is_told_of_each_move_once(
    services: Services, game: int, front: WebFront, browser: Browser
) -> None:
    """Also if it hears of the same position a second time."""
    path = await find_path(services, game)
    newest = (await fetch_moves(browser, path))[6][0]
    async with browser.get(f"{path}live?since={newest}") as stream:
        assert await stream.content.readline() == b"retry: 2000\n"
        for _ in range(2):
            await play(services, game)
            for _ in range(2):
                (queue,) = front.watch._viewers[game]
                await queue.put(await services.table.load_position(game))
                while not queue.empty():
                    await asyncio.sleep(0)
        front.watch.end()
        async with asyncio.timeout(5):
            told = await stream.content.read()
    assert told.count(b"event: move\n") == 2
    assert [told.count(b'"number":%d,' % number) for number in (6, 7, 8)] == [0, 1, 1]


async def test_a_drawing_for_a_crowd_may_succeed_fail_or_be_given_up(front: WebFront) -> None:
    """Its viewers ask for it again."""

    async def draw(error: Exception | None) -> bytes:
        if error is not None:
            raise error
        return b""

    given_up = asyncio.create_task(asyncio.Event().wait())
    given_up.cancel()
    done = [asyncio.create_task(draw(error)) for error in (None, BotError("busy"))]
    await asyncio.gather(given_up, *done, return_exceptions=True)
    for work in (given_up, *done):
        front._preparing.add(cast("Any", work))
        front._forget_prepared(cast("Any", work))
    assert not front._preparing
