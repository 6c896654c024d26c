"""Standing orders: they move when they may, stop when they must, and no one sees them before."""

import pytest

from bot.commands.auto import read_shares
from bot.model.errors import BotError
from bot.model.orders import Order, OrderWish, describe_order, explain_order
from bot.model.posts import Summary, Turn
from bot.model.records import NewTable
from bot.screens.text import format_log
from bot.service.orders import Chain, resolve_order
from bot.service.services import Services
from bot.service.table import Typed
from engine import Action, Event, Game, Rng, RuleError, Setup
from engine.finance.events import BidMade, Passed, RoundBegun
from engine.orders import Moment
from engine.titles.g1860.events import AuctionWon
from tests.bot.conftest import ANN, BOB, CID, Clock
from tests.bot.test_table_posts import send_all
from tests.strength.players import OLD
from tests.support.pings import Habits, pings
from tests.support.sure import sure

PEOPLE = (ANN, BOB, CID)


async def open_game(services: Services, title: str, seed: int = 1) -> int:
    table = await services.lobby.create(ANN, NewTable(title, 3, seed=seed))
    for person in (BOB, CID):
        await services.lobby.join(table.id, person)
    await services.lobby.start(table.id, ANN.id, "as joined")
    return table.id


async def submit_words(services: Services, game: int, user: str, verb: str, **words: str) -> tuple[str, ...]:
    return (await services.table.submit(game, user, Typed(verb, words))).sentences


async def list_actors(services: Services, game: int) -> list[str]:
    return [seat.name for seat in (await services.table.load_position(game)).actors]


async def test_a_lot_is_settled_by_bids_up_to_a_limit_with_one_call(services: Services) -> None:
    game = await open_game(services, "1860")
    await services.orders.set_order(game, BOB.id, OrderWish("bid", "choice", 30))
    await services.orders.set_order(game, CID.id, OrderWish("bid", "choice", 20))
    await send_all(services)
    told = await submit_words(services, game, ANN.id, "bid", amount="5")
    assert [sentence.startswith("⚙ ") for sentence in told] == [False, True, True], "Bob bids 10, Cid 15"
    told = await submit_words(services, game, ANN.id, "pass")
    assert await list_actors(services, game) == ["Bob"], "Bob has won and chooses; that no order does for him"
    assert told == ("Ann passes.", "⚙ Bob wins the auction for £20; Cid passed."), "his limit of 30 is secret"
    turns = [post for post in await send_all(services) if isinstance(post, Turn)]
    assert [post.mention for post in turns] == [(BOB.id,)], "one call for the whole lot"
    assert await services.orders.list_active(game, BOB.id), "it ends when the lot is gone"


async def open_war(services: Services, title: str, limits: tuple[int, int]) -> int:
    """Return a table at which Ann has passed a lot, and Bob and Cid bid for it by order."""
    game = await open_game(services, title)
    for user, limit in zip((BOB, CID), limits, strict=True):
        await services.orders.set_order(game, user.id, OrderWish("bid", "any", limit))
    if title == "1862":  # a charter is put up by a bid
        await services.table.submit(game, ANN.id, (await services.table.list_legal(game, ANN.id))[0])
    await submit_words(services, game, ANN.id, "pass")
    return game


async def test_a_raise_war_of_orders_is_one_line_wherever_it_is_read_and_the_log_has_each_bid(
    services: Services,
) -> None:
    game = await open_war(services, "1860", (150, 140))
    here = await services.table.load_position(game)
    bids = [getattr(entry.action, "amount", 0) for entry in here.game.log]
    assert bids == [0, *range(5, 150, 5), 0], "the log has each bid, and Cid's pass"
    won = "⚙ Bob wins the auction for £145; Cid's last bid was £140."
    lines = await services.table.read_log(game)
    assert [line.sentences for line in lines if line.sentences] == [("Ann passes.",), (won,)]
    assert (lines[-1].first, lines[-1].move) == (2, len(lines)), "a move before the war, and one after it"
    assert format_log(lines) == ["   1  Ann passes.", f"{len(lines):>4}  {won}"]
    (summary,) = [post.line for post in await send_all(services) if isinstance(post, Summary)]
    assert summary == f"Ann passes · {won.rstrip('.')}"
    letter = await services.table.told.list_lines(here)
    assert [line for line in letter if not line.folded and line.seq] == lines[-1:]
    assert "150" not in f"{lines}{summary}"


