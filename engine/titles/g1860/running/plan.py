"""Plans of runs: read as players type them, checked by the rules one by one, written (Running Trains)."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.errors import RuleError
from engine.finance.trains import explain_too_many_runs, take_named, take_run
from engine.rails.board import Graph
from engine.rails.routes import BitLayout, find_paths, list_bits, make_mask, order_along_path
from engine.rails.runs import RunPlan, explain_must_run, make_plan, name_leg, name_run, write_hexes
from engine.rails.walk import Step, Walk, check_run_count, find_walk, read_steps, split_plan, write_stop
from engine.titles.g1860.catalogue import TRAINS, TrainKind, rule
from engine.titles.g1860.running.joins import Member, is_connected
from engine.titles.g1860.running.runs import Plan, Problem, Run, Survey
from engine.words import pluralise

RUNNING = rule("Running Trains")
_EXAMPLE = "3+2 F2-F4-[G3]-G5"
_RUN = re.compile(r"\s*(?:(\d{1,2}\+\d{1,2})\s*[: ]\s*)?([^=]*)(?:=.*)?", re.ASCII | re.DOTALL)


class TypedRun(NamedTuple):
    """A run as typed; ``train`` is empty where none is named."""

    train: str
    steps: tuple[Step, ...]


def read_text(text: str) -> tuple[TypedRun, ...]:
    """Read the runs that a text names; nothing is said yet about track or trains.

    Raises:
        RuleError: it is no list of runs.
    """
    runs = split_plan(text, RUNNING)
    check_run_count(len(runs), RUNNING)
    found = []
    for run in runs:
        match = _RUN.fullmatch(run)
        train, walk = (match[1] or "", match[2]) if match else ("", run)
        found.append(TypedRun(train, read_steps(walk, _EXAMPLE, RUNNING)))
    return tuple(found)


def write_runs(graph: Graph, runs: tuple[Run, ...]) -> str:
    """Return runs in the form that is kept: every train named, every hex, every choice of stops."""
    return "; ".join(f"{run.train} {write_hexes(graph, run)}" for run in runs)


def read_plan(problem: Problem, text: str) -> tuple[Run, ...]:
    """Return the runs that a text means; whether they are legal is not asked.

    Raises:
        RuleError: it cannot be read, or no track joins two of its hexes.
    """
    typed = read_text(text)
    walks = [find_walk(problem.graph, run.steps, RUNNING) for run in typed]
    survey = Survey(problem)
    trains = _name_trains(survey, typed, [walk for walk, _ in walks])
    return tuple(
        survey.make_run(train, walk.nodes, walk.links, _find_counted_stops(survey, walk, steps))
        for train, (walk, steps) in zip(trains, walks, strict=True)
    )


def _find_counted_stops(survey: Survey, walk: Walk, steps: Sequence[Step]) -> int:
    """Return the stops that are not in brackets; halts that no longer count are left out."""
    pairs = zip(walk.nodes, walk.steps, strict=True)
    return make_mask(node for node, step in pairs if steps[step].counts) & survey.countable


def _name_trains(survey: Survey, typed: Sequence[TypedRun], walks: Sequence[Walk]) -> list[TrainKind]:
    """Return a train for each run: as named, else the largest left for the run with the most stops."""
    left = sorted(survey.problem.trains, key=lambda train: (-train.cities, -train.towns))
    names: list[TrainKind | None] = [None] * len(typed)
    for number, run in enumerate(typed):
        if run.train:
            names[number] = take_named(
                left, run.train, survey.problem.company, survey.problem.trains, TRAINS, rule("Running Trains")
            )
    sizes = {
        number: ((make_mask(walk.nodes) & survey.cities).bit_count(), len(walk.nodes))
        for number, walk in enumerate(walks)
        if names[number] is None
    }
    for number in sorted(sizes, key=lambda number: sizes[number], reverse=True):
        if not left:
            raise RuleError(
                explain_too_many_runs(survey.problem.company, len(survey.problem.trains), len(typed)),
                rule("Running Trains"),
            )
        names[number] = left.pop(0)
    return [name for name in names if name]


def write_plan(problem: Problem, plan: Plan | Iterable[Run]) -> str:
    """Return a plan in the form that is kept and read again."""
    return write_runs(problem.graph, tuple(plan.runs if isinstance(plan, RunPlan) else plan))


def check_plan(problem: Problem, runs: Sequence[Run]) -> Plan:
    """Return what runs earn, if they are legal.

    Raises:
        RuleError: the first thing that is wrong with them.

    Rule: 1860, Running Trains; Insolvency; Railway Nationalisation, and the creation of British Rail.
    """
    survey = Survey(problem)
    idle = _list_idle_trains(problem, runs)
    for number in range(len(runs)):
        _check_run(survey, runs, number)
    _check_together(survey, runs, idle)
    return make_plan(survey.make_run(TRAINS[run.train], run.nodes, run.links, run.counted) for run in runs)


def fit_run(survey: Survey, run: Run) -> Run:
    """Return a run with the stops counted that a plan which names it means.

    Raises:
        RuleError: its train can't make it, whatever the others do.
    """
    counted = make_mask(run.nodes) & ~run.left_out & survey.countable
    fitted = survey.make_run(TRAINS[run.train], run.nodes, run.links, counted)
    _check_run(survey, [fitted], 0)
    return fitted


def choose_stops(survey: Survey, run: Run) -> Run:
    """Return a run that counts what it must of its stops, and of the others what brings most: small stations first."""
    train, passed, rules = TRAINS[run.train], make_mask(run.nodes), survey.rules
    cities, due = passed & survey.cities, 0
    if rules.ends_counted:
        due = make_mask((run.nodes[0], run.nodes[-1])) & survey.towns
    if not rules.skip_towns:
        due = passed & survey.towns
    room = survey.count_room(train, cities.bit_count()) - due.bit_count()
    free = [node for node in run.nodes if survey.countable & ~cities & ~due >> node & 1]
    free.sort(key=lambda node: (survey.halts >> node & 1, -survey.values[node]))
    counted = cities | due | make_mask(free[: max(room, 0)])
    return survey.make_run(train, run.nodes, run.links, counted)


def combine_runs(survey: Survey, runs: Sequence[Run]) -> Plan:
    """Return what fitted runs earn, if they are legal together.

    Raises:
        RuleError: the first thing that is wrong with them.
    """
    idle, track = _list_idle_trains(survey.problem, runs), 0
    for number, run in enumerate(runs):
        own = survey.find_track(run)
        if own & track:
            _check_legs(survey, runs, number)
        track |= own
    _check_together(survey, runs, idle)
    return make_plan(runs)


def _check_run(survey: Survey, runs: Sequence[Run], number: int) -> None:
    """Refuse a run that its train can't make beside those before it."""
    run, label = runs[number], name_run(runs, number)
    _check_legs(survey, runs, number)
    _check_stops(survey, run, label)
    _check_capacity(survey, run, TRAINS[run.train], label)


