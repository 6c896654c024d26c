"""Walks over the track as players type them: read into steps, and written.

A walk is the hexes it travels, in order: "F2.0-F4-[G3]-G5". ``.1`` names one
of several stops on a hex; brackets pass stops without counting them. Hexes
without stops may be left out, and up to two stops in a row where only one way
leads. A bare hex at an end means its city.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.errors import RuleError
from engine.rails.board import Exit, Graph, Node
from engine.record import Rule

MAX_CHARACTERS, MAX_RUNS, MAX_STEPS = 2000, 40, 90

# What people write for a dash or between runs; circled numbers, as our lists begin with, say nothing.
_SIGNS = str.maketrans(
    dict.fromkeys("–—−‑→>,", "-") | dict.fromkeys("|\n", ";") | dict.fromkeys(map(chr, range(0x2460, 0x2474)), "")
)
_PART = re.compile(r"[-\s]*(?:(?P<mark>[\[\]])|(?P<coord>[A-Z]\d{1,2})(?:\.(?P<index>\d))?)[-\s]*", re.ASCII)
_BUDGET = 4000
_MAX_LEFT_OUT = 2
_MAX_STUCK = 20
# A stop that is passed unnamed is odder than a hex without stops left out.
_SILENT = 3


class Step(NamedTuple):
    """A hex as typed: with the stop that is meant, if one is named, and whether its stops count."""

    coord: str
    stop: int | None = None
    counts: bool = True

    def can_mean(self, node: Node) -> bool:
        """Return whether the step can mean a stop."""
        return self.coord == node.coord and self.stop in {None, node.index}

    def __str__(self) -> str:
        return self.coord if self.stop is None else f"{self.coord}.{self.stop}"


def split_plan(text: str, rule: Rule) -> list[str]:
    """Return the parts of a plan that semicolons, or what people write for them, keep apart.

    Raises:
        RuleError: it is too long.
    """
    if len(text) > MAX_CHARACTERS:
        raise RuleError(f"A plan of runs can have up to {MAX_CHARACTERS} characters; this one has {len(text)}.", rule)
    return [part for part in text.translate(_SIGNS).upper().split(";") if part.strip()]


def check_run_count(runs: int, rule: Rule) -> None:
    """Refuse a plan of too many runs."""
    if runs > MAX_RUNS:
        raise RuleError(f"A plan can have up to {MAX_RUNS} runs; this one has {runs}.", rule)


def read_steps(text: str, example: str, rule: Rule) -> tuple[Step, ...]:
    """Return the hexes of a walk as typed; brackets pass stops without counting them.

    Raises:
        RuleError: it is no list of hexes; ``example`` shows one.
    """
    steps: list[Step] = []
    counts, at = True, 0
    while at < len(text):
        part = _PART.match(text, at)
        if not part or (part["mark"] and (part["mark"] == "[") is not counts):
            raise RuleError(f"“{text[at:].strip()[:20]}” isn't a hex; write a run such as {example}.", rule)
        if part["mark"]:
            counts = part["mark"] == "]"
        else:
            steps.append(Step(part["coord"], int(part["index"]) if part["index"] else None, counts))
        at = part.end()
    if not 0 < len(steps) <= MAX_STEPS:
        raise RuleError(f"A run can have 1 to {MAX_STEPS} hexes; this one has {len(steps)}.", rule)
    return tuple(steps)


def write_stop(graph: Graph, node: int) -> str:
    """Return how a stop is written: its hex, and its number where the hex has several."""
    stop = graph.nodes[node]
    return f"{stop.coord}.{stop.index}" if (stop.coord, 1) in graph.node_at else stop.coord


def write_walk(
    graph: Graph, nodes: Sequence[int], links: Sequence[int], left_out: int = 0, dash: str = "-", *, plain: bool = True
) -> str:
    """Return the hexes of a walk.

    Args:
        graph: the track.
        nodes: its stops in order.
        links: the track between them.
        left_out: bits of the stops to write in brackets.
        dash: what stands between two hexes.
        plain: whether hexes are named where it passes no stop.
    """

    def stop(node: int) -> str:
        name = write_stop(graph, node)
        return f"[{name}]" if left_out >> node & 1 else name

    words = [stop(nodes[0])]
    for number, (here, there) in zip(links, pairwise(nodes), strict=True):
        link = graph.links[number]
        if plain:
            words += (link.coords if link.a == here else link.coords[::-1])[1:-1]
        words.append(stop(there))
    return dash.join(words)


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
        raise RuleError(f"{steps[0]} alone isn't a run; a run needs at least two stops.", rule)
    for step in steps:
        if step.stop is not None and (step.coord, step.stop) not in graph.node_at:
            raise RuleError(f"There is no stop {step}.", rule)
    while True:
        search = _Search(graph, steps, rule)
        if search.found:
            return _choose_meant_walk(graph, steps, search.found, rule), steps
        steps = _fill_left_out_stops(graph, steps, search.stuck, rule)


class _Search:
    """All walks that fit some steps; ``stuck`` are those that came to the last step that any came to."""

    def __init__(self, graph: Graph, steps: tuple[Step, ...], rule: Rule) -> None:
        self.graph = graph
        self.steps = steps
        self.coords = [step.coord for step in steps]
        self.rule = rule
        self.last = len(steps) - 1
        self.budget = _BUDGET
        self.stuck: list[Walk] = []
        self.found: list[_Found] = []
        starts = [node for node in graph.nodes if node.coord == steps[0].coord]
        if not starts:
            raise RuleError(f"{steps[0].coord} has no stop where a run could start.", rule)
        for node in starts:
            if steps[0].stop in {None, node.index}:
                self._continue_walk(Walk((node.id,), (), (0,)), 0, met=True)

    def _continue_walk(self, walk: Walk, unnamed: int, *, met: bool) -> None:
        """Go on from the end of a walk; ``met``: the stop that its last step names was passed."""
        self.budget -= 1
        if self.budget < 0:
            raise RuleError("This run can be read in too many ways; name its stops, such as F2.0.", self.rule)
        here, at = walk.nodes[-1], walk.steps[-1]
        if met and (not self.stuck or at >= self.stuck[0].steps[-1]):
            self.stuck = [one for one in self.stuck if one.steps[-1] == at] + [walk]
        if at == self.last and met and walk.links:
            self.found.append(_Found(walk, unnamed))
        for way, coords in self.graph.list_journeys(here):
            if len(coords) == 1:
                self._go_within_hex(walk, way, unnamed, met=met)
            elif met and coords[-1] in self.coords[at + 1 : at + len(coords)]:
                self._go_to_next_hex(walk, way, coords, unnamed)

    def _go_within_hex(self, walk: Walk, way: Exit, unnamed: int, *, met: bool) -> None:
        """Go to another stop of the same hex: the next step names it, or no step does."""
        at, there = walk.steps[-1], self.graph.nodes[way.to]
        again, named = way.to in walk.nodes, self.steps[at].stop
        step = self.steps[at + 1] if met and at < self.last else None
        if step and step.can_mean(there) and (step.stop is not None or not again):
            self._continue_walk(_extend_walk(walk, way, at + 1), unnamed, met=True)
        if not again and not (at == self.last and met and named is not None):
            self._continue_walk(_extend_walk(walk, way, at), unnamed + _SILENT, met=met or there.index == named)

    def _go_to_next_hex(self, walk: Walk, way: Exit, coords: tuple[str, ...], unnamed: int) -> None:
        """Go to a stop of another hex, over plain hexes that may be left out."""
        at = walk.steps[-1] + 1
        for coord in coords[1:-1]:
            if at <= self.last and self.steps[at][:2] == (coord, None):
                at += 1
            else:
                unnamed += 1
        if at <= self.last and self.coords[at] == coords[-1]:
            stop = self.steps[at].stop
            self._continue_walk(
                _extend_walk(walk, way, at), unnamed, met=stop in {None, self.graph.nodes[way.to].index}
            )


def _extend_walk(walk: Walk, way: Exit, step: int) -> Walk:
    return Walk((*walk.nodes, way.to), (*walk.links, way.link), (*walk.steps, step))


def _choose_meant_walk(graph: Graph, steps: tuple[Step, ...], found: list[_Found], rule: Rule) -> Walk:
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
        raise RuleError(f"This could be {one} or {other}; write one of them.", rule)
    return next(iter(best.values()))


def _fill_left_out_stops(graph: Graph, steps: tuple[Step, ...], stuck: list[Walk], rule: Rule) -> tuple[Step, ...]:
    """Return the steps with the stops put in that were left out where walks got stuck, if only one way leads."""
    at = stuck[0].steps[-1]
    here, there = steps[at], steps[at + 1]
    between = sorted(
        {coords for walk in stuck[-_MAX_STUCK:] for coords in _find_hexes_between(graph, walk, there.coord)}
    )
    if not between:
        raise RuleError(f"No track connects {here} and {there}.", rule)
    if len(between) > 1:
        one, other = ("-".join((here.coord, *coords, there.coord)) for coords in between[:2])
        raise RuleError(f"From {here} to {there} could be {one} or {other}; write the hexes in between.", rule)
    return (*steps[: at + 1], *(Step(coord) for coord in between[0]), *steps[at + 1 :])


def _find_hexes_between(graph: Graph, walk: Walk, there: str) -> set[tuple[str, ...]]:
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
            if onward not in seen and coord not in passed[:-1] and len(onward[1]) <= 1 + _MAX_LEFT_OUT:
                seen.add(onward)
                waiting.append(onward)
    return ways - {()}
