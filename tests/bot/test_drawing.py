"""Pictures as the bot asks for them."""

import msgspec

from bot.screens import drawing
from bot.screens.drawing import drawer, painter, warm_up
from bot.service.workers.held import Held
from bot.service.workers.pool import Crew, ThreadPipe, Worker, Workers
from engine import TITLES, Game, Request, Setup
from render import Renderer


async def test_every_worker_draws_beforehand() -> None:
    """The pictures of every turn and those of the first one, of each title on the shelf."""
    drawn: list[int] = []

    def noted(held: Held | None, takes: None) -> int:
        drawn.append(drawing.WARM_UP.do(held, takes))
        return drawn[-1]

    task = msgspec.structs.replace(drawing.WARM_UP, do=noted)
    workers = Workers({"moves": Crew([Worker(ThreadPipe())]), "looks": Crew([Worker(ThreadPipe()) for _ in range(2)])})
    await workers.each(task, None)
    games = [Game.new(Setup(title.id, title.seats[0], {}, 0)) for title in TITLES.values()]
    every = [{picture.name for picture in game.title.pictures if picture.every_turn} for game in games]
    assert drawn == [sum(len(each | {*game.pictures()}) for each, game in zip(every, games, strict=True))] * 2
    await warm_up(workers)


async def test_a_picture_is_the_same_whoever_draws_it() -> None:
    view = Game.new(Setup("1860", 2, {}, 0)).look(Request("market"))
    by_worker = drawer(Renderer(paint=painter(Workers.in_threads())))
    assert await by_worker(view, "mono") == await drawer(Renderer())(view, "mono")


async def test_a_palette_that_is_none_counts_as_the_standard_one() -> None:
    draw = drawer(Renderer())
    game = Game.new(Setup("1860", 2, {}, 0))
    view = game.look(Request("market"))
    assert await draw(view, "pink") == await draw(view, "standard")
    assert await draw(view, "mono") != await draw(view, "standard")
