"""What a table owes to its channel, and when."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from bot.model.clock import DAY
from bot.model.posts import (
    AnyAlarm,
    Ballot,
    End,
    Expire,
    Lobby,
    Owed,
    Pictures,
    Ping,
    Post,
    Prompt,
    Summary,
    Turn,
    Whisper,
)
from bot.model.records import Home, NewTable
from bot.service.inspection import Inspection
from bot.service.live import Change
from bot.service.services import Services
from bot.service.workers.files import FileAsked
from engine import Game, LogEntry, Rng, Setup
from tests.bot.conftest import ANN, BOB, CID, Clock
from tests.bot.test_inspection import Blind
from tests.support.sure import sure
from tests.support.toy import Bid, Offer, Pass

SEED, MOVES, MOVE_BYTES_MAX = 11, 80, 512


async def send_all(services: Services) -> list[Post]:
    """Ring whom it is time to ring and send what is due, as the senders do; return it."""
    while rings := [each for each in await services.outbox.list_due() if isinstance(each.post, AnyAlarm)]:
        for stored in rings:
            assert isinstance(stored.post, AnyAlarm)
            await services.obligations.carry_out(stored.post, stored.key)
            await services.outbox.note_sent([(stored, ("", ""))])
    sent, left = list[Post](), await services.outbox.list_due()
    while left:
        stored, *rest = left
        stored = await services.obligations.recheck_pings(stored)
        still = await services.outbox.note_sent([(stored, ("channel", stored.message or f"m{stored.id}"))], rest)
        sent, left = [*sent, stored.post], still
    return sent


def only(posts: Sequence[Post], kind: type[Post]) -> Post:
    (post,) = (post for post in posts if isinstance(post, kind))
    return post


async def test_the_start_asks_the_first_player_with_pictures(services: Services, game: int) -> None:
    posts = await send_all(services)
    turn = only(posts, Turn)
    assert isinstance(turn, Turn)
    assert turn.mention == (ANN.id,)
    assert turn.pings
    assert turn.version == 0
    pictures = only(posts, Pictures)
    assert isinstance(pictures, Pictures)
    assert pictures.pictures == ("map", "table")
    assert pictures.follows == f"{game}:turn:0"


async def test_of_a_game_that_is_brought_in_nothing_is_marked_as_new(services: Services, game: int) -> None:
    for user in (ANN, BOB, CID):
        await services.table.submit(game, user.id, Pass())
    file = FileAsked((await services.transfer.export(game)).data)
    await send_all(services)
    await services.transfer.import_file(ANN, file)
    pictures = only(await send_all(services), Pictures)
    assert isinstance(pictures, Pictures)
    assert (pictures.move, pictures.since) == (3, 0)


async def test_when_the_turn_passes_the_old_message_becomes_its_result_and_one_new_one_is_owed(
    services: Services, game: int, clock: Clock
) -> None:
    await send_all(services)
    clock.now += 3600
    await services.table.submit(game, ANN.id, Bid(3))
    posts = await send_all(services)
    summary, turn = only(posts, Summary), only(posts, Turn)
    assert summary == Summary(game, 1, 0, 1, "Ann bids £3 for lot 1", f"{game}:turn:0")
    assert sure(await services.posted.find_post(f"{game}:turn:0")).message != ""
    assert isinstance(turn, Turn)
    assert turn.mention == (BOB.id,)
    assert turn.pings
    assert not any(isinstance(post, Ping) for post in posts)


async def test_within_a_turn_the_message_is_edited_without_a_ping(services: Services, game: int, clock: Clock) -> None:
    for user, action in ((ANN, Bid(3)), (BOB, Pass()), (CID, Pass())):
        await services.table.submit(game, user.id, action)
    await services.table.submit(game, ANN.id, Offer(1, 2, 1))
    await services.back.undo(game, ANN.id)
    await send_all(services)
    before = (await services.table.load_position(game)).table.turn_from
    await services.table.submit(game, ANN.id, Bid(2))
    await services.back.undo(game, ANN.id)
    (turn,) = [post for post in await send_all(services) if isinstance(post, Turn)]
    assert turn.turn_from > before
    assert not turn.pings, "Ann has just acted herself"


async def test_a_live_table_holds_the_ping_two_minutes_and_drops_it_when_the_turn_passes(
    services: Services, game: int, clock: Clock
) -> None:
    await services.lobby.set_home(game, Home("g", "c", "t"))
    await services.table.submit(game, ANN.id, Bid(3))
    await send_all(services)
    clock.now += 299
    await services.table.submit(game, BOB.id, Bid(4))
    posts = await send_all(services)
    turn = only(posts, Turn)
    assert isinstance(turn, Turn)
    assert not turn.pings
    clock.now += 119
    assert await send_all(services) == []
    clock.now += 1
    (ping,) = await send_all(services)
    assert isinstance(ping, Ping)
    assert ping.mention == (CID.id,)
    await services.table.submit(game, CID.id, Bid(5))
    await services.table.submit(game, ANN.id, Bid(6))
    clock.now += 1000
    pings = [post for post in await send_all(services) if isinstance(post, Ping)]
    assert [ping.mention for ping in pings] == [(BOB.id,)], "Ann has moved already"


async def test_a_table_that_was_quiet_for_five_minutes_pings_at_once(
    services: Services, game: int, clock: Clock
) -> None:
    await services.table.submit(game, ANN.id, Bid(3))
    clock.now += 301
    await services.table.submit(game, BOB.id, Bid(4))
    turn = only(await send_all(services), Turn)
    assert isinstance(turn, Turn)
    assert turn.pings


async def test_a_turn_message_never_posted_is_dropped_and_its_result_stands_alone(
    services: Services, game: int
) -> None:
    await send_all(services)
    await services.table.submit(game, ANN.id, Bid(3))
    await services.table.submit(game, BOB.id, Bid(4))
    posts = await send_all(services)
    assert [post.turn_from for post in posts if isinstance(post, Turn)] == [2]
    assert [post.follows for post in posts if isinstance(post, Pictures)] == [f"{game}:turn:2"]
    lines = [post.line for post in posts if isinstance(post, Summary)]
    assert lines == ["Ann bids £3 for lot 1", "Bob bids £4 for lot 1"]


async def test_the_end_mentions_all_and_shows_the_scores(services: Services, game: int) -> None:
    for user in (ANN, BOB, CID, ANN, BOB, CID):
        await services.table.submit(game, user.id, Pass())
    posts = await send_all(services)
    end = only(posts, End)
    assert isinstance(end, End)
    assert end.mention == (ANN.id, BOB.id, CID.id)
    assert end.reason == "all lots sold"
    assert end.lines[0] == "1. Ann — 20"
    assert not any(isinstance(post, Turn) for post in posts)


async def test_a_lobby_is_nudged_on_day_10_and_closed_on_day_14(services: Services, clock: Clock) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2))
    assert await send_all(services) == [Lobby(table.id)]
    clock.now += 10 * DAY
    (nudge,) = await send_all(services)
    assert isinstance(nudge, Prompt)
    assert nudge.mention == nudge.pings == (ANN.id,)
    clock.now += 4 * DAY - 1
    await services.tidy()
    assert (await services.lobby.get_table(table.id)).state == "open"
    clock.now += 1
    await services.tidy()
    assert (await services.lobby.get_table(table.id)).state == "closed"
    posts = await send_all(services)
    assert Lobby(table.id) in posts
    assert not any(isinstance(post, Expire) for post in posts)


async def test_a_table_that_started_is_not_closed_for_want_of_players(
    services: Services, game: int, clock: Clock
) -> None:
    await send_all(services)
    clock.now += 30 * DAY
    await services.tidy()
    assert {type(post) for post in await send_all(services)} == {Ping, Ballot}
    assert (await services.lobby.get_table(game)).state == "running"


async def test_posts_of_turns_that_were_over_thirty_days_ago_are_forgotten(
    services: Services, game: int, clock: Clock
) -> None:
    """Not the last turn's, however long ago it was asked, and none while one of them is still owed."""
    outbox, first, last, told = services.outbox, f"{game}:turn:0", f"{game}:turn:2", f"{game}:result:0:{ANN.id}"
    await outbox.owe(Owed(told, Whisper(game, ANN.id, "Bob bids £2."), clock.now))
    for user, bid in ((ANN, 1), (BOB, 2)):
        await services.table.submit(game, user.id, Bid(bid))
        await send_all(services)
    clock.now += 30 * DAY
    assert await outbox.forget_past_turns() == 0
    clock.now += 1
    turn = sure(await services.posted.find_post(first))
    await outbox.owe(Owed(first, turn.post, clock.now))
    assert await outbox.forget_past_turns() == 0
    await send_all(services)
    assert await outbox.forget_past_turns() > 0
    assert await services.posted.find_post(first) is None
    assert await services.posted.find_post(told) is None
    assert await services.posted.find_post(f"{game}:summary:0") is None
    assert sure(await services.posted.find_post(last)).message
    assert await services.posted.find_post(f"{game}:pictures:2") is not None
    await Inspection(services.table, Blind()).run_round()
    assert await outbox.list_due() == [], "what is forgotten is not owed anew"
    await services.table.submit(game, CID.id, Bid(3))
    assert only(await send_all(services), Summary) is not None


