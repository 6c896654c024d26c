"""The best runs of 1862: against the recorded game, against trying every set of runs, and within a budget."""

from functools import cache
from typing import Any, Never
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.interop.g1862 import track_18xx
from engine.rails import coverage
from engine.rails.routes import SearchTooLarge
from engine.titles.g1862.running import search as run_search
from engine.titles.g1862.running.check import check_plan
from engine.titles.g1862.running.claims import Book, list_arrangements
from engine.titles.g1862.running.plan import list_lines, read_plan, write_plan
from engine.titles.g1862.running.runs import Plan, Problem, RunRules
from engine.titles.g1862.running.search import find_best_plan
from tests.engine.titles.g1862.brute import Brute, small_problem
from tests.engine.titles.g1862.running import company, problem_of, read_board, read_recorded_turns
from tests.playthroughs.best_runs import positions
from tests.support.sure import as_a

TRAINS = (
    "3E", "2/3E", "2F", "2/3L", "1F 1F", "2F 2F", "1F 2F", "6F 6F", "2F 6F", "2E 2/3E", "2/3E 2/3E", "2L 3E",
    "2/3L 2/3L", "2F 2/3E", "1F 1F 1F", "1F 2F 6F", "6F 7F 2/3E", "2E 2F 2L", "1F 6F 7F", "2/3E 2/3E 2/3L",
)  # fmt: skip
MAX_SETS = 3000


@cache
def turns() -> list[tuple[dict[str, Any], Problem]]:
    return [(row, problem_of(row)) for row in read_recorded_turns()]


@cache
def own_turns() -> list[Problem]:
    """What the companies of a game that is kept here had to run."""
    return [problem for _, problem in positions("1862-3-site", 10**6)]


@pytest.mark.recorded
@pytest.mark.parametrize("part", range(4))
def test_the_recorded_game(part: int) -> None:
    """Every best is at least the oracle's, equal where that is proven, and proven by us; it is legal and reads back."""
    for row, problem in turns()[part::4]:
        best = find_best_plan(problem)
        assert best.exact, row["index"]
        assert best.plan.revenue >= row["best"]["revenue"], row["index"]
        if row["best"]["exact"]:
            assert best.plan.revenue == row["best"]["revenue"], row["index"]
        assert check_plan(problem, read_plan(problem, write_plan(problem, best.plan))) == best.plan


@pytest.mark.recorded
def test_the_rulebook_allows_no_more_than_18xx_games() -> None:
    """The rulebook's best is legal by its own rules, and never more than the site's, whose rules are looser."""
    for row, problem in turns()[::3]:
        book = replace(problem, rules=RunRules())
        best = find_best_plan(book)
        assert best.plan.revenue <= row["best"]["revenue"] or not row["best"]["exact"]
        assert check_plan(book, read_plan(book, write_plan(book, best.plan))) == best.plan


@pytest.mark.recorded
def test_routes_of_people() -> None:
    """Each recorded run is legal, earns what the site computes, and reads back from our words."""
    for row, problem in turns():
        human = row["human"]
        routes = [{name: route[name] for name in ("train", "train_name", "connections")} for route in human["routes"]]
        plan = check_plan(problem, track_18xx.read_routes(problem, routes))
        assert (plan.revenue, plan.subsidy) == (human["revenue"], human["subsidy"]), row["index"]
        faces = {route["train"]: route["train_name"].rstrip("*") for route in routes}
        text = track_18xx.write_plan(problem, routes, faces)
        assert check_plan(problem, read_plan(problem, text)) == plan
        assert [line.number for line in list_lines(problem, plan)] == list(range(1, len(plan.runs) + 1))


@pytest.mark.recorded
def test_our_routes_for_18xx_games() -> None:
    """Routes we write are those that we read."""
    for _, problem in turns()[::5]:
        plan = find_best_plan(problem).plan
        ids: dict[str, list[str]] = {}
        for number, face in enumerate(problem.trains):
            ids.setdefault(face.name, []).append(f"{face.band}-{number}")
        faces = {one: name for name, known in ids.items() for one in known}
        routes = track_18xx.write_routes(problem, plan, ids)
        again = check_plan(problem, track_18xx.read_routes(problem, routes, faces))
        assert (again.revenue, again.subsidy) == (plan.revenue, plan.subsidy)
        assert sum(as_a(int, route["revenue"]) for route in routes) == plan.revenue


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), trains=st.sampled_from(TRAINS), site=st.booleans())
def test_as_good_as_trying_all(seed: int, trains: str, site: bool) -> None:
    """On small boards the best is that of all sets of runs, in revenue, then subsidy; it is legal and reads back."""
    problem = small_problem(seed, tuple(trains.split()), site=site)
    brute = Brute(problem)
    if brute.sets > MAX_SETS:
        return
    best = find_best_plan(problem)
    assert best.exact
    found = (best.plan.revenue, best.plan.subsidy)
    assert found == brute.best()[:2]
    assert best.bound == best.plan.revenue
    if best.plan.runs:
        assert check_plan(problem, read_plan(problem, write_plan(problem, best.plan))) == best.plan