@pytest.mark.parametrize("title", ["1860", "1862"])
async def test_two_high_limits_settle_in_one_trip(services: Services, title: str) -> None:
    """All their money: with 100 moves a chain stopped on the way, and no one knew why."""
    game = await open_war(services, title, (600, 600))
    here = await services.table.load_position(game)
    assert len(here.game.log) > 80
    assert "bid" not in here.ask().kind, "it is won"
    lines = [line for line in await services.table.read_log(game) if line.move > len(here.game.line) - 80]
    assert [line.folded for line in lines] == [True] * 79 + [False]


async def test_an_undone_raise_war_is_one_line_too(services: Services) -> None:
    game = await open_war(services, "1860", (50, 40))
    await services.back.undo(game, ANN.id)
    lines = format_log(await services.table.read_log(game), branches=True)
    assert [line.strip() for line in lines][:2] == [
        "×  Ann passes. (taken back)", "×  ⚙ Bob wins the auction for £45; Cid's last bid was £40. (taken back)"
    ]  # fmt: skip
    folded = format_log(await services.table.read_log(game))
    assert "from “Ann passes” to “⚙ Bob wins the auction for £45" in folded[0]


def test_the_words_of_a_raise_war_name_who_leads_and_who_is_out() -> None:
    """Where no one has won yet it may go on; what else happened is told after it."""
    bidding = sure(sure(Game.new(Setup("1860", 4, {}, 1)).title.orders).bidding)
    names = ("Ann", "Bob", "Cid", "Dan")
    bids = [BidMade(1, 10), BidMade(2, 15), BidMade(1, 20), Passed(3), BidMade(2, 25)]

    def fold(*events: Event) -> tuple[str, ...]:
        return bidding.fold(events, lambda event: f"{type(event).__name__} {getattr(event, 'seat', '')}.", names)

    assert fold(*bids) == ("BidMade 2; Bob's last bid was £20, Dan passed.",)
    assert fold(*bids, Passed(1)) == ("BidMade 2; Bob dropped out after £20, Dan passed.",)
    assert fold(*bids, Passed(1), AuctionWon(2, 25)) == ("AuctionWon 2; Bob's last bid was £20, Dan passed.",)
    assert fold(Passed(1), Passed(2)) == ("Passed 1.", "Passed 2.")
    assert fold(BidMade(1, 10), RoundBegun("SR 1")) == ("BidMade 1.", "RoundBegun .")


async def test_an_order_that_is_set_at_its_moment_acts_at_once(services: Services) -> None:
    game = await open_game(services, "1860")
    outcome = await services.orders.set_order(game, ANN.id, OrderWish("bid", "choice", 5))
    assert outcome.handed_over
    assert (await services.table.read_log(game))[-1].sentences == ("⚙ Ann bids £5.",)
    assert [(order.since, order.last) for order in await services.orders.list_active(game, ANN.id)] == [(0, 1)]


async def test_orders_are_private_and_cleared(services: Services) -> None:
    game = await open_game(services, "1860")
    set_now = await services.orders.set_order(game, BOB.id, OrderWish("bid", "choice", 30))
    assert "It stops if" in set_now.sentences[0]
    (order,) = await services.orders.list_active(game, BOB.id)
    assert describe_order(order) == f"bid for choice up to 30 ({order.round})"
    assert "AR 1" in order.round
    assert await services.orders.list_active(game, ANN.id) == []
    await services.orders.cancel(game, BOB.id)
    await submit_words(services, game, ANN.id, "bid", amount="5")
    assert await list_actors(services, game) == ["Bob"]
    with pytest.raises(BotError, match="such an order"):
        await services.orders.cancel(game, BOB.id)


@pytest.mark.parametrize(
    ("wish", "refusal"),
    [
        (OrderWish("bid", "LNER", 5), "An order can name any or choice now, not “LNER”."),
        (OrderWish("steps", steps=("lunch",)), "An order can pass track, base or train, not “lunch”."),
        (OrderWish("buy", "C&N", 0), "An order can name choice now, not “C&N”."),
    ],
)
async def test_an_unknown_title_is_refused(services: Services, wish: OrderWish, refusal: str) -> None:
    game = await open_game(services, "1860")
    with pytest.raises(RuleError, match=refusal):
        await services.orders.set_order(game, ANN.id, wish)
    assert await services.orders.list_active(game, ANN.id) == []


