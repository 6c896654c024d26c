"""Trains must run; Insolvency begins; Variant.

Destinations: The best plan of a company, its alternatives, and whether it could run at all.
"""

from collections.abc import Sequence
from random import Random

import pytest
from msgspec.structs import replace

from engine.rails.route_packing import MAX_TRIES, Candidates, Picks, Settle, add_up_values, find_best_packing
from engine.rails.routes import SearchTooLarge
from engine.titles.g1860.running import search as run_search
from engine.titles.g1860.running.search import NOTHING, can_run, find_alternatives, find_best_plan, would_run
from tests.engine.titles.g1860.run_ground import best, company, legal
from tests.engine.titles.g1860.test_brute_force import go_together, problem_of, tracks, whole_runs

COWES_LINE = "F2 787, F4 742/3"

# The best plan has the most revenue, then subsidy; the alternatives trade one for the other.


def test_alternatives_end_where_the_search_grows_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are only offered, so fewer of them are no error."""

    def find_with_limit(
        trains: Sequence[Candidates],
        settle: Settle = add_up_values,
        *,
        anchors: tuple[int, ...] = (),
        floor: int = 0,
        limit: int = MAX_TRIES,
    ) -> tuple[int, Picks]:
        if floor > 10:
            raise SearchTooLarge
        return find_best_packing(trains, settle, anchors=anchors, floor=floor, limit=limit)

    mine = company("C&N F2, C&N J4, C&N G5", "4+2 3+2")
    before = find_alternatives(mine)
    monkeypatch.setattr(run_search, "find_best_packing", find_with_limit)
    assert find_alternatives(mine) == before[:1]


def test_more_subsidy_breaks_ties() -> None:
    """Both halts fit beside the town, so none is left out."""
    assert best(company("C&N F2", "3+2", tiles=COWES_LINE)) == (60, 20, "3+2 F2.0-F2.1-F2.2-F4-G5")


def test_the_best_plan_that_reaches_a_destination() -> None:
    """Variant: destinations: it may earn less than the best of all; an unreachable goal leaves no plan."""
    mine = company("C&N F2, C&N G5", "3+2")
    assert best(mine)[0] == 140
    plan = find_best_plan(mine, ("B4", 0))
    legal(mine, plan)
    assert plan.revenue == 130
    assert find_best_plan(mine, ("I11", 0)) == NOTHING


def test_alternatives_trade_revenue_for_subsidy() -> None:
    island = company("C&N F2, C&N J4, C&N G5", "4+2 3+2")
    plans = (find_best_plan(island), *find_alternatives(island))
    revenues, subsidies = [plan.revenue for plan in plans], [plan.subsidy for plan in plans]
    assert len(plans) == 6
    assert revenues == sorted(set(revenues), reverse=True)
    assert subsidies == sorted(set(subsidies))
    for plan in plans:
        legal(island, plan)


def test_a_stop_may_be_worth_any_whole_number() -> None:
    """Printed are tens; the search relies on nothing but whole pounds."""
    for seed in range(6):
        mine = problem_of(Random(seed))  # noqa: S311
        mine = replace(mine, trains=mine.trains[:1])
        mine.graph.nodes = tuple(replace(node, value=node.value + 1) for node in mine.graph.nodes)
        runs = [run for run in whole_runs(mine, mine.trains[0], tracks(mine)) if go_together(mine, (run,))]
        plan = find_best_plan(mine)
        assert (plan.revenue, plan.subsidy) == max((run.revenue, run.subsidy) for run in runs)


# Insolvency: a company would have a valid run if home is joined to another city, town or the pier.


def test_halts_alone_do_not_make_a_run() -> None:
    assert not would_run(company("FYN B4", tiles="B4 115/5, C5 743/2, D6 742/2"))


def test_halts_between_are_skipped() -> None:
    assert would_run(company("C&N G5", tiles=COWES_LINE))
    assert can_run(company("C&N G5", "2+1", tiles=COWES_LINE))


def test_it_does_not_lead_back_to_a_hex() -> None:
    """A run.

    Over two halts to the other city of the home hex; where “Option: re-enter hexes” is agreed, that is a run.
    """
    ring = "H6 760/3, I5 741/0, I7 750/1"
    assert not would_run(company("C&N H6", tiles=ring))
    assert would_run(company("C&N H6", tiles=ring, re_enter=True))


def test_a_tokened_out_city_is_a_valid_end() -> None:
    assert would_run(company("IOW I3, FYN J4", tiles="I3 758, J4 5/1"))


def test_other_bases_do_not_matter() -> None:
    assert not would_run(company("FYN B4, FYN G5", tiles="B4 115/5, C5 743/2, " + COWES_LINE))
