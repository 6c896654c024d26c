"""Routes in the form of 18xx.games, read into our runs.

A route is a list of connections; each is the hexes between two neighbouring
stops, ends included, in either direction, or ``"F2 1.2"`` for the piece
between two stops of a hex. Which stops count goes by the site's own rule.
"""

from collections.abc import Iterator, Sequence

import msgspec

from engine.errors import RuleError
from engine.rails.graph import Graph, Link
from engine.record import Record, Rule
from engine.titles.g1860.catalogue import TRAINS, TrainKind
from engine.titles.g1860.run_text import write_runs
from engine.titles.g1860.runs import Problem, Run, Survey, bits_of

FORMAT = Rule("18xx.games", "log", "routes of 1860")


class SiteRoute(Record, frozen=True):
    """A route as the site keeps it; ``halts`` is how many halts count, ``nodes`` its stops in no order."""

    train: str
    connections: tuple[tuple[str, ...], ...]
    halts: int | None = None
    nodes: tuple[str, ...] = ()


class _Way(Record, frozen=True):
    """Stops and links of a route that is being followed."""

    nodes: tuple[int, ...]
    links: tuple[int, ...]


def plan_text(problem: Problem, routes: object) -> str:
    """Return routes of the site as a plan in our own words; see ``read_routes``."""
    return write_runs(problem.graph, read_routes(problem, routes))


def read_routes(problem: Problem, routes: object) -> tuple[Run, ...]:
    """Return our runs for routes of the site, as decoded JSON.

    Raises:
        RuleError: they are no routes, or no track fits one of them.
    """
    try:
        read = msgspec.convert(routes, tuple[SiteRoute, ...])
    except msgspec.ValidationError as cause:
        raise RuleError(f"The routes cannot be read: {str(cause)[:80]}.", FORMAT) from None
    survey = Survey(problem)
    runs: list[Run] = []
    for route in read:
        name = route.train.rpartition("-")[0] or route.train
        if name not in TRAINS:
            raise RuleError(f"There is no train {name[:20]}.", FORMAT)
        used = 0
        for run in runs:
            used |= survey.track(run)
        way = _follow(survey, route, used)
        counted = _counted(survey, TRAINS[name], way, route.halts)
        runs.append(survey.run(TRAINS[name], way.nodes, way.links, counted))
    return tuple(runs)


def _follow(survey: Survey, route: SiteRoute, used: int) -> _Way:
    """Return the way a route goes: with most of its nodes, then with a base of the company, then as written."""
    graph = survey.problem.graph
    named = {
        graph.node_at[coord, int(index)]
        for coord, _, index in (node.rpartition("-") for node in route.nodes)
        if index.isdecimal() and (coord, int(index)) in graph.node_at
    }
    ways = list(_ways(graph, route.connections, used))
    if not ways:
        hexes = "–".join("-".join(connection) for connection in route.connections)
        raise RuleError(f"No track fits the route {hexes[:100]}.", FORMAT)
    first = route.connections[0][0].split(" ")[0]
    return min(
        ways,
        key=lambda way: (
            len(named - set(way.nodes)),
            not bits_of(way.nodes) & survey.own,
            graph.nodes[way.nodes[0]].coord != first,
        ),
    )


def _ways(graph: Graph, connections: Sequence[tuple[str, ...]], used: int) -> Iterator[_Way]:
    """Yield each chain of links that fits the connections one after the other."""
    fitting = [[link for link in graph.links if _fits(graph, link, parts)] for parts in connections]
    waiting = [(_Way((start,), ()), used) for link in (fitting[0] if fitting else ()) for start in (link.a, link.b)]
    waiting = list(dict.fromkeys(waiting))
    while waiting:
        way, taken = waiting.pop()
        if len(way.links) == len(fitting):
            yield way
            continue
        here = way.nodes[-1]
        for link in fitting[len(way.links)]:
            if here in (link.a, link.b) and not link.mask & taken:
                there = link.a + link.b - here
                if there not in way.nodes:
                    waiting.append((_Way((*way.nodes, there), (*way.links, link.id)), taken | link.mask))


def _fits(graph: Graph, link: Link, parts: tuple[str, ...]) -> bool:
    """Tell whether a connection means a link."""
    if len(parts) != 1:
        return parts in (link.coords, link.coords[::-1])
    coord, _, stops = parts[0].partition(" ")
    if link.coords != (coord,):
        return False
    numbers = sorted((graph.nodes[link.a].index, graph.nodes[link.b].index))
    return not stops or stops == "{}.{}".format(*numbers)


def _counted(survey: Survey, train: TrainKind, way: _Way, wanted: int | None) -> int:
    """Return the stops that the site counts: cities, the halts asked for, the dearest towns that fit."""
    passed = bits_of(way.nodes)
    cities = passed & survey.cities
    towns = sorted((node for node in way.nodes if survey.towns >> node & 1), key=lambda node: -survey.values[node])
    halts = [node for node in way.nodes if survey.halts & survey.countable & 1 << node]
    room = max(0, survey.room(train, cities.bit_count()))
    spare = max(0, room - len(towns))
    if wanted is None:
        wanted = spare if not survey.rules.lease else 0
    if survey.rules.total or not survey.rules.skip_towns:
        wanted = min(wanted, spare)
    chosen = halts[: min(wanted, room)]
    chosen += towns[: room - len(chosen)]
    if survey.rules.one_number and survey.rules.lease:
        chosen += [halt for halt in halts if halt not in chosen][: room - len(chosen)]
    return cities | bits_of(chosen)
