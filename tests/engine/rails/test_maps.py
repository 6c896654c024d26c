"""Maps: which sides are open, which bits stand for them."""

import pytest

from engine.rails.maps import Map, PrintedHex, opposite
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
            there = TOY.beyond(coord, side)
            if there:
                assert there.sides[opposite(side)] == spec.sides[side]
            seen.setdefault(spec.sides[side], set()).add(coord)
    assert len(seen) == TOY.side_count
    assert max(map(len, seen.values())) == 2
    assert TOY.hexes["C4"].side_bits(0b101) == TOY.hexes["C4"].sides[0] | TOY.hexes["C4"].sides[2]


def test_a_barrier_between_strangers_is_refused() -> None:
    with pytest.raises(DataError, match="barrier A1-C1: these are no neighbours"):
        Map("m", {"A1": PrintedHex(), "C1": PrintedHex()}, [("A1", "C1")], Manifest({}, {}))


def test_a_wrong_hex_names_itself() -> None:
    with pytest.raises(DataError, match="map m: A1: unknown colour"):
        Map("m", {"A1": PrintedHex(ink="pink")}, [], Manifest({}, {}))
