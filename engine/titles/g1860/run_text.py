"""Runs as text: "3+2 F2.0-F4-G5; 2+1 J6-[I5]-H4", read into steps, and written.

A run is the hexes it travels, in order. ``.1`` names one of several stops on
a hex; brackets pass stops without counting them. Trains may be left out, and
so may "= 120 (+10)", which our own sentences add.
"""

import re
from typing import NamedTuple

from engine.errors import RuleError
from engine.rails.graph import Graph, Node
from engine.titles.g1860.book import rule
from engine.titles.g1860.runs import Problem, Run

LONGEST, MOST_STEPS, MOST_RUNS = 2000, 90, 40
RUNNING = rule("6.18")

# What people write for a dash or between runs; circled numbers, as our lists begin with, say nothing.
_SIGNS = str.maketrans(
    dict.fromkeys("–—−‑→>,", "-") | dict.fromkeys("|\n", ";") | dict.fromkeys(map(chr, range(0x2460, 0x2474)), "")
)
_RUN = re.compile(r"\s*(?:(\d{1,2}\+\d{1,2})\s*[: ]\s*)?([^=]*)(?:=.*)?", re.ASCII | re.DOTALL)
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


class Typed(NamedTuple):
    """A run as typed; ``train`` is empty where none is named."""

    train: str
    steps: tuple[Step, ...]


def read_text(text: str) -> tuple[Typed, ...]:
    """Read the runs that a text names; nothing is said yet about track or trains.

    Raises:
        RuleError: it is no list of runs.
    """
    if len(text) > LONGEST:
        raise RuleError(f"A plan of runs has at most {LONGEST} characters, this one {len(text)}.", RUNNING)
    runs = [part for part in text.translate(_SIGNS).upper().split(";") if part.strip()]
    if len(runs) > MOST_RUNS:
        raise RuleError(f"A plan has at most {MOST_RUNS} runs, this one {len(runs)}.", RUNNING)
    return tuple(_run(part) for part in runs)


def _run(text: str) -> Typed:
    match = _RUN.fullmatch(text)
    train, walk = (match[1] or "", match[2]) if match else ("", text)
    steps: list[Step] = []
    counts, at = True, 0
    while at < len(walk):
        part = _PART.match(walk, at)
        if not part or (part["mark"] and (part["mark"] == "[") is not counts):
            raise RuleError(f"“{walk[at:].strip()[:20]}” is no hex; write a run like 3+2 F2-F4-[G3]-G5.", RUNNING)
        if part["mark"]:
            counts = part["mark"] == "]"
        else:
            steps.append(Step(part["coord"], int(part["index"]) if part["index"] else None, counts))
        at = part.end()
    if not 0 < len(steps) <= MOST_STEPS:
        raise RuleError(f"A run has 1 to {MOST_STEPS} hexes, this one {len(steps)}.", RUNNING)
    return Typed(train, tuple(steps))


def stop_name(graph: Graph, node: int) -> str:
    """Return how a stop is written: its hex, and its number where the hex has several."""
    stop = graph.nodes[node]
    return f"{stop.coord}.{stop.index}" if (stop.coord, 1) in graph.node_at else stop.coord


def walk_of(graph: Graph, run: Run, dash: str = "-", *, plain: bool = True) -> str:
    """Return the hexes of a run; ``plain`` names also those where it passes no stop."""
    words = [_stop(graph, run, run.nodes[0])]
    for number, (here, there) in zip(run.links, zip(run.nodes, run.nodes[1:], strict=False), strict=True):
        link = graph.links[number]
        if plain:
            words += (link.coords if link.a == here else link.coords[::-1])[1:-1]
        words.append(_stop(graph, run, there))
    return dash.join(words)


def _stop(graph: Graph, run: Run, node: int) -> str:
    name = stop_name(graph, node)
    return name if run.counted >> node & 1 else f"[{name}]"


def write_runs(graph: Graph, runs: tuple[Run, ...]) -> str:
    """Return runs in the form that is kept: every train named, every hex, every choice of stops."""
    return "; ".join(f"{run.train} {walk_of(graph, run)}" for run in runs)


def words_of(problem: Problem, run: Run) -> str:
    """Return a run as players read it: "F2–F4–[G3]–G5 = 120 (+10)"."""
    extra = f" (+{run.subsidy})" if run.subsidy else ""
    return f"{walk_of(problem.graph, run, '–', plain=False)} = {run.revenue}{extra}"
