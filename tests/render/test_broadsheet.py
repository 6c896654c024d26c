"""The sheet to hang up: the networks as a diagram, who won and how, worth over time, the best run, the story."""

from io import BytesIO

import pytest
from pypdf import PdfReader

from engine import Game
from engine.posters import make_broadsheet, tell_course
from engine.view import Broadsheet, Chart, Rank, Series
from render import pdf, png
from render.cache import build_scene
from render.scene import Label, flatten_items
from render.sheets import broadsheet
from render.sheets.diagram_plan import plan_diagram
from tests.playthroughs.record import read
from tests.render.positions import GAMES, NAMES, TABLE

MAX_BYTES = 400_000


@pytest.fixture(scope="module", params=sorted(GAMES))
def sheet(request: pytest.FixtureRequest) -> Broadsheet:
    kept = read(GAMES[request.param])
    game = Game.replay(kept.setup, kept.read_log())
    return make_broadsheet(game, NAMES[: kept.setup.seats], TABLE)


def test_it_says_who_won_and_how_in_large_letters(sheet: Broadsheet) -> None:
    """On a phone, 400 pixels wide, the capitals of both lines are at least 7 pixels high."""
    labels = [item for item, _ in flatten_items(build_scene(sheet).items) if isinstance(item, Label)]
    for words in (sheet.headline, sheet.turning):
        found = next(label for label in labels if label.text == words)
        assert found.size * 0.698 * 400 / broadsheet.WIDE >= 7
    told = " ".join(label.text for label in labels)
    assert all(rank.name in told and rank.words in told for rank in sheet.ranks)
    assert all(line in told for line in sheet.story)
    assert len(sheet.story) >= 3
    assert not any(sheet.turning in line or (sheet.best_words and sheet.best_words in line) for line in sheet.story)


def test_large_stations_have_their_names_which_cover_no_other(sheet: Broadsheet) -> None:
    plan = plan_diagram(sheet, (110.0, 500.0, 1380.0, 850.0))
    wanted = {each.name for each in plan.stations if each.kind == "city" and each.used and each.name}
    labels = [item for item, _ in flatten_items(build_scene(sheet).items) if isinstance(item, Label)]
    assert wanted <= {label.text for label in labels}
    assert len(wanted) >= 8


def test_it_is_small_enough_to_be_posted(sheet: Broadsheet) -> None:
    assert len(png(sheet)) < MAX_BYTES


def test_the_print_is_a_page_of_a3_with_text_that_can_be_searched(sheet: Broadsheet) -> None:
    made = pdf(sheet)
    assert made == pdf(sheet)
    assert len(made) < MAX_BYTES
    pages = PdfReader(BytesIO(made)).pages
    assert [tuple(map(float, page.mediabox[2:])) for page in pages] == [(841.89, 1190.55)]
    assert sheet.headline in pages[0].extract_text()


def _tell(*rows: tuple[int, ...], steps: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    names = ("Ann", "Bob", "Cid")
    series = tuple(Series(name, row) for name, row in zip(names, rows, strict=False))
    best = max(range(len(rows)), key=lambda seat: rows[seat][-1])
    ranks = (Rank("1", names[best], first=True, line=best),)
    return tell_course(Chart("Worth", "", steps, series, unit="£"), ranks, over=True)


def test_the_turning_point_is_when_the_winner_took_the_lead_for_good() -> None:
    steps = ("SR 1", "OR 1.1", "OR 1.2", "SR 2", "OR 2.1")
    turning, story = _tell((10, 40, 50, 60, 70), (10, 30, 60, 80, 95), steps=steps)
    assert turning == "Bob took the lead from Ann in OR 1.2 and kept it"
    assert story[0] == "Bob was ahead in 3 of 4 rounds; the lead changed once."
    assert _tell((10, 40, 50, 60, 70), (10, 30, 40, 50, 60), steps=steps)[0] == "Ann led from OR 1.1 to the end"
    assert _tell((10, 40, 70), (10, 30, 90), steps=("SR 1", "OR 1.1", "end"))[0] == "Bob passed Ann only at the end"
    assert _tell((10, 5), (10, 30), steps=("SR 1", "OR 1.1")) == ("", ())
