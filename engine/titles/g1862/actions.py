"""What a player of 1862 can say."""

from typing import Literal

from engine.finance.rounds import EndGame, Pass
from engine.finance.trading import BuyOfShare, SaleOfShares
from engine.finance.trains import RunTrains
from engine.rails.laying import LayTile
from engine.record import Action


class Bid(Action, frozen=True, tag="bid"):
    """Propose a company in Parliament, or raise the bid for it."""

    verb = "bid"
    brief = "bid"
    helps = {"company": "The company proposed", "amount": "The total bid, a multiple of 5"}
    asks = {"company": "Which company do you bid for?", "amount": "How much do you bid?"}
    company: str
    amount: int


class Start(Action, frozen=True, tag="start"):
    """Start a company: take its director's certificate and set its price."""

    verb = "start"
    brief = "start a company"
    helps = {"company": "The company to start", "price": "Its price a share; the certificate costs three times that"}
    asks = {"company": "Which company do you start?", "price": "What par do you set?"}
    company: str
    price: int


class BuyShare(BuyOfShare, frozen=True, tag="buy"):
    """Buy a 10% share."""

    verb = "buy"
    brief = "buy a share"
    helps = {"share": "Which company, and from where"}
    asks = {"share": "Which share do you buy?"}
    command = {"share": ("company", "source")}
    source: Literal["ipo", "pool", "treasury"]


class Sell(SaleOfShares, frozen=True, tag="sell"):
    """Sell shares of one company to the bank pool."""

    verb = "sell"
    brief = "sell shares"
    helps = {"company": "Whose shares", "count": "How many 10% shares"}
    asks = {"company": "Whose shares do you sell?", "count": "How many shares do you sell?"}
    command = {"company": ("company",), "count": ("count",)}

    # The price of a share as a game brought from elsewhere states it, where we reckon otherwise; no command can say it.
    recorded: int = 0


class Markers(Action, frozen=True, tag="markers"):
    """Choose how many station markers your new company buys."""

    verb = "markers"
    brief = "buy station markers"
    helps = {"count": "How many, including the home marker; £40 each"}
    asks = {"count": "How many markers does it buy?"}
    count: int


class AddStation(Action, frozen=True, tag="station"):
    """Build a small station on a line of a green or russet tile."""

    verb = "station"
    brief = "build a small station"
    helps = {"line": "Which line of which tile"}
    asks = {"line": "Where do you build a small station?"}
    command = {"line": ("hex", "a", "b")}
    hex: str
    a: int
    b: int


class LinkLondon(Action, frozen=True, tag="london"):
    """Build the link to London instead of track."""

    verb = "london"
    brief = "link London"
    helps = {"place": "Which space beside the map (it makes no difference)"}
    asks = {"place": "In which space? They are all alike."}
    place: Literal["B15", "D15"] = "B15"


class PlaceMarker(Action, frozen=True, tag="token"):
    """Place a station marker in a large station you can reach."""

    verb = "token"
    brief = "place a marker"
    helps = {"hex": "Where"}
    asks = {"hex": "Where do you place a marker?"}
    hex: str


class Run(RunTrains, frozen=True, tag="run"):
    """Run the trains: the best plan, or routes of your own."""

    helps = {"plan": "best, or a route for each train"}
    command = {"plan": ("plan",)}
    # Revenue and subsidy as a game brought from elsewhere states them, which are kept; no command can say them.
    recorded: tuple[int, ...] = ()


class Dividend(Action, frozen=True, tag="dividend"):
    """Pay the revenue out, keep all of it, or top it up (Hudson)."""

    verb = "dividend"
    brief = "pay out or keep the revenue"
    helps = {"choice": "Pay out, keep, or pay out topped up from the treasury"}
    asks = {"choice": "Pay the revenue out, or keep it?"}
    command = {"choice": ("kind",)}
    kind: Literal["pay", "keep", "hudson"]


class BuyTrain(Action, frozen=True, tag="train"):
    """Buy a train from the bank or from another company."""

    verb = "train"
    brief = "buy a train"
    helps = {"train": "Which train, and its seller", "warranties": "Extra warranties at £50 each, only from the bank"}
    asks = {"train": "Which train do you buy?", "warranties": "With how many warranties, £50 each?"}
    command = {"train": ("train", "seller"), "warranties": ("warranties",)}
    usual = {"seller": "bank"}
    train: str
    seller: str
    warranties: int = 0


class RaiseMoney(Action, frozen=True, tag="raise"):
    """Raise the money for a train the company must have."""

    verb = "raise"
    brief = "raise money"
    helps = {"choice": "Sell shares from the treasury, or refinance the company"}
    asks = {"choice": "How does it raise the money?"}
    command = {"choice": ("how",)}
    how: Literal["treasury", "refinance"]


class Redeem(Action, frozen=True, tag="redeem"):
    """Redeem one share of the company from the bank pool."""

    verb = "redeem"
    brief = "redeem a share"


class Merge(Action, frozen=True, tag="merge"):
    """Merge the company with another, or acquire it at the end of the turn."""

    verb = "merge"
    brief = "merge"
    helps = {"company": "The other company", "survivor": "Which of the two survives"}
    asks = {"company": "Merge with which company?", "survivor": "Which of the two survives?"}
    company: str
    survivor: str


class Answer(Action, frozen=True, tag="answer"):
    """Accept or decline what another director proposes."""

    verb = "answer"
    brief = "answer the proposal"
    helps = {"reply": "Accept or decline"}
    asks = {"reply": "Do you accept?"}
    reply: Literal["accept", "decline"]


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take back your proposal to another director."""

    verb = "cancel"
    brief = "take the proposal back"


class Option(Action, frozen=True, tag="option"):
    """Redeem your option share, or give it up."""

    verb = "option"
    brief = "settle the option"
    helps = {"choice": "Pay for it and keep it, or be paid and give it up"}
    asks = {"choice": "Pay for the share, or give it up?"}
    choice: Literal["redeem", "sell"]


class RemoveMarker(Action, frozen=True, tag="remove"):
    """Remove a station marker: the merged company has too many."""

    verb = "remove"
    brief = "remove a marker"
    helps = {"hex": "Where"}
    asks = {"hex": "Which marker do you remove?"}
    hex: str


ACTIONS: tuple[type[Action], ...] = (
    Bid, Pass, BuyShare, Start, Sell, Markers, LayTile, AddStation, LinkLondon, PlaceMarker, Run, Dividend, BuyTrain,
    RaiseMoney, Redeem, Merge, Answer, Withdraw, Option, RemoveMarker, EndGame,
)  # fmt: skip
