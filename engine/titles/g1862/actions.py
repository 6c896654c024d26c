"""What a player of 1862 can say."""

from typing import Literal

from engine.finance.actions import EndGame, Pass
from engine.rails.actions import LayTile
from engine.record import Action


class Bid(Action, frozen=True, tag="bid"):
    """Propose a company in Parliament, or raise the bid for it."""

    verb = "bid"
    helps = {"company": "The company proposed", "amount": "The whole bid, a multiple of 5"}
    company: str
    amount: int


class Start(Action, frozen=True, tag="start"):
    """Start a company: take its director's certificate and set its price."""

    verb = "start"
    helps = {"company": "The company to start", "price": "Its price a share; the certificate costs three times that"}
    company: str
    price: int


class BuyShare(Action, frozen=True, tag="buy"):
    """Buy a share of 10 %."""

    verb = "buy"
    helps = {"share": "Which company, and from where"}
    command = {"share": ("company", "source")}
    company: str
    source: Literal["ipo", "pool", "treasury"]


class Sell(Action, frozen=True, tag="sell"):
    """Sell shares of one company to the bank pool."""

    verb = "sell"
    helps = {"company": "Whose shares", "count": "How many shares of 10 %"}
    command = {"company": ("company",), "count": ("count",)}
    company: str
    count: int
    # The price of a share that a game of 18xx.games recorded, where it is not what we reckon; no command can say it.
    recorded: int = 0


class Markers(Action, frozen=True, tag="markers"):
    """Choose how many station markers your new company buys."""

    verb = "markers"
    helps = {"count": "How many, the home marker included; £40 each"}
    count: int


class AddStation(Action, frozen=True, tag="station"):
    """Build a small station on a line of a green or russet tile."""

    verb = "station"
    helps = {"line": "Which line of which tile"}
    command = {"line": ("hex", "a", "b")}
    hex: str
    a: int
    b: int


class LinkLondon(Action, frozen=True, tag="london"):
    """Build the link to London instead of track."""

    verb = "london"
    helps = {"place": "Which space beside the map; it makes no difference"}
    place: Literal["B15", "D15"] = "B15"


class PlaceMarker(Action, frozen=True, tag="token"):
    """Place a station marker in a large station you can reach."""

    verb = "token"
    helps = {"hex": "Where"}
    hex: str


class Run(Action, frozen=True, tag="run"):
    """Run the trains: the best plan, or routes of your own."""

    verb = "run"
    helps = {"plan": "best, or a route for each train"}
    command = {"plan": ("plan",)}
    plan: str
    # Revenue and subsidy as a game of 18xx.games recorded them, which are kept; no command can say them.
    recorded: tuple[int, ...] = ()


class Dividend(Action, frozen=True, tag="dividend"):
    """Pay the revenue out, keep all of it, or top it up (Hudson)."""

    verb = "dividend"
    helps = {"choice": "Pay out, keep, or pay out topped up from the treasury"}
    command = {"choice": ("kind",)}
    kind: Literal["pay", "keep", "hudson"]


class BuyTrain(Action, frozen=True, tag="train"):
    """Buy a train from the bank or from another company."""

    verb = "train"
    helps = {"train": "Which train, from whom", "warranties": "Extra warranties at £50 each; from the bank only"}
    command = {"train": ("train", "seller"), "warranties": ("warranties",)}
    train: str
    seller: str
    warranties: int = 0


class RaiseMoney(Action, frozen=True, tag="raise"):
    """Raise the money for a train the company must have."""

    verb = "raise"
    helps = {"choice": "Sell shares from the treasury, or refinance the company"}
    command = {"choice": ("how",)}
    how: Literal["treasury", "refinance"]


class Redeem(Action, frozen=True, tag="redeem"):
    """Redeem one share of the company from the bank pool."""

    verb = "redeem"


class Merge(Action, frozen=True, tag="merge"):
    """Merge the company with another, or acquire it at the end of the turn."""

    verb = "merge"
    helps = {"company": "The other company", "survivor": "Which of the two goes on"}
    company: str
    survivor: str


class Answer(Action, frozen=True, tag="answer"):
    """Accept or decline what another director proposes."""

    verb = "answer"
    helps = {"reply": "Accept or decline"}
    reply: Literal["accept", "decline"]


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take back your proposal to another director."""

    verb = "cancel"


class Option(Action, frozen=True, tag="option"):
    """Redeem your option share, or give it up."""

    verb = "option"
    helps = {"choice": "Pay for it and keep it, or be paid and give it up"}
    choice: Literal["redeem", "sell"]


class RemoveMarker(Action, frozen=True, tag="remove"):
    """Remove a station marker: the merged company has too many."""

    verb = "remove"
    helps = {"hex": "Where"}
    hex: str


ACTIONS: tuple[type[Action], ...] = (
    Bid, Pass, BuyShare, Start, Sell, Markers, LayTile, AddStation, LinkLondon, PlaceMarker, Run, Dividend, BuyTrain,
    RaiseMoney, Redeem, Merge, Answer, Withdraw, Option, RemoveMarker, EndGame,
)  # fmt: skip
