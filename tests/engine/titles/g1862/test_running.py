"""§7.4, §7.8: what trains run, and what they earn, paragraph by paragraph."""

import pytest
from msgspec.structs import replace

from engine.interop.g1862.profile import RUNS as SITE
from engine.interop.g1862.track_18xx import read_routes
from engine.titles.g1862.running.check import check_plan
from engine.titles.g1862.running.plan import find_train_name, write_plan
from engine.titles.g1862.running.runs import Problem, Run, RunRules
from engine.titles.g1862.running.search import find_best_plan
from tests.engine.titles.g1862.running import LINE, company, enr, explain_refusal, read_board, run

SEGMENTS = {
    "red": "F1-F3",
    "blue": "F3-F5",
    "pink": "F5-G6-G8",
    "half pink": "F5-G6",
    "purple": "G8-F9-F11",
    "orange": "G8-H7",
}


def test_defaults_of_the_rules_are_those_of_the_rulebook() -> None:
    """§7.8, §7.8.3, §7.8.2, §7.8.1.

    All trains run; Freights are joined where said, never from port to port, and cross nowhere.
    """
    usual = RunRules(all_run=True, touching_joins=False, port_to_port=False, crossing=False, meet_anywhere=False)
    board = enr("").board
    assert RunRules() == usual
    assert RunRules(all_run=False, touching_joins=True, port_to_port=True, crossing=True, meet_anywhere=True) == SITE
    assert Problem(board, "ENR", {}, None, ()) == Problem(
        board, "ENR", {}, None, (), (), london=False, permits=("freight", "express", "local"), level="AB",
        permanent="EFGH", rules=usual,
    )  # fmt: skip
    assert Run("2E", (), ()) == Run("2E", (), (), counted=0, revenue=0, subsidy=0, chain=-1, left_out=0)


def walk(route: str) -> str:
    """Join segments, each of which goes on from the one before."""
    hexes: list[str] = []
    for name in route.split(", ", maxsplit=1)[0].split("+"):
        part = SEGMENTS[name].split("-")
        hexes += part[1:] if hexes else part
    return "-".join(hexes)


TABLE = (
    ("F1: red", 100, 0),
    ("F1: red, F1: blue", 150, 0),
    ("F2: red+blue", 150, 0),
    ("F3: blue+pink", 90, 0),
    ("E2: red", 100, 0),
    ("E2: red, E2/3: blue+pink", 170, 0),
    ("L2/3: blue+pink", 90, 40),
    ("F2: red+blue, L2: blue", 170, 20),
    ("F6: red+blue+pink+purple", 260, 0),
    ("F6: red+blue+pink+purple, E5: red+blue+pink+orange", 370, 0),
    ("E5: red+blue+pink+orange, F6: red+blue+pink+purple", 370, 0),
)
"""Trains with the segments they run, revenue and subsidy."""


@pytest.mark.parametrize("rules", [RunRules(), SITE], ids=["rulebook", "18xx.games"])
@pytest.mark.parametrize(("runs", "revenue", "subsidy"), TABLE)
def test_the_table_of_the_enr(runs: str, revenue: int, subsidy: int, rules: RunRules) -> None:
    """§7.8.2, §7.8.3, §13.0.

    Each line of the table on the last page, with the port counted once in its last line (§7.8, 62-51).
    """
    pairs = [(find_train_name(name), route) for name, route in (line.split(": ") for line in runs.split(", "))]
    problem = enr(" ".join(name for name, _ in pairs), rules=rules)
    plan = run(problem, "; ".join(f"{name} {walk(route)}" for name, route in pairs))
    assert (plan.revenue, plan.subsidy) == (revenue, subsidy)
    best = find_best_plan(problem)
    assert best.exact
    assert best.plan.revenue >= revenue


