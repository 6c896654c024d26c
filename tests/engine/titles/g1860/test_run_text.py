"""Plans as players type them: what is understood, what is kept, what is drawn."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.errors import RuleError
from engine.hex_view import Leg
from engine.rails.runs import draw_lines
from engine.titles.g1860.catalogue import UNITS
from engine.titles.g1860.running.plan import read_plan, write_plan
from engine.titles.g1860.running.runs import Run
from engine.titles.g1860.running.search import find_best_plan
from engine.titles.g1860.steps.running import HALTS
from tests.engine.titles.g1860 import run_ground
from tests.engine.titles.g1860.ground import lay_out
from tests.engine.titles.g1860.run_ground import LATE, company, refusal

ISLAND = company("C&N F2, C&N G5, C&N J4", "4+2 3+2")
SHORT = company("C&N F2, C&N G5", "3+2")


def read_meaning(text: str) -> str:
    """Return a plan as it is kept."""
    return write_plan(ISLAND, read_plan(ISLAND, text))


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("3+2 F2.0-F2.1-F2.2-F4-G5.0", "3+2 F2.0-F2.1-F2.2-F4-G5.0"),
        ("3+2: f2.0 f2.1 f2.2 f4 g5.0", "3+2 F2.0-F2.1-F2.2-F4-G5.0"),
        ("4+2 F2–F4–G5 = 90 (+20)", "4+2 F2.0-F2.1-F2.2-F4-G5.0"),
        ("① 4+2: J4→J6", "4+2 J4-J6"),
        ("4+2 F2-[F4]-G5 | 3+2 J4-J6", "4+2 F2.0-F2.1-F2.2-[F4]-G5.0; 3+2 J4-J6"),
        ("4+2 [F2.1-F2.2-F4]-G5", "4+2 [F2.1]-[F2.2]-[F4]-G5.0"),
        ("4+2 J8-L6-K5-J4", "4+2 J8-K7-L6-K5-J4"),
        ("4+2 J8-K7-L6-K5-J4", "4+2 J8-K7-L6-K5-J4"),
    ],
)
def test_a_walk_is_understood_in_many_spellings(typed: str, kept: str) -> None:
    assert read_meaning(typed) == kept


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("4+2 F2-F4-G5", "4+2 F2.0-F2.1-F2.2-F4-G5.0"),
        ("4+2 F2.1-F4-G5", "4+2 F2.1-F2.2-F4-G5.0"),
        ("4+2 G5-F4-F2.1", "4+2 G5.0-F4-F2.2-F2.1"),
        ("4+2 G3-[H4]-I5-J4", "4+2 G3-[H4.1]-[H4.0]-I5-J4"),
        ("4+2 G5-G7-G9", "4+2 G5.1-G7.1-G7.0-G9"),
        ("4+2 I5-H4", "4+2 I5-H4.0-H4.1"),
    ],
)
def test_a_bare_hex_means_all_the_stops_passed_in_it_and_its_city_at_an_end(typed: str, kept: str) -> None:
    assert read_meaning(typed) == kept


def test_stops_left_out_are_put_in_where_one_way_leads() -> None:
    assert read_meaning("4+2 F2-G5") == "4+2 F2.0-F2.1-F2.2-F4-G5.0"


def test_where_several_ways_lead_the_sentence_names_two() -> None:
    assert refusal(ISLAND, "F4-H4").startswith(
        "From F4 to H4 could be F4-G5-H4 or F4-G5-G3-H4; write the hexes in between."
    )


def test_where_hexes_without_stops_lead_two_ways_the_sentence_names_both() -> None:
    two = company("C&N G5", "2+1", tiles="G5 5/4, I5 5/1, H4 8/5, H6 8/2")
    assert refusal(two, "G5-I5").startswith("This could be G5-H4-I5 or G5-H6-I5; write one of them.")
    assert write_plan(two, read_plan(two, "G5-H6-I5")) == "2+1 G5-H6-I5"


def test_of_two_cities_in_a_hex_the_first_reached_is_meant() -> None:
    late = company("C&N G5, C&N G5.1", "2+1", tiles=LATE)
    assert write_plan(late, read_plan(late, "G3-G5")) == "2+1 G3-G5.0"
    assert write_plan(late, read_plan(late, "G7.1-G5")) == "2+1 G7.1-G5.1"


def test_a_walk_to_and_fro_is_not_followed_for_ever() -> None:
    ring = company("C&N G5", "2+1", tiles=LATE)
    assert "can be read in too many ways" in refusal(ring, "-".join(["H4", "G5"] * 45))


def test_unnamed_trains_go_to_the_runs_by_size() -> None:
    assert read_meaning("J4-J6; F2-F4-G5") == "3+2 J4-J6; 4+2 F2.0-F2.1-F2.2-F4-G5.0"
    assert read_meaning("3+2 J4-J6; F2-F4-G5") == "3+2 J4-J6; 4+2 F2.0-F2.1-F2.2-F4-G5.0"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("H8-I5", "No track connects H8 and I5."),
        ("F2.2-F2.0-F2.1", "F2.0→F2.1: the 3+2 visits F2.1 twice."),
        ("G5.1-G5.0", "No track connects G5.1 and G5.0."),
        ("H4.0-H4.1-G5.0-H4.0", "No track connects G5.0 and H4.0."),
        ("H8-H10-I11.1", "There is no stop I11.1."),
        ("K7-L6", "K7 has no stop where a run could start."),
        ("F2.7-F4", "There is no stop F2.7."),
        ("M99-F2", "M99 has no stop where a run could start."),
        ("F2-F4-[G5", "The 3+2 ends at G5.0, so it must count that stop; remove the brackets."),
        ("F2]-F4", "“]-F4” isn't a hex; write a run such as 3+2 F2-F4-[G3]-G5."),
        ("best please", "“BEST PLEASE” isn't a hex"),
        ("F２-F4", "“F２-F4” isn't a hex"),
        ("-".join(["F2"] * 91), "A run can have 1 to 90 hexes; this one has 91."),
        (";".join(["F2-F4"] * 41), "A plan can have up to 40 runs; this one has 41."),
        ("F2-" * 40_000, "A plan of runs can have up to 2000 characters; this one has 120000."),
    ],
)
def test_an_unknown_input_is_refused_with_a_sentence(typed: str, said: str) -> None:
    assert refusal(SHORT, typed).startswith(said)


def understood(text: str) -> tuple[tuple[Run, ...], str]:
    """Return the runs that are read, or the sentence that refuses them."""
    try:
        return read_plan(ISLAND, text), "."
    except RuleError as error:
        return (), error.sentence


@settings(deadline=None)
@given(st.one_of(st.text(max_size=60), st.from_regex(r"([A-L]\d{1,2}(\.\d)?[-; \[\]]){1,30}", fullmatch=True)))
@example("F2-" * 80)
@example("G5-G3-H4-" * 25)
@example("💥" * 500)
@example("F2.0-F2.1-" * 40)
def test_any_text_is_read_or_refused_in_a_short_sentence(text: str) -> None:
    runs, sentence = understood(text)
    assert len(sentence) < 250
    assert sentence.endswith(".")
    assert read_plan(ISLAND, write_plan(ISLAND, runs)) == runs


def test_a_line_for_the_map_has_the_legs_and_the_words() -> None:
    island = lay_out(run_ground.ISLAND)
    (line,) = draw_lines(island, read_plan(SHORT, "3+2 F2.1-F2.2-[F4]-G5"), UNITS, HALTS)
    assert (line.label, line.number, line.words) == ("3+2", 1, "F2.1–F2.2–[F4]–G5.0 = 60 (+10)")
    assert line.told == "Cowes–(Cement Mills)–Newport £60 + 10cc halts"
    assert line.legs[0] == Leg("F2", 11, 12)
    assert [leg.coord for leg in line.legs] == ["F2", "F2", "F4", "F4", "G5"]
    assert line.legs[-1].b == 10
    (line,) = draw_lines(island, read_plan(ISLAND, "J8-L6"), UNITS, HALTS)
    assert [leg.coord for leg in line.legs] == ["J8", "K7", "L6"]
    assert {line.legs[1].a, line.legs[1].b} < set(range(6))


def test_legs_are_connected() -> None:
    """Each leg begins where the one before has ended: at the same stop, or at the side across."""
    late = company("C&N F2, C&N J6, C&N G5", "8+4 7+4", tiles=LATE)
    for line in draw_lines(lay_out(LATE), find_best_plan(late).runs, UNITS, HALTS):
        for here, there in zip(line.legs, line.legs[1:], strict=False):
            if here.coord == there.coord:
                assert here.b == there.a >= 10
            else:
                assert there.a == (here.b + 3) % 6
