"""The end of a game: for a reason of the rules, or by agreement of the table, which votes on it outside of them."""

from collections.abc import Iterator
from typing import Protocol

from engine.finance.events import GameEnded
from engine.record import Action
from engine.title import Tell


class Ending(Protocol):
    """A state that knows why its game is over; empty while it goes on."""

    over: str


def options(s: object, seat: int) -> Iterator[Action]:
    """Offer nothing: the table votes."""
    del s, seat
    yield from ()


def check(s: object, seat: int, action: Action) -> Action:
    """Allow it at any time."""
    del s, seat
    return action


def apply(s: Ending, plan: Action, tell: Tell) -> None:
    """End the game as it stands."""
    del plan
    finish(s, "manually_ended", tell)


def finish(s: Ending, reason: str, tell: Tell) -> None:
    """End the game for a reason, and tell it."""
    s.over = reason
    tell(GameEnded(reason))
