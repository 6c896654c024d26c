"""How the runs of a company are connected through stops that both count (Running Trains).

Cities always count. A town or halt may have to be counted, instead of a
dearer one, because two runs meet nowhere else.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from engine.rails.routes import BitLayout, list_bits
from engine.titles.g1860.catalogue import TrainKind
from engine.titles.g1860.running.runs import StopChoice, Survey

Forced = tuple[int, ...]
"""For each run the bits of the stops it must count."""


class Member:
    """A path with the train that runs it; masks have a bit for each node.

    ``sure`` are the stops counted in any case, ``optional`` those it may count.
    """

    def __init__(self, survey: Survey, layout: BitLayout, bits: int, train: TrainKind) -> None:
        self.survey = survey
        self.train = train
        self.nodes = bits & layout.node_mask
        self.ends = 0
        for number in list_bits((bits & layout.link_mask) >> layout.links):
            link = survey.problem.graph.links[number]
            self.ends ^= 1 << link.a | 1 << link.b
        cities = self.nodes & survey.cities
        self.sure = cities | self._find_due_stops(0)
        self.optional = self.nodes & survey.countable & ~self.sure
        others = self.nodes & survey.countable & ~cities
        if others.bit_count() <= survey.count_room(train, cities.bit_count()):
            self.sure, self.optional = cities | others, 0

    def _find_due_stops(self, forced: int) -> int:
        """Return the towns and halts that must be counted, if those forced are."""
        rules, towns = self.survey.rules, self.nodes & self.survey.towns
        if not rules.skip_towns:
            return towns | forced
        return (self.ends & towns if rules.ends_counted else 0) | forced

    def list_earnings(self, forced: int) -> tuple[StopChoice, ...]:
        """Return the ways to count its stops, the forced ones among them."""
        survey, due = self.survey, self._find_due_stops(forced)
        cities, towns = self.nodes & survey.cities, self.nodes & survey.towns
        halts = self.nodes & survey.halts & survey.countable
        return survey.list_choices(
            self.train,
            (cities.bit_count(), sum(self._list_worths(cities))),
            self._list_worths(due & towns),
            self._list_worths(towns & ~due),
            ((due & halts).bit_count(), halts.bit_count()),
        )

    def _list_worths(self, nodes: int) -> list[int]:
        return sorted((self.survey.values[node] for node in list_bits(nodes)), reverse=True)

    def choose_counted_stops(self, forced: int, earning: StopChoice, order: Sequence[int]) -> int:
        """Return the stops to count for an earning: the forced, the dearest, then the first on the way."""
        survey, chosen = self.survey, self.nodes & self.survey.cities | self._find_due_stops(forced)
        worths = survey.values
        towns = sorted((node for node in order if survey.towns >> node & 1), key=lambda node: -worths[node])
        halts = [node for node in order if survey.halts & survey.countable & 1 << node]
        for nodes, kind, wanted in (
            (halts, survey.halts, earning.halts),
            (towns, survey.towns | survey.cities, earning.counted - earning.halts),
        ):
            for node in nodes:
                if (chosen & kind).bit_count() < wanted:
                    chosen |= 1 << node
        return chosen


class Joined(NamedTuple):
    """The best way to count: its rank, the stops forced, and what each run earns."""

    value: int
    forced: Forced
    earnings: tuple[StopChoice, ...]


def is_connected(survey: Survey, counted: Sequence[int]) -> bool:
    """Return whether runs that count these stops are connected, home among them."""
    group, left = survey.home, list(counted)
    while left:
        joined = [nodes for nodes in left if nodes & group]
        if not joined:
            return False
        for nodes in joined:
            group |= nodes
            left.remove(nodes)
    return True


def join(survey: Survey, members: Sequence[Member], floor: int = 0) -> Joined | None:
    """Return the best way to count the stops of all runs so that they are connected, with a least subsidy."""
    best: Joined | None = None
    bound = _find_best_earnings(survey, members, (0,) * len(members), floor)
    for forced in _list_forcings(survey, members, (0,) * len(members)):
        joined = _find_best_earnings(survey, members, forced, floor)
        if joined and (best is None or joined.value > best.value):
            best = joined
        if best and bound and best.value == bound.value:
            break
    return best


def _find_best_earnings(survey: Survey, members: Sequence[Member], forced: Forced, floor: int) -> Joined | None:
    best: Joined | None = None
    for earnings in product(*(member.list_earnings(stops) for member, stops in zip(members, forced, strict=True))):
        value = sum(map(survey.rank, earnings))
        if sum(earning.subsidy for earning in earnings) >= floor and (best is None or value > best.value):
            best = Joined(value, forced, earnings)
    return best


def _list_forcings(survey: Survey, members: Sequence[Member], forced: Forced) -> Iterator[Forced]:
    """Yield ways to force stops to be counted so that the runs are connected.

    In any set that is connected some run outside the part around home
    meets a run of that part at a stop that both count: each is tried.
    """
    counted = [member.sure | stops for member, stops in zip(members, forced, strict=True)]
    near = _find_runs_near_home(survey, counted) if survey.rules.join_counted else set(range(len(members)))
    far = [number for number in range(len(members)) if number not in near]
    if not far:
        yield forced
        return
    for here in sorted(near):
        for there in far:
            shared = (counted[here] | members[here].optional) & (counted[there] | members[there].optional)
            for node in list_bits(shared):
                yield from _list_forcings(survey, members, _force(members, forced, (here, there), 1 << node))


def _find_runs_near_home(survey: Survey, counted: Sequence[int]) -> set[int]:
    """Return the runs that are connected with home by the stops they count."""
    group, near = survey.home, set[int]()
    while True:
        more = {number for number, nodes in enumerate(counted) if number not in near and nodes & group}
        if not more:
            return near
        near |= more
        for number in more:
            group |= counted[number]


def _force(members: Sequence[Member], forced: Forced, runs: tuple[int, ...], stop: int) -> Forced:
    """Return the forced stops with one more for some of the runs."""
    return tuple(
        stops | (stop & member.optional if number in runs else 0)
        for number, (member, stops) in enumerate(zip(members, forced, strict=True))
    )
