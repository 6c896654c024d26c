"""What a standing order does when its moment has come: go on, stop, or leave it to its owner.

Its moves are ordinary moves, checked like any other.
"""

from collections.abc import Callable, Mapping

from bot.model.orders import AFTER, ANY, Kind, Order, changed
from engine import Action, Game, Record
from engine.orders import AnyOrders, Moment


class Act(Record, frozen=True):
    """The order makes a move, and is then another."""

    action: Action
    order: Order


class OrderStop(Record, frozen=True):
    """The order ends: done, or stopped for a reason."""

    reason: str
    done: bool = False


Decision = Act | OrderStop | None


def meaning(game: Game) -> AnyOrders:
    """Return what standing orders mean with the title of a game that has any."""
    assert game.title.orders is not None  # nobody could set any
    return game.title.orders


def decide(game: Game, order: Order) -> Decision:
    """Return what an order does now."""
    moment: Moment = meaning(game).moment(game.state)
    waits = order.round.startswith(AFTER)
    if order.round and not waits and order.round != moment.round:
        return OrderStop(f"{order.round} is over.", done=True)
    if not moment.step or waits:
        return None
    return _KINDS[order.kind](game, order, moment)


def alarmed(game: Game, order: Order) -> str:
    """Return the words of the first alarm since an order was set that its owner can answer; empty if none."""
    legal = game.legal(order.seat) if order.heard else ()
    for heard in order.heard:
        if any(_concerns(action, heard.company) for action in legal):
            return heard.words
    return ""


def _concerns(action: Action, company: str) -> bool:
    return any(getattr(action, field) == company for field in action.__struct_fields__)


def legal_pass(game: Game, seat: int) -> Action | None:
    """Return the pass of a seat, ``None`` if it may not pass."""
    return next((action for action in game.legal(seat) if action.verb == "pass"), None)


def _pass_round(game: Game, order: Order, moment: Moment) -> Decision:
    """Pass in a stock round until something happens that the owner can answer."""
    if moment.step != "stock":
        return None
    if why := alarmed(game, order):
        return OrderStop(why)
    move = legal_pass(game, order.seat)
    return Act(move, order) if move else OrderStop("You may not pass now.")


def _buy(game: Game, order: Order, moment: Moment) -> Decision:
    """Buy one share a turn until the company has floated, or enough are held."""
    if moment.step != "stock":
        return None
    state = game.state
    held = meaning(game).holding(state, order.seat, order.company)
    if held is None:
        return OrderStop(f"{order.company} is not to be had.")
    enough = held.shares >= order.amount if order.amount else held.floated
    if moment.bought:
        move = legal_pass(game, order.seat)
        return Act(move, order) if move else None
    if enough:
        floated = ", and it has floated" if held.floated else ""
        return OrderStop(f"You hold {held.shares} shares of {order.company}{floated}.", done=True)
    if held.price != order.seen:
        return OrderStop(f"The price of {order.company} went from {order.seen} to {held.price}.")
    if why := alarmed(game, order):
        return OrderStop(why)
    wanted = meaning(game).purchase(state, order.company, order.source)
    if wanted is None or wanted not in game.legal(order.seat):
        return OrderStop(f"You cannot buy {order.company} now.")
    return Act(wanted, order)


def _bid(game: Game, order: Order, moment: Moment) -> Decision:
    """Raise by the least there is, up to a limit; beyond it drop out."""
    if moment.step != "bid" or (order.company not in (moment.company, ANY)):
        return None
    wanted = meaning(game).raised(game.state, order.seat, moment.company, order.amount)
    move = wanted if wanted is not None else legal_pass(game, order.seat)
    return Act(move, order) if move else None


def _run(game: Game, order: Order, moment: Moment) -> Decision:
    """Run the best there is, and pay it out."""
    if moment.company != order.company or moment.step not in ("run", "dividend"):
        return None
    move = meaning(game).run if moment.step == "run" else meaning(game).pay
    if move is None:
        return None
    if moment.step == "dividend" and move not in game.legal(order.seat):
        return OrderStop(f"{order.company} cannot pay.")
    return Act(move, order)


def _steps(game: Game, order: Order, moment: Moment) -> Decision:
    """Pass the steps that are named."""
    if moment.step not in order.steps or order.company not in ("", moment.company):
        return None
    move = legal_pass(game, order.seat)
    return Act(move, order) if move else OrderStop(f"{moment.company} may not pass now.")


def _build(game: Game, order: Order, moment: Moment) -> Decision:
    """Build the next link of the list."""
    if moment.step != "build" or moment.company != order.company:
        return None
    if not order.links:
        return OrderStop("All links of the list are built.", done=True)
    wanted = meaning(game).link(game.state, order.links[0])
    if wanted is None or wanted not in game.legal(order.seat):
        return OrderStop(f"{order.company} cannot build {order.links[0]} now.")
    return Act(wanted, changed(order, links=order.links[1:]))


_KINDS: Mapping[Kind, Callable[[Game, Order, Moment], Decision]] = {
    "pass": _pass_round,
    "buy": _buy,
    "bid": _bid,
    "run": _run,
    "steps": _steps,
    "build": _build,
}
