"""Who holds and plays which seat, what people are called, and when a question is agreed or refused."""

import re

import pytest
from msgspec.structs import replace

from bot.model.clock import DAY, HOUR, MINUTE, GameClock
from bot.model.errors import make_reference
from bot.model.letters import Letter
from bot.model.orders import OrderWish
from bot.model.posts import REMINDER_SECONDS, STAND_IN_SECONDS, Ping, Whisper
from bot.model.records import (
    Calls,
    Home,
    LogLine,
    NewTable,
    Outcome,
    Proposal,
    Seat,
    ServerRules,
    Style,
    Vote,
)
from bot.model.terms import Close
from bot.service.lobby import build_table
from tests.bot.conftest import ANN, BOB, CID, DAN, EVE, THREE

SEATS = (
    Seat(0, ANN.id, "Ann"),
    Seat(1, BOB.id, "Bob", EVE.id, "Eve for Bob"),
    Seat(2, ANN.id, "Ann"),
    Seat(3, "", "Stand-in 3", stand_in=True),
    Seat(4, CID.id, "Cid", ANN.id, "Ann for Cid"),
    Seat(5, ANN.id, "Anna", ANN.id, "Ann"),
)


@pytest.mark.parametrize(
    ("user", "holds", "plays", "called"),
    [
        (ANN.id, (0, 2, 5), (0, 2, 5, 4), "Ann and Anna"),
        (BOB.id, (1,), (1,), "Bob"),
        (EVE.id, (), (1,), "Eve for Bob"),
        (DAN.id, (), (), "Someone"),
        ("", (), (), "Someone"),
    ],
)
def test_holders_and_players_of_seats_and_their_names(
    user: str, holds: tuple[int, ...], plays: tuple[int, ...], called: str
) -> None:
    """Their own first, then those they act for; no one holds a seat that is empty."""
    table = replace(build_table(ANN, THREE, Home(), 0), seats=SEATS)
    assert (table.list_held(user), table.list_playable(user), table.find_name(user)) == (holds, plays, called)
    lent = tuple(replace(seat, proxy=DAN.id, proxy_name=f"Dan {seat.number}") for seat in SEATS)
    assert replace(table, seats=lent).find_name(DAN.id) == "Dan 0", "one name is enough for who acts for several"


def test_pinged_people_of_a_seat_and_people_at_a_table() -> None:
    """Who acts for a holder is called in their place; no one is where the program plays."""
    table = replace(build_table(ANN, THREE, Home(), 0), seats=SEATS)
    assert [seat.caller for seat in SEATS] == [ANN.id, EVE.id, ANN.id, "", ANN.id, ANN.id]
    assert replace(SEATS[1], stand_in=True).caller == ""
    assert table.people == (ANN.id, BOB.id, CID.id)
    assert [seat.number for seat in table.find_seats((4, 1, 9))] == [1, 4]
    assert (table.setup.seats, replace(table, state="running").setup.seats) == (3, 6)


def make_question(yes: str = "", no: str = "", needed: str = "", voters: str = "", enough: int = 0) -> Proposal:
    """Return what Ann asks, spoken of ``z``; who says what by their letters."""
    votes = (*(Vote(user, yes=True) for user in yes), *(Vote(user, yes=False) for user in no))
    return Proposal(1, 7, "a", Close(), 3, tuple(needed), "open", 0, votes, tuple(voters), enough, "z")


@pytest.mark.parametrize(
    ("yes", "no", "needed", "voters", "enough", "state"),
    [
        ("", "", "", "", 0, "agreed"),
        ("", "", "bc", "", 0, ""),
        ("b", "", "bc", "", 0, ""),
        ("bc", "", "bc", "", 0, "agreed"),
        ("b", "c", "bc", "", 0, "refused"),
        ("", "", "ab", "", 0, ""),
        ("b", "", "ab", "", 0, "agreed"),
        ("", "z", "b", "", 0, "refused"),
        ("", "d", "b", "", 0, ""),
        ("", "", "", "bcd", 2, ""),
        ("b", "", "", "bcd", 2, ""),
        ("bc", "", "", "bcd", 2, "agreed"),
        ("bd", "c", "", "bcd", 2, "agreed"),
        ("", "b", "", "bcd", 2, ""),
        ("", "bc", "", "bcd", 2, "refused"),
        ("b", "", "", "abc", 2, "agreed"),
        ("de", "", "", "bc", 1, ""),
        ("bc", "", "e", "bcd", 2, ""),
        ("e", "", "e", "bcd", 2, ""),
        ("bce", "", "e", "bcd", 2, "agreed"),
        ("bc", "e", "e", "bcd", 2, "refused"),
    ],
)
def test_a_proposal_passes_with_all_required_votes_and_enough_of_the_others(
    yes: str, no: str, needed: str, voters: str, enough: int, state: str
) -> None:
    """Who asks agrees; who is needed or spoken of ends it by a word, voters only by their number."""
    proposal = make_question(yes, no, needed, voters, enough)
    assert (proposal.is_agreed, proposal.is_refused) == (state == "agreed", state == "refused")


def test_voters_are_notified_once_and_no_longer_awaited_after_answering() -> None:
    proposal = make_question("b", "c", "ab", "bcde", 2)
    assert proposal.deciders == tuple("abcde")
    assert proposal.waiting == tuple("de")


def test_defaults_of_people_and_tables() -> None:
    assert Seat(0, "1", "Ann") == Seat(0, "1", "Ann", "", "", stand_in=False, once=False)
    assert GameClock(9, 1) == GameClock(9, 1, (), 0, (), (), paused=False)
    assert NewTable("toy", 2) == NewTable("toy", 2, "", {}, "relaxed", "open", None, 0, clock=False)
    assert ServerRules() == ServerRules((), {}, 0, 0, 0, paused=False)
    assert Calls() == Calls(
        reminders=True,
        quiet_from=0,
        quiet_to=0,
        zone="UTC",
        place="table",
        delay=0,
        every=0,
        most=5,
        digest=-1,
        on_deck=False,
    )
    assert Style() == Style("standard", text_first=False)
    assert not LogLine(0, 1, 0, "Ann", (), 0).taken_back
    table = build_table(ANN, THREE, Home(), 0)
    assert table.turn_from == 0
    done = Outcome(table, 0, (), None, ())
    assert (done.handed_over, done.repeated) == (False, False)
    assert (make_question().enough, Proposal(1, 7, "a", Close(), 3, (), "open", 0).enough) == (0, 0)


def test_defaults_of_posts_letters_and_orders() -> None:
    ping, whisper = Ping(7, "7:turn:3", ()), Whisper(0, "a", "Hello")
    assert (ping.number, ping.patience, ping.private, ping.refused) == (0, 0, False, False)
    assert whisper.games == ()
    letter, order = Letter(7, "a", "turn"), OrderWish("pass")
    assert (letter.turn_from, letter.proposal, letter.number, letter.contact, letter.pending) == (0, 0, 0, 0, "")
    assert (order.amount, order.keep, order.coming) == (0, False, False)


def test_a_table_reminds_after_an_hour_to_a_day_depending_on_its_pace() -> None:
    assert (MINUTE, HOUR, DAY) == (60, 60 * 60, 24 * 60 * 60)
    hours = {pace: seconds / HOUR for pace, seconds in REMINDER_SECONDS.items()}
    assert hours == {"live": 1, "several a day": 4, "daily": 12, "relaxed": 24}
    assert STAND_IN_SECONDS == 25


def test_the_reference_of_a_defect_has_six_hexadecimal_digits() -> None:
    assert re.fullmatch("[0-9A-F]{6}", make_reference())
