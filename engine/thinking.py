"""What a player thinks of its moves: each tried out to the end of the game, the poorer half dropped again and again.

The budget is a number of tries, never time, so that the same log and seed give the same move on every machine.
"""

from collections.abc import Callable, Sequence
from math import copysign, sqrt

from engine.record import Action, Record

MIN_PROOF = 1.5
"""Standard errors by which a move must do better than the one the player would make without trying any."""


class Alternative(Record, frozen=True):
    """A move that was thought of: how good it seems, from 0 to 100, and in how many tries."""

    action: Action
    value: float
    tries: int


class Thought(Record, frozen=True):
    """What a player would do.

    Args:
        action: the move. reason: why, in words that follow a colon; may be "".
        alternatives: all moves that were tried out, the chosen one first; empty where none was.
    """

    action: Action
    reason: str = ""
    alternatives: tuple[Alternative, ...] = ()


def compare(actions: Sequence[Action], try_out: Callable[[Action, int], float], tries: int) -> list[Alternative]:
    """Return moves with how good they seem, the chosen one first, by successive halving.

    In each round those that are left are tried equally often, on the same chances; then the poorer half is dropped,
    never the first move. At the end that is chosen unless the best other is better by more than chance explains.

    Args:
        actions: the moves; the first is the one that the player would make without trying any.
        try_out: plays a move on with the chance of that number; returns how good that is, from 0 to 100.
        tries: about as many in all; each move has at least one.
    """
    left, values = list(range(len(actions))), [list[float]() for _ in actions]
    dropped: list[int] = []
    rounds = max(1, (len(actions) - 1).bit_length())
    while len(left) > 1 and rounds:
        for _ in range(max(1, tries // (max(1, (len(actions) - 1).bit_length()) * len(left)))):
            for each in left:
                values[each].append(try_out(actions[each], len(values[each])))
        others = sorted(left[1:], key=lambda each: (-sum(values[each]), each))
        rounds -= 1
        keep = len(others) if not rounds else (len(others) + 1) // 2
        dropped[:0] = others[keep:]
        left = [0, *others[:keep]]
    if len(left) > 1 and is_proven(values[left[1]], values[0]):
        left = [left[1], 0, *left[2:]]
    return [
        Alternative(actions[each], sum(values[each]) / max(1, len(values[each])), len(values[each]))
        for each in (*left, *dropped)
    ]


def is_proven(better: Sequence[float], worse: Sequence[float]) -> bool:
    """Return whether the values of one move are higher than those of another by more than chance explains.

    Both were tried on the same chances, so that each pair tells something.
    """
    gains = [one - other for one, other in zip(better, worse, strict=True)]
    count, mean = len(gains), sum(gains) / len(gains)
    spread = sqrt(sum((gain - mean) ** 2 for gain in gains) / (count - 1)) if count > 1 else 0.0
    return mean > 0 and mean * sqrt(count) > MIN_PROOF * spread


RISK = 0.4
"""How much the bold like chances; below a half, so that more is always better."""
MIN_SPREAD, SPREAD_PART = 200, 4
"""A clear lead in money: at least so much, and one part of so many of what a seat is worth on average."""
CLEAR = 0.9
"""What a clear lead is worth; a greater one tends to 1 without reaching it, so that more is always better."""


def rate_lead(totals: Sequence[int], seat: int, boldness: int = 0, most: float = 1) -> float:
    """Return how good it is for a seat to be so far ahead, from 0 to 100.

    Early in a game little is a lot; who is ahead by a little is chance. A seat that is far behind, or far ahead, would
    still rather have more. To the bold (1) a great lead is worth more than twice half of it, to the steady (-1) less,
    so that one likes chances and the other avoids them. No lead counts for more than ``most``, from ``CLEAR`` to 1.
    """
    spread = max(MIN_SPREAD, sum(totals) / len(totals) / SPREAD_PART)
    others = max(total for other, total in enumerate(totals) if other != seat)
    ahead = (totals[seat] - others) / spread
    size = abs(ahead)
    lead = copysign(min(most, CLEAR * size if size <= 1 else 1 - (1 - CLEAR) / size), ahead)
    return 50 + 50 * (lead + boldness * RISK * (lead * lead - 1))
