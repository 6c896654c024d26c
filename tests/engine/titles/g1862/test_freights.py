"""§7.8.1: Freights, alone, joined and apart."""

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from itertools import islice
from operator import or_

import pytest
from msgspec.structs import replace

from engine.interop.g1862.profile import RUNS as SITE
from engine.titles.g1862.running.claims import Book, list_arrangements
from engine.titles.g1862.running.freight import Chains, Team, Yard
from engine.titles.g1862.running.plan import write_plan
from engine.titles.g1862.running.runs import RunEnd, RunRules, Survey
from engine.titles.g1862.running.search import find_best_plan
from tests.engine.titles.g1862.running import ENR, LINE, company, enr, explain_refusal, lay_out, read_board, run


def test_a_freight_goes_so_many_hexes() -> None:
    """§7.8.1: n steps from hex to hex, the port's too; the leg that is too long is named."""
    assert run(enr("2F"), "F1-F3-F5").revenue == 150
    assert explain_refusal(enr("2F"), "F1-F3-F5-G8").startswith("F5→G6: the 2F can go only 2 hexes; this run is 3.")


def test_no_hex_between_neighbours() -> None:
    """§7.8.1, §7.8, 62-17: E2-D1 has no hex between: 30 + 80 = 110."""
    assert run(company(read_board("E2 city 30: D1"), "E2", "1F"), "E2-D1").revenue == 110


def test_hexes_are_measured_as_the_crow_flies() -> None:
    """§7.8.1: 20 a hex between the ends, 30 from or to a port, whatever way the train took."""
    survey = Survey(enr("9F"))
    norwich, wells = RunEnd(0, 0, 1, "F5", "city"), RunEnd(1, 1, 2, "E2", "city")
    port = RunEnd(2, 2, 4, "E2", "port")
    assert survey.find_bonus(norwich, wells) == 20
    assert survey.find_bonus(norwich, port) == 60


def test_entries_of_an_area_are_measured_from_the_hex_before() -> None:
    """§7.8.1, 62-18: Harwich port to the West 400, to the Midlands 450, at the highest values."""
    survey = Survey(enr("9F"))
    harwich = RunEnd(0, 0, 1, "F13", "port")
    assert 130 + 120 + survey.find_bonus(harwich, RunEnd(1, 1, 2, "B9", "red")) == 400
    assert 130 + 140 + survey.find_bonus(harwich, RunEnd(2, 2, 4, "B7", "red")) == 450


def test_the_entry_is_the_one_that_is_used() -> None:
    """§7.8.1: London by Tiptree is one hex further for Colchester than by Witham."""
    board = read_board("E12 city 40: D13 E14; D13 city 20: E12 C14 D15; E14 town 20: E12 D15")
    problem = company(board, "E12", "2F", london=True)
    assert run(problem, "E12-D13-C14").revenue == 40 + 100 + 20
    assert run(problem, "E12-E14-D15").revenue == 40 + 100 + 20


def test_the_further_entry_of_london_pays_three_hexes() -> None:
    """§7.8.1: from Colchester by Witham and Bishop's Stortford; by Witham alone it is one hex."""
    board = read_board("E12 city 40: D13; D13 city 20: E12 C14 C12; C12 line: D13 B13; B13 city 20: C12 A14")
    problem = company(board, "E12", "5F", london=True)
    assert run(problem, "E12-D13-C14").revenue == 40 + 100 + 20
    assert run(problem, "E12-D13-C12-B13-A14").revenue == 40 + 100 + 60


def test_permanent_freights_that_cross_both_count_the_hex_where_they_meet() -> None:
    """§7.8.1: each has one hex between its ends, and it is the same."""
    board = read_board("F3 city 20: F5; F7 city 30: F5; E4 city 20: F5; G6 city 30: F5; F5 city 40: F3 F7 E4 G6")
    assert run(company(board, "F5 F3", "6F 6F"), "F3-F5-F7; E4-F5-G6").revenue == 20 + 30 + 20 + 20 + 30 + 20


