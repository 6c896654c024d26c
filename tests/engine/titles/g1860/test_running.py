"""Running Trains.

What a plan of runs must keep to, paragraph by paragraph (Trains must run, A run, Stops on the way, Room in a train,
Several stops on a hex, Runs meet, No track twice, Past a tokened-out city, Revenue and halts, Ends are counted,
Building stops, Nationalised rounds, First edition: small stations, Option: re-enter hexes).
"""

import msgspec
import pytest

from engine.errors import RuleError
from engine.rails.board import Board
from engine.rails.maps import Map, PrintedHex
from engine.rails.tiles import Manifest, Stop, Tile
from engine.titles.g1860.catalogue import TRAINS
from engine.titles.g1860.running.plan import check_plan, read_plan
from engine.titles.g1860.running.runs import Problem, RunRules
from engine.titles.g1860.running.search import NOTHING, can_run, find_alternatives, find_best_plan
from tests.engine.titles.g1860.run_ground import LATE, best, company, earns, refusal

COWES_LINE = "F2 787, F4 742/3"


def test_defaults_of_the_rules_are_those_of_the_second_edition() -> None:
    """Small stations may be passed, halts and both ends count, no hex comes twice, all trains run."""
    usual = RunRules(
        skip_towns=True, re_enter=False, halts=True, total=False, lease="", half_up=True, ends_counted=True,
        join_counted=True, all_run=True,
    )  # fmt: skip
    problem = company("C&N F2", "2+1")
    assert RunRules() == usual
    assert Problem(problem.graph, "C&N", {}, None, ()) == Problem(problem.graph, "C&N", {}, None, (), "yellow", usual)


# Running Trains: every train must run if it can; the director chooses where.


def test_a_train_that_can_run_beside_the_others_must() -> None:
    """Running Trains: a train that can run beside the others must."""
    said = refusal(company("C&N F2, C&N G5", "2+1 2+1", tiles=COWES_LINE), "F2.0-F2.1")
    assert said.startswith("Every train that can run must run: the 2+1 can still run F2.1-F2.2-[F4]-G5.")


def test_a_company_that_can_run_may_not_run_nothing() -> None:
    """Running Trains: a company that can run may not run nothing."""
    said = refusal(company("C&N F2", "2+1"), "")
    assert said == "Every train that can run must run: the 2+1 can run F2.0-F2.1. (1860, Running Trains)"


def test_a_train_without_a_run_beside_the_chosen_ones_stays_idle() -> None:
    """The first run takes all the track; two shorter ones would have served both trains (60-47)."""
    line = company("C&N F2, C&N G5", "2+1 2+1", tiles=COWES_LINE)
    assert earns(line, "F2.0-[F2.1]-[F2.2]-F4-G5") == (20 + 30, 10)
    assert earns(line, "F2.0-F2.1; F2.1-[F2.2]-F4-G5") == (30 + 40, 10)


def test_a_leg_of_its_own_is_needed_to_run_beside_the_others() -> None:
    """Without a base at Newport the second train finds no run: the first has the only piece at Cowes."""
    assert earns(company("C&N F2", "2+1 2+1", tiles=COWES_LINE), "F2.0-F2.1") == (30, 0)


def test_running_for_less_than_the_best_is_legal() -> None:
    """Running Trains: running for less than the best is legal."""
    assert earns(company("C&N F2", "4+2"), "F2.0-F2.1") == (40, 0)


def test_without_trains_nothing_runs() -> None:
    assert find_best_plan(company("C&N F2")) == NOTHING
    assert check_plan(company("C&N F2"), ()) == NOTHING
    assert not can_run(company("C&N F2"))


def test_runs_that_were_not_typed_are_checked_as_well() -> None:
    mine = company("C&N F2", "2+1")
    (run,) = read_plan(mine, "F2.0-F2.1")
    for wrong, said in (
        ((run, run), "The plan runs more 2+1 trains than C&N has."),
        ((msgspec.structs.replace(run, nodes=run.nodes[:1], links=()),), "The 2+1 needs at least two stops."),
    ):
        with pytest.raises(RuleError) as caught:
            check_plan(mine, wrong)
        assert caught.value.sentence == said


