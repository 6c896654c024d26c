"""What a player of 1860 can say."""

from typing import Literal

from engine.finance.rounds import EndGame, Pass
from engine.finance.trading import BuyOfShare, SaleOfShares
from engine.finance.trains import RunTrains
from engine.rails.laying import LayTile
from engine.record import Action


class Bid(Action, frozen=True, tag="bid"):
    """Bid in the auction: the total, not the raise."""

    verb = "bid"
    brief = "bid"
    helps = {"amount": "The total bid in pounds, at least 5 above the high bid"}
    asks = {"amount": "How much do you bid?"}
    amount: int


class Start(Action, frozen=True, tag="start"):
    """Start a company: take its director's certificate and set its par."""

    verb = "start"
    brief = "start a company"
    helps = {
        "company": "The company to start",
        "price": "Its par; the director's certificate costs twice as much",
    }
    asks = {"company": "Which company do you start?", "price": "What par do you set?"}
    command = {"company": ("company",), "price": ("par",)}
    company: str
    par: int


class BuyShare(BuyOfShare, frozen=True, tag="buy"):
    """Buy a certificate or a private company."""

    verb = "buy"
    brief = "buy"
    helps = {"share": "What to buy, and from where"}
    asks = {"share": "What do you buy?"}
    command = {"share": ("company", "source")}
    source: Literal["ipo", "pool"]


class BuyPrivate(Action, frozen=True, tag="buy-private"):
    """Buy a certificate or a private company."""

    verb = "buy"
    brief = "buy"
    helps = {"share": "What to buy, and from where"}
    asks = {"share": "What do you buy?"}
    command = {"share": ("private",)}
    private: str


class Sell(SaleOfShares, frozen=True, tag="sell"):
    """Sell shares of one company to the bank pool, or a private to the bank."""

    verb = "sell"
    brief = "sell"
    helps = {"company": "Whose shares, or which private", "count": "How many 10% shares"}
    asks = {"company": "What do you sell?", "count": "How many shares do you sell?"}


class SellPrivate(Action, frozen=True, tag="sell-private"):
    """Sell shares of one company to the bank pool, or a private to the bank."""

    verb = "sell"
    brief = "sell"
    helps = {"company": "Whose shares, or which private"}
    asks = {"company": "What do you sell?"}
    command = {"company": ("private",)}
    private: str


class Exchange(Action, frozen=True, tag="exchange"):
    """Swap a private company for a share of its railway."""

    verb = "exchange"
    brief = "swap a private company"
    helps = {"private": "The private company to give up"}
    asks = {"private": "Which private company do you give up?"}
    private: str


class ClosePrivate(Action, frozen=True, tag="close"):
    """Close one of your private companies (variable private revenue)."""

    verb = "close"
    brief = "close a private company"
    helps = {"private": "The private company to close"}
    asks = {"private": "Which private company do you close?"}
    private: str


class PlaceBase(Action, frozen=True, tag="token"):
    """Build a base in a city you can reach."""

    verb = "token"
    brief = "build a base"
    helps = {"city": "Which city"}
    asks = {"city": "Where do you build a base?"}
    command = {"city": ("hex", "city")}
    hex: str
    city: int


class Run(RunTrains, frozen=True, tag="run"):
    """Run the trains: the best plan, or routes of your own."""

    helps = {"plan": "best, or a route for each train: 3+2 F2.0-F4-G5; 2+1 J6-[I5]-H4"}


class Dividend(Action, frozen=True, tag="dividend"):
    """Pay the revenue out, or keep all of it."""

    verb = "dividend"
    brief = "pay out or keep the revenue"
    helps = {"choice": "Pay out or keep"}
    asks = {"choice": "Pay the revenue out, or keep it?"}
    command = {"choice": ("kind",)}
    kind: Literal["pay", "keep"]


class BuyTrain(Action, frozen=True, tag="train"):
    """Buy a train from the bank, or offer another company a price for one."""

    verb = "train"
    brief = "buy a train"
    helps = {
        "train": "Which train, and its seller",
        "price": "The price in company credits; from the bank, the printed price",
    }
    asks = {"train": "Which train do you buy?", "price": "At what price?"}
    command = {"train": ("train", "seller"), "price": ("price",)}
    usual = {"seller": "bank", "price": "0"}
    train: str
    seller: str
    price: int


class Answer(Action, frozen=True, tag="answer"):
    """Accept or decline an offer for a train of your company."""

    verb = "answer"
    brief = "answer the offer"
    helps = {"reply": "Accept or decline"}
    asks = {"reply": "Do you accept?"}
    reply: Literal["accept", "decline"]


class Counter(Action, frozen=True, tag="counter"):
    """Name another price for the train."""

    verb = "counter"
    brief = "name another price"
    helps = {"price": "The price you would accept, a multiple of 10"}
    asks = {"price": "For how much would you sell it?"}
    price: int


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take back your offer for a train."""

    verb = "cancel"
    brief = "take the offer back"


class Discard(Action, frozen=True, tag="discard"):
    """Return an excess train to the bank."""

    verb = "discard"
    brief = "return a train"
    helps = {"train": "Which train to give up"}
    asks = {"train": "Which train do you return?"}
    train: str


ACTIONS: tuple[type[Action], ...] = (
    Bid, Pass, BuyShare, BuyPrivate, Start, Sell, SellPrivate, Exchange, ClosePrivate, LayTile, PlaceBase, Run,
    Dividend, BuyTrain, Answer, Counter, Withdraw, Discard, EndGame,
)  # fmt: skip
