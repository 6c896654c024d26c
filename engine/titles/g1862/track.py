"""Track of 1862: which tile fits which hex, and what a company can reach and build (§7.4, §7.6)."""

from collections.abc import Iterator
from functools import cached_property, lru_cache

from engine.errors import RuleError
from engine.rails.board import Board
from engine.rails.laying import (
    check_borders,
    check_colour,
    check_hex_and_tile,
    check_phase,
    check_supply,
    find_fitting_tiles,
    list_upgrades,
    renumber_track,
)
from engine.rails.maps import HexSpec, Map
from engine.rails.reach import Bases, Reach, find_full_cities, find_reach, has_base_in_city
from engine.rails.tiles import SIDES, Tile
from engine.record import Record
from engine.titles.g1862 import catalogue
from engine.titles.g1862.catalogue import COLOURS, Sides, count_left, rule

OWN_RUSSET = {"F11": "Ipswich", "F13": "Harwich"}
"""Hexes with a russet tile of their own (§7.6.1)."""


class Fit(Record, frozen=True):
    """A tile in a rotation that fits a hex.

    Args:
        tile: as known on the board, with the small stations that stay; plain: the number on it.
        fresh: sides that no track ran to before; city: it has a large station.
    """

    coord: str
    tile: str
    rotation: int
    plain: str
    colour: str
    fresh: tuple[int, ...]
    city: bool


def list_fits(board: Board, coord: str) -> tuple[Fit, ...]:
    """Return every tile of the next colour, in every rotation, that fits a hex; supply is not asked."""
    return _list_fits(board.map, coord, board.laid.get(coord))


@lru_cache(maxsize=4096)
def _list_fits(of: Map, coord: str, lying: tuple[str, int] | None) -> tuple[Fit, ...]:
    spec = of.hexes[coord]
    before = of.manifest.find_turned(*lying) if lying else spec.printed
    plain = (name for name in list_upgrades(of, spec, before) if name == catalogue.find_plain_name(name))
    return find_fitting_tiles(plain, lambda name, rotation: _check_tile(of, spec, lying, name, rotation))


def list_tiles_with_fitting_sides(board: Board, coord: str) -> tuple[str, ...]:
    """Return the tiles of the next colour and the right letter whose sides fit a hex in some rotation.

    No more may be asked when a home marker needs room; see ``homes.can_grow``.
    """
    spec, before = board.spec(coord), board.tile(coord)
    letters = {spec.letter, OWN_RUSSET.get(coord)}
    found = []
    for name in list_upgrades(board.map, spec, before):
        tiles = [board.map.manifest.find_turned(name, rotation) for rotation in SIDES]
        fits = any(not before.sides & ~tile.sides and not tile.sides & ~spec.open for tile in tiles)
        if name == catalogue.find_plain_name(name) and tiles[0].letter in letters and fits:
            found.append(name)
    return tuple(found)


def check_fit(board: Board, coord: str, name: str, rotation: int) -> Fit:
    """Check that a tile fits a hex in a rotation; neither supply nor phase is asked.

    Raises:
        RuleError: there is no such hex or tile, or it does not fit.

    Rule: 1862 §7.6.1, §7.6.2, §7.6.3.
    """
    check_hex_and_tile(board, coord, name, rotation, rule("7.6.1"), rule("7.6.1"))
    return _check_tile(board.map, board.spec(coord), board.laid.get(coord), name, rotation)


def _check_tile(of: Map, spec: HexSpec, lying: tuple[str, int] | None, name: str, rotation: int) -> Fit:
    before = of.manifest.find_turned(*lying) if lying else spec.printed
    tile = of.manifest.find_turned(name, rotation)
    check_colour(of, spec, before, tile, rule("7.6.1"), rule("7.6.3"))
    _check_kind(spec, before, tile)
    check_borders(spec, tile, rotation, "sea without a port, or off the map", rule("7.6.1"))
    if not _keeps_track(lying, before, tile, (name, rotation)):
        raise RuleError(f"Tile {name} in this rotation doesn't keep the track on {spec.full_name}.", rule("7.6.3"))
    built = catalogue.list_stations(*lying) if lying and not before.has_stop("city") else ()
    fresh = tuple(side for side in SIDES if tile.sides & ~before.sides & 1 << side)
    known = catalogue.find_tile_name(name, rotation, built) if built else name
    return Fit(spec.coord, known, rotation, name, tile.colour, fresh, tile.has_stop("city"))


