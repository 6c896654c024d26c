"""Building Bases.

Where a base may stand (The price of a base, Where bases go, Home circles are kept, Bases stay).
"""

import pytest

from engine.errors import RuleError
from engine.rails.board import Board
from engine.rails.maps import Map, PrintedHex
from engine.rails.reach import Place
from engine.rails.tiles import Manifest
from engine.rails.views import view_hex
from engine.titles.g1860.steps.building import check_site, list_base_sites, list_free_slots
from engine.titles.g1860.track import Builder, TrackSurvey
from tests.engine.titles.g1860.ground import survey

LINE = "J4 6, J6 746, J8 57/1"


def refusal(of: TrackSurvey, place: Place, waiting: tuple[str, ...] = (), price: int = 0) -> str:
    with pytest.raises(RuleError) as caught:
        check_site(of, place, waiting, price)
    assert price or place not in set(list_base_sites(of, waiting))
    return str(caught.value)


def test_bases_stand_in_empty_circles_reached_from_a_base() -> None:
    """Building Bases: Any length, along track, into an empty circle."""
    of = survey(LINE, "IOW I3")
    assert set(list_base_sites(of, ())) == {("J4", 0), ("J6", 0)}
    check_site(of, ("J6", 0), (), 0)
    assert "can't reach Sandown" in refusal(of, ("J8", 0))
    assert "can't reach Shanklin" in refusal(of, ("I9", 0))


@pytest.mark.parametrize("flip", ["", "*"])
def test_not_past_tokened_out_stations(flip: str) -> None:
    """Building Bases: Bases of a bankrupt company fill their circle and block the way."""
    of = survey(LINE, f"IOW I3, C&N J4{flip}")
    assert not list(list_base_sites(of, ()))
    assert "Every circle of Ryde is taken" in refusal(of, ("J4", 0))
    assert "without passing a tokened-out city" in refusal(of, ("J6", 0))


def test_80_a_home_base_closes_the_way_at_once() -> None:
    """Differences 80: the way through a kept circle is open until the company's home base stands in it."""
    line = "J4 57/5, K5 743/2, L6 5/1, K7 9/1, J8 57/1"
    assert ("J8", 0) in set(list_base_sites(survey(line, "IOW I3"), ("BHI&R",)))
    assert "without passing a tokened-out city" in refusal(survey(line, "IOW I3, BHI&R L6"), ("J8", 0))


def test_a_home_slot_is_kept() -> None:
    """Home circles are kept.

    Not on another company's home hex, unless a circle is free in addition to its home base's.
    """
    track = "G7 761, G9 746"
    of = survey(track, "IWNJ G7")
    assert "kept for the home base of NGStL" in refusal(of, ("G9", 0), ("NGStL",))
    assert list_free_slots(of, ("G9", 0), ("NGStL",)) == 0
    check_site(of, ("G9", 0), (), 0)
    big = survey("G7 761, G9 746, G9 757, G9 770", "IWNJ G7")
    assert list(list_base_sites(big, ("NGStL",))) == [("G9", 0)]
    taken = survey("G7 761, G9 746, G9 757, G9 770", "IWNJ G7, C&N G9")
    assert "kept for the home base of NGStL" in refusal(taken, ("G9", 0), ("NGStL",))


def test_a_home_slot_is_kept_in_the_first_city_alone() -> None:
    """Home circles are kept.

    Where a home hex has two cities, as none has on the island, the second is free for others.
    """
    hexes = {"C5": PrintedHex(code="city=revenue:20;city=revenue:20;path=a:0,b:_0;path=a:3,b:_1", homes=("IOW",))}
    board = Board(Map("two cities", hexes, (), Manifest({}, {})))
    of = TrackSurvey(board, {}, Builder("C&N", ("yellow",)))
    assert [list_free_slots(of, ("C5", city), ("IOW",)) for city in (0, 1)] == [0, 1]
    assert [list_free_slots(of, ("C5", city), ()) for city in (0, 1)] == [1, 1]
    assert [stop.reserved for stop in view_hex(board, "C5", waiting=("IOW",)).stops] == [("IOW",), ()]


def test_one_base_on_a_hex() -> None:
    """Building Bases: A company may not build more than one base on the same hex; Newport and Shide are one hex."""
    of = survey("G7 761, G5 763", "IWNJ G7, IWNJ G5.1")
    assert "already has a base on Newport (G5)" in refusal(of, ("G5", 0))
    assert ("G5", 1) in set(list_base_sites(survey("G7 761, G5 763", "IWNJ G7"), ()))


def test_not_on_ryde_pier() -> None:
    """The pier is no place for a base."""
    assert "No base can be built on Ryde Pier" in refusal(survey("I3 758", "IOW I3"), ("J2", 0))


def test_only_large_stations() -> None:
    """Halts and small stations have no circles."""
    of = survey("F2 787", "C&N F2")
    assert "Cowes (F2) has no such city" in refusal(of, ("F2", 1))
    assert "D8 has no such city" in refusal(of, ("D8", 0))
    assert "Ryde (J4) has no such city" in refusal(of, ("J4", -1))
    assert "no hex Z1" in refusal(of, ("Z1", 0))


def test_the_base_must_be_paid() -> None:
    """The price of a base: The second base costs 40cc, each further one 100cc; the step names the price."""
    assert "costs 40cc; IOW has 39cc" in refusal(survey(LINE, "IOW I3", cash=39), ("J4", 0), (), 40)
    check_site(survey(LINE, "IOW I3", cash=40), ("J4", 0), (), 40)