async def test_an_undo_across_an_order_stops_it_and_needs_no_consent_for_its_moves(services: Services) -> None:
    game = await open_game(services, "1860")
    await services.orders.set_order(game, BOB.id, OrderWish("bid", "choice", 30))
    await submit_words(services, game, ANN.id, "bid", amount="5")
    assert await list_actors(services, game) == ["Cid"]
    back = await services.back.undo(game, ANN.id)
    assert back.proposal is None, "Bob's bid was made by order, in answer to Ann's"
    assert await services.orders.list_active(game, BOB.id) == []
    (gone,) = await services.orders.collect_stopped(await services.lobby.get_table(game), BOB.id)
    assert gone.reason == "Moves made before it were undone."
    assert await services.orders.collect_stopped(await services.lobby.get_table(game), BOB.id) == [], "told once"


async def test_orders_outlive_a_restart(services: Services, clock: Clock) -> None:
    game = await open_game(services, "1860")
    await services.orders.set_order(game, BOB.id, OrderWish("bid", "choice", 30))
    again = await Services.open(services.database.address, clock)
    try:
        await submit_words(again, game, ANN.id, "bid", amount="5")
        assert await list_actors(again, game) == ["Cid"]
    finally:
        await again.close()


async def test_steel_drivers_companies_are_sold_by_limits(services: Services) -> None:
    game = await open_game(services, "steel_driver")
    here = await services.table.load_position(game)
    opener, others = here.actors[0], [seat for seat in here.table.seats if seat != here.actors[0]]
    await services.orders.set_order(game, others[0].user, OrderWish("bid", "red", 3))
    await services.orders.set_order(game, others[1].user, OrderWish("bid", "any", 0))
    told = " ".join(await submit_words(services, game, opener.user, "bid", company="red", amount="1"))
    assert f"⚙ {others[0].name}" in told
    assert f"⚙ {others[1].name}" in told, "a limit of 0 drops out"
    assert await list_actors(services, game) == [opener.name]


def test_until_is_a_number_percent_or_the_float() -> None:
    assert [read_shares(word) for word in ("float", "5", "50%", " 60% ")] == [0, 5, 5, 6]
    for word in ("rich", "0", "55%"):
        with pytest.raises(BotError, match="until must be float, a number"):
            read_shares(word)
    for word in ("150%", "11"):
        with pytest.raises(BotError, match="A company has only 10 shares; until can be at most 10 or 100%"):
            read_shares(word)


def moment(game: Game) -> Moment:
    orders = game.title.orders
    assert orders is not None
    return orders.moment(game.state)


def test_a_list_of_links_is_built_until_one_cannot_be() -> None:
    game, rng = Game.new(Setup("steel_driver", 3, {}, 4)), Rng(4)
    while moment(game).step != "build":
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    seat, company = game.actors[0], moment(game).company
    first = next(iter(game.legal(seat)))
    names = [getattr(first, end) for end in ("origin", "destination")]
    order = Order("build", company, id=1, seat=seat, links=("-".join(names), "Nowhere-Somewhere"))
    chain = Chain(game, [resolve_order(game, order)])
    chain.run()
    assert [move.game.log[-1].action for move in chain.moves][:1] == [first]
    after = chain.orders[1]
    assert after.links == ("Nowhere-Somewhere",)
    assert after.state == "active" or after.reason.startswith(f"{company} can't build Nowhere")


def at_stock(seed: int) -> Game:
    """Return a game of 1862 in its second stock round as 0.2 played it, with someone to decide."""
    game, rng = Game.new(Setup("1862", 3, {"length": "short"}, seed)), Rng(seed)
    while (there := moment(game)).round != "SR 2" or there.step != "stock":
        game = game.play(game.actors[0], OLD["1862"](game.state, game.actors[0], rng)).game
    return game


def of_verb(game: Game, verb: str) -> Action | None:
    return next((action for action in game.legal(game.actors[0]) if action.verb == verb), None)


