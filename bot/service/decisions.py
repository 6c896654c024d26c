"""What a standing order does at its moment: it moves, stops with a reason, or leaves the move to its owner.

A conditional order does what its first rule says that holds when its owner is to move: a rule is decided then, not
before. A move by another player counts from the move on after which the order was set.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import dropwhile, takewhile
from operator import eq, ge, gt, le, lt

import msgspec

from bot.model.orders import AFTER, ANY, Condition, Kind, Order, OrderedMove, change_order, write_move
from engine import Action, Game, LogEntry, Record, RuleError
from engine.orders import AnyOrders, Moment
from engine.words import find_pass, pluralise

OPEN_STEPS = ("stock", "bid")
"""The steps at which a conditional order moves."""


class Act(Record, frozen=True):
    """The order makes a move, and is then another."""

    action: Action
    order: Order


class OrderStop(Record, frozen=True):
    """The order ends: done, or stopped for a reason."""

    reason: str
    done: bool = False


Decision = Act | OrderStop | None


def get_meaning(game: Game) -> AnyOrders:
    """Return what standing orders mean with the title of a game that has any."""
    assert game.title.orders is not None  # no one could set any
    return game.title.orders


def decide(game: Game, order: Order) -> Decision:
    """Return what an order does now."""
    moment: Moment = get_meaning(game).moment(game.state)
    waits = order.round.startswith(AFTER)
    if order.round and not waits and order.round != moment.round:
        return OrderStop(f"{order.round} is over.", done=True)
    if not moment.step or waits:
        return None
    return _DECISIONS[order.kind](game, order, moment)


def find_alarm(game: Game, order: Order) -> str:
    """Return the words of the first alarm since an order was set that its owner can answer; empty if none."""
    legal = game.legal(order.seat) if order.heard else ()
    for heard in order.heard:
        if any(getattr(action, field) == heard.company for action in legal for field in action.__struct_fields__):
            return heard.words
    return ""


def find_legal_pass(game: Game, seat: int) -> Action | None:
    """Return the pass of a seat, ``None`` if it may not pass."""
    return next((action for action in game.legal(seat) if action.verb == "pass"), None)


def _decide_pass(game: Game, order: Order, moment: Moment) -> Decision:
    """Pass in a stock round until something happens that the owner can answer."""
    if moment.step != "stock":
        return None
    if why := find_alarm(game, order):
        return OrderStop(why)
    return _pass(game, order, "You can't pass now")


def _pass(game: Game, order: Order, words: str) -> Decision:
    """Pass, or stop with the reason why that is impossible."""
    move = find_legal_pass(game, order.seat)
    return Act(move, order) if move else OrderStop(_explain(game, order.seat, find_pass(game.title.actions), words))


def _explain(game: Game, seat: int, action: Action | None, words: str) -> str:
    """Return words for what an order can't do, with the reason of the rules."""
    if action is None:
        return f"{words}."
    try:
        game.play(seat, action)
    except RuleError as refusal:
        return f"{words}: {refusal.sentence}"
    return f"{words}."


def _decide_buy(game: Game, order: Order, moment: Moment) -> Decision:
    """Buy one share a turn until the company has floated, or enough are held."""
    if moment.step != "stock":
        return None
    state = game.state
    held = get_meaning(game).holding(state, order.seat, order.company)
    if held is None:
        return OrderStop(f"{order.company} isn't available.")
    enough = held.shares >= order.amount if order.amount else held.floated
    if moment.bought:
        move = find_legal_pass(game, order.seat)
        return Act(move, order) if move else None
    if enough:
        floated = ", and it has floated" if held.floated else ""
        return OrderStop(f"You hold {pluralise(held.shares, 'share')} of {order.company}{floated}.", done=True)
    if held.price != order.seen:
        return OrderStop(f"The price of {order.company} went from {order.seen} to {held.price}.")
    if why := find_alarm(game, order):
        return OrderStop(why)
    wanted = get_meaning(game).purchase(state, order.company, order.source)
    if wanted is None:
        where = f" from the {order.source.replace('ipo', 'IPO')}" if order.source else ""
        return OrderStop(f"You can't buy {order.company} now: none of its shares is for sale{where}.")
    if wanted not in game.legal(order.seat):
        return OrderStop(_explain(game, order.seat, wanted, f"You can't buy {order.company} now"))
    return Act(wanted, order)


def _decide_bid(game: Game, order: Order, moment: Moment) -> Decision:
    """Raise by the least there is, up to a limit; beyond it drop out."""
    if moment.step != "bid" or (order.company not in (moment.company, ANY)):
        return None
    wanted = get_meaning(game).raised(game.state, order.seat, moment.company, order.amount)
    move = wanted if wanted is not None else find_legal_pass(game, order.seat)
    return Act(move, order) if move else None


def _decide_run(game: Game, order: Order, moment: Moment) -> Decision:
    """Run the best there is, and pay it out."""
    if moment.company != order.company or moment.step not in ("run", "dividend"):
        return None
    move = get_meaning(game).run if moment.step == "run" else get_meaning(game).pay
    if move is None:
        return None
    if moment.step == "dividend" and move not in game.legal(order.seat):
        return OrderStop(_explain(game, order.seat, move, f"{order.company} can't pay a dividend"))
    return Act(move, order)


