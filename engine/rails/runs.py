"""Runs of trains as they are written, told and drawn; those made without a question are kept for the log."""

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from engine.hex_view import Line
from engine.printed import Units
from engine.rails import places
from engine.rails.board import Board, Graph
from engine.rails.views import list_legs
from engine.rails.walk import write_stop, write_walk
from engine.record import Mutable, Record


class TrainRun(Record, frozen=True):
    """A run of one train.

    Args:
        train: its name. nodes: stops passed, in order; links: the track between them.
        counted: bits of the stops that pay; left_out: of those that it passes by.
        revenue: of the counted stops; subsidy: what comes beside it.
    """

    train: str
    nodes: tuple[int, ...]
    links: tuple[int, ...]
    counted: int = 0
    revenue: int = 0
    subsidy: int = 0
    left_out: int = 0


R = TypeVar("R", bound=TrainRun)


class RunPlan(Record, Generic[R], frozen=True):
    """The runs of a company in one turn, and what the company earns by them all."""

    runs: tuple[R, ...]
    revenue: int
    subsidy: int


def make_plan(runs: Iterable[R]) -> RunPlan[R]:
    """Return runs with their sums."""
    runs = tuple(runs)
    return RunPlan(runs, sum(run.revenue for run in runs), sum(run.subsidy for run in runs))


def name_run(runs: Sequence[TrainRun], number: int) -> str:
    """Return the name of a run: its train, with its number if several trains are alike."""
    name = runs[number].train
    return f"Run {number + 1} ({name})" if sum(run.train == name for run in runs) > 1 else f"The {name}"


def name_leg(graph: Graph, runs: Sequence[TrainRun], number: int, leg: tuple[int, int]) -> str:
    """Return a leg of a run, from stop to stop, and the run within a sentence: "F2→F4: the 3+1"."""
    here, there = leg
    name = name_run(runs, number)
    return f"{write_stop(graph, here)}→{write_stop(graph, there)}: {name[0].lower()}{name[1:]}"


def write_hexes(graph: Graph, run: TrainRun, dash: str = "-", *, plain: bool = True) -> str:
    """Return the hexes of a run; ``plain`` names also those where it passes no stop."""
    return write_walk(graph, run.nodes, run.links, run.left_out, dash, plain=plain)


def write_run(graph: Graph, run: TrainRun) -> str:
    """Return a run as players read it: "F2–F4–[G3]–G5 = 120 (+10)"."""
    extra = f" (+{run.subsidy})" if run.subsidy else ""
    return f"{write_hexes(graph, run, '–', plain=False)} = {run.revenue}{extra}"


def explain_must_run(graph: Graph, run: TrainRun, can: str) -> str:
    """Return a refusal to leave a train idle, with the run it ``can`` make: "run", "still run", "be joined on as"."""
    return f"Every train that can run must run: the {run.train} can {can} {write_hexes(graph, run)}."


def summarise_runs(board: Board, runs: Iterable[TrainRun]) -> tuple[tuple[str, str, int], ...]:
    """Return the train, stops and revenue of each run."""
    return tuple((run.train, places.write_stops(board, run.nodes, run.left_out), run.revenue) for run in runs)


def write_earnings(units: Units, ran: TrainRun | RunPlan[Any], aside: str) -> str:
    """Return what is earned: "£120 + 10cc halts"; ``aside`` is the subsidy, with a place for it: "{0}cc halts"."""
    return units.money(ran.revenue) + (f" + {aside.format(ran.subsidy)}" if ran.subsidy else "")


def draw_lines(board: Board, runs: Iterable[TrainRun], units: Units, aside: str) -> tuple[Line, ...]:
    """Return runs as lines on the map, numbered from 1; ``aside`` is as ``write_earnings`` takes it."""
    return tuple(
        Line(
            run.train,
            number,
            list_legs(board.graph, run.nodes, run.links),
            write_run(board.graph, run),
            f"{places.write_stops(board, run.nodes, run.left_out)} {write_earnings(units, run, aside)}",
        )
        for number, run in enumerate(runs, 1)
    )


class RunRecord(Mutable):
    """The runs that companies make automatically in one action, so that a log keeps its meaning.

    Which runs are best is the answer of a search; a faster or more patient search may answer otherwise one day.
    So the runs chosen when an action is first played stand with it in the log, and a replay reads them.
    Between actions it is empty.

    Args:
        recorded: plans as the log holds them, yet to be run, the next first.
        made: plans run since the action.
    """

    recorded: list[str] = []
    made: list[str] = []

    def recall(self, plans: Sequence[str]) -> None:
        """Set what the log holds for the action that is played next."""
        self.recorded = list(plans)

    def find_next(self) -> str | None:
        """Return the plan that the log holds for the company that runs now, ``None`` if it holds none."""
        return self.recorded.pop(0) if self.recorded else None

    def take(self) -> tuple[str, ...]:
        """Return the plans run since the action, and forget all."""
        made = tuple(self.made)
        self.recorded, self.made = [], []
        return made
