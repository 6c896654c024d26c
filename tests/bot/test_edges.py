"""What people are told of figures holds up to the last of them; who wished nothing has what the documents say."""

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from bot.model import quiet
from bot.model.clock import DAY, HOUR, MINUTE, GameClock, SteadyClock
from bot.model.errors import BotError, explain_error
from bot.model.letters import Letter, NumberedMoves
from bot.model.orders import OrderWish, change_order
from bot.model.posts import Notice, OnDeck, Owed, Ping
from bot.model.records import Calls, Home, NewTable, Seat, ServerRules, Style
from bot.model.seating import join_names
from bot.model.standing import Standing
from bot.service.game_clock import ClockWish, build_clock
from bot.service.live import LiveGames, refuse_oversized
from bot.service.lobby import build_table as opened_table
from bot.service.obligations import find_snooze_end
from bot.service.seats import MIN_WAIT_SECONDS
from bot.service.servers import FRESH_SECONDS, Limits
from bot.service.services import Services
from bot.service.stand_ins import draft_stand_in as stand_in_wanted
from bot.service.workers.account import ACCOUNT
from bot.service.workers.choices import PLANS, TIPS
from bot.service.workers.stand_in import FORESEEN
from bot.store import games
from bot.store.database import Wake
from bot.store.outbox import LETTERS
from engine import TITLES, Game, Setup, UnreadableLogError
from tests.bot.conftest import ANN, BOB, EVE, THREE, Clock
from tests.bot.test_orders import open_game
from tests.bot.test_table_posts import send_all
from tests.support.sure import sure
from tests.support.toy import Bid


def test_a_minute_an_hour_and_a_day_are_as_long_as_anywhere() -> None:
    assert [timedelta(seconds=span) for span in (MINUTE, HOUR, DAY)] == [
        timedelta(minutes=1), timedelta(hours=1), timedelta(days=1),
    ]  # fmt: skip
    assert {pace: span / HOUR for pace, span in MIN_WAIT_SECONDS.items()} == {
        "live": 12, "several a day": 48, "daily": 96, "relaxed": 168,
    }  # fmt: skip


def test_a_player_without_preferences_is_pinged_at_the_table_and_reminded_at_most_five_times_at_any_hour() -> None:
    assert Calls() == Calls(
        reminders=True, quiet_from=0, quiet_to=0, zone="UTC", place="table", delay=0, every=0, most=5, digest=-1,
        away_from=0, away_to=0, away_note="", on_deck=False,
    )  # fmt: skip
    assert Style() == Style("standard", text_first=False)
    assert ServerRules() == ServerRules((), {}, 0, 0, 0, paused=False)
    assert Limits().tables.person == Limits().tables.server == 0
    assert Seat(0, "1", "Ann") == Seat(0, "1", "Ann", "", "", stand_in=False, once=False)
    assert NewTable("toy", 3) == NewTable("toy", 3, stand_ins=0, clock=False)


@pytest.mark.parametrize(
    ("last", "beyond"),
    [
        (Calls(delay=24 * 60), Calls(delay=24 * 60 + 1)),
        (Calls(delay=0), Calls(delay=-1)),
        (Calls(every=24 * 14), Calls(every=24 * 14 + 1)),
        (Calls(every=0), Calls(every=-1)),
        (Calls(most=5), Calls(most=6)),
        (Calls(most=0), Calls(most=-1)),
        (Calls(digest=23), Calls(digest=24)),
        (Calls(digest=-1), Calls(digest=-2)),
        (Calls(quiet_from=23, quiet_to=0), Calls(quiet_from=24, quiet_to=0)),
        (Calls(quiet_from=0, quiet_to=23), Calls(quiet_from=0, quiet_to=-1)),
    ],
)
def test_ping_preferences_are_accepted_within_their_limits(last: Calls, beyond: Calls) -> None:
    assert quiet.check_calls(last) == last
    with pytest.raises(BotError):
        quiet.check_calls(beyond)


def moment(hour: int, day: int = 1) -> int:
    return int(datetime(2026, 6, day, hour, tzinfo=ZoneInfo("UTC")).timestamp())