@pytest.mark.parametrize("rules", [RunRules(), SITE], ids=["rulebook", "18xx.games"])
def test_the_line_of_the_enr_that_is_no_run(rules: RunRules) -> None:
    """§7.8, §13.0: on the last page a Freight would end at Acle, a small station."""
    assert "ends at G6, a small station" in explain_refusal(enr("3F", rules=rules), f"3F {walk('red+blue+half pink')}")


def routes_of(problem: Problem, runs: str) -> tuple[Run, ...]:
    """Return runs of the table as the site writes them: from stop to stop, trains by number."""
    segments = {"pink": [["F5", "G6"], ["G6", "G8"]], "purple": [["G8", "F9"], ["F9", "F11"]]}
    routes = []
    for number, line in enumerate(runs.split(", ")):
        pieces = line.split(": ")[1].split("+")
        found = [leg for piece in pieces for leg in segments.get(piece, [SEGMENTS[piece].split("-")])]
        routes.append({"train": str(number), "connections": found})
    return read_routes(problem, routes, {str(k): face.name for k, face in enumerate(problem.trains)})


@pytest.mark.parametrize(("runs", "revenue", "subsidy"), TABLE)
def test_the_table_of_the_enr_in_the_form_of_the_site(runs: str, revenue: int, subsidy: int) -> None:
    """The same routes read in the form of 18xx.games earn the same."""
    names = " ".join(find_train_name(line.split(": ")[0]) for line in runs.split(", "))
    problem = enr(names, rules=SITE)
    plan = check_plan(problem, routes_of(problem, runs))
    assert (plan.revenue, plan.subsidy) == (revenue, subsidy)


def test_the_example_of_the_lh() -> None:
    """§7.8.4, §7.8.5.

    A Local, a Freight and an Express of the L&H earn 130 + 300 + 210 in phase C, and 40 of subsidy.
    """
    board = read_board(
        "C4 city 50: B5 D3; D3 town 20: C4 E2; E2 city 30: D3 D1 E4; E4 city 30: E2;"
        "B5 city 30: A4 C4 B7; B7 city 20: B5 B9; B9 city 60: B7 A10"
    )
    problem = company(board, "C4 B9", "3L 5F 4E", level="CD")
    plan = run(problem, "3L C4-D3-E2-E4; 5F A4-B5-C4-D3-E2-D1; 4E A10-B9-B7-B5")
    assert ([one.revenue for one in plan.runs], plan.revenue, plan.subsidy) == ([130, 300, 210], 640, 40)
    best = find_best_plan(problem)
    assert best.exact
    assert best.plan.revenue >= 640


# --- §7.4, §7.8: one run ---------------------------------------------------------------------


def test_a_run_needs_a_permit() -> None:
    """§7.8: only types with a permit run."""
    problem = enr("2E 2F", permits=("freight",))
    assert "has permits for Freight only, so it can't run its 2E" in explain_refusal(problem, "2E F1-F3; 2F F3-F5")
    assert write_plan(problem, find_best_plan(problem).plan) == "2F F5-F3-F1.1"


def test_a_run_includes_an_own_marker() -> None:
    """§7.4, 62-14: a route includes a city with an own marker."""
    assert "must visit a large station with a marker of ENR" in explain_refusal(enr("3E"), "F5-G6-G8")


def test_a_run_comes_to_no_station_twice() -> None:
    """§7.4: no station twice; the first leg that does so is named."""
    board = read_board("E4 city 20: F3 F5; F3 city 20: E4 F5; F5 city 40: F3 E4 F7; F7 city 20: F5")
    assert explain_refusal(company(board, "F3", "4E"), "E4-F3-F5-E4").startswith("F5→E4: the 4E visits E4 twice.")


def test_a_full_city_is_an_end() -> None:
    """§7.4, §7.8: a run may end at, and not pass, a city that is full of others' markers."""
    problem = company(read_board(LINE), "F3 X:F5:2", "4E")
    assert run(problem, "E2-F3-F5").revenue == 80
    assert "F5→F7: the 4E must end at F5, which is full of other companies' markers." in explain_refusal(
        problem, "F3-F5-F7"
    )
    assert write_plan(problem, find_best_plan(problem).plan) == "4E E2-F3-F5"