def test_trains_it_has_not_are_refused() -> None:
    mine = company("C&N F2", "2+1")
    assert "C&N has 1 train to run; the plan has 2 runs." in refusal(mine, "F2.0-F2.1; F2.1-F2.2-F4-G5.0")
    assert "C&N has no 2+1 left to run." in refusal(mine, "2+1 F2.0-F2.1; 2+1 F2.1-F2.2-F4-G5.0")
    assert "C&N has no 3+2 to run." in refusal(mine, "3+2 F2.0-F2.1")
    assert "There is no train called 3+3." in refusal(mine, "3+3 F2.0-F2.1")


# Running Trains: continuous track, two stops, ends that are no halts, a base on the way, nothing twice.


def test_it_ends_at_no_halt() -> None:
    """Running Trains: it ends at no halt."""
    said = refusal(company("C&N F2", "4+2"), "F4-F2.2-F2.1-F2.0")
    assert said.startswith(
        "The 4+2 ends at F4, a halt; a run must end at a city or a small station. (1860, Running Trains"
    )


def test_it_may_end_at_a_town_or_the_pier() -> None:
    """Running Trains: it may end at a town or the pier."""
    assert earns(company("IOW I3", "4+2"), "J2-I3-J4-I5-[H4.0]-H4.1") == (20 + 50 + 40 + 10, 10)


def test_it_passes_a_base_of_the_company() -> None:
    """Running Trains: it passes a base of the company."""
    assert "The 4+2 must visit a city with a base of C&N." in refusal(company("C&N F2", "4+2"), "I3-J4")


def test_track_must_join_its_stops() -> None:
    """Running Trains: track must join its stops."""
    said = refusal(company("C&N F2", "4+2"), "F2.0-F4-J8-I3")
    assert said.startswith("No track connects F4 and J8. (1860, Running Trains")


def test_one_stop_is_no_run() -> None:
    said = refusal(company("C&N F2", "4+2"), "F2.0")
    assert said.startswith("F2.0 alone isn't a run; a run needs at least two stops.")


def test_no_stop_twice() -> None:
    said = refusal(company("C&N G5", "7+4"), "E5-F6-G5.0-G3-H4.1-G5.0-F4-F2")
    assert said.startswith("H4.1→G5.0: the 7+4 visits G5.0 twice.")


def test_no_track_twice() -> None:
    """Running Trains: no turning on track that forks at a hexside; no tile has such, but the rule holds."""
    fork = Tile("fork", track=((0, 3), (0, 2)))
    city = Tile("city", stops=(Stop("city", 20, slots=1),), track=((0, 10), (3, 10)))
    tiles = {"fork": fork, "city": city}
    board = Board(
        Map("toy", dict.fromkeys(("C6", "C4", "C2", "B3"), PrintedHex()), [], Manifest(tiles, {"fork": 1, "city": 3}))
    )
    board = (
        board.with_tile("C6", "city", 0)
        .with_tile("C4", "fork", 0)
        .with_tile("C2", "city", 0)
        .with_tile("B3", "city", 5)
    )
    toy = Problem(board.graph, "C&N", {("C6", 0): ("C&N",)}, ("C6", 0), (TRAINS["3+2"],), rules=RunRules(re_enter=True))
    assert earns(toy, "C2-C4-C6") == (40, 0)
    assert refusal(toy, "C2-C4-C6-C4-B3").startswith("C6→B3: the 3+2 would reuse its own track.")


def test_no_hex_twice() -> None:
    """Running Trains: Newport is left for Merstone and may not be entered again, though its other city is free."""
    said = refusal(company("C&N G5", "7+4", tiles=LATE), "H4.0-H6-G5.1-G7.1-G7.0-F6-G5.0")
    assert said.startswith("F6→G5.0: the 7+4 enters a hex a second time. (1860, Running Trains")


def test_a_hex_may_be_entered_again_where_that_is_agreed() -> None:
    """“Option: re-enter hexes”, as on 18xx.games: the hex again, but no stop and no track."""
    again = company("C&N G5", "7+4", tiles=LATE, re_enter=True)
    assert earns(again, "H4.0-H6-G5.1-G7.1-G7.0-F6-G5.0") == (20 + 20 + 10 + 20 + 10 + 60, 0)
    assert "visits G5.0 twice" in refusal(again, "G5.0-F6-G7.0-G7.1-G5.1-G5.0")


