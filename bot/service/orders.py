"""Standing orders: how one is set, and the chain of moves that follows a move.

When its moment comes an order goes on, stops, or leaves it to its owner (see
``decisions``); its moves are ordinary moves, checked like any other. The chain
also makes passes that are the only move of a seat.

An order hears of every move that is made after it was set and keeps what alarms
its owner; when its moment comes it stops if there is a legal answer to that.
Runs at a worker, for it reads the state.
"""

import time
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from bot.model.orders import AFTER, ANY, Condition, Heard, Kind, Order, OrderRule, OrderWish, change_order
from bot.service.decisions import OPEN_STEPS, Act, OrderStop, decide, get_meaning
from engine import Action, Event, Game, Record, RuleError
from engine.game import TURN
from engine.orders import Moment
from engine.words import find_pass, join_words, pluralise


def resolve_order(game: Game, order: Order) -> Order:
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
        possible = join_words(sorted(known), "or") or "no company"
        raise RuleError(f"An order can name {possible} now, not “{order.company[:30]}”.", TURN)
    unknown = [step for step in order.steps if step not in orders.passes]
    if unknown:
        possible = join_words([*orders.passes], "or") or "nothing"
        raise RuleError(f"An order can pass {possible}, not “{unknown[0][:20]}”.", TURN)
    if order.kind == "if":
        order = change_order(order, rules=_resolve_rules(game, order))
    if order.kind == "pass" and not orders.has_stock_rounds:
        raise RuleError(f"{game.title.name} has no stock rounds in which an order could pass.", TURN)
    if why := _find_obstacle(game, order, moment):
        raise RuleError(why, TURN)
    held = orders.holding(game.state, order.seat, order.company) if order.kind == "buy" else None
    seen = order.seen if held is None else held.price
    count = len(game.line)
    is_elsewhere = moment.step != "stock" if order.kind == "pass" else moment.step not in ("", *OPEN_STEPS)
    waits = order.kind in ("pass", "if") and orders.has_stock_rounds and (order.coming or is_elsewhere)
    here = f"{AFTER}{moment.round}" if waits else moment.round
    order = change_order(order, round=order.round and here, coming=waits, since=count, last=count, seen=seen)
    return change_order(order, company=moment.company) if order.kind == "if" and moment.step == "bid" else order


def _resolve_rules(game: Game, order: Order) -> tuple[OrderRule, ...]:
    """Return the rules of a conditional order with the companies as the title writes them.

    Raises:
        RuleError: it is about the player's own moves, or names a company or move that the game doesn't have.
    """
    orders, verbs = get_meaning(game), {kind.verb for kind in game.title.actions}
    known = {code.casefold(): code for code, _ in orders.companies(game.state)}

    def name_company(word: str) -> str:
        if word and word.casefold() not in known:
            raise RuleError(f"There is no company “{word}”; there are {join_words([*known.values()])}.", TURN)
        return known.get(word.casefold(), "")

    found = list[OrderRule]()
    for rule in order.rules:
        when = rule.when or Condition()
        if when.seat == order.seat:
            raise RuleError("A condition must be about another player.", TURN)
        if unknown := {when.verb, rule.move.verb} - verbs - {""}:
            raise RuleError(f"{game.title.name} has no “{min(unknown)}”.", TURN)
        if rule.move.verb == "bid" and orders.moment(game.state).step != "bid":
            raise RuleError("Nothing is being auctioned now, so a condition can't lead to a bid.", TURN)
        if rule.when and not when.who and not orders.has_stock_rounds:
            raise RuleError(f"{game.title.name} has no share prices.", TURN)
        move = replace(rule.move, company=name_company(rule.move.company))
        found.append(OrderRule(move, rule.when and replace(when, company=name_company(when.company))))
    return tuple(found)


