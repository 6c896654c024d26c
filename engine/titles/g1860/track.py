"""Laying and upgrading track in 1860.

``check_*`` raise a RuleError or return the ``Lay`` that is to be applied;
``list_lays`` yields each lay that ``check_lay`` accepts. What a turn allows (two
yellow tiles without a city) is kept by the step that asks.
"""

from collections.abc import Iterator
from functools import cached_property

from engine.errors import RuleError
from engine.hex_view import Token
from engine.rails.board import Board
from engine.rails.laying import check_phase, check_supply
from engine.rails.reach import Bases, Place, Reach, find_base_nodes, find_full_cities, find_reach
from engine.rails.tiles import STOP, Tile
from engine.record import Record
from engine.titles.g1860 import trace
from engine.titles.g1860.catalogue import COLOURS, rule
from engine.titles.g1860.fitting import Fit, check_fit, list_fits
from engine.titles.g1860.trace import Fleet, Origin, Trace, Used, find_usable


class Builder(Record, frozen=True):
    """A company that builds.

    Args:
        company: its code.
        colours: tile colours that may be laid in this phase.
        fleet: the trains it owns; a leased train does not count (Upgrading Track).
        raises_station: an upgrade without new track makes a station dearer that a train can use; see ``Rules``.
        cash: company credits it can spend; ``None`` asks no price.
        insolvent: it may neither upgrade nor spend (Insolvency).
        unseen: companies whose bases close no way for it (differences 80).
    """

    company: str
    colours: tuple[str, ...]
    fleet: Fleet = Fleet(())
    cash: int | None = None
    insolvent: bool = False
    unseen: tuple[str, ...] = ()
    raises_station: bool = True


class Lay(Record, frozen=True):
    """A legal lay, and what it does.

    Args:
        cost: of difficult terrain, in company credits (Special rules for tile placement).
        upgrade: it replaces a tile or a printed yellow town; city: the tile has a city (Laying Track).
        stops: for each old stop, which stop of the tile it becomes; bases move along.
    """

    coord: str
    tile: str
    rotation: int
    cost: int = 0
    upgrade: bool = False
    city: bool = False
    stops: tuple[int, ...] = ()


