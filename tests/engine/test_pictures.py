"""The card of a game: who stands where, by how much, and what was worth telling of its course."""

import pytest
from msgspec import Struct
from msgspec.structs import fields

from engine import TITLES, Game, RuleError, hex_view, posters, view
from engine.hex_view import HexView
from engine.pictures import find_own_row, list_subjects, make_card, name_chart
from engine.posters import MAX_FRAMES, make_frames
from engine.setup import LobbyOption, OwnFile, Setup, read_own_file
from engine.title import Request, Result, Score
from engine.view import MAX_ALT_CHARACTERS, Banner, Chart, MapView, Poster, Rank, Reel, Series
from tests.playthroughs.record import read
from tests.support.sure import as_a

BOARD = MapView("SR 2", "", (HexView("A1", 0, 0, mark="new"),))
ASKED = Request("card", names=("Ann", "Bob", "Cid"))


def chart(*values: tuple[int | None, ...]) -> Chart:
    steps = ("SR 1", "OR 1.1", "end")[: len(values[0])]
    return Chart(
        "Worth", "", steps, tuple(Series(name, row) for name, row in zip(ASKED.names, values, strict=True)), unit="£"
    )


def test_a_chart_names_the_last_round_in_it() -> None:
    """With values of the round under way up to now; at the end of the game all is in it."""
    assert name_chart("Worth", ("SR 1", "OR 1.1")) == "Worth up to OR 1.1"
    assert name_chart("Worth", ("SR 1", "OR 1.1"), (80, 90)) == "Worth up to now"
    assert name_chart("Worth", ("SR 1", "end")) == name_chart("Worth", ()) == "Worth over time"


def test_the_card_of_a_game_that_continues() -> None:
    """Equals share a place; no first is told to lead by nothing; a round without a value counts as nothing."""
    shown = make_card(BOARD, chart((100, None, 300), (120, 250, 300), (100, 90, 200)), None, ASKED)
    assert shown.ranks == (
        Rank("1", "Ann", "£300", first=True, line=0),
        Rank("1", "Bob", "£300", first=True, line=1),
        Rank("3", "Cid", "£200", line=2),
    )
    assert shown.facts == ("Bob led in 2 of 2 rounds", "Biggest gain: Ann, £300 at the end")
    assert shown.headline == ""
    assert [each.mark for each in as_a(MapView, shown.board).hexes] == [""], "nothing is new to who did not follow"


def test_the_card_of_a_finished_game() -> None:
    result = Result("bank", (Score(1, 320), Score(0, 300), Score(2, 200)), (1,))
    shown = make_card(BOARD, chart((100, 150, 300), (120, 250, 300), (100, 90, 200)), result, ASKED)
    assert shown.title == "The end"
    assert shown.headline == "Bob won with £320"
    assert [rank.first for rank in shown.ranks] == [True, False, False]
    assert shown.facts == (
        "Bob led in 2 of 2 rounds", "Biggest gain: Ann, £150 at the end", "Bob won by £20",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("totals", "winners", "headline", "facts"),
    [
        ((300, 300, 300), (0, 1, 2), "Ann and Bob and Cid won with £300", ()),
        ((300, 300, 200), (0, 1), "Ann and Bob won with £300", ()),
        ((310, 300, 300), (0,), "Ann won with £310", ("Ann won by £10",)),
        ((310,), (0,), "Ann won with £310", ()),
        ((), (), "", ()),
    ],
)
def test_the_end_of_a_game_is_reported_as_it_is_scored(
    totals: tuple[int, ...], winners: tuple[int, ...], headline: str, facts: tuple[str, ...]
) -> None:
    """Though no one may be ahead, and whatever the chart had before."""
    result = Result("bank", tuple(Score(seat, total) for seat, total in enumerate(totals)), winners)
    shown = make_card(BOARD, chart((100, 100), (100, 100), (100, 100)), result, ASKED)
    assert (shown.title, shown.headline, shown.facts) == ("The end", headline, facts)


def test_the_greatest_leap_and_the_longest_lead_are_reported_from_the_first_step_on() -> None:
    shown = make_card(BOARD, chart((50, 60, 70), (10, 95, 60), (0, 0, 80)), None, ASKED)
    assert shown.facts == (
        "Bob led in 1 of 2 rounds", "Biggest gain: Bob, £85 in OR 1.1", "Cid leads by £10",
    )  # fmt: skip
    assert [(rank.place, rank.name) for rank in shown.ranks] == [("1", "Cid"), ("2", "Ann"), ("3", "Bob")]


def test_a_player_of_unknown_worth_is_last() -> None:
    shown = make_card(BOARD, chart((100, None), (120, 130), (90, 80)), None, ASKED)
    assert [(rank.name, rank.words) for rank in shown.ranks] == [("Bob", "£130"), ("Cid", "£80"), ("Ann", "£0")]


def test_a_bystander_has_no_row() -> None:
    assert [find_own_row(Request(seat=seat)) for seat in (None, 0, 2)] == [-1, 0, 2]


