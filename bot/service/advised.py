"""What is known of a position: the moves worth a button."""

from engine import Action, Record, Tip


class Advised(Record, frozen=True):
    """What is known of a position.

    Args:
        version: of its table's log. seat: who is asked.
        tips: the moves worth a button. earlier: those that better ones have replaced; their buttons still work.
        plans: the ways to run that somebody asked to see, with the numbers they have there as shorthand.
    """

    version: int
    seat: int
    tips: tuple[Tip, ...]
    earlier: tuple[Tip, ...] = ()
    plans: tuple[Tip, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every move that some button was drawn for."""
        return tuple(tip.action for tip in (*self.tips, *self.plans, *self.earlier))

    def meant(self, action: Action) -> Action:
        """Return the move that shorthand stands for, as the buttons tell it; any other action as it is."""
        return next((tip.action for tip in self.tips if tip.short == action), action)


NOTHING = Advised(-1, -1, ())
