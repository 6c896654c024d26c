"""Pictures as the bot asks for them."""

from bot.screens.drawing import drawer, warm_up
from engine import TITLES, Game, Request, Setup
from engine.view import View
from render import Renderer


async def test_the_pictures_of_every_turn_are_drawn_beforehand() -> None:
    drawn: list[View] = []

    async def draw(view: View, palette: str) -> bytes:
        assert palette == "standard"
        drawn.append(view)
        return b""

    await warm_up(draw)
    for title in TITLES.values():
        game = Game.new(Setup(title.id, title.seats[0], {}, 0))
        assert [game.look(Request(name)) for name in game.pictures()] == drawn[: len(game.pictures())]
        del drawn[: len(game.pictures())]
    assert not drawn


async def test_a_palette_that_is_none_counts_as_the_standard_one() -> None:
    draw = drawer(Renderer())
    game = Game.new(Setup("1860", 2, {}, 0))
    view = game.look(Request("market"))
    assert await draw(view, "pink") == await draw(view, "standard")
    assert await draw(view, "mono") != await draw(view, "standard")
