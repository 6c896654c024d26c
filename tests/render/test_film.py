"""The time-lapse of a game: a frame a round, small enough to be posted."""

import io

import pytest
from PIL import Image

from engine import TITLES, Game, Request, Setup
from engine.posters import make_frames, sample_positions
from engine.view import MapView, Reel
from render import film
from render.cache import MAX_BYTES, MAX_FILM_BYTES
from tests.playthroughs.record import read
from tests.render.positions import NAMES
from tests.render.samples import small_market, small_sheet
from tests.support.changed_title import change
from tests.support.sure import as_a


def test_a_time_lapse_has_a_frame_a_round_and_its_last_one_stands_longest() -> None:
    """A whole game of Steel Driver: the start, each turn, the end."""
    kept = read("steel_driver-3")
    course = sample_positions(Game.replay(kept.setup, kept.read_log()))
    assert len(course) >= 6
    assert course[0].game.result() is None
    assert course[-1].game.result() is not None
    made = film([moment.game.look(Request("card")) for moment in course[::3]], width=400)
    assert len(made) < MAX_BYTES // 4
    picture = Image.open(io.BytesIO(made))
    assert (picture.format, getattr(picture, "n_frames", 1), picture.size) == ("WEBP", len(course[::3]), (400, 225))


def test_a_long_game_is_shown_in_as_many_positions_as_are_wished() -> None:
    """The first and the last are among them."""
    kept = read("steel_driver-3")
    game = Game.replay(kept.setup, kept.read_log())
    every = [moment.game.state for moment in sample_positions(game)]
    assert len(every) == 8, "the start, five turns, the final claims, the end"
    for most, chosen in ((1, [0]), (2, [0, 7]), (3, [0, 4, 7]), (4, [0, 2, 5, 7]), (8, range(8)), (99, range(8))):
        assert [moment.game.state for moment in sample_positions(game, most)] == [every[place] for place in chosen], (
            "evenly spread"
        )


def test_a_title_without_a_card_is_shown_by_its_first_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    game, there = Game.new(Setup("1860", 2)), TITLES["1860"]
    assert isinstance(make_frames(game)[0], Reel)
    without = tuple(each for each in there.views.pictures if each.name != "card")
    monkeypatch.setitem(TITLES, "1860", change(there, pictures=without))
    assert [type(view) for view in make_frames(game)] == [MapView, MapView]


def test_frames_of_unequal_height_stand_at_the_top_of_the_largest() -> None:
    """A market grows as prices part."""
    picture = Image.open(io.BytesIO(film([small_market(), small_sheet()], width=200)))
    assert picture.size[0] == 200


def test_the_charts_of_all_frames_have_the_same_axes() -> None:
    """Lines grow from frame to frame, up to the last round and the highest worth."""
    kept = read("steel_driver-3")
    charts = [as_a(Reel, view).chart for view in make_frames(Game.replay(kept.setup, kept.read_log()))]
    last = charts[-1]
    assert last is not None
    known = [[chart.series[0].values.count(None) for chart in charts if chart]]
    assert known == [sorted(known[0], reverse=True)]
    assert known[0][-1] == 0
    for chart in charts:
        assert chart is not None
        assert (chart.steps, chart.most) == (last.steps, last.most)
        assert all(len(line.values) == len(last.steps) for line in chart.series)


def test_each_frame_says_what_mattered_in_its_round() -> None:
    """A merger, a new phase, a company that floats; who leads if nothing else happened; who won in the last one."""
    kept = read("1862-4")
    frames = [as_a(Reel, view) for view in make_frames(Game.replay(kept.setup, kept.read_log()), NAMES[:4], "Fens")]
    told = [frame.caption for frame in frames]
    assert told[0] == "Fens"
    assert all(told)
    assert "OR 6.1: I&B merges into ECR: price £210, par £100" in told
    assert "OR 1.1: Phase B begins" in told
    assert "OR 8.2: Dieter leads with £4,909" in told
    assert told[-1].startswith("Dieter wins: ")


def test_the_film_of_a_long_game_is_below_three_megabytes() -> None:
    """A seventh of its frames, for time; each is 1080 pixels wide."""
    kept = read("1860-3")
    frames = make_frames(Game.replay(kept.setup, kept.read_log()), NAMES[:3])[::7]
    made = film(frames)
    assert len(made) < MAX_FILM_BYTES
    assert Image.open(io.BytesIO(made)).size == (1080, 1350)
