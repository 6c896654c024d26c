"""Runs changed step by step: an end moved, a stop passed by or counted again, trains exchanged, an idle one put on."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from heapq import heappop, heappush
from operator import or_
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from engine.errors import RuleError
from engine.hints import ALL_RUNS, RunEdit
from engine.rails import places
from engine.rails.board import Board
from engine.rails.routes import make_mask
from engine.rails.runs import RunPlan, TrainRun
from engine.rails.walk import write_stop, write_walk

R = TypeVar("R", bound=TrainRun)
MAX_STEPS = 6
"""Stops by which an end is moved on at once."""
MAX_AMOUNTS, MAX_PLANS_TRIED = 50, 1_000
"""Other amounts that are found, and the changes of plans that are tried for them: a few hundredths of a second."""


class RunChange(NamedTuple, Generic[R]):
    """A change of one run.

    Args:
        way, node: what is done, to which stop. run: after it.
        over: stops that an end goes over. end: whether it moves an end.
    """

    way: str
    node: int
    run: R
    over: int = 0
    end: bool = True

    def describe(self, board: Board) -> str:
        """Return the change in words."""
        return f"{self.way} {_name_stop(board, self.node)}{f', over {self.over}' * bool(self.over)}"


def list_changes(board: Board, run: R, choose: Callable[[R], R] | None) -> Iterator[RunChange[R]]:
    """Yield the changes of a run; whether it is legal after them is not asked.

    Ends go on by some stops or back to any, and the stops that the train counts then are chosen, if there is a
    ``choose``; every stop between the ends can be passed by or counted.
    """
    turned = msgspec.structs.replace(run, nodes=run.nodes[::-1], links=run.links[::-1])
    for way, word in ((run, "on to"), (turned, "start at")):
        for longer in _list_longer(board, way):
            node, over = longer.nodes[-1], len(longer.nodes) - len(way.nodes) - 1
            yield RunChange(word, node, choose(longer) if choose else longer, over=over)
    for way, word in ((run, "end at"), (turned, "start at")):
        for count in range(len(way.nodes) - 1, 1, -1):  # the least is taken off first
            shorter = _replace(way, way.nodes[:count], way.links[: count - 1])
            yield RunChange(word, way.nodes[count - 1], choose(shorter) if choose else shorter)
    for node in run.nodes[1:-1]:
        word = "count" if run.left_out >> node & 1 else "pass by"
        yield RunChange(word, node, msgspec.structs.replace(run, left_out=run.left_out ^ 1 << node), end=False)


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


def list_exchanges(runs: Sequence[R]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of each two runs whose trains can be exchanged."""
    for one, run in enumerate(runs):
        for other, beside in enumerate(runs[one + 1 :], one + 1):
            if run.train != beside.train:
                yield one, other


def _exchange(run: R, beside: R) -> tuple[R, R]:
    """Return two runs with their trains exchanged."""
    return msgspec.structs.replace(run, train=beside.train), msgspec.structs.replace(beside, train=run.train)


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
    known, seen = {(start.revenue, start.subsidy)}, set[tuple[int, ...]]()
    waiting = [(-start.revenue, -start.subsidy, 0, start)]
    found, tried, fitting = list[RunPlan[Any]](), 0, _Fitting(now)
    while waiting and tried < MAX_PLANS_TRIED:
        *_, here = heappop(waiting)
        found.append(here)
        for changed in fitting.list_neighbours(here.runs):
            tried += 1
            runs = [each.run for each in changed if each.run is not None]
            numbers = tuple(sorted(each.number for each in changed))
            if len(runs) < len(changed) or numbers in seen:
                continue
            seen.add(numbers)
            with suppress(RuleError):
                plan = now.combine(runs)
                if (plan.revenue, plan.subsidy) not in known and all(map(fitting.is_read_back, changed)):
                    known.add((plan.revenue, plan.subsidy))
                    heappush(waiting, (-plan.revenue, -plan.subsidy, len(known), plan))
    others = [*found[1:], *(plan for *_, plan in waiting)]
    others.sort(key=lambda plan: (-plan.revenue, -plan.subsidy))
    return [RunEdit(ALL_RUNS, end=False, words=now.tell(plan), plan=now.write(plan)) for plan in others[:MAX_AMOUNTS]]


