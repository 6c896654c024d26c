"""Trains that stay idle though they could run beside the others (15.3)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.errors import RuleError
from engine.rails.routes import SearchTooLarge, bits_of, in_order
from engine.titles.g1862.catalogue import FACES, Face
from engine.titles.g1862.running.chain import chained
from engine.titles.g1862.running.freight import Piece, Yard
from engine.titles.g1862.running.paths import find_paths
from engine.titles.g1862.running.runs import ALONE, Plan, Problem, Run, Survey
from engine.titles.g1862.running.score import chain_ends, scored


class More(NamedTuple):
    """A run that could be added; ``joined`` to a chain of Freights, else by itself."""

    run: Run
    joined: bool


def chains_of(runs: Sequence[Run]) -> list[list[Run]]:
    """Return the Freights, chain by chain."""
    numbers = dict.fromkeys(run.chain for run in runs if run.chain != ALONE)
    return [[run for run in runs if run.chain == number] for number in numbers]


def could_run(survey: Survey, runs: Sequence[Run], face: Face) -> More | None:
    """Return a run of one more train that can be added without changing the others, ``None`` if there is none."""
    try:
        found = find_paths(survey, face.kind, face.hexes if face.kind == "freight" else face.visited)
    except SearchTooLarge:
        return None  # more track than we can look through: nobody is held to it
    chains = chains_of(runs)
    lasting = [[survey.problem.lasting(FACES[run.train]) for run in chain] for chain in chains]
    mixed = [chain for chain, kinds in zip(chains, lasting, strict=True) if not all(kinds)]
    if face.kind == "freight" and chains and not (survey.problem.lasting(face) and all(map(any, lasting))):
        yard = Yard(survey, found)
        grown = (_growth(survey, yard, chain, face.hexes) for chain in mixed or chains)
        bits = next((path for path in grown if path is not None), None)
        return None if bits is None else More(_run(survey, face, bits), joined=True)
    group = 0 if runs else survey.home
    for run in runs:
        group |= bits_of(run.nodes) & survey.meeting
    bits = next((path.bits for path in found if path.bits & group), None)
    return None if bits is None else More(_run(survey, face, bits), joined=False)


def _growth(survey: Survey, yard: Yard, chain: Sequence[Run], hexes: int) -> int | None:
    a, b = chain_ends(survey, chain)
    pieces = tuple(Piece(FACES[run.train].hexes, bits_of(run.nodes)) for run in chain)
    return yard.growth(pieces, (a.number, b.number), hexes)


def _run(survey: Survey, face: Face, bits: int) -> Run:
    return Run(face.name, *in_order(survey.graph, bits))


def completed(problem: Problem, plan: Plan) -> Plan:
    """Return a plan with every train added that could still run: one found in a hurry may have left some out."""
    survey, runs = Survey(problem), list(plan.runs)
    while (more := _next(survey, runs)) is not None:
        pairs = enumerate(pairwise(runs), 1)
        joined = {number for number, (last, run) in pairs if run.chain == last.chain != ALONE}
        try:
            runs = list(chained(survey, [*runs, more.run], joined))
        except RuleError:
            break
    return scored(survey, runs)


def _next(survey: Survey, runs: Sequence[Run]) -> More | None:
    left = list(survey.problem.runnable)
    for run in runs:
        left.remove(FACES[run.train])
    found = (could_run(survey, runs, face) for face in dict.fromkeys(left))
    return next((more for more in found if more is not None), None)
