"""Runs of trains as they are written, told and drawn; those made without a question are kept for the log."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from engine.hex_view import Line
from engine.printed import Units
from engine.rails import places
from engine.rails.board import Board
from engine.rails.graph import Graph
from engine.rails.views import legs
from engine.rails.walk import OfTrain, write_walk
from engine.record import Mutable


class Earned(Protocol):
    """A run, or all runs of a turn, with what they earn."""

    @property
    def revenue(self) -> int: ...  # noqa: D102
    @property
    def subsidy(self) -> int: ...  # noqa: D102


class TrainRun(OfTrain, Earned, Protocol):
    """A run of one train: the stops it passes, the track between them, and bits of the stops it does not count."""

    @property
    def nodes(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def links(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def left_out(self) -> int: ...  # noqa: D102


def walk_of(graph: Graph, run: TrainRun, dash: str = "-", *, plain: bool = True) -> str:
    """Return the hexes of a run; ``plain`` names also those where it passes no stop."""
    return write_walk(graph, run.nodes, run.links, run.left_out, dash, plain=plain)


def words_of(graph: Graph, run: TrainRun) -> str:
    """Return a run as players read it: "F2–F4–[G3]–G5 = 120 (+10)"."""
    extra = f" (+{run.subsidy})" if run.subsidy else ""
    return f"{walk_of(graph, run, '–', plain=False)} = {run.revenue}{extra}"


def must_run(graph: Graph, run: TrainRun, beside: str) -> str:
    """Word that a train may not stay idle, with the run it could have; ``beside`` the others, where there are any."""
    return f"Every train that can run must run: the {run.train} can{beside}, {walk_of(graph, run)}."


def told(board: Board, runs: Iterable[TrainRun]) -> tuple[tuple[str, str, int], ...]:
    """Return of each run the train, its way in names and what it earns."""
    return tuple((run.train, places.way(board, run.nodes, run.left_out), run.revenue) for run in runs)


def earned(units: Units, ran: Earned, aside: str) -> str:
    """Return what is earned: "£120 + 10cc halts"; ``aside`` is the subsidy, with a place for it: "{0}cc halts"."""
    return units.money(ran.revenue) + (f" + {aside.format(ran.subsidy)}" if ran.subsidy else "")


def lines(board: Board, runs: Iterable[TrainRun], units: Units, aside: str) -> tuple[Line, ...]:
    """Return runs as lines on the map, numbered from 1; ``aside`` is as ``earned`` takes it."""
    return tuple(
        Line(
            run.train,
            number,
            legs(board.graph, run.nodes, run.links),
            words_of(board.graph, run),
            f"{places.way(board, run.nodes, run.left_out)} {earned(units, run, aside)}",
        )
        for number, run in enumerate(runs, 1)
    )


class RunRecord(Mutable):
    """The runs that companies make by themselves in one action, so that a log keeps its meaning.

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

    def next(self) -> str | None:
        """Return the plan that the log holds for the company that runs now, ``None`` if it holds none."""
        return self.recorded.pop(0) if self.recorded else None

    def take(self) -> tuple[str, ...]:
        """Return the plans run since the action, and forget all."""
        made = tuple(self.made)
        self.recorded, self.made = [], []
        return made
