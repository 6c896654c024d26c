"""Small boards at random, and the best runs on them by trying every set of runs: slow, plain, and apart from ours."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations, product
from math import prod

from engine.errors import RuleError
from engine.hex_view import Token
from engine.interop.g1862.profile import RUNS as SITE
from engine.rails.board import Board
from engine.rails.maps import Map, PrintedHex, find_neighbour, measure_distance, opposite_side
from engine.rails.tiles import Manifest
from engine.titles.g1862.catalogue import FACES, Face
from engine.titles.g1862.running.check import check_plan
from engine.titles.g1862.running.runs import Aim, Problem, Run, RunRules
from engine.titles.g1862.running.score import number_sets
from tests.support.sure import sure

Way = tuple[int, ...]
Plan = tuple[Way | None, ...]
Groups = tuple[tuple[int, ...], ...]

_LAND = ("B3", "B5", "C2", "C4", "C6", "D3", "D5")
_EDGE = {"A4": "red", "C0": "sea", "E4": "sea", "C8": "red", "A2": "red"}


def small_problem(seed: int, trains: tuple[str, ...], *, site: bool) -> Problem:
    """Return a company on a small board made by chance."""
    rng = random.Random(seed)  # noqa: S311
    sides: dict[str, list[int]] = {coord: [] for coord in (*_LAND, *_EDGE)}
    for coord in _LAND:
        for side in range(6):
            there = find_neighbour(coord, side)
            if there in sides and (there > coord or there in _EDGE) and rng.random() < 0.55:
                sides[coord].append(side)
                sides[there].append(opposite_side(side))
    values = {"London": rng.choice((60, 100))} | {coord: rng.choice((60, 100)) for coord in _EDGE}
    hexes = {coord: PrintedHex(code=_land(rng, coord, sides[coord])) for coord in _LAND}
    for coord, ink in _EDGE.items():
        if sides[coord]:
            area = "London" if coord in {"A2", "A4"} else coord
            code = f"offboard=revenue:AB_{values[area]},name:{area};" + ";".join(
                f"path=a:{s},b:_0" for s in sides[coord]
            )
            hexes[coord] = PrintedHex(code=code, ink=ink)
    board = Board(Map("small", hexes, (), Manifest({}, {})))
    cities = [(node.coord, node.index) for node in board.graph.nodes if node.kind == "city"]
    rng.shuffle(cities)
    own = cities[: rng.randint(1, 2)]
    bases = {place: (Token("X"),) for place in own}
    bases |= {place: (Token("Y"),) for place in cities[2:3] if rng.random() < 0.6}
    return Problem(
        board,
        "X",
        bases,
        own[0] if own else None,
        tuple(FACES[name] for name in trains),
        london=rng.random() < 0.5,
        rules=SITE if site else RunRules(),
    )


def _land(rng: random.Random, coord: str, sides: list[int]) -> str:
    if coord != "C4" and (rng.random() < 0.3 and len(sides) > 1):
        rng.shuffle(sides)
        a, b = sides[:2]
        return f"town=revenue:20;path=a:{a},b:_0;path=a:_0,b:{b}"
    stop = f"city=revenue:{rng.choice((20, 30, 40, 60))},slots:{rng.choice((1, 1, 2))}"
    return ";".join([stop, *(f"path=a:{side},b:_0" for side in sides)])


class Brute:
    """Every set of runs of a problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.site = not problem.rules.all_run
        self.graph = problem.board.graph
        self.nodes = self.graph.nodes
        self.trains = problem.trains
        own = {place for place, tokens in problem.bases.items() if any(t.company == "X" for t in tokens)}
        self.own = {self.graph.node_at[place] for place in own}
        self.home = self.graph.node_at[sure(problem.home)]
        self.full = {
            self.graph.node_at[place]
            for place, tokens in problem.bases.items()
            if place not in own and len(tokens) >= self.nodes[self.graph.node_at[place]].slots
        }
        every = list(self._walks())
        self.ways = [[way for way in every if self._fits(face, way)] for face in self.trains]

    @property
    def sets(self) -> int:
        """How many sets of runs there are."""
        return prod(len(ways) + 1 for ways in self.ways)

    # --- one run ---------------------------------------------------------------------------

    def _kind(self, node: int) -> str:
        stop = self.nodes[node]
        if stop.kind != "offboard":
            return stop.kind
        return "port" if self.problem.board.spec(stop.coord).printed.colour == "sea" else "red"

    def spot(self, node: int) -> str:
        stop = self.nodes[node]
        if stop.kind == "offboard":
            return self.problem.board.tile(stop.coord).stops[stop.index].name
        return stop.coord

    def _value(self, node: int) -> int:
        stop = self.nodes[node]
        return dict(stop.values)["AB"] if stop.values else stop.value

    def _walks(self) -> Iterator[Way]:
        """Yield every way over different stops, as stop, link, stop …, in one direction."""
        heads: list[Way] = [(node.id,) for node in self.nodes if node.kind != "town"]
        while heads:
            way = heads.pop()
            here = way[-1]
            if len(way) > 1 and self.nodes[here].kind != "town" and way[0] < here:
                yield way
            if len(way) > 1 and (here in self.full or self.nodes[here].kind == "offboard"):
                continue
            heads += [(*way, out.link, out.to) for out in self.graph.exits[here] if out.to not in way[::2]]

    def _fits(self, face: Face, way: Way) -> bool:
        stops = way[::2]
        kinds = [self._kind(node) for node in stops]
        if not self.own & set(stops) or kinds.count("port") > 1 or kinds.count("red") > 1:
            return False
        if not self.problem.london and any(self.spot(node) == "London" for node in stops):
            return False
        if face.kind == "freight":
            return sum(len(self.graph.links[link].coords) - 1 for link in way[1::2]) <= face.hexes
        if face.kind == "local" and {"port", "red"} & set(kinds):
            return False
        return len(stops) - kinds.count("town") <= face.visited

    # --- Freights together -----------------------------------------------------------------

    def _groupings(self, plan: Plan) -> Iterator[Groups]:
        running = [n for n, way in enumerate(plan) if way and self.trains[n].kind == "freight"]
        for groups in _partitions(running):
            if self._is_allowed(plan, groups):
                yield groups

    def _is_allowed(self, plan: Plan, groups: Groups) -> bool:
        lasting = [[self.problem.is_permanent(self.trains[n]) for n in group] for group in groups]
        mixed = [kinds for kinds in lasting if not all(kinds)]
        if len(mixed) > 1 or (mixed and not any(mixed[0]) and any(map(any, lasting))):
            return False
        outer = [self.outer(plan, group) for group in groups]
        if any(ends is None or self.spot(ends[0]) == self.spot(ends[2]) for ends in outer):
            return False  # a loop, legal on 18xx.games alone, is worth less than one of its parts
        if self.site:
            ended = [end for ends in outer for end in set(sure(ends)[0::2]) if self._kind(end) == "city"]
            return len(ended) == len(set(ended))
        return True

    def outer(self, plan: Plan, group: tuple[int, ...]) -> tuple[int, int, int, int] | None:
        """Return the ends of a chain with the links there: a, its link, b, its link."""
        for order in permutations(group):
            for turns in product((False, True), repeat=len(order)):
                line = [sure(plan[n])[:: -1 if turn else 1] for n, turn in zip(order, turns, strict=True)]
                if any(one[-1] != other[0] for one, other in pairwise(line)):
                    continue
                if any(self._kind(way[-1]) != "city" for way in line[:-1]):
                    continue
                stops = [line[0][0], *(node for way in line for node in way[2::2])]
                a, b = stops[0], stops[-1]
                if not self.site:
                    if len(set(stops)) < len(stops):
                        continue
                    if len(line) > 1 and self._kind(a) == self._kind(b) != "city":
                        continue
                return a, line[0][1], b, line[-1][-2]
        return None

    def _bonus(self, ends: tuple[int, int, int, int]) -> int:
        a, first, b, last = ends
        if self.spot(a) == self.spot(b):
            return 0
        places, off = [], 0
        for node, link in ((a, first), (b, last)):
            coord = self.nodes[node].coord
            if self.nodes[node].kind == "offboard":
                off += 1
                coords = self.graph.links[link].coords
                coord = coords[1] if coords[0] == coord else coords[-2]
            places.append(coord)
        pays = 30 if "port" in {self._kind(a), self._kind(b)} else 20
        return pays * max(0, measure_distance(*places) - 1 + off)

    # --- all together ----------------------------------------------------------------------

    def together(self, plan: Plan) -> bool:
        def meets(way: Way) -> set[int]:
            return {node for node in way[::2] if self.site or self.nodes[node].kind == "city"}

        group, left = {self.home}, [meets(way) for way in plan if way]
        while left:
            near = [stops for stops in left if stops & group]
            if not near:
                return False
            left = [stops for stops in left if not stops & group]
            group |= set().union(*near)
        return True

    def valid(self, plan: Plan) -> list[Groups]:
        return list(self._groupings(plan)) if self.together(plan) else []

    def must_grow(self, plan: Plan, groups: Groups) -> bool:
        """Return whether an idle train could run without changing the others."""
        for number, way in enumerate(plan):
            for other in self.ways[number] if way is None else ():
                more = (*plan[:number], other, *plan[number + 1 :])
                if not self.together(more):
                    continue
                if self.trains[number].kind != "freight":
                    return True
                options = [(*groups, (number,))]
                options += [(*groups[:g], (*group, number), *groups[g + 1 :]) for g, group in enumerate(groups)]
                if any(self._is_allowed(more, option) for option in options):
                    return True
        return False

    def score(self, plan: Plan, groups: Groups) -> tuple[int, int, int, int]:
        """Return revenue, subsidy, how many trains run, and how few stops pay for that much."""
        certain: dict[str, int] = {}
        bonus, hexes = 0, 0
        choices: list[list[dict[str, int]]] = []
        for group in groups:
            ends = sure(self.outer(plan, group))
            bonus += self._bonus(ends)
            certain |= {self.spot(node): self._value(node) for node in ends[::2]}
        for face, way in zip(self.trains, plan, strict=True):
            if way is None or face.kind == "freight":
                continue
            stops = {self.spot(n): self._value(n) for n in way[::2] if self.nodes[n].kind != "town"}
            if face.kind == "local":
                certain |= {self.spot(n): self._value(n) for n in way[::2] if self.nodes[n].kind == "town"}
                for link in way[1::2]:
                    hexes |= self.graph.links[link].hexes
            if len(stops) > face.scored:
                choices.append([{s: v for s, v in stops.items() if s != less} for less in stops])
            else:
                certain |= stops
        best, fewest = 0, 0
        for choice in product(*choices):
            paid = dict(certain)
            for stops in choice:
                paid |= stops
            best, fewest = max((best, fewest), (sum(paid.values()), -sum(map(bool, paid.values()))))
        return best + bonus, 10 * hexes.bit_count(), sum(map(bool, plan)), -fewest

    def _there(self, plan: Plan) -> tuple[int, int]:
        """Return what the check of that site gives: where three Freights end at one stop, in the best order."""
        runs = [Run(face.name, way[::2], way[1::2]) for face, way in zip(self.trains, plan, strict=True) if way]
        ended = Counter(node for run in runs if run.train[-1] == "F" for node in (run.nodes[0], run.nodes[-1]))
        orders = permutations(runs) if any(times > 2 for times in ended.values()) else [runs]
        return max(map(self._check_runs, orders))

    def _check_runs(self, runs: Sequence[Run]) -> tuple[int, int]:
        try:
            earned = check_plan(self.problem, number_sets(runs))
        except RuleError:
            return 0, 0
        return earned.revenue, earned.subsidy

    def best(self, aim: Aim = "revenue") -> tuple[int, ...]:
        """Return the most of what is asked for: revenue and subsidy of the best set, and of all that have as much
        how many trains run and how few stops pay; there, where runs have numbers, what its check allows alone.
        """
        plans = product(*([None, *ways] for ways in self.ways))
        if self.site:
            return max(map(self._there, plans), default=(0, 0), key=lambda earned: _order_by_aim(aim, earned))
        found, most = (0, 0, 0, 0), (0, 0, 0, 0)
        for plan in plans:
            for groups in self.valid(plan):
                score = self.score(plan, groups)
                rank = (*_order_by_aim(aim, score), score[2], -score[3])
                if rank > most and not self.must_grow(plan, groups):
                    found, most = score, rank
        return found


def _order_by_aim(aim: Aim, earned: tuple[int, ...]) -> tuple[int, int]:
    revenue, subsidy = earned[:2]
    return {"revenue": (revenue, subsidy), "both": (revenue + subsidy, revenue), "subsidy": (subsidy, revenue)}[aim]


def _partitions(items: list[int]) -> Iterator[Groups]:
    if not items:
        yield ()
        return
    for rest in _partitions(items[1:]):
        yield ((items[0],), *rest)
        for number, part in enumerate(rest):
            yield (*rest[:number], (items[0], *part), *rest[number + 1 :])
