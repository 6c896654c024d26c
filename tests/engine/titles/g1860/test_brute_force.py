"""The search and the check against a plain reading of how trains run, on small boards of random tiles."""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product
from math import prod
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.errors import RuleError
from engine.rails.board import Board
from engine.rails.maps import Map, PrintedHex
from engine.rails.tiles import Manifest
from engine.titles.g1860.catalogue import TRAINS, TrainKind, load_map
from engine.titles.g1860.running.plan import check_plan
from engine.titles.g1860.running.runs import Problem, Run, RunRules
from engine.titles.g1860.running.search import Found, find_alternatives, find_best_plan, search_best_plan
from tests.engine.titles.g1860.run_ground import legal

HEXES = ("H6", "H8", "G7", "G5", "H4", "I5", "I7")
PRINTED = load_map("extended").manifest
TILES = tuple(name for name in PRINTED if PRINTED[name].sides.bit_count() > 3)
CITIES = tuple(name for name in TILES if PRINTED[name].has_stop("city"))
COMPANIES = ("C&N", "IOW", "FYN")
FIELD = Map(
    "field",
    dict.fromkeys(HEXES, PrintedHex()),
    [],
    Manifest({name: PRINTED[name] for name in TILES}, dict.fromkeys(TILES, 9)),
)


class Track(NamedTuple):
    """A way over the board: stops and links in order."""

    nodes: tuple[int, ...]
    links: tuple[int, ...]


def problem_of(chance: Random) -> Problem:
    """Return a board of random tiles with random bases, trains and rules; home is a city in its middle."""
    board = Board(FIELD)
    for coord in HEXES:
        pool = CITIES if coord == HEXES[0] else chance.choice((CITIES, TILES))
        board = board.with_tile(coord, chance.choice(pool), chance.randrange(6))
    standing = {
        (node.coord, node.index): tuple(chance.sample(COMPANIES, chance.randint(0, node.slots)))
        for node in board.graph.nodes
        if node.kind == "city"
    }
    home = (HEXES[0], next(index for coord, index in standing if coord == HEXES[0]))
    standing[home] = ("C&N", *[code for code in standing[home][1:] if code != "C&N"])
    trains = tuple(TRAINS[name] for name in chance.choice((("2+1", "2+1", "2+1"), ("3+2", "2+1"), ("3+2",))))

    def on(share: float) -> bool:
        return chance.random() < share

    rules = RunRules(
        skip_towns=on(0.7), re_enter=on(0.3), halts=on(0.8), total=on(0.2), ends_counted=on(0.7), join_counted=on(0.7)
    )
    return Problem(board.graph, "C&N", standing, home, trains, "green", rules)


chances = st.randoms(use_true_random=True)


def tracks(problem: Problem) -> list[Track]:
    """A run: Return every way without a stop, hexside, piece or hex twice, in one direction each."""
    graph, found = problem.graph, []

    def go(track: Track, used: int, hexes: tuple[str, ...]) -> None:
        if track.links and track.nodes[0] < track.nodes[-1]:
            found.append(track)
        for link in graph.links:
            here = track.nodes[-1]
            if here not in (link.a, link.b) or link.mask & used:
                continue
            there, coords = (link.b, link.coords[1:]) if here == link.a else (link.a, link.coords[-2::-1])
            longer = hexes + coords
            if there not in track.nodes and (problem.rules.re_enter or len(set(longer)) == len(longer)):
                go(Track((*track.nodes, there), (*track.links, link.id)), used | link.mask, longer)

    for node in graph.nodes:
        go(Track((node.id,), ()), 0, (node.coord,))
    return found


class Whole(NamedTuple):
    """A run with the stops it counts, as plain sets."""

    train: str
    track: Track
    counted: frozenset[int]
    revenue: int
    subsidy: int
    passed: int
    """Tokened-out cities it passes through."""


def whole_runs(problem: Problem, train: TrainKind, ways: list[Track]) -> Iterator[Whole]:
    """A run; Stops on the way; Room in a train; Several stops on a hex; Ends are counted.

    Yield every legal run of a train by itself, with every choice of stops.
    """
    graph, rules = problem.graph, problem.rules
    for way in ways:
        stops = [graph.nodes[node] for node in way.nodes]
        cities = [stop for stop in stops if stop.kind == "city"]
        if stops[0].kind == "halt" or stops[-1].kind == "halt" or len(cities) > train.cities:
            continue
        standing = [problem.bases[stop.coord, stop.index] for stop in cities]
        if not any("C&N" in here for here in standing):
            continue
        passed = sum(
            "C&N" not in problem.bases[stop.coord, stop.index]
            and len(problem.bases[stop.coord, stop.index]) >= stop.slots
            for stop in stops[1:-1]
            if stop.kind == "city"
        )
        if passed > 1:
            continue
        towns = [stop for stop in stops if stop.kind == "town"]
        others = towns + [stop for stop in stops if stop.kind == "halt" and rules.halts]
        for chosen in chain.from_iterable(combinations(others, size) for size in range(len(others) + 1)):
            counted = [*cities, *chosen]
            most = train.cities if rules.total else train.cities + train.towns
            if len(counted) > most or (not rules.skip_towns and not set(towns) <= set(chosen)):
                continue
            if rules.ends_counted and (stops[0] not in counted or stops[-1] not in counted):
                continue
            halts = sum(stop.kind == "halt" for stop in counted)
            ids = frozenset(stop.id for stop in counted)
            yield Whole(train.name, way, ids, sum(stop.value for stop in counted), 10 * halts, passed)