def _check_together(survey: Survey, runs: Sequence[Run], idle: Sequence[TrainKind]) -> None:
    """Refuse runs that are not legal together."""
    _check_barred(survey, runs)
    _check_connections(survey, runs)
    if idle and (survey.rules.all_run or not runs):
        _check_idle(survey, runs, idle)


def complete_plan(problem: Problem, plan: Plan) -> Plan:
    """Return a plan found in a hurry with a run for every train that must run beside the others (Running Trains)."""
    if not problem.rules.all_run:
        return plan
    survey, runs = Survey(problem), list(plan.runs)
    for train in _list_idle_trains(problem, runs):
        extra = _find_extra_run(survey, runs, train)
        if extra:
            runs.append(extra)
    return make_plan(runs)


def _list_idle_trains(problem: Problem, runs: Sequence[Run]) -> list[TrainKind]:
    """Return the trains that do not run."""
    left = list(problem.trains)
    for run in runs:
        take_run(left, run.train, problem.company, rule("Running Trains"))
    return left


def _check_legs(survey: Survey, runs: Sequence[Run], number: int) -> None:
    """Refuse a leg that comes to a stop or hex again, or runs over track in use (Running Trains)."""
    graph, run = survey.problem.graph, runs[number]
    others = [survey.find_track(other) for other in runs[:number]]
    passed, hexes, track = 1 << run.nodes[0], graph.nodes[run.nodes[0]].hex, 0
    for here, there, link in zip(run.nodes, run.nodes[1:], run.links, strict=False):
        way = graph.find_exit(here, link)
        if passed >> there & 1:
            leg = name_leg(graph, runs, number, (here, there))
            raise RuleError(f"{leg} visits {write_stop(graph, there)} twice.", rule("Running Trains"))
        if way.mask & track:
            leg = name_leg(graph, runs, number, (here, there))
            raise RuleError(f"{leg} would reuse its own track.", rule("Running Trains"))
        if not survey.rules.re_enter and (way.again or way.entered & hexes):
            leg = name_leg(graph, runs, number, (here, there))
            raise RuleError(f"{leg} enters a hex a second time.", rule("Running Trains"))
        user = next((other for other, used in enumerate(others) if way.mask & used), None)
        if user is not None:
            leg = name_leg(graph, runs, user, (here, there))
            raise RuleError(f"{leg} already uses this track.", rule("Running Trains"))
        passed |= 1 << there
        hexes |= way.entered
        track |= way.mask


def _check_stops(survey: Survey, run: Run, label: str) -> None:
    """Refuse ends that are halts or not counted, and stops left out that must be counted (Running Trains)."""
    graph, rules, passed = survey.problem.graph, survey.rules, make_mask(run.nodes)
    if len(run.nodes) < 2:
        raise RuleError(f"{label} needs at least two stops.", rule("Running Trains"))
    for end in (run.nodes[0], run.nodes[-1]):
        if survey.halts >> end & 1:
            raise RuleError(
                f"{label} ends at {write_stop(graph, end)}, a halt; a run must end at a city or a small station.",
                rule("Running Trains"),
            )
        if rules.ends_counted and not run.counted >> end & 1:
            raise RuleError(
                f"{label} ends at {write_stop(graph, end)}, so it must count that stop; remove the brackets.",
                rule("Running Trains"),
            )
    left_out = survey.cities & passed & ~run.counted
    if left_out:
        name = write_stop(graph, list_bits(left_out)[0])
        raise RuleError(f"{name} is a city, and a run must count every city it passes.", rule("Running Trains"))
    left_out = survey.towns & passed & ~run.counted
    if left_out and not rules.skip_towns:
        name = write_stop(graph, list_bits(left_out)[0])
        raise RuleError(
            f"{name} is a small station, and in this game a run must count every small station it passes.",
            rule("Running Trains", edition="first"),
        )
    if not passed & survey.own:
        company = survey.problem.company
        raise RuleError(f"{label} must visit a city with a base of {company}.", rule("Running Trains"))


