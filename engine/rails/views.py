"""Boards, tiles, runs and choices on a map as views: what anyone may draw."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

import msgspec

from engine.hex_view import HexView, Layout, Leg, Line, Stop, Token, Track
from engine.rails import places
from engine.rails.board import Board, Graph
from engine.rails.laying import LayTile
from engine.rails.maps import Map, find_neighbour, opposite_side, parse_coordinate
from engine.rails.reach import Bases
from engine.rails.tiles import SIDES, STOP, Manifest, Tile
from engine.record import Record
from engine.view import MAX_ALT_CHARACTERS, Brand, MapView, Panel, Panels
from engine.words import join_words

Mark = Literal["", "new", "can"]

NO_CHOICES: Mapping[str, str] = MappingProxyType({})
_NO_BASES: Bases = MappingProxyType({})
_NO_MARKS: Mapping[str, Mark] = MappingProxyType({})
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Numbered = Callable[[tuple[str, ...], Mapping[str, str]], MapView]
"""What shows the map with notes and with the number of each hex."""


def view_hexes(
    board: Board,
    bases: Bases = _NO_BASES,
    waiting: Collection[str] = (),
    marks: Mapping[str, Mark] = _NO_MARKS,
    choices: Mapping[str, str] = NO_CHOICES,
) -> tuple[HexView, ...]:
    """Return every hex of the map as it lies, the printed ones and the sea too.

    Args:
        board: the tiles.
        bases: who stands where.
        waiting: companies whose home base is not on the board yet.
        marks: "new" or "can" by coordinate.
        choices: number or letter of an option by coordinate.
    """
    return tuple(
        msgspec.structs.replace(
            view_hex(board, coord, bases, waiting), mark=marks.get(coord, ""), choice=choices.get(coord, "")
        )
        for coord in board.map.hexes
    )


def view_hex(board: Board, coord: str, bases: Bases = _NO_BASES, waiting: Collection[str] = ()) -> HexView:
    """Return one hex as it lies on the board."""
    spec = board.spec(coord)
    tile = board.tile(coord)
    homes = tuple(home for home in spec.homes if home in waiting)
    column, row = parse_coordinate(coord, spec.layout)
    left, top = board.map.corner
    built = coord in board.laid
    return HexView(
        coord=coord,
        x=column - left,
        y=row - top,
        name=spec.name,
        ink=tile.ink or tile.colour,
        tile=tile.name,
        letter=spec.letter,
        cost=0 if built else spec.cost,
        terrain="" if built else spec.terrain,
        barriers=spec.barriers,
        homes=homes,
        stops=_view_stops(tile, [bases.get((coord, index), ()) for index in range(len(tile.stops))], homes),
        track=_view_track(tile),
        layout=spec.layout,
    )


class MapFrame(Record, frozen=True):
    """What is shown of a map beside its hexes: the round and phase, the companies, runs on it, and notes.

    Args:
        round_name: its sign: "SR 4". called: the same in a sentence: "stock round 4".
        phase: of the game. brands: of the companies.
        lines: runs. notes: sentences. colours: of the tiles that may be laid.
    """

    round_name: str
    called: str
    phase: str
    brands: tuple[Brand, ...]
    lines: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()


def view_map(frame: MapFrame, hexes: tuple[HexView, ...], told: Sequence[str]) -> MapView:
    """Return the map; ``told`` are sentences for who cannot see it, after those about its runs and the notes."""
    runs = "; ".join(f"{line.label} {line.told or line.words}" for line in frame.lines)
    head = f"Map, {frame.called}, phase {frame.phase}."
    words = " ".join([head, *([f"Runs: {runs}."] if runs else []), *frame.notes, *told])
    title = f"{frame.round_name} · phase {frame.phase}"
    phase = f"phase {frame.phase}" if frame.colours else ""
    return MapView(
        title, words[:MAX_ALT_CHARACTERS], hexes, frame.brands, frame.lines, frame.notes,
        phase=phase, inks=frame.colours,
    )  # fmt: skip


def describe_tiles(board: Board, called: Callable[[str], str] = str) -> str:
    """Return in words which tiles were laid where: "Tiles laid: 787 at Cowes, 9 on E3"."""
    names = board.map.names
    laid = ", ".join(
        f"{called(tile)} {f'at {names[coord]}' if coord in names else f'on {coord}'}"
        for coord, (tile, _) in board.laid.items()
    )
    return f"Tiles laid: {laid or 'none'}."


def describe_tokens(board: Board, called: str, placed: Mapping[str, Sequence[str]]) -> str:
    """Return in words where the tokens of companies lie: "Bases: C&N at Cowes and F5."; ``called`` is "bases"."""
    names = board.map.names
    told = "; ".join(
        f"{code} at {join_words([names.get(each, each) for each in places])}"
        for code, places in placed.items()
        if places
    )
    return f"{called.capitalize()}: {told}." if told else f"No {called} yet."


def add_area_values(hexes: Iterable[HexView], period: str) -> tuple[HexView, ...]:
    """Return hexes whose offboard areas show their value in a tile colour or phase."""
    replace = msgspec.structs.replace
    return tuple(
        replace(
            hex_,
            stops=tuple(
                replace(stop, value=dict(stop.values)[period]) if period in dict(stop.values) else stop
                for stop in hex_.stops
            ),
        )
        for hex_ in hexes
    )


def view_hex_and_neighbours(
    board: Board, coord: str, bases: Bases = _NO_BASES, waiting: Collection[str] = ()
) -> tuple[HexView, ...]:
    """Return a hex, then its neighbours drawn pale: the picture of one choice."""
    around = [find_neighbour(coord, side, board.map.layout) for side in SIDES]
    pale = [
        msgspec.structs.replace(view_hex(board, there, bases, waiting), faded=True)
        for there in around
        if there in board.map.hexes
    ]
    return (view_hex(board, coord, bases, waiting), *pale)


def view_tile(tile: Tile, layout: Layout = "flat") -> HexView:
    """Return a tile on its own, for the manifest."""
    return HexView(
        coord="",
        x=0,
        y=0,
        ink=tile.ink or tile.colour,
        tile=tile.name,
        letter=tile.letter,
        stops=_view_stops(tile, [()] * len(tile.stops), ()),
        track=_view_track(tile),
        layout=layout,
    )


def _view_track(tile: Tile) -> tuple[Track, ...]:
    return tuple(Track(a, b) for a, b in tile.track)


def _view_stops(tile: Tile, tokens: list[tuple[Token, ...]], homes: tuple[str, ...]) -> tuple[Stop, ...]:
    """Return the stops with their bases; homes are kept a slot in the first city."""
    return tuple(
        Stop(
            kind=stop.kind,
            value=stop.value,
            values=stop.values,
            slots=stop.slots,
            tokens=(*tokens[index], *[None] * (stop.slots - len(tokens[index]))),
            reserved=homes if index == 0 else (),
            place=stop.place,
            name=stop.name,
            sign=stop.sign,
        )
        for index, stop in enumerate(tile.stops)
    )


def view_tiles_left(
    manifest: Manifest, left: Callable[[str], int], layout: Layout = "flat", brands: tuple[Brand, ...] = ()
) -> Panels:
    """Return every tile with how many of it are left, colour by colour."""
    tiles = [(name, left(name), view_tile(manifest[name], layout)) for name in manifest.counts]
    inks = list(dict.fromkeys(tile.ink for _, _, tile in tiles))  # a title has its own, in its order
    panels = tuple(
        Panel("", f"{name} · {count} left", (tile,), dim=not count)
        for name, count, tile in sorted(tiles, key=lambda each: inks.index(each[2].ink))
    )
    words = ", ".join(f"{name} ({left(name)})" for name in manifest.counts)
    return Panels("Tiles left", f"Tiles left: {words}."[:MAX_ALT_CHARACTERS], panels, brands)


def list_legs(graph: Graph, nodes: Sequence[int], links: Sequence[int]) -> tuple[Leg, ...]:
    """Return the track of a run hex by hex, from its stops in order and the links between them."""
    return tuple(leg for here, link in zip(nodes, links, strict=False) for leg in _list_legs(graph, here, link))


def _list_legs(graph: Graph, here: int, link: int) -> Iterator[Leg]:
    way = graph.find_exit(here, link)
    coords = graph.links[link].coords
    coords = coords if graph.links[link].a == here else coords[::-1]
    end = STOP + graph.nodes[here].index
    for coord, (_, entry) in zip(coords, way.entries, strict=False):
        yield Leg(coord, end, opposite_side(entry))
        end = entry
    yield Leg(coords[-1], end, STOP + graph.nodes[way.to].index)


def view_numbered_map(board: Board, hexes: Sequence[str], title: str, show: Numbered) -> MapView:
    """Return the map with a number on each hex to choose; ``title`` asks what for."""
    choices = {hex_: str(number) for number, hex_ in enumerate(hexes, 1)}
    words = ", ".join(f"{number} {places.write_hex_for_list(board.map, hex_)}" for hex_, number in choices.items())
    seen = show((f"{title}: {words}.",), choices)
    return msgspec.structs.replace(seen, notes=(), asks=title, close=True)  # the menu says which number is where


def write_caption(lay: LayTile, left: int) -> str:
    """Return a tile as it would lie, and how many of it are left: "8 ↻2 · 3 left"."""
    return f"{lay.tile} ↻{lay.rotation} · {left} left"


def view_tile_choices(
    of: Map, hex_: str, shown: Iterable[tuple[str, tuple[HexView, ...]]], brands: tuple[Brand, ...]
) -> Panels:
    """Return the tiles for one hex with letters; ``shown`` are they in place, each with its caption."""
    title = f"Tiles for {places.write_hex_for_list(of, hex_)}"
    return add_letters(title, title, shown, brands)


def add_letters(
    title: str, told: str, choices: Iterable[tuple[str, tuple[HexView, ...]]], brands: tuple[Brand, ...]
) -> Panels:
    """Return choices beside one another with letters.

    Args:
        title: over them.
        told: what they are, for who cannot see them.
        choices: each with its caption and its hexes.
        brands: of the companies.
    """
    panels = tuple(Panel(letter, *choice) for letter, choice in zip(LETTERS, choices, strict=False))
    words = "; ".join(f"{panel.letter}: {panel.caption}" for panel in panels)
    return Panels(title, f"{told}. {words}."[:MAX_ALT_CHARACTERS], panels, brands)
