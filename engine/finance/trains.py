"""Trains: the pile they are bought from, and those of a company, taken by name."""

from collections.abc import Container, Mapping, Sequence
from typing import Protocol, TypeVar

from engine.errors import RuleError
from engine.record import Rule


def on_sale(depot: Mapping[str, int]) -> str:
    """Return what lies on top of the pile: the first kind of which any are left; -1 is a kind without end."""
    return next(kind for kind, left in depot.items() if left)


def draw(depot: dict[str, int], kind: str) -> None:
    """Take a train off the pile; a kind without end stays as it is."""
    if depot[kind] > 0:
        depot[kind] -= 1


def left_told(left: int, *, rusted: bool) -> str:
    """Return how many of a kind are left, as a table has it: "3", "no end", "rusted"."""
    return "rusted" if rusted else "no end" if left < 0 else str(left)


class NamedTrain(Protocol):
    """A kind of train, known by its name."""

    @property
    def name(self) -> str: ...  # noqa: D102


T = TypeVar("T", bound=NamedTrain)


def take_named(left: list[T], name: str, company: str, owned: Sequence[T], known: Container[str], rule: Rule) -> T:
    """Take a train out of those left to run.

    Args:
        left: trains without a run so far; the one returned is taken out.
        name: as typed.
        company: whose trains they are.
        owned: all it may run this turn.
        known: names of all trains of the title.
        rule: what a refusal cites.

    Raises:
        RuleError: there is no such train, or none left.
    """
    for train in left:
        if train.name == name:
            left.remove(train)
            return train
    if name not in known:
        raise RuleError(f"There is no train {name}.", rule)
    again = " left" if any(train.name == name for train in owned) else ""
    raise RuleError(f"{company} has no {name}{again} to run.", rule)


def take_run(left: list[T], name: str, company: str, rule: Rule) -> T:
    """Take the train of a run out of those that have no run so far.

    Raises:
        RuleError: there are more runs of that name than trains.
    """
    train = next((train for train in left if train.name == name), None)
    if train is None:
        raise RuleError(f"{company} has not so many {name} trains to run.", rule)
    left.remove(train)
    return train


def too_many_runs(company: str, trains: int, runs: int) -> str:
    """Word that a plan has more runs than a company has trains to run."""
    return f"{company} has {trains} train{'' if trains == 1 else 's'} to run, the plan {runs} runs."
