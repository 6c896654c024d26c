"""The best runs of a company, and whether it can run at all."""

from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter

import msgspec

from engine.rails.board import Graph
from engine.rails.route_packing import (
    MAX_TRIES,
    Candidates,
    Choice,
    Picks,
    add_up_values,
    find_best_packing,
    search_best_packing,
)
from engine.rails.routes import BitLayout, Path, SearchTooLarge, find_paths, order_along_path
from engine.rails.runs import make_plan
from engine.record import Record
from engine.titles.g1860.catalogue import TrainKind
from engine.titles.g1860.running.joins import Member, is_connected, join
from engine.titles.g1860.running.plan import complete_plan
from engine.titles.g1860.running.runs import REVENUE_WEIGHT, Base, Plan, Problem, RunRules, Survey

NOTHING = Plan((), 0, 0)
_ALTERNATIVE_TRIES = 60_000
"""Tries for each plan that is not the best."""


class Found(Record, frozen=True):
    """The best plan found.

    Args:
        plan: the runs. exact: no plan has more.
        bound: revenue that no plan exceeds.
    """

    plan: Plan
    exact: bool
    bound: int


def find_best_plan(problem: Problem, goal: Base | None = None) -> Plan:
    """Return the runs with the most revenue, then subsidy, then the fewest stops counted.

    Every train that can run beside the others runs, for a run always earns
    something. With a ``goal`` one run must count that city, as for a
    destination (Variant: Destinations). The answer is exact.

    Raises:
        SearchTooLarge: the board and the trains are too many for an exact answer.

    Rule: 1860, Running Trains; Insolvency for a leased train.
    """
    return _Search(problem).find_best(goal=0 if goal is None else 1 << problem.graph.node_at[goal]) or NOTHING


def search_best_plan(problem: Problem, limit: int = MAX_TRIES) -> Found:
    """Return the best plan, or the best that so many tries find, with what is proven; more tries never find less.

    Where there are too many paths even to list them, only the shorter ones are looked at.
    """
    # Once nationalised the same companies run on the same track round after round.
    bases = tuple(problem.bases.items())
    terms = (problem.company, bases, problem.home, problem.trains, problem.colour, problem.rules)
    return _search_best_plan(problem.graph, terms, limit)


_Terms = tuple[str, tuple[tuple[Base, tuple[str, ...]], ...], Base | None, tuple[TrainKind, ...], str, RunRules]
"""All of a problem but its graph, in its order."""


@lru_cache(maxsize=64)
def _search_best_plan(graph: Graph, terms: _Terms, limit: int) -> Found:
    company, bases, home, trains, colour, rules = terms
    problem = Problem(graph, company, dict(bases), home, trains, colour, rules)
    try:
        found = _Search(problem).search(limit)
    except SearchTooLarge:
        found = _search_shorter_runs(problem, limit)
    return found if found.exact else msgspec.structs.replace(found, plan=complete_plan(problem, found.plan))


def _search_shorter_runs(problem: Problem, limit: int) -> Found:
    """Return the best found where trains call at fewer cities than they could, with what no plan can exceed."""
    survey = Survey(problem)
    most = max(train.cities for train in problem.trains)
    while True:
        most -= 2
        short = tuple(msgspec.structs.replace(train, cities=min(train.cities, most)) for train in problem.trains)
        try:
            plan = _Search(msgspec.structs.replace(problem, trains=short)).search(limit).plan
        except SearchTooLarge:
            continue
        whole = {train.name: train for train in problem.trains}
        runs = (survey.make_run(whole[run.train], run.nodes, run.links, run.counted) for run in plan.runs)
        return Found(make_plan(runs), exact=False, bound=sum(_bound_run(survey, train) for train in problem.trains))


def _bound_run(survey: Survey, train: TrainKind) -> int:
    """Return what no run of a train can exceed: the dearest stops that it can count, wherever they are."""
    stops = train.cities + survey.count_room(train, train.cities)
    dearest = sorted(survey.values, reverse=True)[:stops]
    return survey.find_income(sum(dearest), 0, stops, train)[0]


