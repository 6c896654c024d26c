"""Rules 1 to 3: set-up, turn outline, taking cubes."""

import pytest

from engine.errors import RuleError
from engine.setup import Setup
from engine.titles.steel_driver import TITLE
from tests.engine.titles.steel_driver.positions import deal, everybody_passes
from tests.support.sure import sure


@pytest.mark.parametrize("seats", [2, 7])
def test_three_to_six_players(seats: int) -> None:
    """Players: the game is for three to six players (AMB 1)."""
    with pytest.raises(RuleError, match="3 to 6"):
        deal(seats)


def test_a_company_begins_with_nothing_but_its_links() -> None:
    """Companies: 5 shares to give, 17 links, an empty treasury, no start."""
    for company in deal().companies:
        assert (company.links, company.treasury, company.profit, company.start, company.network) == (17, 0, 0, -1, 0)
        assert sum(company.shares) == 0


def test_turn_one_is_played_in_the_order_of_the_boxes() -> None:
    """The first order of play: red is the leftmost box."""
    state = deal()
    assert [state.board.ids[number] for number in state.order] == ["red", "yellow", "green", "blue", "purple", "black"]


def test_players_begin_with_nothing() -> None:
    """Starting with nothing: no cash and no shares; the cubes are those of the first turn."""
    state = deal(5)
    assert state.cash == [0] * 5
    assert state.cubes == [7] * 5


def test_the_first_holder_is_drawn_by_the_seed() -> None:
    """The first holder of the marker: each seat comes up, and the same seed draws the same seat."""
    drawn = [TITLE.deal(Setup("steel_driver", 4, {}, seed)).marker for seed in range(40)]
    assert set(drawn) == {0, 1, 2, 3}
    assert drawn == [TITLE.deal(Setup("steel_driver", 4, {}, seed)).marker for seed in range(40)]


def test_the_table_may_let_the_first_seat_begin() -> None:
    """The first holder of the marker: lobby option "first"."""
    assert {deal(4, seed, first="host").marker for seed in range(10)} == {0}


def test_nothing_is_hidden() -> None:
    """Open information: a bystander sees the same pictures as a player."""
    from engine.title import Request

    state = deal()
    for picture in ("map", "boxes", "order", "goods", "chart"):
        assert TITLE.views.look(state, Request(picture)) == TITLE.views.look(state, Request(picture, 2))


def test_five_turns_then_the_final_determination() -> None:
    """Turn outline; Final Profit Determination: after the fifth turn come the goods and the end."""
    state = deal(3)
    for turn in range(1, 6):
        assert state.turn == turn
        everybody_passes(state)
    assert state.phase == "over"
    assert sure(TITLE.result(state)).reason == "five turns were played"


@pytest.mark.parametrize(("seats", "each"), [(3, 10), (4, 8), (5, 7), (6, 6)])
def test_C1_cubes_per_turn(seats: int, each: int) -> None:
    """Taking cubes: 10, 8, 7 or 6 cubes for each player."""
    assert deal(seats).cubes == [each] * seats


def test_C1_kept_cubes_stay() -> None:
    """Taking cubes: a player with 2 cubes left in a game of five has 9 in the next turn."""
    state = deal(5)
    state.cubes = [2, 0, 0, 0, 0]
    everybody_passes(state)
    assert state.cubes == [9, 7, 7, 7, 7]


def test_the_pool_never_runs_short() -> None:
    """The pool of cubes: everyone has the full allocation even if no one ever spends a cube (AMB 2)."""
    state = deal(3)
    for _ in range(4):
        everybody_passes(state)
    assert state.cubes == [50, 50, 50]


def test_an_option_the_lobby_does_not_have_is_refused() -> None:
    with pytest.raises(RuleError, match="no option"):
        deal(4, colour="pink")
    with pytest.raises(RuleError, match=r"can be .* not “dice”"):
        deal(4, tie="dice")


def test_a_dealt_game_stands_before_the_first_auction() -> None:
    state = deal()
    assert (state.turn, state.phase, state.passes, state.active) == (1, "auction", 0, 0)
    assert (state.joined, state.cubes_left, state.agreed, state.sale) == (False, 0, False, None)