def test_a_run_ends_at_ports_and_red_areas() -> None:
    """§7.4: it goes on from no port or red area."""
    board = read_board("D13 city 20: C14 D15 E12; E12 city 20: D13; B13 city 20: C14")
    assert "must end at London (C14)" in explain_refusal(company(board, "D13", "4E", london=True), "D13-C14-B13")


def test_no_run_from_red_to_red_or_port_to_port() -> None:
    """§7.8, §7.4: at most one port and one red area; London is one area with many entries (62-14)."""
    board = read_board("D13 city 20: C14 D15 E12; E12 city 20: D13; E2 city 20: D1 F1 F3; F3 city 20: F1 E2")
    twice = explain_refusal(company(board, "D13", "4E", london=True), "C14-D13-D15")
    assert "visits London (D15) twice" in twice
    assert "runs from port to port" in explain_refusal(company(board, "E2", "4E"), "D1-E2-F3-F1")
    assert find_best_plan(company(board, "D13", "4E", london=True)).plan.revenue == 140


def test_only_a_company_with_a_marker_in_london_runs_to_it() -> None:
    """§7.4, §7.6.5, 62-14: to London only with a marker in London, which is no origin of a route."""
    board = read_board("D13 city 20: C14 E12; E12 city 20: D13")
    assert "runs to London, where ENR has no marker" in explain_refusal(company(board, "D13", "2E"), "D13-C14")
    assert find_best_plan(company(board, "D13", "2E")).plan.revenue == 40
    assert find_best_plan(company(board, "D13", "2E", london=True)).plan.revenue == 120


def test_ends_at_small_stations() -> None:
    """§7.8, §7.8.1, 62-15: no run ends at a small station, no Freight of a chain either."""
    board = read_board("F3 city 20: F5; F5 town 20: F3 F7; F7 city 30: F5")
    assert "ends at F5, a small station" in explain_refusal(company(board, "F3", "1F 1F"), "F3-F5 + F5-F7")
    assert find_best_plan(company(board, "F3", "1F 1F")).plan.runs == ()
    assert find_best_plan(company(board, "F3", "2F")).plan.revenue == 70


def test_lines_that_cross_never_meet() -> None:
    """§2.3: the lines of a small-station tile have no junction; a run may come to the hex twice."""
    board = read_board(
        "F3 city 20: E4; E4 line: F3 D5 | town 20: E2 E6; D5 city 20: E4 E6; E6 city 20: D5 E4; E2 city 30: E4"
    )
    problem = company(board, "F3", "4L")
    plan = run(problem, "F3-E4-D5-E6-E4-E2")
    assert (plan.revenue, plan.subsidy) == (110, 50)
    assert find_best_plan(problem).plan == plan


# --- §7.8: all runs together ------ -----------------------------------------------------------


def test_one_run_is_at_home() -> None:
    """§7.8, §7.8.4: one run contains the home city."""
    problem = company(read_board(LINE), "F3 F7", "2E")
    assert "At least one run must include F3, the home of ENR." in explain_refusal(problem, "F5-F7")
    assert find_best_plan(problem).plan.revenue == 60


def test_runs_are_connected() -> None:
    """§7.8, §7.8.4: all runs are connected by shared large stations."""
    problem = company(read_board(LINE), "F3 F7", "2E 2E")
    assert "Run 2 (2E) must share a large station with a run" in explain_refusal(problem, "E2-F3; F7-F9")
    assert find_best_plan(problem).plan.revenue == 90