def go_together(problem: Problem, picks: tuple[Whole, ...]) -> bool:
    """Runs meet; No track twice; Past a tokened-out city: Return whether runs may be run in one turn."""
    links = [problem.graph.links[number].mask for pick in picks for number in pick.track.links]
    if any(one & other for one, other in combinations(links, 2)) or sum(pick.passed for pick in picks) > 1:
        return False
    assert problem.home is not None
    group = {problem.graph.node_at[problem.home]}
    left = [set(pick.counted if problem.rules.join_counted else pick.track.nodes) for pick in picks]
    while near := [stops for stops in left if stops & group]:
        for stops in near:
            group |= stops
            left.remove(stops)
    return not left


def small(problem: Problem) -> list[list[Whole]] | None:
    """Return the runs of each train, or nothing where they are too many to try."""
    ways = tracks(problem)
    if len(ways) > 300:
        return None
    found = [list(whole_runs(problem, train, ways)) for train in problem.trains]
    return found if prod(len(offer) + 1 for offer in found) <= 60_000 else None


def sets_of(problem: Problem, offers: list[list[Whole]]) -> Iterator[tuple[Whole, ...]]:
    for picks in product(*([None, *offer] for offer in offers)):
        chosen = tuple(pick for pick in picks if pick)
        if go_together(problem, chosen):
            yield chosen


def frontier(sets: Iterable[tuple[int, ...]]) -> list[tuple[int, int]]:
    """Return what trades revenue of the best for subsidy, given revenue and subsidy of all sets: the most first."""
    found: dict[int, int] = {}
    for revenue, subsidy, *_ in sets:
        found[subsidy] = max(found.get(subsidy, 0), revenue)
    least = max(found, key=lambda side: (found[side], side))
    every = [(found[side], side) for side in sorted(found) if side > least]
    return [(best, side) for best, side in every if best > max((b for b, other in every if other > side), default=-1)]


@settings(deadline=None, max_examples=25)
@given(chances)
def test_the_best_plan_and_its_alternatives_equal_brute_force(chance: Random) -> None:
    problem = problem_of(chance)
    offers = small(problem) or []
    assume(offers)
    found = [
        (sum(pick.revenue for pick in picks), sum(pick.subsidy for pick in picks)) for picks in sets_of(problem, offers)
    ]
    plan = find_best_plan(problem)
    legal(problem, plan)
    most = max(found)[0]
    assert (plan.revenue, plan.subsidy) == max(found)
    short = search_best_plan(problem, 3)
    assert short.plan.revenue <= most <= short.bound
    assert not short.exact or short.plan == plan
    assert search_best_plan(problem) == Found(plan, exact=True, bound=most)
    others = find_alternatives(problem, 99)
    assert [(other.revenue, other.subsidy) for other in others] == frontier(found)
    for other in others:
        legal(problem, other)


@settings(deadline=None, max_examples=25)
@given(chances)
def test_the_best_plan_that_reaches_a_goal_equals_brute_force(chance: Random) -> None:
    """The goal is a city, as the destinations of “Variant: destinations”."""
    problem = problem_of(chance)
    offers = small(problem) or []
    assume(offers)
    goal = chance.choice(sorted(problem.bases))
    node = problem.graph.node_at[goal]
    there = [picks for picks in sets_of(problem, offers) if any(node in pick.counted for pick in picks)]
    plan = find_best_plan(problem, goal)
    assert plan.revenue == max((sum(pick.revenue for pick in picks) for picks in there), default=0)
    assert any(run.counted >> node & 1 for run in plan.runs) == bool(there)


@settings(deadline=None, max_examples=25)
@given(chances)
def test_the_check_allows_exactly_the_sets_that_go_together(chance: Random) -> None:
    """With as many runs as trains; then also “Trains must run”.

    A train is idle only where nothing goes beside the others.
    """
    problem = problem_of(chance)
    offers = small(problem) or []
    assume(offers and all(offers))
    for _ in range(30):
        picks = tuple(chance.choice(offer) for offer in offers)
        assert is_accepted(problem, picks) == go_together(problem, picks)
        fewer = picks[:-1]
        alone = go_together(problem, fewer) and not any(go_together(problem, (*fewer, last)) for last in offers[-1])
        assert is_accepted(problem, fewer) == alone


def is_accepted(problem: Problem, picks: tuple[Whole, ...]) -> bool:
    """Return whether the check allows runs; then it must know what they earn."""
    runs = [
        Run(pick.train, pick.track.nodes, pick.track.links, sum(1 << node for node in pick.counted), 0, 0)
        for pick in picks
    ]
    try:
        plan = check_plan(problem, runs)
    except RuleError:
        return False
    assert plan.revenue == sum(pick.revenue for pick in picks)
    assert plan.subsidy == sum(pick.subsidy for pick in picks)
    return True


def test_the_boards_are_worth_trying() -> None:
    """The tiles that may come up have track to four sides or more; cities, towns and halts are among them."""
    kinds = {stop.kind for name in TILES for stop in FIELD.manifest[name].stops}
    assert kinds == {"city", "town", "halt"}
    with pytest.raises(KeyError):
        FIELD.manifest["57"]
