"""Obligations through changes: what waits for people stays right while tables, people and servers change."""

from collections.abc import Awaitable, Callable

import pytest
from sqlmodel import col, delete, select

from bot.model.clock import DAY, HOUR, MINUTE
from bot.model.obligations import Obligation
from bot.model.posts import Ballot, BidPrompt, Owed, Ping, Prompt, Turn, build_turn_key
from bot.model.records import Calls, Home, NewTable
from bot.service.inspection import Inspection
from bot.service.services import Services
from bot.service.transfer import restore_log
from bot.store import obligations, outbox
from bot.store.tables import ContactRow, OutboxRow
from tests.bot.conftest import ANN, BOB, CID, DAN, EVE, Clock
from tests.bot.test_inspection import Blind
from tests.bot.test_obligations import send_pings, sleep
from tests.bot.test_table_posts import send_all
from tests.support.postgres import BOTH
from tests.support.toy import Bid

pytestmark = BOTH


async def list_rows(services: Services, game: int) -> list[Obligation]:
    async with services.database.reading() as session:
        return await obligations.fetch_of_game(session, game)


async def test_after_a_question_about_bids_a_second_turn_pings(services: Services, game: int, clock: Clock) -> None:
    """Only the first turn after it needs no ping."""
    await send_all(services)
    async with services.database.writing(game) as session:
        lot = BidPrompt(game, "Auction of lot 1: submit your maximum bid.", "1", (BOB.id,))
        await outbox.owe(session, [Owed(f"{game}:lot:1:1", lot, clock.now)], clock.now)
    await send_all(services)
    for user, bid in ((ANN, 1), (BOB, 2), (CID, 3)):
        await services.table.submit(game, user.id, Bid(bid))
        await send_all(services)
    await services.table.submit(game, ANN.id, Bid(4))
    (turn,) = [post for post in await send_all(services) if isinstance(post, Turn)]
    assert turn.pings == (BOB.id,)


async def test_whoever_set_a_maximum_bid_is_pinged_for_the_next_turn_and_the_others_see_nothing(
    services: Services, game: int, clock: Clock
) -> None:
    """The ping of a bidder who slept stays where it is, as it would without the secret bid."""
    await send_all(services)
    await sleep(services, BOB.id, clock, HOUR)
    async with services.database.writing(game) as session:
        lot = BidPrompt(game, "Auction of lot 1: submit your maximum bid.", "1", (BOB.id, CID.id))
        await outbox.owe(session, [Owed(f"{game}:lot:1:1", lot, clock.now)], clock.now)
    await send_all(services)
    assert [ping.mention for ping in await send_pings(services, clock, HOUR)] == [(BOB.id,)]
    async with services.database.writing(game) as session:
        await obligations.note_maximum_bid(session, game, BOB.id)
    assert await send_all(services) == []
    await services.table.submit(game, ANN.id, Bid(1))
    (turn,) = [post for post in await send_all(services) if isinstance(post, Turn)]
    assert turn.pings == (BOB.id,)


async def test_whoever_links_an_address_keeps_what_waits_for_them(services: Services, game: int, clock: Clock) -> None:
    """Their snooze holds, and they aren't pinged again for the same turn."""
    await send_all(services)
    await services.obligations.snooze(game, ANN.id, "4h")
    await services.seats.merge_people(ANN.id, DAN.id)
    assert await send_pings(services, clock) == []
    assert await send_pings(services, clock, 4 * HOUR - 1) == []
    assert [ping.mention for ping in await send_pings(services, clock, 1)] == [(DAN.id,)]


async def test_whoever_comes_back_early_in_their_quiet_hours_is_pinged_on_waking(
    services: Services, game: int, clock: Clock
) -> None:
    """What rang while they were away is late by then, and they still sleep."""
    await send_all(services)
    clock.now += DAY - clock.now % DAY + 12 * HOUR
    await services.people.set_calls(ANN.id, Calls(quiet_from=22, quiet_to=8))
    await services.obligations.set_away(ANN.id, 3)
    assert await send_pings(services, clock, 2 * DAY + 11 * HOUR) == []
    await services.obligations.set_away(ANN.id, 0)
    assert await send_pings(services, clock, 8 * HOUR) == []
    assert [ping.mention for ping in await send_pings(services, clock, HOUR)] == [(ANN.id,)]