async def test_a_game_takes_half_a_kilobyte_a_move(services: Services, path: Path, clock: Clock) -> None:
    """With all that was said of its moves, once its posts are pruned; while they are kept it is four times as much."""
    players, rng = (ANN, BOB, CID), Rng(SEED)
    wish = NewTable("steel_driver", len(players), seed=SEED)
    table = await services.lobby.create(ANN, wish, Home("guild", "channel"))
    for each in players[1:]:
        await services.lobby.join(table.id, each)
    await services.lobby.start(table.id, ANN.id, "as joined")
    await send_all(services)
    before = measure_used(path)
    game = Game.new(Setup("steel_driver", len(players), seed=SEED))
    while game.actors and len(game.line) < MOVES:
        action = game.title.advice.choose(game.state, game.actors[0], rng)
        await services.table.submit(table.id, players[game.actors[0]].id, action)
        game = game.play(game.actors[0], action).game
        await send_all(services)
    assert measure_used(path) - before > MOVE_BYTES_MAX * MOVES, "posts are kept for a while"
    clock.now += 31 * DAY
    await services.tidy()
    await send_all(services)
    await services.outbox.forget_past_turns()
    await services.database.tidy()
    assert measure_used(path) - before < MOVE_BYTES_MAX * MOVES


def measure_used(path: Path) -> int:
    """Return how many bytes rows and indexes of a store take, without what is free in their pages."""
    with sqlite3.connect(path) as connection:
        (used,) = connection.execute("SELECT sum(pgsize - unused) FROM dbstat").fetchone()
    connection.close()
    return int(used)


async def test_the_result_of_a_turn_tells_all_its_moves(services: Services, game: int) -> None:
    """From the first one on, but none that was taken back; whether this process has looked at the log or not."""
    for user, bid in ((ANN, 1), (BOB, 2)):
        await services.table.submit(game, user.id, Bid(bid))
    await services.back.undo(game, BOB.id)
    here = await services.table.load_position(game)
    whole = replace(here, table=replace(here.table, turn_from=0))
    change = Change(LogEntry(1, Bid(3)), BOB.id, here.game, ("Bob bids £3 for lot 1.",), None)
    for known in (False, True):
        if known:
            await services.table.told.list_lines(here)
        async with services.database.reading() as session:
            step = await services.table.told.build_step(session, whole, here, change, services.clock())
        assert step.told == ("Ann bids £1 for lot 1.", "Bob bids £3 for lot 1.")
