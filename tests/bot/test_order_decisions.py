"""What a standing order does at its moment: it moves, stops with a reason, or leaves the move to its owner."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.model.errors import BotError
from bot.model.orders import Heard, Order, OrderWish, change_order, describe_order
from bot.model.records import NewTable
from bot.service.decisions import Act, Decision, OrderStop, decide
from bot.service.orders import list_offers, resolve_order
from bot.service.services import Services
from bot.service.standing_orders import build_order
from bot.service.workers.jobs import Held
from bot.service.workers.tasks import OrderToSet, _set_order
from engine import Action, Game, RuleError, Setup
from engine.game import TURN
from engine.orders import Moment, SharesHeld
from tests.bot.conftest import ANN, BOB, DAN, seat_three
from tests.bot.test_orders import at_stock
from tests.support.sure import sure
from tests.support.toy import Offer, Pass

BUY, PAY, LINK = Offer(1, 1, 5), Offer(2, 1, 5), Offer(3, 1, 5)
LEGAL: tuple[Action, ...] = (Pass(), BUY, PAY, LINK)
ORDER = Order("pass", id=1, seat=0)
STOCK = Moment("SR 1", "stock")


def game_at(moment: Moment, legal: tuple[Action, ...] = LEGAL, **known: Any) -> Game:  # noqa: ANN401  # of a title
    """Return what orders see of a game whose title knows this and no more."""
    meaning = {
        "moment": lambda state: moment, "holding": lambda state, seat, company: None,
        "purchase": lambda state, company, source: BUY, "raised": lambda state, seat, company, amount: None,
        "link": lambda state, link: LINK, "director": lambda state, company: -1, "run": BUY, "pay": PAY,
        "has_stock_rounds": True,
    }  # fmt: skip
    title = SimpleNamespace(orders=SimpleNamespace(**{**meaning, **known}), actions=(Pass, Offer))

    def refuse(seat: int, action: Action) -> None:
        raise RuleError("There is a reason.", TURN)

    return cast("Game", SimpleNamespace(title=title, state=None, legal=lambda seat: legal, play=refuse))


def owning(shares: int, price: int = 50, *, floated: bool = False) -> dict[str, Any]:
    return {"holding": lambda state, seat, company: SharesHeld(shares, price, floated)}


RED = change_order(ORDER, kind="buy", company="red", seen=50)
RUN = change_order(RED, kind="run")


@pytest.mark.parametrize(
    ("game", "order", "does"),
    [
        (game_at(Moment("SR 2", "stock")), change_order(ORDER, round="SR 1"), OrderStop("SR 1 is over.", done=True)),
        (game_at(Moment("OR 1")), ORDER, None),
        (game_at(Moment("OR 1", "run")), ORDER, None),
        (game_at(STOCK), ORDER, Act(Pass(), ORDER)),
        (game_at(STOCK, (BUY,)), ORDER, OrderStop("You can't pass now: There is a reason.")),
        (game_at(Moment("OR 1", "run")), RED, None),
        (game_at(STOCK), RED, OrderStop("red isn't available.")),
        (game_at(STOCK, **owning(1)), RED, Act(BUY, RED)),
        (game_at(Moment("SR 1", "stock", bought=True), **owning(1)), RED, Act(Pass(), RED)),
        (game_at(Moment("SR 1", "stock", bought=True), (BUY,), **owning(1)), RED, None),
        (
            game_at(STOCK, **owning(6, floated=True)), RED,
            OrderStop("You hold 6 shares of red, and it has floated.", done=True),
        ),
        (
            game_at(STOCK, **owning(3)), change_order(RED, amount=3),
            OrderStop("You hold 3 shares of red.", done=True),
        ),
        (game_at(STOCK, **owning(1, 60)), RED, OrderStop("The price of red went from 50 to 60.")),
        (
            game_at(STOCK, (Pass(),), **owning(1)), RED,
            OrderStop("You can't buy red now: There is a reason."),
        ),
        (
            game_at(STOCK, **owning(1), purchase=lambda state, company, source: None), change_order(RED, source="ipo"),
            OrderStop("You can't buy red now: none of its shares is for sale from the IPO."),
        ),
        (game_at(Moment("A", "bid", "blue")), change_order(ORDER, kind="bid", company="red"), None),
        (
            game_at(Moment("A", "bid", "red")), change_order(ORDER, kind="bid", company="any"),
            Act(Pass(), change_order(ORDER, kind="bid", company="any")),
        ),
        (game_at(Moment("A", "bid", "red"), (BUY,)), change_order(ORDER, kind="bid", company="red"), None),
        (game_at(Moment("OR 1", "run", "blue")), RUN, None),
        (game_at(Moment("OR 1", "run", "red")), RUN, Act(BUY, RUN)),
        (game_at(Moment("OR 1", "run", "red"), run=None), RUN, None),
        (game_at(Moment("OR 1", "dividend", "red")), RUN, Act(PAY, RUN)),
        (
            game_at(Moment("OR 1", "dividend", "red"), (BUY,)),
            RUN,
            OrderStop("red can't pay a dividend: There is a reason."),
        ),
        (game_at(Moment("OR 1", "track", "red")), change_order(ORDER, kind="steps", steps=("token",)), None),
        (
            game_at(Moment("OR 1", "token", "red")), change_order(ORDER, kind="steps", steps=("token",)),
            Act(Pass(), change_order(ORDER, kind="steps", steps=("token",))),
        ),
        (
            game_at(Moment("OR 1", "token", "red"), (BUY,)), change_order(ORDER, kind="steps", steps=("token",)),
            OrderStop("red can't pass now: There is a reason."),
        ),
        (game_at(Moment("B", "build", "blue")), change_order(RED, kind="build", links=("a-b",)), None),
        (
            game_at(Moment("B", "build", "red")), change_order(RED, kind="build"),
            OrderStop("All links on the list are built.", done=True),
        ),
        (
            game_at(Moment("B", "build", "red")), change_order(RED, kind="build", links=("a-b", "b-c")),
            Act(LINK, change_order(RED, kind="build", links=("b-c",))),
        ),
        (
            game_at(Moment("B", "build", "red"), (Pass(),)), change_order(RED, kind="build", links=("a-b",)),
            OrderStop("red can't build a-b now: There is a reason."),
        ),
    ],
)  # fmt: skip
def test_an_order_moves_stops_or_waits(game: Game, order: Order, does: Decision) -> None:
    assert decide(game, order) == does


def test_an_alarm_that_its_owner_can_answer_stops_an_order() -> None:
    """What no one can answer does not: it passes on, and buys on."""
    answer = Offer(7, 1, 5)
    heard = (Heard("7", "Bob sells blue.", 3),)
    can = cast("Action", SimpleNamespace(__struct_fields__=("company",), company="7", verb="sell"))
    for order in (ORDER, RED):
        noisy = change_order(order, heard=heard)
        assert decide(game_at(STOCK, (*LEGAL, can), **owning(1)), noisy) == OrderStop("Bob sells blue.")
        assert isinstance(decide(game_at(STOCK, (*LEGAL, answer), **owning(1)), noisy), Act)


async def test_orders_where_a_title_knows_none_are_refused(services: Services) -> None:
    game = await seat_three(services, NewTable("toy", 3, seed=1))
    here = (await services.table.load_position(game)).game.replay()
    with pytest.raises(RuleError, match="has no standing orders"):
        resolve_order(here, ORDER)
    assert list_offers(here, 0) == []


@pytest.mark.parametrize(
    ("wish", "refusal"),
    [
        (change_order(ORDER, kind="buy"), "needs a company"),
        (change_order(ORDER, kind="steps"), "needs the steps"),
        (change_order(ORDER, kind="build", company="red"), "needs links"),
    ],
)
async def test_an_incomplete_request_is_refused(services: Services, wish: Order, refusal: str) -> None:
    game = await seat_three(services)
    with pytest.raises(BotError, match=refusal):
        build_order(await services.table.load_position(game), ANN.id, wish)


async def test_a_request_becomes_an_order_of_the_acting_seat_and_ends_with_its_round(services: Services) -> None:
    """It has seen nothing yet; one that is kept outlives the round."""
    here = await services.table.load_position(await seat_three(services))
    fresh = Order("run", "red", id=0, seat=0, round="this", since=0, last=0, seen=0)
    assert build_order(here, ANN.id, OrderWish("run", "red")) == fresh
    assert build_order(here, BOB.id, OrderWish("run", "red", keep=True)) == change_order(
        fresh, seat=1, round="", keep=True
    )


def test_orders_that_fit_the_moment_are_offered() -> None:
    """In a stock round to pass, and to buy on what is held and has not floated; the lot that is sold; run and pass."""
    known: dict[str, Any] = {
        "companies": lambda state: [("red", "Red"), ("blue", "Blue")], "passes": {"token": "no base"}
    }  # fmt: skip
    stock = list_offers(game_at(STOCK, **known, **owning(1)), 0)
    assert [wish.kind for wish in list_offers(game_at(STOCK, **known, **owning(0)), 0)] == ["pass"]
    assert [wish.kind for wish in list_offers(game_at(STOCK, **known, **owning(1, floated=True)), 0)] == ["pass"]
    assert [(wish.kind, wish.company) for wish in stock] == [("pass", ""), ("buy", "red"), ("buy", "blue")]
    assert [wish.kind for wish in list_offers(game_at(STOCK, **known), 0)] == ["pass"]
    (bid,) = list_offers(game_at(Moment("A", "bid", "red"), **known), 0)
    assert (bid.kind, bid.company) == ("bid", "red")
    game = game_at(Moment("OR 1", "token", "red"), **known)
    cast("Any", game).actors = (0,)
    run, steps, coming = list_offers(game, 0)
    assert (run.kind, run.keep) == ("run", True)
    assert (steps.kind, steps.steps) == ("steps", ("token",))
    assert (coming.kind, coming.coming) == ("pass", True), "the next stock round"
    assert list_offers(game, 1) == []


@pytest.mark.parametrize(("title", "company"), [("1862", "ECR"), ("steel_driver", "Red")])
def test_shares_that_cannot_be_bought_yet_or_ever_are_not_ordered(title: str, company: str) -> None:
    order = change_order(ORDER, kind="buy", company=company if title == "1862" else company.lower())
    with pytest.raises(RuleError, match=rf"^No shares of {company} can be bought now\."):
        resolve_order(Game.new(Setup(title, 3, seed=1)), order)


@pytest.mark.parametrize(
    ("known", "order", "why"),
    [
        (owning(3, floated=True), RED, "Red has already floated. Give the number of shares to hold"),
        (owning(3), change_order(RED, amount=3), "You already hold 3 shares of Red."),
        ({"director": lambda state, company: 1}, RUN, "{1} moves for Red; your orders can move only for your own"),
        (
            {"link": lambda state, link: None}, change_order(RED, kind="build", links=("a",)),
            "“a” isn't a link. Write it as Denver-Omaha.",
        ),
        (
            {"at": Moment("A", "bid", "red"), "bidders": lambda state: (1, 2)},
            change_order(RED, kind="bid"), "You're out of the bidding for Red.",
        ),
    ],
)  # fmt: skip
def test_an_order_that_can_do_nothing_is_refused_with_the_reason(known: dict[str, Any], order: Order, why: str) -> None:
    moment = known.pop("at", STOCK)
    game = cast("Any", game_at(moment, companies=lambda state: [("red", "Red")], **known))
    game.actors, game.line = (1,), ()
    with pytest.raises(RuleError) as refused:
        resolve_order(game, order)
    assert refused.value.sentence.startswith(why)


def test_an_order_that_stops_at_once_is_refused_with_its_reason() -> None:
    """In place of "You can't buy it now." the rule says why, and names players as the table does."""
    game = at_stock(5)
    seat, known = game.actors[0], sure(game.title.orders)
    code = next(each for each, _ in known.companies(game.state) if known.holding(game.state, seat, each))
    order = Order("buy", code, 9, "treasury", id=0, seat=seat, round="this")
    with pytest.raises(RuleError, match=f"You can't buy {code} now: There are no shares of {code} in its treasury"):
        _set_order(Held(game), OrderToSet(("Ann", "Bob", "Cid"), order, ()))
    other = next(e for e, _ in known.companies(game.state) if known.director(game.state, e) not in (-1, seat))
    run = change_order(order, kind="run", company=other)
    with pytest.raises(RuleError, match=r"^(Ann|Bob|Cid) moves for "):
        _set_order(Held(game), OrderToSet(("Ann", "Bob", "Cid"), run, ()))


async def test_the_holder_of_a_seat_lists_and_clears_the_order_of_a_proxy(services: Services) -> None:
    """It spends the holder's money; the proxy sees what they set, and nothing else of the seat."""
    game = await seat_three(services, NewTable("1860", 3, seed=1))
    await services.seats.set_proxy(game, BOB.id, DAN)
    await services.orders.set_order(game, DAN.id, OrderWish("bid", "any", 20))
    await services.orders.set_order(game, BOB.id, OrderWish("bid", "choice", 10))
    own, of_proxy = sorted(await services.orders.list_active(game, BOB.id), key=lambda order: order.amount)
    assert (describe_order(of_proxy).endswith(", set by your proxy"), own.by_proxy) == (True, False)
    assert [order.amount for order in await services.orders.list_active(game, DAN.id)] == [20]
    assert [order.id for order in await services.orders.cancel(game, BOB.id, of_proxy.id)] == [of_proxy.id]
    assert await services.orders.list_active(game, DAN.id) == []
    assert [order.amount for order in await services.orders.list_active(game, BOB.id)] == [10]