def test_defaults_of_a_picture_are_plain() -> None:
    """No sign is turned, dim or marked, nothing costs anything, no one is pointed at, unless a title says so."""
    known = {**vars(view), **vars(hex_view)}.values()
    kinds = [kind for kind in known if isinstance(kind, type) and issubclass(kind, Struct)]
    given = {(field.name, field.default) for kind in kinds for field in fields(kind) if isinstance(field.default, int)}
    assert {name: value for name, value in given if value} == {"wrap": 14, "mine": -1, "line": -1}
    assert {"flipped", "slots", "cost", "faded", "close", "dim", "cube", "first"} < {name for name, _ in given}


def test_alt_texts_are_cut_at_the_limit_of_every_front() -> None:
    long = Request("card", names=("A" * 600, "B" * 600, "Cid"))
    assert len(make_card(BOARD, chart((100, 150), (120, 130), (90, 80)), None, long).alt) == MAX_ALT_CHARACTERS == 1024


def test_two_rounds_are_no_course() -> None:
    """Nothing is told of who led; of one player alone not that he leads either."""
    assert make_card(BOARD, chart((100, 150), (120, 130), (90, 80)), None, ASKED).facts == ("Ann leads by £20",)
    alone = Chart("Worth", "", ("SR 1",), (Series("Ann", (100,)),), unit="£")
    assert make_card(BOARD, alone, None, ASKED).facts == ()


def test_a_card_before_the_first_round_shows_the_seating() -> None:
    shown = make_card(BOARD, chart((), (), ()), None, ASKED)
    assert [(rank.place, rank.name) for rank in shown.ranks] == [("1", "Ann"), ("2", "Bob"), ("3", "Cid")]


def test_subjects_of_pictures() -> None:
    assert list_subjects("company", {"IOW": "Isle of Wight"}, 2) == [("IOW", "IOW · Isle of Wight")]
    assert list_subjects("seat", {}, 2) == [("0", "Seat 1"), ("1", "Seat 2")]
    assert list_subjects("", {"IOW": "Isle of Wight"}, 2) == []


def test_the_card_of_a_table_that_looks_for_players() -> None:
    """Seats are numbered, those who sit stand first; homes that may not be dealt are not shown."""
    shown = as_a(Poster, posters.make_lobby_card(Setup("1860", 3), ["Ann", "Bob"], "Friday", ["rated"]))
    assert shown.ranks == (Rank("1", "Ann", first=True), Rank("2", "Bob", first=True), Rank("3", posters.FREE))
    assert (shown.title, shown.facts) == ("Looking for players", ("rated",))
    assert shown.alt.endswith(". 2 of 3 seats taken. Ann. Bob. rated.")
    assert not any(h.homes or any(stop.reserved for stop in h.stops) for h in as_a(MapView, shown.board).hexes)
    assert as_a(Banner, shown.banner).table == "Friday"
    full = as_a(Poster, posters.make_lobby_card(Setup("1860", 2), ["Ann", "Bob"], TITLES["1860"].name))
    assert (full.title, as_a(Banner, full.banner).table) == ("Ready to start", "")


def test_a_film_begins_with_its_name() -> None:
    assert MAX_FRAMES == 60
    (first, *_) = make_frames(Game.new(Setup("1860", 2)), ("Ann", "Bob"), "Sundays")
    assert as_a(Reel, first).caption == "Sundays"


def test_a_film_has_a_frame_for_each_round_and_one_for_the_end() -> None:
    """The last round of a game is its end; of a game that goes on the last frame is where it stands."""
    kept = read("steel_driver-4")
    log = kept.read_log()
    heads = [
        [as_a(Reel, frame).caption[:6] for frame in make_frames(Game.replay(kept.setup, log[:count]), "ABCD")]
        for count in (len(log), 160)
    ]
    turns = ["Steel ", *(f"Turn {number}" for number in range(1, 6))]
    assert heads == [[*turns, "C wins"], [*turns[:4], "The tr"]]


@pytest.mark.parametrize("name", ["isle.toml", ""])
def test_a_file_of_the_group_is_reported_by_its_name(name: str) -> None:
    """The value of an option has all of it, so that a log carries what it needs."""
    own = OwnFile(name, "a = 1\nb = 2")
    assert read_own_file(own.value) == own
    assert read_own_file("shipped") is None
    board = LobbyOption("board", "Board", "Which board.", (("shipped", "a reconstruction"),), "boards/*.toml")
    assert (board.write_value("shipped"), board.describe_value("shipped")) == ("shipped", "a reconstruction")
    assert board.write_value(own.value) == (name or "a file")
    assert board.describe_value(own.value) == f"custom ({name or 'unnamed'})"
    assert [board.admits(value) for value in ("shipped", own.value, "other")] == [True, True, False]
    plain = LobbyOption("map", "Map", "Which map.")
    assert [plain.admits(value) for value in ("off", "on", own.value)] == [True, True, False]
    assert (plain.default, board.default, plain.describe_value("on"), plain.describe_value("x")) == (
        "off",
        "shipped",
        "on",
        "x",
    )


def test_there_is_no_card_of_a_seat_that_the_table_lacks() -> None:
    game = Game.new(Setup("1862", 3))
    with pytest.raises(RuleError, match="There is no seat “7” at this table"):
        game.look(Request("player", about="7"))
