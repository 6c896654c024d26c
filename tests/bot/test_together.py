"""What is taken back, asked of all and timed at a table: how many, whose, who is asked, who is not."""

import asyncio

import pytest
from msgspec.structs import replace

from bot.model.clock import DAY, HOUR, GameClock
from bot.model.errors import BotError
from bot.model.orders import OrderWish
from bot.model.posts import BidPrompt, Ping
from bot.model.records import Calls, Person
from bot.service.game_clock import ClockWish, build_clock
from bot.service.services import Services
from bot.service.table import Delivery, Typed
from bot.service.workers.files import FileAsked
from bot.service.workers.pool import Workers
from engine import UnreadableLogError
from tests.bot.conftest import ANN, BOB, CID, EVE, THREE, Clock
from tests.bot.test_limits import FILE
from tests.bot.test_orders import open_game
from tests.bot.test_owed import TABLE
from tests.bot.test_table_posts import send_all
from tests.support.sure import sure
from tests.support.toy import Bid

ADMIN = Person("99", "Root")


async def bid(services: Services, game: int, *amounts: int) -> None:
    """Let Ann, Bob and Cid bid in turn."""
    for person, amount in zip((ANN, BOB, CID) * 3, amounts, strict=False):
        await services.table.submit(game, person.id, Bid(amount))


async def test_the_number_of_undone_and_redone_moves_is_reported(services: Services, game: int) -> None:
    """Also of moves in the middle of a game, where as many stay; an earlier undo has lines of its own in the log."""
    await bid(services, game, 1, 2, 3, 4)
    back = services.back
    assert (await back.undo(game, ANN.id)).sentences == ("Ann takes back a move.",)
    assert (await back.redo(game, ANN.id)).sentences == ("Ann restores a move.",)
    asked = sure((await back.undo(game, BOB.id)).proposal)
    assert asked.needed == (CID.id, ANN.id)
    assert asked.terms.count == 3  # type: ignore[union-attr]  # it is to take back
    await services.consent.vote(game, ANN.id, yes=True)
    done = await services.consent.vote(game, CID.id, yes=True)
    assert done.sentences == ("Bob takes back 3 moves, as everyone agreed.",)
    assert len((await services.table.load_position(game)).game.line) == 1
    await back.redo(game, BOB.id)
    here = await services.table.load_position(game)
    assert await back.describe_loss(here, 3) == ("A move by Ann.", "Ann bids £4 for lot 1.")
    assert await back.describe_loss(here, 1) == (
        "3 moves by Bob, Cid and Ann.", "First: Bob bids £2 for lot 1.", "Last: Ann bids £4 for lot 1.",
    )  # fmt: skip
    rolled = await back.roll_back(here, ADMIN, 1)
    assert rolled.sentences == ("Server manager Root took back 3 moves.",)
    with pytest.raises(BotError, match="a server manager or a former player"):
        await back.redo(game, BOB.id)


async def test_a_game_begins_at_its_first_version_and_is_handed_over(services: Services) -> None:
    table = await services.lobby.create(ANN, THREE)
    for person in (BOB, CID):
        await services.lobby.join(table.id, person)
    begun = await services.lobby.start(table.id, ANN.id)
    assert (begun.version, begun.handed_over, begun.repeated) == (0, True, False)
    assert begun.version == (await services.table.load_position(table.id)).version


def test_a_machine_of_many_cores_has_two_workers_for_moves_and_eight_for_looks_at_most() -> None:
    for cores, moves, lookers in ((1, 1, 1), (5, 1, 5), (6, 2, 6), (8, 2, 8), (9, 2, 8)):
        workers = Workers.in_processes(cores)
        assert (len(workers._crews["moves"].workers), workers.looker_count) == (moves, lookers)


async def test_undoing_all_moves_of_a_turn_restarts_it(services: Services, game: int) -> None:
    with pytest.raises(BotError, match="haven't moved yet this turn"):
        await services.back.restart_turn(game, ANN.id)
    await bid(services, game, 1, 2)
    with pytest.raises(BotError, match="haven't moved yet this turn"):
        await services.back.restart_turn(game, CID.id)
    await services.back.undo(game, BOB.id, delivery=Delivery("i"))
    assert (await services.back.restart_turn(game, BOB.id, Delivery("i"))).repeated