def find_alternatives(problem: Problem, most: int = 5, best: Plan | None = None) -> tuple[Plan, ...]:
    """Return the plans that trade revenue of the best, if that is known, for more subsidy, the most revenue first.

    Each has the most revenue of all plans with at least its subsidy; the best
    plan is not among them. They are fewer than asked for where there are no
    more, or where the next would take too long to find.
    """
    plans: list[Plan] = []
    try:
        search = _Search(problem)
        plan = best or search.find_best()
        while plan and len(plans) < most and not problem.rules.lease:
            plan = search.find_best(floor=plan.subsidy + 1, limit=_ALTERNATIVE_TRIES)
            if plan:
                plans.append(plan)
    except SearchTooLarge:
        pass
    return tuple(plans)


def would_run(problem: Problem) -> bool:
    """Return whether the company has a valid route, if it had a train (Insolvency).

    The city of its home base must be joined to another city, town or pier;
    halts between do not matter, and that city may be tokened-out.
    """
    if problem.home is None or problem.company not in problem.bases.get(problem.home, ()):
        return False
    graph = problem.graph
    home = graph.node_at[problem.home]
    # Where the way has come to, the stops, hexes and track behind it.
    waiting = [(home, 1 << home, graph.nodes[home].hex, 0)]
    while waiting:
        here, passed, hexes, track = waiting.pop()
        for way in graph.exits[here]:
            again = way.again or way.entered & hexes
            if passed >> way.to & 1 or way.mask & track or (again and not problem.rules.re_enter):
                continue
            if graph.nodes[way.to].kind != "halt":
                return True
            waiting.append((way.to, passed | 1 << way.to, hexes | way.entered, track | way.mask))
    return False


def can_run(problem: Problem) -> bool:
    """Return whether any of the trains has a legal run: they all reach the next stop that is no halt."""
    return bool(problem.trains) and would_run(problem)


_Ways = tuple[Path | None, ...]
"""A path for each train, ``None`` for one that stays idle."""

_Rated = dict[int, tuple[tuple[int, int], ...]]
"""For the counters of a path: rank and subsidy of each way to count its stops, the best first."""


