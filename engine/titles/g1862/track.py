"""Routes of a company for building: what it reaches, and which track it may lay (10, 11)."""

from collections.abc import Iterator
from functools import cached_property

from engine.errors import RuleError
from engine.rails.board import Board
from engine.rails.laying import check_phase, check_supply
from engine.rails.reach import Bases, Reach, reachable, stands, tokened_out
from engine.rails.tiles import SIDES
from engine.record import Record
from engine.titles.g1862 import fitting, geography
from engine.titles.g1862.geography import Sides, left
from engine.titles.g1862.rulebook import rule


class Builder(Record, frozen=True):
    """The company that builds.

    Args:
        waiting: hexes where its marker lies beside a full city and counts as connected (9.2).
        colours: tile colours of the phase.
        by_stations: each set of small stations has as many copies as its tile has (11.5).
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
        """The nodes of its markers; London's are no start (10.1)."""
        at = self.board.graph.node_at
        own = [at[place] for place in self.bases if stands(self.bases, place, self.builder.company)]
        return (*own, *(at[hex_, 0] for hex_ in self.builder.waiting))

    @cached_property
    def ends(self) -> int:
        """Where a route ends and never passes: full cities of others, ports and red areas (10.1)."""
        graph = self.board.graph
        full = tokened_out(graph, self.bases, self.builder.company)
        for node in self.starts:
            full &= ~(1 << node)
        return full | sum(1 << node.id for node in graph.nodes if node.kind == "offboard")

    @cached_property
    def reach(self) -> Reach:
        """All track and stations on routes of the company."""
        return reachable(self.board.graph, self.starts, self.ends)

    def reaches(self, hex_: str, index: int = 0) -> bool:
        """Tell whether a station is on a route of the company."""
        return bool(self.reach.nodes >> self.board.graph.node_at[hex_, index] & 1)

    @cached_property
    def reaches_london(self) -> bool:
        """Whether a route leads to London (11.6)."""
        nodes = self.board.graph.nodes
        return any(
            self.reach.nodes >> node.id & 1 and self.name_of(node.coord, node.index) == geography.LONDON
            for node in nodes
            if node.kind == "offboard"
        )

    def name_of(self, hex_: str, index: int) -> str:
        """Return the name of the port or red area of a stop."""
        return self.board.tile(hex_).stops[index].name


def connected(survey: TrackSurvey, fit: fitting.Fit) -> bool:
    """Tell whether some of the new tile's track, or its large station, is on a route of the company (11.2, 11.4).

    A side that no track ran to before can be come to from outside only.
    """
    spec = survey.board.spec(fit.coord)
    if fit.city and survey.reaches(fit.coord):
        return True
    return any(survey.reach.track & spec.sides[side] for side in fit.fresh)


def lays(survey: TrackSurvey) -> Iterator[fitting.Fit]:
    """Yield every tile that a company can lay by phase, supply, geometry and routes.

    A tile of which no copy is left is not offered, though it may be legal with other small stations on it: the
    upgrade after it might not find one (differences 62).
    """
    board = survey.board
    if not survey.starts:
        return
    for coord in board.map.hexes:
        for fit in fitting.fits(board, coord):
            if fit.colour in survey.builder.colours and connected(survey, fit) and left(board, fit.plain) > 0:
                yield fit


def check_lay(survey: TrackSurvey, coord: str, name: str, rotation: int) -> fitting.Fit:
    """Check a tile of a company on its turn.

    Raises:
        RuleError: the first rule that forbids it.

    Rule: 1862 11.2-11.4.
    """
    board, builder = survey.board, survey.builder
    fit = fitting.check_fit(board, coord, name, rotation)
    check_phase(fit.colour, builder.colours, rule("11.1"))
    there = left(board, name) > 0 or (builder.by_stations and _left_alike(board, fit.tile, rotation) > 0)
    check_supply(name, rule("11.2"), left=there)
    if not survey.starts:
        raise RuleError(f"{builder.company} has no station marker on the map to build from.", rule("10.1"))
    if not connected(survey, fit):
        what = "None of its track" if fit.colour == "yellow" else "Neither its new track nor its large station"
        raise RuleError(
            f"{what} would be on a route of {builder.company}: tile {name} on {board.spec(coord).called} is not "
            "reached from its markers without passing a full station.",
            rule("11.2" if fit.colour == "yellow" else "11.4"),
        )
    return fit


def _left_alike(board: Board, known: str, rotation: int) -> int:
    """Return how many copies of a tile would be left if only those with the same small stations counted."""
    plain = geography.plain_name(known)
    alike = (tile for tile in board.laid.values() if geography.plain_name(tile[0]) == plain)
    wanted = geography.shape(known, rotation)
    return board.map.manifest.counts[plain] - sum(1 for tile in alike if geography.shape(*tile) == wanted)


def station_lines(board: Board) -> Iterator[tuple[str, Sides]]:
    """Yield every line of a green or russet tile, anywhere, that has no small station yet (11.5)."""
    for coord, (name, rotation) in board.laid.items():
        if board.tile(coord).colour == "yellow":
            continue
        built = geography.stations(name, rotation)
        for line in geography.lines(name, rotation):
            if line not in built:
                yield coord, line


def turned_lines(board: Board) -> Iterator[tuple[str, Sides]]:
    """Yield lines that a tile has when it is turned, those with a small station where they are.

    A small station built there joins the other sides anew; no side is left without track by it, and none gets any.
    """
    for coord, (name, rotation) in board.laid.items():
        built, own = geography.stations(name, rotation), geography.lines(name, rotation)
        if board.tile(coord).colour != "yellow":
            turned = (geography.lines(name, turn) for turn in SIDES)
            found = {line for lines in turned if _keeps(own, built, lines) for line in lines}
            yield from ((coord, line) for line in sorted(found - {*own}))


def _keeps(own: tuple[Sides, ...], built: tuple[Sides, ...], turned: tuple[Sides, ...]) -> bool:
    """Tell whether a tile that is turned has the lines that are built on, and track to the same sides."""
    return set(built) <= set(turned) and _sides(own) == _sides(turned)


def _sides(lines: tuple[Sides, ...]) -> set[int]:
    return {side for line in lines for side in line}


def with_station(board: Board, coord: str, line: Sides) -> Board:
    """Return the board with one more small station; the tile is turned only if it must be."""
    name, rotation = board.laid[coord]
    built, own = (*geography.stations(name, rotation), line), geography.lines(name, rotation)
    turns = sorted(SIDES, key=lambda turn: turn != rotation)
    turn = next(turn for turn in turns if _keeps(own, built, geography.lines(name, turn)))
    return board.lay(coord, geography.with_stations(name, turn, built), turn)
