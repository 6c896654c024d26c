"""How far a company's trains get: the reach that an upgrade needs (Upgrading Track)."""

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from heapq import heappop, heappush

from engine.hex_view import StopKind
from engine.rails.board import Exit, Graph
from engine.rails.tiles import STOP, Tile
from engine.record import Record


class Fleet(Record, frozen=True):
    """The trains that count for upgrades, and how they count.

    Args:
        trains: (cities, towns) of each train.
        skip_towns: small stations may be passed uncounted; halts always may (Running Trains).
        re_enter: a run may come to a hex twice (Running Trains).
        apart: cities and towns are each measured by the way that has fewest (``ApartTrace``).
    """

    trains: tuple[tuple[int, int], ...]
    skip_towns: bool = True
    re_enter: bool = False
    apart: bool = False

    def can_get_onto(self, cities: int, towns: int) -> bool:
        """Return whether one of the trains gets onto track past so many cities and towns, measured apart."""
        return any(cities <= most and towns <= more for most, more in self.trains)

    def can_cover(self, cities: int, towns: int) -> bool:
        """Return whether one of the trains can count so many stops (Running Trains)."""
        return any(cities <= most and cities + towns <= most + more for most, more in self.trains)

    def find_cost(self, kind: StopKind) -> tuple[int, int]:
        """Return what passing a stop costs, in cities and in towns."""
        if kind in ("city", "offboard"):
            return 1, 0
        return (0, 1) if kind == "town" and not self.skip_towns else (0, 0)


class Arrival(Record, frozen=True):
    """A train comes to a side of a hex, having counted so many stops."""

    side: int
    cities: int
    towns: int


class Origin(Record, frozen=True):
    """Where trains come from.

    Args:
        graph: the track.
        starts: nodes of the company's bases.
        blocked: bits of tokened-out cities: an end, never passed.
        fleet: the trains.
    """

    graph: Graph
    starts: tuple[int, ...]
    blocked: int
    fleet: Fleet


class Trace:
    """Where trains can come from the bases of a company; worked out once for a board."""

    def __init__(self, origin: Origin) -> None:
        self._from = origin
        self._hampering = 0 if origin.fleet.re_enter else _find_hexes_of_two_lines(origin.graph)
        self._arrivals, self._turned_away = self._search(avoid=0)

    def list_arrivals(self, index: int) -> tuple[Arrival, ...]:
        """Return the cheapest ways to come to a hex from outside without having been there."""
        if self._turned_away >> index & 1:
            # Some train came back to this hex and was refused; a longer way round may do.
            return tuple(self._search(avoid=1 << index)[0].get(index, ()))
        return tuple(self._arrivals.get(index, ()))

    def _search(self, avoid: int) -> tuple[dict[int, list[Arrival]], int]:
        """Return arrivals by hex, and the bits of hexes that a way wanted to enter twice.

        Ways are sorted by the stops counted. One is dropped when another came
        by the same link for no more, and is no more hampered by hexes visited;
        only hexes with two separate lines can hamper, as a second visit to a
        stop is a detour.
        """
        found: dict[int, list[Arrival]] = {}
        turned_away = 0
        best: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        heads: list[tuple[int, int, int, int, int]] = []
        for start in self._from.starts:
            if not self._from.graph.nodes[start].hex & avoid:
                heappush(heads, (1, 0, start, 0, self._from.graph.nodes[start].hex))
        while heads:
            cities, towns, node, by, hexes = heappop(heads)
            for way in (*self._from.graph.exits[node], *self._from.graph.open_ends[node]):
                if way.mask & by:
                    continue
                refused = self._travel(way, Arrival(-1, cities, towns), hexes, found)
                turned_away |= refused
                if refused or way.to < 0 or way.entered & avoid:
                    continue
                counted = self._from.fleet.find_cost(self._from.graph.nodes[way.to].kind)
                spent = (cities + counted[0], towns + counted[1])
                label = (*spent, (hexes | way.entered) & self._hampering)
                others = best.setdefault((way.to, way.mask), [])
                beaten = any(c <= label[0] and t <= label[1] and not mask & ~label[2] for c, t, mask in others)
                if beaten or not self._from.fleet.can_cover(*spent):
                    continue
                others.append(label)
                if not self._from.blocked >> way.to & 1:
                    heappush(heads, (*spent, way.to, way.mask, hexes | way.entered))
        return found, turned_away

    def _travel(self, way: Exit, spent: Arrival, hexes: int, found: dict[int, list[Arrival]]) -> int:
        """Note the arrivals along a way; return the bit of the hex that refuses it, or 0."""
        for index, side in way.entries:
            if hexes >> index & 1 and not self._from.fleet.re_enter:
                return 1 << index
            hexes |= 1 << index
            known = found.setdefault(index, [])
            if not any(a.side == side and a.cities <= spent.cities and a.towns <= spent.towns for a in known):
                known.append(Arrival(side, spent.cities, spent.towns))
        return 0


