"""How a title leads an action through its step: what may be said, whether it may, and what it does."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

from engine.record import Action, Record
from engine.title import Tell

Kind = type[Action]
# Each step has its own action and plan types; a table pairs them, so that a plan only ever meets its own apply.
Step = tuple[Callable[..., Iterator[Action]], Callable[..., Any], Callable[..., None]]


class Checked(Record, frozen=True):
    """An action that may be carried out: its step, and what the step's check returned."""

    step: Step
    plan: Any  # of the step's own type


class Ends(Protocol):
    """A state that says whether its game is over: why, empty while it goes on."""

    over: str


S = TypeVar("S", bound=Ends)


def carry_out(s: S, checked: Checked, follows: Callable[[S, Tell], bool], tell: Tell) -> None:
    """Carry an action out, and all that follows by itself until somebody must decide."""
    checked.step[2](s, checked.plan, tell)
    settle(s, follows, tell)


def settle(s: S, follows: Callable[[S, Tell], bool], tell: Tell) -> None:
    """Do what follows by itself, a thing at a time, until nothing does or the game is over."""
    while not s.over and follows(s, tell):
        pass