def _keeps_track(lying: tuple[str, int] | None, before: Tile, tile: Tile, new: tuple[str, int]) -> bool:
    """Return whether all old track is on the new tile: lines between the same sides, sides of a city (§7.6.3)."""
    if lying is None:
        return True
    if before.has_stop("city"):
        return renumber_track(before, (0,)) <= tile.pieces
    return set(catalogue.list_lines(*lying)) <= set(catalogue.list_lines(*new))


def _check_kind(spec: HexSpec, before: Tile, tile: Tile) -> None:
    """Refuse a tile for the other size of station, or without the letter of the hex."""
    large = spec.printed.has_stop("city")
    if tile.has_stop("city") != large:
        what = "a large station" if large else "small stations"
        raise RuleError(f"Tile {tile.name} doesn't fit {spec.full_name}, which has {what}.", rule("7.6.1"))
    letter = spec.letter
    if before.colour == "green":
        letter = OWN_RUSSET.get(spec.coord, letter)
    if tile.letter != letter:
        needs = f"needs a tile with the letter {letter}" if letter else "takes only tiles without a letter"
        raise RuleError(f"Tile {tile.name} doesn't fit {spec.full_name}, which {needs}.", rule("7.6.1"))


class Builder(Record, frozen=True):
    """The company that builds.

    Args:
        waiting: hexes where its marker lies beside a full city and counts as connected (§7.2).
        colours: tile colours of the phase.
        by_stations: each set of small stations has as many copies as its tile has (§7.6.4).
    """

    company: str
    waiting: tuple[str, ...]
    colours: tuple[str, ...]
    by_stations: bool


class TrackSurvey:
    """What one company can reach on one board; worked out once, when asked for.

    Args:
        board: the tiles as they lie.
        bases: who stands where.
        builder: the company.
    """

    def __init__(self, board: Board, bases: Bases, builder: Builder) -> None:
        self.board = board
        self.bases = bases
        self.builder = builder

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The nodes of its markers; London's are no start (§7.4)."""
        at = self.board.graph.node_at
        own = [at[place] for place in self.bases if has_base_in_city(self.bases, place, self.builder.company)]
        return (*own, *(at[hex_, 0] for hex_ in self.builder.waiting))

    @cached_property
    def ends(self) -> int:
        """Where a route ends and never passes: full cities of others, ports and red areas (§7.4)."""
        graph = self.board.graph
        full = find_full_cities(graph, self.bases, self.builder.company)
        for node in self.starts:
            full &= ~(1 << node)
        return full | sum(1 << node.id for node in graph.nodes if node.kind == "offboard")

    @cached_property
    def reach(self) -> Reach:
        """All track and stations on routes of the company."""
        return find_reach(self.board.graph, self.starts, self.ends)

    def reaches(self, hex_: str, index: int = 0) -> bool:
        """Return whether a station is on a route of the company."""
        return bool(self.reach.nodes >> self.board.graph.node_at[hex_, index] & 1)

    @cached_property
    def reaches_london(self) -> bool:
        """Whether a route leads to London (§7.6.5)."""
        nodes = self.board.graph.nodes
        return any(
            self.reach.nodes >> node.id & 1 and self.find_area_name(node.coord, node.index) == catalogue.LONDON
            for node in nodes
            if node.kind == "offboard"
        )

    def find_area_name(self, hex_: str, index: int) -> str:
        """Return the name of the port or red area of a stop."""
        return self.board.tile(hex_).stops[index].name


def is_connected(survey: TrackSurvey, fit: Fit) -> bool:
    """Return whether some of the new tile's track, or its large station, is on a route of the company (§7.6.1, §7.6.3).

    A side that no track ran to before can be come to from outside only.
    """
    spec = survey.board.spec(fit.coord)
    if fit.city and survey.reaches(fit.coord):
        return True
    return any(survey.reach.track & spec.sides[side] for side in fit.fresh)