async def test_patience_that_ends_while_a_player_moves_is_that_of_the_next_turn(
    services: Services, game: int, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await send_all(services)
    clock.now += 5 * DAY
    end: Callable[[Obligation], Awaitable[None]] = services.obligations._end_patience

    async def move_first(row: Obligation) -> None:
        await services.table.submit(game, ANN.id, Bid(1))
        await end(row)

    monkeypatch.setattr(services.obligations, "_end_patience", move_first)
    await services.obligations.ring(game)
    (patience,) = [row for row in await list_rows(services, game) if not row.user]
    turn = (await services.lobby.get_table(game)).turn_from
    assert (patience.subject, patience.open, patience.pings) == (build_turn_key(game, turn), True, 0)


async def test_a_server_that_is_paused_is_not_rung_though_a_player_changes_their_wishes(
    services: Services, game: int, clock: Clock
) -> None:
    await services.lobby.set_home(game, Home("7", "70", "71", "72"))
    await send_all(services)
    await services.servers.set_paused("7", ANN, on=True)
    await services.people.set_calls(ANN.id, Calls(every=1))
    assert await send_pings(services, clock, 3 * DAY) == []
    await services.servers.set_paused("7", ANN, on=False)
    assert [ping.mention for ping in await send_pings(services, clock)] == [(ANN.id,)]


async def test_a_table_that_is_restored_to_an_earlier_turn_pings_who_must_act(
    services: Services, game: int, clock: Clock
) -> None:
    """The message of that turn stands further up, so that editing it wouldn't ping."""
    await send_all(services)
    await services.table.submit(game, ANN.id, Bid(1))
    await send_all(services)
    file = (await services.transfer.export(game)).data
    for user, bid in ((BOB, 2), (CID, 3)):
        await services.table.submit(game, user.id, Bid(bid))
        await send_all(services)
    await restore_log(services.database, game, file, clock.now)
    services.table.live.forget(game)
    posts = await send_all(services)
    pinged = [post.mention for post in posts if isinstance(post, Ping)]
    assert pinged == [(BOB.id,)]


async def test_what_was_asked_at_a_table_that_is_restored_waits_for_no_one(
    services: Services, game: int, clock: Clock
) -> None:
    for user, bid in ((ANN, 1), (BOB, 2), (CID, 3)):
        await services.table.submit(game, user.id, Bid(bid))
    await sleep(services, BOB.id, clock, HOUR)
    await send_all(services)
    file = (await services.transfer.export(game)).data
    await services.back.undo(game, CID.id, to=0)
    await send_all(services)
    await restore_log(services.database, game, file, clock.now)
    services.table.live.forget(game)
    (ballot,) = [post for post in await send_all(services) if isinstance(post, Ballot)]
    assert ballot.mention == ()
    assert await send_pings(services, clock, HOUR) == []


async def test_who_sleeps_when_invited_is_not_asked_to_sit_down_once_the_game_runs(
    services: Services, clock: Clock
) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2, seed=5))
    await sleep(services, CID.id, clock, HOUR)
    await services.lobby.invite(table.id, ANN.id, [CID.id])
    assert [post.pings for post in await send_all(services) if isinstance(post, Prompt)] == [()]
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id, "as joined")
    await send_all(services)
    assert [ping.mention for ping in await send_pings(services, clock, HOUR) if CID.id in ping.mention] == []


@pytest.mark.parametrize("calls", [Calls(place="dm"), Calls(place="both")])
async def test_a_player_whom_private_messages_do_not_reach_is_reminded_once(
    services: Services, game: int, clock: Clock, calls: Calls
) -> None:
    """An inspection finds the ping at the table that took the place of a private message."""
    await services.lobby.set_home(game, Home("7", "70", "71", "72"))
    await services.people.set_calls(ANN.id, calls)
    for number in range(3):
        pings = await send_pings(services, clock, DAY * bool(number))
        for ping in pings:
            if ping.private:
                await services.obligations.note_unreachable(ping)
        await send_all(services)
        repaired = await Inspection(services.table, Blind()).run_round()
        assert [each.words for each in repaired if each.kind in ("ping", "ring", "obligation")] == []
        assert await send_pings(services, clock, 5 * MINUTE) == []
        clock.now -= 5 * MINUTE


async def test_a_player_who_moves_their_pings_to_the_table_is_not_pinged_again_for_the_last(
    services: Services, game: int, clock: Clock
) -> None:
    await services.lobby.set_home(game, Home("7", "70", "71", "72"))
    await services.people.set_calls(ANN.id, Calls(place="dm"))
    await send_all(services)
    assert [ping.private for ping in await send_pings(services, clock, DAY)] == [True]
    await services.people.set_calls(ANN.id, Calls(place="table"))
    await Inspection(services.table, Blind()).run_round()
    assert await send_pings(services, clock) == []


async def test_nobody_is_pinged_for_what_they_put_off_after_the_ping_was_owed(
    services: Services, game: int, clock: Clock
) -> None:
    await send_all(services)
    clock.now += DAY
    await services.obligations.ring(game)
    (ping,) = [stored.post for stored in await services.outbox.list_due() if isinstance(stored.post, Ping)]
    assert await services.obligations.list_still_asked(ping) == (ANN.id,)
    await services.obligations.snooze(game, ANN.id, "4h")
    assert await services.obligations.list_still_asked(ping) == ()


async def test_a_vote_is_still_open_to_whoever_links_an_address(services: Services, game: int, clock: Clock) -> None:
    for user, bid in ((ANN, 1), (BOB, 2), (CID, 3)):
        await services.table.submit(game, user.id, Bid(bid))
    await send_all(services)
    await services.back.undo(game, CID.id, to=0)
    await services.consent.vote(game, BOB.id, yes=True)
    await send_all(services)
    for before, after in ((ANN, DAN), (BOB, EVE)):
        await services.seats.merge_people(before.id, after.id)
    (ballot,) = [post for post in await send_all(services) if isinstance(post, Ballot)]
    assert (ballot.mention, ballot.pings) == ((DAN.id,), ())
    done = await services.consent.vote(game, DAN.id, yes=True)
    assert "taken back" in done.sentences[0] or done.proposal is not None
    assert await services.consent.list_open(game) == []
    del clock