def _find_obstacle(game: Game, order: Order, moment: Moment) -> str:
    """Return why an order could do nothing; empty if it can."""
    orders, company = get_meaning(game), order.company
    name = dict(orders.companies(game.state)).get(company, company)
    if order.kind == "buy":
        held = orders.holding(game.state, order.seat, company)
        if held is None:
            return f"No shares of {name} can be bought now."
        if held.floated and not order.amount:
            return f"{name} has already floated. Give the number of shares to hold, such as until:5."
        if order.amount and held.shares >= order.amount:
            return f"You already hold {pluralise(held.shares, 'share')} of {name}."
    if order.kind in ("run", "steps", "build") and company:
        director = orders.director(game.state, company)
        if director not in (-1, order.seat):
            return f"{{{director}}} moves for {name}; your orders can move only for your own companies."
    if order.kind == "build" and (wrong := [each for each in order.links if orders.link(game.state, each) is None]):
        return f"“{wrong[0]}” isn't a link. Write it as Denver-Omaha."
    if order.kind == "bid" and moment.step == "bid" and company == moment.company:
        bids = (entry.seat for place in reversed(game.line) if (entry := game.log[place]).action.verb == "bid")
        if order.seat not in (*orders.bidders(game.state), *game.actors, next(bids, -1)):
            return f"You're out of the bidding for {name}."
    return ""


def list_offers(game: Game, seat: int) -> list[OrderWish]:
    """Return the orders that fit the moment for a seat, the likeliest first."""
    known = game.title.orders
    if known is None:
        return []
    moment = known.moment(game.state)
    if moment.step == "stock":
        holdings = {code: known.holding(game.state, seat, code) for code, _ in known.companies(game.state)}
        wanted = [code for code, held in holdings.items() if held and held.shares > 0 and not held.floated]
        return [OrderWish("pass"), *(OrderWish("buy", code) for code in wanted[:8])]
    if moment.step == "bid":
        return [OrderWish("bid", moment.company)]
    if not moment.step or not known.passes or seat not in game.actors:
        return []
    run = OrderWish("run", moment.company, keep=True)
    steps = [OrderWish("steps", moment.company, steps=(step,)) for step in known.passes]
    return [run, *steps, *([OrderWish("pass", coming=True)] if known.has_stock_rounds else [])]


ORDER = "order"
FORCED = "alone"
SAME_PRESS = "press"
"""What made a move that a person made together with the one before it: both are taken back together."""
"""What made a move that no person made: a standing order; that nothing else was possible."""
MAX_CHAIN_MOVES = 1000
"""Moves of one chain, enough for a raise war by the smallest raises; then a player must look at the table."""
MAX_CHAIN_SECONDS = 2.0
"""Seconds of a processor for one chain."""
_WARY: frozenset[Kind] = frozenset({"pass", "buy"})
"""Orders that listen to what others do."""


class ChainMove(Record, frozen=True):
    """A move of a chain: whose, what made it (``ORDER`` or ``FORCED``), the game after it, what followed.

    ``lot`` names what an order bids for, and its round; empty for other moves.
    """

    seat: int
    made_by: str
    game: Game
    events: tuple[Event, ...]
    lot: str = ""


