"""Running trains, owned or leased, and what is done with the revenue."""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Literal

from engine.errors import RuleError
from engine.finance import market, trading
from engine.finance.events import RevenueKept, TrainsRan
from engine.hex_view import Line
from engine.rails import runs as train_runs
from engine.rails.route_packing import MAX_TRIES
from engine.rails.routes import SearchTooLarge, make_mask
from engine.record import Record
from engine.title import Tell
from engine.titles.g1860 import companies
from engine.titles.g1860.actions import Dividend, Run
from engine.titles.g1860.catalogue import PHASES, TRAINS, UNITS, rule
from engine.titles.g1860.events import BonusEarned, InsolvencyBegan, InsolvencyEnded
from engine.titles.g1860.running import plan as run_plan
from engine.titles.g1860.running import search as run_search
from engine.titles.g1860.running.runs import Plan, Problem, RunRules
from engine.titles.g1860.state import Company, State
from engine.titles.g1860.steps import trains

BEST = "best"
GLANCE_TRIES = 25_000
"""Tries of a search that must not take long; the largest trains of any phase need 15,000 on a full island."""
NONE = "none"
HALTS = "{0}cc halts"
LEASES: dict[str, Literal["stops", "half", "card"]] = {"standard": "stops", "original": "half", "simplified": "card"}


class RunOutcome(Record, frozen=True):
    """A plan that may be run; without one the company in receivership runs nothing."""

    plan: Plan | None
    text: str


def make_problem(s: State, company: Company, names: list[str], *, leased: bool = False) -> Problem:
    """Return what a company has to run with these trains."""
    lease: Literal["", "stops", "half", "card"] = LEASES[s.rules.insolvency] if leased else ""
    if lease == "card" and not s.rules.simplified_lease_pays_card:
        lease = "stops"
    rules = RunRules(
        skip_towns=s.rules.skip_towns,
        re_enter=s.rules.re_enter,
        halts=not s.stopped,
        total=s.nationalised,
        lease=lease,
        half_up=s.rules.lease_half_rounded_up,
        ends_counted=s.rules.run_ends_counted,
        join_counted=s.rules.run_joins_counted,
        all_run=s.rules.all_trains_run,
    )
    standing: dict[tuple[str, int], tuple[str, ...]] = {}
    for other in s.companies.values():
        if not other.bankrupt:
            for base in other.bases:
                standing[base] = (*standing.get(base, ()), other.code)
    return Problem(
        graph=s.board.graph,
        company=company.code,
        bases=standing,
        home=company.bases[0] if company.home_placed else None,
        trains=tuple(TRAINS[name] for name in names),
        colour=s.colours[-1],
        rules=rules,
    )


def is_leasing(s: State, company: Company) -> bool:
    """Return whether a company leases a train this turn: insolvent, and too poor for one of the bank's (Insolvency)."""
    return not company.trains and company.insolvent and company.cash < TRAINS[trains.find_cheapest(s)].price


def make_current_problem(s: State, company: Company) -> Problem | None:
    """Return what the company has to run now; ``None`` without a train."""
    if company.trains:
        return make_problem(s, company, company.trains)
    if is_leasing(s, company):
        return make_problem(s, company, [trains.find_cheapest(s)], leased=True)
    return None


def would_run(s: State, company: Company) -> bool:
    """Return whether a company would have a valid run if it had a train (Insolvency)."""
    return company.home_placed and run_search.would_run(make_problem(s, company, [trains.find_cheapest(s)]))


def update_insolvency(s: State, company: Company, tell: Tell) -> None:
    """Note that a company in receivership without a train is insolvent now, or that any is no longer."""
    poor = company.cash < TRAINS[trains.find_cheapest(s)].price
    if company.receivership and not company.trains and not company.insolvent and poor and would_run(s, company):
        company.insolvent = True
        tell(InsolvencyBegan(company.code))
    elif company.insolvent and not poor and not s.rules.insolvent_until_it_buys:
        company.insolvent = False
        tell(InsolvencyEnded(company.code))


def can_run(s: State, company: Company) -> bool:
    """Return whether the company has something to run.

    In receivership nothing is run after nationalisation (Railway Nationalisation, and the creation of British Rail).
    """
    if company.receivership and s.nationalised and s.rules.nationalised_receiverships_idle:
        return False
    now = make_current_problem(s, company)
    return now is not None and run_search.can_run(now)