async def test_a_turn_message_that_is_lost_pings_no_one_who_was_pinged_since(
    services: Services, game: int, clock: Clock
) -> None:
    await services.lobby.set_home(game, Home("7", "70", "71", "72"))
    await send_all(services)
    await services.people.set_calls(BOB.id, Calls(delay=2))
    await services.table.submit(game, ANN.id, Bid(1))
    async with services.database.writing(game) as session:
        await session.exec(delete(OutboxRow).where(col(OutboxRow.key) == build_turn_key(game, 1)))
    assert [ping.mention for ping in await send_pings(services, clock, 2 * MINUTE)] == [(BOB.id,)]
    await Inspection(services.table, Blind()).run_round()
    posts = await send_all(services)
    assert [post.pings for post in posts if isinstance(post, Turn)] == [()]
    assert not any(isinstance(post, Ping) for post in posts)


@pytest.mark.parametrize("ahead", [2 * HOUR, 40 * DAY])
async def test_a_clock_that_was_ahead_delays_no_ping(services: Services, game: int, clock: Clock, ahead: int) -> None:
    """A turn began, and another player was reminded, by a clock that was put right later."""
    await send_all(services)
    clock.now += ahead
    await services.people.set_calls(BOB.id, Calls(delay=60))
    await services.table.submit(game, ANN.id, Bid(1))
    await send_all(services)
    clock.now -= ahead
    await services.outbox.check_clock()
    assert await send_pings(services, clock, HOUR - 1) == []
    for number, seconds in enumerate((1, DAY)):
        pings = await send_pings(services, clock, seconds)
        assert [(ping.mention, ping.number) for ping in pings] == [((BOB.id,), number)]
    clock.now += 4 * DAY - HOUR
    assert [post.mention for post in await send_all(services) if isinstance(post, Ballot)] == [(ANN.id, CID.id)]


async def test_a_host_who_sleeps_is_not_asked_about_a_seat_that_is_taken(
    services: Services, game: int, clock: Clock
) -> None:
    await send_all(services)
    await services.table.submit(game, ANN.id, Bid(1))
    await sleep(services, ANN.id, clock, HOUR)
    await services.seats.resign(game, BOB.id)
    assert [post.pings for post in await send_all(services) if isinstance(post, Prompt)] == [()]
    await services.seats.propose_replacement(game, ANN.id, 1, DAN)
    await services.consent.vote(game, DAN.id, yes=True)
    await send_all(services)
    assert [ping.mention for ping in await send_pings(services, clock, HOUR) if ANN.id in ping.mention] == []


async def test_a_player_who_wants_no_more_pings_this_turn_is_still_asked_for_their_vote(
    services: Services, game: int, clock: Clock
) -> None:
    for user, bid in ((ANN, 1), (BOB, 2), (CID, 3)):
        await services.table.submit(game, user.id, Bid(bid))
    await sleep(services, ANN.id, clock, HOUR)
    await services.back.undo(game, CID.id, to=0)
    await send_all(services)
    await services.obligations.snooze(game, ANN.id, "turn")
    assert [ping.follows.split(":")[1] for ping in await send_pings(services, clock, HOUR)] == ["ballot"]
    assert await send_pings(services, clock, 3 * DAY) == []


async def test_whoever_ends_their_digest_gets_what_it_held_back(services: Services, game: int, clock: Clock) -> None:
    async with services.database.writing() as session:
        session.add(ContactRow(address="bob@home.example", user=BOB.id, name="Bob", state="confirmed"))
    await services.people.set_calls(BOB.id, Calls(digest=23))
    await services.table.submit(game, ANN.id, Bid(1))

    async def list_due() -> list[str]:
        async with services.database.reading() as session:
            rows = await session.exec(select(OutboxRow.key).where(OutboxRow.user == BOB.id, OutboxRow.due <= clock.now))
            return list(rows)

    assert await list_due() == []
    await services.people.set_calls(BOB.id, Calls())
    assert await list_due() == [f"{game}:turn:1:to:{BOB.id}"]


async def test_a_letter_that_is_put_off_is_not_doubled_by_a_reminder(
    services: Services, game: int, clock: Clock
) -> None:
    async with services.database.writing() as session:
        session.add(ContactRow(address="bob@home.example", user=BOB.id, name="Bob", state="confirmed"))
    await services.table.submit(game, ANN.id, Bid(1))
    await services.obligations.snooze(game, BOB.id, "4h")
    clock.now += 4 * HOUR
    await services.obligations.ring(game)
    async with services.database.reading() as session:
        rows = await session.exec(select(OutboxRow.key).where(OutboxRow.user == BOB.id, OutboxRow.due <= clock.now))
        assert len(list(rows)) == 1
