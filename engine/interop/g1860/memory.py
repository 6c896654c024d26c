"""What 18xx.games remembers of ways, which no rule asks for (differences 80).

It remembers the ways that it has looked for until the next tile or base is built. A company that has had its turn since
does not see a home base that a flotation brings, and is asked again for a base that it could have built before.
"""

from engine.finance.events import Declined, RoundBegun, TurnBegan
from engine.rails.laying import TileLaid
from engine.record import Event
from engine.title import Tell
from engine.titles.g1860.events import BasePlaced
from engine.titles.g1860.state import Company, Operating, State


class RememberingState(State):
    """A state of 1860 that remembers ways.

    Args:
        acting: company whose turn it is, or was last.
        looked: companies that have had a turn since a tile or a base was built.
        declined: companies that could have built a base since, and did not.
        unseen: whose home base came after which of them had looked: (who looked, whose base).
    """

    acting: str = ""
    looked: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    unseen: tuple[tuple[str, str], ...] = ()

    def unseen_homes(self, company: Company) -> tuple[str, ...]:
        """Return whose home base a company does not see, as it looked for its ways before."""
        return tuple(code for who, code in self.unseen if who == company.code)

    def is_asked_again_for_a_base(self, company: Company) -> bool:
        """Return whether a company could have built a base, as far as its ways are remembered."""
        return company.code in self.declined

    def note(self, event: Event) -> None:
        """Take note of a fact."""
        if isinstance(event, TurnBegan | RoundBegun):
            self._note_turn()
        if isinstance(self.round, Operating) and self.round.step:
            self.acting = self.round.code
        if isinstance(event, Declined) and event.what == "base":
            self.declined = tuple(sorted({*self.declined, event.company}))
        elif isinstance(event, BasePlaced) and event.cost == 0:  # a home base, placed as the company floats
            self.unseen = (*self.unseen, *((who, event.company) for who in self.looked))
        elif isinstance(event, BasePlaced | TileLaid):
            self.looked, self.declined, self.unseen = (), (), ()

    def _note_turn(self) -> None:
        """Note that the company whose turn is over has looked at its ways."""
        if self.acting:
            self.looked = tuple(sorted({*self.looked, self.acting}))
        self.acting = ""


def listen(s: State, tell: Tell) -> Tell:
    """Return a way to tell facts by which a state that remembers ways takes note of them first."""
    if not isinstance(s, RememberingState):
        return tell

    def hear(event: Event) -> None:
        s.note(event)
        tell(event)

    return hear
