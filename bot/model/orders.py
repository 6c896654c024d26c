"""A standing order: what is wished, what has come of it since, and its words."""

from typing import Any, Literal

import msgspec

from engine import Record

Kind = Literal["pass", "buy", "bid", "run", "steps", "build"]
ANY = "any"
"""The lot of a bid that holds for whatever is sold."""
ROUND = "this"
"""The round of an order that is not set yet and shall end with its round."""
AFTER = "after "
"""How the round of an order begins that waits for the next stock round; then the round it was set in."""


class Heard(Record, frozen=True):
    """Something that happened after an order was set: about which company, in words, after how many moves in force.

    Where ``company`` is empty there is no answer to it, and the order holds no more.
    """

    company: str
    words: str
    at: int


class OrderWish(Record, frozen=True):
    """An order as a person wishes it.

    Args:
        kind: what it does, see ``bot/service/orders.py``.
        company: what it is about: a company, a lot; ``ANY`` lot; empty for none, or all companies of the seat.
        amount: bid up to; shares to hold in the end, 0 until the company floats.
        source: where shares are bought, empty for wherever they are to be had.
        steps: to be passed. links: to be built, in this order.
        keep: it outlives its round. coming: it is for the next stock round, as is a pass that is set in no stock round.
    """

    kind: Kind
    company: str = ""
    amount: int = 0
    source: str = ""
    steps: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    keep: bool = False
    coming: bool = False


class Order(OrderWish, frozen=True, kw_only=True):
    """A standing order.

    Args:
        id: its number. seat: whose.
        round: in which it was set and with which it ends; ``AFTER`` and that round while it waits for the next stock
            round; empty if it outlives rounds.
        since: moves in force when it was set. last: when it acted last.
        seen: the price, or the revenue, that may not fall. heard: what alarms since it was set.
        state: active, or why it is not any more. reason: of its stop.
        by_proxy: as its reader sees it: another person set it for their seat.
    """

    id: int
    seat: int
    round: str = ""
    since: int = 0
    last: int = 0
    seen: int = 0
    heard: tuple[Heard, ...] = ()
    state: Literal["active", "stopped", "done", "cancelled"] = "active"
    reason: str = ""
    by_proxy: bool = False


def change_order(order: Order, **fields: Any) -> Order:  # noqa: ANN401  # fields of an order
    """Return an order with other fields."""
    return msgspec.structs.replace(order, **fields)


def replaces(new: Order, old: Order) -> bool:
    """Return whether a new order takes the place of an old one: the same seat's, of the same kind, about the same."""
    subjects = {(each.seat, each.kind, each.company, frozenset(each.steps), each.coming) for each in (new, old)}
    return len(subjects) == 1


def describe_order(order: Order) -> str:
    """Return an order in a few words."""
    until = f"until you hold {order.amount} shares" if order.amount else "until it floats"
    words = {
        "pass": f"pass in {'the next' if order.coming else 'this'} stock round",
        "buy": f"buy {order.company} {until}",
        "bid": f"bid for {'any lot' if order.company == ANY else order.company} up to {order.amount}",
        "run": f"make the best run of {order.company} and pay out",
        "steps": f"pass {', '.join(order.steps)}" + (f" for {order.company}" if order.company else ""),
        "build": f"build with {order.company}: {', '.join(order.links)}",
    }
    is_named = order.round and order.round != ROUND and not order.coming
    by_proxy = ", set by your proxy" if order.by_proxy else ""
    return words[order.kind] + (f" ({order.round})" if is_named else "") + by_proxy


STOP_REASONS: dict[Kind, str] = {
    "pass": "another player sells shares, comes within one share of a company you direct, or starts a company, and you "
    "could respond",
    "buy": "its price changes, you can't buy it, or another player does something you could respond to",
    "bid": "the lot is sold (above your limit, you drop out)",
    "run": "the best run earns less than the last one or can't be paid out",
    "steps": "you can't pass",
    "build": "the next link can't be built",
}


def explain_order(order: Order) -> str:
    """Return what an order does and when it stops."""
    whole = "that round" if order.coming else "this round" if order.round == ROUND else order.round
    ends = f"at the end of {whole}" if order.round else "when you clear it"
    return (
        f"Standing order: {describe_order(order)}. It stops if {STOP_REASONS[order.kind]}; if a company goes "
        "bankrupt; if an undo goes "
        f"back before it was set; and {ends}. No one else sees it before it acts; its moves are marked ⚙. To remove "
        "it, use /auto clear."
    )