def test_auto_pass_of_a_stock_round_ends_when_another_player_sells_shares_that_its_owner_could_answer() -> None:
    game = at_stock(5)
    owner = game.actors[0]
    order = resolve_order(game, Order("pass", id=1, seat=owner, round="this"))
    chain = Chain(game, [order])
    chain.run()
    assert chain.moves[0].seat == owner, "it passes at once"
    game, order = chain.game, chain.orders[1]
    seller, held = game.actors[0], game.state.companies
    sale = next(
        action
        for action in game.legal(seller)
        if action.verb == "sell" and held[getattr(action, "company", "")].shares[owner]
    )
    played = game.play(seller, sale)
    after = Chain(played.game, [order], played.events)
    after.run()
    while after.game.actors[0] != owner and after.orders[1].state == "active":
        going = after.game.actors[0]
        step = after.game.play(going, of_verb(after.game, "pass") or after.game.legal(going)[0])
        after = Chain(step.game, list(after.orders.values()), step.events)
        after.run()
    stopped = after.orders[1]
    assert stopped.state == "stopped"
    assert "sold" in stopped.reason


def test_events_before_an_order_was_set_do_not_stop_it() -> None:
    game = at_stock(5)
    sale = of_verb(game, "sell")
    assert sale is not None
    game = game.play(game.actors[0], sale).game
    order = resolve_order(game, Order("pass", id=1, seat=game.actors[0], round="this"))
    chain = Chain(game, [order])
    chain.run()
    assert chain.moves, "it passes though a share was just sold"


def test_a_run_by_order_stops_when_it_earns_less_and_continues_when_not() -> None:
    game, rng = Game.new(Setup("1862", 3, {"length": "short"}, 5)), Rng(5)
    while moment(game).step != "run":
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
    seat, company = game.actors[0], moment(game).company
    going = Chain(game, [resolve_order(game, Order("run", company, id=1, seat=seat))])
    going.run()
    revenue = going.orders[1].seen
    assert [move.game.log[-1].action.verb for move in going.moves] == ["run", "dividend"]
    again = Chain(game, [resolve_order(game, Order("run", company, id=1, seat=seat, seen=revenue))])
    again.run()
    assert len(again.moves) == 2, "as much is not less"
    stopped = Chain(game, [resolve_order(game, Order("run", company, id=1, seat=seat, seen=revenue + 10))])
    stopped.run()
    assert not stopped.moves
    assert stopped.orders[1].reason == f"The best run of {company} fell from {revenue + 10} to {revenue}."


def test_sensible_orders_save_two_calls_in_five() -> None:
    """Seed 4 up to the third stock round; whole games are in ``tests.support.pings``."""
    setup = Setup("1862", 4, {}, 4)
    plain, _ = pings(setup, None, "SR 3")
    helped, _ = pings(setup, Habits(), "SR 3")
    assert helped <= 0.6 * plain, (plain, helped)


def test_the_next_stock_round_can_be_passed_beforehand() -> None:
    """Set while companies operate, or in one stock round for the next; there it passes, stops, and ends as any does."""
    game = at_stock(6)
    owner = game.actors[0]
    order = resolve_order(game, Order("pass", id=1, seat=owner, round="this", coming=True))
    assert (describe_order(order), order.round) == ("pass in the next stock round", f"after {moment(game).round}")
    assert "at the end of that round" in explain_order(order)
    chain = Chain(game, [order])
    chain.run()
    assert not chain.moves, "it waits in this round"
    began, rng = moment(game).round, Rng(5)
    while chain.orders[1].state == "active" and not chain.moves:
        at_stocks = moment(chain.game).step == "stock"
        action = of_verb(chain.game, "pass") if at_stocks else None
        choice = action or game.title.advice.choose(chain.game.state, chain.game.actors[0], rng)
        played = chain.game.play(chain.game.actors[0], choice)
        chain = Chain(played.game, list(chain.orders.values()), played.events)
        chain.run(1)
    made, stood = chain.moves[0], moment(chain.moves[0].game)
    assert (made.seat, made.game.log[-1].action.verb) == (owner, "pass")
    assert stood.round != began
    assert (chain.orders[1].round, chain.orders[1].coming) == (stood.round, False)


def test_where_shares_are_bought_in_no_rounds_of_their_own_none_is_passed() -> None:
    with pytest.raises(RuleError, match="no stock round"):
        resolve_order(Game.new(Setup("steel_driver", 3, {}, 1)), Order("pass", id=1, seat=0, round="this"))
