"""What a report of a finished game is made of: deals, sales, fines, rust, falling prices, dividends kept, auctions.

A title that can be reported on has a reporter: it is handed every fact of the
game, with the state in which it was told, and returns what it has found.
"""

from typing import Any, Protocol

from engine.record import Event, Record


class ShareDeal(Record, frozen=True):
    """Shares of one company that a seat bought in one round, and what became of them.

    Args:
        shares: how many; 0 for a charter that never became a company. paid: for them, with the bid before.
        dividends: paid while the seat had them. sold: what sales brought. left: what the rest counts at the end.
        became: the company they were shares of at the end, after mergers. at: moves played before the first purchase.
        fine: paid because the company did not float.
    """

    seat: int
    company: str
    round: str
    shares: int
    paid: int
    dividends: int = 0
    sold: int = 0
    left: int = 0
    became: str = ""
    at: int = 0
    fine: int = 0

    @property
    def cost(self) -> int:
        """All that they cost."""
        return self.paid + self.fine

    @property
    def got(self) -> int:
        """All that the shares brought."""
        return self.dividends + self.sold + self.left

    @property
    def gain(self) -> int:
        """What they brought beyond what they cost."""
        return self.got - self.cost


class ShareSale(Record, frozen=True):
    """Shares of one company that a seat chose to sell in one round, and what they would have brought if kept.

    Args:
        brought: by the sale. dividends: paid on as many shares since. left: what they count at the end.
        became: the company they were shares of at the end, after mergers. at: moves played before the first sale.
    """

    seat: int
    company: str
    round: str
    shares: int
    brought: int
    dividends: int = 0
    left: int = 0
    became: str = ""
    at: int = 0

    @property
    def given_up(self) -> int:
        """What keeping them would have brought beyond the sale."""
        return self.dividends + self.left - self.brought


class CharterFine(Record, frozen=True):
    """A fine for a charter whose company did not float; what is not ``paid`` was waived."""

    seat: int
    company: str
    round: str
    due: int
    paid: int = 0


class RustVictim(Record, frozen=True):
    """A company that lost trains to rust; ``seat`` directs it, -1 if no one does; ``last`` if it has none left."""

    company: str
    seat: int
    trains: tuple[str, ...]
    last: bool


class RustCaused(Record, frozen=True):
    """A purchase of a train that made others rust."""

    round: str
    company: str
    seat: int
    train: str
    victims: tuple[RustVictim, ...]


class PriceFall(Record, frozen=True):
    """A sale that lowered a share price; ``losses`` are the other holders, their shares, and what these lost.

    ``forced`` if a fine had to be paid.
    """

    round: str
    company: str
    seat: int
    shares: int
    before: int
    after: int
    losses: tuple[tuple[int, int, int], ...]
    forced: bool = False

    @property
    def lost(self) -> int:
        """What all others lost."""
        return sum(amount for _, _, amount in self.losses)


class TrainSaving(Record, frozen=True):
    """Revenue that a company kept in so many runs, and the train that it bought next; none if it bought none.

    ``seat`` directed it when it kept revenue last, ``buyer`` when it bought the train; -1 if no one did. ``each`` is
    what a share would have been paid.
    """

    company: str
    seat: int
    kept: int
    runs: int
    each: int
    train: str = ""
    price: int = 0
    round: str = ""
    buyer: int = -1


class AuctionWin(Record, frozen=True):
    """An auction: what was paid in cubes, the profit of the company in that turn, and what the share was paid.

    ``at`` is how many moves were played before it was opened.
    """

    seat: int
    company: str
    round: str
    cubes: int
    profit: int = 0
    share: int = 0
    at: int = 0

    @property
    def got(self) -> int:
        """All that the company brought for it."""
        return self.profit + self.share


class Findings(Record, frozen=True):
    """All that a reporter has found, each in the order of the game."""

    deals: tuple[ShareDeal, ...] = ()
    sales: tuple[ShareSale, ...] = ()
    rust: tuple[RustCaused, ...] = ()
    falls: tuple[PriceFall, ...] = ()
    savings: tuple[TrainSaving, ...] = ()
    auctions: tuple[AuctionWin, ...] = ()
    fines: tuple[CharterFine, ...] = ()


class Reporter(Protocol):
    """Follows one game from its deal to its end."""

    def note(self, s: Any, event: Event) -> None:  # noqa: ANN401 - the title's own state
        """Note a fact, with the state as it was told."""

    def end_move(self, s: Any) -> None:  # noqa: ANN401
        """Note that a move, and all that followed automatically, is over."""

    def finish(self, s: Any) -> Findings:  # noqa: ANN401
        """Return what was found, at the end of the game."""
