"""The card of a game: made to be shared, whole at 1600 by 900."""

from typing import TypeGuard

import msgspec
import pytest

from engine import TITLES
from engine.view import MarketView, Poster, Rank
from render.cache import build_scene
from render.scene import Box, Curve, Inset, Item, Label
from render.theme import load_theme
from tests.render.collisions import rect
from tests.render.positions import NAMES, picture
from tests.render.test_banner import list_items


@pytest.mark.parametrize("title", TITLES)
def test_the_card_of_a_finished_game_names_the_winner(title: str) -> None:
    """The board, the players in order, worth by round, three facts; the headline says who won."""
    view = picture(title, "end", "card")
    assert isinstance(view, Poster)
    totals = [int(rank.words[1:].replace(",", "")) for rank in view.ranks]
    assert totals == sorted(totals, reverse=True)
    assert view.headline == f"{view.ranks[0].name} won with {view.ranks[0].words}"
    assert len(view.facts) == 3
    drawn = build_scene(view)
    assert (round(drawn.width), round(drawn.height)) == (1600, 900)
    assert sum(isinstance(item, Inset) for item in list_items(drawn.items)) == 2


@pytest.mark.parametrize("title", TITLES)
def test_the_chart_of_a_card_is_read_on_a_phone(title: str) -> None:
    """Its letters are six pixels high there at the least; each player's line is told by a piece of it by the name."""
    view = picture(title, "end", "card")
    assert isinstance(view, Poster)
    _, inset = (item for item in list_items(build_scene(view).items) if isinstance(item, Inset))
    labels = [item for item in inset.scene.items if isinstance(item, Label)]
    assert min(label.size * inset.width / inset.scene.width for label in labels) * 400 / 1600 >= 6
    assert sorted(rank.line for rank in view.ranks) == list(range(len(view.ranks)))
    colours = {item.colour for item in list_items(build_scene(view).items) if isinstance(item, Curve)}
    assert {load_theme("standard").choose_stroke(rank.line).colour for rank in view.ranks} <= colours


def _alone(view: MarketView) -> tuple[Item, ...]:
    return build_scene(msgspec.structs.replace(view, banner=None)).items


def _is_cell(item: Item) -> TypeGuard[Box]:
    return isinstance(item, Box) and item.line == "rule" and item.height > 60


@pytest.mark.parametrize("title", TITLES)
def test_the_card_of_the_start_names_the_players(title: str) -> None:
    """Before the first round ends no one leads and there is no chart, nor a piece of a line of one."""
    view = picture(title, "start", "card")
    assert isinstance(view, Poster)
    assert {rank.name for rank in view.ranks} == set(NAMES[: len(view.ranks)])
    assert view.ranks
    items = list_items(build_scene(view).items)
    assert sum(isinstance(item, Inset) for item in items) == 1
    curves = {item.colour for item in items if isinstance(item, Curve)}
    assert not {load_theme("standard").choose_stroke(number).colour for number in range(len(view.ranks))} & curves


@pytest.mark.parametrize("count", [2, 5, 8])
def test_long_names_and_many_players_fit_on_a_card(count: int) -> None:
    """Nothing covers anything else, nothing leaves the card."""
    ranks = tuple(
        Rank(str(k + 1), f"{NAMES[k]} of the Isle of Wight and elsewhere", f"£{9000 - k}") for k in range(count)
    )
    made = picture("steel_driver", "late", "card")
    view = msgspec.structs.replace(
        made, banner=None, ranks=ranks, facts=("A fact of many words that takes more than a line " * 2,) * 3
    )
    frames = [rect(item) for item in list_items(build_scene(view).items) if isinstance(item, Label)]
    for k, a in enumerate(frames):
        assert a[0] >= 0
        assert a[2] <= 1600
        for b in frames[k + 1 :]:
            assert min(a[2], b[2]) <= max(a[0], b[0]) + 1 or min(a[3], b[3]) <= max(a[1], b[1]) + 1


def test_a_card_of_eight_has_worth_by_round_too() -> None:
    """They stand in two columns, beside a board that is tall."""
    made = picture("1862", "late", "card")
    assert isinstance(made, Poster)
    ranks = tuple(Rank(str(k + 1), NAMES[k], f"£{9000 - k}", line=k) for k in range(8))
    view = msgspec.structs.replace(made, ranks=ranks)
    items = list_items(build_scene(view).items)
    assert sum(isinstance(item, Inset) for item in items) == 2
    at = {item.text: item.y for item in items if isinstance(item, Label) and item.text in NAMES}
    assert [at[name] for name in NAMES[:4]] == [at[name] for name in NAMES[4:8]]
