"""Situations at the edges of the rulebook, SD-1 to SD-26, read as docs/situations.md tells."""

import pytest

from engine import Event
from engine.errors import RuleError
from engine.finance.rounds import EndGame, Pass
from engine.titles.steel_driver import TITLE, events, score
from engine.titles.steel_driver.actions import Build, Claim, Open, Raise
from engine.titles.steel_driver.state import Company, State, find_place
from tests.engine.titles.steel_driver.positions import box, building, deal, everybody_passes, lay, legal, play
from tests.support.sure import sure


def filter_events(told: list[Event], kind: type[Event]) -> list[Event]:
    """Return the facts of a kind."""
    return [event for event in told if isinstance(event, kind)]


def auction(cubes: list[int], marker: int = 0) -> State:
    """Return the auctions of a first turn, with so many cubes by seat."""
    state = deal(len(cubes))
    state.cubes, state.marker = list(cubes), marker
    return state


def test_sd_1_no_other_player_has_more_cubes_than_the_opening_bid() -> None:
    """SD-1: no one is asked; the opener has the company at once."""
    state = auction([8, 3, 3, 2])
    told = play(state, 0, Open("red", 3))
    assert [event.forced for event in told if isinstance(event, events.DroppedOut)] == [True] * 3
    assert (box(state, "red").controller, state.cubes[0], state.marker) == (0, 5, 1)


def test_sd_2_only_players_with_more_cubes_than_the_bid_are_asked() -> None:
    """SD-2: an equal bid is none, so who has just as many is out, between two who are asked."""
    state = auction([8, 4, 3, 4])
    play(state, 0, Open("red", 3))
    assert TITLE.actors(state) == (1,)
    with pytest.raises(RuleError, match="the high bid is 3"):
        TITLE.check(state, 1, Raise(3))
    play(state, 1, Pass())
    assert TITLE.actors(state) == (3,)


def test_sd_3_the_opener_is_asked_again_and_may_raise() -> None:
    """SD-3: bidding goes round until one is left; a raise may come from whoever is still in."""
    state = auction([8, 8, 8])
    play(state, 0, Open("red", 1))
    play(state, 1, Raise(2))
    play(state, 2, Pass())
    play(state, 0, Raise(4))
    play(state, 1, Pass())
    assert (box(state, "red").controller, box(state, "red").treasury) == (0, 4)


def test_sd_4_a_player_who_dropped_out_bids_in_the_next_auction() -> None:
    """SD-4: out is out of this auction only."""
    state = auction([8, 8, 8])
    play(state, 0, Open("red", 1))
    play(state, 1, Pass())
    play(state, 2, Pass())
    play(state, 1, Open("blue", 1))
    assert TITLE.actors(state) == (2,)
    play(state, 2, Raise(2))
    assert TITLE.actors(state) == (0,)


def test_sd_5_the_marker_reaches_a_player_without_cubes() -> None:
    """SD-5: it goes on by itself, and counts as a pass of the succession that ends the auctions."""
    state = auction([2, 0, 3], marker=2)
    play(state, 2, Pass())
    play(state, 0, Pass())
    assert state.phase == "auction", "a new turn has begun"
    assert state.turn == 2
    assert state.marker == 2


def test_sd_6_no_player_has_cubes_left() -> None:
    """SD-6: the auctions end by themselves with the companies that are left, and building begins."""
    state = auction([1, 0, 0])
    told = play(state, 0, Open("red", 1))
    assert len(filter_events(told, events.MarkerPassed)) == 3
    (ended,) = filter_events(told, events.AuctionsEnded)
    assert ended == events.AuctionsEnded(("Yellow", "Green", "Blue", "Purple", "Black"), 1)


def test_sd_7_one_player_buys_all_six() -> None:
    """SD-7: allowed; each has its own treasury, and the marker comes round to him before each."""
    state = auction([6, 0, 0])
    for name in ("red", "yellow", "green", "blue", "purple", "black"):
        play(state, 0, Open(name, 1))
    assert [(company.last, company.treasury, company.shares) for company in state.companies] == [(0, 1, [1, 0, 0])] * 6
    assert (state.turn, state.marker) == (2, 1), "one cube builds nothing; the marker is next to the last opener"


