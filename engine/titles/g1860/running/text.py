"""Runs as text: "3+2 F2.0-F4-G5; 2+1 J6-[I5]-H4", read into steps, and written.

A run is a walk, and before it the train. Trains may be left out, and so may
"= 120 (+10)", which our own sentences add.
"""

import re
from typing import NamedTuple

from engine.rails.graph import Graph
from engine.rails.runs import walk_of
from engine.rails.walk import Step, check_number, read_parts, read_steps
from engine.titles.g1860.rulebook import rule
from engine.titles.g1860.running.runs import Run

RUNNING = rule("6.18")
_EXAMPLE = "3+2 F2-F4-[G3]-G5"
_RUN = re.compile(r"\s*(?:(\d{1,2}\+\d{1,2})\s*[: ]\s*)?([^=]*)(?:=.*)?", re.ASCII | re.DOTALL)


class TypedRun(NamedTuple):
    """A run as typed; ``train`` is empty where none is named."""

    train: str
    steps: tuple[Step, ...]


def read_text(text: str) -> tuple[TypedRun, ...]:
    """Read the runs that a text names; nothing is said yet about track or trains.

    Raises:
        RuleError: it is no list of runs.
    """
    runs = read_parts(text, RUNNING)
    check_number(len(runs), RUNNING)
    return tuple(_run(part) for part in runs)


def _run(text: str) -> TypedRun:
    match = _RUN.fullmatch(text)
    train, walk = (match[1] or "", match[2]) if match else ("", text)
    return TypedRun(train, read_steps(walk, _EXAMPLE, RUNNING))


def write_runs(graph: Graph, runs: tuple[Run, ...]) -> str:
    """Return runs in the form that is kept: every train named, every hex, every choice of stops."""
    return "; ".join(f"{run.train} {walk_of(graph, run)}" for run in runs)
