"""Running trains (§7.8, §8.0), and what is done with the revenue (§7.8.5)."""

from collections.abc import Iterator

from engine.errors import RuleError
from engine.finance import market, trading
from engine.finance.events import DividendPaid, RevenueKept, TrainsRan
from engine.hex_view import Line
from engine.rails import runs as train_runs
from engine.record import Record
from engine.setup import IMPORTED
from engine.title import Tell
from engine.titles.g1862 import companies
from engine.titles.g1862.actions import Dividend, Run
from engine.titles.g1862.catalogue import FACES, KINDS, UNITS, Face, rule
from engine.titles.g1862.events import RunCorrected
from engine.titles.g1862.ground import find_bases
from engine.titles.g1862.running import check as run_check
from engine.titles.g1862.running import plan as run_plan
from engine.titles.g1862.running import search as run_search
from engine.titles.g1862.running.runs import Aim, Plan, Problem, Survey
from engine.titles.g1862.state import Company, State

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
        raise RuleError("Only an imported game can state what a run earns.", IMPORTED)
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
    is_choice = outcome.text != NONE or can_run(s, company)
    r.begin_next_step()
    r.revenue, r.subsidy = outcome.revenue, outcome.subsidy
    if is_choice:  # else it says no more than where no one is asked
        r.plan, r.ran = outcome.text, [train.face for train in company.trains]
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


def list_lines(s: State, company: Company, text: str, names: list[str] | None = None) -> tuple[Line, ...]:
    """Return a plan's runs for the map, also after the run, when a train may have gone since."""
    now = make_problem(s, company, names)
    try:
        return run_plan.list_lines(now, run_plan.read_plan(now, text))
    except RuleError:
        return ()  # a tile or train has changed since


SHARES_PER_COMPANY = 10


class DividendPlan(Record, frozen=True):
    """What is paid out, of which ``added`` comes from the treasury; nothing when all is kept."""

    company: str
    paid: int
    added: int = 0


def find_hudson_addition(s: State, company: Company) -> int:
    """Return what the treasury adds to lift the dividend to the price; 0 when that is not possible (§7.8.6)."""
    revenue, price = s.operating.revenue, company.price
    if s.rules.new_players or not s.rules.hudson_from <= revenue < price:
        return 0
    added = -(-(price - revenue) // SHARES_PER_COMPANY) * SHARES_PER_COMPANY
    treasury = company.cash + (s.operating.subsidy if s.rules.subsidy_with_dividend else 0)
    return added if added <= treasury else 0


def is_dividend_open_for(s: State, company: Company) -> bool:
    """Return whether the director has a choice: some revenue, and no receivership (§7.8.5, §8.0)."""
    return s.operating.revenue > 0 and not company.receivership


def list_dividend_options(s: State, seat: int) -> Iterator[Dividend]:
    """Yield what may be done with the revenue."""
    del seat
    yield Dividend("pay")
    yield Dividend("keep")
    if find_hudson_addition(s, s.companies[s.operating.code]):
        yield Dividend("hudson")


def check_dividend(s: State, seat: int, action: Dividend) -> DividendPlan:
    """Check a dividend."""
    del seat
    company, revenue = s.companies[s.operating.code], s.operating.revenue
    if action.kind == "keep":
        return DividendPlan(company.code, 0)
    if action.kind == "pay":
        return DividendPlan(company.code, revenue)
    added = find_hudson_addition(s, company)
    if added:
        return DividendPlan(company.code, revenue + added, added)
    if s.rules.new_players:
        raise RuleError("In the game for new players, dividends can't be topped up.", rule("11.3"))
    if revenue >= company.price:
        why = f"its revenue of £{revenue:,} already reaches the price of £{company.price:,}"
    elif revenue < s.rules.hudson_from:
        why = f"its revenue of £{revenue:,} is less than £{s.rules.hudson_from:,}"
    else:
        has = company.cash + (s.operating.subsidy if s.rules.subsidy_with_dividend else 0)
        why = f"its treasury of £{has:,} can't lift its revenue of £{revenue:,} to the price of £{company.price:,}"
    raise RuleError(f"{company.code} can't top up its dividend: {why}.", rule("7.8.6"))


def apply_dividend(s: State, plan: DividendPlan, tell: Tell) -> None:
    """Pay or keep, move the price, run the warranties down."""
    r = s.operating
    company = s.companies[plan.company]
    companies.pay(s, company, (r.subsidy if s.rules.subsidy_with_dividend else 0) - plan.added, tell)
    if plan.paid:
        paid = trading.compute_dividends(UNITS, company, plan.paid)
        treasury = company.treasury * trading.compute_dividend_per_share(UNITS, plan.paid)
        for seat, amount in enumerate(paid):
            companies.pay(s, seat, amount, tell)
        companies.pay(s, company, treasury, tell)
        tell(DividendPaid(company.code, plan.paid, paid, treasury, plan.added))
    else:
        companies.pay(s, company, r.revenue, tell)
        tell(RevenueKept(company.code, r.revenue))
    trading.move_for_dividend(s, company, plan.paid, tell)
    if s.rules.operating_restacks:
        market.move_to_bottom(s, company)
    companies.wear_trains(s, company, tell)
    r.begin_next_step()


def settle_dividend(s: State, company: Company, tell: Tell) -> None:
    """Keep the revenue where there is no choice."""
    apply_dividend(s, DividendPlan(company.code, 0), tell)
