"""A player's turn in a stock round, as it ends in every game of the family, and the order of turns."""

from typing import Protocol

from engine.finance.events import Passed
from engine.title import Tell


class Clearable(Protocol):
    """What is noted of a turn until it ends."""

    def clear(self) -> None:
        """Forget all of it."""


class StockTurn(Protocol):
    """What a stock round knows of the turn.

    Args:
        turn: seat to deal; acted: it has bought or sold; bought: its purchase is made.
        just_sold: companies it has sold; passes: passes in a row.
        sold: by seat, what was sold in this round.
    """

    turn: int
    acted: bool
    bought: bool
    passes: int
    sold: list[list[str]]

    @property
    def just_sold(self) -> Clearable: ...  # noqa: D102


def clockwise(first: int, seats: int) -> tuple[int, ...]:
    """Return all seats in the order of play, beginning with one."""
    return tuple((first + step) % seats for step in range(seats))


def note_pass(r: StockTurn, seat: int, tell: Tell) -> None:
    """Count a pass, unless the turn only ends after something was bought or sold."""
    if not r.acted:
        r.passes += 1
        tell(Passed(seat))


def note_sale(r: StockTurn, seat: int, what: str) -> None:
    """Note a sale: passes are counted anew, and the player cannot buy of it again in this round."""
    r.acted, r.passes = True, 0
    if what not in r.sold[seat]:
        r.sold[seat].append(what)


def next_player(r: StockTurn, seats: int) -> None:
    """Begin the turn of the next player clockwise."""
    r.turn = (r.turn + 1) % seats
    r.acted = r.bought = False
    r.just_sold.clear()
