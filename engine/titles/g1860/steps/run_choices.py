"""Ways to run that are worth choosing between: the best, more halts for less revenue, a train spared (6.17, 6.25)."""

from collections.abc import Iterator, Sequence

from engine.errors import RuleError
from engine.finance import dividends
from engine.finance.run_choices import Way, idle_of, known_plans, to_choose, words
from engine.title import Tip
from engine.titles.g1860.actions import Run
from engine.titles.g1860.catalogue import MARKET, UNITS
from engine.titles.g1860.running import check as run_check
from engine.titles.g1860.running import plan as run_plan
from engine.titles.g1860.running import search as run_search
from engine.titles.g1860.running.runs import Plan, Problem
from engine.titles.g1860.state import Company, State
from engine.titles.g1860.steps import running

TRADES = 4
"""Plans with more halts that are looked for."""


def plans(s: State, known: Sequence[Tip]) -> list[Tip]:
    """Return at most five ways to run, the best first; ``known`` are those with a button, which need no search."""
    company = s.companies[s.operating.code]
    now = running.current(s, company)
    texts = known_plans(known, Run, running.BEST)
    if now is None or not texts:
        return []
    best, *others = (run_check.check_plan(now, run_plan.read_plan(now, text)) for text in texts)
    others += [*run_search.alternatives(now, TRADES, best), *_sparing(s, company, now)]
    ways = [_way(now, plan) for plan in (best, *others)]
    return to_choose(ways, lambda way, first: _words(s, company, way, first), Run)


def _sparing(s: State, company: Company, now: Problem) -> Iterator[Plan]:
    """Yield for each train the best plan without it, where it may stay idle: it could not run beside the others."""
    for name in dict.fromkeys(company.trains) if len(company.trains) > 1 else ():
        fewer = running.problem(s, company, list(idle_of(company.trains, [name])))
        try:
            yield run_check.check_plan(now, run_search.best_found(fewer, running.GLANCE).plan.runs)
        except RuleError:
            continue


def _way(now: Problem, plan: Plan) -> Way:
    idle = idle_of((train.name for train in now.trains), (run.train for run in plan.runs))
    return Way(run_plan.write_plan(now, plan), plan.revenue, plan.subsidy, idle)


def _words(s: State, company: Company, way: Way, best: Way) -> str:
    open_for = not (s.operating.leased or company.insolvent or s.nationalised)
    price = UNITS.move(company.price, dividends.price_after(MARKET.prices, company, way.revenue)) if open_for else ""
    return words(way, best, UNITS, "{0}cc{1} for halts", price)
