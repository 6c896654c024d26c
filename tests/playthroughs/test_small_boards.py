"""On small boards the searches find what trying all runs has found once for all, and what they tell of it is true."""

import pytest

from engine.errors import RuleError
from engine.rails import route_packing
from engine.titles.g1860.running import search as search_1860
from engine.titles.g1860.running.plan import check_plan as check_1860
from engine.titles.g1862.running import search as search_1862
from engine.titles.g1862.running.check import check_plan as check_1862
from engine.titles.g1862.running.plan import read_plan, write_plan
from tests.playthroughs.small_boards import BOARDS, TRADES, problem_1860, problem_1862, read_kept

BOARDS_1860, BOARDS_1862 = read_kept()
PARTS = 6


@pytest.mark.parametrize("part", range(PARTS))
def test_the_best_runs_of_1862_are_those_of_all(part: int) -> None:
    """1862 15, 20.1: the most of what is asked for, then trains that run, then the fewest stops; it is proven."""
    for board in BOARDS_1862[part::PARTS]:
        problem = problem_1862(board)
        for aim, best in board.best.items():
            found = search_1862.find_best_plan(problem, aim)
            plan = found.plan
            told = (plan.revenue, plan.subsidy, len(plan.runs), sum(run.counted.bit_count() for run in plan.runs))
            assert told[: 2 if board.site else 4] == best[: 2 if board.site else 4], (board.seed, aim)
            bound = {"revenue": best.revenue, "subsidy": best.subsidy, "both": best.revenue + best.subsidy}[aim]
            assert (found.exact, found.bound) == (True, bound), (board.seed, aim)
            assert check_1862(problem, read_plan(problem, write_plan(problem, plan))) == plan
            if board.trades:
                assert search_1862.find_best_plan(problem, aim, known=plan).plan == plan, "what is known is kept"
        short = search_1862.find_best_plan(problem, budget=20)
        assert check_1862(problem, short.plan.runs).revenue <= board.best["revenue"].revenue <= short.bound
        # As much subsidy as there can be may be found before the best revenue beside it.
        short = search_1862.find_best_plan(problem, "subsidy", budget=200)
        assert not short.exact or (short.plan.revenue, short.plan.subsidy) == board.best["subsidy"][:2], board.seed


@pytest.mark.parametrize("part", range(PARTS))
def test_the_best_runs_of_1860_are_those_of_all(part: int) -> None:
    """1860, Running Trains: the most revenue, then subsidy, then the fewest stops; what trades one for the other."""
    for board in BOARDS_1860[part::PARTS]:
        problem = problem_1860(board.seed)
        plan = search_1860.find_best_plan(problem)
        assert check_1860(problem, plan.runs) == plan
        told = (plan.revenue, plan.subsidy, len(plan.runs), sum(run.counted.bit_count() for run in plan.runs))
        assert told == board.best, board.seed
        assert search_1860.search_best_plan(problem) == search_1860.Found(plan, exact=True, bound=plan.revenue)
        short = search_1860.search_best_plan(problem, 3)
        assert short.plan.revenue <= plan.revenue <= short.bound
        assert not short.exact or short.plan == plan
        others = search_1860.find_alternatives(problem, 99)
        assert [(other.revenue, other.subsidy) for other in others] == board.others, board.seed
        there = search_1860.find_best_plan(problem, board.goal)
        assert (there.revenue, there.subsidy) == board.reaches, board.seed


def test_the_boards_differ_in_what_matters() -> None:
    """Some trade revenue for subsidy, some cannot reach their goal, some are of the profile of 18xx.games."""
    assert len(BOARDS_1860) == len(BOARDS_1862) == BOARDS
    for boards in (BOARDS_1860, BOARDS_1862):
        assert sum(board.trades for board in boards) >= TRADES
    assert {board.reaches == (0, 0) for board in BOARDS_1860} == {True, False}
    assert {board.site for board in BOARDS_1862} == {True, False}


def test_no_train_of_a_best_plan_may_stay_idle() -> None:
    """1860, Running Trains; 1862 §7.8: each can run beside the others, so with one less the rest is refused."""
    for ours in BOARDS_1860:
        theirs = problem_1860(ours.seed)
        runs = search_1860.find_best_plan(theirs).runs
        for left_out in range(len(runs)):
            with pytest.raises(RuleError):
                check_1860(theirs, runs[:left_out] + runs[left_out + 1 :])
    for board in BOARDS_1862:
        problem = problem_1862(board)
        plan = search_1862.find_best_plan(problem).plan.runs if not board.site else ()
        for left_out in range(len(plan)):
            with pytest.raises(RuleError):
                check_1862(problem, plan[:left_out] + plan[left_out + 1 :])


def test_1862_tries_no_more_claims_than_it_did() -> None:
    """Where the figure rises, something is not cut off any more; it may fall."""
    spent = 0
    for board in BOARDS_1862:
        search = search_1862._Search(problem_1862(board), "revenue", search_1862.MAX_TRIES)
        search.find_best(search_1862.NOTHING)
        spent += search_1862.MAX_TRIES - search.budget.left
    assert spent <= 252_354


def test_1860_tries_no_more_choices_than_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    """As above, of the best plans and those that trade revenue for subsidy."""
    tried: list[int] = []
    count = route_packing._Search._count_try

    def count_calls(search: route_packing._Search) -> None:
        tried.append(search.left)
        count(search)

    monkeypatch.setattr(route_packing._Search, "_count_try", count_calls)
    for board in BOARDS_1860:
        search_1860.find_alternatives(problem_1860(board.seed))
    assert len(tried) <= 433