def _find_hexes_of_two_lines(graph: Graph) -> int:
    """Return the bits of hexes where a train can come again on other track: two stops, or lines that do not meet."""
    seen = again = 0
    for node in graph.nodes:
        again |= seen & node.hex
        seen |= node.hex
    for link in graph.links:
        inside = link.hexes & ~graph.nodes[link.a].hex & ~graph.nodes[link.b].hex
        again |= seen & inside
        seen |= inside
        if link.again:
            again |= link.hexes
    for ways in graph.open_ends:
        for way in ways:
            again |= seen & way.entered
            seen |= way.entered
    return again


Used = tuple[frozenset[tuple[int, int]], frozenset[int]]
"""The pieces of track that trains get onto, and the stops that they can count."""


def find_usable(
    tile: Tile, arrivals: Iterable[Arrival], bases: Iterable[int], blocked: Collection[int], fleet: Fleet
) -> Used:
    """Find what trains can use on one tile.

    Args:
        tile: as it would lie.
        arrivals: how trains come to its sides.
        bases: its stops from which trains may set out.
        blocked: its stops that may be an end and not be passed.
        fleet: the trains.
    """
    walk = _Walk(tile, blocked, fleet)
    for stop in bases:
        walk.call(stop, 0, 0, ())
    for arrival in arrivals:
        walk.go(arrival.side, arrival.cities, arrival.towns, ())
    return frozenset(walk.pieces), frozenset(walk.stops)


class _Walk:
    """Ways over one tile; no stop comes twice on a way."""

    def __init__(self, tile: Tile, blocked: Collection[int], fleet: Fleet) -> None:
        self._tile = tile
        self._blocked = blocked
        self._fleet = fleet
        self.pieces: set[tuple[int, int]] = set()
        self.stops: set[int] = set()

    def call(self, stop: int, cities: int, towns: int, before: tuple[int, ...]) -> bool:
        """Call at a stop and go on from there; false when no train can count it."""
        more = self._fleet.find_cost(self._tile.stops[stop].kind)
        cities, towns = cities + more[0], towns + more[1]
        if not self._fleet.can_cover(cities, towns):
            return False
        self.stops.add(stop)
        if stop not in self._blocked:
            self.go(STOP + stop, cities, towns, (*before, stop))
        return True

    def go(self, end: int, cities: int, towns: int, before: tuple[int, ...]) -> None:
        """Follow all track from one end."""
        for other in self._tile.joins[end]:
            stop = other - STOP
            if stop in before:
                continue
            if stop < 0 or self.call(stop, cities, towns, before):
                self.pieces.add((min(end, other), max(end, other)))


Count = tuple[int, int]
"""Cities and towns."""


