"""Positions on the map in one line of text, and what the rules say about them."""

from typing import TypedDict, Unpack

from engine.rails.board import Board
from engine.rails.reach import place_bases
from engine.titles.g1860.catalogue import load_map
from engine.titles.g1860.trace import Fleet
from engine.titles.g1860.track import Builder, Lay, TrackSurvey, list_lays

ALL_COLOURS = ("yellow", "green", "russet")


def lay_out(tiles: str, on: str = "extended") -> Board:
    """Read "F2 787, F4 742/3": hex, tile, rotation."""
    board = Board(load_map(on))
    for word in filter(None, tiles.split(", ")):
        coord, tile = word.split()
        name, _, rotation = tile.partition("/")
        board = board.with_tile(coord, name, int(rotation or 0))
    return board


class Building(TypedDict, total=False):
    """What may be said of the company that builds."""

    colours: tuple[str, ...]
    cash: int
    insolvent: bool
    raises_station: bool


def fleet_of(trains: str, *, skip_towns: bool = True, re_enter: bool = False) -> Fleet:
    """Read "4+2 3+2"."""
    sizes = [train.split("+") for train in trains.split()]
    return Fleet(tuple((int(cities), int(towns)) for cities, towns in sizes), skip_towns, re_enter)


def survey(
    tiles: str, bases: str, fleet: str | Fleet = "", *, on: str = "extended", **builder: Unpack[Building]
) -> TrackSurvey:
    """Read "C&N F2, IOW J4.0, S&C J8*": who stands where; a star is a flipped base. The first one builds."""
    standing = []
    for word in bases.split(", "):
        company, place = word.split()
        coord, _, index = place.rstrip("*").partition(".")
        standing.append((company, [(coord, int(index or 0))], place.endswith("*")))
    owned = fleet_of(fleet) if isinstance(fleet, str) else fleet
    builder.setdefault("colours", ALL_COLOURS)
    return TrackSurvey(lay_out(tiles, on), place_bases(standing), Builder(standing[0][0], fleet=owned, **builder))


def on_hex(of: TrackSurvey, coord: str) -> dict[str, list[int]]:
    """Return the tiles that may be laid on a hex now, with their rotations."""
    found: dict[str, list[int]] = {}
    for lay in list_lays(of):
        if lay.coord == coord:
            found.setdefault(lay.tile, []).append(lay.rotation)
    return found


def triple(lay: Lay) -> tuple[str, str, int]:
    return lay.coord, lay.tile, lay.rotation
