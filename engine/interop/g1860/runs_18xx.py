"""Routes in the form of 18xx.games, read into our runs.

Which stops count goes by the site's own rule.
"""

from engine.errors import RuleError
from engine.interop.site_routes import FORMAT, PartialRoute, SiteRoute, chains, read_site_routes
from engine.rails.routes import bits_of
from engine.titles.g1860.catalogue import TRAINS, TrainKind
from engine.titles.g1860.running.runs import Problem, Run, Survey
from engine.titles.g1860.running.text import write_runs


def plan_text(problem: Problem, routes: object) -> str:
    """Return routes of the site as a plan in our own words; see ``read_routes``."""
    return write_runs(problem.graph, read_routes(problem, routes))


def read_routes(problem: Problem, routes: object) -> tuple[Run, ...]:
    """Return our runs for routes of the site, as decoded JSON.

    Raises:
        RuleError: they are no routes, or no track fits one of them.
    """
    survey = Survey(problem)
    runs: list[Run] = []
    for route in read_site_routes(routes):
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


def _follow(survey: Survey, route: SiteRoute, used: int) -> PartialRoute:
    """Return the way a route goes: with most of its nodes, then with a base of the company, then as written."""
    graph = survey.problem.graph
    named = {
        graph.node_at[coord, int(index)]
        for coord, _, index in (node.rpartition("-") for node in route.nodes)
        if index.isdecimal() and (coord, int(index)) in graph.node_at
    }
    ways = chains(graph, route, used)
    first = route.connections[0][0].split(" ")[0]
    return min(
        ways,
        key=lambda way: (
            len(named - set(way.nodes)),
            not bits_of(way.nodes) & survey.own,
            graph.nodes[way.nodes[0]].coord != first,
        ),
    )


def _counted(survey: Survey, train: TrainKind, way: PartialRoute, wanted: int | None) -> int:
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
