"""§7.4, §7.6, §7.7: routes, tiles, small stations, London and station markers."""

from typing import Unpack

import pytest

from engine.finance.rounds import Pass
from engine.rails.laying import LayTile
from engine.titles.g1862 import catalogue
from engine.titles.g1862.actions import AddStation, LinkLondon, PlaceMarker
from engine.titles.g1862.state import Marker, State, TurnStep
from tests.engine.titles.g1862.positions import Fields, catch_refusal, differs, legal, operating, play, settle, table

N_AND_E = "N&E 90 5*,0,0,0 cash=500 unplaced=2 at=B13"


def turn_of(
    text: str = N_AND_E,
    step: TurnStep = "track",
    *,
    tiles: str = "",
    options: dict[str, str] | None = None,
    **fields: Unpack[Fields],
) -> State:
    return operating(table(text, tiles=tiles, options=options, **fields), "N&E", step)


def test_7_6_two_yellow_tiles_the_second_on_the_track_of_the_first() -> None:
    """§7.6.2: two yellow tiles, the second on the track of the first."""
    s = turn_of(tiles="B13:57:0")
    play(s, LayTile("B11", "8852", 0))
    assert s.operating.step != "track", "beyond lies an N hex only"
    s = turn_of(tiles="B13:6:2 B11:8852:0", phase="B")
    play(s, LayTile("C12", "8852", 1))
    assert {action.hex for action in legal(s, LayTile)} == {"D11"}
    assert "second yellow tile" in catch_refusal(s, LayTile("B13", "15", 1)).sentence


def test_7_6_an_n_tile_is_alone() -> None:
    """§7.6.2: an N tile is alone."""
    s = turn_of(tiles="B13:57:0 B11:8852:0")
    play(s, LayTile("B9", "790", 0))
    assert s.operating.step == "token"


def test_7_6_one_upgrade_in_its_phase() -> None:
    """§7.6.3, §9.0: one upgrade in its phase."""
    s = turn_of(tiles="B13:57:0")
    assert "Green tiles can't be laid before phase B" in catch_refusal(s, LayTile("B13", "14", 0)).sentence
    s.phase = "B"
    play(s, LayTile("B13", "14", 0))
    assert s.operating.step != "track"


def test_7_6_1_large_on_large_small_on_small_and_letters_on_letters() -> None:
    s = turn_of(tiles="B13:57:0")
    assert "small stations" in catch_refusal(s, LayTile("B11", "57", 0)).sentence
    assert "large station" in catch_refusal(s, LayTile("C10", "8852", 0)).sentence
    assert "letter N" in catch_refusal(s, LayTile("B9", "57", 0)).sentence
    assert "without a letter" in catch_refusal(s, LayTile("C10", "201", 0)).sentence


def test_7_6_1_no_track_into_red_borders_the_sea_or_off_the_map() -> None:
    s = turn_of()
    assert "red border" in catch_refusal(s, LayTile("F13", "202", 1)).sentence
    assert "sea without a port" in catch_refusal(s, LayTile("E14", "8852", 0)).sentence


@pytest.mark.parametrize(("hex_", "own", "other"), [("F11", "795", "794"), ("F13", "797", "796")])
def test_7_6_1_ipswich_and_harwich_have_russet_tiles_of_their_own(hex_: str, own: str, other: str) -> None:
    """62-42."""
    tiles = {"F11": "F11:791:1", "F13": "F13:792:0"}[hex_]
    s = turn_of(f"N&E 90 5*,0,0,0 at={hex_}", tiles=tiles, phase="D")
    names = {action.tile for action in legal(s, LayTile) if action.hex == hex_}
    assert names <= {own}
    assert f"letter {'Ipswich' if hex_ == 'F11' else 'Harwich'}" in catch_refusal(s, LayTile(hex_, other, 0)).sentence


def test_7_6_1_the_new_track_must_be_on_a_route() -> None:
    s = turn_of(tiles="B13:57:0")
    assert "No route of N&E would use the track" in catch_refusal(s, LayTile("C10", "57", 0)).sentence


def test_7_6_1_a_hex_where_nothing_can_be_laid_is_refused_with_its_reason() -> None:
    """§7.6.1: the reason is what would remain for any other tile."""
    s = turn_of(tiles="B13:57:0")
    assert catch_refusal(s, LayTile("F7", "", -1)).sentence.startswith(
        "No route of N&E would use the track on Diss (F7)"
    )
    assert "Green tiles can't be laid before phase B" in catch_refusal(s, LayTile("B13", "", -1)).sentence


def test_7_6_3_felixstowe_an_upgrade_that_no_route_reaches_waits_for_its_neighbour() -> None:
    """62-11: neither its new track nor its station is reached until the neighbour has track to it."""
    s = turn_of("N&E 90 5*,0,0,0 at=G8", tiles="G8:57:0 G12:5:3", phase="B")
    assert not [action for action in legal(s, LayTile) if action.hex == "G12"]
    s.board = s.board.with_tile("G10", "8852", 0)
    assert [action for action in legal(s, LayTile) if action.hex == "G12"]


