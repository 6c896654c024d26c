"""The end of a game: for a reason of the rules, or by agreement of the table, which votes on it outside of them."""

from collections.abc import Iterator
from typing import Protocol

from engine.finance.events import BankBroke, GameEnded
from engine.record import Action
from engine.title import Tell

MOST_ROUNDS = 100
"""The set of rounds that ends a game wherever it stands, for tables that play with such a limit."""


class Ending(Protocol):
    """A state that knows why its game is over; empty while it goes on."""

    over: str


class Banked(Protocol):
    """A state with a bank: what it has left, below zero when it has run out, and whether that was noted."""

    broken: bool

    @property
    def bank(self) -> int: ...  # noqa: D102


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


def watch_bank(s: Banked, tell: Tell) -> None:
    """Note the first time that the bank has run out."""
    if s.bank < 0 and not s.broken:
        s.broken = True
        tell(BankBroke())


def finish(s: Ending, reason: str, tell: Tell) -> None:
    """End the game for a reason, and tell it."""
    s.over = reason
    tell(GameEnded(reason))
