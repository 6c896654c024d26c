"""How far a company's trains get where cities and towns are each counted by the way that has fewest.

No way need have both figures (differences 70), and a way may come twice to a hex (24).
"""

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from heapq import heappop, heappush

from engine.rails.tiles import STOP, Tile
from engine.titles.g1860.trace import Arrival, Fleet, Origin, Used

Count = tuple[int, int]
"""Cities and towns."""


class ApartTrace:
    """Where trains can come from the bases of a company, however long they are; worked out once for a board."""

    def __init__(self, origin: Origin) -> None:
        self._from = origin
        self._across: dict[int, bool] = {}

    def arrivals(self, index: int) -> tuple[Arrival, ...]:
        """Return for each side of a hex that track leads to the fewest cities, and the fewest towns."""
        return tuple(Arrival(side, *fewest) for (at, side), fewest in self._arrivals.items() if at == index)

    def shorter_across(self, index: int) -> bool:
        """Tell whether a way that crosses a hex before it comes to it is shorter, in either figure, than all others."""
        if index not in self._across:
            clear = self._fewest(avoid=1 << index)
            here = (entry for entry in self._arrivals if entry[0] == index)
            self._across[index] = any(clear.get(entry) != self._arrivals[entry] for entry in here)
        return self._across[index]

    @cached_property
    def _arrivals(self) -> dict[tuple[int, int], Count]:
        return self._fewest(avoid=0)

    def _fewest(self, avoid: int) -> dict[tuple[int, int], Count]:
        cities, towns = self._nearest(lambda count: count[0], avoid), self._nearest(lambda count: count[1], avoid)
        return {entry: (cities[entry], towns[entry]) for entry in cities}

    def _nearest(self, figure: Callable[[Count], int], avoid: int) -> dict[tuple[int, int], int]:
        """Return the least of one figure with which each side is come to, by ways that pass no hex to avoid."""
        graph = self._from.graph
        cost = [figure(self._from.fleet.counts(node.kind)) for node in graph.nodes]
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


def within(
    tile: Tile, arrivals: Iterable[Arrival], bases: Iterable[int], blocked: Collection[int], fleet: Fleet
) -> Used:
    """Find what trains can use on one tile; see ``trace.within``."""
    ways = _Ways(tile, blocked, fleet)
    for arrival in arrivals:
        ways.come(arrival.side, (arrival.cities, arrival.towns))
    for stop in bases:
        ways.come(STOP + stop, (0, 0))
    pieces = [(min(end, other), max(end, other)) for end in ways.fewest for other in tile.joins[end]]
    return frozenset(filter(ways.gets_onto, pieces)), frozenset(filter(ways.counts, ways.stops))


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
        gone = self._gone(end)
        if gone is not None:
            for other in self._tile.joins[end]:
                if other >= STOP:
                    self.come(other, gone)

    def _gone(self, end: int) -> Count | None:
        """Return what is counted after an end, ``None`` where no way goes on from it."""
        stop = end - STOP
        if stop < 0 or end not in self.fewest:
            return self.fewest.get(end)
        return None if stop in self._blocked else self._with(stop)

    def _with(self, stop: int) -> Count:
        more, spent = self._fleet.counts(self._tile.stops[stop].kind), self.fewest[STOP + stop]
        return spent[0] + more[0], spent[1] + more[1]

    def counts(self, stop: int) -> bool:
        """Tell whether a train can count a stop."""
        return self._fleet.covers(*self._with(stop))

    def gets_onto(self, piece: tuple[int, int]) -> bool:
        """Tell whether a train gets onto a piece of track, from either end."""
        gone = [spent for spent in map(self._gone, piece) if spent is not None]
        return bool(gone) and self._fleet.gets_onto(min(one[0] for one in gone), min(one[1] for one in gone))
