"""Trains must run: more large trains than a first search is done with: the best found, its bound, then the best."""

from functools import partial

import pytest

from engine.hints import Tip
from engine.rails import routes
from engine.titles.g1860 import TITLE, advice
from engine.titles.g1860.actions import Run
from engine.titles.g1860.running import search
from engine.titles.g1860.running.plan import check_plan, read_plan
from engine.titles.g1860.running.runs import Plan
from engine.titles.g1860.state import State
from engine.titles.g1860.steps import running
from tests.engine.titles.g1860.positions import operating, play
from tests.engine.titles.g1860.run_ground import LATE, company

PLENTY = 400_000


@pytest.fixture
def crowded(monkeypatch: pytest.MonkeyPatch) -> State:
    """A company with three trains on an island full of track, and a first search that is soon tired."""
    for module in (running, advice):
        monkeypatch.setattr(module, "MAX_TRIES", 100)
    tiles = ", ".join(f"{tile}/0" if "/" not in tile else tile for tile in LATE.split(", "))
    text = "cash 100 100\nC&N 5* 2 | par 74 at 90 | 100cc | 4+2 4+2 3+2 | bases F2 G5"
    return operating(text, "C&N", "run", tiles=tiles)


def plan_of(s: State, tip: Tip) -> Plan:
    assert isinstance(tip.action, Run)
    now = running.make_current_problem(s, s.companies["C&N"])
    assert now is not None
    return check_plan(now, read_plan(now, tip.action.plan))


def test_the_best_found_is_reported_with_its_bound_and_the_search_continues(crowded: State) -> None:
    (found,) = TITLE.advice.tips(crowded, 0)
    assert not found.proven
    assert found.short == Run("best")
    so_far = plan_of(crowded, found).revenue
    assert found.label.startswith(f"Best found £{so_far}")
    most = int(found.label.split("at most £")[1].rstrip(")"))
    best, *others = TITLE.advice.prove(crowded, 0, (found,), PLENTY)
    assert best.proven
    assert best.label.startswith(f"Best run £{plan_of(crowded, best).revenue}")
    assert so_far <= plan_of(crowded, best).revenue <= most
    assert all(other.proven and other.label.startswith("Run ") for other in others)
    assert TITLE.advice.prove(crowded, 0, (best,), 0) == (best,)


def test_best_runs_of_the_first_search(crowded: State) -> None:
    """Typed before anybody has looked; the log has the routes."""
    (found,) = TITLE.advice.tips(crowded, 0)
    assert TITLE.spell_out(crowded, 0, Run("best")) == found.action
    play(crowded, found.action)
    assert crowded.operating.revenue == int(found.label.split()[2].strip("£"))


def test_best_is_never_refused(crowded: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where paths cannot even be listed, shorter ones are run: a legal plan, told with what it can be at most."""
    best = plan_of(crowded, TITLE.advice.prove(crowded, 0, TITLE.advice.tips(crowded, 0), PLENTY)[0]).revenue
    monkeypatch.setattr(search, "find_paths", partial(routes.find_paths, limit=400))
    search._search_best_plan.cache_clear()
    (found,) = TITLE.advice.tips(crowded, 0)
    assert not found.proven
    assert TITLE.spell_out(crowded, 0, Run("best")) == found.action
    most = int(found.label.split("at most £")[1].rstrip(")"))
    assert 0 < plan_of(crowded, found).revenue <= best <= most
    search._search_best_plan.cache_clear()


@pytest.mark.parametrize("tries", [0, 2, 30])
def test_a_plan_found_in_a_hurry_leaves_no_train_idle_that_could_run(tries: int) -> None:
    """Trains must run: after any number of tries the plan passes the rules."""
    for bases in ("C&N F2, C&N G5", "IWNJ G7, C&N F2", "VYSC B4"):
        crowd = company(bases, "9+5 9+5 9+5 8+4", tiles=LATE, colour="russet")
        plan = search.search_best_plan(crowd, tries).plan
        assert check_plan(crowd, plan.runs) == plan


def test_the_seeded_player_runs_the_quick_plan(crowded: State) -> None:
    """The best there is for trains that the limit allows."""
    (found,) = TITLE.advice.tips(crowded, 0)
    (proven, *_) = TITLE.advice.prove(crowded, 0, (found,), PLENTY)
    assert plan_of(crowded, Tip(running.find_best_at_a_glance(crowded), "")).revenue == plan_of(crowded, proven).revenue
