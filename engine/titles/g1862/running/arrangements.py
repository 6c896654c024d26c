"""Which Freights of a company form chains (15.7, 15.9)."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from engine.titles.g1862.running.freight import Team
from engine.titles.g1862.running.runs import Problem


class Arrangement(NamedTuple):
    """Which Freights run, in which chains; and those not permanent that do not run."""

    teams: tuple[Team, ...]
    idle: Team


def arrangements(problem: Problem) -> list[Arrangement]:
    """Return the ways to join the Freights, the most trains and the most chains first.

    Those not permanent form one chain, with a permanent one if any runs (15.9).
    """
    lasting = tuple(sorted(face.hexes for face in problem.runnable if problem.lasting(face)))
    others = tuple(sorted(f.hexes for f in problem.runnable if f.kind == "freight" and not problem.lasting(f)))
    found: dict[Arrangement, None] = {}
    for some, rest in _subsets(others):
        for split in _partitions(lasting):
            for teams in _with_others(split, some):
                found[Arrangement(tuple(sorted(teams)), rest)] = None
        if some and lasting:
            found[Arrangement((some,), tuple(sorted(rest + lasting)))] = None
    return sorted(found, key=lambda one: (len(one.idle), -len(one.teams), one))


def _with_others(split: tuple[Team, ...], others: Team) -> Iterator[tuple[Team, ...]]:
    """Yield chains of the permanent trains, the others joined to one of them."""
    if not others:
        yield split
    elif not split:
        yield (others,)
    for number in range(len(split) if others else 0):
        yield (*split[:number], tuple(sorted(split[number] + others)), *split[number + 1 :])


def _subsets(team: Team) -> list[tuple[Team, Team]]:
    """Return each set of trains out of a team, with those left."""
    counts = sorted(Counter(team).items())
    found = []
    for taken in product(*(range(count, -1, -1) for _, count in counts)):
        some = tuple(train for (train, _), many in zip(counts, taken, strict=True) for _ in range(many))
        rest = tuple(train for (train, count), many in zip(counts, taken, strict=True) for _ in range(count - many))
        found.append((some, rest))
    return found


def _partitions(team: Team) -> set[tuple[Team, ...]]:
    """Return each way to divide a team into chains."""
    if not team:
        return {()}
    found = set()
    for rest in _partitions(team[1:]):
        found.add(tuple(sorted(((team[0],), *rest))))
        for number, part in enumerate(rest):
            parts = (*rest[:number], tuple(sorted((team[0], *part))), *rest[number + 1 :])
            found.add(tuple(sorted(parts)))
    return found
