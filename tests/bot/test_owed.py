"""What a step owes whom and when, how a clock goes, what a host may wish, and who sits where: value by value."""

import pytest
from msgspec.structs import replace

from bot.model import seating, turns
from bot.model.clock import DAY, HOUR, MINUTE, GameClock
from bot.model.errors import BotError, StaleError
from bot.model.obligations import Obligation, find_due
from bot.model.pinging import Asked, ask
from bot.model.posts import BidPrompt, Errand, Notice, Owed, Pictures, Post, Prompt, Summary, Turn, Whisper
from bot.model.records import Calls, Home, NewTable, Position, Seat, SeatOrder, Table
from bot.model.standing import Standing
from bot.model.turns import LogStep
from bot.service import game_clock
from bot.service.lobby import build_table
from engine import Action, Game, Setup
from tests.bot.conftest import ANN, BOB, CID, EVE
from tests.support.toy import Bid, Pass

NOW = 1_800_000_000
SEATS = tuple(Seat(number, person.id, person.name) for number, person in enumerate((ANN, BOB, CID)))
TABLE = Table(
    7, "Night mail", "toy", {}, 5, 1, 3, ANN.id, "running", "relaxed", "open", "as joined", Home(), NOW, NOW,
    seats=SEATS,
)  # fmt: skip


def after(*moves: Action, table: Table = TABLE, turn_from: int | None = None) -> Position:
    """Return the position after moves, each of whoever is to act."""
    game = Game.new(Setup("toy", 3, {}, 5))
    for move in moves:
        game = game.play(game.actors[0], move).game
    began = len(moves) if turn_from is None else turn_from
    return Position(replace(table, turn_from=began), Standing.of(game), len(moves))


def list_owed_posts(before: Position | None, here: Position, user: str = ANN.id, *, live: bool = False) -> list[Post]:
    return [each.post for each in turns.list_posts(LogStep(before, here, user, ("One.", "Two."), NOW, live))]


def kinds(found: list[Post]) -> list[str]:
    return [type(post).__name__ for post in found]


def test_where_the_channel_is_gone_the_others_are_told_in_private_what_was_done() -> None:
    lost = replace(TABLE, home=Home("1"))
    told = list_owed_posts(after(table=lost), after(Bid(1), table=lost))
    assert {post.user for post in told if isinstance(post, Whisper)} == {BOB.id, CID.id}


def test_a_turn_waits_for_no_one_where_one_person_plays_all_seats_and_has_just_moved() -> None:
    alone = replace(TABLE, seats=tuple(replace(seat, user=ANN.id) for seat in SEATS))
    two = replace(TABLE, seats=(replace(SEATS[0], user=BOB.id), *alone.seats[1:]))
    for table, waits in ((alone, False), (two, True), (TABLE, True)):
        (turn,) = [each for each in list_owed_posts(after(), after(Bid(1), table=table)) if isinstance(each, Turn)]
        assert bool(turn.wait) == waits


def test_a_prompt_for_bids_ends_those_for_other_lots() -> None:
    asked = Asked([make_prompt("7:bids:3"), make_prompt("7:bids:5")], {BOB.id: Calls()})
    prompt = BidPrompt(7, "How much?", "red", (BOB.id,))
    plan = ask([Owed("7:bids:5", prompt, NOW)], asked, NOW)
    assert plan.over == ("7:bids:3",)
    assert plan.gone == (), "that goes with the whole post"


def make_prompt(subject: str) -> Obligation:
    """Return that Bob is asked for his maximum bid."""
    return Obligation(7, subject, "bidprompt", BOB.id, NOW, NOW, 0)


def test_a_turn_that_passes_is_summed_up_called_shown_and_reminded_of() -> None:
    found = list_owed_posts(after(), after(Bid(1)))
    assert kinds(found) == ["Card", "Summary", "Turn", "Pictures"]
    summary, turn = found[1], found[2]
    assert isinstance(summary, Summary)
    assert (summary.line, summary.follows) == ("One · Two", "7:turn:0")
    assert isinstance(turn, Turn)
    assert (turn.mention, turn.after, turn.wait) == ((BOB.id,), 0, DAY)
    assert kinds(list_owed_posts(None, after())) == ["Card", "Turn", "Pictures"], "the deal sums up nothing"


