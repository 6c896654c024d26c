"""What a title says of a finished game for its story: who put money into what, what ran, what could have run."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from engine.record import Event, Record

S = TypeVar("S")


class Flow(Record, frozen=True):
    """Money between a player and a company's shares: less than 0 if the player paid it, more if they got it."""

    seat: int
    company: str
    amount: int


class Ran(Record, frozen=True):
    """What a company ran for: its revenue, and the subsidy beside it."""

    company: str
    revenue: int
    subsidy: int = 0


def _unmerged(event: Event) -> tuple[str, str] | None:
    """Return that no company went up in another."""
    del event
    return None


class Story(msgspec.Struct, Generic[S], frozen=True):
    """How the story of a game is told; all functions are pure, and change nothing.

    Args:
        flows: what players paid and got for shares, by a fact. ran: what a fact says a company ran for.
        best: what the company that acts could run for, as far as a glance finds it; ``None`` where it has nothing.
        worth: what the shares of a seat count at the end, by company.
        merged: who went on and who went up in it, if a fact says so.
    """

    flows: Callable[[Event], Sequence[Flow]]
    ran: Callable[[Event], Ran | None]
    best: Callable[[S], Ran | None]
    worth: Callable[[S, int], Sequence[tuple[str, int]]]
    merged: Callable[[Event], tuple[str, str] | None] = _unmerged


AnyStory = Story[Any]