def _decide_steps(game: Game, order: Order, moment: Moment) -> Decision:
    """Pass the steps that are named."""
    if moment.step not in order.steps or order.company not in ("", moment.company):
        return None
    return _pass(game, order, f"{moment.company} can't pass now")


def _decide_build(game: Game, order: Order, moment: Moment) -> Decision:
    """Build the next link of the list."""
    if moment.step != "build" or moment.company != order.company:
        return None
    if not order.links:
        return OrderStop("All links on the list are built.", done=True)
    wanted = get_meaning(game).link(game.state, order.links[0])
    if wanted is None or wanted not in game.legal(order.seat):
        return OrderStop(_explain(game, order.seat, wanted, f"{order.company} can't build {order.links[0]} now"))
    return Act(wanted, change_order(order, links=order.links[1:]))


def _decide_if(game: Game, order: Order, moment: Moment) -> Decision:
    """Make the move of the first rule that holds, and end the turn in which a share was bought by it."""
    if moment.step not in OPEN_STEPS:
        return None
    if not order.rules:
        move = find_legal_pass(game, order.seat) if moment.bought else None
        return Act(move, order) if move else OrderStop("It has made its move.", done=True)
    if moment.step == "bid" and order.company not in ("", moment.company):
        return OrderStop(f"The auction of {order.company} is over.")
    for rule in order.rules:
        holds = True if rule.when is None else _holds(game, order, rule.when)
        if not isinstance(holds, bool):
            return holds
        if holds:
            action = _find_ordered_move(game, order.seat, rule.move, moment)
            if action is None:
                return OrderStop(f"You can't {write_move(rule.move)} now.")
            if rule.when is not None and (why := _explain_other_price(game, order.seat, action, rule.when)):
                return OrderStop(why)
            return Act(action, change_order(order, rules=()))
    return OrderStop("None of its conditions was true.")


def _holds(game: Game, order: Order, when: Condition) -> bool | OrderStop | None:
    """Return whether a condition is true; why it can't be decided; ``None`` while only its owner has moved."""
    if not when.who:
        held = get_meaning(game).holding(game.state, order.seat, when.company)
        price = OrderStop(f"{when.company} has no price now.") if held is None else held.price
        return price if isinstance(price, OrderStop) else _COMPARISONS[when.sign](price, when.number)
    since = [game.log[place] for place in game.line[order.since :]]
    last = _list_last_moves(since, when.seat)
    if not last:
        others_moved = any(entry.seat != order.seat for entry in since)
        return OrderStop(f"{when.who} hasn't moved since you set it.") if others_moved else None
    if when.verb == "pass":
        return all(action.verb == "pass" for action in last)
    return any(_is_deed(action, when) for action in last)


def _explain_other_price(game: Game, seat: int, action: Action, when: Condition) -> str:
    """Return why a share isn't bought whose market price fits: it costs another price, such as its par; "" if it fits.

    A move that is refused costs nothing, and says why when it is made.
    """
    if when.who or action.verb != "buy" or game.title.story is None:
        return ""
    try:
        events = game.play(seat, action).events
    except RuleError:
        return ""
    flows = [flow for event in events for flow in game.title.story.flows(event)]
    paid = -sum(flow.amount for flow in flows if (flow.seat, flow.company) == (seat, when.company))
    fits = not paid or _COMPARISONS[when.sign](paid, when.number)
    return "" if fits else f"A share of {when.company} would cost {paid}, though its price on the market fits."


def _list_last_moves(since: Sequence[LogEntry], seat: int) -> list[Action]:
    """Return what a seat did last before another moved: a turn can take several moves, and end with a pass."""
    backwards = dropwhile(lambda entry: entry.seat != seat, reversed(since))
    return [entry.action for entry in takewhile(lambda entry: entry.seat == seat, backwards)]


def _is_deed(action: Action, when: Condition) -> bool:
    """Return whether a move is what a condition names: its verb, its company, its amount."""
    amount = getattr(action, "amount", None)
    is_enough = not when.sign or (isinstance(amount, int) and _COMPARISONS[when.sign](amount, when.number))
    return action.verb == when.verb and is_enough and when.company in ("", getattr(action, "company", None))


_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {"<": lt, "<=": le, "=": eq, ">=": ge, ">": gt}


def _find_ordered_move(game: Game, seat: int, move: OrderedMove, moment: Moment) -> Action | None:
    """Return the action that a move means now, legal or not; ``None`` if none has this form."""
    if move.verb == "pass":
        return find_pass(game.title.actions)
    if move.verb == "buy":
        return get_meaning(game).purchase(game.state, move.company, move.source)
    given: Mapping[str, object] = {
        "company": move.company or moment.company,
        "count": move.number,
        "amount": move.number,
    }
    could = list[Action]()
    for kind in game.title.actions:
        needed = {field.name for field in msgspec.structs.fields(kind) if field.required}
        if kind.verb == move.verb and needed <= given.keys() and (not move.company or "company" in needed):
            could.append(msgspec.convert({name: given[name] for name in needed}, kind))
    legal = game.legal(seat)
    return next((action for action in could if action in legal), next(iter(could), None))


_DECISIONS: Mapping[Kind, Callable[[Game, Order, Moment], Decision]] = {
    "pass": _decide_pass,
    "buy": _decide_buy,
    "bid": _decide_bid,
    "run": _decide_run,
    "steps": _decide_steps,
    "build": _decide_build,
    "if": _decide_if,
}
