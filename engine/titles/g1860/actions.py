"""What a player of 1860 can say."""

from typing import Literal

from engine.finance.actions import EndGame, Pass
from engine.rails.actions import LayTile
from engine.record import Action


class Bid(Action, frozen=True, tag="bid"):
    """Bid in the auction: the whole bid, not what is added."""

    verb = "bid"
    helps = {"amount": "The whole bid in pounds, at least 5 above the last"}
    amount: int


class Start(Action, frozen=True, tag="start"):
    """Start a company: take its director's certificate and set its par."""

    verb = "start"
    helps = {
        "company": "The company to start",
        "price": "Its par; the director's certificate costs twice as much",
    }
    command = {"company": ("company",), "price": ("par",)}
    company: str
    par: int


class BuyShare(Action, frozen=True, tag="buy"):
    """Buy a certificate or a private company."""

    verb = "buy"
    helps = {"share": "What to buy, and from where"}
    command = {"share": ("company", "source")}
    company: str
    source: Literal["ipo", "pool"]


class BuyPrivate(Action, frozen=True, tag="buy-private"):
    """Buy a certificate or a private company."""

    verb = "buy"
    helps = {"share": "What to buy, and from where"}
    command = {"share": ("private",)}
    private: str


class Sell(Action, frozen=True, tag="sell"):
    """Sell shares of one company to the bank pool, or a private to the bank."""

    verb = "sell"
    helps = {"company": "Whose shares, or which private", "count": "How many shares of 10 %"}
    company: str
    count: int


class SellPrivate(Action, frozen=True, tag="sell-private"):
    """Sell shares of one company to the bank pool, or a private to the bank."""

    verb = "sell"
    helps = {"company": "Whose shares, or which private"}
    command = {"company": ("private",)}
    private: str


class Exchange(Action, frozen=True, tag="exchange"):
    """Swap a private company for a share of its railway."""

    verb = "exchange"
    helps = {"private": "The private company to give up"}
    private: str


class ClosePrivate(Action, frozen=True, tag="close"):
    """Close one of your private companies (variable private revenue)."""

    verb = "close"
    helps = {"private": "The private company to turn over"}
    private: str


class PlaceBase(Action, frozen=True, tag="token"):
    """Build a base in a city you can reach."""

    verb = "token"
    helps = {"city": "Which city"}
    command = {"city": ("hex", "city")}
    hex: str
    city: int


class Run(Action, frozen=True, tag="run"):
    """Run the trains: the best plan, or routes of your own."""

    verb = "run"
    helps = {"plan": "best, or a route for each train: 3+2 F2.0-F4-G5; 2+1 J6-[I5]-H4"}
    plan: str


class Dividend(Action, frozen=True, tag="dividend"):
    """Pay the revenue out, or keep all of it."""

    verb = "dividend"
    helps = {"choice": "Pay out or keep"}
    command = {"choice": ("kind",)}
    kind: Literal["pay", "keep"]


class BuyTrain(Action, frozen=True, tag="train"):
    """Buy a train from the bank, or offer another company a price for one."""

    verb = "train"
    helps = {"train": "Which train, from whom", "price": "The price in company credits; from the bank the printed one"}
    command = {"train": ("train", "seller"), "price": ("price",)}
    train: str
    seller: str
    price: int


class Answer(Action, frozen=True, tag="answer"):
    """Accept or decline an offer for a train of your company."""

    verb = "answer"
    helps = {"reply": "Accept or decline"}
    reply: Literal["accept", "decline"]


class Counter(Action, frozen=True, tag="counter"):
    """Name another price for the train you are offered money for."""

    verb = "counter"
    helps = {"price": "The price you would accept, in tens"}
    price: int


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take back your offer for a train."""

    verb = "cancel"


class Discard(Action, frozen=True, tag="discard"):
    """Return an excess train to the bank."""

    verb = "discard"
    helps = {"train": "Which train to give up"}
    train: str


ACTIONS: tuple[type[Action], ...] = (
    Bid, Pass, BuyShare, BuyPrivate, Start, Sell, SellPrivate, Exchange, ClosePrivate, LayTile, PlaceBase, Run,
    Dividend, BuyTrain, Answer, Counter, Withdraw, Discard, EndGame,
)  # fmt: skip
