"""Walks over the track as players type them: read into steps, and written.

A walk is the hexes it travels, in order: "F2.0-F4-[G3]-G5". ``.1`` names one
of several stops on a hex; brackets pass stops without counting them.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

from engine.errors import RuleError
from engine.rails.graph import Graph, Node
from engine.record import Rule

LONGEST, MOST_RUNS, MOST_STEPS = 2000, 40, 90

# What people write for a dash or between runs; circled numbers, as our lists begin with, say nothing.
_SIGNS = str.maketrans(
    dict.fromkeys("–—−‑→>,", "-") | dict.fromkeys("|\n", ";") | dict.fromkeys(map(chr, range(0x2460, 0x2474)), "")
)
_PART = re.compile(r"[-\s]*(?:(?P<mark>[\[\]])|(?P<coord>[A-Z]\d{1,2})(?:\.(?P<index>\d))?)[-\s]*", re.ASCII)


class Step(NamedTuple):
    """A hex as typed: with the stop that is meant, if one is named, and whether its stops count."""

    coord: str
    stop: int | None = None
    counts: bool = True

    def fits(self, node: Node) -> bool:
        """Tell whether the step can mean a stop."""
        return self.coord == node.coord and self.stop in {None, node.index}

    def __str__(self) -> str:
        return self.coord if self.stop is None else f"{self.coord}.{self.stop}"


def read_parts(text: str, rule: Rule) -> list[str]:
    """Return the parts of a plan that semicolons, or what people write for them, keep apart.

    Raises:
        RuleError: it is too long.
    """
    if len(text) > LONGEST:
        raise RuleError(f"A plan of runs has at most {LONGEST} characters, this one {len(text)}.", rule)
    return [part for part in text.translate(_SIGNS).upper().split(";") if part.strip()]


def check_number(runs: int, rule: Rule) -> None:
    """Refuse a plan of too many runs."""
    if runs > MOST_RUNS:
        raise RuleError(f"A plan has at most {MOST_RUNS} runs, this one {runs}.", rule)


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
            raise RuleError(f"“{text[at:].strip()[:20]}” is no hex; write a run like {example}.", rule)
        if part["mark"]:
            counts = part["mark"] == "]"
        else:
            steps.append(Step(part["coord"], int(part["index"]) if part["index"] else None, counts))
        at = part.end()
    if not 0 < len(steps) <= MOST_STEPS:
        raise RuleError(f"A run has 1 to {MOST_STEPS} hexes, this one {len(steps)}.", rule)
    return tuple(steps)


def stop_name(graph: Graph, node: int) -> str:
    """Return how a stop is written: its hex, and its number where the hex has several."""
    stop = graph.nodes[node]
    return f"{stop.coord}.{stop.index}" if (stop.coord, 1) in graph.node_at else stop.coord


class OfTrain(Protocol):
    """A run that knows the name of its train."""

    @property
    def train(self) -> str:
        """As it is printed on the train."""


def run_name(runs: Sequence[OfTrain], number: int) -> str:
    """Return how one of a company's runs is called: by its train, and by its number where trains are alike."""
    name = runs[number].train
    return f"Run {number + 1} ({name})" if sum(run.train == name for run in runs) > 1 else f"The {name}"


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
        name = stop_name(graph, node)
        return f"[{name}]" if left_out >> node & 1 else name

    words = [stop(nodes[0])]
    for number, (here, there) in zip(links, pairwise(nodes), strict=True):
        link = graph.links[number]
        if plain:
            words += (link.coords if link.a == here else link.coords[::-1])[1:-1]
        words.append(stop(there))
    return dash.join(words)
