"""7.6, sentence by sentence: what the tests by topic leave untold about tiles and small stations."""

import pytest

from engine.rails.laying import LayTile
from engine.rails.maps import find_neighbour
from engine.titles.g1862.actions import AddStation
from tests.engine.titles.g1862.positions import catch_refusal, legal, operating, play, table


def test_7_6_russet_tiles_come_with_phase_d() -> None:
    """§7.6, §7.6.3, §9.0: until then green ones stay; all track keeps its sides, no new track meets a red border."""
    for phase, colours in (("C", set()), ("D", {"russet"})):
        s = operating(table("N&E 90 5*,0,0,0 at=B13", tiles="B13:14:0", phase=phase), "N&E", "track")
        manifest = s.board.map.manifest
        found = {manifest[action.tile].colour for action in legal(s, LayTile) if action.hex == "B13"}
        assert found == colours
    assert (
        "Russet tiles can't be laid before phase D"
        in catch_refusal(
            operating(table("N&E 90 5*,0,0,0 at=B13", tiles="B13:14:0", phase="C"), "N&E", "track"),
            LayTile("B13", "611", 0),
        ).sentence
    )


@pytest.mark.parametrize(("hexagon", "lying", "wall"), [("B13", "57:0", ()), ("F13", "201:5", ("E14", "F11", "G12"))])
def test_7_6_3_upgrades_keep_all_track_and_respect_borders(hexagon: str, lying: str, wall: tuple[str, ...]) -> None:
    """§7.6.3: each green tile has the old sides; at Harwich none leads through the red border."""
    s = operating(table(f"N&E 90 5*,0,0,0 at={hexagon}", tiles=f"{hexagon}:{lying}", phase="B"), "N&E", "track")
    before = {side for side in range(6) if s.board.tile(hexagon).joins[side]}
    found = [action for action in legal(s, LayTile) if action.hex == hexagon]
    assert found
    for action in found:
        turned = s.board.map.manifest.find_turned(action.tile, action.rotation)
        sides = {side for side in range(6) if turned.joins[side]}
        assert sides > before
        assert {find_neighbour(hexagon, side) for side in sides}.isdisjoint(wall)


def test_7_6_1_the_russet_tile_of_ipswich_lies_nowhere_else() -> None:
    """§7.6.1: Norwich has N too."""
    s = operating(table("N&E 90 5*,0,0,0 at=F5", tiles="F5:791:0", phase="D"), "N&E", "track")
    assert {action.tile for action in legal(s, LayTile) if action.hex == "F5"} == {"794"}
    assert "letter" in catch_refusal(s, LayTile("F5", "795", 0)).sentence


@pytest.mark.parametrize(("tile", "phase", "most"), [("20", "B", 2), ("798", "D", 3)])
def test_7_6_4_each_line_of_a_tile_may_get_one_small_station(tile: str, phase: str, most: int) -> None:
    """§7.6.4: two on a green tile, three on a russet one."""
    s = operating(table("N&E 90 5*,0,0,0 at=B13", tiles=f"B13:57:0 G6:{tile}:0", phase=phase), "N&E", "track")
    for count in range(most, 0, -1):
        assert len(legal(s, AddStation)) == count
        play(s, legal(s, AddStation)[0])
        operating(s, "N&E", "track")
    assert legal(s, AddStation) == []
