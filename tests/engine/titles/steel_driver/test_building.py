"""Phase 3: Build Track, with vectors B1 to B8."""

import pytest

from engine import Event
from engine.errors import RuleError
from engine.finance.rounds import Pass
from engine.titles.steel_driver import TITLE, events
from engine.titles.steel_driver.actions import Build, Raise
from engine.titles.steel_driver.state import find_company
from tests.engine.titles.steel_driver.positions import box, building, deal, lay, legal, play
from tests.support.sure import as_a


def list_built(told: list[Event]) -> list[str]:
    """Return the links built, as "Boston–Albany"."""
    return [f"{event.origin}–{event.destination}" for event in told if isinstance(event, events.LinkBuilt)]


def list_passed(told: list[Event]) -> list[str]:
    """Return the companies that passed, in order."""
    return [event.company for event in told if isinstance(event, events.CompanyPassed)]


def test_companies_act_in_order_of_play_again_and_again() -> None:
    """Rounds of building: red and blue take turns, link by link."""
    state = building(deal(), red=9, blue=9)
    play(state, 0, Build("baltimore", "pittsburgh"))
    assert TITLE.words.ask(state).headline.startswith("Blue builds")
    play(state, 0, Build("boston", "albany"))
    assert TITLE.words.ask(state).headline.startswith("Red builds")


def test_a_company_that_can_build_may_not_pass() -> None:
    """Building is compulsory: a controller cannot pass voluntarily (AMB 14)."""
    state = building(deal(), red=9)
    assert all(isinstance(action, Build) for action in legal(state))
    for action in (Pass(), Raise(3)):
        with pytest.raises(RuleError, match="must first build a link"):
            TITLE.check(state, 0, action)


def test_B3_company_that_cannot_afford_anything_passes() -> None:
    """Building is compulsory; The Board.

    Green has 1 cube and every open route costs 2 or more: it passes, and is first in the next turn.
    """
    state = building(deal(), red=4, green=1)
    state.order = [find_company(state, name) for name in ("red", "green", "yellow", "blue", "purple", "black")]
    lay(state, "green", "boston-albany")
    told = play(state, 0, Build("baltimore", "pittsburgh"))
    assert list_passed(told)[0] == "Green"
    assert state.turn == 2
    assert state.board.ids[state.order[0]] == "green"


def test_B6_a_single_option_is_built_without_choice() -> None:
    """Building is compulsory: the only free affordable route is Albany–New York, so it is built."""
    state = building(deal(), red=5, black=2)
    lay(state, "black", "boston-albany boston-new_york")
    lay(state, "blue", "new_york-baltimore albany-buffalo")
    told = play(state, 0, Build("baltimore", "pittsburgh"))
    assert events.LinkBuilt(0, "Black", "Albany", "New York", 2, 0, 0, first=False, forced=True) in told
    assert box(state, "black").treasury == 0


def test_several_companies_of_one_controller_stay_one_actor() -> None:
    """Building is compulsory: the same seat is asked while his companies follow each other."""
    state = building(deal(), red=6, blue=6, green=6)
    seats = []
    for _ in range(3):
        seats.append(TITLE.actors(state))
        play(state, 0, legal(state)[0])
    assert seats == [(0,)] * 3


def test_only_the_controller_builds() -> None:
    """Rounds of building: seat 2 controls red, so no other player is asked or heard."""
    state = building(deal(), red=9)
    box(state, "red").controller = 2
    assert TITLE.actors(state) == (2,)
    with pytest.raises(RuleError, match="your turn"):
        TITLE.check(state, 0, Build("baltimore", "pittsburgh"))


def test_the_company_pays() -> None:
    """The cost of a link; The Board: the cost comes from the treasury; the player's cubes stay."""
    state = building(deal(), red=9)
    play(state, 0, Build("baltimore", "pittsburgh"))
    assert box(state, "red").treasury == 6
    assert state.cubes == [8] * 4


def test_a_link_must_be_affordable() -> None:
    """The cost of a link: a refusal names both numbers."""
    state = building(deal(), red=3)
    with pytest.raises(RuleError, match="costs 4 cubes; Red has 3 in its treasury"):
        TITLE.check(state, 0, Build("new_york", "pittsburgh"))


