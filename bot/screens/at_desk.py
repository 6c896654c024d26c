"""Who sits at the private desk, before which position."""

from bot.screens.draft import Draft, follow
from bot.screens.wire import Control
from bot.service.workers.held import Gains
from bot.service.workers.tips import NOTHING, Advised
from engine import Action, Ask, Game, Record, Request
from engine.title import named


class Desk(Record, frozen=True):
    """Who sits at the desk, before which position; it stands with a worker, for it needs the state.

    Args:
        number: of the table. names: of the players.
        legal: what the seat may do. advised: moves worth a button of their own.
        again: what the acting company did the last time in this step, if it can do that again.
        basket: what the moves bring that were put aside; the position is the one they lead to.
        version: of the log that the desk belongs to, where moves were put aside.
        gains: what moves bring the best run, as far as it is known.
    """

    number: int
    names: tuple[str, ...]
    game: Game
    seat: int
    legal: tuple[Action, ...]
    advised: Advised = NOTHING
    again: Action | None = None
    basket: tuple[str, ...] = ()
    version: int | None = None
    gains: Gains | None = None

    @property
    def request(self) -> Request:
        """Who looks, and what the seats are called."""
        return Request(seat=self.seat, names=self.names)

    def ask(self) -> Ask:
        """Return what the game waits for, with the names of the players in it."""
        return self.game.ask().named(self.names)

    def control(self, verb: str, arg: str = "") -> Control:
        """Return a control of this desk."""
        verb = "doin" if verb == "do" and self.basket else verb
        return Control(self.number, len(self.game.log) if self.version is None else self.version, verb, arg)

    def words(self, action: Action, parameter: str) -> str:
        """Return the words of a value, or of a whole action if ``parameter`` is empty."""
        return named(self.game.title.words.label(self.game.state, action, parameter), self.names)

    def gained(self) -> Gains:
        """Return what moves bring the best run, with what is known of it already."""
        return self.gains or Gains(self.game)

    def follow(self, path: str, typed: str = "") -> Draft:
        """Read a path at this desk."""
        return follow(self.legal, self.game.title.open_verbs, path, typed)