@pytest.mark.parametrize("seed", [12, 26])
def test_49_where_three_freights_end_at_one_stop_the_better_two_are_joined(seed: int) -> None:
    """Differences 49: 18xx.games joins those that come first in the file, so the best run has its chain first."""
    problem = small_problem(seed, ("6F", "7F", "8F"), site=True)
    best = find_best_plan(problem)
    assert best.exact
    assert (best.plan.revenue, best.plan.subsidy) == Brute(problem).best()[:2]


def test_49_a_chain_that_ends_in_london_twice_pays_the_hexes_between() -> None:
    """On 18xx.games London is one stop with two ways in: £60 and a hex for the Freights, and an Express pays B3."""
    problem = small_problem(63642, ("6F", "7F", "2/3E"), site=True)
    best = find_best_plan(problem)
    assert [(run.train, run.revenue) for run in best.plan.runs] == [("6F", 80), ("7F", 0), ("2/3E", 40)]
    assert best.plan.revenue == Brute(problem).best()[0] == 120


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), trains=st.sampled_from([names for names in TRAINS if names.count("F") > 1]))
def test_chains_looked_for_beforehand_come_to_the_same(seed: int, trains: str) -> None:
    """Where a first look proves nothing, all chains of Freights are looked for before the search goes on."""
    problem = small_problem(seed, tuple(trains.split()), site=False)
    whole = find_best_plan(problem)
    with patch.object(coverage, "_FIRST_TRIES", -1):
        again = find_best_plan(problem)
    assert again.exact
    assert (again.plan.revenue, again.plan.subsidy) == (whole.plan.revenue, whole.plan.subsidy)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), trains=st.sampled_from(TRAINS), site=st.booleans())
def test_spot_by_spot_the_best_is_the_same(seed: int, trains: str, site: bool) -> None:
    """Where growing from home is cut off at once, the Freights and then the spots in turn prove the same."""
    problem = small_problem(seed, tuple(trains.split()), site=site)
    whole = find_best_plan(problem)
    with (
        patch.object(coverage, "_FIRST_TRIES", -1),
        patch.object(run_search, "_LOOK_TRIES", 0),
        patch.object(run_search, "_SHORT_TRIES", 0),
        patch.object(run_search, "_FAR", 0),
    ):
        again = find_best_plan(problem)
    assert again.exact
    for told in (whole, again):
        assert check_plan(problem, read_plan(problem, write_plan(problem, told.plan))) == told.plan
    assert (again.plan.revenue, again.plan.subsidy) == (whole.plan.revenue, whole.plan.subsidy)
    assert len(again.plan.runs) == len(whole.plan.runs)


@pytest.mark.parametrize("trains", ["2F 2F", "1F 2F 6F", "6F 7F 2/3E"])
def test_after_that_look_every_claim_can_be_run_and_meets_what_its_chains_meet(trains: str) -> None:
    left_out = 0
    for seed in range(8):
        problem = small_problem(seed, tuple(trains.split()), site=False)
        book = Book(problem, "revenue")
        for arrangement in list_arrangements(problem):
            before = book.make_claim_sets(arrangement)
            after = book.sharpen_all(before)
            left_out += sum(not each.is_possible(number) for each in before for number in range(len(each.claims)))
            for claim_set in after:
                for number, claim in enumerate(claim_set.claims):
                    assert [way[0] for way in claim_set.list_choices(number)] == [claim.meets]
    assert left_out > 0


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), trains=st.sampled_from(TRAINS), budget=st.sampled_from((0, 1, 100, 1000)))
def test_7_8_a_search_cut_short_leaves_no_train_idle_that_could_run(seed: int, trains: str, budget: int) -> None:
    problem = small_problem(seed, tuple(trains.split()), site=False)
    plan = find_best_plan(problem, budget=budget).plan
    assert check_plan(problem, plan.runs).revenue == plan.revenue


