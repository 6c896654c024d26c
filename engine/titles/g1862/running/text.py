"""Runs as text: "3F D4-C5-B6 + 2F B6-A7; 4/5E E12-[F11]-G12", read into steps, and written.

A run is a walk, and before it the train; ``+`` joins Freights. Trains may be
left out, and so may "= 120 (+10)", which our own sentences add.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from engine.rails.graph import Graph
from engine.rails.runs import walk_of
from engine.rails.walk import Step, check_number, read_parts, read_steps
from engine.titles.g1862.rulebook import rule
from engine.titles.g1862.running.runs import ALONE, Run

RUNNING = rule("15.1")
_EXAMPLE = "3E D4-[C5]-B6"

_RUN = re.compile(
    r"\s*(?:(?P<name>\d(?:/\d)?[FLE]|[FLE]\s?\d(?:/\d)?)\**(?:\s*:\s*|\s+))?(?P<walk>[^=]*)(?:=.*)?",
    re.ASCII | re.DOTALL,
)


class TypedRun(NamedTuple):
    """A run as typed; ``train`` is empty where none is named; ``joined`` to the one before it."""

    train: str
    steps: tuple[Step, ...]
    joined: bool


def read_text(text: str) -> tuple[TypedRun, ...]:
    """Read the runs that a text names; nothing is said yet about track or trains.

    Raises:
        RuleError: it is no list of runs.
    """
    runs: list[TypedRun] = []
    for part in read_parts(text, RUNNING):
        # The sum that ends a line may hold a plus of its own: "= 120 (+40)".
        walks = re.sub(r"=[^;]*?(?=\s\+\s|$)", "", part).split("+")
        runs += [_run(walk, joined=number > 0) for number, walk in enumerate(walks)]
    check_number(len(runs), RUNNING)
    return tuple(runs)


def _run(text: str, *, joined: bool) -> TypedRun:
    match = _RUN.fullmatch(text)
    train, walk = (match["name"] or "", match["walk"]) if match else ("", text)
    return TypedRun(train_name(train), read_steps(walk, _EXAMPLE, RUNNING), joined)


def train_name(typed: str) -> str:
    """Return the name of a train as the cards have it: "F3" and "3F" are one."""
    typed = typed.replace(" ", "")
    return typed[1:] + typed[0] if typed[:1] in {"F", "L", "E"} else typed


def write_runs(graph: Graph, runs: Iterable[Run]) -> str:
    """Return runs in the form that is kept: every train named, every hex, every station left out, every join."""
    text, before = "", ALONE
    for run in runs:
        if text:
            text += " + " if run.chain == before != ALONE else "; "
        text += f"{run.train} {walk_of(graph, run)}"
        before = run.chain
    return text
