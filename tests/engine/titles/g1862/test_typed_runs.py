"""Typed runs of 1862: what is understood, what is asked back."""

import pytest

from engine.errors import RuleError
from engine.rails.walk import Step
from engine.titles.g1862.running.plan import list_lines, read_plan, read_text, write_plan
from engine.titles.g1862.running.runs import Problem
from tests.engine.titles.g1862.running import LINE, company, read_board, run

BOARD = (
    "F3 city 20: F1 F5; F5 city 40: F3 F7 E6; F7 line: F5 F9; F9 city 30 2: F7 E8; E8 town 20: F9 E6; E6 city 20: E8 F5"
)


def problem(trains: str, markers: str = "F3 F5") -> Problem:
    return company(read_board(BOARD), markers, trains)


@pytest.mark.parametrize("name", ["2/3E", "E2/3", "2/3e", "E 2/3:", "2/3E*"])
def test_names_of_trains(name: str) -> None:
    """Trains are named as on the card or as in the rulebook."""
    assert read_text(f"{name} F3-[F5]-F9")[0] == (
        "2/3E",
        (Step("F3"), Step("F5", None, counts=False), Step("F9")),
        False,
    )


def test_signs_and_sums() -> None:
    """Dashes, arrows, commas, numbers of a list and our own sums are understood."""
    text = "① 1F F1→F3 = 100 (+20) + 1F F3–F5 = 0\n2E F5,F9 = 70"
    assert [(one.train, len(one.steps), one.joined) for one in read_text(text)] == [
        ("1F", 2, False),
        ("1F", 2, True),
        ("2E", 2, False),
    ]


def test_plain_hexes_and_stops_may_be_left_out() -> None:
    """Hexes without stops may be left out, and stops where only one way leads."""
    here = problem("3E")
    assert read_plan(here, "F3-F5-F9") == read_plan(here, "F3-F5-F7-F9")
    assert write_plan(here, read_plan(here, "F1-F3-F5")) == "3E F1.1-F3-F5"


def test_of_three_ways_two_are_shown() -> None:
    track = "F3 city 20: F5 E4 G4; F5 city 20: F3 F7; E4 city 20: F3 E6; E6 city 20: E4 F7; G4 city 20: F3 G6"
    board = read_board(f"{track}; G6 city 20: G4 F7; F7 city 20: F5 E6 G6")
    with pytest.raises(RuleError, match="From F3 to F7 could be F3-E4-E6-F7 or F3-F5-F7; write the hexes in between"):
        read_plan(company(board, "F3", "6E"), "F3-F7")


def test_two_stops_in_a_row_may_be_left_out_and_no_more() -> None:
    here = company(read_board(LINE), "F3", "5E")
    assert read_plan(here, "F3-F9") == read_plan(here, "F3-F5-F7-F9")
    with pytest.raises(RuleError, match="No track connects E2 and F9"):
        read_plan(here, "E2-F9")


def test_two_ways_are_asked_back() -> None:
    """Where two ways fit, both are shown."""
    board = read_board("F3 city 20: F5 E4; F5 city 20: F3 F7; F7 city 20: F5 E6; E6 city 20: F7 E4; E4 city 20: F3 E6")
    with pytest.raises(RuleError, match="write the hexes in between"):
        read_plan(company(board, "F3", "6E"), "F3-F7")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("F3-F9-G2", "No track connects F9 and G2"),
        ("F3-xx", "isn't a hex"),
        ("9E F3-F5", "There is no train called 9E"),
        ("2F F3-F5", "has no 2F to run"),
        ("F3-F5; F3-F5; F3-F5", "ENR has 2 trains to run; the plan has 3 runs"),
        ("F3-E8", "From F3 to E8 could be F3-F5-E6-E8 or F3-F5-F9-E8; write the hexes in between"),
        ("F3", "alone isn't a run"),
    ],
)
def test_refusal_of_an_unreadable_route_names_the_wrong_part(text: str, said: str) -> None:
    """Refusals name the part that is wrong."""
    with pytest.raises(RuleError) as error:
        read_plan(problem("2E 3E"), text)
    assert said in str(error.value)


def test_trains_need_not_be_named() -> None:
    """The train that fits best runs where none is named."""
    assert [one.train for one in read_plan(problem("2E 3E"), "F1-F3-F5; F3-F5")] == ["3E", "2E"]


def test_a_chain_is_written_joined() -> None:
    """Joined Freights are written with a plus, in the order of their chain."""
    here = problem("1F 2F")
    plan = run(here, "2F F5-F9; 1F F5-F3")
    assert write_plan(here, plan) == "2F F9-F7-F5 + 1F F5-F3"
    assert run(here, write_plan(here, plan)) == plan


def test_lines_on_the_map() -> None:
    """A run is drawn hex by hex, with its words."""
    here = problem("3E")
    line = list_lines(here, run(here, "F1-F3-F5"))[0]
    assert (line.label, line.number, line.words) == ("3E", 1, "F1.1–F3–F5 = 140")
    assert [leg.coord for leg in line.legs] == ["F1", "F3", "F3", "F5"]


def test_the_hexes_between_are_reported() -> None:
    """The first run of a chain tells what the hexes between its ends pay."""
    here = problem("1F 2F")
    words = [line.words for line in list_lines(here, run(here, "1F F1-F3 + 2F F3-F5"))]
    assert words == ["F1.1–F3 = 110, with 1 × 30 for hexes between", "F3–F5 = 40"]
    assert run(here, " + ".join(words)) == run(here, "1F F1-F3 + 2F F3-F5")
