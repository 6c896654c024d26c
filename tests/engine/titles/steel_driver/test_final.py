"""Final Profit Determination, with vectors F1 to F4, S1 to S8, G1 and G2."""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement

import pytest

from engine import Event
from engine.errors import RuleError
from engine.titles.steel_driver import TITLE, events, score
from engine.titles.steel_driver.actions import Build, Claim
from engine.titles.steel_driver.state import Company, State, find_company, list_members
from engine.titles.steel_driver.steps import goods
from tests.engine.titles.steel_driver.positions import box, deal, everybody_passes, lay, legal, play

RICHARD, DON, ANDY, SIMON = range(4)


def final(tracks: dict[str, str], order: list[str]) -> tuple[State, list[Event]]:
    """Bring a game of four to the final determination; seat 0 holds a share of each company with track."""
    state = deal()
    state.turn = 5
    for name, links in tracks.items():
        lay(state, name, links)
        box(state, name).shares = [1, 0, 0, 0]
    first = [find_company(state, name) for name in order]
    state.order = [*first, *(number for number in range(6) if number not in first)]
    told = everybody_passes(state)
    return state, told


def test_treasuries_are_emptied_and_cubes_are_worth_nothing() -> None:
    """Unused cubes: neither counts in the end."""
    state = deal()
    state.turn = 5
    box(state, "red").treasury = 12
    everybody_passes(state)
    assert box(state, "red").treasury == 0
    assert state.cash == [0, 0, 0, 0]
    assert state.phase == "over"


def test_a_cube_for_every_connected_place() -> None:
    """Goods cubes; The Board: of the colour of the place; one cube even where several companies meet."""
    _, told = final({"red": "baltimore-pittsburgh pittsburgh-cleveland", "blue": "new_york-pittsburgh"}, ["red"])
    (placed,) = [event for event in told if isinstance(event, events.GoodsPlaced)]
    assert dict(placed.counts) == {"black": 4, "white": 0, "silver": 0, "orange": 0, "red": 0}


def test_G2_all_places_connected() -> None:
    """Goods cubes: with all 38 places connected there are 12 black, 12 white, 6 silver, 5 orange, 3 red cubes."""
    state = deal()
    state.turn = 5
    box(state, "red").network = (1 << 38) - 1
    box(state, "red").shares[0] = 1
    told = everybody_passes(state)
    (placed,) = [event for event in told if isinstance(event, events.GoodsPlaced)]
    assert dict(placed.counts) == {"black": 12, "white": 12, "silver": 6, "orange": 5, "red": 3}


def holder(shares: list[int], last: int) -> tuple[int, bool]:
    """Return who controls a company with these shares by seat."""
    return score.find_controller(Company(shares, [0] * 5, last=last))


def test_F1_most_shares() -> None:
    """The last controllers: Andy has 3 red shares, others fewer."""
    assert holder([1, 1, 3, 0], DON) == (ANDY, False)


@pytest.mark.parametrize(
    ("vector", "last", "control"), [("F2", RICHARD, DON), ("F3", SIMON, SIMON), ("F4", ANDY, SIMON)]
)
def test_F2_F3_F4_ties(vector: str, last: int, control: int) -> None:
    """The last controllers.

    Don and Simon hold 2, Richard 1: the first tied player clockwise, beginning with the last controller.
    """
    assert holder([1, 2, 0, 2], last) == (control, True), vector


def test_a_company_without_shares_has_no_controller() -> None:
    """The last controllers: it has no track and no cubes either."""
    assert holder([0, 0, 0, 0], -1) == (-1, False)


def test_G1_taking_the_common_cube_first() -> None:
    """Claiming goods: X takes the common cube of Pittsburgh, Y passes at once, X takes its other cube."""
    state, _ = make_contested()
    told = play(state, 0, Claim("pittsburgh"))
    assert [(type(event).__name__, getattr(event, "company", "")) for event in told[:3]] == [
        ("CubeClaimed", "Red"),
        ("CompanyPassed", "Blue"),
        ("CubeClaimed", "Red"),
    ]


