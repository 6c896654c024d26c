"""Runs that companies make by themselves, written down so that a log keeps its meaning.

Which runs are best is the answer of a search; a faster or more patient search may answer otherwise one
day. So the runs chosen when an action is first played stand with it in the log, and a replay reads them.
"""

from collections.abc import Sequence

import msgspec


class RunRecord(msgspec.Struct):
    """The runs of one action; empty between actions.

    Args:
        recorded: plans as the log holds them, yet to be run, the next first.
        made: plans run since the action.
        found: what was to be run since the action, each with its best plan.
    """

    recorded: list[str] = []
    made: list[str] = []
    found: list[tuple[object, str]] = []

    def recall(self, plans: Sequence[str]) -> None:
        """Set what the log holds for the action that is played next."""
        self.recorded = list(plans)

    def next(self, problem: object) -> str | None:
        """Return the plan for the company that runs now, ``None`` if it is to be looked for.

        It is what the log holds, else what was found for the same since the action: where nobody
        decides anything, round follows round on the same board.
        """
        if self.recorded:
            return self.recorded.pop(0)
        return next((plan for known, plan in self.found if known == problem), None)

    def add(self, problem: object, plan: str) -> None:
        """Note a plan that is run."""
        self.made.append(plan)
        self.found.append((problem, plan))

    def take(self) -> tuple[str, ...]:
        """Return the plans run since the action, and forget all."""
        made = tuple(self.made)
        self.recorded, self.made, self.found = [], [], []
        return made
