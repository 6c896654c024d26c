"""What a player thinks of its moves: each tried out to the end of the game, the poorer half dropped again and again.

The budget is a number of tries, never time, so that the same log and seed give the same move on every machine.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from engine.record import Action, Record

T = TypeVar("T")


class Alternative(Record, frozen=True):
    """A move that was thought of: how good it seems, from 0 to 100, and in how many tries."""

    action: Action
    value: float
    tries: int


class Thought(Record, frozen=True):
    """What a player would do.

    Args:
        action: the move. reason: a sentence with a full stop, from the player's own mouth; may be "".
        alternatives: all moves that were tried out, the chosen one first; empty where nothing was.
    """

    action: Action
    reason: str = ""
    alternatives: tuple[Alternative, ...] = ()


def compare(actions: Sequence[Action], try_out: Callable[[Action, int], float], tries: int) -> list[Alternative]:
    """Return moves with how good they seem, the best first, by successive halving.

    In each round those that are left are tried equally often, on the same chances; then the poorer half is dropped.

    Args:
        actions: the moves; the earlier one wins a tie.
        try_out: plays a move on to the end with the chance of that number; returns how good that is, from 0 to 100.
        tries: about as many in all; each move has at least one.
    """
    left = list(range(len(actions)))
    sums, counts = [0.0] * len(actions), 0
    found: list[Alternative] = []
    rounds = max(1, (len(actions) - 1).bit_length())
    while len(left) > 1:
        more = max(1, tries // (rounds * len(left)))
        for each in left:
            sums[each] += sum(try_out(actions[each], counts + number) for number in range(more))
        counts += more
        left.sort(key=lambda each: (-sums[each], each))
        keep = (len(left) + 1) // 2
        found[:0] = [Alternative(actions[each], sums[each] / counts, counts) for each in left[keep:]]
        left = left[:keep]
    return [*(Alternative(actions[each], sums[each] / max(1, counts), counts) for each in left), *found]


def rate_outcome(totals: Sequence[int], seat: int, spread: int) -> float:
    """Return how good the end of a game is for a seat, from 0 to 100: mostly who won, a little by how much.

    Args:
        totals: of all seats.
        seat: whose view.
        spread: a lead that counts in full.
    """
    others = max(total for other, total in enumerate(totals) if other != seat)
    ahead = max(-1.0, min(1.0, (totals[seat] - others) / spread))
    won = 1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0
    return 50 * won + 25 * (1 + ahead)