def list_options(s: State, seat: int) -> Iterator[Run]:
    """Yield the best plan; routes of one's own are as many as there is track."""
    del s, seat
    yield Run(BEST)


def _get_problem(s: State) -> Problem:
    now = make_current_problem(s, s.companies[s.operating.code])
    assert now is not None
    return now


def spell_out(s: State, action: Run) -> Run:
    """Return the action with its plan written out, as it is kept in the log.

    Raises:
        RuleError: the plan cannot be read or breaks a rule.
    """
    if action.plan.strip().lower() != BEST:
        return action
    return Run(_find_best(s, MAX_TRIES)[1])


def find_best_at_a_glance(s: State) -> Run:
    """Return the best plan that is found at a glance: the best there is for all that the train limit allows."""
    return Run(_find_best(s, GLANCE_TRIES)[1])


def _find_best(s: State, tries: int) -> tuple[Plan, str]:
    """Return the best plan that so many tries find, and its text."""
    now = _get_problem(s)
    plan = run_search.search_best_plan(now, tries).plan
    return plan, run_plan.write_plan(now, plan)


def check(s: State, seat: int, action: Run) -> RunOutcome:
    """Check a plan."""
    del seat
    company = s.companies[s.operating.code]
    if action.plan == NONE and s.nationalised and company.receivership:
        return RunOutcome(None, "nothing")
    action = spell_out(s, action)
    now = _get_problem(s)
    if not action.plan.strip():
        raise RuleError(f"{company.code} must run its trains; “best” runs the best routes.", rule("Running Trains"))
    plan = run_plan.check_plan(now, run_plan.read_plan(now, action.plan))
    return RunOutcome(plan, action.plan)


def apply(s: State, outcome: RunOutcome, tell: Tell) -> None:
    """Run the trains; what they earn is settled in the dividend step."""
    r = s.operating
    company = s.companies[r.code]
    r.begin_next_step()
    if outcome.plan is None:
        return
    plan = outcome.plan
    r.leased = "" if company.trains else trains.find_cheapest(s)
    r.revenue, r.subsidy, r.plan = plan.revenue, plan.subsidy, outcome.text
    if not company.receivership:
        r.earned[company.code] = plan.revenue
    told = train_runs.summarise_runs(s.board, plan.runs)
    tell(TrainsRan(company.code, outcome.text, plan.revenue, plan.subsidy, told, r.leased))
    if s.rules.destinations or s.rules.variable_privates:
        _reach_destinations(s, company, plan, tell)


def run_best(s: State, company: Company, tell: Tell) -> None:
    """Run the best plan without asking: in receivership (Companies In Receivership).

    Where a glance proves no answer, which takes three large trains and no
    train limit (Phases), it is the best found, with half the tries: one pass
    may let all companies run. What the log holds is run where it holds something.

    Raises:
        RuleError: a log from outside holds a plan that is not legal.
    """
    recorded = s.record.find_next()
    if recorded is None and s.rules.receiverships_leave_idle:
        recorded = _find_exact_plan(s, company)
    tries = GLANCE_TRIES if len(company.trains) <= PHASES[s.phase].limit else GLANCE_TRIES // 2
    plan, text = _find_best(s, tries) if recorded is None else (_read_recorded_plan(s, company, recorded), recorded)
    s.record.made.append(text)
    apply(s, RunOutcome(plan, text), tell)


def _find_exact_plan(s: State, company: Company) -> str:
    """Return the best plan of all trains, or of all but the smallest where an exact search would take too long."""
    names = sorted(company.trains, key=lambda name: -TRAINS[name].cities)
    now = _get_problem(s)
    while True:
        try:
            return run_plan.write_plan(now, run_search.find_best_plan(now))
        except SearchTooLarge:
            names.pop()
            now = make_problem(s, company, names)


def _read_recorded_plan(s: State, company: Company, text: str) -> Plan:
    """Return a plan of the log, checked; the smallest trains may stay idle in it."""
    now = _get_problem(s)
    runs = run_plan.read_plan(now, text)
    try:
        return run_plan.check_plan(now, runs)
    except RuleError:
        names = [run.train for run in runs]
        if not names or len(names) >= len(company.trains):
            raise
        fewer = make_problem(s, company, names)
        return run_plan.check_plan(fewer, run_plan.read_plan(fewer, text))


