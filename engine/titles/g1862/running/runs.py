"""What a company of 1862 may run, and what it earns by it: the terms of sections 10, 15 and 23 over the track.

A *spot* is what pays once a turn: a station, or a whole port or red area.
A run is a path of one train; Freights that are joined make a *chain*.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from engine.rails.board import NOWHERE, Board, Node, find_stop_value
from engine.rails.maps import measure_distance
from engine.rails.reach import Bases, Place, find_full_cities, has_base_in_city
from engine.rails.routes import list_bits, make_mask
from engine.rails.runs import RunPlan, TrainRun
from engine.record import Record
from engine.titles.g1862.catalogue import KINDS, LONDON, Face, Kind

ALONE = -1
"""``Run.chain`` of a train that is no Freight."""
HEX_PAYS, PORT_HEX_PAYS = 20, 30
SUBSIDY = 10

Aim = Literal["revenue", "both", "subsidy"]
"""What the best plan has most of: revenue (then subsidy), both together (§8.0), or subsidy (then revenue)."""


class RunRules(Record, frozen=True):
    """What the rules of running are read by, as switches.

    Args:
        all_run: every train that can run must; else any may stand idle (§7.8).
        touching_joins: permanent Freights whose ends meet are joined, too; else they may run apart (§7.8.1).
        port_to_port: joined Freights may lead from port to port, or from red to red; else they may no more than one
            train (§7.8.1).
        crossing: a chain of Freights may come to a station twice, and a loop pays its one end; else it comes to none
            twice (§7.8.1).
        meet_anywhere: ports, red areas and small stations connect runs, too; else only large stations do (§7.8).
        joins_in_areas: permanent Freights can be said to be joined in a port or red area, too, as until 0.2; else only
            at large stations (§7.8.1).
    """

    all_run: bool = True
    touching_joins: bool = False
    port_to_port: bool = False
    crossing: bool = False
    meet_anywhere: bool = False
    joins_in_areas: bool = False


class Problem(Record, frozen=True):
    """A company about to run.

    Args:
        board: the tiles as they lie, small stations on them.
        bases: who stands where. home: city of its home marker, ``None`` while that is not placed.
        waiting: hexes where its marker lies beside the city and counts as connected (§7.2).
        london: it has a marker there.
        trains: the sides in use; permits: types it may run.
        level: "AB", "CD" or "EH", which value of ports and red areas is paid.
        permanent: bands of Freights that may run apart (§7.8.1, §11.2).
    """

    board: Board
    company: str
    bases: Bases
    home: Place | None
    trains: tuple[Face, ...]
    waiting: tuple[str, ...] = ()
    london: bool = False
    permits: tuple[Kind, ...] = KINDS
    level: str = "AB"
    permanent: str = "EFGH"
    rules: RunRules = RunRules()

    @property
    def runnable(self) -> tuple[Face, ...]:
        """The trains it has a permit for (§7.8)."""
        return tuple(face for face in self.trains if face.kind in self.permits)

    def is_permanent(self, face: Face) -> bool:
        """Return whether a train is a permanent Freight."""
        return face.kind == "freight" and face.band in self.permanent


class Run(TrainRun, frozen=True):
    """A run of one train.

    Args:
        counted: bits of the stops that pay for this run and no other.
        revenue: in pounds, of the counted stops, and the bonus of its chain on the chain's first run.
        subsidy: of the hexes that no Local before it has touched.
        left_out: bits of stops that a train with two numbers leaves out.
        chain: number of its chain from 0, or ``ALONE``; the runs of a chain follow one another from end to end.
    """

    chain: int = ALONE


Plan = RunPlan[Run]
"""The runs of a company in one turn, and what it earns by them all."""


class RunEnd(Record, frozen=True):
    """Where a run may end: a large station, or a port or red area by way of one hex.

    Args:
        number: its place in ``Survey.ends``; node: one of the stops there; spot: its bit.
        hex: from which distances are measured (§7.8.1). kind: of the spot.
    """

    number: int
    node: int
    spot: int
    hex: str
    kind: Literal["city", "port", "red"]


class Stops(Record, frozen=True):
    """The stops of a board by kind, as bits of nodes; the spot of an area is the first of its nodes.

    ``london`` are those of London, closed to who has no link there; ``values`` go by the phase.
    """

    towns: int
    large: int
    ports: int
    reds: int
    london: int
    spot: tuple[int, ...]
    values: tuple[int, ...]


@lru_cache(maxsize=16)
def list_stops(board: Board, level: str) -> Stops:
    """Return the stops of a board in a phase; a turn asks for them several times."""
    nodes = board.graph.nodes
    spot, first = [1 << node.id for node in nodes], dict[str, int]()
    masks = dict.fromkeys(("towns", "large", "ports", "reds", "london"), 0)
    for node in nodes:
        bit = 1 << node.id
        if node.kind == "offboard":
            area = board.tile(node.coord).stops[node.index].name
            spot[node.id] = 1 << first.setdefault(area, node.id)
            masks["ports" if board.spec(node.coord).printed.colour == "sea" else "reds"] |= bit
            masks["london"] |= bit if area == LONDON else 0
        else:
            masks["large" if node.kind == "city" else "towns"] |= bit
    values = tuple(find_stop_value(node, level) for node in nodes)
    return Stops(**masks, spot=tuple(spot), values=values)


class Survey:
    """The stops of a board as one company sees them; masks have a bit for each node, spots too."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rules = problem.rules
        self.graph = problem.board.graph
        self.nodes: tuple[Node, ...] = self.graph.nodes
        self.links_at = len(self.nodes)
        stops = list_stops(problem.board, problem.level)
        self.towns, self.large, self.ports, self.reds = stops.towns, stops.large, stops.ports, stops.reds
        self.areas = stops.ports | stops.reds
        self.spot, self.values = stops.spot, stops.values
        self.closed = 0 if problem.london else stops.london
        self._set_markers()
        self.ends: list[RunEnd] = []
        self._end_at: dict[tuple[int, str, int], RunEnd] = {}

    def _set_markers(self) -> None:
        problem, at = self.problem, self.graph.node_at
        own = [place for place in problem.bases if has_base_in_city(problem.bases, place, problem.company)]
        own += [(coord, 0) for coord in problem.waiting]
        self.own = make_mask(at[place] for place in own if place in at)
        self.full = find_full_cities(self.graph, problem.bases, problem.company) & ~self.own
        self.home = 0 if problem.home is None else 1 << at[problem.home] & self.own
        self.terminal = self.areas | self.full
        # Runs that meet at a small station with two ways out also meet at the stops on both sides of it.
        forks = make_mask(node for node in list_bits(self.towns) if len(self.graph.exits[node]) > 2)
        self.meeting = self.large | (forks | self.areas if self.rules.meet_anywhere else 0)

    def find_area(self, node: int) -> str:
        """Return the name of the port or red area of a stop."""
        stop = self.nodes[node]
        return self.problem.board.tile(stop.coord).stops[stop.index].name

    def find_end(self, node: int, link: int) -> RunEnd:
        """Return the end of a run at a stop that is large, come to by a link; of an area by way of the hex before."""
        coord = self.nodes[node].coord
        if self.areas >> node & 1:
            assert link != NOWHERE, "no run sets out from an area"
            coords = self.graph.links[link].coords
            coord = coords[1] if coords[0] == coord else coords[-2]
        spot = self.spot[node]
        key = (spot, coord, node if self.rules.touching_joins else 0)
        if key not in self._end_at:
            kind: Literal["city", "port", "red"] = "city"
            if self.areas >> node & 1:
                kind = "port" if self.ports >> node & 1 else "red"
            end = RunEnd(len(self.ends), node, spot, coord, kind)
            self.ends.append(end)
            self._end_at[key] = end
        return self._end_at[key]

    def count_hexes_between(self, a: RunEnd, b: RunEnd) -> int:
        """Return the hexes that a Freight or chain is paid for, as the crow flies (§7.8.1)."""
        return max(0, measure_distance(a.hex, b.hex) - 1 + (a.kind != "city") + (b.kind != "city"))

    def find_bonus(self, a: RunEnd, b: RunEnd) -> int:
        """Return the bonus of a Freight or chain between two ends; a loop has none, unless by two ways into London."""
        if a.node == b.node:
            return 0
        return self.count_hexes_between(a, b) * (PORT_HEX_PAYS if "port" in {a.kind, b.kind} else HEX_PAYS)

    def may_join(self, a: RunEnd, b: RunEnd) -> bool:
        """Return whether a chain may lead from end to end (§7.8.1)."""
        if a.spot == b.spot and not self.rules.crossing:
            return False
        return a.kind == "city" or a.kind != b.kind or self.rules.port_to_port

    def list_steps(self, link: int) -> int:
        """Return the steps from hex to hex on a link."""
        return len(self.graph.links[link].coords) - 1

    def find_hexes(self, links: Iterable[int]) -> int:
        """Return the bits of the hexes that links touch."""
        mask = 0
        for link in links:
            mask |= self.graph.links[link].hexes
        return mask

    def find_spots(self, nodes: Iterable[int]) -> int:
        """Return the bits of the spots of stops."""
        mask = 0
        for node in nodes:
            mask |= self.spot[node]
        return mask

    def find_ends(self, run: Run) -> tuple[RunEnd, RunEnd]:
        """Return the two ends of a run."""
        return self.find_end(run.nodes[0], run.links[0]), self.find_end(run.nodes[-1], run.links[-1])
