"""Calls as people wish them: put off, fewer, elsewhere, in a digest; away; and what the table is asked at last."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.model.clock import DAY, HOUR
from bot.model.errors import BotError
from bot.model.posts import Ballot, Notice, Ping, Turn, Whisper
from bot.model.records import Calls, Home, NewTable
from bot.service.obligations import find_snooze_end
from bot.service.services import Services
from tests.bot.conftest import ANN, BOB, CID, Clock
from tests.bot.test_table_posts import send_all
from tests.support.toy import Bid


async def reminders(services: Services, clock: Clock, seconds: int) -> list[tuple[str, ...]]:
    clock.now += seconds
    return [post.mention for post in await send_all(services) if isinstance(post, Ping) and post.number]


@pytest.mark.parametrize(
    ("until", "hour", "expected"),
    [("tonight", 10, (21, 20)), ("tonight", 21, (22, 20)), ("tomorrow", 10, (22, 9)), ("4h", 10, (21, 14))],
)
def test_a_snooze_ends_by_the_clock_of_the_players_time_zone(until: str, hour: int, expected: tuple[int, int]) -> None:
    zone = ZoneInfo("Asia/Tokyo")
    now = int(datetime(2026, 11, 21, hour, tzinfo=zone).timestamp())
    then = find_snooze_end(Calls(zone="Asia/Tokyo"), now, until)
    assert then is not None
    end = datetime.fromtimestamp(then, zone)
    assert (end.day, end.hour) == expected


async def test_a_snoozed_reminder_comes_later_and_one_that_is_stopped_never(
    services: Services, game: int, clock: Clock
) -> None:
    await services.table.submit(game, ANN.id, Bid(3))
    await send_all(services)
    with pytest.raises(BotError, match="no longer your turn"):
        await services.obligations.snooze(game, CID.id, "4h")
    assert await reminders(services, clock, DAY) == [(BOB.id,)]
    await services.people.set_calls(BOB.id, Calls(zone="UTC"))
    with pytest.raises(BotError, match="belongs to an earlier turn"):
        await services.obligations.snooze(game, BOB.id, "turn", of_turn=0)
    await services.obligations.snooze(game, BOB.id, "4h", of_turn=1)
    assert await reminders(services, clock, 3 * HOUR) == []
    assert await reminders(services, clock, HOUR) == [(BOB.id,)]
    assert "won't be pinged" in await services.obligations.snooze(game, BOB.id, "turn")
    assert await reminders(services, clock, 9 * DAY) == []


async def test_a_personal_interval_and_number_beat_the_tables(services: Services, game: int, clock: Clock) -> None:
    await services.people.set_calls(BOB.id, Calls(every=3, most=2))
    await services.table.submit(game, ANN.id, Bid(3))
    assert await reminders(services, clock, 0) == []
    assert await reminders(services, clock, DAY) == [(BOB.id,)]
    assert await reminders(services, clock, 3 * HOUR) == [(BOB.id,)]
    assert await reminders(services, clock, 9 * DAY) == []


@pytest.mark.parametrize("live", [False, True])
async def test_after_a_long_standstill_a_call_and_its_reminder_do_not_ring_at_once(
    services: Services, game: int, clock: Clock, live: bool
) -> None:
    """The turn was handed over, the bot stood still for days; then it calls once, and reminds as long after as ever."""
    await services.lobby.set_home(game, Home("g", "c", "t"))
    await services.table.submit(game, ANN.id, Bid(3))
    if live:  # two have acted within five minutes: the call is a ping of its own
        await services.table.submit(game, BOB.id, Bid(4))
    clock.now += 3 * DAY
    sent = await send_all(services)
    rings = [type(post) for post in sent if isinstance(post, Ping) or (isinstance(post, Turn) and post.pings)]
    assert rings == [Ping if live else Turn]
    assert await reminders(services, clock, DAY - 1) == []
    assert await reminders(services, clock, 1) == [(CID.id,) if live else (BOB.id,)]


@pytest.mark.parametrize(("still", "left"), [(11 * HOUR, 13 * HOUR), (13 * HOUR, DAY)])
async def test_a_reminder_counts_from_a_late_call_once_half_of_its_time_has_passed(
    services: Services, game: int, clock: Clock, still: int, left: int
) -> None:
    await services.lobby.set_home(game, Home("g", "c", "t"))
    await services.table.submit(game, ANN.id, Bid(3))
    clock.now += still
    assert [post.pings for post in await send_all(services) if isinstance(post, Turn)] == [(BOB.id,)]
    assert await reminders(services, clock, left - 1) == []
    assert await reminders(services, clock, 1) == [(BOB.id,)]


async def test_an_absent_player_is_not_pinged_and_all_tables_are_notified(
    services: Services, game: int, clock: Clock
) -> None:
    await send_all(services)
    await services.obligations.set_away(BOB.id, 7, "sailing")
    told = [post.text for post in await send_all(services) if isinstance(post, Notice)]
    assert told == ["Bob is away until 22 January: sailing."]
    assert set(await services.people.find_asleep([ANN.id, BOB.id])) == {BOB.id}
    clock.now += 7 * DAY
    assert await services.people.find_asleep([BOB.id]) == {}


async def test_a_digest_comes_once_a_day_and_only_if_something_waits(
    services: Services, game: int, clock: Clock
) -> None:
    for person in (ANN, BOB):
        await services.people.set_calls(person.id, Calls(digest=0))
    await send_all(services)
    for _ in range(2):
        await services.obligations.owe_digests()
    told = [post for post in await send_all(services) if isinstance(post, Whisper)]
    assert [post.user for post in told] == [ANN.id]
    assert "Auction of lot 1" in told[0].text
    clock.now += DAY
    await services.obligations.owe_digests()
    assert [post.user for post in await send_all(services) if isinstance(post, Whisper)] == [ANN.id]


async def test_after_the_last_reminder_the_table_is_asked(services: Services, game: int, clock: Clock) -> None:
    await send_all(services)
    clock.now += 5 * DAY
    (ballot,) = [post for post in await send_all(services) if isinstance(post, Ballot)]
    assert ballot.mention == (BOB.id, CID.id)
    await services.consent.vote(game, BOB.id, yes=True)
    await services.consent.vote(game, CID.id, yes=True)
    seat = (await services.lobby.get_table(game)).seats[0]
    assert (seat.stand_in, seat.once) == (True, False)


async def test_of_two_players_the_other_is_asked_and_a_lone_player_is_not(services: Services, clock: Clock) -> None:
    for guest, asked in ((BOB, [(BOB.id,)]), (ANN, [])):
        table = await services.lobby.create(ANN, NewTable("toy", 2, seed=5))
        await services.lobby.join(table.id, guest, hot_seat=guest is ANN)
        await services.lobby.start(table.id, ANN.id, "as joined")
        assert not any(isinstance(post, Ballot) for post in await send_all(services))
        clock.now += 5 * DAY
        assert not (await services.lobby.get_table(table.id)).seats[0].stand_in
        assert [post.mention for post in await send_all(services) if isinstance(post, Ballot)] == asked


async def test_a_meaningless_text_is_refused(services: Services) -> None:
    for calls in (Calls(digest=24), Calls(most=6), Calls(every=-1), Calls(delay=9999)):
        with pytest.raises(BotError):
            await services.people.set_calls(ANN.id, calls)
    with pytest.raises(BotError, match="must be 0 to 365"):
        await services.obligations.set_away(ANN.id, 400)
