"""The game clock: budget and increment, stopped in quiet hours and while away; whoever runs out loses nothing."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from bot.model.clock import DAY, HOUR, GameClock
from bot.model.errors import BotError
from bot.model.posts import Notice, TimeUp, Turn
from bot.model.quiet import add_waking_seconds, count_waking_seconds
from bot.model.records import Calls, Home
from bot.model.terms import SetClock
from bot.service.game_clock import ClockWish, build_clock, describe_clock, describe_due
from bot.service.lobby import build_table
from bot.service.services import Services
from bot.store import games
from tests.bot.conftest import ANN, BOB, CID, DAN, EVE, THREE, Clock, seat_three
from tests.bot.test_table_posts import send_all
from tests.support.sure import sure
from tests.support.toy import Bid, Offer, Pass

NOON = int(datetime(2027, 1, 15, 12, tzinfo=UTC).timestamp())
CLOCK = ClockWish(budget=48, increment=4)


async def seat_with_clocks(services: Services) -> int:
    """Return a table of three whose clocks have 48 hours, and 4 more a turn; Ann must bid."""
    game = await seat_three(services)
    await services.agreements.propose_clock(game, ANN.id, CLOCK)
    for user in (BOB, CID):
        await services.consent.vote(game, user.id, yes=True)
    await send_all(services)
    return game


async def clock_of(services: Services, game: int) -> GameClock:
    return sure((await services.lobby.get_table(game)).clock)


async def run_out(services: Services, clock: Clock) -> list[int]:
    """Put the clock to the next moment at which something is due; return the seats whose time is up then."""
    clock.now = max(clock.now, (await clock_of(services, 1)).ends[0])
    found = [post for post in await send_all(services) if isinstance(post, TimeUp)]
    return [post.seat for post in found]


@pytest.mark.parametrize(
    ("calls", "hours"),
    [
        (Calls(), 24),
        (Calls(quiet_from=22, quiet_to=6), 16),
        (Calls(quiet_from=13, quiet_to=12), 1),
        (Calls(away_from=NOON + 6 * HOUR, away_to=NOON + 9 * HOUR), 21),
        (Calls(away_from=NOON + 6 * HOUR, away_to=NOON + 14 * HOUR, quiet_from=0, quiet_to=6), 12),
        (Calls(away_from=NOON, away_to=NOON), 24),
    ],
)
def test_a_clock_runs_only_while_a_player_may_be_pinged(calls: Calls, hours: int) -> None:
    assert count_waking_seconds(calls, NOON, NOON + DAY) == hours * HOUR
    end = add_waking_seconds(calls, NOON, hours * HOUR)
    assert end <= NOON + DAY
    assert count_waking_seconds(calls, NOON, end) == hours * HOUR


async def test_a_turn_takes_time_and_gives_the_increment_back(services: Services, clock: Clock) -> None:
    game = await seat_with_clocks(services)
    assert (await clock_of(services, game)).left == (48 * HOUR,) * 3
    clock.now += 10 * HOUR
    await services.table.submit(game, ANN.id, Bid(3))
    assert await clock_of(services, game) == GameClock(
        48 * HOUR, 4 * HOUR, (42 * HOUR, 48 * HOUR, 48 * HOUR), clock.now, (1,), (clock.now + 48 * HOUR,)
    )
    clock.now += HOUR
    await services.table.submit(game, BOB.id, Bid(4))
    assert (await clock_of(services, game)).left[1] == 48 * HOUR, "nobody has more than the budget"
    clock.now += HOUR
    await services.back.undo(game, BOB.id)
    assert (await clock_of(services, game)).left[2] == 47 * HOUR, "what is taken back gives nothing"


async def test_quiet_hours_and_absences_are_not_counted_whenever_they_are_said(
    services: Services, clock: Clock
) -> None:
    clock.now = NOON
    game = await seat_with_clocks(services)
    clock.now += 6 * HOUR
    await services.people.set_calls(ANN.id, Calls(quiet_from=20, quiet_to=8))
    assert (await clock_of(services, game)).left[0] == 42 * HOUR
    clock.now += 20 * HOUR
    await services.obligations.set_away(ANN.id, 5)
    assert (await clock_of(services, game)).left[0] == 34 * HOUR, "two hours in the evening, six in the morning"
    clock.now += 2 * DAY
    await services.obligations.set_away(ANN.id, 0)
    after = await clock_of(services, game)
    assert after.left[0] == 34 * HOUR
    assert datetime.fromtimestamp(after.ends[0], UTC).hour == 12
    assert await run_out(services, clock) == [0]


async def test_a_player_out_of_time_loses_nothing_and_the_others_can_vote_on_this_turn(
    services: Services, clock: Clock
) -> None:
    game = await seat_with_clocks(services)
    with pytest.raises(BotError, match="hasn't kept the table waiting"):
        await services.stand_ins.propose(game, BOB.id, 0, once=True)
    assert await run_out(services, clock) == [0]
    await services.stand_ins.propose(game, BOB.id, 0, once=True)
    await services.consent.vote(game, CID.id, yes=True)
    assert (await clock_of(services, game)).running == (), "no time goes by for the program"
    await services.stand_ins.play_turn(game)
    seat = (await services.lobby.get_table(game)).seats[0]
    assert (seat.user, seat.stand_in, seat.once) == (ANN.id, False, False)
    assert (await clock_of(services, game)).running == (1,)


async def test_a_stand_in_acts_for_a_player_out_of_time_this_turn_or_permanently(
    services: Services, clock: Clock
) -> None:
    game = await seat_with_clocks(services)
    assert await run_out(services, clock) == [0]
    await services.seats.propose_deputy(game, BOB.id, 0, EVE, once=True)
    await services.consent.vote(game, CID.id, yes=True)
    assert not (await services.lobby.get_table(game)).seats[0].proxy, "Eve was asked too"
    await services.consent.vote(game, EVE.id, yes=True)
    done = await services.table.submit(game, EVE.id, Bid(3))
    assert done.sentences[0] == "Eve acts for Ann."
    assert not (await services.lobby.get_table(game)).seats[0].proxy
    assert await run_out(services, clock) == [1]
    await services.seats.propose_deputy(game, ANN.id, 1, EVE, once=False)
    for user in (CID, EVE):
        await services.consent.vote(game, user.id, yes=True)
    await services.table.submit(game, EVE.id, Bid(4))
    assert (await services.lobby.get_table(game)).seats[1].proxy == EVE.id
    await services.seats.set_proxy(game, BOB.id)
    assert not (await services.lobby.get_table(game)).seats[1].proxy


async def test_a_paused_clock_takes_no_time_and_a_new_holder_has_the_whole_budget(
    services: Services, clock: Clock
) -> None:
    game = await seat_with_clocks(services)
    clock.now += HOUR
    paused = await services.agreements.propose_clock(game, ANN.id, ClockWish("pause"))
    assert "paused" in " ".join(paused.sentences)
    for user in (BOB, CID):
        await services.consent.vote(game, user.id, yes=True)
    clock.now += 9 * DAY
    assert not any(isinstance(post, TimeUp) for post in await send_all(services))
    resumed = await services.agreements.propose_clock(game, ANN.id, ClockWish("resume"))
    assert "running again" in " ".join(resumed.sentences)
    for user in (BOB, CID):
        await services.consent.vote(game, user.id, yes=True)
    assert (await clock_of(services, game)).left[0] == 47 * HOUR
    await services.seats.propose_replacement(game, ANN.id, 0, EVE)
    await services.consent.vote(game, EVE.id, yes=True)
    assert (await clock_of(services, game)).left[0] == 48 * HOUR


async def test_a_clock_is_off_unless_the_host_or_all_players_want_it(services: Services, game: int) -> None:
    assert (await services.lobby.get_table(game)).clock is None
    with pytest.raises(BotError, match="no clock"):
        await services.agreements.propose_clock(game, ANN.id, ClockWish("pause"))
    for wish in (ClockWish(budget=0), ClockWish(budget=2, increment=3), ClockWish(budget=10**9)):
        with pytest.raises(BotError, match="The budget must be"):
            await services.agreements.propose_clock(game, ANN.id, wish)
    with pytest.raises(BotError, match="everyone's consent"):
        await services.hosting.set_clock(game, ANN.id, ClockWish("by pace"))
    await services.agreements.propose_clock(game, ANN.id, ClockWish("by pace"))
    await services.consent.vote(game, BOB.id, yes=False)
    assert (await services.lobby.get_table(game)).clock is None


async def test_all_players_can_agree_to_stop_the_clock_or_to_restart_it(services: Services, clock: Clock) -> None:
    """The same numbers leave everyone what they have; other numbers give everyone the whole budget."""
    game = await seat_with_clocks(services)
    clock.now += 10 * HOUR
    for wish, left in ((CLOCK, 38), (ClockWish(budget=48, increment=5), 48), (ClockWish(budget=40, increment=5), 40)):
        await services.agreements.propose_clock(game, BOB.id, wish)
        for user in (ANN, CID):
            done = await services.consent.vote(game, user.id, yes=True)
        assert (await clock_of(services, game)).left[0] == left * HOUR
        assert done.sentences == (f"Game clock: {describe_clock(await clock_of(services, game))}.",)
    asked = sure((await services.agreements.propose_clock(game, BOB.id, ClockWish("off"))).proposal)
    assert asked.terms == SetClock(0, 0, paused=False, told="no clock")
    for user in (ANN, CID):
        await services.consent.vote(game, user.id, yes=True)
    assert (await services.lobby.get_table(game)).clock is None


async def test_proposals_expire_when_the_game_ends(services: Services) -> None:
    """A clock is asked for, and the end; all agree to the end first."""
    game = await seat_three(services, replace(THREE, title="1860"))
    asked = sure((await services.agreements.propose_clock(game, ANN.id, CLOCK)).proposal)
    end = sure((await services.agreements.propose_end(game, ANN.id)).proposal)
    for user in (BOB, CID):
        await services.consent.vote(game, user.id, end.id, yes=True)
    assert (await services.lobby.get_table(game)).state == "finished"
    assert sure(await services.consent.get_proposal(asked.id)).state == "lapsed"


async def test_a_player_who_is_not_asked_is_told_who_is(services: Services, game: int) -> None:
    await services.seats.propose_replacement(game, ANN.id, 0, EVE)
    with pytest.raises(BotError, match="You have no vote on this: Eve decides"):
        await services.consent.vote(game, CID.id, yes=True)


async def test_an_expired_clock_is_reported_once_though_preferences_change_or_another_player_acts(
    services: Services, clock: Clock
) -> None:
    game = await seat_with_clocks(services)
    assert await run_out(services, clock) == [0]
    await services.people.set_calls(ANN.id, Calls(every=5))
    await services.seats.set_proxy(game, ANN.id, EVE)
    assert [post for post in await send_all(services) if isinstance(post, TimeUp)] == []


async def test_answering_in_another_players_turn_uses_the_answering_players_time(
    services: Services, clock: Clock
) -> None:
    game = await seat_with_clocks(services)
    for user, action in ((ANN, Bid(3)), (BOB, Pass()), (CID, Pass()), (ANN, Offer(1, 2, 5))):
        await services.table.submit(game, user.id, action)
    assert await run_out(services, clock) == [2]


async def seat_with_limits(services: Services) -> int:
    """Return a table of three with 48 hours for each turn and 24 of grace; Ann must bid."""
    game = await seat_three(services)
    asked = sure((await services.agreements.propose_clock(game, ANN.id, ClockWish(turn=48, grace=24))).proposal)
    assert asked.terms == SetClock(
        48 * HOUR, 48 * HOUR, paused=False, told="2 days for each turn, then 1 day of grace", grace=24 * HOUR
    )
    for user in (BOB, CID):
        await services.consent.vote(game, user.id, yes=True)
    await send_all(services)
    return game


async def test_after_the_limit_of_a_turn_comes_a_grace_period_and_then_the_vote(
    services: Services, clock: Clock
) -> None:
    game = await seat_with_limits(services)
    begun = clock.now
    assert (await clock_of(services, game)).graces == (begun + 72 * HOUR,)
    clock.now = begun + 48 * HOUR
    said = await send_all(services)
    notices = [(post.text, post.mention) for post in said if isinstance(post, Notice)]
    assert notices == [("Ann is late. After 1 day of grace, the others can have the seat played.", (ANN.id,))]
    assert not any(isinstance(post, TimeUp) for post in said)
    assert (await clock_of(services, game)).ends == (begun + 72 * HOUR,)
    clock.now = begun + 60 * HOUR
    assert not [post for post in await send_all(services) if isinstance(post, Notice | TimeUp)], "it is told once"
    lines = await services.agreements.describe_clock(await services.lobby.get_table(game))
    assert lines[1].startswith("Left: Ann 12 hours of grace, Bob 2 days")
    clock.now = begun + 72 * HOUR
    assert [post.seat for post in await send_all(services) if isinstance(post, TimeUp)] == [0]
    await services.table.submit(game, ANN.id, Bid(3))
    after = await clock_of(services, game)
    assert (after.left, after.late) == ((48 * HOUR,) * 3, (1, 0, 0)), "a late turn takes nothing from the next one"
    lines = await services.agreements.describe_clock(await services.lobby.get_table(game))
    assert lines[2] == "Turns made late: Ann 1."
    await services.table.submit(game, BOB.id, Bid(4))
    assert (await clock_of(services, game)).late == (1, 0, 0)
    await services.seats.propose_replacement(game, ANN.id, 0, EVE)
    await services.consent.vote(game, EVE.id, yes=True)
    assert (await clock_of(services, game)).late == (0, 0, 0), "who is new was never late"


async def test_an_absence_moves_the_limit_and_the_grace_period(services: Services, clock: Clock) -> None:
    """Said before the turn is late, and while it is; the turn message is edited, as it names the moment."""
    game = await seat_with_limits(services)
    begun = clock.now
    await services.obligations.set_away(ANN.id, 5)
    sent = await send_all(services)
    assert [post.turn_from for post in sent if isinstance(post, Turn)] == [0]
    (said,) = [post.text for post in sent if isinstance(post, Notice)]
    assert said.endswith(". The clock stops until then.")
    away = (await clock_of(services, game)).ends[0] - begun - 48 * HOUR
    assert 4 * DAY < away <= 6 * DAY
    assert (await clock_of(services, game)).graces == (begun + 72 * HOUR + away,)
    clock.now = begun + 48 * HOUR + away
    await send_all(services)
    await services.obligations.set_away(ANN.id, 2)
    after = await clock_of(services, game)
    assert after.ends == after.graces
    assert after.ends[0] > begun + 72 * HOUR + away


def test_a_limit_for_each_turn_takes_the_place_of_a_budget() -> None:
    table = replace(build_table(ANN, THREE, Home(), 0), clock=GameClock(9 * HOUR, 2 * HOUR, grace=HOUR))
    assert build_clock(table, ClockWish(turn=5)) == GameClock(5 * HOUR, 5 * HOUR, grace=HOUR)
    assert build_clock(table, ClockWish(grace=0)) == GameClock(9 * HOUR, 2 * HOUR)
    for wish, refusal in (
        (ClockWish(turn=5, budget=9), "Set either the hours for each turn, or a budget"),
        (ClockWish(grace=337), "The grace period can be 0 to 336 hours."),
        (ClockWish(grace=-1), "The grace period can be 0 to 336 hours."),
    ):
        with pytest.raises(BotError, match=refusal):
            build_clock(table, wish)


def test_a_turn_is_due_at_a_moment_in_the_players_own_zone() -> None:
    clock = GameClock(HOUR, HOUR, (HOUR, HOUR), NOON, (1,), (NOON + HOUR,))
    graced = replace(clock, grace=HOUR, graces=(NOON + 2 * HOUR,))
    assert describe_due(clock, 1, "Europe/Berlin") == "Due Fri 15 Jan, 14:00 (Europe/Berlin)."
    assert describe_due(graced, 1, "UTC") == "Due Fri 15 Jan, 13:00; grace until Fri 15 Jan, 14:00 (UTC)."
    assert describe_due(replace(graced, ends=graced.graces), 1, "UTC") == (
        "You're late; grace until Fri 15 Jan, 14:00 (UTC)."
    )
    for no_clock in (None, replace(clock, paused=True), replace(clock, running=(0,))):
        assert describe_due(no_clock, 1, "UTC") == ""


async def test_the_clocks_of_a_person_run_where_they_sit_or_act_for_a_player(services: Services) -> None:
    """A person's quiet hours concern these tables alone: none of other people, none without a clock."""
    game = await seat_with_clocks(services)
    await seat_three(services)
    async with services.database.writing() as session:
        await games.set_proxy(session, game, BOB.id, DAN)
        found = {user.name: await games.list_with_clocks(session, user.id) for user in (ANN, CID, DAN, EVE)}
    assert {name: [table.id for table in tables] for name, tables in found.items()} == {
        "Ann": [game], "Cid": [game], "Dan": [game], "Eve": []
    }  # fmt: skip
