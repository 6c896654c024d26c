"""Typed hexes found again on the track: which stops and links a walk means.

Hexes without stops may be left out, and up to two stops in a row where only
one way leads. A bare hex at an end means its city.
"""

from collections.abc import Iterator
from typing import NamedTuple

from engine.errors import RuleError
from engine.rails.graph import Exit, Graph
from engine.rails.walk import Step, write_walk
from engine.record import Rule

_BUDGET = 4000
_MOST_LEFT_OUT = 2
_MOST_STUCK = 20
# A stop that is passed unnamed is odder than a hex without stops left out.
_SILENT = 3


class Walk(NamedTuple):
    """A way over the track: stops, links, and for each stop which step names its hex."""

    nodes: tuple[int, ...]
    links: tuple[int, ...]
    steps: tuple[int, ...]


class _Found(NamedTuple):
    """A walk that fits, and how much of it was not typed."""

    walk: Walk
    unnamed: int


def find_walk(graph: Graph, steps: tuple[Step, ...], rule: Rule) -> tuple[Walk, tuple[Step, ...]]:
    """Return the walk that typed steps mean, with the steps after stops left out were put in.

    Raises:
        RuleError: no track joins two of the steps, or several walks fit.
    """
    if len(steps) < 2:
        raise RuleError(f"{steps[0]} alone is no run: it takes two stops at least.", rule)
    for step in steps:
        if step.stop is not None and (step.coord, step.stop) not in graph.node_at:
            raise RuleError(f"{step} is no stop of that hex.", rule)
    while True:
        search = _Search(graph, steps, rule)
        if search.found:
            return _meant(graph, steps, search.found, rule), steps
        steps = _fill(graph, steps, search.stuck, rule)


def _ways(graph: Graph, node: int) -> Iterator[tuple[Exit, tuple[str, ...]]]:
    """Yield the links out of a stop, with their hexes in the order of travel."""
    for way in graph.exits[node]:
        link = graph.links[way.link]
        yield way, link.coords if link.a == node else link.coords[::-1]


class _Search:
    """All walks that fit some steps; ``stuck`` are those that came to the last step that any came to."""

    def __init__(self, graph: Graph, steps: tuple[Step, ...], rule: Rule) -> None:
        self.graph = graph
        self.steps = steps
        self.rule = rule
        self.last = len(steps) - 1
        self.budget = _BUDGET
        self.stuck: list[Walk] = []
        self.found: list[_Found] = []
        starts = [node for node in graph.nodes if node.coord == steps[0].coord]
        if not starts:
            raise RuleError(f"{steps[0].coord} has no stop that a run could start from.", rule)
        for node in starts:
            if steps[0].stop in {None, node.index}:
                self._go(Walk((node.id,), (), (0,)), 0, met=True)

    def _go(self, walk: Walk, unnamed: int, *, met: bool) -> None:
        """Go on from the end of a walk; ``met``: the stop that its last step names was passed."""
        self.budget -= 1
        if self.budget < 0:
            raise RuleError("That walk can be read in too many ways; name the stops, like F2.0.", self.rule)
        here, at = walk.nodes[-1], walk.steps[-1]
        if met and (not self.stuck or at >= self.stuck[0].steps[-1]):
            self.stuck = [one for one in self.stuck if one.steps[-1] == at] + [walk]
        if at == self.last and met and walk.links:
            self.found.append(_Found(walk, unnamed))
        for way, coords in _ways(self.graph, here):
            if len(coords) == 1:
                self._within(walk, way, unnamed, met=met)
            elif met:
                self._across(walk, way, coords, unnamed)

    def _within(self, walk: Walk, way: Exit, unnamed: int, *, met: bool) -> None:
        """Go to another stop of the same hex: the next step names it, or no step does."""
        at, there = walk.steps[-1], self.graph.nodes[way.to]
        again, named = way.to in walk.nodes, self.steps[at].stop
        step = self.steps[at + 1] if met and at < self.last else None
        if step and step.fits(there) and (step.stop is not None or not again):
            self._go(_longer(walk, way, at + 1), unnamed, met=True)
        if not again and not (at == self.last and met and named is not None):
            self._go(_longer(walk, way, at), unnamed + _SILENT, met=met or there.index == named)

    def _across(self, walk: Walk, way: Exit, coords: tuple[str, ...], unnamed: int) -> None:
        """Go to a stop of another hex, over plain hexes that may be left out."""
        at = walk.steps[-1] + 1
        for coord in coords[1:-1]:
            if at <= self.last and self.steps[at][:2] == (coord, None):
                at += 1
            else:
                unnamed += 1
        if at <= self.last and self.steps[at].coord == coords[-1]:
            stop = self.steps[at].stop
            self._go(_longer(walk, way, at), unnamed, met=stop in {None, self.graph.nodes[way.to].index})


