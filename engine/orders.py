"""What standing orders need to know of a title: where a game stands, what alarms, what plays on.

An order is set by a player, waits, and makes an ordinary move when its moment
comes. What orders there are and when they stop is the same for all titles; a
title says in one record what their words mean with it, or nothing at all.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, cast

import msgspec

from engine.record import Action, Event, Record
from engine.words import join_words

S = TypeVar("S")


class Moment(Record, frozen=True):
    """Where a game stands, as orders see it.

    Args:
        round: an order set in it ends with it. step: what is decided, a word of the title's; "" where no order may.
        company: that acts, or is bid for. bought: what this stock turn allows to buy is bought.
    """

    round: str
    step: str = ""
    company: str = ""
    bought: bool = False


class SharesHeld(Record, frozen=True):
    """What an order to buy looks at: shares held, the price of one, whether the company has floated."""

    shares: int
    price: int
    floated: bool


class Alarm(Record, frozen=True):
    """Something that happened which a player may want to answer: the company it is about, and words for it."""

    company: str
    words: str


class _OfSeat(Protocol):
    """An event about a seat; of a bid, with its amount."""

    seat: int
    amount: int


class Bidding(Record, frozen=True):
    """The events of a title's auctions, by which a raise war is told in one sentence.

    Args:
        bid: a seat bids an amount. out: a seat is out. won: a seat gets the lot.
        money: the words of an amount.
    """

    bid: type[Event]
    out: type[Event]
    won: type[Event]
    money: Callable[[int], str] = str

    def fold(self, events: Sequence[Event], say: Callable[[Event], str], names: Sequence[str]) -> tuple[str, ...]:
        """Return what is told of a raise war: who has won or leads, and the last bid of each other, in one sentence.

        What else happened is told after it.
        """
        last: dict[int, Event] = {}
        out, won, rest = list[int](), list[Event](), list[Event]()
        for event in events:
            seat = cast("_OfSeat", event).seat if isinstance(event, self.bid | self.out) else -1
            if isinstance(event, self.bid):
                last.pop(seat, None)
                last[seat] = event
            elif isinstance(event, self.out):
                out.append(seat)
            else:
                (won if isinstance(event, self.won) else rest).append(event)
        head = [*last.values(), *won][-1:]
        if not head:
            return tuple(map(say, events))
        leader = cast("_OfSeat", head[0]).seat
        others = [seat for seat in reversed(last) if seat != leader]
        bids = [(seat, self.money(cast("_OfSeat", last[seat]).amount)) for seat in others]
        words = [
            f"{names[seat]} dropped out after {bid}"
            if seat in out and not won
            else f"{names[seat]}'s last bid was {bid}"
            for seat, bid in bids
        ]
        if passed := [names[seat] for seat in out if seat not in last]:
            words.append(f"{join_words(passed)} passed")
        told = say(head[0])
        return (f"{told.rstrip('.')}; {', '.join(words)}." if words else told, *map(say, rest))


def _no_purchase(state: object, company: str, source: str) -> Action | None:
    """Return no purchase."""
    del state, company, source
    return None


class Orders(msgspec.Struct, Generic[S], frozen=True):
    """What standing orders mean with a title; all functions are pure, and change nothing.

    Args:
        moment: where the game stands.
        passes: steps that an order may pass, each with its words; "stock" is passed by an order of its own.
        companies: codes of the companies or lots that orders can be about, with their words.
        run, pay: what a company that runs by order says; ``None`` where none does.
        revenue: what the company that acts has just run for; 0 before it ran.
        raised: the bid for a lot that goes on, not above an amount; ``None`` where that is not enough.
        bidders: the seats that are still in the bidding for it, and do not lead. bidding: its events.
        purchase: a share of a company from a source. holding: what a seat has of a company.
        link: the build that a link of a list means. director: the seat that moves for a company, -1 if none does.
        alarm: what a seat may want to answer in an event, looked at after it.
        breaks: events that end all orders.
    """

    moment: Callable[[S], Moment]
    passes: Mapping[str, str]
    companies: Callable[[S], tuple[tuple[str, str], ...]]
    run: Action | None = None
    pay: Action | None = None
    revenue: Callable[[S], int] = lambda _s: 0
    raised: Callable[[S, int, str, int], Action | None] = lambda _s, _seat, _company, _amount: None
    bidders: Callable[[S], tuple[int, ...]] = lambda _s: ()
    bidding: Bidding | None = None
    purchase: Callable[[S, str, str], Action | None] = _no_purchase
    holding: Callable[[S, int, str], SharesHeld | None] = lambda _s, _seat, _company: None
    link: Callable[[S, str], Action | None] = lambda _s, _link: None
    director: Callable[[S, str], int] = lambda _s, _company: -1
    alarm: Callable[[S, Event, int], Alarm | None] = lambda _s, _event, _seat: None
    breaks: tuple[type[Event], ...] = ()

    @property
    def has_stock_rounds(self) -> bool:
        """Whether the game has stock rounds."""
        return self.purchase is not _no_purchase


AnyOrders = Orders[Any]