def test_time_awake_goes_by_from_the_end_of_the_quiet_hours_to_their_beginning() -> None:
    """From 22 to 8 nothing goes by, nor while someone is away; in the last minute before it does."""
    night = Calls(quiet_from=22, quiet_to=8)
    away = replace(night, away_from=moment(12, 2), away_to=moment(12, 4))
    for calls, start, end, hours in (
        (night, moment(20), moment(23), 2),
        (night, moment(22), moment(8, 2), 0),
        (night, moment(23), moment(10, 2), 2),
        (night, moment(9), moment(9), 0),
        (away, moment(10, 2), moment(23, 2), 2),
        (away, moment(12, 2), moment(12, 4), 0),
        (away, moment(10, 2), moment(13, 4), 3),
        (Calls(), moment(1), moment(5, 3), 52),
        (Calls(away_from=moment(1), away_to=moment(3)), moment(0), moment(5), 3),
    ):
        assert quiet.count_waking_seconds(calls, start, end) == hours * HOUR, (calls, start)
        if hours:
            assert start < quiet.add_waking_seconds(calls, start, hours * HOUR) <= end
            assert (
                quiet.count_waking_seconds(calls, start, quiet.add_waking_seconds(calls, start, hours * HOUR))
                == hours * HOUR
            )
    assert quiet.add_waking_seconds(night, moment(20), 2 * HOUR) == moment(22)
    assert quiet.add_waking_seconds(night, moment(20), 2 * HOUR + 1) == moment(8, 2) + 1
    assert quiet.find_quiet_end(away, moment(12, 4) - 1) == moment(12, 4)
    assert quiet.find_quiet_end(away, moment(12, 4)) == moment(12, 4)
    asleep = quiet.find_asleep({"1": night, "2": Calls(), "3": away}, moment(12, 2))
    assert asleep == {"3": moment(12, 4)}


def test_a_snooze_until_tonight_at_eight_in_the_evening_is_until_tomorrow() -> None:
    assert find_snooze_end(Calls(), moment(20), "tonight") == moment(20, 2)
    assert find_snooze_end(Calls(), moment(20) - 1, "tonight") == moment(20)
    assert find_snooze_end(Calls(), moment(8), "tomorrow") == moment(9, 2), "though nine is still to come today"