# Running Trains: what counts, and what it earns.


def test_a_city_on_the_way_always_counts() -> None:
    """Running Trains: a city on the way always counts."""
    said = refusal(company("IOW I3", "4+2"), "I3-[J4]-J6")
    assert said.startswith("J4 is a city, and a run must count every city it passes. (1860, Running Trains")


def test_towns_and_halts_may_be_passed_by() -> None:
    """Running Trains: 60-35: towns and halts may be passed by."""
    mine = company("C&N F2", "3+2")
    assert earns(mine, "F2.0-F2.1-F2.2-[F4]-G5.0") == (90, 10)
    assert earns(mine, "F2.0-[F2.1]-F2.2-F4-G5.0") == (80, 20)
    assert earns(mine, "F2.0-[F2.1]-[F2.2]-[F4]-G5.0") == (80, 0)


@pytest.mark.parametrize(
    ("walk", "earned"),
    [
        ("F2.0-F2.1-[F2.2]-[F4]-G5.0", (90, 0)),
        ("F2.0-[F2.1]-[F2.2]-F4-G5.0", (80, 10)),
        ("F2.1-[F2.2]-[F4]-G5.0-G3", (70, 0)),
        ("F2.1-[F2.2]-F4-G5.0", (60, 10)),
    ],
)
def test_a_2_1_counts_three_stops_of_which_two_may_be_cities(walk: str, earned: tuple[int, ...]) -> None:
    """Track Tiles; Running Trains.

    The rulebook's examples: 2 cities and a town, or a halt; a city and 2 towns; a city, a town, a halt.
    """
    assert earns(company("C&N G5, C&N F2", "2+1"), walk) == earned


def test_more_cities_than_the_first_number_are_refused() -> None:
    """Running Trains: more cities than the first number are refused."""
    said = refusal(company("C&N F2", "3+2"), "F2.0-[F2.1]-[F2.2]-[F4]-G5.0-[H4]-[I5]-J4-I3")
    assert said.startswith("The 3+2 can count only 3 cities; this run counts 4. (1860, Running Trains")


def test_more_towns_and_halts_than_there_is_room_for_are_refused() -> None:
    """Running Trains: more towns and halts than there is room for are refused."""
    said = refusal(company("C&N F2", "3+2"), "F2.0-F2.1-F2.2-F4-G5.0-G3")
    assert said.startswith(
        "The 3+2 can count only 3 small stations or halts in addition to 2 cities; this run counts 4."
    )


def test_unused_cities_make_room_for_towns_and_halts() -> None:
    """Running Trains: unused cities make room for towns and halts."""
    assert earns(company("C&N G5", "4+2"), "F2.1-F2.2-F4-G5.0-G3") == (10 + 50 + 10, 20)


def test_several_stops_of_a_hex_all_count() -> None:
    """Several stops on a hex: joined by track on the hex."""
    assert earns(company("C&N F2", "2+1"), "F2.0-F2.1") == (40, 0)


@pytest.mark.parametrize(("colour", "pier"), [("yellow", 0), ("green", 20), ("russet", 40)])
def test_the_pier_has_the_value_of_its_tile(colour: str, pier: int) -> None:
    """The Map: the pier has the value of its tile."""
    assert earns(company("IOW I3", "2+1", colour=colour), "J2-I3") == (50 + pier, 0)


# Running Trains: one run includes home, all are connected, no track is used twice.


def test_one_run_includes_home() -> None:
    """Running Trains: one run includes home."""
    away = company("C&N F2, C&N J4", "2+1")
    assert "At least one run must include F2.0, the home of C&N. (1860, Running Trains" in refusal(away, "J4-I3")
    assert earns(away, "F2.0-F2.1") == (40, 0)


def test_a_company_without_its_home_base_cannot_run() -> None:
    """Floating too late: it floated too late to place it."""
    homeless = msgspec.structs.replace(company("C&N F2, C&N J4", "2+1"), home=None)
    assert not can_run(homeless)
    assert find_best_plan(homeless) == NOTHING
    assert "The home base of C&N isn't on the board" in refusal(homeless, "J4-I3")


