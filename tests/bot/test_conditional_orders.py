"""Conditional orders: “if Bob passes, pass; if IOW < 100 buy IOW, else pass”, decided when their owner is to move."""

import pytest

from bot.commands import build_tree
from bot.commands.command import Call
from bot.commands.typed import read_line
from bot.model.errors import BotError
from bot.model.orders import Order, change_order, describe_order, explain_order, read_rules, write_rules
from bot.service.orders import Chain, resolve_order
from bot.service.services import Services
from engine import Action, Game, RuleError, Setup
from engine.words import find_pass
from tests.bot.conftest import ANN, BOB, CID
from tests.bot.test_orders import at_stock, list_actors, moment, open_game, submit_words
from tests.support.sure import sure

NAMES = ("Ann", "Bob", "Bob Smith", "Cid")


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        (
            "if Bob passes, pass; if IOW < 100 buy IOW, else pass",
            "if Bob passes, pass; if IOW is under 100, buy IOW; else pass",
        ),
        ("Bob passes: pass", "if Bob passes, pass"),
        ("IF bob smith BIDS OVER £50 pass Otherwise bid 60", "if Bob Smith bids over 50, pass; else bid 60"),
        ("if Cid sells shares of IOW then sell 2 shares of IOW.\nelse pass", "if Cid sells IOW, sell 2 IOW; else pass"),
        ("if C&N's price is at least 90, buy C&N from the pool", "if C&N is at least 90, buy C&N from the pool"),
        (
            "if Cid bids 20, bid 25, else if Cid bids <=15 bid 20",
            "if Cid bids exactly 20, bid 25; if Cid bids at most 15, bid 20",
        ),
    ],
)  # fmt: skip
def test_a_conditional_order_is_read_as_people_write_it_and_its_words_mean_the_same(typed: str, means: str) -> None:
    rules = read_rules(typed, NAMES)
    assert write_rules(rules) == means
    assert read_rules(means, NAMES) == rules


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ("if you have time, pass by", "I can't read “pass by” as a move."),
        ("if Dan passes, pass", "I can't read “Dan passes” as a condition."),
        ("if Bob doesn't pass, pass", "I can't read “pass, pass” as a move."),
        ("if Bob sells over 2, pass", "a bid goes with an amount"),
        ("if IOW < 100 buy IOW or pass", "I can't read “buy IOW or pass” as a move."),
        ("if Bob passes, buy", "I can't read “buy” as a move."),
        ("if Bob passes, sell IOW", "I can't read “sell IOW” as a move."),
        ("if Bob passes, bid IOW FYN 60", "I can't read “bid IOW FYN 60” as a move."),
        ("if Bob passes, pass; else pass; if Cid passes, bid 5", "“else” must come last"),
        ("else pass", "I can't read “if”."),
        (f"if Bob passes, pass{'; if Bob bids 5, pass' * 6}", "can have 6 rules"),
        ("if Bob passes, pass" * 30, "can have 400 characters"),
    ],
)
def test_what_could_mean_two_things_is_refused(typed: str, refusal: str) -> None:
    with pytest.raises(BotError) as refused:
        read_rules(typed, NAMES)
    assert refusal in refused.value.sentence


def order_if(game: Game, seat: int, text: str) -> Order:
    """Return a conditional order as it is set; the players are P0, P1, …"""
    names = [f"P{number}" for number in range(game.setup.seats)]
    return resolve_order(game, Order("if", id=1, seat=seat, round="this", rules=read_rules(text, names)))


def follow(game: Game, *orders: Order) -> Chain:
    chain = Chain(game, orders)
    chain.run()
    return chain


def list_made(chain: Chain) -> list[Action]:
    return [move.game.log[-1].action for move in chain.moves]


def pass_on(game: Game) -> Game:
    return game.play(game.actors[0], sure(find_pass(game.title.actions))).game


def bid(game: Game, amount: int) -> Game:
    action = next(each for each in game.legal(game.actors[0]) if getattr(each, "amount", 0) == amount)
    return game.play(game.actors[0], action).game


