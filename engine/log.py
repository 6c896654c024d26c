"""The log of a game: what was said, in order, with what was taken back.

Nothing is ever deleted: ``Undo`` and ``Redo`` are entries of the log, and the
actions in force follow from all entries.
"""

from collections.abc import Sequence

from engine.record import Action, Record


class Undo(Action, frozen=True, tag="undo"):
    """Take back moves until only the first ``to`` actions are in force."""

    verb = "undo"
    to: int


class Redo(Action, frozen=True, tag="redo"):
    """Bring back what the last undo took, if nothing was played since."""

    verb = "redo"


class Said(Record, frozen=True):
    """One entry of the log: who said what.

    Args:
        seat: who. action: what.
        runs: plans that companies without a director ran as a consequence, in order, as they were
            chosen when the action was first played; a replay reads them and searches for nothing.
    """

    seat: int
    action: Action
    runs: tuple[str, ...] = ()


def history(log: Sequence[Said]) -> tuple[list[int], list[list[int]]]:
    """Return the positions in force, and the stack of lines that redo can bring back."""
    line: list[int] = []
    undone: list[list[int]] = []
    for position, entry in enumerate(log):
        action = entry.action
        if isinstance(action, Undo):
            keep = max(0, action.to)  # a log from outside may hold any number
            undone.append(line[keep:])
            line = line[:keep]
        elif isinstance(action, Redo):
            if undone:
                line = [*line, *undone.pop()]
        else:
            undone.clear()
            line.append(position)
    return line, undone
