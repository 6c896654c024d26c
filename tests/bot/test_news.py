"""News: that one is next, that an order has stopped, that the game is over; each once, awake, where it is wished."""

import pytest
from sqlmodel import col, select

from bot.model.clock import DAY, HOUR
from bot.model.orders import Order, OrderWish, change_order
from bot.model.posts import PING_DELAY_SECONDS, End, OnDeck, Ping, Post, Prompt, StopNote, Turn
from bot.model.records import Calls, Home, NewTable
from bot.model.turns import LogStep, find_delay, list_stop_posts
from bot.service.services import Services
from bot.store.tables import ContactRow, OutboxRow
from engine import Rng
from tests.bot.conftest import ANN, BOB, CID, DAN, Clock
from tests.bot.test_obligations import send_pings, sleep
from tests.bot.test_orders import open_game, submit_words
from tests.bot.test_table_posts import send_all
from tests.support.toy import Bid


async def call_on_deck(services: Services, game: int) -> list[Post]:
    """Let the turn that was posted tell who is next; return what is posted."""
    here = await services.table.load_position(game)
    (turn,) = [each for each in await send_all(services) if isinstance(each, Turn)]
    await services.follow_turn(turn, here)
    return await send_all(services)


async def write_to(services: Services, user: str) -> None:
    """Let a person have an address."""
    async with services.database.writing() as session:
        session.add(ContactRow(address=f"{user}@home.example", user=user, name=user, state="confirmed"))


async def list_letters(services: Services, user: str) -> list[str]:
    """Return what is owed to an address, each with its words."""
    async with services.database.reading() as session:
        rows = await session.exec(select(OutboxRow.payload).where(OutboxRow.user == user).order_by(col(OutboxRow.id)))
        return list(rows)


async def test_a_player_who_sleeps_hears_on_waking_that_they_are_next_if_they_still_are(
    services: Services, game: int, clock: Clock
) -> None:
    await services.people.set_calls(CID.id, Calls(on_deck=True, away_from=clock.now, away_to=clock.now + HOUR))
    await send_all(services)
    await services.table.submit(game, ANN.id, Bid(1))
    (deck,) = [each for each in await call_on_deck(services, game) if isinstance(each, OnDeck)]
    assert (deck.mention, deck.pings) == ((CID.id,), ())
    (ping,) = await send_pings(services, clock, HOUR)
    assert ping.mention == await services.obligations.list_still_asked(ping) == (CID.id,)
    await services.table.submit(game, BOB.id, Bid(2))
    assert await services.obligations.list_still_asked(ping) == (), "it is their turn, and no news any more"


async def test_a_player_who_sleeps_until_the_turn_has_passed_hears_nothing_of_it(
    services: Services, game: int, clock: Clock
) -> None:
    await services.people.set_calls(CID.id, Calls(on_deck=True, away_from=clock.now, away_to=clock.now + HOUR))
    await send_all(services)
    await services.table.submit(game, ANN.id, Bid(1))
    await call_on_deck(services, game)
    await services.table.submit(game, BOB.id, Bid(2))
    await services.table.submit(game, CID.id, Bid(3))
    await send_all(services)
    assert [ping.mention for ping in await send_pings(services, clock, HOUR)] == []


@pytest.mark.parametrize(
    ("place", "here", "private"),
    [("table", True, False), ("dm", False, True), ("both", True, True), ("none", False, False)],
)
async def test_who_is_next_hears_it_where_they_wish_to_be_pinged(
    services: Services, game: int, place: str, here: bool, private: bool
) -> None:
    await services.people.set_calls(CID.id, Calls(on_deck=True, place=place))  # type: ignore[arg-type]  # a place
    await send_all(services)
    await services.table.submit(game, ANN.id, Bid(1))
    found = await call_on_deck(services, game)
    assert [each.pings for each in found if isinstance(each, OnDeck)] == [(CID.id,) if here else ()]
    assert [each.private for each in found if isinstance(each, Ping)] == [True] * private


async def test_who_is_next_hears_it_by_mail_and_not_once_more_when_nothing_is_wished(
    services: Services, game: int
) -> None:
    await write_to(services, CID.id)
    await services.people.set_calls(CID.id, Calls(on_deck=True, place="none"))
    await send_all(services)
    await services.table.submit(game, ANN.id, Bid(1))
    await call_on_deck(services, game)
    (letter,) = await list_letters(services, CID.id)
    assert "You're next, after Bob: Auction of lot 1." in letter


