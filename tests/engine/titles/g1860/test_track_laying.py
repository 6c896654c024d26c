"""Laying Track.

Connection, tokened-out towns, cost, supply, insolvency (Home tile, Tiles in a turn, Tiles that fit, Yellow track must
connect, Tokened-out city, Difficult terrain, Supply of tiles, Building while insolvent).
"""

from functools import partial

import pytest

from engine.errors import RuleError
from engine.rails.laying import LayTile, explain_hex
from engine.record import Rule
from engine.titles.g1860.catalogue import CHARTERS
from engine.titles.g1860.track import (
    TrackSurvey,
    check_home_lay,
    check_lay,
    find_base_after_lay,
    has_city,
    list_home_lays,
    list_lays,
)
from tests.engine.titles.g1860.ground import lay_out, on_hex, survey, triple

# Ryde Esplanade's printed track leads south-east to J4; this tile takes it on to Brading.
RYDE = "J4 6"
RULE = Rule("Toy", "laying")


def refusal(of: TrackSurvey, coord: str, tile: str, rotation: int = 0) -> str:
    with pytest.raises(RuleError) as caught:
        check_lay(of, coord, tile, rotation)
    assert (coord, tile, rotation) not in set(map(triple, list_lays(of)))
    return str(caught.value)


def test_city_tiles_are_distinguished_from_the_others() -> None:
    """Tiles in a turn: Two yellow tiles only if neither has a large station."""
    manifest = lay_out("").map.manifest
    assert has_city(manifest["57"])
    assert has_city(manifest["787"])
    assert not has_city(manifest["744"])
    assert check_lay(survey("", "IOW I3"), "J4", "6", 0).city


def test_yellow_track_connects_with_track_from_a_base() -> None:
    """Yellow track must connect.

    Track must connect with track which may be accessed from a base with an arbitrarily long train.
    """
    of = survey("", "IOW I3")
    assert {lay.coord for lay in list_lays(of)} == {"J4"}
    assert on_hex(of, "J4") == {"5": [1], "6": [0], "57": [2, 5], "115": [2]}
    assert "no track leads there" in refusal(of, "J6", "746")
    assert "doesn't meet the track" in refusal(of, "J4", "115", 0)
    assert {lay.coord for lay in list_lays(survey(RYDE, "IOW I3"))} == {"J6"}


def test_a_hex_where_nothing_can_be_laid_is_refused_with_its_reason() -> None:
    """Yellow track must connect: the reason is what would remain for any other tile, or the named one turned."""
    of = survey("", "IOW I3")

    def explain(coord: str, tile: str = "") -> str:
        lay = LayTile(coord, tile, -1)
        check = partial(check_lay, of)
        return explain_hex(of.board, lay, lambda each: check(each.hex, each.tile, each.rotation), RULE).sentence

    assert "no track leads there" in explain("J6")
    assert explain("Z9") == "There is no hex Z9 on this map."
    assert explain("J4", "999") == "There is no tile 999."
    assert "J4" in explain("J4", "12")
    assert explain("J4", "12").endswith("takes a yellow tile; tile 12 is green."), "whatever its rotation"
    assert explain("J4", "742") == "Tile 742 can't be laid on Ryde (J4) in any rotation."
    assert explain("J4").startswith("Name the tile and its rotation")


def test_no_base_no_track() -> None:
    """A company without a base has nothing to connect with."""
    of = survey("", "IOW I3")
    assert "no base on the map" in refusal(TrackSurvey(of.board, {}, of.builder), "J4", "6")


def test_the_second_tile_may_connect_to_the_first() -> None:
    """Laying Track: tiles are laid one at a time; the second may use the first's track."""
    assert "no track leads there" in refusal(survey("J4 6, J6 746", "IOW I3"), "K7", "9", 1)
    of = survey("J4 57/2, K5 741/0", "IOW I3")
    assert {lay.coord for lay in list_lays(of)} == set()
    of = survey("J4 57/2, K5 743/2", "IOW I3")
    assert {lay.coord for lay in list_lays(of)} == {"L6"}


def test_any_number_of_stations_may_be_passed() -> None:
    """Qualifying track is traced by an arbitrarily long train, through halts, small and large stations."""
    of = survey("J4 6, J6 746, J8 6/1, I9 57/1, H10 742/2", "IOW I3")
    assert on_hex(of, "G9") == {"746": [2, 5]}


@pytest.mark.parametrize(("token", "passes"), [("C&N J4", False), ("C&N J4*", False), ("IOW J4", True)])
def test_tokened_out_towns_stop_the_trace(token: str, passes: bool) -> None:
    """Tokened-out city.

    You can't trace past a town without a free circle and without an own base; flipped bases count.
    """
    of = survey(RYDE, f"IOW I3, {token}")
    assert bool(on_hex(of, "J6")) == passes
    if not passes:
        assert "without passing a tokened-out city" in refusal(of, "J6", "746")


