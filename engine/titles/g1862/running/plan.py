"""Plans of runs as players type them: read, put in the order of their chains, written and drawn (§7.8)."""

import re
from collections.abc import Container, Iterable, Sequence
from itertools import chain, combinations, permutations
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from engine.errors import RuleError
from engine.finance.trains import explain_too_many_runs, take_named
from engine.hex_view import Line
from engine.rails import runs as train_runs
from engine.rails.board import Graph
from engine.rails.routes import make_mask
from engine.rails.runs import RunPlan, write_hexes
from engine.rails.walk import Step, Walk, check_run_count, find_walk, read_steps, split_plan
from engine.titles.g1862.catalogue import FACES, UNITS, Face, rule
from engine.titles.g1862.running import score
from engine.titles.g1862.running.runs import ALONE, Plan, Problem, Run, Survey
from engine.titles.g1862.running.score import find_chain_ends, list_visited, score_runs
from engine.words import join_words


def number_chains(survey: Survey, runs: Sequence[Run], joined: Container[int] = ()) -> tuple[Run, ...]:
    """Return runs with their chains numbered, and each chain in its order.

    ``joined`` are the numbers of the runs that are said to go on from the one before.
    Freights that the rules join are joined without being told: those not
    permanent with each other, and with a permanent one they meet. If all
    that touch are joined, nothing need be said: where they end decides.

    Raises:
        RuleError: runs that are said to be joined do not meet end to end.
    """
    if survey.rules.touching_joins:
        return score.number_sets(runs)
    groups: list[list[Run]] = []
    for number, run in enumerate(runs):
        if number in joined and (run.train[-1] != "F" or groups[-1][-1].train[-1] != "F"):
            raise RuleError(
                f"Only Freights can be joined: {groups[-1][-1].train} and {run.train} run separately.", rule("7.8.1")
            )
        if number in joined:
            groups[-1].append(run)
        else:
            groups.append([run])
    groups = [_put_in_line(survey, group) for group in groups]
    while (pair := _find_chains_to_join(survey, groups)) is not None:
        one, other = pair
        groups[one] = arrange([*groups[one], *groups[other]], ~survey.areas) or groups[one]
        del groups[other]
    done: list[Run] = []
    number = 0
    for group in groups:
        freight = group[0].train[-1] == "F"
        done += [msgspec.structs.replace(run, chain=number if freight else ALONE) for run in group]
        number += freight
    return tuple(done)


def _put_in_line(survey: Survey, group: list[Run]) -> list[Run]:
    line = arrange(group, -1 if survey.rules.joins_in_areas else ~survey.areas)
    if line is None:
        names = join_words([run.train for run in group])
        raise RuleError(f"{names} don't meet end to end at large stations, so they can't be joined.", rule("7.8.1"))
    return line


def arrange(group: Sequence[Run], joints: int) -> list[Run] | None:
    """Return Freights so that each goes on from the one before it, turned where needed; ``None`` if they do not.

    ``joints`` are the stops where one may go on from another.
    """
    if len(group) == 1:
        return [*group]
    for order in permutations(group):
        for first in (order[0], turn_round(order[0])):
            line = [first]
            for run in order[1:]:
                at = line[-1].nodes[-1]
                if at not in (run.nodes[0], run.nodes[-1]) or not joints >> at & 1:
                    break
                line.append(run if run.nodes[0] == at else turn_round(run))
            if len(line) == len(group):
                return line
    return None


def turn_round(run: Run) -> Run:
    """Return a run in the other direction."""
    return msgspec.structs.replace(run, nodes=run.nodes[::-1], links=run.links[::-1])


def _find_chains_to_join(survey: Survey, groups: list[list[Run]]) -> tuple[int, int] | None:
    """Return two chains that the rules join: first those not permanent, then one with a permanent one."""
    numbers = [number for number, group in enumerate(groups) if group[0].train[-1] == "F"]
    kinds = [[survey.problem.is_permanent(FACES[run.train]) for run in group] for group in groups]
    pairs = [(one, other) for one, other in combinations(numbers, 2) if not all((*kinds[one], *kinds[other]))]
    pairs = [(one, other) for one, other in pairs if arrange([*groups[one], *groups[other]], ~survey.areas)]
    passing = ((one, other) for one, other in pairs if not all(kinds[one]) and not all(kinds[other]))
    mixed = ((one, other) for one, other in pairs if any(kinds[one]) is not any(kinds[other]))
    return next(chain(passing, mixed), None)


RUNNING = rule("7.8")
_EXAMPLE = "3E D4-[C5]-B6"

_RUN = re.compile(
    r"\s*(?:(?P<name>\d(?:/\d)?[FLE]|[FLE]\s?\d(?:/\d)?)\**(?:\s*:\s*|\s+))?(?P<walk>[^=]*)(?:=.*)?",
    re.ASCII | re.DOTALL,
)


class TypedRun(NamedTuple):
    """A run as typed; ``train`` is empty where none is named; ``joined`` to the one before it."""

    train: str
    steps: tuple[Step, ...]
    joined: bool