def test_sd_8_a_treasury_waits_for_the_next_controller() -> None:
    """SD-8: what a company kept stays in it; who wins it next adds his bid, and builds with both."""
    state = auction([8, 8, 8])
    box(state, "red").treasury = 5
    play(state, 0, Open("red", 2))
    play(state, 1, Pass())
    play(state, 2, Pass())
    assert box(state, "red").treasury == 7


def test_sd_9_cubes_that_are_kept_add_to_the_next_turns() -> None:
    """SD-9: without limit; a bid may be higher than any turn gives."""
    state = auction([8, 8, 8])
    everybody_passes(state)
    assert state.cubes == [18, 18, 18]
    play(state, state.marker, Open("red", 18))
    assert box(state, "red").treasury == 18


def test_sd_10_no_hexagon_has_a_free_route_that_can_be_paid() -> None:
    """SD-10: a company that has no track yet passes, however rich, and may start in a later turn."""
    state = building(deal(), black=9, red=1)
    told = play(state, 0, legal(state)[0])
    assert events.CompanyPassed("Red", "it can't build anything with 1 cube", 1) in told
    assert box(state, "red").treasury == 1


def test_sd_11_two_companies_start_in_one_hexagon() -> None:
    """SD-11: a hexagon is no one's own; the second needs a route of its own, and scores the other end."""
    state = building(deal(), blue=2, black=9)
    lay(state, "red", "boston-albany")
    play(state, 0, Build("boston", "new_york"))
    assert (box(state, "blue").start, box(state, "blue").profit) == (find_place(state, "boston"), 50)


def test_sd_12_a_hexagon_that_is_reached_later_scores() -> None:
    """SD-12: only one's own start never does."""
    state = building(deal(), red=5, black=9)
    lay(state, "red", "boston-albany")
    play(state, 0, Build("albany", "new_york"))
    assert box(state, "red").profit == 50


def test_sd_13_the_last_cube_of_a_treasury_must_be_spent_on_a_link_that_scores_nothing() -> None:
    """SD-13: whoever can build must, though it brings nothing."""
    state = building(deal(), red=3, black=2)
    lay(state, "black", "boston-albany boston-new_york")
    lay(state, "blue", "albany-buffalo new_york-baltimore")
    told = play(state, 0, legal(state)[0])
    built = [event for event in told if isinstance(event, events.LinkBuilt) and event.company == "Black"]
    assert [(event.value, event.forced) for event in built] == [(0, True)]


LINE_BUT_ONE = (
    "san_francisco-reno reno-salt_lake_city salt_lake_city-denver denver-omaha omaha-des_moines des_moines-chicago "
    "chicago-cleveland cleveland-pittsburgh pittsburgh-baltimore"
)


def test_sd_14_a_first_link_joins_the_coasts() -> None:
    """SD-14: its company is the builder: 50, its destination beside it; the others of the line have 30."""
    state = building(deal(), yellow=2, red=4)
    lay(state, "red", LINE_BUT_ONE)
    play(state, 0, Build("baltimore", "new_york"))
    assert (box(state, "yellow").profit, box(state, "red").profit) == (50 + 50, 30)


def test_sd_15_one_player_controls_several_companies_of_the_line() -> None:
    """SD-15: he takes the bonus of each."""
    state = building(deal(), yellow=2, red=0)
    lay(state, "red", LINE_BUT_ONE)
    box(state, "red").controller = 0
    play(state, 0, Build("baltimore", "new_york"))
    assert state.turn == 2, "red has nothing to build with"
    assert state.cash[0] == 100 + 30


def test_sd_16_the_line_is_joined_when_the_treasury_is_empty() -> None:
    """SD-16: the bonus is profit of this turn, and is gone from the track in the next; it comes once."""
    state = building(deal(), yellow=2, red=0)
    lay(state, "red", LINE_BUT_ONE)
    play(state, 0, Build("baltimore", "new_york"))
    assert state.joined
    assert [company.profit for company in state.companies] == [0] * 6


def test_sd_17_the_coasts_are_never_joined() -> None:
    """SD-17: no one gets a bonus, and the game ends after turn five all the same."""
    state = deal(3)
    state.turn = 5
    lay(state, "red", "baltimore-pittsburgh")
    box(state, "red").shares[0] = 1
    everybody_passes(state)
    assert (state.joined, state.phase) == (False, "over")


