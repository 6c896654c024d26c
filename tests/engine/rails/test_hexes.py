"""Coordinates of flat-topped and of pointy hexes."""

import pytest

from engine.hex_view import Layout
from engine.rails.maps import column_row, distance, neighbour, opposite, side_name
from engine.rails.tiles import SIDES


def test_sides_run_clockwise_from_the_south() -> None:
    assert [neighbour("F6", side) for side in SIDES] == ["F8", "E7", "E5", "F4", "G5", "G7"]


def test_sides_of_a_pointy_hex_run_clockwise_from_the_south_west() -> None:
    assert [neighbour("F6", side, "pointy") for side in SIDES] == ["G5", "F4", "E5", "E7", "F8", "G7"]
    assert [side_name(side, "pointy") for side in (0, 1, 3)] == ["south-west", "west", "north-east"]
    assert side_name(0) == "south"


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_every_neighbour_is_met_from_its_opposite_side(layout: Layout) -> None:
    for side in SIDES:
        assert neighbour(neighbour("F6", side, layout), opposite(side), layout) == "F6"


def test_columns_and_half_rows_count_from_nought() -> None:
    assert column_row("A1") == (0, 0)
    assert column_row("F12") == (5, 11)
    assert column_row("F12", "pointy") == (11, 5), "the letter is the row"


@pytest.mark.parametrize(
    ("here", "there", "steps"), [("F6", "F6", 0), ("F6", "G7", 1), ("F6", "F10", 2), ("A5", "L6", 11), ("C4", "E12", 5)]
)
def test_distance_is_the_number_of_steps(here: str, there: str, steps: int) -> None:
    assert distance(here, there) == distance(there, here) == steps


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_distance_agrees_with_walking(layout: Layout) -> None:
    """Rings grown hex by hex have the distance of their number."""
    ring, seen = {"M15"}, {"M15"}
    for steps in range(1, 5):
        ring = {neighbour(coord, side, layout) for coord in ring for side in SIDES} - seen
        seen |= ring
        assert {distance("M15", coord) for coord in ring} == {steps}
