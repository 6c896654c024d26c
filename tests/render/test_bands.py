"""Runs on a map: each to be followed from end to end, also where several share track."""

import math
from itertools import combinations

import pytest

from engine.hex_view import HexView, Leg, Line, Stop, Track
from engine.view import MapView
from render.hexes.bands import EVERY, collect_visits, draw_bands
from render.hexes.board import build_scene
from render.scene import CAP, Curve, Label, Stamp, flatten_items
from render.theme import PALETTES, load_theme
from tests.render.positions import choice

CITY = Stop("city", 20, slots=1, tokens=(None,))


def way(count: int) -> tuple[HexView, ...]:
    """Return hexes below one another with a city in each."""
    return tuple(
        HexView(f"A{2 * k}", 0, 2 * k, stops=(CITY,), track=(Track(3, 10), Track(10, 0))) for k in range(count)
    )


def legs(first: int, last: int) -> tuple[Leg, ...]:
    """Return the legs from one hex down to another."""
    found = [Leg(f"A{2 * first}", 10, 0)]
    for k in range(first + 1, last):
        found += [Leg(f"A{2 * k}", 3, 10), Leg(f"A{2 * k}", 10, 0)]
    return (*found, Leg(f"A{2 * last}", 3, 10))


def back(mine: tuple[Leg, ...]) -> tuple[Leg, ...]:
    """Return the same way travelled from the other end."""
    return tuple(Leg(leg.coord, leg.b, leg.a) for leg in reversed(mine))


def list_bands(view: MapView, palette: str = "standard") -> list[Curve]:
    """Return the bands without their rims."""
    return [item for item in draw_bands(view, palette) if isinstance(item, Curve) and item.colour != "casing"]


def overlaps(curves: list[Curve], clear: float = 0.36) -> int:
    """Return how many points of one band lie on another, but for what the cities at the ends of stretches hide."""
    count = 0
    for a, b in combinations(curves, 2):
        ends = [a.points[0], a.points[-1], b.points[0], b.points[-1]]
        for p in a.points:
            if all(math.dist(p, end) > clear for end in ends):
                count += any(math.dist(p, q) < (a.width + b.width) / 2 - 0.01 for q in b.points)
    return count


@pytest.mark.parametrize("count", [2, 3, 4])
def test_runs_that_share_track_lie_beside_one_another(count: int) -> None:
    """Two, three, four trains on one line, every other one from the other end: no band hides another."""
    lines = tuple(Line("4", k + 1, legs(0, 3) if k % 2 else back(legs(0, 3))) for k in range(count))
    view = MapView("", "", way(4), lines=lines)
    curves = list_bands(view)
    assert len({curve.colour for curve in curves}) == count
    assert {abs(round(p[0], 2)) for curve in curves for p in curve.points} != {0.0}
    assert not overlaps(curves)


def test_a_run_by_itself_is_seen_on_both_sides_of_its_track() -> None:
    """And beside another only where they go together."""
    view = MapView("", "", way(4), lines=(Line("4", 1, legs(0, 3)), Line("2", 2, legs(2, 3))))
    first = [curve for curve in list_bands(view) if curve.colour == load_theme("standard").choose_stroke(0).colour]
    assert [all(abs(x) < 0.01 for x, _ in curve.points) for curve in first] == [True, False]


def test_bands_end_round() -> None:
    """So that an end is not taken for a gap."""
    view = MapView("", "", way(2), lines=(Line("4", 1, legs(0, 1)),))
    assert all(item.round for item in draw_bands(view, "standard") if isinstance(item, Curve))


def test_the_number_of_a_long_run_is_shown_again_on_its_way() -> None:
    """Every five legs, where there is room."""
    view = MapView("", "", way(7), lines=(Line("12", 1, legs(0, 6)),))
    assert sum(len(visit.again) for visit in collect_visits(view).values()) == (len(legs(0, 6)) - 2) // EVERY
    shown = [
        item for stamp in build_scene(view, "standard").items if isinstance(stamp, Stamp) for item in _labels(stamp)
    ]
    assert sum(label.text == "1" and label.colour == "badge_ink" for label in shown) > 3


def test_runs_of_a_real_position_hide_nothing() -> None:
    """1862: an express and a freight share the line from King's Lynn."""
    view = choice("1862", "Run")
    assert isinstance(view, MapView)
    curves = list_bands(view)
    assert len({curve.colour for curve in curves}) == len(view.lines) > 1
    assert len({curve.width for curve in curves}) > 1, "no track is shared: choose another position"
    assert not overlaps(curves)


@pytest.mark.parametrize("palette", PALETTES)
def test_the_mark_for_new_differs_from_every_run(palette: str) -> None:
    """Its double line has a colour that no run has."""
    theme = load_theme(palette)
    assert theme.colours["new"] not in {stroke.colour for stroke in theme.strokes}


def _labels(stamp: Stamp) -> list[Label]:
    labels = [item for item, _ in flatten_items(stamp.items) if isinstance(item, Label)]
    return [label for label in labels if label.size * CAP > 0]