def test_7_6_3_new_track_is_reached_from_outside_only() -> None:
    """A hexside that the company comes to from within does not make new track there reached."""
    s = turn_of("N&E 90 5*,0,0,0 at=G8", tiles="G8:57:0 G10:8852:0", phase="B")
    fresh = {action.tile: action.rotation for action in legal(s, LayTile) if action.hex == "G10"}
    assert fresh == {}, "both new sides lead to hexes without track of the company"


def test_7_6_2_7_6_3_small_stations_stay_on_their_line() -> None:
    """§2.3, §7.6.3: small stations stay on their line."""
    s = turn_of("N&E 90 5*,0,0,0 at=B13,D13", tiles="B13:57:0 B11:8852:0 D13:57:2", phase="B")
    assert "new track" in catch_refusal(s, LayTile("B11", "20", 5)).sentence
    s.board = s.board.with_tile("C12", "8852", 2)
    play(s, LayTile("B11", "20", 5))
    name, rotation = s.board.laid["B11"]
    assert catalogue.find_plain_name(name) == "20"
    assert catalogue.list_stations(name, rotation) == ((0, 3),)
    assert catalogue.count_left(s.board, "20") == 5


def test_7_6_4_a_small_station_anywhere_without_a_route() -> None:
    """§2.3, §7.6.2: 62-12, 62-13."""
    s = turn_of(tiles="B13:57:0 G6:20+0:0 E6:8852:0", phase="B")
    assert legal(s, AddStation) == [AddStation("G6", 1, 4)]
    assert "no line" in catch_refusal(s, AddStation("E6", 0, 3)).sentence
    play(s, AddStation("G6", 1, 4))
    assert s.board.laid["G6"] == ("20+01", 0)
    assert [stop.value for stop in s.board.tile("G6").stops] == [20, 20], "£20 each, whatever the tile"
    assert s.operating.step in ("token", "train")


def test_7_6_a_small_station_is_all_the_track_of_a_turn() -> None:
    s = turn_of(tiles="B13:6:2 G6:20:0", phase="B")
    play(s, LayTile("C12", "8852", 1))
    assert legal(s, AddStation) == []
    assert "instead of laying tiles" in catch_refusal(s, AddStation("G6", 0, 3)).sentence


def test_2_3_crossing_lines_do_not_connect() -> None:
    s = turn_of(tiles="B13:57:0 B11:20:0", phase="B")
    reached = {action.hex for action in legal(s, LayTile)}
    assert "C10" not in reached
    assert "B9" in reached


def test_7_4_a_full_city_of_others_is_an_end() -> None:
    s = turn_of(f"{N_AND_E}\nWStI 54 0,5*,0,0 at=B9,B5\nENR 54 0,5*,0,0 at=B9", tiles="B13:57:0 B11:8852:0 B9:790:0")
    assert not {action.hex for action in legal(s, LayTile)} & {"B7", "C8"}
    s.companies["ENR"].markers = []
    assert {action.hex for action in legal(s, LayTile)} >= {"B7"}


def test_7_6_5_london_with_a_route_instead_of_track() -> None:
    """§7.6: 62-14."""
    s = turn_of(tiles="B13:57:0")
    play(s, Pass())
    assert legal(s, LinkLondon) == [LinkLondon("B15"), LinkLondon("D15")]
    play(s, LinkLondon("B15"))
    company = s.companies["N&E"]
    assert (company.london, company.unplaced) == ("B15", 1)
    assert s.operating.step != "token"


def test_7_6_5_no_london_after_track_nor_twice_nor_for_a_fifth_company() -> None:
    """§7.6: no London after track, nor twice, nor for a fifth company."""
    s = turn_of(tiles="B13:57:0")
    play(s, LayTile("B11", "8852", 0))
    assert s.operating.step != "token", "there is nothing but London to place a marker in"
    s.operating.step = "token"
    assert "instead of track" in catch_refusal(s, LinkLondon("B15")).sentence
    s = turn_of(f"{N_AND_E} london=B15", tiles="B13:57:0", step="token")
    assert "already" in catch_refusal(s, LinkLondon("B15")).sentence
    others = "\n".join(f"{code} 54 0,5*,0,0 london={box}" for code, box in
                       (("WStI", "B15"), ("ENR", "B15"), ("ESR", "D15"), ("L&D", "D15")))  # fmt: skip
    s = turn_of(f"{N_AND_E}\n{others}", tiles="B13:57:0", step="token")
    assert "All four" in catch_refusal(s, LinkLondon("B15")).sentence
    s = turn_of(N_AND_E.replace("unplaced=2", "unplaced=0"), tiles="B13:57:0", step="token")
    assert catch_refusal(s, LinkLondon("B15")).sentence == "N&E has no station marker left."


