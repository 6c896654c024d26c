"""A table of three at Steel Driver, its page, and a browser's way to it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from bot.model.records import NewTable
from bot.service.services import Services
from bot.service.transfer import restore_log
from bot.web.front import WebFront
from engine import Game, Rng
from engine.codec import encode_file
from tests.bot.conftest import ANN, BOB, CID, Clock
from tests.playthroughs import record

PLACE = "https://trains.example"
Browser = TestClient[web.Request, web.Application]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def services(fresh_store: Path, tmp_path: Path, clock: Clock) -> AsyncIterator[Services]:
    path = tmp_path / "data" / "store.sqlite"
    path.parent.mkdir()
    path.write_bytes(fresh_store.read_bytes())
    services = await Services.open(path, clock, folder=path.parent)
    services.boards.web = PLACE
    yield services
    await services.close()


@pytest.fixture
async def game(services: Services) -> int:
    """Ann, Bob and Cid have sat down, and made six moves."""
    return await begin(services, NewTable("steel_driver", 3, name="Sunday <b>trains</b>", seed=5), 6)


@pytest.fixture
async def front(services: Services) -> WebFront:
    return WebFront(services)


@pytest.fixture
async def browser(front: WebFront) -> AsyncIterator[Browser]:
    async with TestClient(TestServer(front.make_app())) as client:
        yield client


async def begin(services: Services, wish: NewTable, moves: int) -> int:
    """Return the number of a table that has begun, after so many moves of the seeded player."""
    table = await services.lobby.create(ANN, wish)
    for person in (BOB, CID)[: wish.seats - 1]:
        await services.lobby.join(table.id, person)
    await services.lobby.start(table.id, ANN.id, "as joined")
    await play(services, table.id, moves)
    return table.id


async def finish(services: Services, game: int) -> None:
    """Play a table that has just begun to its end, at once."""
    setup = (await services.table.load_position(game)).game.setup
    await restore_log(services.database, game, encode_file(setup, record.play(setup)), services.clock())
    await services.table.live.reload(game)


async def play(services: Services, game: int, moves: int = 1) -> None:
    """Let the seeded player make moves for whoever is asked."""
    for _ in range(moves):
        here = await services.table.load_position(game)
        state = Game.replay(here.game.setup, here.game.log)
        seat = state.actors[0]
        action = state.title.advice.choose(state.state, seat, Rng(here.version))
        await services.table.submit(game, here.table.seats[seat].user, action)


async def find_path(services: Services, game: int, user: str = "") -> str:
    """Return the path of a table's page, or of one player's own."""
    here = await services.table.load_position(game)
    link = await (services.boards.make_own_link(game, user) if user else services.boards.make_public_link(here))
    return link.removeprefix(PLACE)


async def fetch_moves(browser: Browser, path: str) -> list[list[str]]:
    """Return the moves of a page as it gets them."""
    answer = await browser.get(f"{path}moves.json")
    assert answer.status == 200
    moves: list[list[str]] = (await answer.json())["moves"]
    return moves


def address_figure(path: str, moves: list[list[str]], number: int, figure: str) -> str:
    """Return the address of a figure after so many moves."""
    return f"{path}at/{number}-{moves[number][0]}/standard/{figure}"