def _longer(walk: Walk, way: Exit, step: int) -> Walk:
    return Walk((*walk.nodes, way.to), (*walk.links, way.link), (*walk.steps, step))


def _meant(graph: Graph, steps: tuple[Step, ...], found: list[_Found], rule: Rule) -> Walk:
    """Return the walk a player means: it ends at no halt, at cities rather, and passes the least unnamed."""

    def oddity(one: _Found) -> tuple[int, int, int]:
        ends = (graph.nodes[one.walk.nodes[0]], graph.nodes[one.walk.nodes[-1]])
        bare = [node for node, step in zip(ends, (steps[0], steps[-1]), strict=True) if step.stop is None]
        return (
            sum(node.kind == "halt" for node in ends),
            -sum(node.kind in {"city", "offboard"} for node in bare),
            one.unnamed,
        )

    least = min(map(oddity, found))
    best = {one.walk.links: one.walk for one in reversed(found) if oddity(one) == least}
    if len(best) > 1:
        one, other = sorted(write_walk(graph, walk.nodes, walk.links) for walk in best.values())[:2]
        raise RuleError(f"That can be {one} or {other}; write it like that.", rule)
    return next(iter(best.values()))


def _fill(graph: Graph, steps: tuple[Step, ...], stuck: list[Walk], rule: Rule) -> tuple[Step, ...]:
    """Return the steps with the stops put in that were left out where walks got stuck, if only one way leads."""
    at = stuck[0].steps[-1]
    here, there = steps[at], steps[at + 1]
    between = sorted({coords for walk in stuck[-_MOST_STUCK:] for coords in _between(graph, walk, there.coord)})
    if not between:
        raise RuleError(f"{here}→{there}: no track joins them.", rule)
    if len(between) > 1:
        one, other = ("-".join((here.coord, *coords, there.coord)) for coords in between[:2])
        raise RuleError(f"{here}→{there} can be {one} or {other}; write the hexes between.", rule)
    return (*steps[: at + 1], *(Step(coord) for coord in between[0]), *steps[at + 1 :])


def _between(graph: Graph, walk: Walk, there: str) -> set[tuple[str, ...]]:
    """Return the hexes of stops left out after a walk, for each way to a hex over at most two of them."""
    start = walk.nodes[-1]
    ways: set[tuple[str, ...]] = set()
    waiting: list[tuple[int, tuple[str, ...]]] = [(start, (graph.nodes[start].coord,))]
    seen = set(waiting)
    while waiting:
        node, passed = waiting.pop()
        for way in graph.exits[node]:
            coord = graph.nodes[way.to].coord
            if way.to in walk.nodes:
                continue
            if coord == there:
                ways.add(passed[1:])
                continue
            onward = (way.to, passed if coord == passed[-1] else (*passed, coord))
            if onward not in seen and coord not in passed[:-1] and len(onward[1]) <= 1 + _MOST_LEFT_OUT:
                seen.add(onward)
                waiting.append(onward)
    return ways - {()}