async def test_each_bidder_is_asked_once_for_a_maximum_bid(services: Services, clock: Clock) -> None:
    """Not who is to act; no one where not all have agreed, or one has ended it. Who has said it isn't pinged.

    Who is away is asked when they are back.
    """
    game = await open_game(services, "1860")

    async def list_mentions() -> list[tuple[str, ...]]:
        await services.agreements.ask_bidders(await services.table.load_position(game))
        return [post.mention for post in await send_all(services) if isinstance(post, BidPrompt | Ping)]

    assert await list_mentions() == []
    await services.agreements.set_fast_auctions(game, ANN.id, on=True)
    with pytest.raises(BotError, match="already off"):
        await services.agreements.set_fast_auctions(game, ANN.id, on=False)
    await services.consent.vote(game, BOB.id, yes=True)
    assert await list_mentions() == []
    await services.consent.vote(game, CID.id, yes=True)
    with pytest.raises(BotError, match="already on"):
        await services.agreements.set_fast_auctions(game, ANN.id, on=True)
    order = await services.orders.set_order(game, BOB.id, OrderWish("bid", "any", 5))
    assert "bid for any lot" in order.sentences[0]
    await services.people.set_calls(CID.id, Calls(away_from=clock.now, away_to=clock.now + DAY))
    await services.agreements.ask_bidders(await services.table.load_position(game))
    (lot,) = [post for post in await send_all(services) if isinstance(post, BidPrompt)]
    assert (lot.mention, lot.pings) == ((BOB.id, CID.id), ()), "Ann is to act; Bob has said it secretly, Cid is away"
    clock.now += DAY - 1
    assert (CID.id,) not in await list_mentions()
    clock.now += 1
    assert (CID.id,) in await list_mentions()
    await services.orders.cancel(game, BOB.id)
    assert await list_mentions() == [], "once for a lot"
    await services.table.submit(game, ANN.id, Typed("bid", {"amount": "5"}))
    await services.agreements.set_fast_auctions(game, BOB.id, on=False)
    assert await list_mentions() == []


def test_a_clock_has_an_hour_at_least_sixty_days_at_most_and_no_more_a_turn_than_all_of_it() -> None:
    for budget, increment in ((1, 0), (1, 1), (1440, 0), (1440, 1440)):
        assert build_clock(TABLE, ClockWish(budget=budget, increment=increment)) == GameClock(
            budget * HOUR, increment * HOUR
        )
    for budget, increment in ((0, 0), (1441, 0), (2, -1), (2, 3)):
        with pytest.raises(BotError, match="1 to 1440 hours"):
            build_clock(TABLE, ClockWish(budget=budget, increment=increment))
    timed = replace(TABLE, clock=GameClock(5 * HOUR, HOUR))
    for table, wish, clock in (
        (TABLE, ClockWish("by pace"), GameClock(10 * DAY, DAY)),
        (timed, ClockWish("by pace"), GameClock(10 * DAY, DAY)),
        (timed, ClockWish(budget=6), GameClock(6 * HOUR, HOUR)),
        (timed, ClockWish(increment=0), GameClock(5 * HOUR, 0)),
        (TABLE, ClockWish(increment=1), GameClock(10 * DAY, HOUR)), (timed, ClockWish("off"), None),
        (timed, ClockWish("pause"), GameClock(5 * HOUR, HOUR, paused=True)),
        (replace(timed, clock=GameClock(5 * HOUR, HOUR, paused=True)), ClockWish("resume"), GameClock(5 * HOUR, HOUR)),
    ):  # fmt: skip
        assert build_clock(table, wish) == clock


async def test_the_same_clock_continues_and_a_new_one_gives_all_players_the_whole_budget(
    services: Services, game: int, clock: Clock
) -> None:
    async def set_clock(wish: ClockWish) -> GameClock:
        await services.agreements.propose_clock(game, ANN.id, wish)
        for user in (BOB, CID):
            await services.consent.vote(game, user.id, yes=True)
        return sure((await services.lobby.get_table(game)).clock)

    five, three = 5 * HOUR, 3 * HOUR
    assert (await set_clock(ClockWish(budget=5, increment=1))).left == (five,) * 3
    clock.now += HOUR
    paused = await set_clock(ClockWish("pause"))
    assert (paused.left, paused.running, paused.paused) == ((four := 4 * HOUR, five, five), (), True)
    clock.now += DAY
    assert (await set_clock(ClockWish("resume"))).left == (four, five, five)
    assert (await set_clock(ClockWish(budget=3))).left == (three,) * 3
    assert (await set_clock(ClockWish(budget=3, increment=2))).left == (three,) * 3


async def test_words_no_move_needs_are_refused_before_they_are_read(services: Services, game: int) -> None:
    """Five hundred characters and fifteen digits are looked into."""
    for words, refusal in (
        ({"amount": "x" * 501}, "too long"), ({"x" * 501: "1"}, "too long"), ({"amount": "1" * 16}, "too large"),
        ({"amount": " -" + "1" * 16}, "too large"),
    ):  # fmt: skip
        with pytest.raises(BotError, match=refusal):
            await services.table.submit(game, ANN.id, Typed("bid", words))
    for words in ({"amount": "x" * 500}, {"amount": "1" * 15}):
        with pytest.raises(Exception, match=r"amount|£") as other:
            await services.table.submit(game, ANN.id, Typed("bid", words))
        assert "too l" not in str(other.value)


async def test_of_many_files_at_once_the_ninth_is_asked_to_wait(services: Services) -> None:
    for waiting, is_refused in ((7, False), (8, True)):
        services.transfer._waiting = waiting
        with pytest.raises((BotError, UnreadableLogError)) as refusal:
            await services.transfer.import_file(EVE, FileAsked(b"x"))
        assert ("Many files are being read" in str(refusal.value)) == is_refused
        assert services.transfer._waiting == waiting


async def test_a_file_that_is_handed_in_twice_at_once_opens_one_table(services: Services) -> None:
    first, second = await asyncio.gather(*(services.transfer.import_file(ANN, FILE, interaction="i") for _ in range(2)))
    assert sorted([first.repeated, second.repeated]) == [False, True]
    assert first.table.id == second.table.id
    assert len(await services.lobby.list_tables()) == 1
