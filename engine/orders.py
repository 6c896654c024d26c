"""What standing orders need to know of a title: where a game stands, what alarms, what plays on.

An order is set by a player, waits, and makes an ordinary move when its moment
comes. What orders there are and when they stop is the same for all titles; a
title says in one record what their words mean with it, or nothing at all.
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

from engine.record import Action, Event, Record

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
        bidders: the seats that are still in the bidding for it, and do not lead.
        purchase: a share of a company from a source. holding: what a seat has of a company.
        link: the build that a link of a list means.
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
    purchase: Callable[[S, str, str], Action | None] = _no_purchase
    holding: Callable[[S, int, str], SharesHeld | None] = lambda _s, _seat, _company: None
    link: Callable[[S, str], Action | None] = lambda _s, _link: None
    alarm: Callable[[S, Event, int], Alarm | None] = lambda _s, _event, _seat: None
    breaks: tuple[type[Event], ...] = ()

    @property
    def has_stock_rounds(self) -> bool:
        """Whether the game has stock rounds."""
        return self.purchase is not _no_purchase


AnyOrders = Orders[Any]
