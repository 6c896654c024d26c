"""A standing order: what is wished, and what has come of it since."""

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


def change_order(order: Order, **fields: Any) -> Order:  # noqa: ANN401  # fields of an order
    """Return an order with other fields."""
    return msgspec.structs.replace(order, **fields)
