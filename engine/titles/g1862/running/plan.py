"""Plans of runs as players type them: read, written and drawn; ``run_check`` asks the rules."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engine.errors import RuleError
from engine.finance.trains import take_named, too_many_runs
from engine.hex_view import Line
from engine.rails import runs as train_runs
from engine.rails.routes import bits_of
from engine.rails.walk import Step, Walk, find_walk
from engine.titles.g1862.catalogue import FACES, UNITS, Face
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.running.chain import chained
from engine.titles.g1862.running.runs import ALONE, Plan, Problem, Run, Survey
from engine.titles.g1862.running.score import chain_ends, scored, visited
from engine.titles.g1862.running.text import RUNNING, TypedRun, read_text, write_runs

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
        Run(face.name, walk.nodes, walk.links, left_out=_left_out(survey, face, walk, steps))
        for face, (walk, steps) in zip(faces, walks, strict=True)
    ]
    return scored(survey, chained(survey, runs, {number for number, run in enumerate(typed) if run.joined})).runs


def _left_out(survey: Survey, face: Face, walk: Walk, steps: Sequence[Step]) -> int:
    """Return the stations in brackets, of those that a train of this type counts."""
    pairs = zip(walk.nodes, walk.steps, strict=True)
    stops = bits_of(node for node, step in pairs if not steps[step].counts)
    return 0 if face.kind == "freight" else stops & ~survey.towns


def _name_trains(survey: Survey, typed: Sequence[TypedRun], walks: Sequence[Walk]) -> list[Face]:
    """Return a train for each run: as named, else the smallest left that can go so far."""
    left = list(survey.problem.trains)
    names: list[Face | None] = [_take(left, run.train, survey.problem) if run.train else None for run in typed]
    for number, walk in enumerate(walks):
        if names[number] is None:
            if not left:
                raise RuleError(
                    too_many_runs(survey.problem.company, len(survey.problem.trains), len(typed)), rule("15.1")
                )
            names[number] = _fitting(survey, left, walk)
    return [face for face in names if face]


def _fitting(survey: Survey, left: list[Face], walk: Walk) -> Face:
    """Take the train that a walk fits best out of those left."""
    run = Run("", walk.nodes, walk.links)
    stops, steps = len(visited(survey, run)), sum(survey.steps(link) for link in walk.links)

    def misfit(face: Face) -> tuple[bool, int]:
        size, needed = (face.hexes, steps) if face.kind == "freight" else (face.visited, stops)
        local = face.kind == "local" and bool(bits_of(walk.nodes) & survey.areas)
        return (face.kind not in survey.problem.permits or size < needed or local, size - needed)

    face = min(left, key=misfit)
    left.remove(face)
    return face


def _take(left: list[Face], name: str, problem: Problem) -> Face:
    """Take a train by name out of those left."""
    return take_named(left, name, problem.company, problem.trains, FACES, rule("15.1"))


def write_plan(problem: Problem, plan: Plan | Iterable[Run]) -> str:
    """Return a plan in the form that is kept and read again."""
    return write_runs(problem.board.graph, plan.runs if isinstance(plan, Plan) else plan)


def lines(problem: Problem, plan: Plan | Iterable[Run]) -> tuple[Line, ...]:
    """Return runs as lines on the map, numbered from 1; the words tell what the hexes between a chain's ends pay."""
    survey = Survey(problem)
    runs = tuple(plan.runs if isinstance(plan, Plan) else plan)
    more = [_crow(survey, runs, number) for number in range(len(runs))]
    return tuple(
        replace(line, words=line.words + pays, told=line.told + pays)
        for line, pays in zip(train_runs.lines(problem.board, runs, UNITS, SUBSIDY), more, strict=True)
    )


def _crow(survey: Survey, runs: Sequence[Run], number: int) -> str:
    """Return what the first run of a chain has for the hexes between the chain's ends, in words."""
    run = runs[number]
    chain = [one for one in runs if one.chain == run.chain]
    if run.chain == ALONE or run is not chain[0]:
        return ""
    if survey.rules.touching_joins:
        return ""
    ends = chain_ends(survey, chain)
    hexes, bonus = survey.hexes_between(*ends), survey.bonus(*ends)
    return f", of it {hexes} × {bonus // hexes} for hexes between" if bonus else ""
