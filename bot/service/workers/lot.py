"""The lot that is bid for, as a worker sees it."""

from bot.service.workers.held import Held, Task
from engine import Record


class Lot(Record, frozen=True):
    """A lot that is bid for: in which round, which one, and the seats that could go higher."""

    round: str
    company: str
    seats: tuple[int, ...]


def _lot(held: Held, _: None) -> Lot | None:
    """Return the lot that is bid for; ``None`` where none is."""
    orders, state = held.game.title.orders, held.game.state
    moment = None if orders is None else orders.moment(state)
    if orders is None or moment is None or moment.step != "bid":
        return None
    return Lot(moment.round, moment.company, orders.bidders(state))


LOT = Task("lot", _lot, None, Lot | None)
