"""What a standing order does at its moment: it moves, stops with a reason, or leaves the move to its owner."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.model.errors import BotError
from bot.model.orders import Heard, Order, OrderWish, change_order
from bot.model.records import NewTable
from bot.service.orders import Act, Decision, OrderStop, build_order, decide, list_offers, resolve_order
from bot.service.services import Services
from engine import Action, Game, RuleError, Setup
from engine.orders import Moment, SharesHeld
from tests.bot.conftest import ANN, BOB, seat_three
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
        "link": lambda state, link: LINK, "run": BUY, "pay": PAY, "has_stock_rounds": True,
    }  # fmt: skip
    title = SimpleNamespace(orders=SimpleNamespace(**{**meaning, **known}))
    return cast("Game", SimpleNamespace(title=title, state=None, legal=lambda seat: legal))


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
        (game_at(STOCK, (BUY,)), ORDER, OrderStop("You can't pass now.")),
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
        (game_at(STOCK, (Pass(),), **owning(1)), RED, OrderStop("You can't buy red now.")),
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
            OrderStop("red can't pay a dividend."),
        ),
        (game_at(Moment("OR 1", "track", "red")), change_order(ORDER, kind="steps", steps=("token",)), None),
        (
            game_at(Moment("OR 1", "token", "red")), change_order(ORDER, kind="steps", steps=("token",)),
            Act(Pass(), change_order(ORDER, kind="steps", steps=("token",))),
        ),
        (
            game_at(Moment("OR 1", "token", "red"), (BUY,)), change_order(ORDER, kind="steps", steps=("token",)),
            OrderStop("red can't pass now."),
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
            OrderStop("red can't build a-b now."),
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


@pytest.mark.parametrize(("title", "company"), [("1862", "ECR"), ("steel_driver", "red")])
def test_shares_that_cannot_be_bought_yet_or_ever_are_not_ordered(title: str, company: str) -> None:
    order = change_order(ORDER, kind="buy", company=company)
    with pytest.raises(RuleError, match=rf"^No shares of {company} can be bought now\."):
        resolve_order(Game.new(Setup(title, 3, seed=1)), order)