def test_permanent_freights_run_to_different_areas() -> None:
    """§7.8.1: one to the Midlands, one to the West; they meet at March."""
    problem = company(read_board("B7 city 20: A6 B9; B9 city 20: B7 A10"), "B7 B9", "6F 6F")
    assert run(problem, "A6-B7; B7-B9-A10").revenue == 40 + 20 + 70 + 20


def test_freights_run_end_to_end() -> None:
    """§7.8.1, 62-16: two Freights score the outer ends of both and one bonus; they join without being told."""
    assert run(enr("1F 1F"), "F1-F3; F3-F5") == run(enr("1F 1F"), "F1-F3 + F3-F5")
    board = read_board(LINE)
    assert "must be joined" in explain_refusal(company(board, "F3 F7", "1F 1F"), "E2-F3; F5-F7")
    assert "don't meet end to end" in explain_refusal(company(board, "F3 F7", "1F 1F"), "E2-F3 + F5-F7")


def test_two_and_three_run_as_five() -> None:
    """§7.8.1: an F2 and an F3 from a port to a red area with four hexes between: 4 x 30, as one F5."""
    board = read_board("C4 city 20: C2 C6; C6 city 20: C4 C8; C8 city 20: C6 B9; B9 city 20: C8 A10")
    both = company(board, "C4 C8", "2F 3F")
    assert run(both, "C2-C4-C6 + C6-C8-B9-A10").revenue == 80 + 70 + 120
    on_18xx_games = replace(both, rules=RunRules(touching_joins=True))
    for written in ("C2-C4-C6; C6-C8-B9-A10", "A10-B9-C8-C6; C6-C4-C2"):
        assert run(on_18xx_games, written).revenue == 270, "measured from B9, at whichever end of the run it is"
    assert find_best_plan(both).plan.revenue == 270
    assert find_best_plan(company(board, "C4 C8", "5F")).plan.revenue == 270
    three = company(board, "C4 C8", "1F 1F 3F")
    assert run(three, "C2-C4 + C4-C6 + C6-C8-B9-A10").revenue == 270


def test_each_freight_of_a_chain_needs_a_marker() -> None:
    """§7.8.1: each train is valid alone."""
    assert "Run 2 (1F) must visit a large station with a marker" in explain_refusal(
        company(read_board(LINE), "F3", "1F 1F"), "F3-F5 + F5-F7"
    )


def test_permanent_freights_run_apart_or_joined() -> None:
    """§7.8.1, 62-16: at the director's choice; 18xx.games joins them when their ends meet (differences 42)."""
    problem = company(lay_out(ENR), "F3 F5", "6F 6F")
    joined = run(problem, "F1-F3-F5 + F5-G8-F9-F11")
    apart = run(problem, "F1-F3-F5; F5-G8-F9-F11")
    assert (joined.revenue, apart.revenue) == (260, 150 + 60 + 40)
    assert run(replace(problem, rules=RunRules(touching_joins=True)), "F1-F3-F5; F5-G8-F9-F11").revenue == 260


def test_others_join_a_permanent_freight() -> None:
    """§7.8.1: Freights that are not permanent are joined with a permanent one if one runs."""
    problem = company(read_board(LINE), "F3 F7", "1F 6F")
    assert "1F must be joined end to end with a permanent Freight" in explain_refusal(problem, "1F E2-F3; 6F F5-F7")
    assert run(problem, "1F E2-F3; 6F F3-F5-F7").runs[0].chain == run(problem, "6F F3-F7; 1F E2-F3").runs[0].chain
    assert find_best_plan(problem).plan.revenue == run(problem, "1F E2-F3 + 6F F3-F5-F7-F9").revenue


def test_the_f5_is_permanent_in_the_shorter_game() -> None:
    """§11.2, §7.8.1, 62-61: D trains are permanent there, so F5s may run apart."""
    problem = company(read_board(LINE), "F3 F7", "5F 5F")
    assert "must be joined" in explain_refusal(problem, "E2-F3-F5-F7; F5-F7-F9")
    assert run(replace(problem, permanent="DEFGH"), "E2-F3-F5-F7; F5-F7-F9").revenue > 0


