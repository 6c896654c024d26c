"""The rules of running, asked of a plan one by one (§7.4, §7.8); each refusal names run, leg and reason."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, NoReturn

import msgspec

from engine.errors import RuleError
from engine.finance.trains import take_run
from engine.rails.routes import SearchTooLarge, list_bits, make_mask, order_along_path
from engine.rails.runs import explain_must_run, name_leg, name_run
from engine.rails.walk import write_stop
from engine.titles.g1862.catalogue import FACES, LONDON, Face, Kind, rule
from engine.titles.g1862.running.freight import Piece, Yard
from engine.titles.g1862.running.paths import Path, find_paths
from engine.titles.g1862.running.plan import number_chains
from engine.titles.g1862.running.runs import ALONE, Plan, Problem, Run, Survey
from engine.titles.g1862.running.score import find_chain_ends, list_visited, score_runs
from engine.words import join_words, pluralise


class More(NamedTuple):
    """A run that could be added; ``joined`` to a chain of Freights, else alone."""

    run: Run
    joined: bool


def list_chains(runs: Sequence[Run]) -> list[list[Run]]:
    """Return the Freights, chain by chain."""
    numbers = dict.fromkeys(run.chain for run in runs if run.chain != ALONE)
    return [[run for run in runs if run.chain == number] for number in numbers]


def find_extra_run(survey: Survey, runs: Sequence[Run], face: Face) -> More | None:
    """Return a run of one more train that can be added without changing the others, ``None`` if there is none."""
    try:
        found = _find_paths(survey, face.kind, face.hexes if face.kind == "freight" else face.visited)
    except SearchTooLarge:
        return None  # more track than we can look through: no one is held to it
    chains = list_chains(runs)
    lasting = [[survey.problem.is_permanent(FACES[run.train]) for run in chain] for chain in chains]
    mixed = [chain for chain, kinds in zip(chains, lasting, strict=True) if not all(kinds)]
    if face.kind == "freight" and chains and not (survey.problem.is_permanent(face) and all(map(any, lasting))):
        yard = Yard(survey, found)
        bits = None
        for chain in mixed or chains:
            a, b = find_chain_ends(survey, chain)
            pieces = tuple(Piece(FACES[run.train].hexes, make_mask(run.nodes)) for run in chain)
            bits = yard.find_growth(pieces, (a.number, b.number), face.hexes)
            if bits is not None:
                break
        return None if bits is None else More(Run(face.name, *order_along_path(survey.graph, bits)), joined=True)
    group = 0 if runs else survey.home
    for run in runs:
        group |= make_mask(run.nodes) & survey.meeting
    bits = next((path.bits for path in found if path.bits & group), None)
    return None if bits is None else More(Run(face.name, *order_along_path(survey.graph, bits)), joined=False)


@lru_cache(maxsize=4)  # plans of one company are tried by the hundred
def _find_paths(survey: Survey, kind: Kind, most: int) -> list[Path]:
    return find_paths(survey, kind, most)


def complete_plan(problem: Problem, plan: Plan) -> Plan:
    """Return a plan with every train added that could still run: one found in a hurry may have left some out."""
    survey, runs = Survey(problem), list(plan.runs)
    while (more := _find_next_run(survey, runs)) is not None:
        try:
            runs = list(_number_again(survey, [*runs, more.run]))
        except RuleError:
            break
    return score_runs(survey, runs)


def _number_again(survey: Survey, runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return runs with their chains numbered again; those numbered so far stay joined."""
    pairs = enumerate(pairwise(runs), 1)
    return number_chains(survey, runs, {number for number, (last, run) in pairs if run.chain == last.chain != ALONE})


def _find_next_run(survey: Survey, runs: Sequence[Run]) -> More | None:
    left = list(survey.problem.runnable)
    for run in runs:
        left.remove(FACES[run.train])
    found = (find_extra_run(survey, runs, face) for face in dict.fromkeys(left))
    return next((more for more in found if more is not None), None)


def check_plan(problem: Problem, runs: Sequence[Run]) -> Plan:
    """Return what runs earn, if they are legal.

    Raises:
        RuleError: the first thing that is wrong with them.

    Rule: 1862 §7.4, §7.8.
    """
    survey = Survey(problem)
    idle = _list_idle_trains(problem, runs)
    for number in range(len(runs)):
        _check_run(survey, runs, number)
    return _check_together(survey, runs, idle)


def fit_run(survey: Survey, run: Run) -> Run:
    """Return a run with the stops left out that a plan which names it means.

    Raises:
        RuleError: its train can't make it, whatever the others do.
    """
    chooses = FACES[run.train].kind != "freight" and not survey.rules.touching_joins
    left_out = run.left_out & make_mask(run.nodes) & ~survey.towns if chooses else 0
    fitted = msgspec.structs.replace(run, left_out=left_out)
    _check_run(survey, [fitted], 0)
    return fitted


