"""Tiles and routes of 1862 as 18xx.games names them.

A tile with a set of small stations is a shape of its own there. Freights are joined whenever their ends meet; what a
train with two numbers leaves out goes by what is best.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

import msgspec

from engine.errors import RuleError
from engine.interop.routes import (
    ROUTES,
    PartialRoute,
    SiteRoute,
    find_partial_routes,
    list_connections,
    read_site_routes,
)
from engine.interop.site import split_tile
from engine.interop.writing import TileIds
from engine.printed import read_data
from engine.rails.laying import LayTile
from engine.rails.routes import make_mask
from engine.rails.runs import RunPlan
from engine.rails.tiles import SIDES
from engine.record import Action, Rule
from engine.titles.g1862 import catalogue
from engine.titles.g1862.actions import AddStation
from engine.titles.g1862.catalogue import FACES
from engine.titles.g1862.running.plan import number_chains, write_runs
from engine.titles.g1862.running.runs import Plan, Problem, Run, Survey
from engine.titles.g1862.running.score import score_runs
from engine.titles.g1862.state import State

TILES = Rule("18xx.games", "tiles of 1862")


class _Site(msgspec.Struct, forbid_unknown_fields=True):
    variants: dict[str, tuple[int, ...]]


@cache
def list_variants() -> Mapping[str, tuple[int, ...]]:
    """Return the lines with a small station of each shape of the site that has one."""
    return read_data("engine.interop.g1862", "shapes.toml", _Site).variants


def name_tile(known: str, rotation: int) -> tuple[str, int]:
    """Return the site's name and rotation of a tile as it lies here, small stations on it.

    A shape of the site may have to lie turned, where that looks the same.
    """
    name = catalogue.find_plain_name(known)
    built = set(catalogue.list_stations(known, rotation))
    if name == known:
        return name, rotation
    shown = set(catalogue.list_lines(name, rotation))
    for turn in sorted(SIDES, key=lambda turn: turn != rotation):
        lines = catalogue.list_lines(name, turn)
        if set(lines) == shown:
            for variant, numbers in list_variants().items():
                if variant.partition("_")[0] == name and {lines[number] for number in numbers} == built:
                    return variant, turn
    raise AssertionError(known)


class Tiles:
    """Where each copy of a tile lies, so that a city can be told by its tile."""

    def __init__(self) -> None:
        self._ids = TileIds()

    def read_lay(self, s: State, hex_: str, tile: str, rotation: int) -> Action:
        """Return the lay, or the small station, that a tile of the site means.

        Raises:
            RuleError: the shape is unknown, or has not one station more than what lies there.
        """
        shape = split_tile(tile, s.board.map.manifest.counts)
        self._ids.note_copy(hex_, tile)
        name = shape.partition("_")[0]
        lying = s.board.laid.get(hex_)
        if lying is None or catalogue.find_plain_name(lying[0]) != name:
            return LayTile(hex_, name, rotation)
        if shape != name and shape not in list_variants():
            raise RuleError(f"There is no tile {shape[:20]} in 1862.", TILES)
        lines = catalogue.list_lines(name, rotation)
        after = {lines[line] for line in list_variants().get(shape, ())}
        more = after - set(catalogue.list_stations(*lying))
        if len(more) != 1:
            raise RuleError(f"Tile {shape[:20]} on {hex_} doesn't add exactly one small station.", TILES)
        return AddStation(hex_, *more.pop())

    def find_hex(self, city: str) -> str:
        """Return the hex of a city, told by its tile and its number: ``57-0-0``, or ``E2-0-0`` before any tile."""
        return self._ids.find_hex(city)


def write_plan(problem: Problem, routes: object, faces: Mapping[str, str] = MappingProxyType({})) -> str:
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
            raise RuleError(f"There is no train {route.train[:20]}.", ROUTES)
        way = _follow(survey, route)
        runs.append(Run(name, way.nodes, way.links))
    return score_runs(survey, number_chains(survey, runs)).runs


def _follow(survey: Survey, route: SiteRoute) -> PartialRoute:
    """Return the way a route goes: with a marker of the company on it, and as written."""
    ways = find_partial_routes(survey.graph, route)
    first = route.connections[0][0]
    return min(
        ways,
        key=lambda way: (not make_mask(way.nodes) & survey.own, survey.nodes[way.nodes[0]].coord != first),
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
    for run in plan.runs if isinstance(plan, RunPlan) else plan:
        hexes = [graph.nodes[node].coord for node in run.nodes]
        routes.append(
            {
                "train": left[run.train].pop(0),
                "connections": list_connections(graph, run.nodes, run.links),
                "hexes": hexes,
                "revenue": run.revenue,
                "revenue_str": "-".join(hexes),
                "subsidy": run.subsidy,
            }
        )
    return routes