def test_B1_the_first_link_of_red() -> None:
    """Where a link begins; The Board.

    Baltimore–Pittsburgh for 3 scores 40; Pittsburgh is no hexagon and cannot be the origin.
    """
    state = building(deal(), red=5)
    held = state.cubes.copy()
    assert Build("pittsburgh", "baltimore") not in legal(state)
    with pytest.raises(RuleError, match="begins at a hexagon"):
        TITLE.check(state, 0, Build("pittsburgh", "baltimore"))
    play(state, 0, Build("baltimore", "pittsburgh"))
    red = box(state, "red")
    assert (red.treasury, red.profit, state.board.places[red.start].name) == (2, 40, "Baltimore")
    assert state.cubes == held, "the cubes go back to the pool"


@pytest.mark.parametrize(("origin", "destination", "profit"), [("boston", "new_york", 50), ("new_york", "boston", 30)])
def test_B4_two_hexagons_are_two_options(origin: str, destination: str, profit: int) -> None:
    """Where a link begins; The Board: from Boston the link scores New York's 50, from New York Boston's 30."""
    state = building(deal(), black=6)
    assert {Build("boston", "new_york"), Build("new_york", "boston")} <= set(legal(state))
    play(state, 0, Build(origin, destination))
    assert box(state, "black").profit == profit


def test_two_hexagons_with_one_affordable_route_are_asked() -> None:
    """Where a link begins: still two options, so nothing is built by itself (AMB 11)."""
    state = building(deal(), black=2)
    for route, link in enumerate(state.board.routes):
        if {state.board.places[end].id for end in (link.a, link.b)} != {"boston", "new_york"}:
            state.owner[route] = 3
    assert legal(state) == [Build("boston", "new_york"), Build("new_york", "boston")]


def test_later_links_begin_at_own_track() -> None:
    """Where a link begins: track must be contiguous."""
    state = building(deal(), red=9)
    lay(state, "red", "baltimore-pittsburgh")
    with pytest.raises(RuleError, match="Red has no track at Denver"):
        TITLE.check(state, 0, Build("denver", "omaha"))
    origins = {as_a(Build, action).origin for action in legal(state)}
    assert origins == {"baltimore", "pittsburgh"}


def test_a_route_that_is_taken_is_refused_as_taken_though_the_company_has_no_track_there() -> None:
    """One link on a route: that it is taken never changes, where the company has track may."""
    state = building(deal(), red=9)
    lay(state, "blue", "denver-omaha")
    lay(state, "red", "baltimore-pittsburgh")
    with pytest.raises(RuleError, match="Blue has already built Denver–Omaha"):
        TITLE.check(state, 0, Build("denver", "omaha"))


def test_a_link_said_backwards_is_understood() -> None:
    """Where a link begins: once there is track, only one direction can be meant."""
    state = building(deal(), red=9)
    lay(state, "red", "baltimore-pittsburgh")
    assert TITLE.spell_out(state, 0, Build("Cleveland", "Pittsburgh")) == Build("pittsburgh", "cleveland")
    first = building(deal(), red=9)
    assert TITLE.spell_out(first, 0, Build("Pittsburgh", "Baltimore")) == Build("pittsburgh", "baltimore")


def test_the_start_never_scores() -> None:
    """The start never scores: Baltimore scores nothing when red builds a link back to its start."""
    state = building(deal(), red=9)
    lay(state, "red", "baltimore-new_york new_york-pittsburgh")
    play(state, 0, Build("baltimore", "pittsburgh"))
    assert box(state, "red").profit == 0


def test_B2_a_place_scores_once_for_a_company() -> None:
    """Profit for a link: red reaches Baltimore again from another location: +0."""
    state = building(deal(), red=9)
    lay(state, "red", "charleston-richmond richmond-baltimore baltimore-new_york new_york-pittsburgh")
    play(state, 0, Build("baltimore", "pittsburgh"))
    assert box(state, "red").profit == 0


