"""Runs changed step by step: an end moved, a stop passed by or counted again, trains exchanged, an idle one put on."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from heapq import heappop, heappush
from operator import or_
from typing import Any, Generic, TypeVar

import msgspec

from engine.errors import RuleError
from engine.hints import ALL_RUNS, RunEdit
from engine.rails import places
from engine.rails.board import Board
from engine.rails.runs import RunPlan, TrainRun
from engine.rails.walk import write_stop, write_walk

R = TypeVar("R", bound=TrainRun)
MAX_STEPS = 6
"""Stops by which an end is moved on at once."""
MAX_AMOUNTS, MAX_PLANS_TRIED = 50, 1_000
"""Other amounts that are found, and the changes of plans that are tried for them: a few hundredths of a second."""


def list_changes(board: Board, run: R, choose: Callable[[R], R] | None) -> Iterator[tuple[bool, str, R]]:
    """Yield whether a change moves an end of a run, its words, and the run after it; whether it is legal is not asked.

    Ends go on by some stops or back to any, and the stops that the train counts then are chosen, if there is a
    ``choose``; every stop between the ends can be passed by or counted.
    """
    turned = msgspec.structs.replace(run, nodes=run.nodes[::-1], links=run.links[::-1])
    ways = ((run, "on"), (turned, "start"))
    for way, word in ways:
        for longer in _list_longer(board, way):
            name = _name_stop(board, longer.nodes[-1])
            over = f", over {len(longer.nodes) - len(way.nodes) - 1}" * (len(longer.nodes) > len(way.nodes) + 1)
            yield True, f"{'on to' if word == 'on' else 'start at'} {name}{over}", choose(longer) if choose else longer
    for way, word in ways:
        for count in range(len(way.nodes) - 1, 1, -1):  # the least is taken off first
            shorter = _replace(way, way.nodes[:count], way.links[: count - 1])
            words = f"{'end' if word == 'on' else 'start'} at {_name_stop(board, way.nodes[count - 1])}"
            yield True, words, choose(shorter) if choose else shorter
    for node in run.nodes[1:-1]:
        passed = run.left_out >> node & 1
        words = f"{'count' if passed else 'pass by'} {_name_stop(board, node)}"
        yield False, words, msgspec.structs.replace(run, left_out=run.left_out ^ 1 << node)


def list_swaps(now: "EditableRuns[R]", runs: Sequence[R]) -> Iterator[tuple[int, bool, str, list[R]]]:
    """Yield the changes by which a train that passes by one stop passes by another, be it an end, where it can."""
    for number, run in enumerate(runs):
        passed = [node for node in run.nodes if run.left_out >> node & 1]
        for node in run.nodes if len(passed) == 1 else ():
            swapped = msgspec.structs.replace(run, left_out=1 << node)
            words = f"pass by {_name_stop(now.board, node)}, not {write_stop(now.board.graph, passed[0])}"
            with suppress(RuleError):
                now.fit(swapped)
                yield number, False, words, [*runs[:number], swapped, *runs[number + 1 :]]


def _list_longer(board: Board, way: R) -> Iterator[R]:
    """Yield a run with its last end moved on to each stop that it could still come to, the nearest first.

    To each by the fewest stops, all of which it counts; another way is one stop after another.
    """
    graph, seen = board.graph, {*way.nodes}
    waiting = deque([(way, reduce(or_, (graph.links[number].mask for number in way.links)))])
    while waiting:
        here, used = waiting.popleft()
        for exit_ in graph.exits[here.nodes[-1]]:
            if exit_.to not in seen and not exit_.mask & used:
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


class EditableRuns(msgspec.Struct, Generic[R], frozen=True):
    """The runs that a seat may plan now.

    Args:
        board: on which they run. trains: the names of all trains that could run.
        read, write: a plan as the log keeps it. check: raises RuleError, or returns a legal plan with what it earns.
        fit: returns a run as a plan that names it is read; raises RuleError if it is illegal whatever the others are.
        choose: returns a run that counts those of its stops that bring most.
        combine: the same as check for fitted runs, without asking again what holds for each alone.
        tell: what a plan earns, in words.
    """

    board: Board
    trains: Sequence[str]
    read: Callable[[str], Sequence[R]]
    write: Callable[[Sequence[R]], str]
    check: Callable[[Sequence[R]], Any]
    fit: Callable[[R], R]
    choose: Callable[[R], R]
    combine: Callable[[Sequence[R]], Any]
    tell: Callable[[Any], str]


FindRuns = Callable[[Any, int], EditableRuns[Any] | None]
"""Returns what a seat may plan in a state; ``None`` if it has no runs before it."""


def list_edits(find: FindRuns, s: Any, seat: int, text: str) -> Sequence[RunEdit]:  # noqa: ANN401  # the title's own state
    """Return the changes of a plan by one step, with plans as the log keeps them.

    Those are left out whose plan can't be read, or is read as the same runs: a Local counts all stops that it can.
    """
    now = find(s, seat)
    if now is None:
        return ()
    runs = now.read(text)
    idle = [*(Counter(now.trains) - Counter(run.train for run in runs))]
    changes = [
        *_list_changes_of_plan(now.board, runs, now.choose), *_list_replacements(runs, idle, now.choose),
        *list_swaps(now, runs),
    ]  # fmt: skip
    edits = [RunEdit(number, end, words, now.write(changed)) for number, end, words, changed in changes]
    found = []
    for edit in (*edits, *_list_additions(now.board, text, runs, idle)):
        with suppress(RuleError):
            found += [edit] if list(now.read(edit.plan)) != list(runs) else []
    return found


def list_other_amounts(find: FindRuns, s: Any, seat: int, text: str) -> Sequence[RunEdit]:  # noqa: ANN401  # the title's own state
    """Return a legal plan for each other amount that runs near a plan earn, those with the most revenue first.

    The plan that earns most of those found so far is changed in every way by one step, and so on. Which way a train
    goes is of no matter but for what it earns; so of several that earn the same the first stands for all.
    """
    now = find(s, seat)
    if now is None:
        return ()
    start = now.check(now.read(text))
    known, seen = {(start.revenue, start.subsidy)}, set[tuple[_Identity, ...]]()
    waiting = [(-start.revenue, -start.subsidy, 0, start)]
    found, tried, fitted = list[RunPlan[Any]](), 0, _Fitted(now)
    while waiting and tried < MAX_PLANS_TRIED:
        *_, here = heappop(waiting)
        found.append(here)
        for _, _, _, changed in _list_changes_of_plan(now.board, here.runs):
            tried += 1
            identity = tuple(sorted(map(_identify, changed)))
            runs = fitted.find(changed)
            if runs is None or identity in seen:
                continue
            seen.add(identity)
            with suppress(RuleError):
                plan = now.combine(runs)
                if (plan.revenue, plan.subsidy) in known:
                    continue
                plan = now.check(now.read(now.write(changed)))
                if (plan.revenue, plan.subsidy) not in known:
                    known.add((plan.revenue, plan.subsidy))
                    heappush(waiting, (-plan.revenue, -plan.subsidy, len(known), plan))
    others = [*found[1:], *(plan for *_, plan in waiting)]
    others.sort(key=lambda plan: (-plan.revenue, -plan.subsidy))
    return [RunEdit(ALL_RUNS, end=False, words=now.tell(plan), plan=now.write(plan)) for plan in others[:MAX_AMOUNTS]]


_Identity = tuple[str, int, tuple[int, ...], tuple[int, ...], int]


class _Fitted(Generic[R]):
    """Runs that are legal alone: each is fitted once, for many plans share it."""

    def __init__(self, now: EditableRuns[R]) -> None:
        self._fit = now.fit
        self._found: dict[_Identity, R | None] = {}

    def find(self, runs: Sequence[R]) -> list[R] | None:
        """Return runs as a plan that names them is read, ``None`` if one of them is illegal."""
        found = []
        for run in runs:
            fitted = self._find(run)
            if fitted is None:
                return None
            found.append(fitted)
        return found

    def _find(self, run: R) -> R | None:
        identity = _identify(run)
        if identity not in self._found:
            try:
                self._found[identity] = self._fit(run)
            except RuleError:
                self._found[identity] = None
        return self._found[identity]


def _identify(run: R) -> _Identity:
    """Return what makes a run another one: which way it goes does not."""
    passed = reduce(or_, (1 << node for node in run.nodes))
    way, links = (run.nodes, run.links) if run.nodes[0] < run.nodes[-1] else (run.nodes[::-1], run.links[::-1])
    return run.train, getattr(run, "chain", 0), way, links, run.left_out & passed


def _list_changes_of_plan(
    board: Board, runs: Sequence[R], choose: Callable[[R], R] | None = None
) -> Iterator[tuple[int, bool, str, Sequence[R]]]:
    """Yield the number of a run, whether an end of it moves, the words and all runs after each change."""
    for number, run in enumerate(runs):
        for end, words, changed in list_changes(board, run, choose):
            yield number, end, words, [*runs[:number], changed, *runs[number + 1 :]]
    for number, words, swapped in list_exchanges(runs):
        yield number, True, words, swapped
    for number in range(len(runs) if len(runs) > 1 else 0):
        yield number, True, f"leave the {runs[number].train} idle", [*runs[:number], *runs[number + 1 :]]


def _list_replacements(
    runs: Sequence[R], idle: Iterable[str], choose: Callable[[R], R]
) -> Iterator[tuple[int, bool, str, Sequence[R]]]:
    """Yield the ways to let an idle train run instead of another one."""
    for name in idle:
        for number, run in enumerate(runs):
            changed = choose(msgspec.structs.replace(run, train=name))
            words = f"run the {name} instead of the {run.train}"
            yield number, True, words, [*runs[:number], changed, *runs[number + 1 :]]


def _list_additions(board: Board, text: str, runs: Sequence[R], idle: Iterable[str]) -> Iterator[RunEdit]:
    """Yield the ways to put an idle train on the free track between a stop of the other runs and the next one."""
    graph = board.graph
    used = reduce(or_, (graph.links[number].mask for run in runs for number in run.links), 0)
    for name in idle:
        seen = set[int]()
        for node in dict.fromkeys(node for run in runs for node in run.nodes):
            for exit_ in graph.exits[node]:
                if not exit_.mask & used and exit_.link not in seen:
                    seen.add(exit_.link)
                    words = f"{name} from {write_stop(graph, node)} to {_name_shortly(board, exit_.to)}"
                    walk = write_walk(graph, (node, exit_.to), (exit_.link,))
                    yield RunEdit(len(runs), end=True, words=words, plan=f"{text}; {name} {walk}")


def _replace(run: R, nodes: tuple[int, ...], links: tuple[int, ...]) -> R:
    """Return a run with other stops, of which it counts both ends."""
    counted = run.left_out & ~(1 << nodes[0]) & ~(1 << nodes[-1])
    return msgspec.structs.replace(run, nodes=nodes, links=links, left_out=counted)


def _name_shortly(board: Board, node: int) -> str:
    """Return a stop by its hex and the first words of its name: "H4.0 Wootton"."""
    name = places.write_stop(board, board.graph.nodes[node])
    where = write_stop(board.graph, node)
    return where if name == board.graph.nodes[node].coord else f"{where} {places.shorten_name(name)}"


def _name_stop(board: Board, node: int) -> str:
    """Return a stop by name and hex: "Cowes (F2)"; where a hex has several stops of one name, "Cowes (F2.1)"."""
    stop = board.graph.nodes[node]
    name = places.write_stop(board, stop)
    return name if name == stop.coord else f"{name} ({write_stop(board.graph, node)})"
