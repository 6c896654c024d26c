"""Maps: which sides are open, which bits stand for them."""

import pytest

from engine.hex_view import Layout
from engine.rails.maps import (
    Map,
    PrintedHex,
    find_neighbour,
    measure_distance,
    name_side,
    opposite_side,
    parse_coordinate,
)
from engine.rails.tiles import SIDES, DataError, Manifest
from tests.engine.rails.toy import TOY


def open_sides(coord: str) -> list[int]:
    return [side for side in SIDES if TOY.hexes[coord].open >> side & 1]


def test_track_may_run_to_land_only() -> None:
    """Beyond the map, across a barrier, and into the sea where no track is printed, sides are closed."""
    assert open_sides("C4") == [0, 1, 3, 4, 5]
    assert open_sides("B3") == [0, 4]
    assert open_sides("C2") == [0, 1, 4, 5], "the port's track meets the north-east"
    assert open_sides("D3") == [0, 1, 2], "the port has no track to the north of D3"
    assert open_sides("D1") == [1]
    assert open_sides("C6") == [2, 3, 4], "the map ends south of it"


def test_barriers_bar_both_hexes() -> None:
    assert TOY.hexes["C4"].barriers == (2,)
    assert TOY.hexes["B3"].barriers == (5,)


def test_two_hexes_share_the_bit_of_their_side() -> None:
    seen: dict[int, set[str]] = {}
    for coord, spec in TOY.hexes.items():
        for side in SIDES:
            there = TOY.find_neighbour(coord, side)
            if there:
                assert there.sides[opposite_side(side)] == spec.sides[side]
            seen.setdefault(spec.sides[side], set()).add(coord)
    assert len(seen) == TOY.side_count
    assert max(map(len, seen.values())) == 2
    assert TOY.hexes["C4"].side_bits(0b101) == TOY.hexes["C4"].sides[0] | TOY.hexes["C4"].sides[2]


def test_a_barrier_between_strangers_is_refused() -> None:
    with pytest.raises(DataError, match="barrier A1-C1: these hexes aren't neighbours"):
        Map("m", {"A1": PrintedHex(), "C1": PrintedHex()}, [("A1", "C1")], Manifest({}, {}))


def test_a_wrong_hex_names_itself() -> None:
    with pytest.raises(DataError, match="map m: A1: unknown colour"):
        Map("m", {"A1": PrintedHex(ink="pink")}, [], Manifest({}, {}))


def test_sides_run_clockwise_from_the_south() -> None:
    assert [find_neighbour("F6", side) for side in SIDES] == ["F8", "E7", "E5", "F4", "G5", "G7"]


def test_sides_of_a_pointy_hex_run_clockwise_from_the_south_west() -> None:
    assert [find_neighbour("F6", side, "pointy") for side in SIDES] == ["G5", "F4", "E5", "E7", "F8", "G7"]
    assert [name_side(side, "pointy") for side in (0, 1, 3)] == ["south-west", "west", "north-east"]
    assert name_side(0) == "south"


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_every_neighbour_is_met_from_its_opposite_side(layout: Layout) -> None:
    for side in SIDES:
        assert find_neighbour(find_neighbour("F6", side, layout), opposite_side(side), layout) == "F6"


def test_columns_and_half_rows_count_from_nought() -> None:
    assert parse_coordinate("A1") == (0, 0)
    assert parse_coordinate("F12") == (5, 11)
    assert parse_coordinate("F12", "pointy") == (11, 5), "the letter is the row"


@pytest.mark.parametrize(
    ("here", "there", "steps"), [("F6", "F6", 0), ("F6", "G7", 1), ("F6", "F10", 2), ("A5", "L6", 11), ("C4", "E12", 5)]
)
def test_distance_is_the_number_of_steps(here: str, there: str, steps: int) -> None:
    assert measure_distance(here, there) == measure_distance(there, here) == steps


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_distance_agrees_with_walking(layout: Layout) -> None:
    """Rings grown hex by hex have the distance of their number."""
    ring, seen = {"M15"}, {"M15"}
    for steps in range(1, 5):
        ring = {find_neighbour(coord, side, layout) for coord in ring for side in SIDES} - seen
        seen |= ring
        assert {measure_distance("M15", coord) for coord in ring} == {steps}
