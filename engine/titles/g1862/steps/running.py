"""Running trains, and ways to run that are worth choosing between (§7.8, §8.0)."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from engine.errors import RuleError
from engine.finance import trading
from engine.finance.events import TrainsRan
from engine.finance.trains import (
    PlanSummary,
    Suggestion,
    describe_plan,
    find_idle_trains,
    list_known_plans,
    number_plans,
)
from engine.hex_view import Line
from engine.rails import runs as train_runs
from engine.rails.runs import make_plan
from engine.record import Record
from engine.setup import IMPORTED
from engine.title import Earning, Tell, Tip, make_earning
from engine.titles.g1862 import companies
from engine.titles.g1862.actions import Run
from engine.titles.g1862.catalogue import FACES, KINDS, UNITS, Face, rule
from engine.titles.g1862.events import RunCorrected
from engine.titles.g1862.ground import find_bases
from engine.titles.g1862.running import check as run_check
from engine.titles.g1862.running import plan as run_plan
from engine.titles.g1862.running import search as run_search
from engine.titles.g1862.running.runs import Aim, Plan, Problem, Survey
from engine.titles.g1862.state import Company, Operating, State

BEST = "best"
NONE = "none"
GLANCE = run_search.MAX_TRIES // 20
"""Tries of a search that must not take long."""
PERMANENT, PERMANENT_SHORTER = "EFGH", "DEFGH"


class RunOutcome(Record, frozen=True):
    """A plan that may be run; ``text`` is how it is kept.

    ``plan`` is missing for a run whose routes no one can read; ``computed``
    is what we make of a recorded run, where that is something else.
    """

    text: str
    revenue: int
    subsidy: int
    plan: Plan | None = None
    computed: tuple[int, int] | None = None


_WANTED: dict[Aim, Callable[[Plan], tuple[int, int]]] = {
    "revenue": lambda plan: (plan.revenue, plan.subsidy),
    "both": lambda plan: (plan.revenue + plan.subsidy, plan.revenue),
    "subsidy": lambda plan: (plan.subsidy, plan.revenue),
}
_OF: dict[Aim, str] = {"revenue": "", "both": " together", "subsidy": " subsidy"}


def list_permits(s: State, company: Company) -> tuple[str, ...]:
    """Return the types of train a company may run; all there are in a simple game (§11.1)."""
    return s.rules.types if s.rules.simple else tuple(company.permits)


def make_problem(s: State, company: Company, names: list[str] | None = None) -> Problem:
    """Return what a company has to run, with its own trains or with others that are named."""
    faces = tuple(train.printed for train in company.trains)
    if names is not None:
        faces = tuple(FACES[name] for name in names if name in FACES)
    home = (company.charter.home, 0) if company.charter.home in (*company.places, *company.waiting) else None
    allowed = list_permits(s, company)
    return Problem(
        board=s.board,
        company=company.code,
        bases=find_bases(s),
        home=home,
        trains=faces,
        waiting=tuple(company.waiting),
        london=bool(company.london),
        permits=tuple(kind for kind in KINDS if kind in allowed),
        level=s.band.level,
        permanent=PERMANENT_SHORTER if s.rules.shorter else PERMANENT,
        rules=s.rules.runs,
    )


def make_problem_now(s: State) -> Problem:
    """Return what the company has to run now."""
    return make_problem(s, s.companies[s.operating.code])


def can_run(s: State, company: Company) -> bool:
    """Return whether some train has a route, which must be one through the home city (§7.8).

    If there is any, there is one that begins at home and ends at the next
    large station, port or red area.
    """
    now = make_problem(s, company)
    if now.home is None or not now.runnable:
        return False
    survey = Survey(now)
    heads = [(survey.graph.node_at[now.home], 0, survey.home, 0)]
    while heads:
        node, track, passed, steps = heads.pop()
        for way in survey.graph.exits[node]:
            stop = 1 << way.to
            if way.mask & track or stop & (passed | survey.closed):
                continue
            further = steps + survey.list_steps(way.link)
            if stop & survey.towns:
                heads.append((way.to, track | way.mask, passed | stop, further))
            elif any(_may_end(survey, face, stop, further) for face in now.runnable):
                return True
    return False


def _may_end(survey: Survey, face: Face, stop: int, steps: int) -> bool:
    """Return whether a train may end at a stop so many steps away (§7.8.3, §7.8.2, §7.8.1)."""
    if face.kind == "freight":
        return steps <= face.hexes
    return face.kind == "express" or not stop & survey.areas


def list_options(s: State, seat: int) -> Iterator[Run]:
    """Yield the best plan; routes of one's own are as many as there is track."""
    del s, seat
    yield Run(BEST)