AUCTION = Game.new(Setup("1860", 3, {}, 1))
FIRST, SECOND, THIRD = AUCTION.ask().seats[0], *((AUCTION.ask().seats[0] + step) % 3 for step in (1, 2))
BY_BIDS = f"if P{SECOND} passes, bid 20; if P{SECOND} bids over 10, pass; else bid 15"


@pytest.mark.parametrize(
    ("other", "does"),
    [(None, ["bid 20"]), (10, ["bid 15"]), (15, ["pass"])],
    ids=["passes", "bids 10", "bids 15"],
)
def test_the_first_rule_that_holds_when_it_is_the_owners_turn_makes_the_move(
    other: int | None, does: list[str]
) -> None:
    order = order_if(AUCTION, THIRD, BY_BIDS)
    game = bid(AUCTION, 5)
    assert not follow(game, order).moves, "another player is to move"
    chain = follow(pass_on(game) if other is None else bid(game, other), order)
    assert [f"{each.verb} {getattr(each, 'amount', '')}".strip() for each in list_made(chain)] == does
    assert chain.orders[1].state == "done", "it acts once"


def test_a_move_of_before_the_order_counts_for_nothing_and_the_owner_is_asked() -> None:
    game = bid(bid(AUCTION, 5), 10)
    chain = follow(game, order_if(game, THIRD, f"if P{SECOND} bids over 5, pass; else bid 20"))
    assert (chain.moves, chain.orders[1].state) == ([], "active"), "set on one's own turn, it waits for the next one"
    chain = follow(bid(game, 15), chain.orders[1])
    assert not chain.moves
    stopped = follow(game, change_order(order_if(game, THIRD, f"if P{SECOND} passes, pass"), since=1))
    assert stopped.orders[1].reason == "None of its conditions was true."
    unmoved = follow(game, change_order(order_if(game, THIRD, f"if P{FIRST} passes, pass"), since=1))
    assert unmoved.orders[1].reason == f"P{FIRST} hasn't moved since you set it."


def test_a_move_that_is_not_legal_stops_the_order_with_the_reason_of_the_rules() -> None:
    game = bid(AUCTION, 5)
    chain = follow(bid(game, 30), order_if(game, THIRD, f"if P{SECOND} bids over 10, bid 20"))
    assert not chain.moves
    assert chain.orders[1].state == "stopped"
    assert "at least" in chain.orders[1].reason


def test_an_order_for_one_lot_never_bids_for_the_next() -> None:
    """1862: several charters are sold in one round."""
    game = Game.new(Setup("1862", 3, {}, 1))
    game = game.play(game.actors[0], game.legal(game.actors[0])[0]).game
    owner, lot = (game.actors[0] + 1) % 3, moment(game).company
    order = order_if(game, owner, f"if P{game.actors[0]} passes, bid 60; else bid 60")
    assert order.company == lot
    other = change_order(order, company="another", since=0)
    chain = follow(pass_on(game), other)
    assert (chain.moves, chain.orders[1].reason) == ([], "The auction of another is over.")
    made = list_made(follow(pass_on(game), order))
    assert [(each.verb, getattr(each, "company", ""), getattr(each, "amount", 0)) for each in made] == [
        ("bid", lot, 60)
    ]


def test_a_price_is_looked_at_when_the_owner_is_to_move_and_the_purchase_ends_the_turn() -> None:
    """ECR is at £47 on the market; a share costs its par of £54 in the IPO, £47 in the pool."""
    game = at_stock(7)
    owner = game.actors[0]
    chain = follow(game, order_if(game, owner, "if ecr < 48 buy ecr from the pool, else pass"))
    made = [(move.seat, move.game.log[-1].action.verb) for move in chain.moves]
    assert made[:1] == [(owner, "buy")]
    assert (chain.orders[1].state, owner in chain.game.ask().seats) == ("done", False)
    chain = follow(game, order_if(game, owner, "if ecr < 47 buy ecr, else pass"))
    assert [(move.seat, move.game.log[-1].action.verb) for move in chain.moves][:1] == [(owner, "pass")]
    game.state.cash[owner] += 100
    chain = follow(game, order_if(game, owner, "if ecr < 48 buy ecr, else pass"))
    reason = "A share of ECR would cost 54, though its price on the market fits."
    assert (chain.moves, chain.orders[1].reason) == ([], reason)
    chain = follow(game, order_if(game, owner, "if ecr < 55 buy ecr, else pass"))
    assert list_made(chain)[0].verb == "buy"