async def test_the_end_is_told_to_each_player_when_and_where_they_wish(services: Services, clock: Clock) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 3, seed=5))
    for person in (BOB, CID):
        await services.lobby.join(table.id, person)
    await services.lobby.start(table.id, ANN.id, "as joined")
    await services.people.set_calls(BOB.id, Calls(away_from=clock.now, away_to=clock.now + 2 * DAY))
    await services.people.set_calls(CID.id, Calls(place="dm"))
    await write_to(services, BOB.id)
    found: list[Post] = []
    while (here := await services.table.load_position(table.id)).actors:
        played, seat = here.game.replay(), here.actors[0]
        action = played.title.advice.choose(played.state, seat.number, Rng(len(here.game.log)))
        await services.table.submit(table.id, seat.user, action)
        found = await send_all(services)
    (end,) = [each for each in found if isinstance(each, End)]
    assert (set(end.mention), end.pings) == ({ANN.id, BOB.id, CID.id}, (ANN.id,))
    private = [each for each in found if isinstance(each, Ping) and ":end:" in each.follows]
    assert [(each.mention, each.private) for each in private] == [((CID.id,), True)]
    assert not any('"about":"end"' in each for each in await list_letters(services, BOB.id))
    pings = [each for each in await send_pings(services, clock, 2 * DAY) if ":end:" in each.follows]
    assert [each.mention for each in pings] == [(BOB.id,)]
    assert await services.obligations.list_still_asked(pings[0]) == (BOB.id,)
    assert sum('"about":"end"' in each for each in await list_letters(services, BOB.id)) == 1
    assert await services.obligations.list_waiting(BOB.id) == {}, "nothing is to be done"


async def test_a_move_is_announced_where_each_player_sees_it(services: Services, game: int, clock: Clock) -> None:
    """At the table, in private, by mail; to whoever sleeps on waking."""
    await services.lobby.set_home(game, Home("7", "70", "71", "72"))
    await services.people.set_calls(BOB.id, Calls(place="dm"))
    await services.people.set_calls(CID.id, Calls(away_from=clock.now, away_to=clock.now + HOUR))
    await write_to(services, ANN.id)
    await send_all(services)
    await services.moving.move_table(game, ANN.id, Home("7", "80"))
    found = await send_all(services)
    assert [each.pings for each in found if isinstance(each, Prompt)] == [(ANN.id,)]
    assert [each.mention for each in found if isinstance(each, Ping) and ":moved:" in each.follows] == [(BOB.id,)]
    assert "“The Toy” continues here." in (await list_letters(services, ANN.id))[-1]
    pings = [each for each in await send_pings(services, clock, HOUR) if ":moved:" in each.follows]
    assert [each.mention for each in pings] == [(CID.id,)]
    assert await services.obligations.list_still_asked(pings[0]) == (CID.id,)


async def test_who_comes_back_early_hears_the_news_at_once(services: Services, game: int, clock: Clock) -> None:
    await services.people.set_calls(CID.id, Calls(on_deck=True, away_from=clock.now, away_to=clock.now + 9 * DAY))
    await send_all(services)
    await services.table.submit(game, ANN.id, Bid(1))
    await call_on_deck(services, game)
    clock.now += HOUR
    await services.obligations.set_away(CID.id, 0)
    assert [ping.mention for ping in await send_pings(services, clock)] == [(CID.id,)]


async def test_at_a_live_table_the_reason_waits_for_the_call_to_the_turn(services: Services) -> None:
    """Or whoever plays by mail would get the turn twice; whoever isn't called hears it at once."""
    game = await open_game(services, "1860")
    await services.lobby.set_home(game, Home("7", "70", "71", "72"))
    here = await services.table.load_position(game)
    order = Order("bid", "choice", 30, id=1, seat=0, state="stopped", reason="Moves made before it were undone.")
    delay = find_delay(LogStep(here, here, DAN.id, (), 1000, live=True))
    found = list_stop_posts(here, [(ANN.id, order), (BOB.id, change_order(order, id=2, seat=1))], 1000, DAN.id, delay)
    assert [each.due for each in found] == [1000 + PING_DELAY_SECONDS, 1000]


async def test_who_set_an_order_and_who_held_the_seat_hear_that_it_stopped_with_a_new_player(
    services: Services,
) -> None:
    """A proxy's as well as one's own; whoever gave the seat up knows of it, and hears it without a ring."""
    game = await open_game(services, "1860")
    await services.seats.set_proxy(game, BOB.id, DAN)
    await services.orders.set_order(game, DAN.id, OrderWish("bid", "choice", 30))
    await send_all(services)
    await services.seats.resign(game, BOB.id)
    notes = {each.mention: each for each in await send_all(services) if isinstance(each, StopNote)}
    words = "order stopped (bid for choice up to 30 (AR 1, 6 lots left)"
    assert notes.keys() == {(DAN.id,), (BOB.id,)}
    assert notes[DAN.id,].text.startswith(f"Your {words}): The seat was given up.")
    assert notes[BOB.id,].text.startswith(f"The {words}, set by your proxy): The seat was given up.")
    assert (notes[DAN.id,].silent, notes[BOB.id,].silent) == (False, True)