def choose_aim(company: Company) -> Aim:
    """Return what the best plan has most of: revenue; with subsidy, in receivership (§8.0)."""
    return "both" if company.receivership else "revenue"


def spell_out(s: State, action: Run) -> Run:
    """Return the action with its plan written out, as it is kept in the log."""
    if action.plan.strip().lower() == BEST:
        return find_best_within(s, run_search.MAX_TRIES)
    return action


def find_best_within(s: State, budget: int) -> Run:
    """Return the best plan that a search of so many tries finds, written out."""
    now = make_problem_now(s)
    plan = run_search.find_best_plan(now, choose_aim(s.companies[s.operating.code]), budget=budget).plan
    return Run(run_plan.write_plan(now, plan))


def check(s: State, seat: int, action: Run) -> RunOutcome:
    """Check a plan; where stated results count, one that is stated is kept."""
    del seat
    company = s.companies[s.operating.code]
    if action.recorded:
        return _read_recorded_result(s, action)
    action = spell_out(s, action)
    if not action.plan.strip():
        raise RuleError(f"{company.code} must run its trains; “best” runs the best routes.", rule("7.8"))
    now = make_problem_now(s)
    idle = action.plan.strip().lower() == NONE
    plan = run_check.check_plan(now, () if idle else run_plan.read_plan(now, action.plan))
    return RunOutcome(action.plan, plan.revenue, plan.subsidy, plan)


def _read_recorded_result(s: State, action: Run) -> RunOutcome:
    if not s.rules.stated_results_count:
        raise RuleError("Only a game brought from elsewhere states what a run earns.", IMPORTED)
    revenue, subsidy = action.recorded[0], action.recorded[-1]
    now = make_problem_now(s)
    try:
        plan = run_check.check_plan(now, run_plan.read_plan(now, action.plan))
    except RuleError:
        return RunOutcome(action.plan, revenue, subsidy)
    ours = (plan.revenue, plan.subsidy)
    return RunOutcome(action.plan, revenue, subsidy, plan, None if ours == (revenue, subsidy) else ours)


def apply(s: State, outcome: RunOutcome, tell: Tell) -> None:
    """Run the trains; what they earn is settled in the dividend step, the subsidy at once or then (§7.8.2)."""
    r = s.operating
    company = s.companies[r.code]
    r.begin_next_step()
    r.revenue, r.subsidy, r.plan = outcome.revenue, outcome.subsidy, outcome.text
    r.ran = [train.face for train in company.trains]
    if not s.rules.subsidy_with_dividend:
        companies.pay(s, company, outcome.subsidy, tell, watched=s.rules.payments_are_watched)
    told = train_runs.summarise_runs(s.board, () if outcome.plan is None else outcome.plan.runs)
    tell(TrainsRan(company.code, outcome.text, outcome.revenue, outcome.subsidy, told))
    if outcome.computed is not None:
        tell(RunCorrected(company.code, outcome.revenue, outcome.subsidy, *outcome.computed))


def run_best(s: State, tell: Tell) -> None:
    """Run the best plan without asking, or what the log holds: in receivership (§8.0).

    Raises:
        RuleError: a log from outside holds a plan that is not legal.
    """
    recorded = s.record.find_next()
    now = make_problem_now(s)
    if recorded is None:
        plan = run_search.find_best_unasked(now)
        recorded = run_plan.write_plan(now, plan)
    else:
        plan = run_check.check_plan(now, run_plan.read_plan(now, recorded))
    s.record.made.append(recorded)
    apply(s, RunOutcome(recorded, plan.revenue, plan.subsidy, plan), tell)