def _check_capacity(survey: Survey, run: Run, train: TrainKind, label: str) -> None:
    """Refuse more stops than a train can count."""
    cities = (run.counted & survey.cities).bit_count()
    others = (run.counted & ~survey.cities).bit_count()
    most = train.cities
    if survey.rules.one_number and cities + others > most:
        nationalised = rule("Railway Nationalisation, and the creation of British Rail")
        cited = rule("Insolvency") if survey.rules.lease else nationalised
        raise RuleError(f"{label} can count only {most} stops; this run counts {cities + others}.", cited)
    if cities > most:
        raise RuleError(f"{label} can count only {most} cities; this run counts {cities}.", rule("Running Trains"))
    room = survey.count_room(train, cities)
    if others > room:
        allowed = f"only {pluralise(room, 'small station or halt', 'small stations or halts')}" if room else "no halts"
        beside = f" in addition to {pluralise(cities, 'city', 'cities')}" if cities else ""
        raise RuleError(
            f"{label} can count {allowed}{beside}; this run counts {others}. Put stops it skips in [brackets].",
            rule("Running Trains"),
        )


def _list_barred_passages(survey: Survey, runs: Sequence[Run]) -> list[tuple[Run, int]]:
    """Return each passage of a run through a tokened-out city."""
    return [(run, node) for run in runs for node in run.nodes[1:-1] if survey.barred >> node & 1]


def _check_barred(survey: Survey, runs: Sequence[Run]) -> None:
    """Refuse a second passage through a tokened-out city (Running Trains)."""
    barred = [write_stop(survey.problem.graph, node) for _, node in _list_barred_passages(survey, runs)]
    if len(barred) > 1:
        raise RuleError(
            f"{barred[0]} and {barred[1]} are full of other companies' bases; "
            "only one train can pass through one such city.",
            rule("Running Trains"),
        )


def _find_meeting_stops(survey: Survey, run: Run) -> int:
    """Return the stops at which a run can meet others (Running Trains)."""
    return run.counted if survey.rules.join_counted else make_mask(run.nodes)


def _check_connections(survey: Survey, runs: Sequence[Run]) -> None:
    """Refuse runs of which none comes home, or that are not connected (Running Trains)."""
    if not runs:
        return
    company, home = survey.problem.company, survey.home
    if not home:
        raise RuleError(f"The home base of {company} isn't on the board, so it can't run.", rule("Running Trains"))
    meeting = [_find_meeting_stops(survey, run) for run in runs]
    if not any(stops & home for stops in meeting):
        name = write_stop(survey.problem.graph, home.bit_length() - 1)
        raise RuleError(f"At least one run must include {name}, the home of {company}.", rule("Running Trains"))
    if not is_connected(survey, meeting):
        both = ", and both must count it" if survey.rules.join_counted else ""
        raise RuleError(
            f"The runs aren't connected: each must share a stop with another{both}.", rule("Running Trains")
        )


def _check_idle(survey: Survey, runs: Sequence[Run], idle: Sequence[TrainKind]) -> None:
    """Refuse to leave a train idle that could run beside the others (Running Trains)."""
    for train in {train.name: train for train in idle}.values():
        extra = _find_extra_run(survey, runs, train)
        if extra:
            can = "still run" if runs else "run"
            raise RuleError(explain_must_run(survey.problem.graph, extra, can), rule("Running Trains"))


def _find_extra_run(survey: Survey, runs: Sequence[Run], train: TrainKind) -> Run | None:
    """Return a legal run of one more train, if there is any."""
    graph, blocked, group = survey.problem.graph, 0, 0 if runs else survey.home
    for run in runs:
        blocked |= survey.find_track(run)
        group |= _find_meeting_stops(survey, run)
    layout = BitLayout(graph)
    terms = survey.make_terms([train], tolls=0 if _list_barred_passages(survey, runs) else 1)
    for bits, load in find_paths(graph, terms, blocked=blocked):
        meets = bits & group
        if not meets or not survey.list_earnings(load, terms.start, train):
            continue
        member = Member(survey, layout, bits, train)
        for forced in (0, *(1 << node for node in list_bits(meets & member.optional))):
            ways = member.list_earnings(forced)
            sure = member.sure | forced if survey.rules.join_counted else bits
            if ways and sure & group:
                nodes, links = order_along_path(graph, bits)
                return survey.make_run(train, nodes, links, member.choose_counted_stops(forced, ways[0], nodes))
    return None