@pytest.mark.parametrize(("count", "between"), [(12, " · "), (13, "\n")])
def test_more_than_twelve_sentences_of_a_turn_have_a_line_each(count: int, between: str) -> None:
    step = LogStep(after(), after(Bid(1)), ANN.id, ("One.",) * count, NOW, live=False)
    summary = next(each.post for each in turns.list_posts(step) if isinstance(each.post, Summary))
    assert summary.line == between.join(["One"] * count)


def test_a_live_table_is_pinged_two_minutes_later_and_never_for_a_players_own_move() -> None:
    there = replace(TABLE, home=Home("g", "c"))
    found = turns.list_posts(LogStep(after(), after(Bid(1), table=there), ANN.id, (), NOW, live=True))
    (turn,) = (each.post for each in found if isinstance(each.post, Turn))
    assert (turn.after, turn.told) == (2 * MINUTE, (ANN.id,))
    mine = list_owed_posts(after(), after(Bid(1)), BOB.id, live=True)
    assert kinds(mine) == ["Card", "Summary", "Turn", "Pictures"]
    assert isinstance(mine[2], Turn)
    assert mine[2].told == (BOB.id,), "who has it by their own move is not called"
    alone = replace(TABLE, seats=tuple(replace(seat, user=ANN.id) for seat in SEATS))
    own = list_owed_posts(after(table=alone), after(Bid(1), table=alone))
    assert [each.wait for each in own if isinstance(each, Turn)] == [0], "who sits alone there is reminded of nothing"


def test_within_a_turn_the_message_is_edited_and_no_more() -> None:
    begun = after(Bid(20), Pass(), Pass())
    assert kinds(list_owed_posts(begun, replace(begun, version=4))) == ["Card", "Turn"]


def test_pictures_show_what_is_new_since_the_turn_before() -> None:
    for before, here, since in (
        (None, after(), 0),
        (after(Bid(1)), after(Bid(1), Bid(2)), 1),
        (after(Bid(1), turn_from=0), after(Bid(1), Bid(2)), 0),
    ):
        (found,) = (post for post in list_owed_posts(before, here) if isinstance(post, Pictures))
        assert (found.since, found.move) == (since, len(here.game.line))


def test_a_line_is_cut_where_a_message_would_be_too_long() -> None:
    for length, line in ((1900, "x" * 1900), (1901, "x" * 1899 + "…")):
        step = LogStep(after(), after(Bid(1)), ANN.id, ("x" * length,), NOW, live=False)
        (found,) = (each.post for each in turns.list_posts(step) if isinstance(each.post, Summary))
        assert found.line == line
    (silent,) = (
        each.post
        for each in turns.list_posts(LogStep(after(), after(Bid(1)), ANN.id, (), NOW, live=False))
        if isinstance(each.post, Summary)
    )
    assert silent.line == "—"


def test_a_private_table_of_a_server_owes_nothing_and_one_without_a_place_its_messages() -> None:
    private = replace(TABLE, privacy="private")
    assert list_owed_posts(after(table=private), after(Bid(1), table=private)) != []
    there = replace(private, home=Home("g", "c"))
    assert list_owed_posts(after(table=there), after(Bid(1), table=there)) == []
    here = replace(TABLE, home=Home("g", "c"))
    assert list_owed_posts(after(table=here), after(Bid(1), table=here)) != []


def test_an_empty_seat_is_played_after_a_pause_or_the_host_is_notified() -> None:
    """At a table without a channel there is no one to see it: it moves at once."""
    for home, pause in ((Home("g", "c"), 25), (Home(), 0)):
        table = replace(TABLE, home=home, seats=(SEATS[0], replace(SEATS[1], stand_in=True), SEATS[2]))
        found = turns.list_posts(LogStep(after(table=table), after(Bid(1), table=table), ANN.id, (), NOW, live=False))
        assert [each.due - NOW for each in found if isinstance(each.post, Errand)] == [pause]
        assert not [each for each in found if isinstance(each.post, Notice)]
    table = replace(TABLE, seats=(SEATS[0], replace(SEATS[1], user=""), SEATS[2]))
    found = turns.list_posts(LogStep(after(table=table), after(Bid(1), table=table), ANN.id, (), NOW, live=False))
    (told,) = (each.post for each in found if isinstance(each.post, Prompt))
    assert told.mention == (ANN.id,)
    assert told.text.startswith("The seat of Bob must act, but no one holds it.")
    assert [each.due for each in turns.list_recall_posts(after(Bid(1), table=table), NOW)] == [NOW] * 3
    called = turns.list_recall_posts(after(Bid(1)), NOW)
    assert kinds([each.post for each in called]) == ["Card", "Turn"]
    closed = replace(TABLE, state="closed")
    assert kinds([each.post for each in turns.list_recall_posts(after(Bid(1), table=closed), NOW)]) == ["Card"]


