"""What a title tells of good moves: tips, what runs would earn, changes of a plan of runs."""

from engine.record import Action, Record


class Tip(Record, frozen=True):
    """A move worth a button of its own: "Best run 210", "Pay 21 → price 68→74".

    Args:
        action: the move, with nothing left to be looked for. label: words for the button.
        short: what players type to the same end: ``Run("best")``.
        proven: there is no better; where that is not known, ``Hints.prove`` goes on looking.
        reason: what the program thinks of it, as far as the table wants to know: "worth about 4 cubes".
        judged: the move itself is what the program thinks best, no matter of course.
    """

    action: Action
    label: str
    short: Action | None = None
    proven: bool = True
    reason: str = ""
    judged: bool = False


def write_tip(tip: Tip, *, advises: bool) -> str:
    """Return the words of a tip, with what the program thinks of it where it may say so."""
    return f"{tip.label} · {tip.reason}" if advises and tip.reason else tip.label


ALL_RUNS = -1


class RunEdit(Record, frozen=True):
    """A change of a plan of runs.

    Args:
        run: number of the run that it changes or adds, from 0; ``ALL_RUNS`` for a plan that earns something else.
        end: whether it moves an end of it.
        words: what it does: "on to Cowes (F2)". plan: the whole plan after it, as the log keeps it.
    """

    run: int
    end: bool
    words: str
    plan: str


class Earning(Record, frozen=True):
    """What a company would earn if it ran now: "£150", "at least £150" where a short search proves no more.

    Args:
        words: with currency and all that belongs to it. amount: to compare two. proven: there is no better run.
    """

    words: str
    amount: int
    proven: bool


def make_earning(words: str, amount: int, *, proven: bool) -> Earning:
    """Return what a search found, with the words for what it has not proven."""
    return Earning(words if proven else f"at least {words}", amount, proven)
