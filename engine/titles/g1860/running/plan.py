"""Plans of runs as players type them: read and written; ``run_check`` asks the rules."""

from collections.abc import Iterable, Sequence

from engine.errors import RuleError
from engine.finance.trains import take_named, too_many_runs
from engine.rails.routes import bits_of
from engine.rails.walk import Step, Walk, find_walk
from engine.titles.g1860.catalogue import TRAINS, TrainKind
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.running.runs import Plan, Problem, Run, Survey
from engine.titles.g1860.running.text import RUNNING, TypedRun, read_text, write_runs


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
        survey.run(train, walk.nodes, walk.links, _counted(survey, walk, steps))
        for train, (walk, steps) in zip(trains, walks, strict=True)
    )


def _counted(survey: Survey, walk: Walk, steps: Sequence[Step]) -> int:
    """Return the stops that are not in brackets; halts that no longer count are left out (9.2)."""
    pairs = zip(walk.nodes, walk.steps, strict=True)
    return bits_of(node for node, step in pairs if steps[step].counts) & survey.countable


def _name_trains(survey: Survey, typed: Sequence[TypedRun], walks: Sequence[Walk]) -> list[TrainKind]:
    """Return a train for each run: as named, else the largest left for the run with the most stops."""
    left = sorted(survey.problem.trains, key=lambda train: (-train.cities, -train.towns))
    names: list[TrainKind | None] = [None] * len(typed)
    for number, run in enumerate(typed):
        if run.train:
            names[number] = _take(left, run.train, survey.problem)
    sizes = {
        number: ((bits_of(walk.nodes) & survey.cities).bit_count(), len(walk.nodes))
        for number, walk in enumerate(walks)
        if names[number] is None
    }
    for number in sorted(sizes, key=lambda number: sizes[number], reverse=True):
        if not left:
            raise RuleError(too_many_runs(survey.problem.company, len(survey.problem.trains), len(typed)), rule("6.17"))
        names[number] = left.pop(0)
    return [name for name in names if name]


def _take(left: list[TrainKind], name: str, problem: Problem) -> TrainKind:
    """Take a train by name out of those left."""
    return take_named(left, name, problem.company, problem.trains, TRAINS, rule("6.17"))


def write_plan(problem: Problem, plan: Plan | Iterable[Run]) -> str:
    """Return a plan in the form that is kept and read again."""
    return write_runs(problem.graph, tuple(plan.runs if isinstance(plan, Plan) else plan))
