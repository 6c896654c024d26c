"""Final Profit Determination, the winner, with vector W2."""

import pytest

from engine import RuleError, Score
from engine.finance.rounds import EndGame, Pass
from engine.titles.steel_driver import TITLE
from engine.titles.steel_driver.state import State
from tests.engine.titles.steel_driver.positions import box, deal, play
from tests.support.sure import sure


def over(cash: list[int], boxes: dict[str, tuple[int, int]], **options: str) -> State:
    """Return a finished game: ``boxes`` gives for each company its controller and its cubes."""
    state = deal(len(cash), **options)
    state.phase = "over"
    state.cash = list(cash)
    for name, (seat, count) in boxes.items():
        box(state, name).controller = seat
        box(state, name).goods = [count, 0, 0, 0, 0]
    return state


TIED = {"red": (0, 5), "blue": (0, 4), "green": (1, 8)}


def test_most_cash_wins() -> None:
    """Winner; The goal; Object of the Game: cubes do not matter without a tie."""
    result = sure(TITLE.result(over([900, 1000, 800], TIED)))
    assert result.winners == (1,)
    assert [score.seat for score in result.scores] == [1, 0, 2]


def test_W2_a_tie_goes_to_the_most_cubes_in_total() -> None:
    """Winner: companies with 5 + 4 cubes beat one with 8 (AMB 8)."""
    assert sure(TITLE.result(over([900, 900, 800], TIED))).winners == (0,)
    other = {"red": (1, 5), "blue": (1, 4), "green": (0, 8)}
    assert sure(TITLE.result(over([900, 900, 800], other))).winners == (1,), "whichever seat it is"


def test_W2_the_table_may_count_the_best_company() -> None:
    """Winner: lobby option "tie": 8 beats 5 (AMB 8, other reading)."""
    assert sure(TITLE.result(over([900, 900, 800], TIED, tie="best"))).winners == (1,)


def test_a_win_may_be_shared() -> None:
    """Winner: equal cash and equal cubes."""
    assert sure(TITLE.result(over([900, 900, 800], {"red": (0, 5), "blue": (1, 5)}))).winners == (0, 1)


def test_the_scores_list_their_parts() -> None:
    state = over([650, 200, 0], {})
    state.earned = [200, 200, 0]
    box(state, "yellow").value, box(state, "yellow").shares = 150, [3, 0, 0]
    first = sure(TITLE.result(state)).scores[0]
    assert first == Score(0, 650, (("profits", 200), ("Yellow 3 × $150", 450)))


def test_the_table_may_end_the_game_by_agreement() -> None:
    state = deal(3)
    state.cash = [10, 30, 20]
    told = play(state, 0, EndGame())
    assert sure(TITLE.result(state)).winners == (1,)
    assert sure(TITLE.result(state)).reason == "the table agreed to end the game"
    assert TITLE.words.say(told[0], ("Don", "Simon", "Andy")) == (
        "The game ends here by agreement: Simon wins (Don $10, Simon $30, Andy $20)."
    )
    assert TITLE.actors(state) == ()


def test_nothing_is_played_after_the_end() -> None:
    state = deal()
    state.phase = "over"
    with pytest.raises(RuleError, match=r"^The game is over\. "):
        TITLE.check(state, 0, Pass())