def test_a_free_circle_lets_every_company_through() -> None:
    """Tokened-out city: 776 has two circles; one foreign base leaves one free, two block."""
    tiles = "J4 6, J4 12, J4 776"
    assert on_hex(survey(tiles, "IOW I3, C&N J4"), "J6")
    assert not on_hex(survey(tiles, "IOW I3, C&N J4, FYN J4"), "J6")
    assert on_hex(survey(tiles, "IOW I3, C&N J4, IOW J4"), "J6")


def test_difficult_terrain_costs_60_once() -> None:
    """Difficult terrain: 60cc on the first tile only."""
    tiles = "J4 57/2"
    assert check_lay(survey(tiles, "IOW I3", cash=60), "K5", "743", 2).cost == 60
    assert "costs 60cc; IOW has 59cc" in refusal(survey(tiles, "IOW I3", cash=59), "K5", "743", 2)
    upgrade = check_lay(survey("J4 57/2, K5 743/2", "IOW I3", "3+2", cash=0), "K5", "749", 2)
    assert (upgrade.cost, upgrade.upgrade) == (0, True)
    assert check_lay(survey("", "IOW I3", cash=0), "J4", "6", 0).cost == 0


def test_insolvent_companies_lay_free_yellow_only() -> None:
    """Building while insolvent: No upgrade, and no tile that costs money; free yellow tiles are allowed."""
    of = survey("J4 57/2", "IOW I3", "3+2", insolvent=True)
    assert "insolvent, so it can't lay a tile on St. Helens (K5)" in refusal(of, "K5", "743", 2)
    assert "insolvent, so it can't upgrade" in refusal(of, "J4", "205", 5)
    assert on_hex(survey("", "IOW I3", insolvent=True), "J4")


def test_colours_come_with_the_phases() -> None:
    """Upgrading Track: Green tiles become available when phase 3 starts."""
    of = survey("J4 6", "IOW I3", "2+1", colours=("yellow",))
    assert "Green tiles can't be laid before phase 3" in refusal(of, "J4", "12")


def test_tiles_are_limited_to_the_manifest() -> None:
    """Supply of tiles: Two tiles 6 there are; a replaced one returns."""
    used = "J8 6/1, I9 6/2"
    assert "No copies of tile 6 are left" in refusal(survey(used, "IOW I3"), "J4", "6")
    board = lay_out(used)
    assert board.count_left("6") == 0
    assert board.with_tile("J8", "12", 1).count_left("6") == 1


def test_the_home_tile_needs_geometry_only() -> None:
    """Home tile.

    The director places a tile on the start hex; no cost, no connection; any hex but the home is refused.
    """
    board = lay_out("")
    assert [triple(lay) for lay in list_home_lays(board, "F2")] == [("F2", "787", 0), ("F2", "787", 1)]
    assert not list(list_home_lays(board, "I3")), "Ryde Esplanade is printed yellow"
    for home in (charter.home[0] for charter in CHARTERS.values()):
        for lay in list_home_lays(board, home):
            assert check_home_lay(board, home, triple(lay)) == lay
            assert lay.cost == 0
    for wrong, words in (
        (("B4", "5", 5), "Cowes .F2., the home of the company that floated, not on B4"),
        (("F2", "787", 2), "north-west into sea"),
        (("F2", "57", 0), "letter C"),
    ):
        with pytest.raises(RuleError, match=words):
            check_home_lay(board, "F2", wrong)
    with pytest.raises(RuleError, match=r"\(F2\) already has track, so no home tile is laid"):
        check_home_lay(lay_out("F2 787"), "F2", ("F2", "787", 0))


def test_a_company_whose_base_waits_on_an_empty_hex_may_build_on_it() -> None:
    """Home tile: Where no home tile was left, the base stands on the printed circle and the company may lay it."""
    of = survey("", "S&C F12")
    assert set(on_hex(of, "F12")) == {"5", "6", "57", "115"}
    assert {lay.coord for lay in list_lays(of)} == {"F12"}
    lay = check_lay(of, "F12", "57", 2)
    assert find_base_after_lay(("F12", 0), lay) == ("F12", 0)
    assert find_base_after_lay(("J4", 0), lay) == ("J4", 0)


def test_bases_move_with_their_station() -> None:
    """Upgrades: Bases on a tile are placed on the new tile in the equivalent position."""
    lay = check_lay(survey("I11 760, H10 741/4", "IOW I11.1, C&N I11.0", "9+5"), "I11", "774", 0)
    assert find_base_after_lay(("I11", 1), lay) == ("I11", 1)
    assert find_base_after_lay(("I11", 0), lay) == ("I11", 0)
