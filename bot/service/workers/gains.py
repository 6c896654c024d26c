"""What the company to act would earn, now and after moves that it may make."""

from collections.abc import Sequence
from functools import cached_property

from engine import Action, Earning, Game, RuleError

SHARED = 3
"""Short searches whose time the moves of one list share; each gets a part of it."""


class Gains:
    """What the company to act would earn now, and after moves that it may make."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._after: dict[tuple[int, Action], Earning | None] = {}

    def describe(self, seat: int, actions: Sequence[Action]) -> list[str]:
        """Return "best run £150→£190" for each move, "" where nothing is known; for none if all bring as much."""
        old = self.now
        if old is None:
            return [""] * len(actions)
        parts = -(-len(actions) // SHARED)
        found = [self.estimate_after(seat, action, parts) for action in actions]
        if all(new is None or new.words == old.words for new in found):
            return [""] * len(actions)
        return ["" if new is None else describe_best_run(old, new) for new in found]

    @cached_property
    def now(self) -> Earning | None:
        """What the company would earn now; ``None`` where it has no run before it."""
        return self._game.title.advice.glance(self._game.state, 1)

    def find_known(self, seat: int, action: Action) -> int | None:
        """Return what the best run earns more after a move, if that was worked out before."""
        new = self._after.get((seat, action))
        return None if new is None or self.now is None else new.amount - self.now.amount

    def estimate_after(self, seat: int, action: Action, parts: int = 1) -> Earning | None:
        """Return what it would earn after a move; ``None`` where that is not known to be more, nor proven.

        Args:
            seat: who moves.
            action: the move.
            parts: what a search may take is divided by this; what was proven once is not looked for again.
        """
        known = self._after.get((seat, action))
        if known is not None and (known.proven or parts > 1):
            return known
        found = self._estimate(seat, action, parts)
        self._after[seat, action] = found
        return found

    def _estimate(self, seat: int, action: Action, parts: int) -> Earning | None:
        old, company = self.now, self._game.ask().company
        try:
            after = self._game.play(seat, action).game
        except RuleError:
            return None
        if old is None or after.ask().company != company:
            return None
        found = after.title.advice.glance(after.state, parts)
        is_known = found is not None and (found.proven or found.amount > old.amount)
        return found if is_known else None


def describe_best_run(old: Earning, new: Earning) -> str:
    """Return what becomes of the best run: "best run £150→£190", "best run stays"."""
    if new.words == old.words:
        return "best run stays"
    return f"best run {old.words}→{new.words}" if old.proven else f"best run {new.words}"
