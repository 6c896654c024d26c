"""How a title leads an action through its step: what may be said, whether it may, and what it does."""

from collections.abc import Callable, Iterator
from typing import Any

from engine.record import Action, Record

Kind = type[Action]
# Each step has its own action and plan types; a table pairs them, so that a plan only ever meets its own apply.
Step = tuple[Callable[..., Iterator[Action]], Callable[..., Any], Callable[..., None]]


class Checked(Record, frozen=True):
    """An action that may be carried out: its step, and what the step's check returned."""

    step: Step
    plan: Any  # of the step's own type