def test_B8_another_company_makes_no_difference() -> None:
    """Profit for a link: blue reaches Pittsburgh, where red already is, and gains 40."""
    state = building(deal(), blue=9)
    lay(state, "red", "baltimore-pittsburgh")
    lay(state, "blue", "new_york-buffalo")
    play(state, 0, Build("buffalo", "pittsburgh"))
    assert box(state, "blue").profit == 40


def test_one_link_on_a_route() -> None:
    """One link on a route; The Board: blue cannot build where red has built; the refusal says who did."""
    state = building(deal(), blue=9)
    lay(state, "red", "baltimore-pittsburgh")
    lay(state, "blue", "new_york-baltimore")
    with pytest.raises(RuleError, match="Red has already built Baltimore–Pittsburgh"):
        TITLE.check(state, 0, Build("baltimore", "pittsburgh"))


def test_B5_a_link_between_two_own_places() -> None:
    """One link on a route: Albany–New York costs 2 and scores nothing; it is one option, not two (AMB 12)."""
    state = building(deal(), black=9)
    lay(state, "black", "boston-albany boston-new_york")
    assert Build("albany", "new_york") in legal(state)
    assert Build("new_york", "albany") not in legal(state)
    play(state, 0, Build("new_york", "albany"))
    assert (box(state, "black").treasury, box(state, "black").profit) == (7, 0)


def test_a_blocked_company_passes() -> None:
    """One link on a route: with no free route next to its network a rich company passes (AMB 13)."""
    state = building(deal(), red=9, black=9)
    lay(state, "black", "boston-albany")
    lay(state, "blue", "boston-new_york new_york-albany albany-buffalo")
    assert "Black" in list_passed(play(state, 0, Build("baltimore", "pittsburgh")))


def test_seventeen_links_are_the_limit() -> None:
    """No links or no controller: a company without links passes (AMB 4)."""
    state = building(deal(), red=9, black=9)
    lay(state, "black", "boston-albany")
    box(state, "black").links = 0
    told = play(state, 0, Build("baltimore", "pittsburgh"))
    assert events.CompanyPassed("Black", "it has no links left", 1) in told


def test_a_company_without_controller_passes() -> None:
    """No links or no controller: even with cubes in its treasury (AMB 5, 18)."""
    state = building(deal(), red=3, black=9)
    box(state, "black").controller = -1
    told = play(state, 0, Build("baltimore", "pittsburgh"))
    assert events.CompanyPassed("Black", "no player controls it", 1) in told
    assert box(state, "black").treasury == 9


def test_B7_the_pass_row_is_the_next_order_of_play() -> None:
    """The pass row; The Board; Phase 5: End Of Turn: green, red, blue, yellow, purple, black pass in this order."""
    state = building(deal(), green=0, red=0, blue=0, yellow=0, purple=0, black=3)
    state.active = 5
    told = play(state, 0, Build("baltimore", "pittsburgh"))
    assert list_passed(told) == ["Green", "Red", "Blue", "Yellow", "Purple", "Black"]
    assert [state.board.ids[number] for number in state.order] == ["green", "red", "blue", "yellow", "purple", "black"]


def test_treasuries_stay() -> None:
    """The pass row: unspent cubes stay with the company."""
    state = building(deal(), red=4)
    lay(state, "yellow", "baltimore-new_york baltimore-richmond")
    told = play(state, 0, Build("baltimore", "pittsburgh"))
    assert list_built(told) == ["Baltimore–Pittsburgh"]
    assert box(state, "red").treasury == 1
    assert state.turn == 2


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (Build("atlantis", "boston"), "no place “atlantis”"),
        (Build("boston", "denver"), "no route from Boston to Denver"),
        (Build("boston", "boston"), "no route from Boston to Boston"),
        (Build("baltimore", "omaha"), "from Baltimore routes lead to New York, Pittsburgh and Richmond"),
    ],
)
def test_a_place_that_is_not_on_the_board_is_refused(action: Build, why: str) -> None:
    with pytest.raises(RuleError, match=why):
        TITLE.check(building(deal(), red=9), 0, action)