def combine_runs(survey: Survey, runs: Sequence[Run]) -> Plan:
    """Return what fitted runs earn, if they are legal together; Freights said to be joined have one chain.

    Raises:
        RuleError: the first thing that is wrong with them.
    """
    return _check_together(survey, _number_again(survey, runs), _list_idle_trains(survey.problem, runs))


def _check_run(survey: Survey, runs: Sequence[Run], number: int) -> None:
    """Refuse a run that its train can't make, whatever the others do."""
    _check_legs(survey, runs, number)
    _check_ends(survey, runs, number)
    _check_left_out(survey, runs, number)


def _check_together(survey: Survey, runs: Sequence[Run], idle: Sequence[Face]) -> Plan:
    """Refuse runs that are not legal together; otherwise return what they earn."""
    chains = list_chains(runs)
    if not survey.rules.touching_joins:  # there ``score_runs`` looks at what the Freights are joined to
        _check_one_chain(survey, chains)
        for chain in chains:
            _check_chain(survey, chain)
    _check_connections(survey, runs)
    if survey.rules.all_run:
        for face in dict.fromkeys(idle):
            _check_idle(survey, runs, face)
    return score_runs(survey, runs)


def _list_idle_trains(problem: Problem, runs: Sequence[Run]) -> list[Face]:
    """Return the trains that may run and do not."""
    left = list(problem.trains)
    for run in runs:
        face = take_run(left, run.train, problem.company, rule("7.8"))
        if face.kind not in problem.permits:
            kinds = join_words([kind.capitalize() for kind in problem.permits])
            held = f"permits for {kinds} only" if kinds else "no permit"
            raise RuleError(
                f"{problem.company} has {held}, so it can't run its {run.train}: that needs a permit for "
                f"{face.kind.capitalize()}.",
                rule("7.8"),
            )
    return [face for face in left if face.kind in problem.permits]


def _check_legs(survey: Survey, runs: Sequence[Run], number: int) -> None:
    """Refuse the first leg that a run of this train cannot go on."""
    run, graph = runs[number], survey.graph
    face, first = FACES[run.train], run.nodes[0]
    passed, spots, steps, stops = 1 << first, survey.spot[first], 0, int(not survey.towns >> first & 1)
    for here, there, link in zip(run.nodes, run.nodes[1:], run.links, strict=False):
        if survey.terminal >> here & 1 and here != first:
            _refuse_passing(survey, here, name_leg(graph, runs, number, (here, there)))
        if passed >> there & 1 or survey.spot[there] & spots & survey.areas:
            leg, name = name_leg(graph, runs, number, (here, there)), write_stop(graph, there)
            raise RuleError(f"{leg} visits {_name_area_or(survey, there, name)} twice.", rule("7.4"))
        if face.kind == "local" and survey.areas >> there & 1:
            leg = name_leg(graph, runs, number, (here, there))
            raise RuleError(f"{leg} is a Local, which can't run to a port or red area.", rule("7.8.2"))
        passed |= 1 << there
        spots |= survey.spot[there]
        steps += survey.list_steps(link)
        stops += not survey.towns >> there & 1
        if face.kind == "freight" and steps > face.hexes:
            leg = name_leg(graph, runs, number, (here, there))
            raise RuleError(
                f"{leg} can go only {pluralise(face.hexes, 'hex', 'hexes')}; this run is {steps}.", rule("7.8.1")
            )
        if face.kind != "freight" and stops > face.visited:
            leg = name_leg(graph, runs, number, (here, there))
            raise RuleError(
                f"{leg} can visit only {face.visited} large stations; this run visits {stops}.",
                rule("7.8.2" if face.kind == "local" else "7.8.3"),
            )
    for mask, kind in ((survey.ports, "port"), (survey.reds, "red area")):
        if (passed & mask).bit_count() > 1:
            ends = [write_stop(graph, node) for node in run.nodes if mask >> node & 1]
            raise RuleError(
                f"{name_run(runs, number)} runs from {kind} to {kind}, {ends[0]} and {ends[1]}; no run may do that.",
                rule("7.8"),
            )


def _name_area_or(survey: Survey, node: int, name: str) -> str:
    return f"{survey.find_area(node)} ({name})" if survey.areas >> node & 1 else name


def _refuse_passing(survey: Survey, here: int, leg: str) -> NoReturn:
    """Refuse to go on from a stop where a run must end."""
    name = write_stop(survey.graph, here)
    if survey.areas >> here & 1:
        raise RuleError(f"{leg} must end at {_name_area_or(survey, here, name)}.", rule("7.4"))
    raise RuleError(f"{leg} must end at {name}, which is full of other companies' markers.", rule("7.4"))


