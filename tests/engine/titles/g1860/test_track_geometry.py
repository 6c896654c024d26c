"""Track Tiles.

What fits where, by geometry alone (Tiles that fit, Upgrades, Tiles that lie one way, Yellow printed towns).
"""

from collections.abc import Iterable

import pytest

from engine.errors import RuleError
from engine.rails.board import Board
from engine.titles.g1860.catalogue import MAPS, load_map
from engine.titles.g1860.fitting import check_fit, list_fits
from tests.engine.titles.g1860.ground import lay_out
from tests.engine.titles.g1860.record import read_published


def fitting(tiles: str, coord: str, on: str = "extended") -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for fit in list_fits(lay_out(tiles, on), coord):
        found.setdefault(fit.tile, []).append(fit.rotation)
    return found


def refusal(tiles: str, coord: str, tile: str, rotation: int = 0) -> str:
    with pytest.raises(RuleError) as caught:
        check_fit(lay_out(tiles), coord, tile, rotation)
    return str(caught.value)


@pytest.mark.parametrize("on", MAPS)
def test_every_hex_has_its_first_tiles(on: str) -> None:
    """The first tile of each hex, in each rotation, on both maps, is as published."""
    first = read_published()["first"][on]
    wanted = {
        coord: {tile: list(map(int, turns)) for tile, _, turns in (word.partition("/") for word in words.split())}
        for coord, words in first.items()
    }
    assert {coord: fitting("", coord, on) for coord in wanted} == wanted
    others = set(load_map(on).hexes) - set(wanted)
    assert others == {"J2"}
    assert not list_fits(Board(load_map(on)), "J2")


def test_every_tile_has_its_upgrades() -> None:
    """For each tile, the tiles of the next colour that can replace it somewhere are as published.

    The published list asks only whether the track is there. It lets 784 replace 754, and 783
    replace 755, turned so that the halt would move to another line; the recorded game, like
    “Upgrades” ("keeps all old track and its stops"), never offers that.
    """
    wanted = {tile: set(later.split()) for tile, later in read_published()["upgrades"].items()}
    wanted["754"].remove("784")
    wanted["755"].remove("783")
    found: dict[str, set[str]] = {}
    first, *others = (load_map(on) for on in MAPS)
    _follow_upgrades(Board(first), first.hexes, found)
    for other in others:
        printed_otherwise = [coord for coord, spec in other.hexes.items() if spec != first.hexes.get(coord)]
        _follow_upgrades(Board(other), printed_otherwise, found)
    assert {tile: later for tile, later in found.items() if later} == wanted


def _follow_upgrades(empty: Board, coords: Iterable[str], found: dict[str, set[str]]) -> None:
    for coord in coords:
        heads = [empty]
        seen = set()
        while heads:
            board = heads.pop()
            for fit in list_fits(board, coord):
                if board.laid:
                    found.setdefault(board.tile(coord).name, set()).add(fit.tile)
                if (fit.tile, fit.rotation) not in seen:
                    seen.add((fit.tile, fit.rotation))
                    heads.append(board.with_tile(coord, fit.tile, fit.rotation))


@pytest.mark.parametrize("on", MAPS)
def test_the_maps_are_as_printed(on: str) -> None:
    """Letters, terrain, homes and closed sides of every hex agree with the published map."""
    of = load_map(on)
    printed = read_published()["hexes"][on]
    assert of.hexes.keys() == printed.keys()
    for coord, fact in printed.items():
        spec = of.hexes[coord]
        assert spec.letter == fact.get("letter", ""), coord
        assert spec.cost == fact.get("cost", 0), coord
        assert list(spec.homes) == fact.get("homes", "").split(), coord
        assert "".join(map(str, spec.barriers)) == fact.get("barriers", ""), coord
        if not spec.is_fixed:
            assert "".join(str(side) for side in range(6) if spec.open >> side & 1) == fact["sides"], coord
        stops = [f"{stop.kind}:{stop.value or 0}" for stop in spec.printed.stops]
        assert stops == fact.get("stops", "").split(), coord


def test_the_manifest_is_as_printed() -> None:
    """The two maps: 139 tiles on the extended map; the original one has a 770 and a 776 less."""
    for on, total in (("extended", 139), ("original", 137)):
        counts = load_map(on).manifest.counts
        assert sum(counts.values()) == total
        wanted = dict(word.split(":") for word in read_published()["counts"][on].split())
        assert counts == {tile: int(count) for tile, count in wanted.items()}
    extended, original = load_map("extended").manifest.counts, load_map("original").manifest.counts
    assert {tile: extended[tile] - original[tile] for tile in extended if extended[tile] != original[tile]} == {
        "770": 1,
        "776": 1,
    }