def test_runs_must_meet() -> None:
    """Running Trains: runs must meet."""
    apart = company("C&N F2, C&N J4", "2+1 2+1")
    assert "The runs aren't connected" in refusal(apart, "F2.0-F2.1; J4-I3")


def test_runs_meet_in_a_chain() -> None:
    """Running Trains: runs meet in a chain."""
    chain = company("C&N F2, C&N J4, C&N G5", "2+1 2+1 2+1")
    assert earns(chain, "F2.0-F2.1; F2.1-[F2.2]-[F4]-G5.0; G5.0-[H4]-[I5]-J4") == (40 + 60 + 90, 0)


@pytest.mark.parametrize(
    ("tiles", "bases", "strict", "site"),
    [
        ("H6 768/2, H8 5/2, G7 746/2, G5 771/5, H4 751/2, I5 744/5, I7 789/1", "C&N G5, C&N G7", 160, 170),
        (
            "H6 767/0, H8 788/3, G7 746/1, G5 741/5, H4 771/4, I5 789/4, I7 789/0",
            "C&N H4, C&N H8, C&N G7, C&N I5",
            140,
            150,
        ),
        (
            "H6 767/1, H8 742/4, G7 789/4, G5 758/1, H4 788/5, I5 206/4, I7 752/4",
            "C&N I5, C&N G5, C&N H4",
            190,
            200,
        ),
    ],
)
def test_the_search_counts_the_stop_where_runs_meet(tiles: str, bases: str, strict: int, site: int) -> None:
    """The runs meet only at the town H6; to count it, one of them leaves out a dearer town."""
    assert best(company(bases, "2+1 2+1", tiles=tiles))[:2] == (strict, 0)
    assert best(company(bases, "2+1 2+1", tiles=tiles, join_counted=False))[:2] == (site, 0)
    assert find_alternatives(company(bases, "2+1 2+1", tiles=tiles))


def test_the_stop_where_runs_meet_must_count_for_both() -> None:
    """Running Trains: Two runs cross at H8; the second may leave it out for a dearer town only as on 18xx.games."""
    crossing, left_out = "G9-H8-[H10]-I11; G7.0-H8-[I7.1]-[I7.0]-J8", "G9-H8-[H10]-I11; G7.0-[H8]-[I7.1]-I7.0-J8"
    strict = company("NGStL G9, NGStL G7", "2+1 2+1", tiles=LATE)
    assert "must share a stop with another, and both must count it. (1860, Running Trains" in refusal(strict, left_out)
    assert earns(strict, crossing) == (70 + 70, 0)
    assert earns(company("NGStL G9, NGStL G7", "2+1 2+1", tiles=LATE, join_counted=False), left_out) == (150, 0)


def test_no_track_is_used_by_two_trains() -> None:
    """Running Trains: no track is used by two trains."""
    said = refusal(company("C&N F2", "2+1 2+1"), "F2.0-F2.1; F2.0-F2.1-[F2.2]-[F4]-G5.0")
    assert said.startswith("F2.0→F2.1: run 1 (2+1) already uses this track.")
    said = refusal(company("C&N F2", "3+2 2+1"), "2+1 F2.0-F2.1; 3+2 G5.0-F4-[F2.2]-F2.1-F2.0")
    assert said.startswith("F2.1→F2.0: the 2+1 already uses this track. (1860, Running Trains")


def test_a_stop_that_two_runs_include_pays_twice() -> None:
    """Running Trains: a stop that two runs include pays twice."""
    mine = company("C&N F2, C&N G5", "2+1 2+1")
    assert earns(mine, "F2.0-F2.1; F2.1-[F2.2]-[F4]-G5.0") == (30 + 10 + 10 + 50, 0)


# Running Trains: one train may pass through one city full of other companies' bases; any may end there.


EAST = "F2.0-[F2.1]-[F2.2]-[F4]-G5.0-[H4]-[I5]-J4"


def test_one_train_passes_one() -> None:
    """Running Trains: one train passes one."""
    assert earns(company("C&N F2, IOW G5", "3+2"), EAST) == (120, 0)


def test_it_may_end_at_another() -> None:
    """Running Trains: it may end at another."""
    assert earns(company("C&N F2, IOW G5, IWNJ J4, FYN J4", "3+2"), EAST) == (120, 0)