def test_a_search_cut_short_shows_its_bound_and_continues() -> None:
    """Best found: a bound above it; with more budget the proof is finished, and never for less."""
    problem = max(reversed(own_turns()), key=lambda problem: len(problem.trains))
    short = find_best_plan(problem, budget=0)
    assert not short.exact
    assert check_plan(problem, short.plan.runs).revenue == short.plan.revenue
    whole = find_best_plan(problem, known=short.plan)
    assert whole.exact
    assert short.plan.revenue <= whole.plan.revenue <= short.bound


@pytest.mark.parametrize("entries", [287, 346, 436])
def test_more_tries_never_find_less(entries: int) -> None:
    """What is found grows with the tries up to the proof, which no bound falls below."""
    problem = dict(positions("1862-3-site", entries))[entries]
    *short, proof = (
        find_best_plan(problem, budget=tries) for tries in (0, 10, 100, 300, 600, 900, 1_300, 2_000, 10**6)
    )
    earned = [(best.plan.revenue, best.plan.subsidy) for best in (*short, proof)]
    assert proof.exact
    assert proof.bound == proof.plan.revenue
    assert earned == sorted(earned)
    assert earned[0] < earned[-1]
    assert all(best.bound >= proof.bound for best in short)
    assert all((best.plan.revenue, best.plan.subsidy) == earned[-1] for best in short if best.exact)
    assert [best.exact for best in short] == sorted(best.exact for best in short)


def test_too_many_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more paths than can be listed, what is known has to do, with a bound that holds."""
    problem = own_turns()[40]
    best = find_best_plan(problem)
    monkeypatch.setattr("engine.titles.g1862.running.claims.find_paths", lambda *_: raise_too_large())
    assert find_best_plan(problem, known=best.plan).plan == best.plan
    assert find_best_plan(problem).bound >= best.bound


def raise_too_large() -> Never:
    raise SearchTooLarge


@pytest.mark.parametrize("trains", ["", "2E"])
def test_where_nothing_can_run_that_is_proven(trains: str) -> None:
    """§7.8: no train, or none that there is a permit for."""
    problem = company(read_board("F3 city 20: F5; F5 city 40: F3"), "F3", trains, permits=("freight",))
    assert find_best_plan(problem) == run_search.Best(Plan((), 0, 0), exact=True, bound=0)


def test_known_tips_are_cached() -> None:
    """A search that begins with the best plan returns it."""
    problem = own_turns()[17]
    best = find_best_plan(problem)
    assert find_best_plan(problem, known=best.plan) == best


def test_subsidy_for_revenue() -> None:
    """What is asked for decides: revenue, both together, or subsidy."""
    board = read_board(
        "F3 city 20: E4 F5; F5 city 40: F3; E4 line: F3 D5; D5 line: E4 C6; C6 line: D5 B7; B7 city 30: C6"
    )
    problem = company(board, "F3", "2L")
    best = [find_best_plan(problem, aim) for aim in ("revenue", "both", "subsidy")]
    assert [(each.plan.revenue, each.plan.subsidy) for each in best] == [(60, 20), (50, 50), (50, 50)]
    assert [each.bound for each in best] == [60, 100, 50], "of what was asked for"


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    trains=st.sampled_from(TRAINS),
    site=st.booleans(),
    budget=st.sampled_from((0, 1, 20)),
)
def test_7_8_a_search_that_is_cut_off_at_once_has_a_legal_plan(seed: int, trains: str, site: bool, budget: int) -> None:
    """However little it may try, it finds runs wherever a train can run, and “best” is never refused."""
    problem = small_problem(seed, tuple(trains.split()), site=site)
    found = find_best_plan(problem, budget=budget)
    assert bool(found.plan.runs) is bool(find_best_plan(problem).plan.runs)
    assert check_plan(problem, found.plan.runs).revenue == found.plan.revenue
    assert found.bound >= found.plan.revenue


def test_the_first_plan_is_legal_when_not_even_the_paths_can_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but a glance: whatever the trains, the plan stands before the rules."""
    monkeypatch.setattr("engine.titles.g1862.running.claims.find_paths", lambda *_: raise_too_large())
    for problem in own_turns():
        best = find_best_plan(problem)
        assert best.plan.runs, problem
        assert check_plan(problem, best.plan.runs).revenue == best.plan.revenue
