"""Ways to run that differ in what matters, and their words."""

from engine.finance.rounds import Pass
from engine.finance.trains import (
    PlanSummary,
    RunTrains,
    describe_plan,
    find_idle_trains,
    list_known_plans,
    number_plans,
    select_differing,
)
from engine.hints import Tip
from engine.printed import Units

POUNDS = Units("£", 10)
BEST = PlanSummary("best", 190, 0)


def test_only_options_not_covered_by_another_are_shown() -> None:
    """Less revenue alone is nothing; more subsidy, or a train spared, is."""
    worse, halts, fewer = PlanSummary("a", 180, 0), PlanSummary("b", 160, 20), PlanSummary("c", 150, 20, ("3+2",))
    same = PlanSummary("d", 190, 0)
    assert select_differing([BEST, halts]) == [BEST, halts]
    assert select_differing([]) == []
    assert select_differing([BEST, worse, fewer, same, halts]) == [BEST, halts, fewer]


def test_there_are_five_at_most_with_the_best_first() -> None:
    """Those with the most revenue are kept."""
    ways = [PlanSummary(str(more), 180 - more, more) for more in range(10, 90, 10)]
    assert [way.text for way in select_differing([BEST, *reversed(ways)])] == ["best", "10", "20", "30", "40"]


def test_a_train_that_stays_idle_is_counted_as_often_as_it_is_owned() -> None:
    assert find_idle_trains(["2+1", "2+1", "4+2"], ["4+2", "2+1"]) == ("2+1",)


def test_a_way_to_run_shows_its_pay_and_how_it_differs() -> None:
    """Who chooses need not compute: a share's dividend, the price, the idle train, the difference to the best."""
    told = describe_plan(PlanSummary("a", 160, 20, ("3+2",)), BEST, POUNDS, "{0}cc{1} for halts", "£68→£74")
    assert told == (
        "£160 + 20cc for halts: pays £16 a share, price £68→£74, leaves the 3+2 idle; £30 less than the best run, "
        "20cc more for halts"
    )
    assert (
        describe_plan(BEST, BEST, POUNDS, "{0}cc{1} for halts", "stays £68")
        == "£190: pays £19 a share, price stays £68"
    )
    assert describe_plan(BEST, BEST, POUNDS, "{0}", "") == "£190"


class Run(RunTrains, frozen=True, tag="run"):
    """Run trains by a plan."""


def test_ways_are_offered_by_their_numbers_and_plans_that_are_written_out_are_known() -> None:
    ways = [PlanSummary("2 A-B", 190, 0), PlanSummary("3 B-C", 160, 20)]
    tips = number_plans(ways, lambda way, best: f"{way.revenue} of {best.revenue}", Run)
    assert [(tip.action, tip.label, tip.short) for tip in tips] == [
        (Run("2 A-B"), "190 of 190", Run("1")), (Run("3 B-C"), "160 of 190", Run("2")),
    ]  # fmt: skip
    assert list_known_plans([Tip(Run("best"), "Best"), *tips, Tip(Pass(), "Pass")], Run, "best") == ["2 A-B", "3 B-C"]


def test_the_second_of_two_payments_of_a_run_is_described_too() -> None:
    told = describe_plan(PlanSummary("a", 190, 10), PlanSummary("best", 190, 11), POUNDS, "{0}cc{1} for halts", "")
    assert told == "£190 + 10cc for halts; 1cc less for halts"
