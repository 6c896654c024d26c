"""What happens in a game, as facts with their numbers.

Seats are numbers; companies and places carry their names, since a board of
the group's own may have other ones.
"""

from typing import ClassVar

from engine.record import Event


class CubesTaken(Event, frozen=True):
    """A turn began; every player took cubes and now holds ``cubes``."""

    turn: int
    each: int
    cubes: tuple[int, ...]


class AuctionOpened(Event, frozen=True):
    """A company was put up for auction."""

    seat: int
    company: str
    amount: int


class BidRaised(Event, frozen=True):
    """The high bid was raised."""

    seat: int
    company: str
    amount: int


class DroppedOut(Event, frozen=True):
    """A player left an auction; ``forced`` when he had not enough cubes."""

    seat: int
    company: str
    amount: int
    forced: bool


class CompanyWon(Event, frozen=True):
    """An auction ended; the marker lies with ``marker`` now."""

    seat: int
    company: str
    amount: int
    treasury: int
    marker: int


class MarkerPassed(Event, frozen=True):
    """The holder passed the Active Player marker on; ``forced`` when he had no cubes."""

    seat: int
    to: int
    forced: bool


class AuctionsEnded(Event, frozen=True):
    """The auctions of the turn ended; ``left`` are companies that no one bought."""

    is_turning_point: ClassVar[bool] = True
    left: tuple[str, ...]
    marker: int


class LinkBuilt(Event, frozen=True):
    """A link was built; ``value`` is 0 where the place was connected before."""

    seat: int
    company: str
    origin: str
    destination: str
    cost: int
    value: int
    profit: int
    first: bool
    forced: bool


class LineJoined(Event, frozen=True):
    """The transcontinental link was made."""

    builder: str
    bonus: int
    others: tuple[str, ...]
    other_bonus: int
    links: int


class CompanyPassed(Event, frozen=True):
    """A company passed: it will act as number ``place`` of the next round of this order."""

    company: str
    reason: str
    place: int


class ProfitTaken(Event, frozen=True):
    """A controller was paid the profit of a company; seat -1 when it had none."""

    seat: int
    company: str
    amount: int


class TurnEnded(Event, frozen=True):
    """A turn ended with this cash."""

    turn: int
    cash: tuple[int, ...]
    order: tuple[str, ...]


class GoodsPlaced(Event, frozen=True):
    """The final determination began: cubes by colour on the connected places."""

    counts: tuple[tuple[str, int], ...]


class ControlTaken(Event, frozen=True):
    """A player took control of a company for the final determination."""

    seat: int
    company: str
    shares: int
    tied: bool


class CubeClaimed(Event, frozen=True):
    """A company claimed a goods cube; ``worth`` is the value of its sets now."""

    seat: int
    company: str
    place: str
    goods: str
    worth: int
    forced: bool


class SharesPaid(Event, frozen=True):
    """The shares of a company were paid; ``to`` lists (seat, shares, dollars)."""

    company: str
    value: int
    to: tuple[tuple[int, int, int], ...]


class GameEnded(Event, frozen=True):
    """The game ended."""

    winners: tuple[int, ...]
    cash: tuple[int, ...]
    agreed: bool = False
