"""A title small enough to read at a glance: an auction of lots, and offers that another seat must answer.

Each seat has £20. In turn a player bids on the lot, passes, or offers a won
lot to a neighbour, who must answer before the game goes on. The lot goes to
the last who has not passed; when all lots are gone, cash and lots are counted.
One card a seat is secret.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from engine import (
    Action,
    Ask,
    Event,
    LobbyOption,
    Picture,
    Request,
    Result,
    Rng,
    Rule,
    RuleError,
    Score,
    Setup,
    Tip,
    Title,
)
from engine.hex_view import HexView
from engine.title import Hints, Replies, Tell, Views, Wording
from engine.view import Entry, MapView, Note, Sheet, TableView, View

BOOK = Rule("Toy", "bidding")
TRADE = Rule("Toy", "offers")
LOT_VALUE = 7


class Bid(Action, frozen=True, tag="bid"):
    """Bid more than anyone so far."""

    verb = "bid"
    brief = "bid"
    helps = {"amount": "pounds"}
    asks = {"amount": "How much do you bid?"}
    amount: int


class Pass(Action, frozen=True, tag="pass"):
    """Pass: out of this auction."""

    verb = "pass"
    brief = "pass"


class Offer(Action, frozen=True, tag="offer"):
    """Offer a lot you own to another player, who must answer."""

    verb = "offer"
    brief = "offer a lot"
    asks = {"lot": "Which lot, and to whom?", "price": "For how much?"}
    command = {"lot": ("lot", "to"), "price": ("price",)}
    helps = {"lot": "lot and buyer", "price": "pounds"}
    lot: int
    to: int
    price: int


class Answer(Action, frozen=True, tag="answer"):
    """Answer an offer: accept or decline."""

    verb = "answer"
    brief = "answer an offer"
    word: str


class Said(Event, frozen=True):
    seat: int
    what: str


class State(msgspec.Struct):
    seats: int
    lots: int
    turn: int = 0
    lot: int = 1
    bid: int = 0
    leader: int = -1
    out: list[int] = []
    cash: list[int] = []
    owner: dict[int, int] = {}
    offer: tuple[int, int, int, int] | None = None
    secret: list[int] = []


def deal(setup: Setup) -> State:
    if not 2 <= setup.seats <= 4:
        raise RuleError(f"The toy is for 2 to 4 players, not {setup.seats}.", BOOK)
    if setup.options.get("length") == "long" and setup.seats == 4:
        raise RuleError("Four players play the short game only.", BOOK)
    lots = 4 if setup.options.get("length") == "long" else 2
    cards = Rng(setup.seed).shuffle(range(100, 100 + setup.seats))
    return State(setup.seats, lots, cash=[20] * setup.seats, secret=cards)


def clone(s: State) -> State:
    return State(
        s.seats, s.lots, s.turn, s.lot, s.bid, s.leader, [*s.out], [*s.cash], dict(s.owner), s.offer, [*s.secret]
    )


def actors(s: State) -> tuple[int, ...]:
    if s.lot > s.lots:
        return ()
    return (s.offer[1],) if s.offer else (s.turn,)


def legal(s: State, seat: int) -> Iterable[Action]:
    if s.offer:
        if s.cash[seat] >= s.offer[3]:
            yield Answer("accept")
        yield Answer("decline")
        return
    yield Pass()
    for amount in range(s.bid + 1, s.cash[seat] + 1):
        yield Bid(amount)
    for lot, owner in s.owner.items():
        if owner == seat:
            yield from (Offer(lot, to, price) for to in range(s.seats) if to != seat for price in (1, 5))


class Move(NamedTuple):
    """A legal move."""

    seat: int
    action: Action


def check(s: State, seat: int, action: Action) -> object:
    if s.offer and not isinstance(action, Answer):
        raise RuleError("An offer waits for its answer.", TRADE)
    if isinstance(action, Bid):
        if action.amount <= s.bid:
            raise RuleError(f"A bid must be more than £{s.bid}; you said £{action.amount}.", BOOK)
        if action.amount > s.cash[seat]:
            raise RuleError(f"You have £{s.cash[seat]}, the bid needs £{action.amount}.", BOOK)
    if isinstance(action, Offer) and (
        s.owner.get(action.lot) != seat or not 0 <= action.to < s.seats or action.to == seat or action.price < 0
    ):
        raise RuleError("You can offer only a lot of yours to somebody else.", TRADE)
    if isinstance(action, Answer):
        if not s.offer or action.word not in ("accept", "decline"):
            raise RuleError("There is no offer to answer so.", TRADE)
        if action.word == "accept" and s.cash[seat] < s.offer[3]:
            raise RuleError(f"You have £{s.cash[seat]}, the offer needs £{s.offer[3]}.", TRADE)
    return Move(seat, action)


def apply(s: State, plan: object, tell: Tell) -> None:
    assert isinstance(plan, Move)
    seat, action = plan
    if isinstance(action, Bid):
        s.bid, s.leader = action.amount, seat
        tell(Said(seat, f"bids £{action.amount} for lot {s.lot}"))
    elif isinstance(action, Pass):
        s.out.append(seat)
        tell(Said(seat, "passes"))
    elif isinstance(action, Offer):
        s.offer = (seat, action.to, action.lot, action.price)
        tell(Said(seat, f"offers lot {action.lot} for £{action.price}"))
        return
    elif isinstance(action, Answer):
        assert s.offer
        seller, buyer, lot, price = s.offer
        s.offer = None
        if action.word == "accept":
            s.cash[buyer] -= price
            s.cash[seller] += price
            s.owner[lot] = buyer
        tell(Said(seat, f"{action.word}s the offer"))
        return
    go_on(s, tell)


def go_on(s: State, tell: Tell) -> None:
    left = [seat for seat in range(s.seats) if seat not in s.out]
    if left == [s.leader] or not left:
        if s.leader >= 0:
            s.cash[s.leader] -= s.bid
            s.owner[s.lot] = s.leader
            tell(Said(s.leader, f"wins lot {s.lot}"))
        s.lot, s.bid, s.leader, s.out = s.lot + 1, 0, -1, []
    s.turn = next(seat % s.seats for seat in range(s.turn + 1, s.turn + 1 + s.seats) if seat % s.seats not in s.out)


def ask(s: State) -> Ask:
    seats = actors(s)
    if not seats:
        return Ask((), "The auctions are over", "")
    if s.offer:
        return Ask(seats, f"Offer of lot {s.offer[2]}", "accept or decline", (f"£{s.offer[3]}",))
    return Ask(seats, f"Auction of lot {s.lot}", "bid or pass", (f"Highest bid £{s.bid}", f"Cash £{s.cash[seats[0]]}"))


def label(s: State, action: Action, parameter: str) -> str:
    if isinstance(action, Bid):
        return f"£{action.amount}"
    if isinstance(action, Offer):
        words = {"lot": f"lot {action.lot} to seat {action.to + 1}", "price": f"£{action.price}"}
        return words.get(parameter, "" if parameter else ", ".join(words.values()))
    return action.word if isinstance(action, Answer) else "pass"


def say(event: Event, names: Sequence[str]) -> str:
    assert isinstance(event, Said)
    return f"{names[event.seat]} {event.what}."


def look(s: State, request: Request) -> View:
    if request.picture == "map":
        hexes = tuple(
            HexView(f"A{lot}", lot, 0, ink="yellow" if lot in s.owner else "plain") for lot in range(1, s.lots + 1)
        )
        return MapView("Lots", "The lots in a row.", hexes)
    if request.picture == "player":
        seat = int(request.about) if request.about.isdecimal() and int(request.about) < s.seats else 0
        card = s.secret[seat] if seat == request.seat else "hidden"
        return Note("Player", "A player.", (request.find_name(seat), f"£{s.cash[seat]}", f"card {card}"))
    rows = tuple((Entry(request.find_name(seat)), Entry(f"£{cash}")) for seat, cash in enumerate(s.cash))
    return Sheet("Table", "Who has what.", (TableView("Cash", (Entry("Player"), Entry("Cash")), rows),))


def result(s: State) -> Result | None:
    if s.lot <= s.lots:
        return None
    lots = list(s.owner.values())
    scores = [Score(seat, cash + LOT_VALUE * lots.count(seat)) for seat, cash in enumerate(s.cash)]
    scores.sort(key=lambda score: (-score.total, score.seat))
    return Result("all lots sold", tuple(scores), (scores[0].seat,))


def choose(s: State, seat: int, rng: Rng) -> Action:
    return rng.choose([action for action in legal(s, seat) if not isinstance(action, Offer)])


def tips(s: State, seat: int) -> Sequence[Tip]:
    return () if s.offer else (Tip(Bid(s.bid + 1), f"Bid {s.bid + 1}"),)


def toy(name: str = "toy") -> Title[State]:
    """Return the toy under an id of its own."""
    return Title(
        id=name,
        name="The Toy",
        seats=(2, 4),
        options=(LobbyOption("length", "Length", "How many lots.", (("short", "2 lots"), ("long", "4 lots"))),),
        actions=(Bid, Pass, Offer, Answer),
        open_verbs=frozenset(),
        deal=deal,
        clone=clone,
        actors=actors,
        legal=legal,
        check=check,
        apply=apply,
        spell_out=lambda s, seat, action: action,
        result=result,
        words=Wording(
            ask=ask,
            label=label,
            say=say,
            rules=lambda _options: [
                ("§1", "Bidding", "A bid is higher than the last."),
                ("§2", "Offers", "Offers are answered."),
            ],
        ),
        views=Views(
            pictures=(
                Picture("map", "Map", every_turn=True),
                Picture("table", "Table", every_turn=True),
                Picture("player", "Player", about="seat"),
            ),
            look=look,
            illustrate=lambda s, seat, actions: None,
            subjects=lambda s, kind: [],
        ),
        advice=Hints(choose=choose, tips=tips),
        replies=Replies((Answer,), Answer("accept"), Answer("decline")),
    )
