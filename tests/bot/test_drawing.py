"""Pictures as the bot asks for them."""

import asyncio
from functools import partial

import msgspec
import pytest
from msgspec.structs import replace

from bot.model.errors import BotError
from bot.model.standing import Course
from bot.screens import drawing
from bot.screens.drawing import FILM, LOBBY, Film, Invitation, make_drawer, make_painter, warm_up
from bot.screens.notices import add_close_ups
from bot.service.workers.jobs import Held
from bot.service.workers.pool import Crew, Kept, ThreadPipe, Worker, Workers
from engine import TITLES, Game, Request, Setup
from engine.posters import make_frames
from engine.view import MapView
from render import Renderer
from render.cache import MAX_BYTES


async def test_every_worker_draws_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pictures of every turn and those of the first one, of each title on the shelf, and all tiles."""
    drawing.WARM_UP.do(None, None)  # they can be drawn
    monkeypatch.setattr(drawing, "png", lambda view: view.alt.encode())
    drawn: list[int] = []

    def note_drawing(held: Held | None, takes: None) -> int:
        drawn.append(drawing.WARM_UP.do(held, takes))
        return drawn[-1]

    task = msgspec.structs.replace(drawing.WARM_UP, do=note_drawing)
    workers = Workers({"moves": Crew([Worker(ThreadPipe())]), "looks": Crew([Worker(ThreadPipe()) for _ in range(2)])})
    await workers.do_everywhere(task, None)
    games = [Game.new(Setup(title.id, title.seats[0], {}, 0)) for title in TITLES.values()]
    every = [{picture.name for picture in game.title.views.pictures if picture.every_turn} for game in games]
    tiles = [{picture.name for picture in game.title.views.pictures} & {"tiles"} for game in games]
    names = [each | {*game.pictures()} | more for each, game, more in zip(every, games, tiles, strict=True)]
    assert drawn == [sum(map(len, names))] * 2
    await warm_up(workers)


async def test_a_picture_is_the_same_in_every_process() -> None:
    view = Game.new(Setup("1860", 2, {}, 0)).look(Request("market"))
    by_worker = make_drawer(Renderer(paint=make_painter(Workers.in_threads())))
    assert await by_worker(view, "mono") == await make_drawer(Renderer())(view, "mono")


async def test_an_unknown_palette_means_the_standard_one() -> None:
    draw = make_drawer(Renderer())
    game = Game.new(Setup("1860", 2, {}, 0))
    view = game.look(Request("market"))
    assert await draw(view, "pink") == await draw(view, "standard")
    assert await draw(view, "mono") != await draw(view, "standard")


def test_a_table_that_waits_for_players_shows_its_board_and_its_seats() -> None:
    """The map without what is dealt: the seed may not be read from it."""
    for title in ("1860", "1862", "steel_driver"):
        setups = [Setup(title, TITLES[title].seats[1], {}, seed) for seed in (1, 2)]
        cards = [LOBBY.do(None, Invitation(setup, ("Ann", "Ben"), "Sundays", ("Pace: daily",))) for setup in setups]
        assert cards[0] == cards[1]
        assert cards[0] is not None
        assert [rank.name for rank in cards[0].ranks][:3] == ["Ann", "Ben", "free"]
        assert cards[0].banner is not None
        assert cards[0].banner.asks == f"2 of {TITLES[title].seats[1]} seats taken"


def test_a_time_lapse_shows_the_board_and_moves() -> None:
    """A game of 1860 as far as it came: the start, and where it stands."""
    game = Game.new(Setup("1860", 2, {}, 0))
    views = make_frames(game, ("Ann", "Ben"), "Sundays")
    assert [type(view).__name__ for view in views] == ["Reel", "Reel"]
    made = FILM.do(Held(game), Film(("Ann", "Ben"), "Sundays"))
    assert (made[:4], made[8:12]) == (b"RIFF", b"WEBP")
    assert len(made) < MAX_BYTES


async def test_a_time_lapse_is_made_once() -> None:
    """Of the same moves of a table: not at each press; anew after a move, under other names, or when it failed."""
    workers, made = Workers.in_threads(), list[int]()

    def film(held: Held | None, wish: Film) -> bytes:
        assert held is not None
        made.append(len(held.game.log))
        if not wish.names:
            raise BotError("nobody is there")
        return bytes([len(made)])

    task, game = msgspec.structs.replace(FILM, do=film), Game.new(Setup("1860", 2, {}, 0))
    courses = [Course(7, moved.setup, moved.log) for moved in (game, game.play(0, game.tips(0)[0].action).game)]
    both = await asyncio.gather(*(workers.do_once(task, Film(("Ann",), "A"), courses[0]) for _ in range(2)))
    assert both == [await workers.do_once(task, Film(("Ann",), "A"), courses[0])] * 2
    assert await workers.do_once(task, Film(("Ann",), "A"), courses[1]) != both[0]
    await workers.do_once(task, Film(("Bea",), "A"), courses[1])
    assert made == [0, 1, 1]
    for _ in range(2):
        with pytest.raises(BotError, match="nobody"):
            await workers.do_once(task, Film((), "A"), courses[1])
    assert made == [0, 1, 1, 1, 1]


async def test_only_so_many_bytes_are_kept() -> None:
    """What was asked for longest ago goes first."""
    made: list[bytes] = []

    async def make(name: bytes) -> bytes:
        made.append(name)
        return name * 4

    kept = Kept(most=10)
    for name in (b"a", b"b", b"a", b"c", b"a", b"b"):
        assert await kept.get_or_make(name, partial(make, name)) == name * 4
    assert made == [b"a", b"b", b"c", b"b"]


def test_a_turn_shows_what_is_asked_closely_before_the_whole_map() -> None:
    """The close-up's words are the question alone; a map on which nothing is asked, and other pictures, stand alone."""
    board = Game.new(Setup("1862", 3, seed=1)).look(Request("map"))
    assert isinstance(board, MapView)
    hexes = tuple(replace(h, mark="can") if h.coord in {"E8", "E10"} else h for h in board.hexes)
    asked = replace(board, hexes=hexes, alt="ECR operates, to lay a tile: E8 Thetford, E10 Stowmarket. Map, OR 1.1.")
    close, whole = add_close_ups([asked])
    assert isinstance(close, MapView)
    assert (close.close, close.alt) == (True, "ECR operates, to lay a tile: E8 Thetford, E10 Stowmarket, closely.")
    assert whole == asked
    market = Game.new(Setup("1862", 3, seed=1)).look(Request("market"))
    assert add_close_ups([board, market]) == [board, market]