class _Search:
    """The paths of a problem, valued for its trains."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.survey = Survey(problem)
        self.layout = BitLayout(problem.graph)
        self.trains = sorted(problem.trains, key=lambda train: (-train.cities, -train.towns, train.name))
        self.paths: list[Path] = []
        if self.trains:
            self.terms = self.survey.make_terms(self.trains)
            self.paths = sorted(find_paths(problem.graph, self.terms))
        lease = problem.rules.lease
        # Money of cities adds to any way of counting the rest; but half of it is rounded with the rest.
        self._counters = -1 if lease == "half" else self.survey.counters
        self._gain = 0 if lease else REVENUE_WEIGHT
        self._rated: dict[str, _Rated] = {}
        self._known: dict[tuple[str, bool], Candidates] = {}
        self._members: dict[tuple[str, int], Member] = {}

    def find_best(self, floor: int = 0, goal: int = 0, limit: int = MAX_TRIES) -> Plan | None:
        """Return the best plan with at least so much subsidy that counts the goal's node, or ``None``."""
        anchors = (self.survey.home, goal) if goal else (self.survey.home,)
        if len(self.trains) == 1:
            ways: _Ways = (self._find_single(self.trains[0], floor, anchors),)
        else:
            ways = _list_ways(
                find_best_packing(
                    self._list_candidates(floor), self._make_valuation(floor), anchors=anchors, floor=floor, limit=limit
                )[1]
            )
        return self._make_plan(ways, floor) if any(ways) else None

    def search(self, limit: int) -> Found:
        """Return the best plan that so many tries find."""
        if len(self.trains) == 1:
            plan = self.find_best() or NOTHING
            return Found(plan, exact=True, bound=plan.revenue)
        worth, picks, bound = search_best_packing(
            self._list_candidates(0), self._make_valuation(0), anchors=(self.survey.home,), limit=limit
        )
        plan = self._make_plan(_list_ways(picks), 0) if any(picks) else NOTHING
        return Found(plan, bound <= worth, max(plan.revenue, (bound + REVENUE_WEIGHT // 2) // REVENUE_WEIGHT))

    def _rate(self, train: TrainKind) -> _Rated:
        """Return the ways to count for all counters that occur, the best first; money of cities left out."""
        if train.name not in self._rated:
            rated = self._rated[train.name] = {}
            for counters in {load & self._counters for _, load in self.paths}:
                ways = self.survey.list_earnings(counters, self.terms.start, train)
                values = ((self.survey.rank(way), way.subsidy) for way in ways)
                rated[counters] = tuple(sorted(values, reverse=True))
        return self._rated[train.name]

    def _find_single(self, train: TrainKind, floor: int, anchors: tuple[int, ...]) -> Path | None:
        """Return the first of the best paths of the only train: it calls at home, and at the goal if there is one."""
        worth = {
            counters: next((value for value, side in ways if side >= floor), None)
            for counters, ways in self._rate(train).items()
        }
        must, mask, money_at, gain = sum(set(anchors)), self._counters, self.survey.money_at, self._gain
        best, chosen = 0, None
        for path in self.paths:
            bits, load = path
            value = worth[load & mask]
            if value is None or bits & must != must:
                continue
            value += (load >> money_at) * gain
            if value > best:
                best, chosen = value, path
        return chosen

    def _list_candidates(self, floor: int) -> list[Candidates]:
        """Return what each train may run; trains of a kind share them, all floors above 0 too."""
        for train in self.trains:
            if (train.name, floor > 0) not in self._known:
                self._known[train.name, floor > 0] = Candidates(self._list_choices(train, floor))
        return [self._known[train.name, floor > 0] for train in self.trains]

    def _list_choices(self, train: TrainKind, floor: int) -> list[Choice]:
        survey, track = self.survey, self.layout.track_mask
        meeting = survey.countable if survey.rules.join_counted else self.layout.node_mask
        mask, money_at, gain = self._counters, self.survey.money_at, self._gain
        rated, most = self._rate(train), None if floor else 1
        # Only one run may pass through a tokened-out city: bit 0, of no track, stands for that.
        choices = [
            (value + (load >> money_at) * gain, bits & track | survey.passes_barred(load), bits & meeting, side, path)
            for path in self.paths
            for bits, load in (path,)
            for value, side in rated[load & mask][:most]
        ]
        choices.sort(key=itemgetter(0), reverse=True)  # of equal value, as the paths are sorted
        return choices

    def _get_member(self, train: TrainKind, path: Path) -> Member:
        key = (train.name, path[0])
        if key not in self._members:
            self._members[key] = Member(self.survey, self.layout, path[0], train)
        return self._members[key]

    def _make_valuation(self, floor: int) -> Callable[[Picks], int | None]:
        """Return what tells the worth of a whole set: less than the sum where meeting costs something."""

        def settle(picks: Picks) -> int | None:
            value = add_up_values(picks)
            members = self._list_running_members(_list_ways(picks))
            if is_connected(self.survey, [member.sure for member in members]):
                return value
            joined = join(self.survey, members, floor)
            return joined.value if joined else None

        return settle if self.survey.rules.join_counted else add_up_values

    def _list_running_members(self, ways: _Ways) -> list[Member]:
        return [self._get_member(train, way) for train, way in zip(self.trains, ways, strict=True) if way]

    def _make_plan(self, ways: _Ways, floor: int) -> Plan:
        """Return paths as runs with the stops they count."""
        members = self._list_running_members(ways)
        joined = join(self.survey, members, floor)
        assert joined, "a set that was found is connected"
        runs = []
        chosen = [way for way in ways if way]
        for (bits, _), member, forced, earning in zip(chosen, members, joined.forced, joined.earnings, strict=True):
            nodes, links = order_along_path(self.problem.graph, bits)
            runs.append(
                self.survey.make_run(member.train, nodes, links, member.choose_counted_stops(forced, earning, nodes))
            )
        return make_plan(runs)


def _list_ways(picks: Picks) -> _Ways:
    return tuple(pick[4] if pick else None for pick in picks)
