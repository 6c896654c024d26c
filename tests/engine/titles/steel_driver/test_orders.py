"""What standing orders mean in Steel Driver: a raise by one cube up to a limit, and the build that a link means."""

import pytest

from engine.finance.rounds import Pass
from engine.titles.steel_driver.actions import Build, Open, Raise
from engine.titles.steel_driver.advice import ORDERS
from tests.engine.titles.steel_driver.positions import building, deal, lay, play


@pytest.mark.parametrize(("most", "bid"), [(3, None), (4, Raise(4)), (9, Raise(4))])
def test_a_bid_rises_by_one_cube_and_never_above_its_limit(most: int, bid: Raise | None) -> None:
    state = deal()
    play(state, 0, Open("green", 3))
    assert ORDERS.raised(state, 1, "green", most) == bid
    assert ORDERS.raised(state, 1, "red", most) is None, "another company is on sale"


def test_no_one_bids_more_cubes_than_they_have() -> None:
    state = deal()
    play(state, 0, Open("green", 3))
    state.cubes[1] = 4
    assert ORDERS.raised(state, 1, "green", 20) == Raise(4)
    state.cubes[1] = 3
    assert ORDERS.raised(state, 1, "green", 20) is None


def test_a_player_without_more_cubes_than_the_bid_is_out() -> None:
    """Bidding: the leader is not asked to bid above himself, and who has dropped out is out."""
    state = deal()
    assert ORDERS.bidders(state) == ()
    play(state, 0, Open("green", 3))
    state.cubes[1:] = [3, 4, 9]
    assert ORDERS.bidders(state) == (2, 3)
    play(state, 1, Pass())
    play(state, 2, Pass())
    assert ORDERS.bidders(state) == (3,)


def test_nothing_is_raised_while_nothing_is_on_sale() -> None:
    assert ORDERS.raised(deal(), 0, "green", 9) is None


def test_where_the_game_stands() -> None:
    state = deal()
    assert ORDERS.moment(state).step == ""
    play(state, 0, Open("green", 3))
    assert (ORDERS.moment(state).step, ORDERS.moment(state).company) == ("bid", "green")
    state = building(deal(), red=3)
    assert (ORDERS.moment(state).step, ORDERS.moment(state).company) == ("build", "red")
    assert len(ORDERS.companies(state)) == 6


def test_a_company_moves_for_its_controller() -> None:
    state = building(deal(), red=3)
    assert [ORDERS.director(state, company) for company in ("red", "green", "pink")] == [0, -1, -1]
    state.companies[0].controller = 2
    assert ORDERS.director(state, state.board.ids[0]) == 2


@pytest.mark.parametrize("words", ["pittsburgh-cleveland", "cleveland -> pittsburgh", "cleveland→pittsburgh"])
def test_a_link_is_built_from_where_the_track_ends(words: str) -> None:
    state = building(deal(), red=9)
    lay(state, "red", "baltimore-pittsburgh")
    assert ORDERS.link(state, words) == Build("pittsburgh", "cleveland")


@pytest.mark.parametrize("words", ["", "pittsburgh", "-pittsburgh", "pittsburgh-"])
def test_words_that_are_no_link_mean_no_build(words: str) -> None:
    assert ORDERS.link(building(deal(), red=9), words) is None
