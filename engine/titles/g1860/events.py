"""Facts of a game of 1860, in the past tense; ``say.py`` words them."""

from typing import ClassVar

from engine.record import Event


class AuctionWon(Event, frozen=True):
    """A player won the right to choose a lot."""

    seat: int
    amount: int


class PrivateBought(Event, frozen=True):
    """A player bought a private company."""

    seat: int
    private: str
    price: int


class PrivateSold(Event, frozen=True):
    """A player sold a private company to the bank."""

    seat: int
    private: str
    price: int


class PrivateExchanged(Event, frozen=True):
    """A player swapped a private company for a share."""

    seat: int
    private: str
    company: str


class PrivateClosed(Event, frozen=True):
    """A private company left the game."""

    private: str


class LayerOpened(Event, frozen=True):
    """The companies of a layer may be started."""

    layer: int


class BasePlaced(Event, frozen=True):
    """A base was placed."""

    company: str
    hex: str
    cost: int


class HomeNotPlaced(Event, frozen=True):
    """A company floated too late to place its home base (Formation of the Southern Railway)."""

    company: str


class PrivatesPaid(Event, frozen=True):
    """A player's privates paid at the start of an operating round."""

    seat: int
    amount: int


class BonusEarned(Event, frozen=True):
    """A company linked home and destination for the first time (Variant: Destinations)."""

    company: str
    destination: str
    amount: int


class TrainOffered(Event, frozen=True):
    """A price was named for a train of another director's company; ``seat`` must answer.

    Args:
        countered: the seller named it, in answer to an offer.
    """

    buyer: str
    seller: str
    train: str
    price: int
    seat: int
    countered: bool = False


class OfferDeclined(Event, frozen=True):
    """An offer for a train was declined."""

    buyer: str
    seller: str
    train: str
    seat: int


class OfferWithdrawn(Event, frozen=True):
    """An offer for a train was taken back."""

    buyer: str
    seller: str
    train: str


class TrainDiscarded(Event, frozen=True):
    """A company returned an excess train to the bank."""

    company: str
    train: str


class InsolvencyBegan(Event, frozen=True):
    """A company without a train became insolvent."""

    company: str


class InsolvencyEnded(Event, frozen=True):
    """A company stopped being insolvent."""

    company: str


class WentBankrupt(Event, frozen=True):
    """A company's price fell to zero."""

    is_turning_point: ClassVar[bool] = True
    company: str


class SouthernFormed(Event, frozen=True):
    """The first 9+5 was sold; track and bases stop at the next stock round."""

    is_turning_point: ClassVar[bool] = True


class TrackStopped(Event, frozen=True):
    """No more track, bases or halts."""


class Nationalised(Event, frozen=True):
    """British Rail was formed: only operating rounds follow."""

    is_turning_point: ClassVar[bool] = True


class CompanyClosed(Event, frozen=True):
    """British Rail closed a company; ``revenue`` is what it earned last."""

    company: str
    revenue: int
