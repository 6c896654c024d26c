"""A train must reach it; An upgrade must be of use: 6A Track tiles: which upgrades a company's trains allow."""

import pytest

from engine.errors import RuleError
from engine.rails.tiles import STOP
from engine.titles.g1860.catalogue import load_map
from engine.titles.g1860.trace import Arrival, Fleet, find_usable
from engine.titles.g1860.track import Builder, TrackSurvey, check_lay, list_lays
from tests.engine.titles.g1860.ground import fleet_of, on_hex, survey, triple

BRADING = "J4 6, J6 746"


def refusal(of: TrackSurvey, coord: str, tile: str, rotation: int = 0) -> str:
    with pytest.raises(RuleError) as caught:
        check_lay(of, coord, tile, rotation)
    assert (coord, tile, rotation) not in set(map(triple, list_lays(of)))
    return str(caught.value)


def test_the_rulebook_example_of_brading() -> None:
    """A train must reach it.

    A 2+1 train will not reach Brading from Ryde Esplanade; a 3+2 does; an additional base does too.
    """
    assert "No train of IOW (2+1) reaches Brading (J6)" in refusal(survey(BRADING, "IOW I3", "2+1"), "J6", "757")
    assert check_lay(survey(BRADING, "IOW I3", "3+2"), "J6", "757", 0).upgrade
    assert check_lay(survey(BRADING, "IOW I3", "2+1 3+2"), "J6", "757", 0).upgrade
    assert check_lay(survey(BRADING, "IOW I3, IOW J4", "2+1"), "J6", "757", 0).upgrade


def test_a_trace_begins_with_nothing_counted() -> None:
    """A train must reach it.

    A train of one city sets out from its base and gets onto all track there; one that comes has counted it.
    """
    tile = load_map("extended").manifest.find_turned("57", 0)
    one = Fleet(((1, 0),))
    assert find_usable(tile, (), (0,), (), one) == (frozenset({(0, STOP), (3, STOP)}), frozenset({0}))
    assert find_usable(tile, (), (0,), (0,), one) == (frozenset(), frozenset({0})), "tokened-out: an end and no more"
    assert find_usable(tile, (Arrival(3, 1, 0),), (), (), one) == (frozenset(), frozenset())
    assert find_usable(tile, (Arrival(3, 1, 0),), (), (), Fleet(((2, 0),))) == (
        frozenset({(0, STOP), (3, STOP)}),
        frozenset({0}),
    )
    assert Fleet(((1, 0),)) == Fleet(((1, 0),), skip_towns=True, re_enter=False, apart=False)
    assert Builder("IOW", ()) == Builder("IOW", (), Fleet(()), cash=None, insolvent=False)


def test_a_company_without_a_train_cannot_upgrade() -> None:
    """Upgrading Track: company without a train cannot upgrade."""
    assert "has no train, and only" in refusal(survey(BRADING, "IOW I3"), "J4", "12")


def test_the_trace_does_not_pass_tokened_out_towns() -> None:
    """Upgrading Track: The way leads WITHOUT passing through tokened-out stations; one may be its end."""
    of = survey(BRADING, "IOW I3, C&N J4", "9+5")
    assert "reaches Brading (J6) from its bases without passing" in refusal(of, "J6", "757")
    assert on_hex(of, "J4"), "the tokened-out town itself grows dearer"
    flipped = survey(BRADING, "IOW I3, C&N J4*", "9+5")
    assert not on_hex(flipped, "J6")


def test_new_track_that_no_train_gets_onto_is_not_enough() -> None:
    """An upgrade must be of use: it contains track on which the company could run one of its trains.

    The base at Bembridge reaches K7, whose second line leads only from Brading to St. Helens:
    a train would have to come to K7 twice.
    """
    tiles = "L6 5/1, K7 9/1, J8 57/1"
    assert "new track nor a more valuable station on K7" in refusal(survey(tiles, "BHI&R L6", "3+2"), "K7", "18", 1)
    joined = "L6 5/1, K7 9/1, J8 57/1, J6 746/5"
    assert "neither new track" in refusal(survey(joined, "BHI&R L6", "9+5"), "K7", "18", 1)
    second = survey(joined, "BHI&R L6, BHI&R J6", "3+2")
    assert check_lay(second, "K7", "18", 1).upgrade


