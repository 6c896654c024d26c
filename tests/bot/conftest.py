"""Services with a toy on the shelf, a clock that stands still, and people around the table."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.model.records import NewTable, Person
from bot.service import options as lobby_options
from bot.service.services import Services
from bot.service.workers import files
from bot.service.workers.pool import Workers
from engine import TITLES
from tests.support import postgres
from tests.support.reading import in_threads
from tests.support.toy import toy

ANN, BOB, CID, DAN, EVE = (
    Person(number, name) for number, name in (("1", "Ann"), ("2", "Bob"), ("3", "Cid"), ("4", "Dan"), ("9", "Eve"))
)


class Clock:
    """A clock that goes on when told to."""

    def __init__(self) -> None:
        self.now = 1_800_000_000

    def __call__(self) -> int:
        """Return the moment."""
        return self.now


@pytest.fixture(autouse=True)
def toy_on_the_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, "toy", toy())
    monkeypatch.setattr(Workers, "in_threads", in_threads)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give processes that read or try what strangers bring in time enough on a busy machine."""
    for room, name in ((files, "READ_FILE"), (lobby_options, "TRY")):
        monkeypatch.setattr(room, name, replace(getattr(room, name), seconds=240.0, cpu_seconds=60))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "store.sqlite"


@pytest.fixture(scope="session")
def seated_store(fresh_store: Path) -> Path:
    """A store with the table of ``game``, to be copied; the first test that asks for it has the toy on the shelf."""
    path = Path(shutil.copy(fresh_store, fresh_store.with_name("seated.sqlite")))

    async def make() -> None:
        services = await Services.open(path, Clock())
        await seat_three(services)
        await services.close()

    asyncio.run(make())
    return path


@pytest.fixture
def store(kind: str, request: pytest.FixtureRequest) -> Path | str:
    """The address of a fresh store."""
    if kind == "sqlite":
        path: Path = request.getfixturevalue("path")
        path.parent.mkdir()
        shutil.copy(request.getfixturevalue("seated_store" if "game" in request.fixturenames else "fresh_store"), path)
        return path
    address: str = request.getfixturevalue("server_store")
    asyncio.run(postgres.empty_tables(address))
    return address


THREE = NewTable("toy", 3, seed=5)
"""A table of three."""


@pytest.fixture
async def services(store: Path | str, tmp_path: Path, clock: Clock) -> AsyncIterator[Services]:
    services = await Services.open(store, clock, folder=tmp_path / "data")
    yield services
    await services.close()


@pytest.fixture
async def game(services: Services, kind: str) -> int:
    """Ann, Bob and Cid have sat down to a short toy, in this order; Ann is to bid."""
    return 1 if kind == "sqlite" else await seat_three(services)


async def seat_three(services: Services, wish: NewTable = THREE, *more: Person) -> int:
    table = await services.lobby.create(ANN, wish)
    for person in (BOB, CID, *more):
        await services.lobby.join(table.id, person)
    await services.lobby.start(table.id, ANN.id, "as joined")
    return table.id


async def close_together(services: Services, game: int) -> None:
    """Close a running game: its host asks, all others agree."""
    table = await services.lobby.get_table(game)
    await services.agreements.propose_close(game, table.host)
    for user in table.people:
        if user != table.host:
            await services.consent.vote(game, user, yes=True)