def test_a_reminder_repeats_after_the_same_time_then_daily_or_as_the_player_prefers() -> None:
    row = Obligation(7, "7:turn:0", "turn", BOB.id, NOW, NOW, 4 * HOUR, pinged=NOW)
    for reminders, wish, wait in (
        (0, Calls(), 4 * HOUR), (1, Calls(), 4 * HOUR), (2, Calls(), DAY), (4, Calls(), DAY), (5, Calls(), None),
        (0, Calls(every=3), 4 * HOUR), (1, Calls(every=3), 3 * HOUR), (1, Calls(most=1), None),
        (1, Calls(most=2), 4 * HOUR), (0, Calls(most=0), None), (0, Calls(reminders=False), None),
    ):  # fmt: skip
        due = find_due(replace(row, pings=reminders + 1), wish)
        assert due == (None if wait is None else NOW + wait), (reminders, wish)


def test_spans_are_reported_in_their_two_largest_parts() -> None:
    for seconds, words in (
        (0, "no time"), (59, "no time"), (60, "1 minute"), (3 * HOUR + 120, "3 hours 2 minutes"), (DAY, "1 day"),
        (2 * DAY + HOUR + 60, "2 days 1 hour"), (DAY + 60, "1 day 1 minute"),
    ):  # fmt: skip
        assert game_clock.format_span(seconds) == words
    clocks = {
        pace: game_clock.describe_clock(game_clock.make_clock(pace))
        for pace in ("live", "several a day", "daily", "relaxed")
    }
    assert clocks == {
        "live": "1 hour each, plus 2 minutes per turn", "several a day": "2 days each, plus 2 hours per turn",
        "daily": "4 days each, plus 12 hours per turn", "relaxed": "10 days each, plus 1 day per turn",
    }  # fmt: skip
    assert game_clock.describe_clock(None) == "no clock"


def test_time_is_charged_to_deciding_players_and_never_below_zero() -> None:
    clock = GameClock(100, 10, (100, 50, 30), since=NOW, running=(0, 2))
    table, wishes = replace(TABLE, clock=clock), {ANN.id: Calls(), CID.id: Calls()}
    for gone, left in ((20, (80, 50, 10)), (30, (70, 50, 0)), (90, (10, 50, 0)), (0, (100, 50, 30))):
        assert game_clock.charge_clock(table, wishes, NOW + gone).left == left
    assert game_clock.charge_clock(table, {}, NOW + 20).left == (100, 50, 30), (
        "of whom nothing is known nothing is taken"
    )
    begun = game_clock.refill_clock(table, SEATS[1:2], {BOB.id: Calls()}, NOW).clock
    assert begun == GameClock(100, 10, (100, 100, 100), NOW, (1,), (NOW + 100,))
    assert not game_clock.has_started_clock(TABLE)
    assert not game_clock.has_started_clock(replace(TABLE, clock=GameClock(100, 10)))
    assert game_clock.has_started_clock(table)


def test_a_host_can_request_only_existing_options() -> None:
    """Two to four players, one stand-in fewer, a seed below 2 to the 53rd."""
    last = 2**53 - 1
    for wish in (
        NewTable("toy", 2), NewTable("toy", 4), NewTable("toy", 3, stand_ins=2), NewTable("toy", 2, seed=0),
        NewTable("toy", 2, seed=last),
    ):  # fmt: skip
        table = build_table(ANN, wish, Home(), NOW)
        assert (table.places, table.expires) == (wish.seats, NOW + 14 * DAY)
        assert [seat.name for seat in table.seats] == ["Ann", "Stand-in 1", "Stand-in 2"][: 1 + wish.stand_ins]
        assert wish.seed in (None, table.seed)
        assert table.clock is None
    assert build_table(ANN, NewTable("toy", 2, clock=True, pace="daily"), Home(), NOW).clock == GameClock(
        4 * DAY, DAY // 2
    )
    for wrong, words in (
        (NewTable("toy", 1), "is for 2 to 4 players, not 1"), (NewTable("toy", 5), "not 5"),
        (NewTable("toy", 3, stand_ins=3), "can have 0 to 2 stand-ins"), (NewTable("toy", 3, stand_ins=-1), "0 to 2"),
        (NewTable("toy", 2, seed=-1), "from 0 to"), (NewTable("toy", 2, seed=last + 1), str(last)),
    ):  # fmt: skip
        with pytest.raises(BotError, match=words):
            build_table(ANN, wrong, Home(), NOW)