def test_no_train_passes_two() -> None:
    """Running Trains: no train passes two."""
    said = refusal(company("C&N F2, IOW G5, IWNJ J4, FYN J4", "4+2"), EAST + "-I3")
    assert said.startswith("G5.0 and J4 are full of other companies' bases; only one train can pass through one such")
    assert said.endswith("(1860, Running Trains)")


def test_no_second_train_passes_one() -> None:
    """Running Trains: no second train passes one."""
    mine = company("S&C G9, S&C F2, IOW G5.0, IOW G7, FYN G7", "4+2 3+2", tiles=LATE.replace("773", "763"))
    west, south = "F2.0-[F2.1]-[F2.2]-[F4]-G5.0-G3", "G9-G7.0-F6-[E5]-D6"
    assert earns(company("S&C F2, IOW G5", "4+2", tiles=LATE.replace("773", "763")), west) == (130, 0)
    assert "pass through one such city" in refusal(mine, f"{west}; {south}")


def test_a_slot_of_a_bankrupt_company_counts_as_free() -> None:
    assert earns(company("C&N F2, IOW G5*, IWNJ J4*, FYN J4", "4+2"), EAST + "-I3") == (170, 0)


def test_a_free_slot_or_an_own_base_lets_the_company_pass() -> None:
    assert earns(company("C&N F2, C&N G5, IOW J4", "4+2"), EAST + "-I3") == (170, 0)


def test_the_search_heeds_it() -> None:
    free, barred = company("C&N F2", "4+2"), company("C&N F2, IOW G5, IWNJ J4, FYN J4", "4+2")
    assert best(free) == (190, 0, "4+2 F2.0-F2.1-[F2.2]-[F4]-G5.0-H4.1-[H4.0]-[I5]-J4-I3")
    assert best(barred) == (160, 0, "4+2 F2.0-F2.1-[F2.2]-[F4]-G5.0-H4.1-[H4.0]-[I5]-J6-J4")


# Running Trains: the ends of a run must be counted; 18xx.games asks only what kind of stop they are.


def test_an_end_must_be_counted() -> None:
    said = refusal(company("C&N G5", "2+1"), "[F2.1]-F2.2-F4-G5.0")
    assert said.startswith("The 2+1 ends at F2.1, so it must count that stop; remove the brackets. (1860, R")


def test_imported_runs_may_end_uncounted() -> None:
    assert earns(company("C&N G5", "2+1", ends_counted=False), "[F2.1]-F2.2-F4-G5.0") == (50, 20)


# After the Southern Railway, nationalisation, the first edition.


def test_halts_are_passed_through_but_count_no_more() -> None:
    """Building stops: they take no allowance and earn nothing."""
    southern = company("C&N F2", "2+1", halts=False)
    assert earns(southern, "F2.0-F2.1-F2.2-F4-G5.0") == (90, 0)
    assert best(southern) == (90, 0, "2+1 F2.0-F2.1-[F2.2]-[F4]-G5.0")


def test_after_nationalisation_the_first_number_is_all() -> None:
    nationalised = company("C&N F2", "3+2", halts=False, total=True)
    assert best(nationalised)[0] == 120
    assert earns(nationalised, "F2.0-F2.1-[F2.2]-[F4]-G5.0") == (90, 0)
    said = refusal(nationalised, "F2.0-F2.1-[F2.2]-[F4]-G5.0-G3")
    assert said.startswith("The 3+2 can count only 3 stops; this run counts 4. (1860, Railway Nationalisation, and")


def test_in_the_first_edition_no_town_is_skipped() -> None:
    """Playing the Original Game; Running Trains: in the first edition no town is skipped."""
    first = company("C&N F2", "3+2", skip_towns=False)
    said = refusal(first, "F2.0-[F2.1]-[F2.2]-[F4]-G5.0")
    assert said.startswith(
        "F2.1 is a small station, and in this game a run must count every small station it passes. (1860 (first"
    )
    assert earns(first, "F2.0-F2.1-[F2.2]-F4-G5.0") == (90, 10)


def test_in_the_first_edition_towns_leave_no_room_for_halts() -> None:
    """F2.1 takes the one place beside two cities; with 18 stops to skip the second edition earns the same."""
    assert best(company("C&N F2", "2+1", skip_towns=False))[:2] == (90, 0)