def test_G1_taking_the_other_cube_first() -> None:
    """Claiming goods: X takes its own cube first, so Y gets the common one."""
    state, _ = make_contested()
    told = play(state, 0, Claim("cleveland"))
    claimed = [(event.company, event.place) for event in told if isinstance(event, events.CubeClaimed)]
    assert claimed == [("Red", "Cleveland"), ("Blue", "Pittsburgh")]


def test_the_controller_chooses_the_cube() -> None:
    """Claiming goods: seat 2 has most shares of red and says which it takes."""
    state, _ = make_contested()
    box(state, "red").controller = 2
    assert TITLE.actors(state) == (2,)
    play(state, 2, Claim("cleveland"))
    with pytest.raises(RuleError):
        TITLE.check(state, 0, Claim("pittsburgh"))


def make_contested() -> tuple[State, list[Event]]:
    """Return two companies X (red) and Y (blue): Pittsburgh is common, Cleveland is red's, the rest is claimed."""
    state, told = final(
        {"red": "baltimore-pittsburgh pittsburgh-cleveland", "blue": "new_york-pittsburgh"}, ["red", "blue"]
    )
    play(state, 0, Claim("baltimore"))
    play(state, 0, Claim("new_york"))
    assert legal(state) == [Claim("cleveland"), Claim("pittsburgh")]
    return state, told


def test_claiming_is_compulsory() -> None:
    """Claiming goods: it must take a cube if there is one (AMB 17)."""
    state, _ = make_contested()
    with pytest.raises(RuleError, match=r"Red must first claim a cube"):
        TITLE.check(state, 0, Build("cleveland", "chicago"))


def test_only_cubes_that_are_there_and_within_reach() -> None:
    """Claiming goods: refusals say what is missing."""
    state, _ = make_contested()
    with pytest.raises(RuleError, match="cube at Baltimore has already been claimed"):
        TITLE.check(state, 0, Claim("baltimore"))
    with pytest.raises(RuleError, match="Red has no track at New York"):
        TITLE.check(state, 0, Claim("new_york"))
    with pytest.raises(RuleError, match="no place “atlantis”"):
        TITLE.check(state, 0, Claim("atlantis"))


def test_cubes_that_only_one_player_can_claim_are_taken_automatically() -> None:
    """Claiming goods: a company alone in its corner gets all of its cubes whatever the order."""
    state, told = final({"red": "baltimore-pittsburgh pittsburgh-cleveland"}, ["red"])
    assert len([event for event in told if isinstance(event, events.CubeClaimed) and event.forced]) == 3
    assert state.phase == "over"


@pytest.mark.parametrize("first", range(3))
def test_the_only_cube_in_reach_is_taken_at_once_though_another_reaches_it_too(first: int) -> None:
    """Claiming goods: wherever its place stands in the list of the board."""
    state = fifth_turn()
    place = sorted(list_members(box(state, "red").network))[first]
    box(state, "blue").network |= 1 << place
    state.cubes_left = 1 << place
    assert goods.settle(state, lambda _: None)
    assert state.cubes_left == 0
    state = fifth_turn()
    state.cubes_left = box(state, "red").network = box(state, "blue").network = 1
    assert goods.settle(state, lambda _: None), "the first of all places"


def fifth_turn(**options: str) -> State:
    """Return a game where turn 5 was played blue, red and passed red, blue; both meet in Pittsburgh."""
    state = deal(**options)
    state.turn = 5
    lay(state, "red", "baltimore-pittsburgh pittsburgh-cleveland")
    lay(state, "blue", "new_york-pittsburgh")
    for name in ("red", "blue"):
        box(state, name).shares = [1, 0, 0, 0]
    red, blue = (find_company(state, name) for name in ("red", "blue"))
    rest = [number for number in range(6) if number not in (red, blue)]
    state.order, state.played = [red, blue, *rest], [blue, red, *rest]
    goods.begin(state, lambda _: None)
    return state


def test_the_order_is_that_of_passing_in_turn_five() -> None:
    """Claiming goods: red passed first, so it claims first (AMB 7)."""
    asked = TITLE.words.ask(fifth_turn())
    assert asked.company == "RED"
    passed = "companies claim in the order in which they passed in turn five"
    assert asked.readings == (f"This table reads: {passed} (Final Profit Determination, AMB 7).",)


