"""A small map and a handful of tiles, for tests of what all titles share."""

from engine.rails.board import Board
from engine.rails.maps import Map, PrintedHex
from engine.rails.tiles import Manifest, read_tiles

TILES = {
    "yellow": {
        "bend": "path=a:0,b:2",
        "curl": "path=a:0,b:1",
        "line": "path=a:0,b:3",
        "town": "city=revenue:20;path=a:0,b:_0;path=a:_0,b:3",
        "halt": "halt=revenue:0;path=a:0,b:_0;path=a:_0,b:3",
    },
    "green": {
        "cross": "path=a:0,b:3;path=a:1,b:4",
        "fork": "path=a:0,b:3;path=a:0,b:2",
        "big": "city=revenue:30,slots:2;path=a:0,b:_0;path=a:1,b:_0;path=a:3,b:_0",
        "pair": "city=revenue:40,loc:2;city=revenue:10,loc:5;path=a:3,b:_0;path=a:0,b:_1;path=a:_0,b:_1",
    },
}


def toy_map() -> Map:
    """Return seven land hexes round C4, of which C2 is printed, and a port north-east of C2 at D1.

    A lake bars B3 from C4.
    """
    hexes = {
        "C4": PrintedHex(name="Middle", code="city", homes=("ABC",)),
        "C6": PrintedHex(name="South", code="city", cost=60, terrain="hill"),
        "B5": PrintedHex(),
        "B3": PrintedHex(),
        "C2": PrintedHex(name="North", ink="yellow", code="city=revenue:30;path=a:0,b:_0"),
        "D3": PrintedHex(),
        "D5": PrintedHex(code="town"),
        "D1": PrintedHex(name="Port", ink="sea", code="offboard=revenue:yellow_10|green_20;path=a:1,b:_0"),
    }
    manifest = Manifest(read_tiles("toy", TILES), dict.fromkeys([name for part in TILES.values() for name in part], 2))
    return Map("toy", hexes, [("B3", "C4")], manifest)


TOY = toy_map()


def lay_out(tiles: str = "") -> Board:
    """Read "C4 town, C6 line/1": hex, tile, rotation."""
    board = Board(TOY)
    for word in filter(None, tiles.split(", ")):
        coord, tile = word.split()
        name, _, rotation = tile.partition("/")
        board = board.with_tile(coord, name, int(rotation or 0))
    return board
