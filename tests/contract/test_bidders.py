"""Who is still in the bidding for a lot, as fast auctions ask it: whoever is asked is, and who leads is not."""

import pytest

from engine import Game, Rng, Setup
from tests.support.sure import sure

TITLES = ("1860", "1862", "steel_driver")


@pytest.mark.parametrize("title", TITLES)
def test_the_player_asked_to_bid_is_in_the_auction(title: str) -> None:
    """No one comes back into it; with the last one out the lot is gone."""
    game, rng, lots = Game.new(Setup(title, 3, {}, 4)), Rng(4), dict[tuple[str, str], set[int]]()
    orders = sure(game.title.orders)
    while game.actors and len(lots) < 4:
        moment, before = orders.moment(game.state), game
        game = game.play(game.actors[0], game.title.advice.choose(game.state, game.actors[0], rng)).game
        if moment.step != "bid":
            continue
        inside = set(orders.bidders(before.state))
        last = before.log[-1:]
        leads = {said.seat for said in last if said.action.verb == "bid"}
        assert before.actors[0] in inside
        assert not inside & leads
        lots[moment.round, moment.company] = inside
    assert len(lots) >= 4
