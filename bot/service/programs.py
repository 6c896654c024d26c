"""What standing orders do at a position: go on, stop, or leave it to their owner.

An order hears of every move that is made after it was set and keeps what alarms
its owner; when its moment comes it stops if there is a legal answer to that. Its
moves are ordinary moves, checked like any other. Runs at a worker, for it reads the state.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from engine import Action, Event, Game, Record, RuleError
from engine.game import TURN
from engine.orders import AnyOrders, Moment

Kind = Literal["pass", "buy", "bid", "run", "steps", "build"]
ANY = "any"
"""The lot of a bid that holds for whatever is sold."""
_WARY: frozenset[Kind] = frozenset({"pass", "buy"})
"""Orders that listen to what others do."""
MOST_MOVES = 100
"""Moves of one chain; then somebody must look at the table."""


class Heard(Record, frozen=True):
    """Something that happened after an order was set: about which company, in words, after how many moves in force.

    Where ``company`` is empty there is no answer to it, and the order holds no more.
    """

    company: str
    words: str
    at: int


class Order(Record, frozen=True):
    """A standing order.

    Args:
        id: its number. seat: whose. kind: see ``_KINDS``.
        company: what it is about: a company, a lot; ``ANY`` lot; empty for none, or all companies of the seat.
        amount: bid up to; shares to hold in the end, 0 until the company floats.
        source: where shares are bought, empty for wherever they are to be had.
        steps: to be passed. links: to be built, in this order.
        round: in which it was set; empty if it outlives rounds.
        since: moves in force when it was set. last: when it acted last.
        seen: the price, or the revenue, that may not fall. heard: what alarms since it was set.
        state: active, or why it is not any more. reason: of its stop.
    """

    id: int
    seat: int
    kind: Kind
    company: str = ""
    amount: int = 0
    source: str = ""
    steps: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    round: str = ""
    since: int = 0
    last: int = 0
    seen: int = 0
    heard: tuple[Heard, ...] = ()
    state: Literal["active", "stopped", "done", "cancelled"] = "active"
    reason: str = ""


class OrderWish(Record, frozen=True):
    """An order as somebody wishes it; see ``Order``. Without ``keep`` it ends with the round."""

    kind: Kind
    company: str = ""
    amount: int = 0
    source: str = ""
    steps: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    keep: bool = False


class Act(Record, frozen=True):
    """The order makes a move, and is then another."""

    action: Action
    order: Order


class Stop(Record, frozen=True):
    """The order ends: done, or stopped for a reason."""

    reason: str
    done: bool = False


class Link(Record, frozen=True):
    """A move of a chain: whose, the game after it, what followed."""

    seat: int
    order: int
    game: Game
    events: tuple[Event, ...]


Decision = Act | Stop | None


class Chain:
    """Moves that follow from standing orders, one after the other, until a person must decide.

    Args:
        game: the position. orders: those that are active, oldest first.
        events: facts of the move that led there.
    """

    def __init__(self, game: Game, orders: Sequence[Order], events: Sequence[Event] = ()) -> None:
        self.game = game
        self.orders = {order.id: order for order in orders}
        self.links: list[Link] = []
        if game.title.orders is not None:
            self._hear(events)

    def run(self, most: int = MOST_MOVES) -> None:
        """Play on; what came of it stands in ``links``, ``orders`` and ``game``."""
        if self.game.title.orders is None:
            return
        while len(self.links) < most and self._step():
            pass

    def _step(self) -> bool:
        """Make one move; tell whether any order made one."""
        seats = self.game.ask().seats or self.game.actors
        for order in list(self.orders.values()):
            if order.state != "active" or order.seat not in seats or order.seat not in self.game.actors:
                continue
            decision = self._decide(order)
            if isinstance(decision, Act) and self._played(decision):
                return True
            if isinstance(decision, Stop):
                self._stopped(order, decision)
        return False

    def _played(self, act: Act) -> bool:
        """Make the move of an order; one that is refused stops it."""
        order = act.order
        try:
            played = self.game.play(order.seat, act.action)
        except RuleError as refusal:
            self._stopped(order, Stop(refusal.sentence))
            return False
        is_run = order.kind == "run" and act.action == _orders(self.game).run
        if is_run and (why := _worse(self.game, played.game, order)):
            self._stopped(order, Stop(why))
            return False
        self.game = played.game
        self._hear(played.events)
        self.orders[order.id] = _noted(self.orders[order.id], act.order, played.game)
        self.links.append(Link(order.seat, order.id, played.game, played.events))
        return True

    def _stopped(self, order: Order, stop: Stop) -> None:
        changed = {"state": "done" if stop.done else "stopped", "reason": stop.reason}
        self.orders[order.id] = _replace(order, **changed)

    def _decide(self, order: Order) -> Decision:
        """Return what an order does now."""
        orders = _orders(self.game)
        moment: Moment = orders.moment(self.game.state)
        if order.round and order.round != moment.round:
            return Stop(f"{order.round} is over.", done=True)
        broken = [heard.words for heard in order.heard if not heard.company]
        if broken:
            return Stop(broken[0])
        if not moment.step:
            return None
        return _KINDS[order.kind](self, order, orders, moment)

    def _hear(self, events: Sequence[Event]) -> None:
        """Let all orders hear of what happened just now."""
        state, at, known = self.game.state, len(self.game.line), _orders(self.game)
        for order in self.orders.values():
            heard = [Heard("", "A company went bankrupt.", at) for event in events if isinstance(event, known.breaks)]
            alarms = [known.alarm(state, event, order.seat) for event in events] if order.kind in _WARY else []
            heard += [Heard(alarm.company, f"{alarm.words}.", at) for alarm in alarms if alarm is not None]
            if heard:
                self.orders[order.id] = _replace(order, heard=(*order.heard, *heard))

    def alarmed(self, order: Order) -> str:
        """Return the words of the first alarm since an order was set that its owner can answer; empty if none."""
        legal = self.game.legal(order.seat) if order.heard else ()
        for heard in order.heard:
            if any(_concerns(action, heard.company) for action in legal):
                return heard.words
        return ""


def _concerns(action: Action, company: str) -> bool:
    return any(getattr(action, field) == company for field in action.__struct_fields__)


def _orders(game: Game) -> AnyOrders:
    assert game.title.orders is not None  # nobody could set any
    return game.title.orders


def _replace(order: Order, **changed: Any) -> Order:  # noqa: ANN401  # fields of an order
    return msgspec.structs.replace(order, **changed)


def _worse(before: Game, after: Game, order: Order) -> str:
    """Return why a run is not made by order: it earns less than the last one."""
    orders = _orders(before)
    code = orders.moment(before.state).company
    revenue = orders.revenue(after.state)
    return f"The best run of {code} fell from {order.seen} to {revenue}." if revenue < order.seen else ""


def _noted(order: Order, acted: Order, after: Game) -> Order:
    """Return an order after one of its moves, which made it another (``acted``)."""
    changed: dict[str, Any] = {"last": len(after.line), "links": acted.links}
    if order.kind == "run" and (revenue := _orders(after).revenue(after.state)):
        changed["seen"] = revenue
    return _replace(order, **changed)


def legal_pass(game: Game, seat: int) -> Action | None:
    """Return the pass of a seat, ``None`` if it may not pass."""
    return next((action for action in game.legal(seat) if action.verb == "pass"), None)


def _pass_round(chain: Chain, order: Order, orders: AnyOrders, moment: Moment) -> Decision:
    """Pass in a stock round until something happens that the owner can answer."""
    del orders
    if moment.step != "stock":
        return None
    if why := chain.alarmed(order):
        return Stop(why)
    move = legal_pass(chain.game, order.seat)
    return Act(move, order) if move else Stop("You may not pass now.")


def _buy(chain: Chain, order: Order, orders: AnyOrders, moment: Moment) -> Decision:
    """Buy one share a turn until the company has floated, or enough are held."""
    if moment.step != "stock":
        return None
    state = chain.game.state
    held = orders.holding(state, order.seat, order.company)
    if held is None:
        return Stop(f"{order.company} is not to be had.")
    enough = held.shares >= order.amount if order.amount else held.floated
    if moment.bought:
        move = legal_pass(chain.game, order.seat)
        return Act(move, order) if move else None
    if enough:
        floated = ", and it has floated" if held.floated else ""
        return Stop(f"You hold {held.shares} shares of {order.company}{floated}.", done=True)
    if held.price != order.seen:
        return Stop(f"The price of {order.company} went from {order.seen} to {held.price}.")
    if why := chain.alarmed(order):
        return Stop(why)
    wanted = orders.purchase(state, order.company, order.source)
    if wanted is None or wanted not in chain.game.legal(order.seat):
        return Stop(f"You cannot buy {order.company} now.")
    return Act(wanted, order)


def _bid(chain: Chain, order: Order, orders: AnyOrders, moment: Moment) -> Decision:
    """Raise by the least there is, up to a limit; beyond it drop out."""
    if moment.step != "bid" or (order.company not in (moment.company, ANY)):
        return None
    wanted = orders.raised(chain.game.state, order.seat, moment.company, order.amount)
    move = wanted if wanted is not None else legal_pass(chain.game, order.seat)
    return Act(move, order) if move else None


def _run(chain: Chain, order: Order, orders: AnyOrders, moment: Moment) -> Decision:
    """Run the best there is, and pay it out."""
    if moment.company != order.company or moment.step not in ("run", "dividend"):
        return None
    move = orders.run if moment.step == "run" else orders.pay
    if move is None:
        return None
    if moment.step == "dividend" and move not in chain.game.legal(order.seat):
        return Stop(f"{order.company} cannot pay.")
    return Act(move, order)


def _steps(chain: Chain, order: Order, orders: AnyOrders, moment: Moment) -> Decision:
    """Pass the steps that are named."""
    del orders
    if moment.step not in order.steps or order.company not in ("", moment.company):
        return None
    move = legal_pass(chain.game, order.seat)
    return Act(move, order) if move else Stop(f"{moment.company} may not pass now.")


def _build(chain: Chain, order: Order, orders: AnyOrders, moment: Moment) -> Decision:
    """Build the next link of the list."""
    if moment.step != "build" or moment.company != order.company:
        return None
    if not order.links:
        return Stop("All links of the list are built.", done=True)
    wanted = orders.link(chain.game.state, order.links[0])
    if wanted is None or wanted not in chain.game.legal(order.seat):
        return Stop(f"{order.company} cannot build {order.links[0]} now.")
    return Act(wanted, _replace(order, links=order.links[1:]))


_KINDS: Mapping[Kind, Callable[[Chain, Order, AnyOrders, Moment], Decision]] = {
    "pass": _pass_round,
    "buy": _buy,
    "bid": _bid,
    "run": _run,
    "steps": _steps,
    "build": _build,
}


def checked(game: Game, order: Order) -> Order:
    """Return an order as it is set at a position: in which round, at what price, after which move.

    Raises:
        RuleError: the game knows no such order, company or step.
    """
    orders = game.title.orders
    if orders is None:
        raise RuleError(f"{game.title.name} knows no standing orders.", TURN)
    moment = orders.moment(game.state)
    known = {code for code, _ in orders.companies(game.state)} | ({ANY} if order.kind == "bid" else set())
    if order.company and order.company not in known:
        raise RuleError(f"There is no {order.company[:30]}; there is {', '.join(sorted(known))}.", TURN)
    unknown = [step for step in order.steps if step not in orders.passes]
    if unknown:
        raise RuleError(f"An order can pass {', '.join(orders.passes) or 'no step'}, not “{unknown[0][:20]}”.", TURN)
    seen = order.seen
    if order.kind == "buy":
        held = orders.holding(game.state, order.seat, order.company)
        if held is None:
            raise RuleError(f"{order.company} is not to be had yet.", TURN)
        seen = held.price
    count = len(game.line)
    return _replace(order, round=order.round and moment.round, since=count, last=count, seen=seen)


def offers(game: Game, seat: int) -> list[OrderWish]:
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
    return [run, *(OrderWish("steps", moment.company, steps=(step,)) for step in known.passes)]


def _may_want(known: AnyOrders, state: Any, seat: int, code: str) -> bool:  # noqa: ANN401  # the title's own state
    """Tell whether a seat holds shares of a company that has not floated."""
    held = known.holding(state, seat, code)
    return held is not None and not held.floated and held.shares > 0