def suggest_runs(s: State, known: Sequence[str] = (), budget: int = run_search.MAX_TRIES) -> list[Suggestion]:
    """Return plans worth a button, best first; where a Local runs, also those that trade revenue for subsidy.

    The search goes on from the texts of plans that are ``known``.
    It tries ``budget`` claims for the best, half as many for each of the others.
    """
    now = make_problem_now(s)
    plans = [make_plan(run_plan.read_plan(now, text)) for text in known]
    local = any(face.kind == "local" for face in now.runnable)
    aims: tuple[Aim, ...] = (choose_aim(s.companies[s.operating.code]), *(("both", "subsidy") if local else ()))
    searched: dict[Aim, run_search.Best] = {}
    for each in dict.fromkeys(aims):
        start = max(plans, key=_WANTED[each], default=run_search.NOTHING)
        tries = budget // 2 if searched else budget  # what all wait for is the best run
        searched[each] = run_search.find_best_plan(now, each, budget=tries, known=start)
        plans = [searched[each].plan, *plans]
    found: dict[tuple[int, int], Suggestion] = {}
    for each, best in searched.items():
        plan = max((best.plan, *plans), key=_WANTED[each])  # a search cut short may have missed what another found
        most = best.bound == _WANTED[each](plan)[0]
        bound = "" if most else f" (at most £{best.bound}{_OF[each]})"
        words = "Run" if found else "Best run" if most else "Best found"
        text = run_plan.write_plan(now, plan) or BEST
        proven = best.exact or (most and not local)  # who earns no more may still use fewer trains; that is no matter
        found.setdefault(
            (plan.revenue, plan.subsidy), Suggestion(text, f"{words} {_write_earnings(plan)}{bound}", proven)
        )
    return list(found.values())


def estimate_earning(s: State, parts: int) -> Earning | None:
    """Return what the company to act would earn if it ran now; ``None`` if it does not."""
    r = s.round
    if not isinstance(r, Operating) or r.step not in ("track", "token", "run") or not s.companies[r.code].trains:
        return None
    best = run_search.find_best_plan(make_problem_now(s), budget=GLANCE // parts)
    return make_earning(_write_earnings(best.plan), best.plan.revenue + best.plan.subsidy, proven=best.exact)


def _write_earnings(plan: Plan) -> str:
    return train_runs.write_earnings(UNITS, plan, run_plan.SUBSIDY)


def list_lines(s: State, company: Company, text: str, names: list[str] | None = None) -> tuple[Line, ...]:
    """Return a plan's runs for the map, also after the run, when a train may have gone since."""
    now = make_problem(s, company, names)
    try:
        return run_plan.list_lines(now, run_plan.read_plan(now, text))
    except RuleError:
        return ()  # a tile or train has changed since


def list_plans(s: State, known: Sequence[Tip]) -> list[Tip]:
    """Return at most five ways to run, the best first; ``known`` are those with a button, which need no search."""
    company, now = s.companies[s.operating.code], make_problem_now(s)
    texts = list_known_plans(known, Run, BEST)
    if not texts:
        return []
    found = [run_check.check_plan(now, run_plan.read_plan(now, text)) for text in texts]
    ways = [_make_way(now, plan) for plan in (*found, *_list_sparing_plans(now))]
    return number_plans(ways, lambda way, first: _word_way(company, way, first), Run)


def _list_sparing_plans(now: Problem) -> Iterator[Plan]:
    """Yield for each train the best plan without it, where it may stay idle: it could not run beside the others."""
    trains = now.runnable
    for face in dict.fromkeys(trains) if len(trains) > 1 else ():
        left = list(trains)
        left.remove(face)
        fewer = msgspec.structs.replace(now, trains=tuple(left))
        plan = run_search.find_best_plan(fewer, budget=GLANCE).plan
        try:
            yield run_check.check_plan(now, plan.runs)
        except RuleError:
            continue


def _make_way(now: Problem, plan: Plan) -> PlanSummary:
    idle = find_idle_trains((face.name for face in now.runnable), (run.train for run in plan.runs))
    return PlanSummary(run_plan.write_plan(now, plan), plan.revenue, plan.subsidy, idle)


def _word_way(company: Company, way: PlanSummary, best: PlanSummary) -> str:
    after = trading.find_price_after_dividend(company, way.revenue)
    price = "" if company.receivership else UNITS.move(company.price, after)
    return describe_plan(way, best, UNITS, "£{0}{1} subsidy", price)