class TrackSurvey:
    """What one company can reach on one board; worked out once, when asked for.

    Args:
        board: the tiles as they lie.
        bases: who stands where, flipped bases too.
        builder: the company.
    """

    def __init__(self, board: Board, bases: Bases, builder: Builder) -> None:
        self.board = board
        self.bases = bases
        self.builder = builder

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The nodes of its bases."""
        return find_base_nodes(self.board.graph, self.bases, self.builder.company)

    @cached_property
    def blocked(self) -> int:
        """The cities that are tokened-out for it; bases of bankrupt companies block too (Laying Track)."""
        return find_full_cities(self.board.graph, self._seen_bases, self.builder.company)

    @property
    def _seen_bases(self) -> Bases:
        unseen = self.builder.unseen
        if not unseen:
            return self.bases
        return {
            place: tuple(token for token in tokens if token.company not in unseen)
            for place, tokens in self.bases.items()
        }

    @cached_property
    def reach(self) -> Reach:
        """The qualifying track: reached from its bases by any length (Laying Track)."""
        return find_reach(self.board.graph, self.starts, self.blocked)

    @cached_property
    def trace(self) -> Trace | trace.ApartTrace:
        """Where its trains get (Upgrading Track)."""
        search = trace.ApartTrace if self.builder.fleet.apart else Trace
        return search(Origin(self.board.graph, tuple(self.starts), self.blocked, self.builder.fleet))

    def survey_after(self, fit: Fit) -> "TrackSurvey":
        """Return what the company can reach with a tile laid."""
        bases: dict[Place, tuple[Token, ...]] = {}
        for old, tokens in self.bases.items():
            place = find_base_after_lay(old, fit)
            bases[place] = (*bases.get(place, ()), *tokens)
        return TrackSurvey(self.board.with_tile(fit.coord, fit.tile, fit.rotation), bases, self.builder)


def has_city(tile: Tile) -> bool:
    """Return whether a tile is a city tile, the only tile of a turn (Laying Track)."""
    return tile.has_stop("city")


def find_base_after_lay(place: Place, laid: Lay | Fit) -> Place:
    """Return where a base stands after a lay: in the equivalent place (Upgrading Track)."""
    coord, index = place
    return (coord, laid.stops[index]) if coord == laid.coord else place


def list_home_lays(board: Board, home: str) -> Iterator[Lay]:
    """Yield each yellow tile that a director may lay on an empty home hex: geometry only."""
    if board.tile(home).colour == "plain":
        for fit in list_fits(board, home):
            if board.count_left(fit.tile):
                yield _make_lay(board, fit)


def check_home_lay(board: Board, home: str, lay: tuple[str, str, int]) -> Lay:
    """Check the tile a director lays on the home hex when the company floats; none of these has terrain to pay for.

    Args:
        board: the tiles as they lie.
        home: the home hex.
        lay: hex, tile and rotation.

    Raises:
        RuleError: another hex, or a tile that does not fit or is not left.

    Rule: 1860, Flotation & Capitalisation.
    """
    coord, name, rotation = lay
    if coord != home:
        raise RuleError(
            f"The home tile goes on {board.spec(home).full_name}, the home of the company that floated, not on "
            f"{coord[:20]}.",
            rule("Flotation & Capitalisation"),
        )
    if board.tile(home).colour != "plain":
        raise RuleError(
            f"{board.spec(home).full_name} already has track, so no home tile is laid; pass.",
            rule("Flotation & Capitalisation"),
        )
    fit = check_fit(board, coord, name, rotation)
    check_supply(name, rule("Components"), left=bool(board.count_left(name)))
    return _make_lay(board, fit)


def list_lays(survey: TrackSurvey) -> Iterator[Lay]:
    """Yield every legal lay and upgrade of a company.

    Rule: 1860, Track Tiles; Laying Track; Special rules for tile placement; Upgrading Track; Insolvency.
    """
    board, builder = survey.board, survey.builder
    if not survey.starts:
        return
    for coord, spec in board.map.hexes.items():
        upgrade = board.tile(coord).colour != "plain"
        if upgrade and (builder.insolvent or not builder.fleet.trains):
            continue
        if not upgrade and not _can_afford(builder, spec.cost):
            continue
        for fit in list_fits(board, coord):
            tile = board.map.manifest[fit.tile]
            if tile.colour not in builder.colours or not board.count_left(fit.tile):
                continue
            if _is_useful(survey, fit) if upgrade else _is_connected(survey, fit):
                yield _make_lay(board, fit)


def check_lay(survey: TrackSurvey, coord: str, name: str, rotation: int) -> Lay:
    """Check a lay or an upgrade of a company on its turn.

    Raises:
        RuleError: the first rule that forbids it.

    Rule: 1860, Track Tiles; Laying Track; Special rules for tile placement; Upgrading Track; Insolvency.
    """
    board, builder = survey.board, survey.builder
    fit = check_fit(board, coord, name, rotation)
    check_phase(board.map.manifest[name].colour, builder.colours, COLOURS, rule("Upgrading Track"))
    check_supply(name, rule("Components"), left=bool(board.count_left(name)))
    if not survey.starts:
        raise RuleError(f"{builder.company} has no base on the map to build from.", rule("Laying Track"))
    lay = _make_lay(board, fit)
    if lay.upgrade:
        _check_upgrade(survey, fit)
    else:
        _check_yellow(survey, fit, lay.cost)
    return lay


def _make_lay(board: Board, fit: Fit) -> Lay:
    upgrade = board.tile(fit.coord).colour != "plain"
    cost = 0 if upgrade else board.spec(fit.coord).cost
    city = has_city(board.map.manifest[fit.tile])
    return Lay(fit.coord, fit.tile, fit.rotation, cost, upgrade, city, fit.stops)


def _can_afford(builder: Builder, cost: int) -> bool:
    return not cost or (not builder.insolvent and (builder.cash is None or builder.cash >= cost))


def _is_connected(survey: TrackSurvey, fit: Fit) -> bool:
    """Return whether a first tile joins track that the company reaches, or its own base (Laying Track)."""
    own_base = any(survey.board.graph.nodes[start].coord == fit.coord for start in survey.starts)
    return bool(fit.sides & survey.reach.track) or own_base


def _check_yellow(survey: TrackSurvey, fit: Fit, cost: int) -> None:
    builder, place = survey.builder, survey.board.spec(fit.coord).full_name
    if cost and builder.insolvent:
        raise RuleError(
            f"{builder.company} is insolvent, so it can't lay a tile on {place}, which costs {cost:,}cc.",
            rule("Insolvency"),
        )
    if not _can_afford(builder, cost):
        raise RuleError(
            f"A tile on {place} costs {cost:,}cc; {builder.company} has {builder.cash:,}cc.",
            rule("Special rules for tile placement"),
        )
    if _is_connected(survey, fit):
        return
    spec = survey.board.spec(fit.coord)
    if survey.reach.track & spec.side_bits(spec.open):
        why = f"tile {fit.tile} with rotation {fit.rotation} doesn't meet the track that leads there from its bases"
    else:
        why = "no track leads there from its bases without passing a tokened-out city"
    raise RuleError(f"{builder.company} can't build on {place}: {why}.", rule("Laying Track"))


def _find_used_track(survey: TrackSurvey, fit: Fit) -> Used:
    """Return the pieces and stops of the new tile that the company's trains can use (Upgrading Track).

    Where a way may come to the hex twice, it comes over the new tile, not over the old one.
    """
    tile = survey.board.map.manifest.find_turned(fit.tile, fit.rotation)
    if survey.builder.fleet.re_enter and _comes_twice(survey, fit, tile):
        return _find_used_on(survey.survey_after(fit), fit.coord, tile, tuple(range(len(tile.stops))))
    return _find_used_on(survey, fit.coord, tile, fit.stops)


def _comes_twice(survey: TrackSurvey, fit: Fit, tile: Tile) -> bool:
    """Return whether a way to a tile may gain by crossing it before; else the board with the tile is not needed."""
    spec, trace = survey.board.spec(fit.coord), survey.trace
    if isinstance(trace, Trace) or trace.is_shorter_across(spec.index):
        return True
    if all(STOP in piece for piece in tile.pieces):  # where all track meets at its one stop there is no detour
        return False
    return bool(fit.sides & ~spec.side_bits(survey.board.tile(fit.coord).sides) & survey.reach.track)


def _find_used_on(survey: TrackSurvey, coord: str, tile: Tile, stops: tuple[int, ...]) -> Used:
    """Return what trains can use of a tile on a hex; ``stops`` tells which stop each that is there now becomes."""
    board, company = survey.board, survey.builder.company
    own, blocked = [], []
    for old, new in enumerate(stops):
        tokens = survey.bases.get((coord, old), ())
        if any(token.company == company for token in tokens):
            own.append(new)
        elif tokens and len(tokens) >= tile.stops[new].slots:
            blocked.append(new)
    arrivals = survey.trace.list_arrivals(board.spec(coord).index)
    fleet = survey.builder.fleet
    return (trace.find_usable_apart if fleet.apart else find_usable)(tile, arrivals, own, blocked, fleet)


def _is_useful(survey: TrackSurvey, fit: Fit) -> bool:
    used = pieces, stops = _find_used_track(survey, fit)
    return _is_reached(survey, fit, used) and (not pieces.isdisjoint(fit.fresh) or _makes_dearer(survey, fit, stops))


def _is_reached(survey: TrackSurvey, fit: Fit, used: Used) -> bool:
    """Return whether trains get to a tile (Upgrading Track)."""
    pieces, stops = used
    if survey.builder.fleet.apart and survey.board.map.manifest[fit.tile].stops:
        return bool(stops)
    return bool(pieces or stops)


def _makes_dearer(survey: TrackSurvey, fit: Fit, stops: frozenset[int]) -> bool:
    """Return whether an upgrade makes a station dearer, of those that trains can use (Upgrading Track).

    Or whether those that they can use have other values than before, for which
    a station that only now comes into reach will do (differences 85).
    """
    if survey.builder.raises_station:
        return not stops.isdisjoint(fit.raised)
    before = survey.board.tile(fit.coord)
    tile = survey.board.map.manifest.find_turned(fit.tile, fit.rotation)
    _, old = _find_used_on(survey, fit.coord, before, tuple(range(len(before.stops))))
    return _list_values(before, old) != _list_values(tile, stops)


def _list_values(tile: Tile, stops: frozenset[int]) -> list[int]:
    return sorted(tile.stops[stop].value or 0 for stop in stops)


def _check_upgrade(survey: TrackSurvey, fit: Fit) -> None:
    builder, place = survey.builder, survey.board.spec(fit.coord).full_name
    if builder.insolvent:
        raise RuleError(f"{builder.company} is insolvent, so it can't upgrade tiles.", rule("Insolvency"))
    if not builder.fleet.trains:
        raise RuleError(
            f"{builder.company} has no train, and only a company with a train can upgrade tiles.",
            rule("Upgrading Track"),
        )
    used = pieces, stops = _find_used_track(survey, fit)
    if not _is_reached(survey, fit, used):
        trains = ", ".join(f"{cities}+{towns}" for cities, towns in builder.fleet.trains)
        raise RuleError(
            f"No train of {builder.company} ({trains}) reaches {place} from its bases without passing a "
            "tokened-out city.",
            rule("Upgrading Track"),
        )
    if pieces.isdisjoint(fit.fresh) and not _makes_dearer(survey, fit, stops):
        raise RuleError(
            f"Tile {fit.tile} with rotation {fit.rotation} gives the trains of {builder.company} neither new track "
            f"nor a more valuable station on {place}.",
            rule("Upgrading Track"),
        )