def _check_ends(survey: Survey, runs: Sequence[Run], number: int) -> None:
    """Refuse ends at small stations or in London without a marker, and runs without an own marker."""
    run, company = runs[number], survey.problem.company
    for end in (run.nodes[0], run.nodes[-1]):
        if survey.towns >> end & 1:
            where = f"{name_run(runs, number)} ends at {write_stop(survey.graph, end)}"
            raise RuleError(
                f"{where}, a small station; a run must end at a large station, a port or a red area.", rule("7.8")
            )
        if survey.closed >> end & 1:
            raise RuleError(f"{name_run(runs, number)} runs to {LONDON}, where {company} has no marker.", rule("7.6.5"))
    if not make_mask(run.nodes) & survey.own:
        raise RuleError(f"{name_run(runs, number)} must visit a large station with a marker of {company}.", rule("7.4"))


def _check_left_out(survey: Survey, runs: Sequence[Run], number: int) -> None:
    """Refuse more brackets than a train with two numbers may leave out (§7.8.3)."""
    run, face = runs[number], FACES[runs[number].train]
    if face.kind == "freight" or not run.left_out:
        return
    spare = max(0, len(list_visited(survey, run)) - face.scored)
    if run.left_out.bit_count() > spare:
        names = ", ".join(write_stop(survey.graph, node) for node in list_bits(run.left_out))
        raise RuleError(
            f"{name_run(runs, number)} counts {face.scored} of the stations it visits, so it can't leave out {names}"
            f"{f'; it can leave out only {spare}' * bool(spare)}.",
            rule("7.8.2" if face.kind == "local" else "7.8.3"),
        )


def _check_one_chain(survey: Survey, chains: Sequence[Sequence[Run]]) -> None:
    """Refuse Freights that are not permanent and not all in one chain, with a permanent one if any runs (§7.8.1)."""
    lasting = [[survey.problem.is_permanent(FACES[run.train]) for run in chain] for chain in chains]
    passing = [number for number, chain in enumerate(lasting) if not all(chain)]
    if len(passing) > 1:
        one, other = (chains[number][0].train for number in passing[:2])
        raise RuleError(
            f"The {one} and the {other} must be joined: Freights that aren't permanent run end to end as one chain.",
            rule("7.8.1"),
        )
    if passing and not any(lasting[passing[0]]) and any(map(any, lasting)):
        name = chains[passing[0]][0].train
        raise RuleError(f"The {name} must be joined end to end with a permanent Freight that runs.", rule("7.8.1"))


def _check_chain(survey: Survey, chain: Sequence[Run]) -> None:
    """Refuse parts that cross, and a chain from port to port or from red to red (§7.8.1)."""
    if len(chain) < 2:
        return
    names = " + ".join(run.train for run in chain)
    a, b = find_chain_ends(survey, chain)
    if not survey.rules.crossing:
        passed = make_mask(chain[0].nodes)
        for run in chain[1:]:
            again = make_mask(run.nodes[1:]) & passed
            if again:
                name = write_stop(survey.graph, list_bits(again)[0])
                sentence = f"When joined, {names} are one train, which can't visit {name} twice."
                raise RuleError(sentence, rule("7.8.1"))
            passed |= make_mask(run.nodes)
    if a.spot != b.spot and not survey.may_join(a, b):
        kind = "port" if a.kind == "port" else "red area"
        raise RuleError(f"When joined, {names} are one train, which can't run from {kind} to {kind}.", rule("7.8"))


def _check_connections(survey: Survey, runs: Sequence[Run]) -> None:
    """Refuse runs of which none comes home, or that are not connected (§7.8)."""
    if not runs:
        return
    company, group = survey.problem.company, survey.home
    if not group:
        raise RuleError(f"The home marker of {company} isn't on the board, so it can't run.", rule("7.8"))
    left = [(number, make_mask(run.nodes) & survey.meeting) for number, run in enumerate(runs)]
    if not any(stops & group for _, stops in left):
        name = write_stop(survey.graph, group.bit_length() - 1)
        raise RuleError(f"At least one run must include {name}, the home of {company}.", rule("7.8"))
    while left:
        near = [one for one in left if one[1] & group]
        if not near:
            label = name_run(runs, left[0][0])
            sentence = f"{label} must share a large station with a run that is connected with the home."
            raise RuleError(sentence, rule("7.8"))
        left = [one for one in left if not one[1] & group]
        for _, stops in near:
            group |= stops


def _check_idle(survey: Survey, runs: Sequence[Run], face: Face) -> None:
    """Refuse to leave a train idle that could run beside the others (§7.8)."""
    more = find_extra_run(survey, runs, face)
    if more is None:
        return
    can = "be joined on as" if more.joined else "still run" if runs else "run"
    raise RuleError(explain_must_run(survey.graph, more.run, can), rule("7.8"))