def test_of_three_freights_apart_two_are_named() -> None:
    """§7.8.1: those that are not permanent run as one."""
    board = read_board(
        "E2 city 20: F3; F3 city 20: E2 F5; F5 city 40: F3 F7; F7 city 30: F5 F9; F9 city 30: F7 F11; F11 city 20: F9"
    )
    sentence = explain_refusal(company(board, "F3 F7 F11", "1F 1F 1F"), "E2-F3; F5-F7; F9-F11")
    assert "The 1F and the 1F must be joined" in sentence


def test_freights_are_divided_into_chains_in_every_way() -> None:
    """§7.8.1: three permanent ones of different length in five ways, and any of them may stay idle on 18xx.games."""
    ways = [way.teams for way in list_arrangements(enr("6F 7F 8F")) if sum(map(len, way.teams)) == 3]
    assert sorted(map(sorted, ways)) == [
        [(6,), (7,), (8,)], [(6,), (7, 8)], [(6, 7), (8,)], [(6, 7, 8)], [(6, 8), (7,)],
    ]  # fmt: skip


def test_no_freights_are_joined_in_a_red_area() -> None:
    """§7.8.1: at large stations only; permanent ones both end there."""
    board = read_board("B9 city 20: A10 B11; B11 city 20: A10 B9")
    problem = company(board, "B9 B11", "6F 6F 2E")
    assert "6F and 6F don't meet" in explain_refusal(problem, "6F B9-A10 + 6F A10-B11; 2E B9-B11")
    assert run(problem, "6F B9-A10; 6F A10-B11; 2E B9-B11").revenue == 20 + 70 + 20
    as_until_0_2 = replace(problem, rules=RunRules(joins_in_areas=True))
    assert run(as_until_0_2, "6F B9-A10 + 6F A10-B11; 2E B9-B11").revenue > 0
    others = company(board, "B9 B11", "1F 1F 2E")
    assert "The 1F and the 1F must be joined" in explain_refusal(others, "1F B9-A10; 1F A10-B11; 2E B9-B11")


def test_no_chain_from_port_to_port() -> None:
    """§7.8.1: joined Freights act as one train; 18xx.games allows it (differences 23)."""
    problem = company(read_board("E2 city 20: D1 F3; F3 city 20: F1 E2"), "F3 E2", "1F 1F 1F")
    assert "can't run from port to port" in explain_refusal(problem, "F1-F3 + F3-E2 + E2-D1")
    assert run(replace(problem, rules=RunRules(port_to_port=True)), "F1-F3 + F3-E2 + E2-D1").revenue == 220
    assert run(replace(problem, rules=SITE), "F1-F3; E2-F3; D1-E2").revenue == 220
    assert find_best_plan(replace(problem, rules=SITE)).plan.revenue == 220
    assert find_best_plan(problem).plan.revenue == 130


def test_no_chain_from_red_area_to_red_area() -> None:
    """§7.8.1: from the Midlands to the West two of three trains go, and the third is idle."""
    problem = company(read_board("B7 city 20: A6 B9; B9 city 20: B7 A10"), "B7 B9", "1F 1F 1F")
    assert "can't run from red area to red area" in explain_refusal(problem, "A6-B7 + B7-B9 + B9-A10")
    assert find_best_plan(problem).plan.revenue == 110
    assert find_best_plan(replace(problem, rules=SITE)).plan.revenue == 150


def test_a_chain_comes_to_no_station_twice() -> None:
    """§7.8.1: a chain is one train, so a loop is refused; on 18xx.games it pays its one end."""
    board = read_board("E4 city 30: F3 F5; F3 city 20: E4 F5; F5 city 40: F3 E4")
    problem = company(board, "F3 E4", "1F 1F 1F")
    assert "can't visit F3 twice" in explain_refusal(problem, "F3-E4 + E4-F5 + F5-F3")
    assert run(replace(problem, rules=RunRules(crossing=True)), "F3-E4 + E4-F5 + F5-F3").revenue in {20, 30, 40}
    assert run(replace(problem, rules=SITE), "F3-E4 + E4-F5 + F5-F3").revenue in {20, 30, 40}