def test_a_run_may_meet_any_run_that_is_connected() -> None:
    """§7.8: the third meets the second and not the one from home."""
    problem = company(read_board(LINE), "F3 F7", "2E 2E 2E")
    assert run(problem, "F3-F5; F5-F7; F7-F9").revenue == 20 + 40 + 30 + 30
    assert "Run 3 (2E) must share a large station" in explain_refusal(
        company(read_board(LINE), "F3 F7 F9", "2E 2E 2E"), "E2-F3; F3-F5; F7-F9"
    )


def test_a_run_uses_no_track_twice() -> None:
    """§7.4, §7.8: a loop that comes back through the hexside by which it left the city."""
    board = read_board("F3 city 20: F5; F5 line: F3 E6; E6 line: F5 F7; F7 city 20: E6")
    assert run(company(board, "F3", "2E"), "F3-F5-E6-F7").revenue == 40
    assert "twice" in explain_refusal(company(board, "F3", "3E"), "F3-F5-E6-F7-E6-F5-F3")


def test_a_run_is_a_line_of_track_between_two_stations() -> None:
    """§7.8: one station is no run, neither is a gap in the track; a port and the town beside it are two."""
    board = read_board("G12 city 20: H13; F11 city 60: E12")
    assert run(company(board, "G12", "1F"), "G12-H13").revenue == 20 + 70
    assert "at least two stops" in explain_refusal(company(board, "G12", "1F"), "G12")
    assert "No track connects" in explain_refusal(company(board, "G12", "2E"), "G12-F11")


def test_a_marker_in_london_is_no_start_of_a_route() -> None:
    """§7.4: the run to London touches no other marker of the company."""
    board = read_board("F3 city 20: F5; F5 city 40: F3; D13 city 20: C14 E12; E12 city 20: D13")
    problem = company(board, "F3", "2E", london=True)
    assert "must visit a large station with a marker" in explain_refusal(problem, "D13-C14")


def test_a_full_city_connects_where_both_end() -> None:
    """§7.8: a full foreign city connects two runs that end there."""
    problem = company(read_board(LINE), "F3 F7 X:F5:2", "2E 2E")
    assert run(problem, "F3-F5; F5-F7").revenue == 90


def test_ports_and_small_stations_do_not_connect() -> None:
    """§7.8: red areas, ports and small stations connect no runs; on 18xx.games they do (differences 22)."""
    board = read_board("B9 city 20: A10 C10; B11 city 30: A10 A12; C10 city 20: B9")
    problem = company(board, "B9 B11", "2E 2E")
    assert find_best_plan(problem).plan.revenue == 110
    assert find_best_plan(replace(problem, rules=RunRules(meet_anywhere=True))).plan.revenue == 120
    assert "must share a large station" in explain_refusal(problem, "B9-A10; B11-A10")


def test_every_train_that_can_run_must() -> None:
    """§7.8: a plan that leaves a train idle which could run is refused; 18xx.games does not mind (differences 27)."""
    problem = enr("2E 2E")
    assert "the 2E can still run" in explain_refusal(problem, "2E F1-F3")
    assert "the 2E can run " in explain_refusal(problem, "")
    assert run(replace(problem, rules=RunRules(all_run=False)), "2E F1-F3").revenue == 100


def test_no_duty_to_run_for_most() -> None:
    """§7.8: the director may run for less."""
    assert run(enr("2E"), "F3-F5").revenue == 60


def test_without_its_home_marker_a_company_runs_nothing() -> None:
    """§7.3, §7.8: no run can contain the home city."""
    problem = replace(enr("2E"), home=None)
    assert find_best_plan(problem).plan.runs == ()
    assert "home marker of ENR isn't on the board" in explain_refusal(problem, "F3-F5")


# --- §7.8.2, §7.8.3: Express and Local ------------------------------------------------------------


def test_every_spot_pays_once() -> None:
    """§7.8, §7.8.4: trains may share stations and track; each station pays one of them."""
    plan = run(enr("2E 2E"), "F3-F5; F3-F5")
    assert [one.revenue for one in plan.runs] == [60, 0]