def test_7_6_5_no_route_no_link() -> None:
    s = turn_of(tiles="B13:57:1", step="token")
    s.board = s.board.with_tile("B13", "5", 3)
    assert "No route" in catch_refusal(s, LinkLondon("B15")).sentence
    assert LinkLondon("B15") in legal(turn_of(tiles="B13:57:1", step="token")), "by A14"


def test_7_7_a_free_slot_on_a_route_not_twice_in_a_hex() -> None:
    """§2.3: a free slot on a route, not twice in a hex."""
    s = turn_of(tiles="B13:57:0 B11:8852:0 B9:790:0 C10:57:0", step="token")
    assert legal(s, PlaceMarker) == [PlaceMarker("B9")]
    assert "already has a marker on Bishop's Stortford (B13)" in catch_refusal(s, PlaceMarker("B13")).sentence
    assert "can't reach Newmarket (C10)" in catch_refusal(s, PlaceMarker("C10")).sentence
    assert "no large station" in catch_refusal(s, PlaceMarker("B11")).sentence
    play(s, PlaceMarker("B9"))
    assert (s.companies["N&E"].unplaced, s.companies["N&E"].cash) == (1, 500), "it was paid for at flotation"
    assert s.operating.step != "token"
    others = "\nWStI 90 0,5*,0,0 at=B9\nECR 90 0,0,5*,0 at=B9"
    s = turn_of("N&E 90 5*,0,0,0 unplaced=1 at=B13" + others, tiles="B13:57:0 B11:8852:0 B9:790:0")
    s.operating.step = "token"
    assert "Every space on" in catch_refusal(s, PlaceMarker("B9")).sentence


def test_7_7_foreign_homes_are_free_for_all() -> None:
    s = turn_of("N&E 90 5*,0,0,0 unplaced=1 at=B5", tiles="B5:57:0 B7:57:0", step="token")
    s.board = s.board.with_tile("C6", "6", 1)
    s.companies["N&E"].markers = [Marker("B7", 1)]
    assert PlaceMarker("B5") in legal(s)


def test_7_6_3_a_company_without_a_train_builds() -> None:
    s = turn_of(tiles="B13:57:0")
    assert s.companies["N&E"].trains == []
    assert legal(s, LayTile)


def test_7_6_1_supply() -> None:
    s = turn_of(tiles="B13:57:0")
    for coord in ("F3", "F5", "G8", "H7"):
        s.board = s.board.with_tile(coord, "57", 0)
    assert catalogue.count_left(s.board, "57") == 12 - 5


def test_7_6_1_the_last_tile_of_a_number_may_be_laid_and_none_after_it() -> None:
    s = operating(table("N&E 90 5*,0,0,0 at=B13", tiles="B13:57:0"), "N&E", "track")
    lays = [lay for lay in legal(s, LayTile) if lay.hex != "B13"]
    name = lays[0].tile
    empty = iter(hex_ for hex_ in s.board.map.hexes if hex_ not in s.board.laid and hex_ not in {x.hex for x in lays})
    while catalogue.count_left(s.board, name) > 1:
        s.board = s.board.with_tile(next(empty), name, 0)
    assert lays[0] in legal(s)
    s.board = s.board.with_tile(next(empty), name, 0)
    assert f"No copies of tile {name} are left" in catch_refusal(s, lays[0]).sentence


def test_7_7_a_company_without_markers_places_none() -> None:
    s = turn_of("N&E 90 5*,0,0,0 cash=500 unplaced=0 at=B13", tiles="B13:57:0", step="token")
    assert catch_refusal(s, PlaceMarker("B9")).sentence == "N&E has no station marker left."
    assert catch_refusal(s, PlaceMarker("B11")).sentence == "There is no large station on B11."


def test_7_6_5_two_markers_fill_one_side_of_london() -> None:
    others = "WStI 54 0,5*,0,0 london=B15\nENR 54 0,5*,0,0 london=B15"
    s = turn_of(f"{N_AND_E}\n{others}", tiles="B13:57:0", step="token")
    assert legal(s, LinkLondon) == [LinkLondon("D15")]
    assert catch_refusal(s, LinkLondon("B15")).sentence == "Both spaces beside B15 are taken; choose the others."


def test_7_4_without_a_marker_on_the_map_there_is_no_route_to_build_on() -> None:
    s = turn_of("N&E 90 5*,0,0,0 cash=500 unplaced=2", tiles="B13:57:0")
    assert "no station marker on the map" in catch_refusal(s, LayTile("B11", "8852", 0)).sentence


@differs("idle_builders_asked")
def test_7_6_a_company_that_can_build_nothing_is_passed_over(switches: dict[str, object]) -> None:
    """Differences 74: on 18xx.games it is asked, and passes."""
    s = operating(table("N&E 90 5*,0,0,0 trains=2F", switches=switches), "N&E", "track")
    settle(s)
    assert (s.name == "OR 1.1") is bool(switches)
    if switches:
        assert s.operating.step == "track"
        assert legal(s) == [Pass()]