async def test_who_sleeps_when_invited_is_asked_on_waking(services: Services, clock: Clock) -> None:
    """A ping that was owed is still wanted when it is sent."""
    table = await services.lobby.create(ANN, NewTable("toy", 2, seed=5))
    await sleep(services, CID.id, clock, HOUR)
    await services.people.set_calls(DAN.id, Calls(place="dm"))
    await services.lobby.invite(table.id, ANN.id, [CID.id, DAN.id])
    posts = await send_all(services)
    assert [post.pings for post in posts if isinstance(post, Prompt)] == [()]
    (private,) = [post for post in posts if isinstance(post, Ping)]
    assert await services.obligations.list_still_asked(private) == (DAN.id,)
    (ping,) = await send_pings(services, clock, HOUR)
    assert await services.obligations.list_still_asked(ping) == (CID.id,)
    assert await send_pings(services, clock, 3 * DAY) == []


async def test_who_joins_before_they_are_asked_to_is_not_asked_any_more(services: Services, clock: Clock) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2, seed=5))
    await sleep(services, CID.id, clock, HOUR)
    await services.lobby.invite(table.id, ANN.id, [CID.id])
    await send_all(services)
    await services.lobby.join(table.id, CID)
    assert await send_pings(services, clock, HOUR) == []


async def stop_order_of(services: Services, calls: Calls) -> tuple[int, list[Post]]:
    """Let an order of Bob's stop, as moves made before it are undone; return the table, and what is posted."""
    game = await open_game(services, "1860")
    await services.people.set_calls(BOB.id, calls)
    await services.orders.set_order(game, BOB.id, OrderWish("bid", "choice", 30))
    await submit_words(services, game, ANN.id, "bid", amount="5")
    await send_all(services)
    await services.back.undo(game, ANN.id)
    return game, await send_all(services)


WHY = "Your order stopped (bid for choice up to 30 (AR 1, 6 lots left)): Moves made before it were undone."


@pytest.mark.parametrize(("place", "silent"), [("table", [True]), ("dm", [False]), ("both", [False]), ("none", [])])
async def test_the_owner_of_an_order_that_stops_hears_why_in_private(
    services: Services, place: str, silent: list[bool]
) -> None:
    """Whoever wishes no private pings finds it there without a ring; the others see nothing at all."""
    _, found = await stop_order_of(services, Calls(place=place))  # type: ignore[arg-type]  # a place
    (note,) = [each for each in found if isinstance(each, StopNote)]
    assert (note.text, note.mention, note.pings) == (f"{WHY} It's Ann's turn.", (BOB.id,), ())
    pings = [each for each in found if isinstance(each, Ping) and ":order:" in each.follows]
    assert [each.silent for each in pings] == silent
    assert all(each.private and each.mention == (BOB.id,) for each in pings)


async def test_why_an_order_stopped_is_told_on_waking_and_never_at_the_table(services: Services, clock: Clock) -> None:
    asleep = Calls(place="dm", away_from=clock.now, away_to=clock.now + 8 * HOUR)
    await write_to(services, BOB.id)
    _, found = await stop_order_of(services, asleep)
    assert not [each for each in found if isinstance(each, Ping)]
    assert await list_letters(services, BOB.id) == []
    (ping,) = await send_pings(services, clock, 8 * HOUR)
    assert (ping.mention, ping.private, ":order:" in ping.follows) == ((BOB.id,), True, True)
    (letter,) = await list_letters(services, BOB.id)
    assert WHY in letter
    await services.obligations.note_unreachable(ping)
    assert await send_all(services) == [], "what the others must not read does not go to the table"


@pytest.mark.parametrize("place", ["table", "dm"])
async def test_a_turn_that_an_order_leaves_to_its_owner_rings_once_with_the_reason(
    services: Services, clock: Clock, place: str
) -> None:
    """With the private ping and the letter of the turn; where that rings at the table, the reason comes silently."""
    await write_to(services, BOB.id)
    game, _ = await stop_order_of(services, Calls(place=place, away_from=clock.now, away_to=clock.now + HOUR))  # type: ignore[arg-type]  # a place
    await submit_words(services, game, ANN.id, "bid", amount="5")
    await send_all(services)
    pings = await send_pings(services, clock, HOUR)
    told = [(":order:" in each.follows, each.private, each.silent, WHY in each.note) for each in pings]
    by_place = {"dm": [(False, True, False, True)], "table": [(False, False, False, False), (True, True, True, False)]}
    assert sorted(told) == by_place[place]
    (letter,) = await list_letters(services, BOB.id)
    assert '"about":"turn"' in letter
    assert WHY in letter
