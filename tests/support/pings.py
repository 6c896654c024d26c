"""How many calls a game of the seeded player takes, with and without standing orders a sensible player would give.

``python -m tests.support.pings 1 8`` plays 1862 with four players by these seeds, and prints the figures.
"""

import sys

from bot.model.orders import ANY, Kind, Order, change_order
from bot.service.orders import Chain, resolve_order
from engine import Action, Event, Game, Rng, Setup
from engine.orders import Moment


class Habits:
    """The orders that the players of a table give: no genius's, and none that would play for them.

    In Parliament each says how far they go for a lot, or that they want none of
    this session; in a stock round each buys up to six shares of what they have
    chosen, and passes when that is done or cannot go on; companies run for the
    best and pay; steps that were passed are passed by order for the rest of the
    round. All stop as any order does.
    """

    def __init__(self) -> None:
        self.orders: list[Order] = []
        self._given = 0

    def give(self, game: Game, seat: int, moment: Moment, action: Action, rng: Rng) -> bool:
        """Give the order that goes with a decision; return whether it stands for the decision itself."""
        step, company = moment.step, moment.company
        if step == "bid" and action.verb == "pass":
            self._add(game, Order("bid", ANY, 0, round="this", id=0, seat=seat))
            return True
        if step == "bid":
            self._add(game, Order("bid", company, 5 * ((10 + rng.below(60)) // 5), round="this", id=0, seat=seat))
            return True
        if step == "stock" and action.verb == "pass":
            self._add(game, Order("pass", round="this", id=0, seat=seat))
        elif step == "stock" and action.verb == "buy":
            code, source = getattr(action, "company", ""), getattr(action, "source", "")
            self._add(game, Order("buy", code, 6, source, round="this", id=0, seat=seat))
            self._add(game, Order("pass", round="this", id=0, seat=seat))
        elif step == "run":
            self._add(game, Order("run", company, id=0, seat=seat))
        elif action.verb == "pass" and step in ("merge", "acquire", "redeem"):
            self._add(game, Order("steps", company, steps=("merge", "acquire", "redeem"), id=0, seat=seat))
        elif action.verb == "pass" and step in ("token", "train") and game.state.companies[company].trains:
            self._add(game, Order("steps", company, steps=(step,), round="this", id=0, seat=seat))
        return False

    def _add(self, game: Game, order: Order) -> None:
        twin: tuple[int, Kind, str, tuple[str, ...]] = (order.seat, order.kind, order.company, order.steps)
        if all((each.seat, each.kind, each.company, each.steps) != twin for each in self.orders):
            self._given += 1
            found = resolve_order(game, order)
            self.orders.append(change_order(found, id=self._given))

    def follow(self, game: Game, events: tuple[Event, ...]) -> Game:
        """Follow the orders."""
        chain = Chain(game, self.orders, events)
        chain.run()
        self.orders = [order for order in chain.orders.values() if order.state == "active"]
        return chain.game


def pings(setup: Setup, habits: Habits | None, until: str = "") -> tuple[int, Game]:
    """Return how often someone is called in a game, and the game at its end, or at the beginning of a round."""
    game, rng = Game.new(setup), Rng(setup.seed)
    known = game.title.orders
    assert known is not None
    calls, called = 0, -1
    while game.actors:
        seat, moment = game.actors[0], known.moment(game.state)
        if until and moment.round == until:
            break
        calls += seat != called
        called = seat
        action = game.title.advice.choose(game.state, seat, rng)
        events: tuple[Event, ...] = ()
        if habits is None or not habits.give(game, seat, moment, action, rng):
            played = game.play(seat, action)
            game, events = played.game, played.events
        if habits is not None:
            game = habits.follow(game, events)
    return calls, game


def main() -> None:
    """Print the figures."""
    first, last = int(sys.argv[1]), int(sys.argv[2])
    without = helped = 0
    for seed in range(first, last + 1):
        setup = Setup("1862", 4, {}, seed)
        (plain, alone), (by_order, ordered) = pings(setup, None), pings(setup, Habits())
        without, helped = without + plain, helped + by_order
        sys.stdout.write(
            f"seed {seed}: {plain} calls in {len(alone.line)} moves, {by_order} in {len(ordered.line)} with orders "
            f"({100 * (plain - by_order) // plain} % fewer)\n"
        )
    sys.stdout.write(f"together: {without}, {helped} with orders ({100 * (without - helped) // without} % fewer)\n")


if __name__ == "__main__":
    main()
