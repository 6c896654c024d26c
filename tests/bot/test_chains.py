"""What follows a move by itself: orders in turn, the refused one stopped, never beyond a hundred moves."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.model.errors import BotError
from bot.model.orders import Heard, Order, OrderWish, change_order
from bot.service.orders import Chain
from bot.service.services import Services
from bot.store import games
from engine import Action, Ask, Game, RuleError, Setup
from engine.game import TURN
from engine.orders import Moment
from tests.bot.conftest import ANN, BOB
from tests.bot.test_order_decisions import LEGAL, ORDER, RED, STOCK, game_at
from tests.bot.test_orders import open_game
from tests.support.toy import Bid, Pass


def at_table(moment: Moment = STOCK, **known: Any) -> Any:  # noqa: ANN401  # a game as orders see it, and what is told
    """Return a game of two in which seat 0 decides for ever; what is refused stands in ``refused``."""
    game = cast("Any", game_at(moment, **known))
    game.actors, game.line, game.refused = (0,), (), ()
    game.ask = lambda: Ask((0,), "Stock", "decide")
    game.title.orders.breaks, game.title.orders.alarm = (), lambda state, event, seat: None

    def play(seat: int, action: Action) -> SimpleNamespace:
        if action in game.refused:
            raise RuleError("That is refused.", TURN)
        return SimpleNamespace(game=game, events=())

    game.play = play
    return game


def test_an_endless_chain_stops_its_order_and_says_why() -> None:
    """After a thousand moves, or when a processor has worked at it for so long; not where fewer were wanted."""
    chain = Chain(at_table(), [ORDER])
    chain.run()
    assert len(chain.moves) == 1000
    assert (chain.orders[1].state, chain.orders[1].reason) == (
        "stopped", "Orders made 1000 moves in a row. To go on, set it again."
    )  # fmt: skip
    chain = Chain(at_table(), [ORDER])
    chain.run(seconds=0)
    assert (chain.moves, chain.orders[1].state) == ([], "stopped")
    chain = Chain(at_table(), [ORDER])
    chain.run(3)
    assert (len(chain.moves), chain.orders[1].state) == (3, "active")


def test_an_order_whose_move_is_refused_stops_and_the_next_one_moves() -> None:
    game = at_table(Moment("OR 1", "run", "red"), revenue=lambda state: 0)
    game.refused = LEGAL[1:2]
    run, steps = change_order(ORDER, kind="run", company="red"), change_order(ORDER, id=2, kind="steps", steps=("run",))
    chain = Chain(game, [run, steps])
    chain.run(1)
    assert (chain.orders[1].state, chain.orders[1].reason) == ("stopped", "That is refused.")
    assert [(move.seat, move.made_by) for move in chain.moves] == [(0, "order")]
    assert chain.orders[2].state == "active"


def test_orders_of_seats_that_are_not_asked_wait() -> None:
    """Also of one that could only take a proposal back."""
    for actors in ((0,), (0, 1)):
        game = at_table()
        game.actors = actors
        chain = Chain(game, [change_order(ORDER, seat=1)])
        chain.run(1)
        assert chain.moves == []


def test_step_after_step_is_passed_automatically_where_a_company_can_do_nothing_else() -> None:
    game = at_table()
    game.ask = lambda: Ask((0,), "Red operates", "decide", company="red")
    game.title.legal, game.title.actions = lambda state, seat: (Pass(),), (Pass, Bid)
    chain = Chain(game, [])
    chain.run(3)
    assert [(move.seat, move.made_by) for move in chain.moves] == [(0, "alone")] * 3
    game.title.legal = lambda state, seat: (Pass(), Bid(1))
    chain.run(4)
    assert len(chain.moves) == 3, "there is a choice"


def test_an_unanswerable_event_stops_an_order_at_once_and_others_wait() -> None:
    """A bankruptcy stops it before its moment; what concerns a company its owner may answer then."""
    for company, state in (("", "stopped"), ("blue", "active")):
        chain = Chain(
            at_table(Moment("OR 1", "token")), [change_order(RED, heard=(Heard(company, "Blue is gone.", 3),))]
        )
        chain.run()
        assert chain.orders[1].state == state
        assert chain.orders[1].reason == ("Blue is gone." if state == "stopped" else "")


def test_bidders_who_can_only_pass_are_not_passed_automatically() -> None:
    """A player may want to know it; by itself only a company's turn goes on."""
    game = Game.new(Setup("toy", 3, {}, 5)).play(0, Bid(20)).game
    assert game.legal(1) == (Pass(),)
    chain = Chain(game, [])
    chain.run()
    assert chain.moves == []


async def test_an_order_takes_the_place_of_one_that_does_the_same(services: Services) -> None:
    """Whatever was said of it then: how much, for how long; two that say the same would move twice."""
    game = await open_game(services, "1860")
    for first, second in (
        (OrderWish("pass"), OrderWish("pass")),
        (OrderWish("pass", coming=True), OrderWish("pass")),
        (OrderWish("steps", steps=("track", "base")), OrderWish("steps", steps=("base", "track"), keep=True)),
        (OrderWish("bid", "choice", 30), OrderWish("bid", "choice", 40)),
    ):
        await services.orders.set_order(game, BOB.id, first)
        (old,) = await services.orders.list_active(game, BOB.id)
        await services.orders.set_order(game, BOB.id, second)
        (left,) = await services.orders.cancel(game, BOB.id)
        assert left.id != old.id
        assert (left.amount, left.steps, left.keep) == (second.amount, second.steps, second.keep)


async def test_orders_about_something_else_and_of_others_stand_beside_it(services: Services) -> None:
    game = await open_game(services, "1860")
    for user, wish in (
        (BOB, OrderWish("bid", "choice", 30)), (BOB, OrderWish("bid", "any", 10)), (BOB, OrderWish("pass")),
        (BOB, OrderWish("steps", steps=("track",))), (BOB, OrderWish("steps", steps=("base",))),
        (BOB, OrderWish("steps", "choice", steps=("track",))),
    ):  # fmt: skip
        await services.orders.set_order(game, user.id, wish)
    count = len(await services.orders.list_active(game, BOB.id))
    await services.orders.set_order(game, "3", OrderWish("pass"))
    assert count == len(await services.orders.list_active(game, BOB.id)) == 6


async def test_twenty_orders_are_enough_and_the_last_one_may_still_be_changed(services: Services) -> None:
    game = await open_game(services, "1860")
    order = Order("pass", id=0, seat=1)
    async with services.database.writing(game) as session:
        for number in range(19):
            await games.insert_order(session, game, BOB.id, change_order(order, kind="run", company=f"X{number}"))
    await services.orders.set_order(game, BOB.id, OrderWish("bid", "choice", 5))
    with pytest.raises(BotError, match="You already have 20 orders here"):
        await services.orders.set_order(game, BOB.id, OrderWish("pass"))
    await services.orders.set_order(game, BOB.id, OrderWish("bid", "choice", 10))
    await services.orders.set_order(game, ANN.id, OrderWish("bid", "choice", 5))
    assert len(await services.orders.list_active(game, BOB.id)) == 20