def test_a_way_that_comes_twice_to_the_hex_counts_where_hexes_may_be_entered_again() -> None:
    """K7's second line is reached by way of its first.

    Refused, unless hexes may be re-entered (Option: re-enter hexes).
    """
    tiles = "L6 5/1, K7 9/1, J8 57/1, J8 206/4, J6 746/5, J6 757/5"
    assert "neither new track" in refusal(survey(tiles, "BHI&R L6", "4+2"), "K7", "18", 1)
    assert check_lay(survey(tiles, "BHI&R L6", fleet_of("4+2", re_enter=True)), "K7", "18", 1).upgrade


def test_a_dearer_station_is_enough() -> None:
    """Upgrading Track: ... or increase the revenue of a station on the tile to which the company may run a train."""
    assert check_lay(survey("J4 5/1", "IOW I3", "2+1"), "J4", "756", 1).upgrade
    of = survey("J4 6", "IOW I3, C&N J4", "2+1")
    assert {"12", "205", "206"} >= set(on_hex(of, "J4")) != set()


def test_a_new_exit_of_a_halt_is_new_track() -> None:
    """Halts earn nothing, and their new track leads on (60-46)."""
    of = survey("J4 57/2, K5 743/2", "IOW I3", "2+1")
    assert set(on_hex(of, "K5")) == {"749", "751", "752"}


def test_a_town_needed_on_the_tile_counts() -> None:
    """A train must reach it: Cities on the way, the start and a city needed on the tile itself all count."""
    line = "J4 6, J6 746, J8 57/4"
    assert not on_hex(survey(line, "IOW I3", "3+2"), "J8")
    assert on_hex(survey(line, "IOW I3", "4+2"), "J8")


def test_plain_track_beyond_the_last_town_is_reached() -> None:
    """The trace needs no end stop: 60-45: plain track after the last town that can be counted is reached."""
    line = "J4 6, J6 746, J8 6/1, K7 8/1"
    assert not on_hex(survey(line, "IOW I3", "2+1"), "K7")
    tiles = "I3 758, J4 57/2, K5 743/2, L6 5/1, K7 9/1"
    assert not on_hex(survey(tiles, "IOW I3", "2+1"), "K7"), "Bembridge would be the third town"
    assert on_hex(survey(tiles, "IOW I3", "3+2"), "K7") == {}, "no second line of K7 is open to it"
    assert "18" in on_hex(survey(tiles + ", J6 746/5", "IOW I3, IOW J6", "2+1"), "K7")


def test_small_stations_count_where_they_may_not_be_skipped() -> None:
    """First edition: small stations: In the first edition the small stations on the way use up the train as well.

    Cowes is a town and a small station, F4 and E5 are small stations, D6 is a halt.
    """
    line = "F2 787, F4 742/1, F4 748/1, E5 743/1, E5 749/1, D6 742/4"
    assert {"748", "750"} <= set(on_hex(survey(line, "C&N F2", "2+1"), "D6"))
    assert not on_hex(survey(line, "C&N F2", fleet_of("2+1", skip_towns=False)), "D6")
    longer = set(on_hex(survey(line, "C&N F2", fleet_of("2+2", skip_towns=False)), "D6"))
    assert "750" in longer, "one town and three small stations, then the halt's new track"
    assert "748" not in longer, "the halt would become a fourth small station"


def test_newport_grows_from_the_south_as_well() -> None:
    """A company that comes from the south alone gets onto Shide's new track."""
    of = survey("G7 761", "IWNJ G7", "2+1")
    assert on_hex(of, "G5") == {"763": [0]}
    south = survey("G7 761, G5 763", "IWNJ G7", "2+1")
    assert on_hex(south, "G5") == {"773": [0]}


def test_a_pier_end_is_reached_through_ryde() -> None:
    """The Ryde tiles bring the exit to the pier."""
    assert on_hex(survey("", "IOW I3", "2+1"), "I3") == {"758": [0]}
    assert on_hex(survey("I3 758", "IOW I3", "2+1"), "I3") == {"786": [0]}