class ApartTrace:
    """Where trains can come from the bases of a company, however long they are; worked out once for a board."""

    def __init__(self, origin: Origin) -> None:
        self._from = origin
        self._across: dict[int, bool] = {}

    def list_arrivals(self, index: int) -> tuple[Arrival, ...]:
        """Return for each side of a hex that track leads to the fewest cities, and the fewest towns."""
        return tuple(Arrival(side, *fewest) for (at, side), fewest in self._arrivals.items() if at == index)

    def is_shorter_across(self, index: int) -> bool:
        """Return whether a way that crosses a hex before it comes to it is the shortest in either figure."""
        if index not in self._across:
            clear = self._find_fewest(avoid=1 << index)
            here = (entry for entry in self._arrivals if entry[0] == index)
            self._across[index] = any(clear.get(entry) != self._arrivals[entry] for entry in here)
        return self._across[index]

    @cached_property
    def _arrivals(self) -> dict[tuple[int, int], Count]:
        return self._find_fewest(avoid=0)

    def _find_fewest(self, avoid: int) -> dict[tuple[int, int], Count]:
        cities, towns = (
            self._find_nearest(lambda count: count[0], avoid),
            self._find_nearest(lambda count: count[1], avoid),
        )
        return {entry: (cities[entry], towns[entry]) for entry in cities}

    def _find_nearest(self, figure: Callable[[Count], int], avoid: int) -> dict[tuple[int, int], int]:
        """Return the least of one figure with which each side is come to, by ways that pass no hex to avoid."""
        graph = self._from.graph
        cost = [figure(self._from.fleet.find_cost(node.kind)) for node in graph.nodes]
        found: dict[tuple[int, int], int] = {}
        done: set[int] = set()
        heads = [(cost[start], start) for start in sorted(self._from.starts) if not graph.nodes[start].hex & avoid]
        while heads:
            spent, node = heappop(heads)
            if node in done:
                continue
            done.add(node)
            for way in (*graph.exits[node], *graph.open_ends[node]):
                for entry in way.entries:
                    found.setdefault(entry, spent)
                    if avoid >> entry[0] & 1:
                        break
                if way.to >= 0 and not (self._from.blocked >> way.to & 1 or way.entered & avoid):
                    heappush(heads, (spent + cost[way.to], way.to))
        return found


def find_usable_apart(
    tile: Tile, arrivals: Iterable[Arrival], bases: Iterable[int], blocked: Collection[int], fleet: Fleet
) -> Used:
    """Find what trains can use on one tile; see ``find_usable``."""
    ways = _Ways(tile, blocked, fleet)
    for arrival in arrivals:
        ways.come(arrival.side, (arrival.cities, arrival.towns))
    for stop in bases:
        ways.come(STOP + stop, (0, 0))
    pieces = [(min(end, other), max(end, other)) for end in ways.fewest for other in tile.joins[end]]
    return frozenset(filter(ways.can_get_onto, pieces)), frozenset(filter(ways.can_count, ways.stops))


class _Ways:
    """The fewest cities and the fewest towns with which each end of track on one tile is come to."""

    def __init__(self, tile: Tile, blocked: Collection[int], fleet: Fleet) -> None:
        self._tile = tile
        self._blocked = blocked
        self._fleet = fleet
        self.fewest: dict[int, Count] = {}

    @property
    def stops(self) -> list[int]:
        """The stops come to."""
        return [end - STOP for end in self.fewest if end >= STOP]

    def come(self, end: int, spent: Count) -> None:
        """Come to a side or a stop, and go on from there where that makes a figure less."""
        known = self.fewest.get(end, spent)
        less = min(known[0], spent[0]), min(known[1], spent[1])
        if self.fewest.get(end) == less:
            return
        self.fewest[end] = less
        gone = self._count_after(end)
        if gone is not None:
            for other in self._tile.joins[end]:
                if other >= STOP:
                    self.come(other, gone)

    def _count_after(self, end: int) -> Count | None:
        """Return what is counted after an end, ``None`` where no way goes on from it."""
        stop = end - STOP
        if stop < 0 or end not in self.fewest:
            return self.fewest.get(end)
        return None if stop in self._blocked else self._count_with(stop)

    def _count_with(self, stop: int) -> Count:
        more, spent = self._fleet.find_cost(self._tile.stops[stop].kind), self.fewest[STOP + stop]
        return spent[0] + more[0], spent[1] + more[1]

    def can_count(self, stop: int) -> bool:
        """Return whether a train can count a stop."""
        return self._fleet.can_cover(*self._count_with(stop))

    def can_get_onto(self, piece: tuple[int, int]) -> bool:
        """Return whether a train gets onto a piece of track, from either end."""
        gone = [spent for spent in map(self._count_after, piece) if spent is not None]
        return bool(gone) and self._fleet.can_get_onto(min(one[0] for one in gone), min(one[1] for one in gone))
