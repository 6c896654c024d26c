"""Facts of a game of 1862, in the past tense; ``say.py`` words them. Seat -1 is a company's treasury."""

from typing import ClassVar

from engine.record import Event


class CharterWon(Event, frozen=True):
    """A player won a charter and paid the bid."""

    seat: int
    company: str
    amount: int


class MarkersBought(Event, frozen=True):
    """A company bought station markers."""

    company: str
    count: int
    cost: int


class CharterFailed(Event, frozen=True):
    """A chartered company did not float; its player is fined."""

    seat: int
    company: str
    fine: int


class FinePaid(Event, frozen=True):
    """A player paid towards a fine."""

    seat: int
    amount: int
    owed: int


class DebtLapsed(Event, frozen=True):
    """A player had nothing left to pay a fine with."""

    seat: int
    amount: int


class HomePlaced(Event, frozen=True):
    """A company placed its home marker; ``displaced`` lost its own there."""

    company: str
    hex: str
    displaced: str
    waits: bool


class StationBuilt(Event, frozen=True):
    """A small station was built."""

    company: str
    hex: str
    a: int
    b: int


class LondonLinked(Event, frozen=True):
    """A company built its link to London."""

    company: str


class MarkerPlaced(Event, frozen=True):
    """A station marker was placed."""

    company: str
    hex: str


class MarkerRemoved(Event, frozen=True):
    """A station marker was taken off the map."""

    company: str
    hex: str


class RunCorrected(Event, frozen=True):
    """A recorded run earned something else than we compute."""

    company: str
    revenue: int
    subsidy: int
    our_revenue: int
    our_subsidy: int


class TrainsRusted(Event, frozen=True):
    """Trains left the game."""

    trains: tuple[str, ...]
    company: str


class LnerAnnounced(Event, frozen=True):
    """The LNER will form at the end of the set."""


class LnerFormed(Event, frozen=True):
    """The LNER was formed."""

    is_turning_point: ClassVar[bool] = True
    limit: int


class OfferMade(Event, frozen=True):
    """A director asked another for a merger or a train."""

    kind: str
    company: str
    other: str
    proposer: int
    decider: int
    detail: str


class OfferAccepted(Event, frozen=True):
    """A director agreed to what another asked; ``kind`` as in ``OfferMade``."""

    seat: int
    kind: str
    company: str
    other: str


class OfferDeclined(Event, frozen=True):
    """A director refused."""

    seat: int
    company: str
    other: str


class OfferWithdrawn(Event, frozen=True):
    """A proposal was taken back."""

    seat: int
    company: str
    other: str


class MergerBegan(Event, frozen=True):
    """Two companies merged."""

    is_turning_point: ClassVar[bool] = True
    survivor: str
    other: str
    price: int
    par: int


class SharesReturned(Event, frozen=True):
    """A holder returned shares."""

    company: str
    seat: int
    count: int


class SharesSwapped(Event, frozen=True):
    """A holder swapped a share of the company that ends for one of the survivor."""

    seat: int
    other: str
    survivor: str
    source: str


class SharesCashed(Event, frozen=True):
    """Shares that could not be swapped were sold to the bank."""

    seat: int
    company: str
    count: int
    amount: int


class CertificateSwapped(Event, frozen=True):
    """A director's certificate was swapped for ordinary ones."""

    seat: int
    company: str


class CertificatesExchanged(Event, frozen=True):
    """The director's certificate of the company that ends was swapped for the survivor's."""

    seat: int
    other: str
    survivor: str


class OptionRedeemed(Event, frozen=True):
    """An option share was redeemed."""

    seat: int
    company: str
    amount: int


class OptionSold(Event, frozen=True):
    """An option share was given up."""

    seat: int
    company: str
    amount: int


class MergerEnded(Event, frozen=True):
    """All assets were moved."""

    survivor: str
    other: str


class RefinancingBegan(Event, frozen=True):
    """A company's shares are merged, to raise money for a train."""

    company: str


class Refinanced(Event, frozen=True):
    """A company was refinanced."""

    company: str
    amount: int


class TreasurySold(Event, frozen=True):
    """A company sold shares from its treasury."""

    company: str
    count: int
    amount: int


class WentBankrupt(Event, frozen=True):
    """A company went bankrupt."""

    is_turning_point: ClassVar[bool] = True
    company: str
    paid: tuple[int, ...]


class ShareRedeemed(Event, frozen=True):
    """A company redeemed a share."""

    company: str
    price: int
