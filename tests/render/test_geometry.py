"""Hexes and track: sides, corners, curves that join from tile to tile."""

import math

import pytest

from engine.hex_view import HexView, Layout, Stop, Track
from engine.rails import maps
from render import geometry as g
from render.hexes.track import place_stops_and_track

each_layout = pytest.mark.parametrize("layout", ["flat", "pointy"])
PAIRS = [(a, b) for a in range(6) for b in range(a + 1, 6)]


def test_sides_run_clockwise_from_the_south() -> None:
    """Side 0 is south, 1 south-west, 3 north, 5 south-east; y runs down."""
    assert g.find_side_middle(0) == pytest.approx((0, g.HALF))
    assert g.find_side_middle(1) == pytest.approx((-0.75, g.HALF / 2))
    assert g.find_side_middle(3) == pytest.approx((0, -g.HALF))
    assert g.find_side_middle(5) == pytest.approx((0.75, g.HALF / 2))


def test_sides_of_a_pointy_hex_run_clockwise_from_the_south_west() -> None:
    assert g.find_side_middle(0, "pointy") == pytest.approx((-g.HALF / 2, 0.75))
    assert g.find_side_middle(1, "pointy") == pytest.approx((-g.HALF, 0))
    assert g.find_side_middle(4, "pointy") == pytest.approx((g.HALF, 0))


@each_layout
@pytest.mark.parametrize("side", range(6))
def test_the_neighbour_behind_a_side_lies_twice_as_far_as_the_side(side: int, layout: Layout) -> None:
    """The centres of neighbours are two half heights apart, across the side; the engine finds the same neighbour."""
    x, y = g.find_centre(*g.find_neighbour_step(side, layout), layout)
    assert (x / 2, y / 2) == pytest.approx(g.find_side_middle(side, layout))
    assert g.find_neighbour_step((side + 3) % 6, layout) == tuple(-step for step in g.find_neighbour_step(side, layout))
    (column, row), (far_column, far_row) = (
        maps.parse_coordinate(coord, layout) for coord in ("M15", maps.find_neighbour("M15", side, layout))
    )
    assert (far_column - column, far_row - row) == g.find_neighbour_step(side, layout)


@each_layout
@pytest.mark.parametrize("side", range(6))
def test_a_side_lies_between_its_corners(side: int, layout: Layout) -> None:
    (ax, ay), (bx, by) = g.find_side_corners(side, layout)
    assert ((ax + bx) / 2, (ay + by) / 2) == pytest.approx(g.find_side_middle(side, layout))
    across, down = g.measure_half(layout)
    assert max(x for x, _ in g.list_corners(layout)) == pytest.approx(across)
    assert max(y for _, y in g.list_corners(layout)) == pytest.approx(down)


@each_layout
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_track_from_side_to_side_meets_both_at_right_angles(a: int, b: int, layout: Layout) -> None:
    """So track goes on smoothly on the next tile, whatever lies there."""
    curve = g.make_curve_between_sides(a, b, layout)
    assert curve[0] == g.find_side_middle(a, layout)
    assert curve[-1] == g.find_side_middle(b, layout)
    out, start = g.find_direction_at(curve, 0.0), g.find_direction_to(a, layout)
    assert out[0] * start[0] + out[1] * start[1] == pytest.approx(-1, abs=0.01)
    end, side = g.find_direction_at(curve, 1.0), g.find_direction_to(b, layout)
    assert end[0] * side[0] + end[1] * side[1] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(("a", "b", "radius"), [(0, 1, 0.5), (0, 2, 1.5)])
def test_sharp_and_gentle_curves_are_arcs_of_circles(a: int, b: int, radius: float) -> None:
    """A sharp curve turns around a corner of the hex, a gentle one around the centre of a hex beside it."""
    hub = g.list_corners()[2] if b == 1 else (-1.5, g.HALF)
    for point in g.flatten_curve(g.make_curve_between_sides(a, b), 20):
        assert math.dist(point, hub) == pytest.approx(radius, abs=0.005)


def test_parts_of_a_curve_lie_on_it() -> None:
    """A curve cut at a small station is the same curve."""
    curve = g.make_curve_between_sides(0, 2)
    assert g.cut_curve(curve, 0.25, 0.75)[0] == pytest.approx(g.find_point_at(curve, 0.25))
    assert g.find_point_at(g.cut_curve(curve, 0.25, 0.75), 0.5) == pytest.approx(g.find_point_at(curve, 0.5))
    for ours, whole in zip(g.cut_curve(curve, 0.0, 1.0), curve, strict=True):
        assert ours == pytest.approx(whole)


def test_dashes_keep_the_length_of_the_line() -> None:
    """Drawn and left out by turns, also around corners."""
    pieces = g.cut_into_dashes([(0, 0), (1, 0), (1, 1)], [0.5, 0.25])
    assert [round(g.measure_line(piece), 3) for piece in pieces] == [0.5, 0.5, 0.5]
    assert pieces[1][0] == pytest.approx((0.75, 0))
    assert pieces[1][-1] == pytest.approx((1, 0.25))


def test_a_small_station_lies_in_the_middle_of_its_curve() -> None:
    """Two halts share a line; a single one lies in its middle, across the track."""
    one = place_stops_and_track(HexView("", 0, 0, stops=(Stop("town", 10),), track=(Track(0, 10), Track(10, 2))))
    assert (one.spots[0].x, one.spots[0].y) == pytest.approx(g.find_point_at(g.make_curve_between_sides(0, 2), 0.5))
    two = place_stops_and_track(
        HexView("", 0, 0, stops=(Stop("halt"), Stop("halt")), track=(Track(0, 10), Track(10, 11), Track(11, 3)))
    )
    assert two.spots[0].y > 0 > two.spots[1].y
    assert two.spots[0].y == pytest.approx(-two.spots[1].y)


def test_pieces_of_track_join_at_their_stops() -> None:
    """Every piece begins and ends where its ends lie, in the order in which the view gives them."""
    hex_view = HexView(
        "", 0, 0,
        stops=(Stop("city", 30, slots=1, place=3.0), Stop("town", 10), Stop("halt", place=0.0)),
        track=(Track(0, 12), Track(1, 12), Track(12, 11), Track(10, 11)),
    )  # fmt: skip
    the_course = place_stops_and_track(hex_view)
    for track, curve in zip(hex_view.track, the_course.curves, strict=True):
        for end, point in ((track.a, curve[0]), (track.b, curve[-1])):
            spot = the_course.spots[end - 10] if end >= 10 else None
            assert point == pytest.approx((spot.x, spot.y) if spot else g.find_side_middle(end))


def test_three_lines_that_cross_keep_their_stations_apart() -> None:
    """On a tile of three straight lines no two stations lie on one spot."""
    stops = tuple(Stop("town", 20) for _ in range(3))
    track = tuple(Track(end, 10 + k) for k in range(3) for end in (k, k + 3))
    spots = place_stops_and_track(HexView("", 0, 0, stops=stops, track=track)).spots
    assert min(math.dist((a.x, a.y), (b.x, b.y)) for a in spots for b in spots if a is not b) > 0.5


def test_a_village_without_track_gives_way_to_the_track_of_its_hex() -> None:
    """Merstone: the town has track to the south-east, the village lies elsewhere."""
    spots = place_stops_and_track(
        HexView("", 0, 0, stops=(Stop("city", 10, slots=1), Stop("town")), track=(Track(5, 10),))
    ).spots
    assert (spots[0].x, spots[0].y) == (0, 0)
    assert spots[1].y < -0.4