def test_permissions_to_act_and_look_with_their_reasons() -> None:
    here = after(Bid(1))
    lent = replace(TABLE, seats=(SEATS[0], replace(SEATS[1], proxy=EVE.id, proxy_name="Eve"), SEATS[2]))
    by_proxy = after(Bid(1), table=lent)
    assert [seating.list_acting_seats(here, user) for user in ("1", "2", "9")] == [(), (1,), ()]
    assert seating.list_acting_seats(by_proxy, EVE.id) == (1,)
    assert seating.list_acting_seats(after(Bid(1), table=replace(TABLE, state="closed")), BOB.id) == ()
    assert [seating.find_viewing_seat(here, user) for user in ("1", "2", "9")] == [0, 1, None]
    assert seating.describe_move(here, 1, BOB.id, ("x",)) == ("x",)
    assert seating.describe_move(by_proxy, 1, EVE.id, ("x",)) == ("Eve acts for Bob.", "x")
    for state, user, words in (
        ("running", EVE.id, "You have no seat"), ("running", ANN.id, "Bob must bid or pass"),
        ("closed", ANN.id, "is closed"), ("finished", ANN.id, "is over"),
    ):  # fmt: skip
        assert words in seating.explain_blocked(after(Bid(1), table=replace(TABLE, state=state)), user)
    assert seating.explain_blocked(here, ANN.id, "dance").endswith(" has no /act dance.")
    assert "Bob must bid or pass" in seating.explain_blocked(here, ANN.id, "bid")
    seating.refuse_unseated(here, ANN.id)
    for there, user in ((here, EVE.id), (after(table=replace(TABLE, state="closed")), ANN.id)):
        with pytest.raises(BotError):
            seating.refuse_unseated(there, user)
    for version in (None, 1):
        seating.refuse_stale(here, version)
    with pytest.raises(StaleError):
        seating.refuse_stale(here, 0)


def test_changes_after_a_seats_last_move_are_new_to_it() -> None:
    game = after(Bid(1), Bid(2), Bid(3), Bid(4)).game
    assert [seating.count_moves_at_last_turn(game, seat) for seat in (0, 1, 2, None)] == [4, 2, 3, 3]
    assert [seating.count_moves_at_last_turn(after().game, seat) for seat in (0, None)] == [0, 0]


def test_names_are_listed_once_and_seats_sit_as_the_host_says() -> None:
    for names, words in ((["Ann"], "Ann"), (["Ann", "Bob"], "Ann and Bob"), (["Ann", "Bob", "Ann"], "Ann and Bob"),
                         (["Ann", "Bob", "Cid"], "Ann, Bob and Cid"), ([], "")):  # fmt: skip
        assert seating.join_names(names) == words
    wanted: dict[SeatOrder, list[str]] = {"as joined": ["1", "2", "3"], "host sets": ["3", "1", "2"]}
    for order, users in wanted.items():
        assert [seat.user for seat in seating.arrange_seats(TABLE, order, ["3", "1", "2"])] == users
    shuffled = seating.arrange_seats(TABLE, "random", [])
    assert sorted(seat.user for seat in shuffled) == ["1", "2", "3"]
    assert shuffled == seating.arrange_seats(TABLE, "random", []), "by the seed"
    assert [seat.number for seat in seating.number_seats(shuffled)] == [0, 1, 2]
    for wrong in (["1", "2"], ["1", "1", "2"], ["1", "2", "9"]):
        with pytest.raises(BotError, match="Name each player once"):
            seating.arrange_seats(TABLE, "host sets", wrong)