def test_an_uncontrolled_company_of_turn_five_claims_too() -> None:
    """Claiming goods: blue had no controller in turn 5; who has most of its shares claims for it (AMB 18)."""
    state, _ = make_contested()
    blue = box(state, "blue")
    assert blue.last < 0, "nobody bought it in any auction"
    assert blue.controller == 0
    play(state, 0, Claim("cleveland"))
    assert sum(blue.goods) == 2


def test_the_table_may_take_the_order_turn_five_was_played_in() -> None:
    """Claiming goods: lobby option "claims" (AMB 7, other reading)."""
    asked = TITLE.words.ask(fifth_turn(claims="played"))
    assert asked.company == "BLU"
    assert "in the order in which turn five was played" in asked.readings[0]


@pytest.mark.parametrize(
    ("vector", "counts", "value", "sizes"),
    [
        ("S1", (4, 2, 1, 1, 0), 150, [4, 2, 1, 1]),
        ("S2", (1, 1, 1, 1, 1), 150, [5]),
        ("S3", (6, 0, 0, 0, 0), 60, [1] * 6),
        ("S4", (2, 2, 2, 0, 0), 120, [3, 3]),
        ("S5", (3, 3, 2, 1, 1), 240, [5, 3, 2]),
        ("S6", (3, 3, 3, 2, 1), 310, [5, 4, 3]),
        ("S7", (0, 0, 0, 0, 0), 0, []),
    ],
)
def test_S1_to_S7_sets(vector: str, counts: tuple[int, ...], value: int, sizes: list[int]) -> None:
    """Sets of cubes: sets of 1 to 5 colours pay 10, 30, 60, 100, 150."""
    assert (score.find_value_of_sets(counts), score.find_set_sizes(counts)) == (value, sizes), vector


@cache
def best_by_trying(counts: tuple[int, ...]) -> int:
    """Return the value of the best sets, found by trying every set of colours."""
    held = [colour for colour, count in enumerate(counts) if count]
    best = 0
    for size in range(1, len(held) + 1):
        for chosen in combinations(held, size):
            rest = tuple(sorted((n - (c in chosen) for c, n in enumerate(counts)), reverse=True))
            best = max(best, score.SET_PAYS[size] + best_by_trying(rest))
    return best


def test_S8_the_best_sets_equal_a_search_of_all() -> None:
    """Sets of cubes: for all 126 sorted counts of 0 to 4 cubes a colour."""
    vectors = [tuple(sorted(v, reverse=True)) for v in combinations_with_replacement(range(5), 5)]
    assert len(set(vectors)) == 126
    assert [v for v in vectors if score.find_value_of_sets(v) != best_by_trying(v)] == []


def test_a_value_may_exceed_200() -> None:
    """No upper limit: the track ends at 200, the value does not (no cap)."""
    assert score.find_value_of_sets((3, 3, 2, 1, 1)) == 150 + 60 + 30


def test_W1_shares_are_paid_and_control_is_not() -> None:
    """Shares pay: yellow is worth 150, a player with 3 shares gets 450, the controller's marker nothing."""
    state = deal()
    yellow = box(state, "yellow")
    yellow.goods, yellow.shares = [4, 2, 1, 1, 0], [0, 3, 0, 0]
    yellow.controller = 2
    told: list[Event] = []
    goods.pay_shares(state, told.append)
    assert state.cash == [0, 450, 0, 0]
    assert told[0] == events.SharesPaid("Yellow", 150, ((1, 3, 450),))


def test_every_cube_is_claimed_once() -> None:
    """Shares pay: in the end the boxes hold as many cubes as places were connected."""
    tracks = {"red": "baltimore-pittsburgh pittsburgh-cleveland", "blue": "new_york-pittsburgh"}
    state, _ = final(tracks, ["red", "blue"])
    while TITLE.actors(state):
        play(state, 0, legal(state)[0])
    assert Counter(sum(company.goods) for company in state.companies)[0] == 4
    assert sum(sum(company.goods) for company in state.companies) == 4
