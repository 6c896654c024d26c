"""Runs changed step by step: an end moved, a stop passed by or counted again, two trains exchanged."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import TypeVar

import msgspec

from engine.errors import RuleError
from engine.hints import RunEdit
from engine.rails import places
from engine.rails.board import NOWHERE, Board
from engine.rails.runs import TrainRun

R = TypeVar("R", bound=TrainRun)
MAX_STEPS = 6
"""Stops by which an end is moved on at once."""


def list_changes(board: Board, run: R) -> Iterator[tuple[bool, str, R]]:
    """Yield whether a change moves an end of a run, its words, and the run after it; whether it is legal is not asked.

    Ends go on by one stop or back to any; every stop between them can be passed by or counted.
    """
    turned = msgspec.structs.replace(run, nodes=run.nodes[::-1], links=run.links[::-1])
    ways = ((run, "on"), (turned, "start"))
    for way, word in ways:
        for longer in _list_longer(board, way):
            name = _name_stop(board, longer.nodes[-1])
            over = f", over {len(longer.nodes) - len(way.nodes) - 1}" * (len(longer.nodes) > len(way.nodes) + 1)
            yield True, f"{'on to' if word == 'on' else 'start at'} {name}{over}", longer
    for way, word in ways:
        for count in range(len(way.nodes) - 1, 1, -1):  # the least is taken off first
            shorter = _replace(way, way.nodes[:count], way.links[: count - 1])
            yield True, f"{'end' if word == 'on' else 'start'} at {_name_stop(board, way.nodes[count - 1])}", shorter
    for node in run.nodes[1:-1]:
        passed = run.left_out >> node & 1
        words = f"{'count' if passed else 'pass by'} {_name_stop(board, node)}"
        yield False, words, msgspec.structs.replace(run, left_out=run.left_out ^ 1 << node)


def _list_longer(board: Board, way: R) -> Iterator[R]:
    """Yield a run with its last end moved on to each stop that it could still come to, the nearest first.

    To each by the fewest stops, all of which it counts; another way is one stop after another.
    """
    graph, seen = board.graph, {*way.nodes}
    waiting = deque([(way, reduce(or_, (graph.links[number].mask for number in way.links)))])
    while waiting:
        here, used = waiting.popleft()
        for exit_ in graph.exits[here.nodes[-1]]:
            if exit_.to != NOWHERE and exit_.to not in seen and not exit_.mask & used:
                seen.add(exit_.to)
                longer = _replace(here, (*here.nodes, exit_.to), (*here.links, exit_.link))
                yield longer
                if len(longer.nodes) < len(way.nodes) + MAX_STEPS:
                    waiting.append((longer, used | exit_.mask))


def list_exchanges(runs: Sequence[R]) -> Iterator[tuple[int, str, list[R]]]:
    """Yield the number of a run, the words and all runs for each two runs whose trains can be exchanged."""
    for one, run in enumerate(runs):
        for other, beside in enumerate(runs[one + 1 :], one + 1):
            if run.train != beside.train:
                swapped = [*runs]
                swapped[one] = msgspec.structs.replace(run, train=beside.train)
                swapped[other] = msgspec.structs.replace(beside, train=run.train)
                yield one, f"run the {beside.train} here, the {run.train} there", swapped


def list_edits(
    board: Board, text: str, read: Callable[[str], Sequence[R]], write: Callable[[Sequence[R]], str]
) -> Iterator[RunEdit]:
    """Yield the changes of a plan by one step, with plans as the log keeps them.

    Those are left out whose plan can't be read, or is read as the same runs: a Local counts all stops that it can.
    """
    runs = read(text)
    for edit in _list_changes_of_plan(board, runs, write):
        try:
            if list(read(edit.plan)) == list(runs):
                continue
        except RuleError:
            continue
        yield edit


def _list_changes_of_plan(board: Board, runs: Sequence[R], write: Callable[[Sequence[R]], str]) -> Iterator[RunEdit]:
    for number, run in enumerate(runs):
        for end, words, changed in list_changes(board, run):
            plan = write([*runs[:number], changed, *runs[number + 1 :]])
            yield RunEdit(number, end, words, plan)
    for number, words, swapped in list_exchanges(runs):
        yield RunEdit(number, end=True, words=words, plan=write(swapped))
    for number in range(len(runs) if len(runs) > 1 else 0):
        left = [*runs[:number], *runs[number + 1 :]]
        yield RunEdit(number, end=True, words=f"leave the {runs[number].train} idle", plan=write(left))


def _replace(run: R, nodes: tuple[int, ...], links: tuple[int, ...]) -> R:
    """Return a run with other stops, of which it counts both ends."""
    counted = run.left_out & ~(1 << nodes[0]) & ~(1 << nodes[-1])
    return msgspec.structs.replace(run, nodes=nodes, links=links, left_out=counted)


def _name_stop(board: Board, node: int) -> str:
    """Return a stop by name and hex: "Cowes (F2)"."""
    stop = board.graph.nodes[node]
    name = places.write_stop(board, stop)
    return name if name == stop.coord else f"{name} ({stop.coord})"