def test_selling_and_then_passing_is_no_pass() -> None:
    """A stock turn takes several moves and ends with a pass."""
    game = at_stock(5)
    seller = game.actors[0]
    sale = next(each for each in game.legal(seller) if each.verb == "sell")
    sold = getattr(sale, "company", "")
    after = pass_on(game.play(seller, sale).game)
    owner = after.actors[0]
    orders = [
        change_order(order_if(game, owner, text), id=number)
        for number, text in enumerate((f"if P{seller} passes, pass", f"if P{seller} sells {sold}, pass"), 1)
    ]
    chain = follow(after, *orders)
    assert chain.orders[1].reason == "None of its conditions was true."
    assert (chain.orders[2].state, [each.verb for each in list_made(chain)][:1]) == ("done", ["pass"])


def test_a_conditional_order_comes_before_a_standing_pass() -> None:
    game = at_stock(5)
    owner = game.actors[0]
    stands = resolve_order(game, Order("pass", id=2, seat=owner, round="this"))
    sale = next(each for each in game.legal(owner) if each.verb == "sell")
    typed = f"if {getattr(sale, 'company', '')} > 0, sell 1 {getattr(sale, 'company', '')}"
    assert [each.verb for each in list_made(follow(game, stands, order_if(game, owner, typed)))][:2] == ["sell", "pass"]


def test_an_order_that_is_set_in_an_operating_round_waits_and_forgets_what_was_done_there() -> None:
    game = at_stock(5)
    order = order_if(game, game.actors[0], f"if P{(game.actors[0] + 1) % 3} passes, pass")
    waits = change_order(order, round="after OR 1.2", coming=True, since=0)
    assert describe_order(waits).startswith("in the next stock round, if P")
    chain = follow(game, waits)
    assert (chain.moves, chain.orders[1].state, chain.orders[1].since) == ([], "active", len(game.line))
    assert (chain.orders[1].round, chain.orders[1].coming) == ("SR 2", False)


@pytest.mark.parametrize(
    ("game", "typed", "refusal"),
    [
        (AUCTION, f"if P{FIRST} passes, pass", "A condition must be about another player."),
        (AUCTION, f"if P{SECOND} sells IOW, pass", "There is no company “IOW”; there are choice."),
        (at_stock(5), "if P1 passes, bid 60", "Nothing is being auctioned now"),
        (Game.new(Setup("steel_driver", 3, {}, 1)), "if P1 sells eur, pass", "Steel Driver has no “sell”."),
        (Game.new(Setup("steel_driver", 3, {}, 1)), "if red < 5, pass", "Steel Driver has no share prices."),
    ],
)
def test_a_rule_that_could_never_hold_is_refused(game: Game, typed: str, refusal: str) -> None:
    seat = FIRST if game is AUCTION else 0
    with pytest.raises(RuleError) as refused:
        order_if(game, seat, typed)
    assert refusal in refused.value.sentence


async def test_a_conditional_order_is_confirmed_in_words_and_no_one_else_sees_it(services: Services) -> None:
    game = await open_game(services, "1860")
    said = read_line(build_tree(), "/auto if if bob passes, pass; else bid 40")
    reply = await said.command.run(Call(services, CID, said.values, game))
    assert reply.text.startswith("Standing order: if Bob passes, pass; else bid 40 (AR 1, 6 lots left). It acts once")
    (mine,) = await services.orders.list_active(game, CID.id)
    assert describe_order(mine) == f"if Bob passes, pass; else bid 40 ({mine.round})"
    assert "at the end of" in explain_order(mine)
    assert await services.orders.list_active(game, BOB.id) == []
    before = await submit_words(services, game, ANN.id, "bid", amount="5")
    assert before == ("Ann bids £5.",)
    told_to_all = await submit_words(services, game, BOB.id, "bid", amount="10")
    assert told_to_all == ("Bob bids £10.", "⚙ Cid bids £40.")
    assert "passes" not in f"{await services.table.read_log(game)}"
    assert await list_actors(services, game) == ["Ann"]
    assert await services.orders.list_active(game, CID.id) == []
