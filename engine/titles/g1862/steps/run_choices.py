"""Ways to run that are worth choosing between: the best, more subsidy for less revenue, a train spared (15.3, 15.6)."""

from collections.abc import Iterator, Sequence

import msgspec

from engine.errors import RuleError
from engine.finance import dividends
from engine.finance.run_choices import Way, idle_of, known_plans, to_choose, words
from engine.title import Tip
from engine.titles.g1862.actions import Run
from engine.titles.g1862.catalogue import MARKET, UNITS
from engine.titles.g1862.running import check as run_check
from engine.titles.g1862.running import plan as run_plan
from engine.titles.g1862.running import search as run_search
from engine.titles.g1862.running.runs import Plan, Problem
from engine.titles.g1862.state import Company, State
from engine.titles.g1862.steps import running


def plans(s: State, known: Sequence[Tip]) -> list[Tip]:
    """Return at most five ways to run, the best first; ``known`` are those with a button, which need no search."""
    company, now = s.companies[s.operating.code], running.current(s)
    texts = known_plans(known, Run, running.BEST)
    if not texts:
        return []
    found = [run_check.check_plan(now, run_plan.read_plan(now, text)) for text in texts]
    ways = [_way(now, plan) for plan in (*found, *_sparing(now))]
    return to_choose(ways, lambda way, first: _words(company, way, first), Run)


def _sparing(now: Problem) -> Iterator[Plan]:
    """Yield for each train the best plan without it, where it may stay idle: it could not run beside the others."""
    trains = now.runnable
    for face in dict.fromkeys(trains) if len(trains) > 1 else ():
        left = list(trains)
        left.remove(face)
        fewer = msgspec.structs.replace(now, trains=tuple(left))
        plan = run_search.best_plan(fewer, budget=running.GLANCE).plan
        try:
            yield run_check.check_plan(now, plan.runs)
        except RuleError:
            continue


def _way(now: Problem, plan: Plan) -> Way:
    idle = idle_of((face.name for face in now.runnable), (run.train for run in plan.runs))
    return Way(run_plan.write_plan(now, plan), plan.revenue, plan.subsidy, idle)


def _words(company: Company, way: Way, best: Way) -> str:
    after = dividends.price_after(MARKET.prices, company, way.revenue)
    price = "" if company.receivership else UNITS.move(company.price, after)
    return words(way, best, UNITS, "£{0}{1} subsidy", price)
