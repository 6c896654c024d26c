"""Insolvency.

What a leased train earns, and by which runs (Leasing, Building stops, Variant: original lease, Variant: simplified
lease).
"""

from random import Random
from typing import Literal

import pytest
from msgspec.structs import replace

from engine.titles.g1860.running.search import NOTHING, find_alternatives, find_best_plan
from tests.engine.titles.g1860.run_ground import LATE, best, company, earns, legal, refusal
from tests.engine.titles.g1860.test_brute_force import Whole, go_together, problem_of, tracks, whole_runs

# Insolvency: 40, and 20 for each stop; the first number is the most of all stops; halts count, without subsidy.


def test_every_kind_of_stop_pays_20() -> None:
    """Insolvency: every kind of stop pays 20."""
    assert earns(company("C&N F2", "5+3", lease="stops"), "F2.0-F2.1-F2.2-F4-G5.0") == (140, 0)
    assert earns(company("C&N F2", "5+3", lease="stops"), "F2.0-F2.1") == (80, 0)


def test_the_first_number_is_the_most_of_all_stops() -> None:
    """Insolvency: the first number is the most of all stops."""
    said = refusal(company("C&N F2", "4+2", lease="stops"), "F2.0-F2.1-F2.2-F4-G5.0")
    assert said.startswith("The 4+2 can count only 4 stops; this run counts 5. (1860, Insolvency")


@pytest.mark.parametrize(("train", "most"), [("5+3", 140), ("9+5", 220)])
def test_the_most_is_40_and_20_for_each_of_the_first_number(train: str, most: int) -> None:
    """Insolvency: the rulebook's figures: 140 for a 5+3, 220 for a 9+5."""
    assert best(company("C&N F2", train, tiles=LATE, lease="stops"))[:2] == (most, 0)


def test_a_run_keeps_to_the_rules_of_runs() -> None:
    leasing = company("C&N F2, C&N J4", "5+3", lease="stops")
    assert "must include F2.0, the home of C&N" in refusal(leasing, "I3-J4")
    assert "ends at F4, a halt" in refusal(leasing, "F2.0-F2.1-F2.2-F4")
    assert "Every train that can run must run" in refusal(leasing, "")


def test_cities_on_the_way_use_up_the_allowance_and_halts_fill_it() -> None:
    assert best(company("FYN B4", "3+2", lease="stops", tiles="B4 115/5, C5 743/2, D6 742/2, E5 748/5"))[0] == 100


def test_after_the_southern_railway_halts_count_nothing() -> None:
    """Building stops: only Cowes, its town and Newport pay."""
    leasing = company("C&N F2", "5+3", tiles="F2 787, F4 742/3", lease="stops", halts=False)
    assert best(leasing)[:2] == (40 + 3 * 20, 0)
    assert best(company("C&N F2", "5+3", tiles="F2 787, F4 742/3", lease="stops"))[:2] == (140, 0)


def test_without_a_run_nothing_is_leased() -> None:
    assert find_best_plan(company("C&N F2", "5+3", tiles="F4 742/3", lease="stops")) == NOTHING


def test_there_is_nothing_to_trade_for_subsidy() -> None:
    assert find_alternatives(company("C&N F2", "5+3", lease="stops")) == ()


# The original lease: the train runs with both its numbers; half the revenue, rounded up to 10, and the halts in full.


def test_half_is_rounded_up_to_ten() -> None:
    """Variant: Original Insolvency Revenue: of 90 and two halts, 50 and 20."""
    leasing = company("C&N F2", "4+2", lease="half")
    assert earns(leasing, "F2.0-F2.1-F2.2-F4-G5.0") == (50, 20)
    assert earns(leasing, "F2.0-[F2.1]-F2.2-F4-G5.0") == (40, 20)


def test_on_18xx_games_it_is_not_rounded() -> None:
    leasing = company("C&N F2", "4+2", lease="half", half_up=False)
    assert earns(leasing, "F2.0-F2.1-F2.2-F4-G5.0") == (45, 20)


def test_the_best_run_brings_most_money_into_the_treasury() -> None:
    """A halt pays 10 of 10, a town 5; so halts come first, unlike in a run whose revenue may be paid out."""
    leasing = company("C&N F2", "2+1", tiles="F2 787, F4 742/3", lease="half")
    plan = find_best_plan(leasing)
    legal(leasing, plan)
    assert (plan.revenue, plan.subsidy) == (30, 10)
    assert best(company("C&N F2", "2+1", tiles="F2 787, F4 742/3"))[:2] == (60, 0)


# Variant: Simplified Insolvency Revenue: always 40 and 20 for each of the first number, if there is a run at all.


def test_the_figure_of_the_card() -> None:
    assert earns(company("C&N F2", "5+3", lease="card"), "F2.0-F2.1") == (140, 0)
    assert best(company("C&N F2", "9+5", lease="card", tiles="F2 787"))[:2] == (220, 0)


def test_a_run_must_exist() -> None:
    assert find_best_plan(company("C&N F2", "5+3", tiles="F4 742/3", lease="card")) == NOTHING


@pytest.mark.parametrize("lease", ["stops", "half", "card"])
def test_a_leased_train_runs_as_well_as_any_run_allows(lease: Literal["stops", "half", "card"]) -> None:
    """Leasing; Variant.

    Original lease; Variant: simplified lease: on small boards made by chance the best is that of all runs by
    themselves.
    """

    def earn_by_lease(run: Whole) -> tuple[int, int]:
        if lease == "half":
            return -(-run.revenue // 20) * 10, run.subsidy
        return 40 + 20 * (len(run.counted) if lease == "stops" else train.cities), 0

    for seed in range(20):
        drawn = problem_of(Random(seed))  # noqa: S311
        train = drawn.trains[0]
        problem = replace(drawn, trains=(train,), rules=replace(drawn.rules, lease=lease))
        plain = replace(problem, rules=replace(problem.rules, lease="", total=drawn.rules.total or lease != "half"))
        runs = [run for run in whole_runs(plain, train, tracks(plain)) if go_together(plain, (run,))]
        most = max(map(earn_by_lease, runs), key=lambda money: (sum(money), money[1]), default=(0, 0))
        plan = find_best_plan(problem)
        assert (plan.revenue, plan.subsidy) == most, seed