def test_an_express_skips_small_stations() -> None:
    """§7.8.3, 62-21: small stations do not count, in number or money."""
    assert run(enr("3E"), "F3-F5-G6-G8").revenue == 90


def test_a_train_visits_no_more_than_its_number() -> None:
    """§7.8.3: an Express visits so many large stations and areas; the leg that is too long is named."""
    assert explain_refusal(enr("3E"), "F1-F3-F5-G8").startswith(
        "G6→G8: the 3E can visit only 3 large stations; this run visits 4."
    )


def test_the_director_chooses_the_stops_to_skip() -> None:
    """§7.8.3, §7.8.2, 62-19: a train with two numbers leaves out any station, the home and the only own marker too."""
    problem = enr("2/3E")
    assert run(problem, "[F3]-F5-G8").revenue == 70
    assert run(problem, "F3-F5-[G8]").revenue == 60
    assert write_plan(problem, run(problem, "F3-F5-G8")) == "2/3E [F3]-F5-G6-G8"
    assert "so it can't leave out F3, F5; it can leave out only 1." in explain_refusal(problem, "[F3]-[F5]-G8")
    assert "so it can't leave out F3." in explain_refusal(enr("2E"), "[F3]-F5")


def test_a_skipped_stop_may_be_scored_by_another_train() -> None:
    """§7.8, §7.8.3: the best choice for the whole set leaves out what another train scores."""
    plan = run(enr("2E 2/3E"), "2/3E F3-F5-G8; 2E F1-F3")
    assert plan.revenue == 170


def test_a_local_counts_small_stations_and_brings_subsidy() -> None:
    """§7.8.2, §2.3: 20 for each small station, outside the number; £10 for each hex, which is no revenue."""
    board = read_board("E2 city 30: E4; E4 town 20: E2 E6; E6 city 30: E4 E8; E8 city 30: E6")
    plan = run(company(board, "E2", "3L"), "E2-E4-E6-E8")
    assert (plan.revenue, plan.subsidy) == (110, 40)
    assert "can visit only 2 large stations; this run visits 3" in explain_refusal(
        company(board, "E2", "2L"), "E2-E4-E6-E8"
    )


def test_subsidy_once_a_hex() -> None:
    """§7.8.2, 62-20: each hex brings its subsidy once, over all Locals."""
    problem = enr("2L 2/3L")
    plan = run(problem, "2L F3-F5; 2/3L F3-F5-G6-G8")
    assert [one.subsidy for one in plan.runs] == [20, 20]
    assert find_best_plan(problem).plan.subsidy == 40


def test_a_local_runs_to_no_port() -> None:
    """§7.8.2: no red areas or ports."""
    assert "F3→F1.1: the 2L is a Local" in explain_refusal(enr("2L"), "F3-F1")


def test_values_by_phase() -> None:
    """§7.8.3: an Express 3 in phase C: port 90, Y town 50, Wells 30 make 170; from the port at Wells as much."""
    board = read_board("C4 city 50: C2 D3; D3 town 20: C4 E2; E2 city 30: D3 D1")
    assert run(company(board, "E2", "3E", level="CD"), "C2-C4-D3-E2").revenue == 170
    assert run(company(board, "E2", "3E", level="CD"), "D1-E2-D3-C4").revenue == 170


# --- §8.0, §7.8.2: what is wanted --------------------------------------------------------------


def test_in_receivership_revenue_and_subsidy_together() -> None:
    """§8.0, §7.3: a company in receivership runs for the most revenue with its subsidy."""
    board = read_board(
        "F3 city 20: E4 F5; F5 city 40: F3; E4 line: F3 D5; D5 line: E4 C6; C6 line: D5 B7; B7 city 30: C6"
    )
    problem = company(board, "F3", "2L")
    assert (find_best_plan(problem).plan.revenue, find_best_plan(problem, "both").plan.revenue) == (60, 50)
    assert find_best_plan(problem, "both").plan.subsidy == 50
