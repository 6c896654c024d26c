"""Runs changed step by step: what a plan can become by one change, in the games with trains."""

from collections.abc import Sequence
from functools import partial

import pytest

from engine.errors import RuleError
from engine.game import Game
from engine.hints import RunEdit
from engine.rails import run_edits
from engine.rails.runs import TrainRun
from engine.titles.g1860 import actions as of_1860
from engine.titles.g1860.running import plan as run_plan
from engine.titles.g1860.steps import running
from engine.titles.g1862 import actions as of_1862
from tests.playthroughs import record

MAKERS = {"1860-3": of_1860.Run, "1862-3": of_1862.Run}


def find_run(name: str) -> tuple[Game, int, str]:
    """Return the last position of a kept game in which two trains or more run, the seat, and the plan it played."""
    kept = record.read(name)
    log = kept.read_log()
    number = max(at for at, entry in enumerate(log) if entry.action.verb == "run" and ";" in str(entry.action))
    action = log[number].action
    assert isinstance(action, of_1860.Run | of_1862.Run)
    return Game.replay(kept.setup, log[:number]), log[number].seat, action.plan


def list_edits(game: Game, seat: int, plan: str) -> Sequence[RunEdit]:
    return game.title.advice.edits(game.state, seat, plan)


@pytest.mark.parametrize("name", MAKERS)
def test_each_change_is_run_or_refused_and_some_are_run(name: str) -> None:
    game, seat, plan = find_run(name)
    edits, ran = list_edits(game, seat, plan), 0
    assert {edit.run for edit in edits} == set(range(plan.count(";") + 1))
    for edit in edits:
        assert edit.plan != plan
        try:
            game.play(seat, MAKERS[name](edit.plan))
        except RuleError:
            continue
        ran += 1
    assert 0 < ran < len(edits)


@pytest.mark.parametrize("name", MAKERS)
def test_a_stop_that_is_passed_by_can_be_counted_again_and_trains_go_back(name: str) -> None:
    game, seat, plan = find_run(name)
    changed = [edit for edit in list_edits(game, seat, plan) if edit.words.startswith(("pass by ", "run the "))]
    assert {edit.words.split()[0] for edit in changed} == {"pass", "run"}
    for edit in changed:
        assert plan in [back.plan for back in list_edits(game, seat, edit.plan)], edit.words


def test_a_change_that_is_read_as_no_change_is_left_out() -> None:
    """A 4/5L passes Wells by; if it is to pass Hunstanton by too, it counts that all the same."""
    game, seat, plan = find_run("1862-3")
    assert plan.startswith("4/5L ")
    words = [edit.words for edit in list_edits(game, seat, plan) if edit.run == 0]
    assert "pass by Swaffham (D5)" in words
    assert "pass by Hunstanton (D3)" not in words


def test_a_change_whose_plan_cannot_be_read_is_left_out() -> None:
    game, seat, plan = find_run("1860-3")
    now = running.make_current_problem(game.state, game.state.companies[game.state.operating.code])
    assert now is not None
    first = list_edits(game, seat, plan)[0].plan

    def read(text: str) -> Sequence[TrainRun]:
        return run_plan.read_plan(now, "nonsense" if text == first else text)

    found = run_edits.list_edits(game.state.board, plan, read, partial(run_plan.write_plan, now))
    assert [edit.plan for edit in found] == [edit.plan for edit in list_edits(game, seat, plan)[1:]]
