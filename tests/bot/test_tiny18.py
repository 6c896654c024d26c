"""A tiny 18xx of our own, from the lobby to the score with its pictures: a new title of the family is its folder.

It has pointy hexes, a market of rows and columns, dollars, shares of 20% and brown tiles, none of which the titles
of the program have.
"""

import io
from pathlib import Path

import pytest
from PIL import Image

from bot.model.records import NewTable
from bot.screens.story import fetch_story
from bot.service.services import Services
from bot.service.table import Look
from engine import TITLES, Request, Rng, Setup
from engine.view import Chart, MapView, MarketView, Panels
from render import png
from tests.bot.conftest import ANN, BOB, CID
from tests.support import tiny18
from tests.support.sure import as_a

FOLDER = Path(tiny18.__file__).parent


@pytest.fixture(autouse=True)
def tiny_on_the_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, "tiny18", tiny18.TITLE)


def test_it_is_made_of_data_and_less_than_400_lines() -> None:
    files = [path for path in FOLDER.iterdir() if path.suffix in {".py", ".toml"}]
    assert {path.suffix for path in files} == {".py", ".toml"}
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < 400


@pytest.mark.parametrize("room", ["bot", "render", "engine"])
def test_nothing_of_the_program_knows_it(room: str) -> None:
    source = Path(__file__).parents[2] / room
    assert not [path for path in source.rglob("*.py") if "tiny18" in path.read_text(encoding="utf-8")]


async def test_it_is_played_from_the_lobby_to_the_score_with_pictures(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("tiny18", 3, seed=5))
    await services.lobby.join(table.id, BOB)
    await services.lobby.join(table.id, CID)
    await services.lobby.start(table.id, ANN.id)
    rng, told, drawn = Rng(5), list[str](), set[str]()
    while True:
        here = await services.table.load_position(table.id)
        game = here.game.replay()
        if not game.actors:
            break
        seat = game.actors[0]
        action = game.title.advice.choose(game.state, seat, rng)
        outcome = await services.table.submit(table.id, here.table.seats[seat].user, action)
        told += outcome.sentences
        if len(game.log) % 12 == 0:
            for picture in game.title.views.pictures:
                view = await services.table.look(table.id, ANN.id, Look(picture.name))
                assert Image.open(io.BytesIO(png(view))).size[0] > 200
                drawn.add(picture.name)
    assert drawn == {"map", "market", "table", "tiles", "chart"}
    result = game.result()
    assert result is not None
    assert result.reason_in_words == "the last operating round is over"
    assert len(result.scores) == 3
    assert any(line.startswith("Ann buys 20% ") and " for $" in line for line in told)
    assert [each.about for each in await fetch_story(services, here)] == [
        "Turning points",
        "Biggest gain",
        "Worth",
    ]


def test_its_map_is_pointy_its_market_a_grid_and_its_money_dollars() -> None:
    title = tiny18.TITLE
    state, rng = title.deal(Setup("tiny18", 2, {}, 1)), Rng(1)
    lays = None
    while title.actors(state):
        seat = title.actors(state)[0]
        legal = [action for action in title.legal(state, seat) if action.verb == "tile"]
        lays = lays or (legal and title.views.illustrate(state, Request(), legal))
        title.apply(state, title.check(state, seat, title.advice.choose(state, seat, rng)), lambda _: None)
    board = title.views.look(state, Request("map"))
    assert isinstance(board, MapView)
    assert {hex_.layout for hex_ in board.hexes} == {"pointy"}
    assert "#b5804d" in {hex_.ink for hex_ in board.hexes}
    market = title.views.look(state, Request("market"))
    assert isinstance(market, MarketView)
    assert {(cell.x, cell.y) for cell in market.cells if cell.price == 60} == {(0, 0), (1, 1), (2, 2)}
    assert as_a(Chart, title.views.look(state, Request("chart"))).unit == "$"
    assert isinstance(lays, Panels)
    assert {hex_.layout for panel in lays.panels for hex_ in panel.hexes} == {"pointy"}
