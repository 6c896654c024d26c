"""Routes in the form of 18xx.games, read into our runs, and our runs written in that form.

Freights are joined there whenever their ends meet; what a train with two numbers leaves out goes by what is best.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from engine.errors import RuleError
from engine.interop.site_routes import FORMAT, PartialRoute, SiteRoute, chains, connections, read_site_routes
from engine.rails.routes import bits_of
from engine.titles.g1862.catalogue import FACES
from engine.titles.g1862.running.chain import chained
from engine.titles.g1862.running.runs import Plan, Problem, Run, Survey
from engine.titles.g1862.running.score import scored
from engine.titles.g1862.running.text import write_runs


def plan_text(problem: Problem, routes: object, faces: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return routes of the site as a plan in our own words; see ``read_routes``."""
    return write_runs(problem.board.graph, read_routes(problem, routes, faces))


def read_routes(problem: Problem, routes: object, faces: Mapping[str, str] = MappingProxyType({})) -> tuple[Run, ...]:
    """Return our runs, scored, for routes of the site as decoded JSON.

    Args:
        problem: the company that ran.
        routes: a list of routes.
        faces: the side in use of each train by its id, where the routes do not name it.

    Raises:
        RuleError: they are no routes, or no track fits one of them.
    """
    survey = Survey(problem)
    runs: list[Run] = []
    for route in read_site_routes(routes):
        name = faces.get(route.train, route.train_name.rstrip("*"))
        if name not in FACES:
            raise RuleError(f"There is no train {route.train[:20]}.", FORMAT)
        way = _follow(survey, route)
        runs.append(Run(name, way.nodes, way.links))
    return scored(survey, chained(survey, runs)).runs


def _follow(survey: Survey, route: SiteRoute) -> PartialRoute:
    """Return the way a route goes: with a marker of the company on it, and as written."""
    ways = chains(survey.graph, route)
    first = route.connections[0][0]
    return min(
        ways,
        key=lambda way: (not bits_of(way.nodes) & survey.own, survey.nodes[way.nodes[0]].coord != first),
    )


def write_routes(
    problem: Problem, plan: Plan | Iterable[Run], ids: Mapping[str, Sequence[str]]
) -> list[dict[str, object]]:
    """Return runs as routes of the site.

    Args:
        problem: the company that ran.
        plan: the runs, scored.
        ids: the ids of its trains by their side in use.
    """
    graph = problem.board.graph
    left = {name: list(known) for name, known in ids.items()}
    routes: list[dict[str, object]] = []
    for run in plan.runs if isinstance(plan, Plan) else plan:
        hexes = [graph.nodes[node].coord for node in run.nodes]
        routes.append(
            {
                "train": left[run.train].pop(0),
                "connections": connections(graph, run.nodes, run.links),
                "hexes": hexes,
                "revenue": run.revenue,
                "revenue_str": "-".join(hexes),
                "subsidy": run.subsidy,
            }
        )
    return routes
