"""What 0.1 played otherwise, one switch at a time: each changes its own rule alone."""

import pytest
from msgspec.structs import replace

from engine.finance.events import TrainsRan
from engine.rails.routes import SearchTooLarge
from engine.setup import Setup
from engine.titles.g1860.actions import Run
from engine.titles.g1860.rules import read_options
from engine.titles.g1860.running import search
from engine.titles.g1860.running.runs import Plan, Problem
from engine.titles.g1860.steps.privates import find_private_revenue
from tests.engine.titles.g1860.positions import begin_operating, of_kind, operating, play, table
from tests.engine.titles.g1860.test_situations import YARMOUTH_LINE


def test_only_rules_2_sets_the_switches_of_0_1() -> None:
    for version in (1, 2, 3, 4):
        rules = read_options(Setup("1860", 3, {}, rules=version))
        assert (rules.yarmouth_by_one_train, rules.receiverships_leave_idle) == (version != 2, version == 2)


@pytest.mark.parametrize(("by_one_train", "pays"), [(True, 10), (False, 15)])
def test_joined_runs_to_newport_raised_what_yarmouth_pays(by_one_train: bool, pays: int) -> None:
    """Variant: variable privates: for 0.1 two trains that met were enough; today one train must run all the way."""
    text = "cash 0 0\nprivates YHC 0\nFYN 5* | at 62 | 0cc | 2+1 2+1 | bases G5"
    s = operating(text, "FYN", "run", tiles=YARMOUTH_LINE, options={"variable_privates": "on"})
    s.rules = replace(s.rules, yarmouth_by_one_train=by_one_train)
    play(s, Run("2+1 B4-C5; 2+1 C5-[D6]-[E5]-[F4]-G5"))
    assert find_private_revenue(s, "YHC") == pays


def test_receivership_left_small_trains_idle_where_no_search_was_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """Receivership: 0.1 ran what it could prove; today the company runs the best found."""
    exact = search.find_best_plan

    def only_for_one(problem: Problem) -> Plan:
        if len(problem.trains) > 1:
            raise SearchTooLarge
        return exact(problem)

    monkeypatch.setattr(search, "find_best_plan", only_for_one)
    runs = {}
    for leave_idle in (True, False):
        s = table("cash 90 0\nFYN 1 . | pool 2* | at 62 | 500cc | 2+1 2+1 | bases G5", tiles=YARMOUTH_LINE)
        s.rules = replace(s.rules, receiverships_leave_idle=leave_idle)
        (ran,) = of_kind(begin_operating(s), TrainsRan)
        runs[leave_idle] = len(ran.plan.split(";"))
    assert runs == {True: 1, False: 2}
