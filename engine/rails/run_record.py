"""Runs that companies make by themselves, written down so that a log keeps its meaning.

Which runs are best is the answer of a search; a faster or more patient search may answer otherwise one
day. So the runs chosen when an action is first played stand with it in the log, and a replay reads them.
"""

from collections.abc import Sequence

from engine.record import Mutable


class RunRecord(Mutable):
    """The runs of one action; empty between actions.

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
