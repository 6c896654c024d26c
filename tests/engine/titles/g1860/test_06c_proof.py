"""6.17: more large trains than a first search is done with: the best found, its bound, then the best."""

import pytest

from engine.errors import RuleError
from engine.title import Tip
from engine.titles.g1860 import TITLE
from engine.titles.g1860.actions import Run
from engine.titles.g1860.running.check import check_plan
from engine.titles.g1860.running.plan import read_plan
from engine.titles.g1860.running.runs import Plan
from engine.titles.g1860.state import State
from engine.titles.g1860.steps import running
from tests.engine.titles.g1860.positions import operating, play
from tests.engine.titles.g1860.run_ground import LATE

PLENTY = 400_000


@pytest.fixture
def crowded(monkeypatch: pytest.MonkeyPatch) -> State:
    """A company with three trains on an island full of track, and a first search that is soon tired."""
    monkeypatch.setattr(running, "TRIES", 100)
    tiles = ", ".join(f"{tile}/0" if "/" not in tile else tile for tile in LATE.split(", "))
    text = "cash 100 100\nC&N 5* 2 | par 74 at 90 | 100cc | 4+2 4+2 3+2 | bases F2 G5"
    return operating(text, "C&N", "run", tiles=tiles)


def plan_of(s: State, tip: Tip) -> Plan:
    assert isinstance(tip.action, Run)
    now = running.current(s, s.companies["C&N"])
    assert now is not None
    return check_plan(now, read_plan(now, tip.action.plan))


def test_the_best_found_is_told_with_its_bound_and_the_search_goes_on(crowded: State):
    (found,) = TITLE.tips(crowded, 0)
    assert not found.proven
    assert found.short == Run("best")
    so_far = plan_of(crowded, found).revenue
    assert found.label.startswith(f"Best found {so_far}")
    most = int(found.label.split("at most ")[1].rstrip(")"))
    best, *others = TITLE.prove(crowded, 0, (found,), PLENTY)
    assert best.proven
    assert best.label.startswith(f"Best run {plan_of(crowded, best).revenue}")
    assert so_far <= plan_of(crowded, best).revenue <= most
    assert all(other.proven and other.label.startswith("Run ") for other in others)
    assert TITLE.prove(crowded, 0, (best,), 0) == (best,)


def test_best_runs_what_the_first_search_finds(crowded: State):
    """Typed before anybody has looked; the log has the routes."""
    (found,) = TITLE.tips(crowded, 0)
    assert TITLE.spell_out(crowded, 0, Run("best")) == found.action
    play(crowded, found.action)
    assert crowded.operating.revenue == int(found.label.split()[2])


def test_with_too_many_paths_there_is_no_best(crowded: State, monkeypatch: pytest.MonkeyPatch):
    """They cannot even be listed: routes must be typed."""

    def tired(*_: object) -> None:
        raise running.SearchTooLarge

    monkeypatch.setattr(running.run_search, "best_found", tired)
    assert TITLE.tips(crowded, 0) == []
    with pytest.raises(RuleError, match="There are too many runs to find the best; type your routes"):
        TITLE.spell_out(crowded, 0, Run("best"))