class Chain:
    """Moves that follow by themselves, one after the other, until a person must decide.

    Args:
        game: the position. orders: those that are active, oldest first.
        events: facts of the move that led there.
    """

    def __init__(self, game: Game, orders: Sequence[Order], events: Sequence[Event] = ()) -> None:
        self.game = game
        self.orders = {order.id: order for order in orders}
        self.moves: list[ChainMove] = []
        self._hear(events)

    def run(self, most: int = MAX_CHAIN_MOVES, seconds: float = MAX_CHAIN_SECONDS) -> None:
        """Play on; what came of it stands in ``moves``, ``orders`` and ``game``.

        Where a chain would go on too long, the orders that would move next stop, so that their owners know why.
        """
        end = time.thread_time() + seconds
        while len(self.moves) < most and time.thread_time() < end:
            if not self._move_once():
                return
        if most < MAX_CHAIN_MOVES and len(self.moves) == most:
            return  # as far as was asked for
        seats, count = self.game.ask().seats, len(self.moves)
        for order in self.orders.values():
            if order.state == "active" and order.seat in seats and isinstance(decide(self.game, order), Act):
                self._stop(order, OrderStop(f"Orders made {count} moves in a row. To go on, set it again."))

    def _move_once(self) -> bool:
        """Make one move, of an order or of a seat that has no other, or stop an order; return whether there was any."""
        self._update_waiting()
        seats = self.game.ask().seats
        for order in sorted(self.orders.values(), key=lambda order: order.kind != "if"):  # the most exact come first
            if order.state != "active" or order.seat not in seats:
                continue
            decision = decide(self.game, order)
            if decision is not None:
                stop = self._play_order(decision) if isinstance(decision, Act) else decision
                if stop is not None:  # a move that is refused stops its order too
                    self._stop(order, stop)
                return True
        return self._make_forced_pass(seats)

    def _update_waiting(self) -> None:
        """End the orders that nothing can save, and let those hold that waited for the stock round which has begun."""
        for order in list(self.orders.values()):
            broken = [heard.words for heard in order.heard if not heard.company]
            if broken and order.state == "active":
                self._stop(order, OrderStop(broken[0]))
        waiting = [order for order in self.orders.values() if order.round.startswith(AFTER)]
        moment = get_meaning(self.game).moment(self.game.state) if waiting else None
        for order in waiting:
            if moment is not None and moment.step == "stock" and moment.round != order.round.removeprefix(AFTER):
                since = len(self.game.line) if order.kind == "if" else order.since
                self.orders[order.id] = change_order(order, round=moment.round, coming=False, since=since)

    def _make_forced_pass(self, seats: Sequence[int]) -> bool:
        """Pass a step of a company's turn that can only be passed; return whether there was one.

        In the profile 18xx.games each step waits for its pass, though nothing else may be possible.
        """
        only = find_forced_pass(self.game, seats[0]) if seats and self.game.ask().company else None
        if only is None:
            return False
        played = self.game.play(seats[0], only)
        self.game = played.game
        self._hear(played.events)
        self.moves.append(ChainMove(seats[0], FORCED, played.game, played.events))
        return True

    def _play_order(self, act: Act) -> OrderStop | None:
        """Make the move of an order; return why not if it is refused, or not made by order."""
        order = act.order
        try:
            played = self.game.play(order.seat, act.action)
        except RuleError as refusal:
            return OrderStop(refusal.sentence)
        moment = get_meaning(self.game).moment(self.game.state)
        lot = f"{moment.round}, {moment.company}" if order.kind == "bid" else ""
        is_run = order.kind == "run" and act.action == get_meaning(self.game).run
        if is_run and (why := _explain_worse_run(self.game, played.game, order)):
            return OrderStop(why)
        self.game = played.game
        self._hear(played.events)
        fields: dict[str, Any] = {"last": len(played.game.line), "links": order.links, "rules": order.rules}
        if order.kind == "if" and order.seat not in played.game.ask().seats:
            fields["state"] = "done"
        if order.kind == "run" and (revenue := get_meaning(played.game).revenue(played.game.state)):
            fields["seen"] = revenue
        self.orders[order.id] = change_order(self.orders[order.id], **fields)
        self.moves.append(ChainMove(order.seat, ORDER, played.game, played.events, lot))
        return None

    def _stop(self, order: Order, stop: OrderStop) -> None:
        end = {"state": "done" if stop.done else "stopped", "reason": stop.reason}
        self.orders[order.id] = change_order(order, **end)

    def _hear(self, events: Sequence[Event]) -> None:
        """Let all orders hear of what happened just now."""
        if not self.orders:
            return
        state, at, orders = self.game.state, len(self.game.line), get_meaning(self.game)
        for order in self.orders.values():
            heard = [Heard("", "A company went bankrupt.", at) for event in events if isinstance(event, orders.breaks)]
            alarms = [orders.alarm(state, event, order.seat) for event in events] if order.kind in _WARY else []
            heard += [Heard(alarm.company, f"{alarm.words}.", at) for alarm in alarms if alarm is not None]
            if heard:
                self.orders[order.id] = change_order(order, heard=(*order.heard, *heard))


def find_forced_pass(game: Game, seat: int) -> Action | None:
    """Return the pass of a seat that can do nothing else; ``None`` where there is a choice."""
    legal = iter(game.title.legal(game.state, seat)) if seat in game.actors else iter(())
    first, others = next(legal, None), any(True for _ in legal)
    return first if first == find_pass(game.title.actions) and not others else None


def _explain_worse_run(before: Game, after: Game, order: Order) -> str:
    """Return why a run is not made by order: it earns less than the last one."""
    orders = get_meaning(before)
    code = orders.moment(before.state).company
    revenue = orders.revenue(after.state)
    return f"The best run of {code} fell from {order.seen} to {revenue}." if revenue < order.seen else ""