def list_lays(survey: TrackSurvey) -> Iterator[Fit]:
    """Yield every tile that a company can lay by phase, supply, geometry and routes.

    A tile of which no copy is left is not offered, though it may be legal with other small stations on it: the
    upgrade after it might not find one (differences 62).
    """
    board = survey.board
    if not survey.starts:
        return
    for coord in board.map.hexes:
        for fit in list_fits(board, coord):
            if fit.colour in survey.builder.colours and is_connected(survey, fit) and count_left(board, fit.plain) > 0:
                yield fit


def check_lay(survey: TrackSurvey, coord: str, name: str, rotation: int) -> Fit:
    """Check a tile of a company on its turn.

    Raises:
        RuleError: the first rule that forbids it.

    Rule: 1862 §7.6.1, §7.6.2, §7.6.3.
    """
    board, builder = survey.board, survey.builder
    fit = check_fit(board, coord, name, rotation)
    check_phase(fit.colour, builder.colours, COLOURS, rule("7.6.3"))
    there = count_left(board, name) > 0 or (builder.by_stations and _count_left_alike(board, fit.tile, rotation) > 0)
    check_supply(name, rule("2.4"), left=there)
    if not survey.starts:
        raise RuleError(f"{builder.company} has no station marker on the map to build from.", rule("7.4"))
    if not is_connected(survey, fit):
        what = "track" if fit.colour == "yellow" else "new track or the large station"
        raise RuleError(
            f"No route of {builder.company} would use the {what} on {board.spec(coord).full_name}: its markers don't "
            "reach it without passing a full station.",
            rule("7.6.1" if fit.colour == "yellow" else "7.6.3"),
        )
    return fit


def _count_left_alike(board: Board, known: str, rotation: int) -> int:
    """Return how many copies of a tile would be left if only those with the same small stations counted."""
    plain = catalogue.find_plain_name(known)
    alike = (tile for tile in board.laid.values() if catalogue.find_plain_name(tile[0]) == plain)
    wanted = catalogue.find_shape(known, rotation)
    return board.map.manifest.counts[plain] - sum(1 for tile in alike if catalogue.find_shape(*tile) == wanted)


def list_station_lines(board: Board) -> Iterator[tuple[str, Sides]]:
    """Yield every line of a green or russet tile, anywhere, that has no small station yet (§7.6.4)."""
    for coord, (name, rotation) in board.laid.items():
        if board.tile(coord).colour == "yellow":
            continue
        built = catalogue.list_stations(name, rotation)
        for line in catalogue.list_lines(name, rotation):
            if line not in built:
                yield coord, line


def list_turned_lines(board: Board) -> Iterator[tuple[str, Sides]]:
    """Yield lines that a tile has when it is turned, those with a small station where they are.

    A small station built there joins the other sides again; no side is left without track by it, and none gets any.
    """
    for coord, (name, rotation) in board.laid.items():
        built, own = catalogue.list_stations(name, rotation), catalogue.list_lines(name, rotation)
        if board.tile(coord).colour != "yellow":
            turned = (catalogue.list_lines(name, turn) for turn in SIDES)
            found = {line for lines in turned if _keeps_lines(own, built, lines) for line in lines}
            yield from ((coord, line) for line in sorted(found - {*own}))


def _keeps_lines(own: tuple[Sides, ...], built: tuple[Sides, ...], turned: tuple[Sides, ...]) -> bool:
    """Return whether a tile that is turned has the lines that are built on, and track to the same sides."""
    return set(built) <= set(turned) and _find_sides(own) == _find_sides(turned)


def _find_sides(lines: tuple[Sides, ...]) -> set[int]:
    return {side for line in lines for side in line}


def add_station(board: Board, coord: str, line: Sides) -> Board:
    """Return the board with one more small station; the tile is turned only if it must be."""
    name, rotation = board.laid[coord]
    built, own = (*catalogue.list_stations(name, rotation), line), catalogue.list_lines(name, rotation)
    turns = sorted(SIDES, key=lambda turn: turn != rotation)
    turn = next(turn for turn in turns if _keeps_lines(own, built, catalogue.list_lines(name, turn)))
    return board.with_tile(coord, catalogue.find_tile_name(name, turn, built), turn)