def test_lettered_hexes_take_lettered_tiles_only() -> None:
    """Track Tiles: Only tiles bearing the letter may be placed on a hex with a letter, and nowhere else."""
    assert "needs tiles with the letter B" in refusal("", "J6", "57")
    assert "takes only tiles without a letter" in refusal("", "J4", "746")
    assert fitting("", "J6") == {"746": [0, 1, 2, 3, 4, 5]}


def test_a_tile_has_as_many_stations_as_the_hex() -> None:
    """Track Tiles: Plain hexes, one village, two villages and towns each take their own tiles."""
    assert "D8 has neither town nor village, the tile 1 town" in refusal("", "D8", "57", 2)
    assert "H4 has 2 villages, the tile 1 village" in refusal("", "H4", "742")
    assert set(fitting("", "H4")) == {"744", "745"}
    assert set(fitting("", "H8")) == {"741", "742", "743"}
    assert set(fitting("", "D8")) == {"7", "8", "9"}


def test_track_never_runs_into_the_sea_or_a_red_border() -> None:
    """Laying Track: None of the track on a tile may run into a dark hexside, a red barrier or the sea."""
    assert "its track would run south into sea" in refusal("", "J8", "57", 0)
    assert "into a red border" in refusal("", "I5", "743", 0)
    assert fitting("", "G1") == {"741": [5]}


def test_nothing_is_laid_on_the_pier() -> None:
    """Ryde Pier is printed on the sea; Ryde alone has track to it."""
    assert "No tile can be laid on Ryde Pier" in refusal("", "J2", "9")
    assert all(
        not board_fit.sides & load_map("extended").hexes["J4"].sides[3] for board_fit in list_fits(lay_out(""), "J4")
    )


def test_colours_come_in_order() -> None:
    """Track Tiles: An empty hex takes yellow, yellow takes green, green takes russet, russet is the last."""
    assert "(J4) has no tile, so it takes a yellow tile; tile 12 is green" in refusal("", "J4", "12")
    assert "(J4) is yellow, so it takes a green tile" in refusal("J4 6", "J4", "776", 5)
    assert "has a russet tile, which can't be upgraded" in refusal("J4 6, J4 12, J4 776", "J4", "776")


def test_an_upgrade_keeps_all_track() -> None:
    """Upgrading Track: The new tile must contain all the existing track, connected to the same hex sides."""
    assert "doesn't keep the track that is on H6." in refusal("H6 9", "H6", "19", 1)
    assert fitting("J4 6", "J4")["12"] == [0]
    assert "doesn't keep the track that is on J4." in refusal("J4 57/2", "J4", "12")


def test_halts_may_become_towns_and_not_the_reverse() -> None:
    """A halt may become a small station; a small station never a halt."""
    assert {"748", "751", "752"} <= set(fitting("H8 742", "H8"))
    russet = fitting("H8 742, H8 748", "H8")
    assert set(russet) == {"766", "767", "768", "769"}
    # The halt of 754 lies south, its town in the middle; on 782-785 it is the same way round.
    assert set(fitting("H4 744, H4 754", "H4")) <= {"782", "783", "784", "785"}


def test_bases_keep_their_place() -> None:
    """Ventnor's city stays on its line when the town is split; Newport's stays the dear one."""
    ventnor = check_fit(lay_out(""), "I11", "760", 0)
    assert ventnor.stops == (0,)
    assert check_fit(lay_out("I11 760"), "I11", "774", 0).stops == (0, 1)
    assert check_fit(lay_out(""), "G5", "763", 0).stops == (0,)
    halts = check_fit(lay_out("H4 744, H4 754"), "H4", "782", 0)
    assert halts.stops == (1, 0), "782 counts its town first, 754 its halt"


@pytest.mark.parametrize(("coord", "tile"), [("G5", "763"), ("G7", "761"), ("I3", "758")])
def test_fixed_tiles_lie_one_way(coord: str, tile: str) -> None:
    """Tiles that lie one way: Shide lies south, Blackwater north, Ryde's exits to the pier and the south-east."""
    assert fitting("", coord) == {tile: [0]}
    assert "only be laid with rotation 0" in refusal("", coord, tile, 3)


def test_yellow_printed_towns_upgrade_straight_to_green() -> None:
    """Yellow printed towns: Ryde Esplanade, Newport, Ventnor and Merstone are printed yellow."""
    assert {coord: list(fitting("", coord)) for coord in ("I3", "G5", "I11", "G7")} == {
        "I3": ["758"],
        "G5": ["763"],
        "I11": ["760"],
        "G7": ["761"],
    }
    assert "(G5) is yellow, so" in refusal("", "G5", "57")


def test_unknown_hexes_and_tiles_are_refused() -> None:
    assert "There is no hex Z9" in refusal("", "Z9", "57")
    assert "There is no tile 999" in refusal("", "J4", "999")
    assert "rotation 6" in refusal("", "J4", "57", 6)