def claiming(tracks: dict[str, str], seats: int = 4) -> State:
    """Begin the final determination; each company named has a share of seat 0."""
    state = deal(seats)
    state.turn = 5
    for name, links in tracks.items():
        lay(state, name, links)
        box(state, name).shares[0] = 1
    everybody_passes(state)
    return state


def test_sd_18_the_start_has_a_goods_cube_too() -> None:
    """SD-18: it is connected to track; that it never scores is a matter of profits."""
    state = claiming({"red": "baltimore-pittsburgh", "blue": "new_york-pittsburgh"})
    assert Claim("baltimore") in legal(state)


def test_sd_19_another_company_takes_the_last_cube_in_reach() -> None:
    """SD-19: then it passes for good, with what it has."""
    state = claiming({"red": "baltimore-pittsburgh", "blue": "new_york-baltimore new_york-pittsburgh"})
    play(state, 0, Claim("baltimore"))
    told = play(state, 0, Claim("pittsburgh"))
    assert "Red" in [event.company for event in told if isinstance(event, events.CompanyPassed)]
    assert (sum(box(state, "red").goods), sum(box(state, "blue").goods)) == (1, 2)


def test_sd_20_shares_of_a_company_without_track() -> None:
    """SD-20: it claims nothing, and its shares are paid nothing; who holds most of them controls it."""
    state = deal()
    state.turn = 5
    box(state, "red").shares = [0, 2, 1, 0]
    everybody_passes(state)
    assert (box(state, "red").controller, box(state, "red").value) == (1, 0)
    assert state.cash == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("shares", "last", "control"),
    [([2, 0, 0, 2, 0, 0], 5, 0), ([2, 0, 0, 2, 0, 0], 1, 3), ([1] * 5 + [0], 5, 0), ([1] * 5 + [0], 4, 4)],
)
def test_sd_21_ties_for_control_go_round_the_table(shares: list[int], last: int, control: int) -> None:
    """SD-21: from the last controller clockwise, past the last seat to the first; it need not be one of the tied."""
    assert score.find_controller(Company(shares, [0] * 5, last=last)) == (control, True)


def test_sd_22_no_player_has_money() -> None:
    """SD-22: all have won together."""
    state = deal(3)
    state.turn = 5
    everybody_passes(state)
    assert sure(TITLE.result(state)).winners == (0, 1, 2)


def test_sd_23_three_are_tied_and_two_of_them_in_cubes_too() -> None:
    """SD-23: these two share the win; cubes of one with less cash do not matter."""
    state = deal(5)
    state.phase, state.cash = "over", [500, 500, 500, 490, 0]
    for name, seat, cubes in (("red", 0, 4), ("blue", 1, 2), ("green", 1, 2), ("black", 2, 3), ("purple", 3, 9)):
        box(state, name).controller, box(state, name).goods = seat, [cubes, 0, 0, 0, 0]
    result = sure(TITLE.result(state))
    assert result.winners == (0, 1)
    assert [each.seat for each in result.scores][:3] == [0, 1, 2]


def test_sd_24_the_table_ends_the_game_before_the_goods() -> None:
    """SD-24: cash decides as it lies; shares are paid by the final determination alone, which is not held."""
    state = deal(3)
    lay(state, "red", "baltimore-pittsburgh")
    box(state, "red").shares[2], state.cash = 1, [40, 30, 30]
    play(state, 1, EndGame())
    assert [each.total for each in sure(TITLE.result(state)).scores] == [40, 30, 30]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_sd_25_every_number_of_players_may_tie_for_every_company(seats: int) -> None:
    """SD-25: one share each at most, so the last controller has it: turn one's winner controls in the end."""
    for last in range(seats):
        assert score.find_controller(Company([1] * seats, [0] * 5, last=last)) == (last, True)


def test_sd_26_two_companies_of_one_player_claim_from_each_other() -> None:
    """SD-26: each in its turn and for itself; the player cannot wait with one for the other."""
    state = claiming({"red": "baltimore-pittsburgh pittsburgh-cleveland", "blue": "new_york-pittsburgh"})
    with pytest.raises(RuleError, match="Red has no track at New York"):
        TITLE.check(state, 0, Claim("new_york"))
    with pytest.raises(RuleError):
        TITLE.check(state, 0, Pass())
