"""Freights on 18xx.games: which of them form a set, and what a set earns (differences 28, 42, 49)."""

import pytest
from msgspec.structs import replace

from engine.errors import RuleError
from engine.interop.g1862.profile import RUNS as SITE
from engine.titles.g1862.running.check import check_plan
from engine.titles.g1862.running.plan import read_plan
from engine.titles.g1862.running.runs import Problem
from engine.titles.g1862.running.score import list_sets
from tests.engine.titles.g1862.running import company, read_board

TRACK = "F3 city 20: F5; F5 city 40: F3 F7; F7 city 30: F5 F9; F9 city 50: F7"


def site(trains: str, own: str = "F5") -> Problem:
    """A company of the profile 18xx.games with a marker in the middle of a line of four cities."""
    return replace(company(read_board(TRACK), own, trains), rules=SITE)


def compute_revenue(problem: Problem, text: str) -> int:
    return check_plan(problem, read_plan(problem, text)).revenue


def test_42_freights_whose_ends_meet_are_one_set() -> None:
    problem = site("6F 7F")
    assert compute_revenue(problem, "6F F3-F5; 7F F5-F7-F9") == 20 + 50 + 2 * 20


def test_49_there_and_back_leaves_no_end_and_no_bonus() -> None:
    """Both ends are used twice: the set is a loop, which has its first stop alone."""
    problem = site("6F 7F")
    assert compute_revenue(problem, "6F F5-F7; 7F F7-F5") == 40


def test_49_a_set_with_one_end_is_refused() -> None:
    """F3 to F5, on to F7 and back to F5: three parts end at F5 and two at F7, so F3 alone is an end."""
    problem = site("6F 7F 8F")
    with pytest.raises(RuleError, match="one end"):
        compute_revenue(problem, "6F F3-F5; 7F F5-F7; 8F F7-F5")


def test_49_of_several_branches_one_belongs_to_the_set() -> None:
    """F5 to F3 and back make a loop; the third part meets them at F5 and stands alone."""
    problem = site("6F 7F 8F")
    assert list_sets(read_plan(problem, "6F F5-F3; 7F F3-F5; 8F F5-F7")) == [[0, 1], [2]]


def test_7_8_1_those_that_are_not_permanent_form_one_set() -> None:
    with pytest.raises(RuleError, match="must be joined"):
        compute_revenue(site("1F 3F"), "1F F5-F7; 3F F3-F5-F7-F9")
