"""A plan of runs found at a glance, always legal: what is run where a longer search has nothing yet (15)."""

from engine.errors import RuleError
from engine.titles.g1862.catalogue import Face
from engine.titles.g1862.running.chain import chained
from engine.titles.g1862.running.check import check_plan
from engine.titles.g1862.running.idle import completed
from engine.titles.g1862.running.runs import Plan, Problem, Run, Survey
from engine.titles.g1862.running.score import scored

MOST_TRIED = 2_000
"""Steps from home that are tried for each train."""


def first_plan(problem: Problem) -> Plan:
    """Return a legal plan: the dearest run from home that is seen at once, and what can run beside it.

    It has no run only where no train can run at all.
    """
    survey = Survey(problem)
    runs = [run for face in dict.fromkeys(problem.runnable) if (run := _from_home(survey, face)) is not None]
    alone = [scored(survey, chained(survey, [run])) for run in runs]
    if not alone:
        return Plan((), 0, 0)
    alone.sort(key=lambda plan: (-plan.revenue, -plan.subsidy))
    for plan in alone:
        try:
            return check_plan(problem, completed(problem, plan).runs)
        except RuleError:
            continue  # what was added gets in the way; where trains may stay idle, that is no loss
    return alone[0]


def _from_home(survey: Survey, face: Face) -> Run | None:
    """Return a run of a train that begins at home, the dearest of the first that are found."""
    if not survey.home:
        return None
    start = survey.home.bit_length() - 1
    ways: list[tuple[tuple[int, ...], tuple[int, ...], int, int]] = [((start,), (), 0, 1)]
    best: tuple[int, Run] | None = None
    tried = 0
    while ways and tried < MOST_TRIED:
        nodes, links, track, length = ways.pop(0)
        for way in survey.graph.exits[nodes[-1]]:
            stop = 1 << way.to
            tried += 1
            if way.mask & track or way.to in nodes or stop & survey.closed:
                continue
            longer = length + (survey.steps(way.link) if face.kind == "freight" else not stop & survey.towns)
            if longer > (face.hexes + 1 if face.kind == "freight" else face.visited):
                continue
            if face.kind == "local" and stop & survey.areas:
                continue
            run = Run(face.name, (*nodes, way.to), (*links, way.link))
            if not stop & survey.towns:
                worth = sum(survey.values[node] for node in run.nodes)
                if best is None or worth > best[0]:
                    best = (worth, run)
            if not stop & survey.terminal:
                ways.append((run.nodes, run.links, track | way.mask, longer))
    return best[1] if best else None