def read_text(text: str) -> tuple[TypedRun, ...]:
    """Read the runs that a text names; nothing is said yet about track or trains.

    Raises:
        RuleError: it is no list of runs.
    """
    runs: list[TypedRun] = []
    for part in split_plan(text, RUNNING):
        # The sum that ends a line may hold a plus of its own: "= 120 (+40)".
        for number, text_of_run in enumerate(re.sub(r"=[^;]*?(?=\s\+\s|$)", "", part).split("+")):
            match = _RUN.fullmatch(text_of_run)
            train, walk = (match["name"] or "", match["walk"]) if match else ("", text_of_run)
            runs.append(TypedRun(find_train_name(train), read_steps(walk, _EXAMPLE, RUNNING), joined=number > 0))
    check_run_count(len(runs), RUNNING)
    return tuple(runs)


def find_train_name(typed: str) -> str:
    """Return the name of a train as the cards have it: "F3" and "3F" are one."""
    typed = typed.replace(" ", "")
    return typed[1:] + typed[0] if typed[:1] in {"F", "L", "E"} else typed


def write_runs(graph: Graph, runs: Iterable[Run]) -> str:
    """Return runs in the form that is kept: every train named, every hex, every station left out, every join."""
    text, before = "", ALONE
    for run in runs:
        if text:
            text += " + " if run.chain == before != ALONE else "; "
        text += f"{run.train} {write_hexes(graph, run)}"
        before = run.chain
    return text


SUBSIDY = "£{0} subsidy"


def read_plan(problem: Problem, text: str) -> tuple[Run, ...]:
    """Return the runs that a text means; whether they are legal is not asked.

    Raises:
        RuleError: it cannot be read, or no track joins two of its hexes.
    """
    typed = read_text(text)
    survey = Survey(problem)
    walks = [find_walk(problem.board.graph, run.steps, RUNNING) for run in typed]
    faces = _name_trains(survey, typed, [walk for walk, _ in walks])
    runs = [
        Run(face.name, walk.nodes, walk.links, left_out=_find_left_out(survey, face, walk, steps))
        for face, (walk, steps) in zip(faces, walks, strict=True)
    ]
    return score_runs(
        survey, number_chains(survey, runs, {number for number, run in enumerate(typed) if run.joined})
    ).runs


def _find_left_out(survey: Survey, face: Face, walk: Walk, steps: Sequence[Step]) -> int:
    """Return the stations in brackets, of those that a train of this type counts."""
    pairs = zip(walk.nodes, walk.steps, strict=True)
    stops = make_mask(node for node, step in pairs if not steps[step].counts)
    return 0 if face.kind == "freight" else stops & ~survey.towns


def _name_trains(survey: Survey, typed: Sequence[TypedRun], walks: Sequence[Walk]) -> list[Face]:
    """Return a train for each run: as named, else the smallest left that can go so far."""
    left = list(survey.problem.trains)
    names: list[Face | None] = [
        take_named(left, run.train, survey.problem.company, survey.problem.trains, FACES, rule("7.8"))
        if run.train
        else None
        for run in typed
    ]
    for number, walk in enumerate(walks):
        if names[number] is None:
            if not left:
                raise RuleError(
                    explain_too_many_runs(survey.problem.company, len(survey.problem.trains), len(typed)), rule("7.8")
                )
            names[number] = _take_fitting(survey, left, walk)
    return [face for face in names if face]


def _take_fitting(survey: Survey, left: list[Face], walk: Walk) -> Face:
    """Take the train that a walk fits best out of those left."""
    run = Run("", walk.nodes, walk.links)
    stops, steps = len(list_visited(survey, run)), sum(survey.list_steps(link) for link in walk.links)

    def misfit(face: Face) -> tuple[bool, int]:
        size, needed = (face.hexes, steps) if face.kind == "freight" else (face.visited, stops)
        local = face.kind == "local" and bool(make_mask(walk.nodes) & survey.areas)
        return (face.kind not in survey.problem.permits or size < needed or local, size - needed)

    face = min(left, key=misfit)
    left.remove(face)
    return face


def count_all(run: Run) -> Run:
    """Return a run that names no station to leave out: so it leaves out what is worth least (§7.8.3)."""
    return msgspec.structs.replace(run, left_out=0)


def write_plan(problem: Problem, plan: Plan | Iterable[Run]) -> str:
    """Return a plan in the form that is kept and read again."""
    return write_runs(problem.board.graph, plan.runs if isinstance(plan, RunPlan) else plan)


def list_lines(problem: Problem, plan: Plan | Iterable[Run]) -> tuple[Line, ...]:
    """Return runs as lines on the map, numbered from 1; the words tell what the hexes between a chain's ends pay."""
    survey = Survey(problem)
    runs = tuple(plan.runs if isinstance(plan, RunPlan) else plan)
    more = [_describe_crow_flight(survey, runs, number) for number in range(len(runs))]
    return tuple(
        replace(line, words=line.words + pays, told=line.told + pays)
        for line, pays in zip(train_runs.draw_lines(problem.board, runs, UNITS, SUBSIDY), more, strict=True)
    )


def _describe_crow_flight(survey: Survey, runs: Sequence[Run], number: int) -> str:
    """Return what the first run of a chain has for the hexes between the chain's ends, in words."""
    run = runs[number]
    chain = [one for one in runs if one.chain == run.chain]
    if run.chain == ALONE or run is not chain[0]:
        return ""
    if survey.rules.touching_joins:
        return ""
    ends = find_chain_ends(survey, chain)
    hexes, bonus = survey.count_hexes_between(*ends), survey.find_bonus(*ends)
    return f", with {hexes} × {bonus // hexes} for hexes between" if bonus else ""
