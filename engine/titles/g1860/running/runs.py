"""What a company may run, and what it earns by it, owned, leased or nationalised, over the track.

A *path* is geometry; a *run* is a path of one train with the stops it counts.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from engine.rails.board import Graph, Node, find_stop_value
from engine.rails.routes import PathTerms, find_joined_nodes, list_bits, make_mask
from engine.rails.runs import RunPlan, TrainRun
from engine.record import Record
from engine.titles.g1860.catalogue import TrainKind

Base = tuple[str, int]

HALT_SUBSIDY = 10
REVENUE_WEIGHT, SUBSIDY_WEIGHT = 1 << 24, 1 << 12
"""What a pound of each weighs in a rank; a stop weighs 1."""

LEASE_MONEY, LEASE_STOP = 40, 20


class RunRules(Record, frozen=True):
    """What differs between editions, variants and times of the game.

    Args:
        skip_towns: small stations may be passed uncounted; not so in the first edition (Running Trains).
        re_enter: a run may come to a hex twice, on other track (Running Trains).
        halts: halts count; not so after the Southern Railway has stopped them (Formation of the Southern Railway).
        total: the first number is the maximum of all counted stops.
        lease: the train is leased: 40 + 20 a stop, half of a normal run,
            or the figure of the card (Variant: Simplified Insolvency Revenue). Empty for own trains.
        half_up: half a run is rounded up to 10 (Variant: Original Insolvency Revenue); else down to 1.
        ends_counted: both ends of a run must be counted (Running Trains).
        join_counted: the stop where runs meet must be counted by both (Running Trains).
        all_run: every train that can run must (Running Trains); else one is enough.
    """

    skip_towns: bool = True
    re_enter: bool = False
    halts: bool = True
    total: bool = False
    lease: Literal["", "stops", "half", "card"] = ""
    half_up: bool = True
    ends_counted: bool = True
    join_counted: bool = True
    all_run: bool = True

    @property
    def one_number(self) -> bool:
        """Whether only the first number of a train counts, for all its stops."""
        return self.total or self.lease in {"stops", "card"}


class Problem(Record, frozen=True):
    """A company about to run.

    Args:
        bases: companies whose bases stand in each city; those of bankrupt companies
            left out, for their slots count as free (Running Trains).
        home: city of its home base, ``None`` while that is not on the board.
        trains: its trains, or the one it leases.
        colour: the latest tile colour that may be laid, for Ryde Pier.
    """

    graph: Graph
    company: str
    bases: Mapping[Base, tuple[str, ...]]
    home: Base | None
    trains: tuple[TrainKind, ...]
    colour: str = "yellow"
    rules: RunRules = RunRules()


Run = TrainRun
"""A run of one train; it leaves out all that it does not count."""

Plan = RunPlan[TrainRun]
"""The runs of a company in one turn; for a leased train ``revenue`` is what the lease pays, not the value of stops."""


class StopChoice(Record, frozen=True):
    """One way to choose the stops of a path: what it earns, how many stops it counts, halts among them."""

    revenue: int
    subsidy: int
    counted: int
    halts: int


# The packed counters: eight bits each, the highest a guard where there is a limit.
_FIELD_BITS, _GUARD_BIT = 8, 128
_CITIES, _STOPS, _TOLLS, _HALTS, _TOWNS = range(5)


def _make_field(number: int, amount: int = 1) -> int:
    return amount << (number * _FIELD_BITS)


class Survey:
    """The stops of a board as one company sees them; masks have a bit for each node."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rules = problem.rules
        self.nodes: tuple[Node, ...] = problem.graph.nodes
        self.values = [find_stop_value(node, problem.colour) for node in self.nodes]
        self.halts = make_mask(node.id for node in self.nodes if node.kind == "halt")
        self.towns = make_mask(node.id for node in self.nodes if node.kind == "town")
        self.cities = (1 << len(self.nodes)) - 1 & ~self.halts & ~self.towns
        self.countable = self.cities | self.towns | (self.halts if problem.rules.halts else 0)
        self.own = self.barred = 0
        for base, companies in problem.bases.items():
            node = self.nodes[problem.graph.node_at[base]]
            if problem.company in companies:
                self.own |= 1 << node.id
            elif len(companies) >= node.slots:
                self.barred |= 1 << node.id
        self.home = 0 if problem.home is None else 1 << problem.graph.node_at[problem.home] & self.own
        self._worths = sorted({self.values[number] for number in list_bits(self.towns)}, reverse=True)
        # From this bit of the counters on stands what the cities are worth.
        self.money_at = (_TOWNS + 2 * len(self._worths)) * _FIELD_BITS
        self.counters = (1 << self.money_at) - 1

    def count_room(self, train: TrainKind, cities: int) -> int:
        """Return how many towns and halts a train can count beside so many cities (Running Trains)."""
        return train.cities - cities + (0 if self.rules.one_number else train.towns)

    def make_terms(self, trains: Iterable[TrainKind], *, tolls: int = 1) -> PathTerms:
        """Return what a path of any of these trains may touch; it begins in the home's network.

        ``tolls`` is how many tokened-out cities may still be passed through (Running Trains).
        """
        most = max(train.cities for train in trains)
        stops = max(train.cities + (0 if self.rules.one_number else train.towns) for train in trains)
        start = _make_field(_CITIES, _GUARD_BIT - 1 - most) + _make_field(_TOLLS, _GUARD_BIT - 1 - tolls)
        full = _make_field(_CITIES, _GUARD_BIT) | _make_field(_TOLLS, _GUARD_BIT)
        if not self.rules.skip_towns:
            start += _make_field(_STOPS, _GUARD_BIT - 1 - stops)
            full |= _make_field(_STOPS, _GUARD_BIT)
        reach = find_joined_nodes(self.problem.graph, self.home.bit_length() - 1) if self.home else 0
        home_first = sorted(list_bits(self.own & reach), key=lambda node: not self.home >> node & 1)
        return PathTerms(
            via=tuple(home_first),
            start=start,
            calling=tuple(self._count_call(node) for node in range(len(self.nodes))),
            passing=tuple(_make_field(_TOLLS) if self.barred >> node & 1 else 0 for node in range(len(self.nodes))),
            ending=tuple(self._count_end(node) for node in range(len(self.nodes))),
            full=full,
            again=self.rules.re_enter,
        )

    def _count_call(self, node: int) -> int:
        if self.halts >> node & 1:
            return _make_field(_HALTS) if self.rules.halts else 0
        if self.towns >> node & 1:
            return _make_field(_STOPS) + _make_field(_TOWNS + self._worths.index(self.values[node]))
        return _make_field(_CITIES) + _make_field(_STOPS) + (self.values[node] << self.money_at)

    def _count_end(self, node: int) -> int | None:
        if self.halts >> node & 1:
            return None
        if self.towns >> node & 1 and self.rules.ends_counted:
            return _make_field(_TOWNS + len(self._worths) + self._worths.index(self.values[node]))
        return 0

    def list_earnings(self, load: int, start: int, train: TrainKind) -> tuple[StopChoice, ...]:
        """Return the ways to count the stops of a path, most revenue first; none if it is too long.

        ``load`` are the counters of a path that was found on ``terms`` with this ``start``.
        """
        load -= start
        fields = (load & self.counters).to_bytes(self.money_at // _FIELD_BITS, "little")
        towns = fields[_TOWNS : _TOWNS + len(self._worths)]
        ends = fields[_TOWNS + len(self._worths) :]
        due = [worth for worth, count in zip(self._worths, ends, strict=True) for _ in range(count)]
        free = [
            worth for worth, count, ended in zip(self._worths, towns, ends, strict=True) for _ in range(count - ended)
        ]
        return self.list_choices(train, (fields[_CITIES], load >> self.money_at), due, free, (0, fields[_HALTS]))

    def passes_barred(self, load: int) -> bool:
        """Return whether a path with these counters passes through a tokened-out city.

        The counter of passes starts one below its guard, or at the guard's last value if none is left.
        """
        return load >> (_TOLLS * _FIELD_BITS) & 0xFF == _GUARD_BIT - 1

    def list_choices(
        self, train: TrainKind, cities: tuple[int, int], due: list[int], free: list[int], halts: tuple[int, int]
    ) -> tuple[StopChoice, ...]:
        """Return the ways to count stops, each the best with so many halts.

        ``cities``: how many, and what they are worth together. ``due``: values of the towns
        that must be counted; ``free``: of the others, the dearest first. ``halts``: how many
        must be counted, how many there are.
        """
        room = self.count_room(train, cities[0])
        if not self.rules.skip_towns:
            due, free = due + free, []
        must, most = halts[0], min(halts[1], room - len(due))
        if cities[0] > train.cities or most < must:
            return ()
        ways = []
        for count in range(max(must, min(most, room - len(due) - len(free))), most + 1):
            picked = free[: room - len(due) - count]
            stops = cities[0] + len(due) + len(picked) + count
            revenue = cities[1] + sum(due) + sum(picked)
            ways.append(StopChoice(*self.find_income(revenue, count * HALT_SUBSIDY, stops, train), stops, count))
        if self.rules.lease:
            return (max(ways, key=self.rank),)
        return tuple(ways)

    def make_run(self, train: TrainKind, nodes: tuple[int, ...], links: tuple[int, ...], counted: int) -> Run:
        """Return a run with what it earns by the stops it counts."""
        revenue = sum(self.values[node] for node in list_bits(counted))
        halts = (counted & self.halts).bit_count()
        income = self.find_income(revenue, halts * HALT_SUBSIDY, counted.bit_count(), train)
        return Run(train.name, nodes, links, counted, *income, left_out=~counted)

    def find_track(self, run: Run) -> int:
        """Return the track a run uses, as in ``Link.mask``."""
        mask = 0
        for number in run.links:
            mask |= self.problem.graph.links[number].mask
        return mask

    def rank(self, earning: StopChoice) -> int:
        """Return what makes one way better than another: revenue, subsidy, then fewer stops.

        The lease of half a run goes by all that reaches the treasury: no one is paid out of it.
        """
        revenue, subsidy = earning.revenue, earning.subsidy
        if self.rules.lease == "half":
            revenue += subsidy
        return revenue * REVENUE_WEIGHT + subsidy * SUBSIDY_WEIGHT - earning.counted

    def find_income(self, revenue: int, subsidy: int, stops: int, train: TrainKind) -> tuple[int, int]:
        """Return revenue and subsidy that reach the company for stops so counted."""
        match self.rules.lease:
            case "stops":
                return LEASE_MONEY + LEASE_STOP * stops, 0
            case "card":
                return LEASE_MONEY + LEASE_STOP * train.cities, 0
            case "half":
                return (-(-revenue // 20) * 10 if self.rules.half_up else revenue // 2), subsidy
        return revenue, subsidy