async def test_a_change_without_posts_wakes_no_sender(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note, an order, a deed, a code that came back: each is stored, and nothing is looked for to be sent."""
    game = await open_game(services, "1860")
    await services.orders.set_order(game, BOB.id, OrderWish("bid", "choice", 30))
    async with services.database.writing(game) as session:
        await games.change_orders(
            session, [change_order(each, state="stopped") for each in await services.orders.list_active(game, BOB.id)]
        )
    (stored, *_), contacts = await services.outbox.list_due(), services.contacts
    known = await contacts.find_or_add("ann@home.example")
    await services.outbox.owe(Owed("k", Letter(0, known.user, "notice"), 0))
    ((letter,),) = [batch.posts for batch in await services.outbox.claim([LETTERS])]
    told = AsyncMock()
    monkeypatch.setattr(type(services.database.backend), "announce", told)
    services.database.wake = Wake()
    claim, *_ = await services.outbox.claim([f"posts:{game}"])
    for work in (
        services.outbox.set_clock_back(),
        services.outbox.note_sent([(claim.posts[0], ("c", "m"))]),
        services.outbox.put_off(stored, 5),
        services.outbox.note_failed(stored, "gone"),
        services.outbox.note_unsent([stored]),
        services.orders.set_order(game, BOB.id, OrderWish("bid", "choice", 20)),
        services.orders.collect_stopped(await services.lobby.get_table(game), BOB.id),
        services.orders.cancel(game, BOB.id),
        services.people.set_note(game, ANN.id, "mine"),
        services.servers.note_deed("g", EVE, "did it"),
        services.duties.take_duty("sweep", 60),
        services.duties.give_back_duty("sweep"),
        services.duties.write_note("day", "2026-11-22"),
        services.moving.pause_posts("g"),
        contacts.find_or_add("bob@home.example"),
        services.outbox.note_failed(letter, "busy", 5),
        services.outbox.note_sent([(letter, ("", "ann"))]),
        services.posted.note_offer(letter, NumberedMoves(1, 0)),
    ):
        await work
        assert not services.database.wake.is_set(), work
    told.assert_not_awaited()


async def test_a_snooze_says_when_it_ends(services: Services, game: int, clock: Clock) -> None:
    await send_all(services)
    then = datetime.fromtimestamp(clock.now + 4 * HOUR, ZoneInfo("UTC"))
    words = await services.obligations.snooze(game, ANN.id, "4h")
    assert words == f"You'll be pinged again on {then.day} January at {then:%H:%M} (UTC)."


async def test_an_absence_is_of_a_year_at_most_and_its_note_short(services: Services, game: int, clock: Clock) -> None:
    for days in (-1, 366):
        with pytest.raises(BotError, match="must be 0 to 365"):
            await services.obligations.set_away(ANN.id, days)
    calls = await services.obligations.set_away(ANN.id, 365, "x" * 130)
    assert (calls.away_from, calls.away_to, len(calls.away_note)) == (clock.now, clock.now + 365 * DAY, 80)
    assert (await services.obligations.set_away(ANN.id, 0)).away_to == clock.now
    told = [post.text for post in await send_all(services) if isinstance(post, Notice)]
    assert "Ann is back." in told


async def test_texts_of_server_managers_have_a_maximum_length_and_limits_a_bound(services: Services) -> None:
    await services.lobby.create(ANN, THREE, Home("g", "c"))
    assert await services.servers.announce("g", EVE, "x" * 1000) == 1
    for text in ("", " ", "x" * 1001):
        with pytest.raises(BotError, match="An announcement must have 1 to 1000 characters"):
            await services.servers.announce("g", EVE, text)
    await services.servers.set_rules("g", EVE, ServerRules(tables=1000, seats=0), "limits")
    for rules in (ServerRules(tables=1001), ServerRules(seats=-1), ServerRules(imports=1001)):
        with pytest.raises(BotError, match=r"A limit must be 0 \(no limit\) to 1000"):
            await services.servers.set_rules("g", EVE, rules, "limits")
    for number in range(21):
        await services.servers.note_deed("g", EVE, f"{number}")
    assert [deed.words for deed in await services.servers.list_deeds("g")] == [
        f"{number}" for number in range(20, 0, -1)
    ]


async def test_the_rules_of_a_server_are_known_for_a_quarter_of_a_minute(services: Services, clock: Clock) -> None:
    """Another process may change them; a table that belongs to no server has none."""
    other = await Services.open(services.database.address, clock)
    try:
        assert await services.servers.get_rules("g") == ServerRules()
        await other.servers.set_rules("g", EVE, ServerRules(tables=1), "one table")
        clock.now += FRESH_SECONDS - 1
        assert await services.servers.get_rules("g") == ServerRules()
        clock.now += 1
        assert (await services.servers.get_rules("g")).tables == 1
        await other.servers.set_rules("", EVE, ServerRules(tables=1), "nowhere")
        assert await services.servers.get_rules("") == ServerRules()
    finally:
        await other.close()
    assert FRESH_SECONDS == 15


async def test_a_note_has_at_most_fifteen_hundred_characters(services: Services, game: int) -> None:
    await services.people.set_note(game, ANN.id, "x" * 1500)
    with pytest.raises(BotError, match="1501 characters; the limit is 1500"):
        await services.people.set_note(game, ANN.id, "x" * 1501)
    assert len(await services.people.get_note(game, ANN.id)) == 1500


async def test_a_position_in_memory_shows_of_which_server_it_is(services: Services) -> None:
    """Of what is not known, private, or of no server, no one says so."""
    table = await services.lobby.create(ANN, THREE, Home("g", "c"))
    await services.lobby.join(table.id, BOB)
    assert not services.table.live.is_in_server(table.id, "g"), "not begun"
    await services.lobby.start(table.id, ANN.id)
    assert [services.table.live.is_in_server(table.id, guild) for guild in ("g", "h", "")] == [True, False, False]
    await services.table.submit(table.id, (await services.table.load_position(table.id)).actors[0].user, Bid(1))
    services.table.live.forget(table.id)
    assert not services.table.live.is_in_server(table.id, "g")
    own = await services.lobby.create(ANN, replace(THREE, privacy="private"), Home("g", "c"))
    await services.lobby.join(own.id, ANN, hot_seat=True)
    await services.lobby.start(own.id, ANN.id)
    assert not services.table.live.is_in_server(own.id, "g")


def test_a_refusal_is_cut_at_fifteen_hundred_characters() -> None:
    for length, told in ((1500, 1500), (1501, 1500)):
        assert len(explain_error(BotError("x" * length)) or "") == told
        assert len(explain_error(UnreadableLogError("x" * length)) or "") == told
    assert explain_error(ValueError("x")) is None


@pytest.mark.parametrize(
    ("name", "word", "sentence"),
    [
        ("a", "x" * 500, ""),
        ("a" * 500, "x", ""),
        ("a", "x" * 501, "That's too long; the limit is 500 characters."),
        ("a" * 501, "x", "That's too long; the limit is 500 characters."),
        ("a", " -" + "9" * 15, ""),
        ("a", " -" + "9" * 16, "The number for a is too large."),
        ("a", "x" * 16, ""),
    ],
)
def test_words_are_looked_into_up_to_five_hundred_characters_and_figures_up_to_fifteen(
    name: str, word: str, sentence: str
) -> None:
    if not sentence:
        refuse_oversized({name: word})
        return
    with pytest.raises(BotError) as refusal:
        refuse_oversized({"b": "1", name: word})
    assert refusal.value.sentence == sentence


@pytest.mark.parametrize(
    ("budget", "increment", "fits"),
    [(1, 0, True), (1, 1, True), (0, 0, False), (1, 2, False), (1440, 1440, True), (1441, 0, False), (5, -1, False)],
)
def test_a_clock_gives_an_hour_to_sixty_days_and_no_more_a_turn(budget: int, increment: int, fits: bool) -> None:
    table, wish = opened_table(ANN, THREE, Home(), 0), ClockWish(budget=budget, increment=increment)
    if fits:
        assert build_clock(table, wish) == GameClock(budget * HOUR, increment * HOUR)
        return
    with pytest.raises(BotError) as refusal:
        build_clock(table, wish)
    assert refusal.value.sentence == (
        "The budget must be 1 to 1440 hours for the whole game, and the increment can't exceed it."
    )


def test_a_clock_request_leaves_unnamed_settings_unchanged() -> None:
    table = replace(opened_table(ANN, THREE, Home(), 0), clock=GameClock(9 * HOUR, 2 * HOUR))
    for wish, budget, increment in (
        (ClockWish(budget=8), 8, 2), (ClockWish(increment=1), 9, 1), (ClockWish(), 9, 2),
        (ClockWish("by pace"), 240, 24),
    ):  # fmt: skip
        assert build_clock(table, wish) == GameClock(budget * HOUR, increment * HOUR)
    assert build_clock(table, ClockWish("off")) is None
    assert [sure(build_clock(table, ClockWish(to))).paused for to in ("pause", "resume")] == [True, False]


def test_searches_for_moves_precede_tips_and_tips_precede_summaries() -> None:
    assert FORESEEN.rank < TIPS.rank == PLANS.rank < ACCOUNT.rank
    assert {FORESEEN.lane, TIPS.lane, PLANS.lane, ACCOUNT.lane} == {"searches"}


def test_a_stand_in_is_asked_of_more_than_half_of_the_others() -> None:
    """Whoever sits alone asks no one; the one it is for ends the matter by a word."""
    for people, enough in ((1, 0), (2, 1), (3, 2), (4, 2), (5, 3)):
        seats = tuple(Seat(number, str(number), f"P{number}") for number in range(people))
        here: Any = SimpleNamespace(table=replace(opened_table(ANN, THREE, Home(), 0), seats=seats))
        asked = stand_in_wanted(here, seats[0])
        assert (len(asked.voters), asked.enough, asked.absent) == (people - 1, enough, "0")


def test_a_clock_that_is_put_back_continues_and_one_put_forward_is_followed() -> None:
    wall, run = [1000], [50.0]
    steady = SteadyClock(lambda: wall[0], lambda: run[0])
    for now, gone, told in ((1010, 10, 1010), (400, 5, 1015), (400, 7, 1022), (2000, 1, 2000), (2000, 3, 2003)):
        wall[0], run[0] = now, run[0] + gone
        assert steady() == told


@pytest.mark.parametrize("title", ["toy", "1860"])
def test_a_position_shows_the_pictures_that_its_question_names_else_those_of_every_turn(title: str) -> None:
    game = Game.new(Setup(title, 2))
    assert Standing.of(game).pictures() == game.pictures() == (("lots",) if title == "1860" else ("map", "table"))
    assert {"lots", "map", "table"} >= {each.name for each in TITLES["toy"].views.pictures if each.every_turn}


@pytest.mark.parametrize(("late", "due"), [(11, 24), (12, 24), (13, 37)])
async def test_the_first_reminder_leaves_time_after_a_call_that_came_late(
    services: Services, game: int, clock: Clock, late: int, due: int
) -> None:
    """Less than half of the time that a table waits is none: the turn was told after twelve hours of a day."""
    begun = clock.now
    clock.now += late * HOUR
    await send_all(services)
    found = []
    for hour in (24, 37):
        clock.now = begun + hour * HOUR
        found += [hour for post in await send_all(services) if isinstance(post, Ping) and post.number == 1]
    assert found == [due]


async def test_the_next_player_is_named_unless_already_deciding(services: Services) -> None:
    """Ann holds two seats in a row: no one tells her that it is her turn after hers."""
    game = (await services.lobby.create(ANN, THREE)).id
    await services.lobby.join(game, ANN, hot_seat=True)
    await services.lobby.join(game, BOB)
    await services.lobby.start(game, ANN.id, "as joined")
    for user in (ANN, BOB):
        await services.people.set_calls(user.id, Calls(on_deck=True))
    for told in ([], [(BOB.id,)]):
        await services.obligations.call_on_deck(await services.table.load_position(game), (ANN.id, BOB.id))
        found = [post.mention for post in await send_all(services) if isinstance(post, OnDeck)]
        assert found == told
        await services.table.submit(game, ANN.id, Bid(3 + len(told)))


def test_of_the_positions_in_memory_the_latest_are_kept_and_none_is_replaced_by_an_older_one() -> None:
    """One of the same version is newer: someone may have sat down since."""
    nothing: Any = None
    live, table = (
        LiveGames(nothing, nothing, most=2, clock=nothing),
        opened_table(ANN, THREE, Home("g", "c"), 0),
    )

    def keep(number: int, version: int, guild: str = "g") -> list[str]:
        moved: Any = SimpleNamespace(table=replace(table, id=number, home=Home(guild, "c")), version=version, damage="")
        live.keep(moved)
        return ["".join(each for each in "gh" if live.is_in_server(game, each)) for game in (1, 2, 3)]

    assert keep(1, 5) == ["g", "", ""]
    assert keep(1, 5, "h") == ["h", "", ""]
    assert keep(1, 4) == ["h", "", ""]
    assert keep(2, 1) == ["h", "g", ""]
    assert keep(1, 1) == ["h", "g", ""], "looked at last, though it is older"
    assert keep(3, 1) == ["h", "", "g"]
    assert not live.is_in_server(1, "")


def test_names_are_listed_once_each() -> None:
    groups = (("Ann",), ("Ann", "Ann"), ("Ann", "Bob", "Ann"), ("Ann", "Bob", "Cid"))
    assert [join_names(names) for names in groups] == [
        "Ann", "Ann", "Ann and Bob", "Ann, Bob and Cid",
    ]  # fmt: skip