def test_only_freights_are_joined() -> None:
    """§7.8.1: other trains run apart."""
    for trains in ("2E 2E", "2E 2F", "2F 2E"):
        assert "Only Freights can be joined" in explain_refusal(enr(trains), "F1-F3 + F3-F5"), trains


def test_a_freight_that_cannot_join_does_not_run() -> None:
    """§7.8.1: with one link and two Freights one of them stays idle, and may."""
    problem = company(read_board("F3 city 20: F5; F5 city 40: F3"), "F3", "1F 1F")
    assert write_plan(problem, find_best_plan(problem).plan) == "1F F3-F5"
    assert run(problem, "1F F3-F5").revenue == 60


def _every_chain(yard: Yard, team: Team, at: int, goal: int, used: int) -> Iterator[int]:
    """Yield the stops of each chain of these Freights in any order, one after the other."""
    for train in set(team):
        rest = tuple(sorted((Counter(team) - Counter([train])).elements()))
        for mid, paths in yard.find_lines(train).get(at, {}).items():
            for bits in (bits for bits in paths if yard.fits(bits, yard.survey.ends[at], used)):
                stops = bits & yard.node_mask
                if not rest and mid == goal and yard.is_fresh(yard.survey.ends[goal], used):
                    yield stops
                for joint in yard.list_joints(mid) if rest and yard.is_fresh(yard.survey.ends[mid], used) else ():
                    taken = yard.make_bit(yard.survey.ends[joint]) if yard.survey.rules.crossing else stops
                    yield from (stops | more for more in _every_chain(yard, rest, joint, goal, used | taken))


@pytest.mark.parametrize("rules", [RunRules(), SITE])
@pytest.mark.parametrize("trains", ["1F 1F 1F 2F", "1F 2F 3F"])
def test_chains_that_take_the_same_stops_are_looked_for_once(rules: RunRules, trains: str) -> None:
    """§7.8.1: whichever Freight goes first; none that can be is left out."""
    yard = Book(replace(company(lay_out(ENR), "F3 F5 G6 H7 F9 F11", trains), rules=rules), "revenue").yard
    team = tuple(sorted(int(name[0]) for name in trains.split()))
    seen = none = 0
    for a, goals in yard.find_pairs(team).items():
        for b in goals:
            found = {reduce(or_, (piece.bits for piece in chain)) for chain in yard.list_chains(team, a, b)}
            every = set(_every_chain(yard, team, a, b, yard.make_bit(yard.survey.ends[a])))
            assert {stops & yard.node_mask & yard.survey.meeting for stops in found} == {
                stops & yard.survey.meeting for stops in every
            }
            assert yard.has_chain(team, a, b) is bool(every)
            seen, none = seen + len(every), none + (not every)
    assert seen >= 20
    assert none


@pytest.mark.parametrize("rules", [RunRules(), SITE])
def test_chains_one_by_one_come_to_all_that_any_of_them_meets(rules: RunRules) -> None:
    """§7.8: what a chain meets decides whether all runs are together; chains with nothing new to meet are left out."""
    problem = replace(company(lay_out(ENR), "F3 F5 G6 H7 F9 F11", "1F 2F 3F"), rules=rules)
    yard, team = Book(problem, "revenue").yard, (1, 2, 3)
    several = 0
    for a, goals in yard.find_pairs(team).items():
        for b in goals:
            chains, again = (Chains(yard, team, (a, b), ()) for _ in range(2))
            first, whole = list(islice(chains, 1)), list(chains)
            assert first == whole[:1] == list(islice(chains, 1)), "what was found comes first"
            met = {meets for meets, _ in whole}
            assert {meets for meets, _ in again.ways} <= met
            assert all(any(not meets & ~wide for wide, _ in again.ways) for meets in met)
            assert not reduce(or_, met, 0) & ~chains.reach
            several += len(met) > 1
    assert several or not rules.crossing
