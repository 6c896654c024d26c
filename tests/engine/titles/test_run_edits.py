"""Runs changed step by step: what a plan can become by one change, in the games with trains."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from engine.errors import RuleError
from engine.game import Game
from engine.hints import RunEdit
from engine.rails import run_edits
from engine.rails.runs import TrainRun
from engine.record import Action
from engine.titles.g1860 import actions as of_1860
from engine.titles.g1860 import advice
from engine.titles.g1862 import actions as of_1862
from engine.titles.g1862 import advice as advice_1862
from tests.playthroughs import record
from tests.support.sure import sure

MAKERS = {"1860-3": of_1860.Run, "1862-3": of_1862.Run}
FINDERS: dict[str, run_edits.FindRuns] = {"1860-3": advice.find_editable_runs, "1862-3": advice_1862.find_editable_runs}


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


def test_another_stop_is_passed_by_instead_be_it_an_end() -> None:
    """§7.8.2: a 2/3E counts two of three stops, whichever they are; each way is one change, and legal."""
    kept = record.read("1862-3")
    log = kept.read_log()
    number = next(at for at, entry in enumerate(log) if "2/3L D13-[D11]-E12" in str(getattr(entry.action, "plan", "")))
    game, seat = Game.replay(kept.setup, log[:number]), log[number].seat
    plan = str(getattr(log[number].action, "plan", "")).replace("[E12]-F13-F15", "E12-[F13]-F15")
    swaps = [edit for edit in list_edits(game, seat, plan) if edit.words.endswith(", not F13")]
    assert [edit.plan.partition(";")[0] for edit in swaps] == ["2/3E [E12]-F13-F15", "2/3E E12-F13-[F15]"]
    for edit in swaps:
        game.play(seat, of_1862.Run(edit.plan))


def test_a_change_that_is_read_as_no_change_is_left_out() -> None:
    """A 4/5L passes Wells by; if it is to pass Hunstanton by too, it counts that all the same."""
    game, seat, plan = find_run("1862-3")
    assert plan.startswith("4/5L ")
    words = [edit.words for edit in list_edits(game, seat, plan) if edit.run == 0]
    assert "pass by Swaffham (D5)" in words
    assert "pass by Hunstanton (D3)" not in words


def test_a_change_whose_plan_cannot_be_read_is_left_out() -> None:
    game, seat, plan = find_run("1860-3")
    now = sure(advice.find_editable_runs(game.state, seat))
    first = list_edits(game, seat, plan)[0].plan

    def read(text: str) -> Sequence[TrainRun]:
        return now.read("nonsense" if text == first else text)

    found = run_edits.list_edits(lambda *_: replace(now, read=read), game.state, seat, plan)
    assert [edit.plan for edit in found] == [edit.plan for edit in list_edits(game, seat, plan)[1:]]


@pytest.mark.parametrize("name", MAKERS)
def test_other_amounts_have_a_plan_each_that_earns_them(name: str) -> None:
    """The most revenue first, none twice, and none that the plan itself earns."""
    game, seat, plan = find_run(name)
    found = game.title.advice.amounts(game.state, seat, plan)
    earned = [_find_earnings(game, seat, MAKERS[name](each)) for each in (plan, *(edit.plan for edit in found))]
    assert len(found) > 10
    assert len(set(earned)) == len(earned)
    assert earned[1:] == sorted(earned[1:], reverse=True)
    assert all(f"£{revenue}" in edit.words for (revenue, _), edit in zip(earned[1:], found, strict=True))


def test_amounts_differ_by_the_stops_that_are_counted() -> None:
    """No other way brings £670, but one more stop passed by does."""
    game, seat, plan = find_run("1860-3")
    words = [edit.words for edit in game.title.advice.amounts(game.state, seat, plan)]
    assert words[:5] == ["£700", "£690", "£680", "£670", "£660"]


def test_an_end_goes_on_to_new_stops_the_nearest_first_or_back() -> None:
    """Not over its own track, nor to a stop it has visited; an idle train gets one stretch of free track."""
    game, seat, plan = find_run("1860-3")
    first, second = ([edit.words for edit in list_edits(game, seat, plan) if edit.run == run] for run in (0, 1))
    assert [words for words in first if words.startswith("on to ")] == [
        "on to Wootton & Havenstreet (H4.0)",
        "on to East Cowes (G1), over 1",
        "on to Wootton & Havenstreet (H4.1), over 1",
        "on to Whippingham (G3), over 2",
    ]
    assert [words for words in second if words.startswith(("on to ", "start at "))][:2] == [
        "on to Ryde Pier (J2)",
        "start at Whitwell (G11)",
    ]
    passed = [words for words in second if words.startswith("pass by ")]
    assert (passed[0], passed[-1]) == ("pass by Whitwell (G11)", "pass by Ryde (J4)"), "each stop between the ends"
    back = [words for words in second if words.startswith("end at ")]
    assert (back[0], back[-1]) == ("end at Ryde (J4)", "end at Whitwell (G11)"), "back by one stop, or to the first leg"
    idle = next(edit.plan for edit in list_edits(game, seat, plan) if edit.words == "leave the 9+5 idle")
    put = [edit.words for edit in list_edits(game, seat, idle) if edit.words.startswith("9+5 from ")]
    assert put[:2] == ["9+5 from G11 to H12 St. Lawrence", "9+5 from G9 to H8 Horringford"]


def _find_earnings(game: Game, seat: int, run: Action) -> tuple[int, int]:
    story = sure(game.title.story)
    ran = next(filter(None, map(story.ran, game.play(seat, run).events)))
    return ran.revenue, ran.subsidy


@pytest.mark.parametrize("name", MAKERS)
def test_an_idle_train_is_put_on_free_track_or_runs_instead_of_another(name: str) -> None:
    game, seat, plan = find_run(name)
    train, others = plan.split()[0], plan.count(";")
    idle = next(each for each in list_edits(game, seat, plan) if each.words == f"leave the {train} idle")
    found = list_edits(game, seat, idle.plan)
    put = [edit for edit in found if edit.words.startswith(f"{train} from ")]
    assert {edit.run for edit in put} == {others}, "a run of its own, after the others"
    assert all(edit.plan.startswith(f"{idle.plan}; {train} ") for edit in put)
    instead = [edit for edit in found if edit.words.startswith(f"run the {train} instead of the ")]
    assert {edit.run for edit in instead} == set(range(others))
    assert all(f"{train} " in edit.plan for edit in instead)


def test_stops_of_one_place_have_a_name_each() -> None:
    """Cowes has three: F2.0, F2.1 and F2.2."""
    kept = record.read("1860-3")
    log = kept.read_log()
    plans = [entry.action.plan if isinstance(entry.action, of_1860.Run) else "" for entry in log]
    at = next(at for at, plan in enumerate(plans) if "F2.0-F2.1" in plan)
    game = Game.replay(kept.setup, log[:at])
    for number in range(plans[at].count(";") + 1):
        words = [edit.words for edit in list_edits(game, log[at].seat, plans[at]) if edit.run == number]
        assert len(set(words)) == len(words), words


@pytest.mark.parametrize(("name", "hexes"), [("1860-3", set()), ("1862-3", {"B11", "C12", "G6"})])
def test_the_words_of_a_run_mean_it_but_over_a_hex_with_a_stop_and_track_beside_it(name: str, hexes: set[str]) -> None:
    """So only where it comes to such a hex is the plan for another amount read again."""
    game, seat, plan = find_run(name)
    now = sure(FINDERS[name](game.state, seat))
    graph = now.board.graph
    assert graph.ambiguous == hexes
    for run in now.read(plan):
        for change in run_edits.list_changes(now.board, run, None):
            coords = {coord for link in change.run.links for coord in graph.links[link].coords}
            if coords.isdisjoint(hexes):
                (again,) = now.read(now.write([change.run]))
                assert (again.nodes, again.links) == (change.run.nodes, change.run.links)
