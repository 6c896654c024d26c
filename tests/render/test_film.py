"""The time-lapse of a game: a frame a round, small enough to be posted."""

import io

from PIL import Image

from engine import Game, Request
from engine.film import moments
from render import film
from render.cache import MOST_BYTES
from tests.playthroughs.record import read
from tests.render.samples import small_market, small_sheet


def test_a_time_lapse_has_a_frame_a_round_and_its_last_one_stands_longest() -> None:
    """A whole game of Steel Driver: the start, each turn, the end."""
    kept = read("steel_driver-3")
    course = moments(Game.replay(kept.setup, kept.said()))
    assert len(course) >= 6
    assert course[0].result() is None
    assert course[-1].result() is not None
    made = film([moment.look(Request("card")) for moment in course[::3]], width=400)
    assert len(made) < MOST_BYTES // 4
    picture = Image.open(io.BytesIO(made))
    assert (picture.format, getattr(picture, "n_frames", 1), picture.size) == ("WEBP", len(course[::3]), (400, 225))


def test_a_long_game_is_shown_in_as_many_positions_as_are_wished() -> None:
    """The first and the last are among them."""
    kept = read("steel_driver-3")
    game = Game.replay(kept.setup, kept.said())
    few, every = moments(game, most=3), moments(game)
    assert len(few) == 3
    assert few[1].state == every[round((len(every) - 1) / 2)].state, "evenly spread"
    assert few[-1].result() == game.result()


def test_frames_of_unequal_height_stand_at_the_top_of_the_largest() -> None:
    """A market grows as prices part."""
    picture = Image.open(io.BytesIO(film([small_market(), small_sheet()], width=200)))
    assert picture.size[0] == 200
