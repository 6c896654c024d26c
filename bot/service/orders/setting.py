"""How an order is set, its words, and which fit a moment: for which seat and round, at what price."""

from typing import Any

from bot.model.errors import BotError
from bot.model.orders import AFTER, ANY, ROUND, Kind, Order, OrderWish, changed
from bot.model.records import Position
from bot.model.seating import refuse_unseated
from engine import Game, RuleError
from engine.game import TURN
from engine.orders import AnyOrders


def build_order(here: Position, user: str, wish: OrderWish) -> Order:
    """Return an order for the seat of a user that is to act, or their first.

    Raises:
        BotError: the user has no seat, or the wish says too little.
    """
    refuse_unseated(here, user)
    held = here.table.played_by(user)
    acting = [seat for seat in here.game.actors if seat in held]
    if wish.kind in ("buy", "run", "build", "bid") and not wish.company:
        raise BotError("This order needs a company.")
    if wish.kind == "steps" and not wish.steps:
        raise BotError("This order needs the steps to pass.")
    if wish.kind == "build" and not wish.links:
        raise BotError("This order needs links, such as Denver-Omaha, Omaha-Chicago.")
    given = {field: getattr(wish, field) for field in wish.__struct_fields__}
    return Order(**given, id=0, seat=next(iter((*acting, *held))), round="" if wish.keep else ROUND)


def check_order(game: Game, order: Order) -> Order:
    """Return an order as it is set at a position: in which round, at what price, after which move.

    Raises:
        RuleError: the game knows no such order, company or step.
    """
    orders = game.title.orders
    if orders is None:
        raise RuleError(f"{game.title.name} has no standing orders.", TURN)
    moment = orders.moment(game.state)
    known = {code for code, _ in orders.companies(game.state)} | ({ANY} if order.kind == "bid" else set())
    if order.company and order.company not in known:
        raise RuleError(f"There is no {order.company[:30]}; choose from {', '.join(sorted(known))}.", TURN)
    unknown = [step for step in order.steps if step not in orders.passes]
    if unknown:
        raise RuleError(
            f"An order can't pass “{unknown[0][:20]}”, only: {', '.join(orders.passes) or 'nothing'}.", TURN
        )
    if order.kind == "pass" and not orders.has_stock_rounds:
        raise RuleError(f"{game.title.name} has no stock rounds in which an order could pass.", TURN)
    seen = order.seen
    if order.kind == "buy":
        held = orders.holding(game.state, order.seat, order.company)
        if held is None:
            raise RuleError(f"{order.company} isn't available yet.", TURN)
        seen = held.price
    count = len(game.line)
    waits = order.kind == "pass" and (order.coming or moment.step != "stock")
    here = f"{AFTER}{moment.round}" if waits else moment.round
    return changed(order, round=order.round and here, coming=waits, since=count, last=count, seen=seen)


def replaces(new: Order, old: Order) -> bool:
    """Return whether a new order takes the place of an old one: the same seat's, of the same kind, about the same."""
    return _get_subject(new) == _get_subject(old)


def _get_subject(order: Order) -> tuple[int, Kind, str, frozenset[str], bool]:
    return order.seat, order.kind, order.company, frozenset(order.steps), order.coming


def list_offers(game: Game, seat: int) -> list[OrderWish]:
    """Return the orders that fit the moment for a seat, the likeliest first."""
    known = game.title.orders
    if known is None:
        return []
    moment = known.moment(game.state)
    if moment.step == "stock":
        held = [code for code, _ in known.companies(game.state) if _may_want(known, game.state, seat, code)]
        return [OrderWish("pass"), *(OrderWish("buy", code) for code in held[:8])]
    if moment.step == "bid":
        return [OrderWish("bid", moment.company)]
    if not moment.step or not known.passes or seat not in game.actors:
        return []
    run = OrderWish("run", moment.company, keep=True)
    steps = [OrderWish("steps", moment.company, steps=(step,)) for step in known.passes]
    return [run, *steps, *([OrderWish("pass", coming=True)] if known.has_stock_rounds else [])]


def _may_want(known: AnyOrders, state: Any, seat: int, code: str) -> bool:  # noqa: ANN401  # the title's own state
    """Return whether a seat holds shares of a company that has not floated."""
    held = known.holding(state, seat, code)
    return held is not None and not held.floated and held.shares > 0


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
    return words[order.kind] + (f" ({order.round})" if is_named else "")


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