_Identity = tuple[str, int, tuple[int, ...], tuple[int, ...], int]


class _Fitted(msgspec.Struct, Generic[R]):
    """A run that is tried, and how a plan that names it is read; ``None`` if its train can't make it.

    Args:
        number: each that isn't the same has one of its own.
        changes: it after each change, read_back: whether its words mean it; once that was asked.
    """

    number: int
    tried: R
    run: R | None
    changes: "list[_Fitted[R]] | None" = None
    read_back: bool | None = None


class _Fitting(Generic[R]):
    """Runs that are legal alone: each is fitted once, for many plans share it."""

    def __init__(self, now: EditableRuns[R]) -> None:
        self._now = now
        self._found: dict[_Identity, _Fitted[R]] = {}

    def fit(self, run: R) -> _Fitted[R]:
        """Return a run as a plan that names it is read."""
        identity = _identify(run)
        found = self._found.get(identity)
        if found is None:
            found = self._found[identity] = _Fitted(len(self._found), run, None)
            with suppress(RuleError):
                found.run = self._now.fit(run)
        return found

    def list_neighbours(self, runs: Sequence[R]) -> Iterator[list[_Fitted[R]]]:
        """Yield all runs after each change of them by one step; of longer ways, the stops stay counted as they are."""
        fitted = [self.fit(run) for run in runs]
        for number, each in enumerate(fitted):
            if each.changes is None:
                each.changes = [self.fit(change.run) for change in list_changes(self._now.board, each.tried, None)]
            for changed in each.changes:
                yield [*fitted[:number], changed, *fitted[number + 1 :]]
        for one, other in list_exchanges(runs):
            swapped = [*fitted]
            swapped[one], swapped[other] = map(self.fit, _exchange(runs[one], runs[other]))
            yield swapped
        for number in range(len(runs) if len(runs) > 1 else 0):
            yield [*fitted[:number], *fitted[number + 1 :]]

    def is_read_back(self, fitted: _Fitted[R]) -> bool:
        """Return whether the words of a run mean it: they may mean another way over the same hexes."""
        if fitted.read_back is None:
            graph, run = self._now.board.graph, fitted.tried
            fitted.read_back = all(graph.ambiguous.isdisjoint(graph.links[link].coords) for link in run.links)
            if not fitted.read_back:
                with suppress(RuleError):
                    (again,) = self._now.read(self._now.write([run]))
                    fitted.read_back = (again.nodes, again.links) == (run.nodes, run.links)
        return fitted.read_back


def _identify(run: R) -> _Identity:
    """Return what makes a run another one: which way it goes does not."""
    passed = make_mask(run.nodes)
    way, links = (run.nodes, run.links) if run.nodes[0] < run.nodes[-1] else (run.nodes[::-1], run.links[::-1])
    return run.train, getattr(run, "chain", 0), way, links, run.left_out & passed


def _list_changes_of_plan(
    board: Board, runs: Sequence[R], choose: Callable[[R], R]
) -> Iterator[tuple[int, bool, str, Sequence[R]]]:
    """Yield the number of a run, whether an end of it moves, the words and all runs after each change."""
    for number, run in enumerate(runs):
        for change in list_changes(board, run, choose):
            yield number, change.end, change.describe(board), [*runs[:number], change.run, *runs[number + 1 :]]
    for one, other in list_exchanges(runs):
        swapped = [*runs]
        swapped[one], swapped[other] = _exchange(runs[one], runs[other])
        yield one, True, f"run the {runs[other].train} here, the {runs[one].train} there", swapped
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
