"""Runs as text: "3F D4-C5-B6 + 2F B6-A7; 4/5E E12-[F11]-G12", read into steps, and written.

A run is the hexes it travels, in order. ``.1`` names one of several stops on
a hex; brackets pass stations without counting them; ``+`` joins Freights. Trains may
be left out, and so may "= 120 (+10)", which our own sentences add.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from engine.errors import RuleError
from engine.rails.graph import Graph
from engine.rails.walk import Step, read_steps, stop_name
from engine.titles.g1862.book import rule
from engine.titles.g1862.runs import ALONE, Problem, Run

LONGEST, MOST_RUNS = 2000, 40
RUNNING = rule("15.1")
_EXAMPLE = "3E D4-[C5]-B6"

# What people write for a dash or between runs; circled numbers, as our lists begin with, say nothing.
_SIGNS = str.maketrans(
    dict.fromkeys("–—−‑→>,", "-") | dict.fromkeys("|\n", ";") | dict.fromkeys(map(chr, range(0x2460, 0x2474)), "")
)
_RUN = re.compile(
    r"\s*(?:(?P<name>\d(?:/\d)?[FLE]|[FLE]\s?\d(?:/\d)?)\**(?:\s*:\s*|\s+))?(?P<walk>[^=]*)(?:=.*)?",
    re.ASCII | re.DOTALL,
)


class Typed(NamedTuple):
    """A run as typed; ``train`` is empty where none is named; ``joined`` to the one before it."""

    train: str
    steps: tuple[Step, ...]
    joined: bool


def read_text(text: str) -> tuple[Typed, ...]:
    """Read the runs that a text names; nothing is said yet about track or trains.

    Raises:
        RuleError: it is no list of runs.
    """
    if len(text) > LONGEST:
        raise RuleError(f"A plan of runs has at most {LONGEST} characters, this one {len(text)}.", RUNNING)
    runs: list[Typed] = []
    for part in text.translate(_SIGNS).upper().split(";"):
        if part.strip():
            # The sum that ends a line may hold a plus of its own: "= 120 (+40)".
            walks = re.sub(r"=[^;]*?(?=\s\+\s|$)", "", part).split("+")
            runs += [_run(walk, joined=number > 0) for number, walk in enumerate(walks)]
    if len(runs) > MOST_RUNS:
        raise RuleError(f"A plan has at most {MOST_RUNS} runs, this one {len(runs)}.", RUNNING)
    return tuple(runs)


def _run(text: str, *, joined: bool) -> Typed:
    match = _RUN.fullmatch(text)
    train, walk = (match["name"] or "", match["walk"]) if match else ("", text)
    return Typed(train_name(train), read_steps(walk, _EXAMPLE, RUNNING), joined)


def train_name(typed: str) -> str:
    """Return the name of a train as the cards have it: "F3" and "3F" are one."""
    typed = typed.replace(" ", "")
    return typed[1:] + typed[0] if typed[:1] in {"F", "L", "E"} else typed


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
    return f"[{name}]" if run.left_out >> node & 1 else name


def write_runs(graph: Graph, runs: Iterable[Run]) -> str:
    """Return runs in the form that is kept: every train named, every hex, every station left out, every join."""
    text, before = "", ALONE
    for run in runs:
        if text:
            text += " + " if run.chain not in (ALONE,) and run.chain == before else "; "
        text += f"{run.train} {walk_of(graph, run)}"
        before = run.chain
    return text


def words_of(problem: Problem, run: Run) -> str:
    """Return a run as players read it: "F2–F4–[G3]–G5 = 120 (+10)"."""
    extra = f" (+{run.subsidy})" if run.subsidy else ""
    return f"{walk_of(problem.board.graph, run, '–', plain=False)} = {run.revenue}{extra}"
