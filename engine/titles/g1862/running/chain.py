"""Freights put in the order of their chain, from end to end; which of them are joined (15.9)."""

from collections.abc import Container, Sequence
from itertools import permutations

import msgspec

from engine.errors import RuleError
from engine.titles.g1862.catalogue import FACES
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.running import touching
from engine.titles.g1862.running.runs import ALONE, Run, Survey


def chained(survey: Survey, runs: Sequence[Run], joined: Container[int] = ()) -> tuple[Run, ...]:
    """Return runs with their chains numbered, and each chain in its order.

    ``joined`` are the numbers of the runs that are said to go on from the one before.
    Freights that the rules join are joined without being told: those not
    permanent with each other, and with a permanent one they meet. If all
    that touch are joined, nothing need be said: where they end decides.

    Raises:
        RuleError: runs that are said to be joined do not meet end to end.
    """
    if survey.rules.touching_joins:
        return touching.numbered(runs)
    groups: list[list[Run]] = []
    for number, run in enumerate(runs):
        if number in joined and (run.train[-1] != "F" or groups[-1][-1].train[-1] != "F"):
            raise RuleError(
                f"Only Freights can be joined: {groups[-1][-1].train} and {run.train} run apart.", rule("15.9")
            )
        if number in joined:
            groups[-1].append(run)
        else:
            groups.append([run])
    groups = [_in_line(group) for group in groups]
    while (pair := _to_join(survey, groups)) is not None:
        one, other = pair
        groups[one] = arranged([*groups[one], *groups[other]]) or groups[one]
        del groups[other]
    done: list[Run] = []
    number = 0
    for group in groups:
        freight = group[0].train[-1] == "F"
        done += [msgspec.structs.replace(run, chain=number if freight else ALONE) for run in group]
        number += freight
    return tuple(done)


def _in_line(group: list[Run]) -> list[Run]:
    line = arranged(group)
    if line is None:
        names = " and ".join(run.train for run in group)
        raise RuleError(f"{names} do not meet end to end at large stations, so they cannot be joined.", rule("15.9"))
    return line


def arranged(group: Sequence[Run]) -> list[Run] | None:
    """Return Freights so that each goes on from the one before it, turned where needed; ``None`` if they do not."""
    for order in permutations(group):
        for first in (order[0], turned(order[0])):
            line = [first]
            for run in order[1:]:
                at = line[-1].nodes[-1]
                if at not in (run.nodes[0], run.nodes[-1]):
                    break
                line.append(run if run.nodes[0] == at else turned(run))
            if len(line) == len(group):
                return line
    return None


def turned(run: Run) -> Run:
    """Return a run in the other direction."""
    return msgspec.structs.replace(run, nodes=run.nodes[::-1], links=run.links[::-1])


def _to_join(survey: Survey, groups: list[list[Run]]) -> tuple[int, int] | None:
    """Return two chains that the rules join: first those not permanent, then one with a permanent one."""
    numbers = [number for number, group in enumerate(groups) if group[0].train[-1] == "F"]
    pairs = [(one, other) for one in numbers for other in numbers if one < other and _meet(survey, groups, one, other)]
    lasting = [all(survey.problem.lasting(FACES[run.train]) for run in group) for group in groups]
    mixed = [any(survey.problem.lasting(FACES[run.train]) for run in group) for group in groups]
    for one, other in pairs:
        if not lasting[one] and not lasting[other]:
            return one, other
    return next(((a, b) for a, b in pairs if not (lasting[a] and lasting[b]) and mixed[a] is not mixed[b]), None)


def _meet(survey: Survey, groups: list[list[Run]], one: int, other: int) -> bool:
    """Tell whether two chains can be one."""
    line = arranged([*groups[one], *groups[other]])
    return line is not None and all(survey.large >> run.nodes[-1] & 1 for run in line[:-1])