def _reach_destinations(s: State, company: Company, plan: Plan, tell: Tell) -> None:
    """Note the destinations that its runs link with home for the first time.

    A destination's bonus is earned by a single run or by several joined; variable privates name one train.
    """
    home = make_mask(node.id for node in s.board.graph.nodes if (node.coord, node.index) == company.bases[0])
    runs = [make_mask(run.nodes) for run in plan.runs]
    together = reduce(or_, runs, 0)
    for goal in company.charter.destinations:
        there = make_mask(
            node.id
            for node in s.board.graph.nodes
            if node.coord == goal.hex and node.kind == "city" and goal.city in (-1, node.index)
        )
        if any(run & home and run & there for run in runs) and goal.name not in company.through:
            company.through.append(goal.name)
        if together & home and together & there and goal.name not in company.reached:
            company.reached.append(goal.name)
            if s.rules.destinations:
                company.cash += goal.bonus
                tell(BonusEarned(company.code, goal.name, goal.bonus))


def list_lines(s: State, company: Company, text: str, leased: str) -> tuple[Line, ...]:
    """Return a plan's runs for the map, also after the run, when the train may have rusted since."""
    names = [leased] if leased else company.trains
    if not names:
        return ()
    now = make_problem(s, company, names, leased=bool(leased))
    try:
        return train_runs.draw_lines(s.board, run_plan.read_plan(now, text), UNITS, HALTS)
    except RuleError:
        return ()  # a train bought or lost since has changed what the words mean


class DividendPlan(Record, frozen=True):
    """Revenue to be paid or kept."""

    pay: bool


def is_dividend_open_for(s: State, company: Company) -> bool:
    """Return whether the director has a choice: revenue, not insolvent, not in receivership, not nationalised."""
    r = s.operating
    return r.revenue > 0 and not r.leased and not company.insolvent and not company.receivership and not s.nationalised


def list_dividend_options(s: State, seat: int) -> Iterator[Dividend]:
    """Yield both choices."""
    del s, seat
    yield Dividend("pay")
    yield Dividend("keep")


def check_dividend(s: State, seat: int, action: Dividend) -> DividendPlan:
    """Check the choice; both are always allowed, for the step waits where there is revenue alone."""
    del s, seat
    return DividendPlan(action.kind == "pay")


def apply_dividend(s: State, plan: DividendPlan, tell: Tell) -> None:
    """Pay or keep, and move the price; the subsidy for halts goes straight to the treasury (Running Trains)."""
    company = s.companies[s.operating.code]
    company.cash += s.operating.subsidy
    if plan.pay:
        pay_out(s, company, tell)
    else:
        keep_revenue(s, company, tell)


def settle_dividend(s: State, company: Company, tell: Tell) -> None:
    """Do what leaves no choice: nationalised companies pay, all others keep."""
    company.cash += s.operating.subsidy
    if s.nationalised and not company.receivership and s.operating.revenue > 0:
        pay_out(s, company, tell)
    else:
        keep_revenue(s, company, tell)


def pay_out(s: State, company: Company, tell: Tell) -> None:
    """Pay the revenue out, a tenth for each share; IPO and pool get nothing (Dividends and the Share Price).

    Below the price the marker stays, under the others of its space (Dividends and the Share Price).
    """
    revenue = s.operating.revenue
    trading.pay_out(s, UNITS, company, revenue, tell)
    if not trading.move_for_dividend(s, company, revenue, tell) and s.rules.paid_marker_goes_under:
        market.move_to_bottom(s, company)
    _end_dividend(s, tell)


def keep_revenue(s: State, company: Company, tell: Tell) -> None:
    """Keep the revenue, or earn none: two spaces down (Dividends and the Share Price)."""
    company.cash += s.operating.revenue
    tell(RevenueKept(company.code, s.operating.revenue))
    trading.move_for_dividend(s, company, 0, tell)
    _end_dividend(s, tell)


def _end_dividend(s: State, tell: Tell) -> None:
    companies.note_empty_bank(s, tell)
    if not s.rules.operated_after_turn:
        s.companies[s.operating.code].operated = True
    s.operating.begin_next_step()
