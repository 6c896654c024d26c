"""One inbox of obligations: who sleeps is asked on waking, what was promised comes then, patience is the table's."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.model import pinging
from bot.model.clock import DAY, HOUR, MINUTE, GameClock
from bot.model.letters import Letter
from bot.model.obligations import TABLE, Obligation, find_due, list_answered
from bot.model.pinging import Asked
from bot.model.posts import Ballot, BidPrompt, Notice, Nudge, Owed, Ping, Prompt, TimeUp, Turn, Whisper
from bot.model.records import Calls, NewTable, Seat
from bot.model.turns import find_patience
from bot.screens.notices import make_notice, make_ping
from bot.service.game_clock import ClockWish
from bot.service.services import Services
from bot.store import outbox
from engine import Ask
from tests.bot.conftest import ANN, BOB, CID, Clock, seat_three
from tests.bot.test_table_posts import send_all
from tests.support.sure import sure
from tests.support.toy import Bid

ZONES = (
    "Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "Pacific/Chatham", "America/St_Johns",
    "UTC",
)  # fmt: skip
KEY = "7:turn:0"
QUESTION = Turn(7, 0, 0, (Seat(1, "2", "Bob"),), ("2",), Ask((1,), "Auction", "bid"), wait=12 * HOUR, patience=4 * DAY)
hours = st.integers(0, 23)
moments = st.integers(1_766_000_000, 1_830_000_000)
"""Two years, with four changes to and from summer time."""


@st.composite
def wishes(draw: st.DrawFn, since: int) -> Calls:
    away = draw(st.sampled_from((0, 0, 3 * HOUR, 5 * DAY)))
    begins = since + draw(st.integers(-2 * DAY, 2 * DAY))
    return Calls(
        reminders=draw(st.booleans()), quiet_from=draw(hours), quiet_to=draw(hours), zone=draw(st.sampled_from(ZONES)),
        place=draw(st.sampled_from(("table", "dm", "both", "none"))), delay=draw(st.sampled_from((0, 0, 15, 600))),
        every=draw(st.sampled_from((0, 0, 5))), most=draw(st.integers(0, 5)), away_from=begins, away_to=begins + away,
        digest=draw(st.sampled_from((-1, -1, 8))),
    )  # fmt: skip


def ring_once(row: Obligation, calls: Calls, now: int, *, by_mail: bool) -> tuple[Obligation, set[str]]:
    """Ring what is due at a table with one obligation; return it, and where its person was pinged."""
    plan = pinging.ring(7, {KEY: QUESTION}, Asked([row], {"2": calls}, ("2",) * by_mail, posted={KEY}), now)
    now_owed = [each.post for each in plan.owed if each.due <= now]
    pinged = {"private" if each.private else "table" for each in now_owed if isinstance(each, Ping)}
    pinged |= {"mail" for each in now_owed if isinstance(each, Letter)}
    return next((each for each in plan.rows if each.user == "2"), row), pinged


def wants_peace(calls: Calls, moment: int) -> bool:
    """Return whether a person wants peace at a moment, by the hour that their own clock shows."""
    hour = datetime.fromtimestamp(moment, ZoneInfo(calls.zone)).hour
    is_quiet = (hour - calls.quiet_from) % 24 < (calls.quiet_to - calls.quiet_from) % 24
    return is_quiet or calls.away_from <= moment < calls.away_to


FRONTS = {"table": {"table"}, "dm": {"private"}, "both": {"table", "private"}, "none": set[str]()}


def test_another_lot_ends_the_questions_about_the_one_before_and_nothing_else() -> None:
    rows = [Obligation(7, "7:bid:IOW", "bidprompt", "1", 0, 0), Obligation(7, KEY, "turn", "2", 0, 0)]
    asked = Asked(rows, {"1": Calls(), "2": Calls()})
    assert pinging.ask([Owed("7:bid:FYN", BidPrompt(7, "", "FYN", ("1",)), HOUR)], asked, HOUR).over == ("7:bid:IOW",)
    assert pinging.ask([Owed("7:bid:IOW", BidPrompt(7, "", "IOW", ("1",)), HOUR)], asked, HOUR).over == ()


def test_a_ping_that_stands_is_answered_once_nothing_is_to_be_done() -> None:
    done, waits, private = (Obligation(7, KEY, "turn", user, 0, 0, stands=user != "3") for user in "123")
    assert list_answered([done, waits, private], [waits]) == {KEY: {"1"}}
    assert list_answered([waits], [replace(waits, open=False)]) == {KEY: {"2"}}


@pytest.mark.parametrize(("pings", "named"), [(0, 5 * DAY), (1, 0)])
def test_a_ping_names_when_the_others_are_asked_until_they_were(pings: int, named: int) -> None:
    patience = Obligation(7, KEY, "turn", TABLE, 0, 5 * DAY, 5 * DAY, pings=pings, pinged=pings)
    rows = [Obligation(7, KEY, "turn", "2", 0, 0), patience]
    plan = pinging.ring(7, {KEY: QUESTION}, Asked(rows, {"2": Calls()}, posted={KEY}), HOUR)
    assert [each.post.patience for each in plan.owed if isinstance(each.post, Ping)] == [named]


@settings(max_examples=200, deadline=None)
@given(st.data(), moments)
def test_whatever_people_wish_they_are_pinged_once_they_are_awake_and_when_it_was_promised(
    data: st.DataObject, since: int
) -> None:
    """Random zones, quiet hours across summer time, absences, delays, fronts; snoozes, also of the last ping.

    Letters of a turn come at the same moment, unless a digest has them.
    """
    calls, by_mail = data.draw(wishes(since)), data.draw(st.booleans())
    fronts = FRONTS[calls.place] | ({"mail"} if by_mail and calls.digest < 0 else set())
    row = Obligation(7, KEY, "turn", "2", since, since, 12 * HOUR)
    row, now, times = replace(row, due=find_due(row, calls)), since, 0
    promised: int | None = None
    for _ in range(12):
        due = row.due
        if due is None:
            break
        early, pinged = ring_once(row, calls, due - 1, by_mail=by_mail)
        assert not pinged, "never before its time"
        assert early.pings == row.pings
        row, pinged = ring_once(row, calls, due, by_mail=by_mail)
        assert pinged == fronts, "no front is left out"
        assert not wants_peace(calls, due), "and never asleep"
        assert promised in (None, due), "to the second when it was promised"
        now, times, promised = due, times + 1, None
        if data.draw(st.booleans()):
            then = now + data.draw(st.sampled_from((4 * HOUR, 30 * MINUTE, 9 * HOUR)))
            row = replace(row, snooze=then)
            promised = find_due(row, calls)
            assert promised is not None, "a ping that someone asked for comes"
            assert promised >= then
            row = replace(row, due=promised)
    assert times >= 1, "put off, never dropped"


async def send_pings(services: Services, clock: Clock, seconds: int = 0) -> list[Ping]:
    clock.now += seconds
    return [post for post in await send_all(services) if isinstance(post, Ping)]


async def sleep(services: Services, user: str, clock: Clock, seconds: int = DAY) -> None:
    await services.people.set_calls(user, Calls(away_from=clock.now, away_to=clock.now + seconds))


async def test_a_player_asleep_is_asked_for_their_vote_on_waking_and_has_as_long_from_then(
    services: Services, game: int, clock: Clock
) -> None:
    for user, bid in ((ANN, 1), (BOB, 2), (CID, 3)):
        await services.table.submit(game, user.id, Bid(bid))
    await sleep(services, BOB.id, clock, 20 * HOUR)
    await send_all(services)
    asked = sure((await services.back.undo(game, CID.id, to=0)).proposal)
    assert asked.expires == clock.now + 20 * HOUR + DAY
    (ballot,) = [post for post in await send_all(services) if isinstance(post, Ballot)]
    assert (ballot.mention, ballot.pings) == ((ANN.id, BOB.id), (ANN.id,))
    for seconds, pinged in ((20 * HOUR - 1, []), (1, [(BOB.id,)])):
        pings = await send_pings(services, clock, seconds)
        assert [ping.mention for ping in pings if ":ballot:" in ping.follows] == pinged
    clock.now += DAY - 1
    await services.tidy()
    assert await services.consent.list_open(game) != []
    clock.now += 1
    await services.tidy()
    assert await services.consent.list_open(game) == []


async def test_a_vote_is_asked_for_where_each_player_wishes_to_be_pinged(
    services: Services, game: int, clock: Clock
) -> None:
    for user, bid in ((ANN, 1), (BOB, 2), (CID, 3)):
        await services.table.submit(game, user.id, Bid(bid))
    await services.people.set_calls(ANN.id, Calls(place="dm"))
    await services.people.set_calls(BOB.id, Calls(place="none"))
    await send_all(services)
    await services.back.undo(game, CID.id, to=0)
    posts = await send_all(services)
    assert [post.pings for post in posts if isinstance(post, Ballot)] == [()]
    assert [(post.mention, post.private) for post in posts if isinstance(post, Ping)] == [((ANN.id,), True)]


async def test_whoever_is_asleep_when_a_clock_runs_out_is_asked_on_waking(services: Services, clock: Clock) -> None:
    game = await seat_three(services, NewTable("toy", 3, seed=5, clock=True))
    await send_all(services)
    await services.people.set_calls(ANN.id, Calls(reminders=False))
    clock.now += 10 * DAY - 60
    await send_all(services)
    await sleep(services, CID.id, clock)
    clock.now += 60
    (up,) = [post for post in await send_all(services) if isinstance(post, TimeUp)]
    assert (up.mention, up.pings) == ((BOB.id, CID.id), (BOB.id,))
    assert [ping.mention for ping in await send_pings(services, clock, DAY - 60)] == [(CID.id,)]
    assert (await services.lobby.get_table(game)).state == "running"


async def test_a_snooze_of_the_last_reminder_rings_when_it_said(services: Services, game: int, clock: Clock) -> None:
    """Also with reminders off: the player asked for this ping."""
    for calls in (Calls(most=1), Calls(reminders=False)):
        await services.people.set_calls(ANN.id, calls)
        await send_pings(services, clock, 2 * DAY)
        words = await services.obligations.snooze(game, ANN.id, "4h")
        assert "You'll be pinged again on" in words
        assert await send_pings(services, clock, 4 * HOUR - 1) == []
        assert [ping.mention for ping in await send_pings(services, clock, 1)] == [(ANN.id,)]


async def test_a_snooze_names_the_end_of_quiet_hours_where_it_would_end_in_them(
    services: Services, game: int, clock: Clock
) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    await send_all(services)
    await services.people.set_calls(ANN.id, Calls(quiet_from=18, quiet_to=10, zone=berlin.key))
    words = await services.obligations.snooze(game, ANN.id, "tonight")
    assert "at 10:00 (Europe/Berlin), when your quiet hours end" in words


@pytest.mark.parametrize("calls", [Calls(reminders=False), Calls(most=0), Calls(most=1), Calls(every=1)])
async def test_the_patience_of_a_table_does_not_depend_on_how_often_a_player_wishes_to_be_reminded(
    services: Services, game: int, clock: Clock, calls: Calls
) -> None:
    """A relaxed table asks the others after five days, and again five days later while nothing has happened."""
    await services.people.set_calls(ANN.id, calls)
    await send_all(services)
    clock.now += 5 * DAY - 1
    assert not [post for post in await send_all(services) if isinstance(post, Ballot)]
    clock.now += 1
    assert [post.mention for post in await send_all(services) if isinstance(post, Ballot)] == [(BOB.id, CID.id)]
    for _ in range(2):
        clock.now += 3 * DAY
        await services.tidy()
    assert [post.mention for post in await send_all(services) if isinstance(post, Ballot) and post.mention] == [
        (BOB.id, CID.id)
    ]


async def test_a_clock_that_is_paused_by_all_rings_nobody_until_it_goes_on(services: Services, clock: Clock) -> None:
    game = await seat_three(services, NewTable("toy", 3, seed=5, clock=True))
    await send_all(services)
    for way in ("pause", "resume"):
        await services.agreements.propose_clock(game, BOB.id, ClockWish(to=way))
        for user in (ANN, CID):
            await services.consent.vote(game, user.id, yes=True)
        await send_all(services)
        pings = [ping for ping in await send_pings(services, clock, 3 * DAY) if ":turn:" in ping.follows]
        assert [ping.mention for ping in pings] == ([] if way == "pause" else [(ANN.id,)])


async def test_a_question_about_who_acts_for_a_seat_takes_the_place_of_the_one_before(
    services: Services, game: int, clock: Clock
) -> None:
    """Two ballots on one late turn once both passed: a friend was to act, and the stand-in moved."""
    await send_all(services)
    clock.now += 2 * DAY
    await services.stand_ins.propose(game, BOB.id, 0)
    await services.seats.propose_deputy(game, BOB.id, 0, CID, once=True)
    open_now = await services.consent.list_open(game)
    assert len(open_now) == 1


async def test_who_was_asked_for_a_maximum_bid_is_pinged_for_their_turn_an_hour_later_if_it_still_waits(
    services: Services, game: int, clock: Clock
) -> None:
    """Nothing rings twice within the hour, and no turn waits without a ring; reminders count from then."""
    await send_all(services)
    async with services.database.writing(game) as session:
        lot = BidPrompt(game, "Auction of lot 1: submit your maximum bid.", "1", (BOB.id,))
        await outbox.owe(session, [Owed(f"{game}:lot:1:1", lot, clock.now)], clock.now)
    assert [post.pings for post in await send_all(services) if isinstance(post, BidPrompt)] == [(BOB.id,)]
    await services.table.submit(game, ANN.id, Bid(1))
    (turn,) = [post for post in await send_all(services) if isinstance(post, Turn)]
    assert (turn.mention, turn.pings) == ((BOB.id,), ())
    assert await send_pings(services, clock, HOUR - 1) == []
    for seconds, number in ((1, 0), (DAY, 1)):
        assert [ping.number for ping in await send_pings(services, clock, seconds)] == [number]


async def test_who_was_asked_for_a_maximum_bid_and_moves_within_the_hour_is_not_pinged_again(
    services: Services, game: int, clock: Clock
) -> None:
    await send_all(services)
    async with services.database.writing(game) as session:
        lot = BidPrompt(game, "Auction of lot 1: submit your maximum bid.", "1", (BOB.id,))
        await outbox.owe(session, [Owed(f"{game}:lot:1:1", lot, clock.now)], clock.now)
    await send_all(services)
    await services.table.submit(game, ANN.id, Bid(1))
    await services.table.submit(game, BOB.id, Bid(2))
    await send_all(services)
    assert [ping.mention for ping in await send_pings(services, clock, 2 * HOUR) if BOB.id in ping.mention] == []


async def test_the_host_of_a_table_that_no_one_starts_is_asked_on_waking(services: Services, clock: Clock) -> None:
    """It asks them in the message where they are awake, and by a ping once they are."""
    await services.people.set_calls(ANN.id, Calls(quiet_from=0, quiet_to=8))
    clock.now -= clock.now % DAY - HOUR
    table = await services.lobby.create(ANN, NewTable("toy", 2))
    await send_all(services)
    clock.now += 10 * DAY
    (nudge,) = await send_all(services)
    assert isinstance(nudge, Prompt)
    assert (nudge.mention, nudge.pings) == ((ANN.id,), ())
    assert "will close in 4 days" in nudge.text
    assert "Start" in [button.label for row in make_notice(nudge, table).rows for button in row]
    clock.now += 7 * HOUR
    (ping,) = await send_all(services)
    assert isinstance(ping, Ping)
    assert ping.mention == (ANN.id,)


async def test_a_table_that_was_started_asks_no_host_to_start_it_and_no_guest_to_join(services: Services) -> None:
    table = await services.lobby.create(ANN, NewTable("toy", 2))
    await services.lobby.invite(table.id, ANN.id, [CID.id])
    await services.obligations.carry_out(Nudge(table.id), "")
    await services.lobby.join(table.id, BOB)
    await services.lobby.start(table.id, ANN.id)
    await services.obligations.carry_out(Nudge(table.id), "")
    assert not [post for post in await send_all(services) if isinstance(post, Prompt)]


async def test_whoever_wishes_no_pings_finds_a_prompt_in_their_digest(services: Services) -> None:
    """Others, whom it pinged, know of it."""
    await services.people.set_calls(CID.id, Calls(place="none", digest=0))
    table = await services.lobby.create(ANN, NewTable("toy", 2))
    await services.lobby.invite(table.id, ANN.id, [BOB.id, CID.id])
    await send_all(services)
    assert await services.obligations.list_waiting(BOB.id) == {}
    assert "You're invited" in (await services.obligations.list_waiting(CID.id))[table.id]


def test_a_notice_names_people_and_pings_no_one() -> None:
    shown = make_notice(Notice(7, "E-mail to Bob is bouncing.", ("2",)))
    assert shown.text.startswith("<@2>")
    assert shown.mention == ()


async def test_a_reminder_names_a_player_who_plays_by_mail_alone(services: Services, game: int) -> None:
    table = await services.lobby.get_table(game)
    table = replace(table, seats=(replace(table.seats[0], user="ann@home.example"), *table.seats[1:]))
    for number, words in ((0, "Ann — Lot 1: still your turn."), (1, "Ann — Lot 1: your turn since")):
        ping = Ping(game, f"{game}:turn:0", ("ann@home.example",), number)
        assert make_ping(ping, "Lot 1", table).text.startswith(words)


async def test_a_silent_word_waits_for_a_person_who_sleeps(services: Services, clock: Clock) -> None:
    assert await services.people.find_peace_end(ANN.id) == 0
    await services.people.set_calls(ANN.id, Calls(quiet_from=0, quiet_to=8))
    clock.now -= clock.now % DAY - HOUR
    assert await services.people.find_peace_end(ANN.id) == clock.now + 7 * HOUR


async def test_nobody_gets_a_digest_while_they_are_away(services: Services, game: int, clock: Clock) -> None:
    await services.people.set_calls(ANN.id, Calls(digest=0))
    await services.obligations.set_away(ANN.id, 3)
    await services.obligations.owe_digests()
    assert not [post for post in await send_all(services) if isinstance(post, Whisper)]
    clock.now += 3 * DAY
    await services.obligations.owe_digests()
    assert [post.user for post in await send_all(services) if isinstance(post, Whisper)] == [ANN.id]


async def test_a_digest_lists_all_that_waits_for_a_player(services: Services, game: int, clock: Clock) -> None:
    """A vote as well as a turn; what is done is not listed."""
    for user, bid in ((ANN, 1), (BOB, 2), (CID, 3)):
        await services.table.submit(game, user.id, Bid(bid))
    await services.back.undo(game, CID.id, to=0)
    first, second = (await services.obligations.list_waiting(ANN.id))[game].splitlines()
    assert "Auction of lot 1, bid or pass" in first
    assert second.endswith("Cid asks to take back 3 moves: /game vote game:1 which:1")
    await services.consent.vote(game, ANN.id, yes=True)
    assert len((await services.obligations.list_waiting(ANN.id))[game].splitlines()) == 1
    assert await services.obligations.list_waiting(CID.id) == {}


async def test_the_others_are_asked_only_where_some_are_left_and_no_clock_tells_when(
    services: Services, game: int
) -> None:
    table = await services.lobby.get_table(game)
    assert find_patience(table) > 0
    assert find_patience(replace(table, clock=GameClock(DAY, 0))) == 0
    assert find_patience(replace(table, seats=table.seats[:1])) == 0
