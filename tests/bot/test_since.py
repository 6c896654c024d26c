"""What happened since one's own last turn: its words, for whom they are, and what they keep to themselves."""

import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion

from bot.model.orders import OrderWish
from bot.model.posts import Summary
from bot.screens.since import NOTHING_NEW, fetch_result, fetch_since, make_since_screen
from bot.service.services import Services
from bot.service.workers.account import Stretch, StretchAsked, tell_stretch
from bot.service.workers.jobs import Held
from engine import Game, Rng, Setup
from tests.bot.conftest import ANN, BOB, CID, EVE
from tests.bot.test_orders import open_game, submit_words
from tests.strength.players import OLD
from tests.support.toy import Bid

NAMES = ("Ann", "Bob", "Cid", "Dan")


def play_game(setup: Setup, moves: int) -> Game:
    """Play a game as 0.2 did, so that it stays the same."""
    game, rng = Game.new(setup), Rng(setup.seed)
    while game.actors and len(game.log) < moves:
        game = game.play(game.actors[0], OLD[setup.title](game.state, game.actors[0], rng)).game
    return game


def tell(game: Game, moves: int, seat: int) -> Stretch:
    """Tell the last moves of a game to a seat."""
    return tell_stretch(Held(game), StretchAsked(len(game.line) - moves, len(game.line), NAMES, seat))


@pytest.mark.parametrize(("title", "players", "moves"), [("1860", 3, 484), ("1862", 4, 311), ("steel_driver", 4, 122)])
def test_a_stretch_of_each_title_in_its_words(
    title: str, players: int, moves: int, snapshot: SnapshotAssertion
) -> None:
    found = tell(play_game(Setup(title, players, seed=1), moves), 21, 1)
    assert "\n".join((*found.happened, "—", *found.concerns)) == snapshot


def test_a_stretch_without_a_reader_concerns_no_one() -> None:
    game = play_game(Setup("1860", 3, seed=1), 400)
    assert tell(game, 30, 0).concerns
    assert tell(game, 30, -1).concerns == ()
    assert "you" not in " ".join(tell(game, 30, -1).happened)


@pytest.mark.parametrize("title", ["1860", "1862", "steel_driver"])
def test_what_concerns_a_seat_follows_from_nothing_that_a_table_may_hide(title: str) -> None:
    """It is the same whatever lies in treasuries, and whatever cash other players have."""
    game = play_game(Setup(title, 3, seed=1), 300)
    before, after = game.at(200).state, game.title.clone(game.state)
    found = game.title.brief.concerns(before, after, 0, NAMES)
    assert found
    companies = after.companies.values() if isinstance(after.companies, dict) else after.companies
    for company in companies:
        if title == "steel_driver":
            company.treasury += 7
        else:
            company.cash += 777
    after.cash[1:] = [each + 55 for each in after.cash[1:]]
    assert game.title.brief.concerns(before, after, 0, NAMES) == found


async def test_what_others_did_since_ones_own_last_move_is_told(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(2))
    await services.table.submit(game, BOB.id, Bid(3))
    here = await services.table.load_position(game)
    found = await fetch_since(services, here, ANN.id)
    assert found.happened == ("Bob bids £3 for lot 1",)
    assert found.waiting.startswith("Waiting for Cid: ")
    assert (await fetch_since(services, here, BOB.id)).happened == ()
    assert make_since_screen(await fetch_since(services, here, BOB.id)).text.startswith(NOTHING_NEW)
    mine = await fetch_since(services, here, CID.id)
    assert mine.happened == ("Ann bids £2 for lot 1", "Bob bids £3 for lot 1")
    assert mine.waiting.startswith("It's your turn: ")


async def test_the_beginning_of_ones_own_turn_is_not_the_last_turn(services: Services) -> None:
    """A turn that goes on is left out: what happened before it is told still."""
    game = await open_game(services, "1860")
    for moves in range(1, 200):
        here = await services.table.load_position(game)
        seat = here.game.actors[0]
        user = here.table.seats[seat].user
        before = await fetch_since(services, here, user)
        action = OLD["1860"](here.game.replay().state, seat, Rng(moves))
        await services.table.submit(game, user, action)
        after = await services.table.load_position(game)
        if after.game.actors[:1] == (seat,) and before.happened and after.table.turn_from == here.version:
            assert (await fetch_since(services, after, user)).happened == before.happened
            return
    raise AssertionError("no turn had two moves")


async def test_moves_that_were_taken_back_are_counted(services: Services, game: int) -> None:
    await services.table.submit(game, ANN.id, Bid(2))
    await services.table.submit(game, BOB.id, Bid(3))
    await services.back.undo(game, BOB.id)
    here = await services.table.load_position(game)
    found = await fetch_since(services, here, ANN.id)
    assert found.happened == ("1 move taken back",)


async def test_what_an_order_of_ones_own_did_is_told(services: Services) -> None:
    """It was no turn of its owner, and its line has the mark."""
    game = await open_game(services, "1860")
    await services.orders.set_order(game, BOB.id, OrderWish("bid", "choice", 30))
    await services.orders.set_order(game, CID.id, OrderWish("bid", "choice", 20))
    await submit_words(services, game, ANN.id, "bid", amount="5")
    await submit_words(services, game, ANN.id, "pass")
    found = await fetch_since(services, await services.table.load_position(game), BOB.id)
    assert found.happened == ("⚙ Bob beats Ann and Cid at £20",)


async def test_a_long_absence_is_told_by_its_latest_lines(
    services: Services, game: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.screens.since.MAX_HAPPENED_LINES", 2)
    for user, amount in ((ANN, 2), (BOB, 3), (CID, 4), (ANN, 5)):
        await services.table.submit(game, user.id, Bid(amount))
    found = await fetch_since(services, await services.table.load_position(game), EVE.id)
    assert found.happened == ("… 3 earlier lines; the log has them all", "Ann bids £5 for lot 1")
    assert found.concerns == (), "a stranger holds nothing"


async def test_a_result_is_folded_unless_its_moves_were_taken_back(services: Services, game: int) -> None:
    """A short one stands as the log has it."""
    for user, amount in ((ANN, 2), (BOB, 3), (CID, 4)):
        await services.table.submit(game, user.id, Bid(amount))
    full = " · ".join(["Ann bids £2 for lot 1"] * 20)
    post = Summary(game, 3, 0, 3, full, "1:turn:0")
    folded = "Ann bids £2 for lot 1\nBob bids £3 for lot 1\nCid bids £4 for lot 1"
    here = await services.table.load_position(game)
    assert await fetch_result(services, post, here) == folded
    assert await fetch_result(services, msgspec.structs.replace(post, line="Ann bids £2"), here) == "Ann bids £2"
    await services.back.undo(game, CID.id)
    assert await fetch_result(services, post, await services.table.load_position(game)) == full
