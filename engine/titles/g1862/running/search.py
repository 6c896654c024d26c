"""The best runs of a company: found at a glance, exact, or the best found with what is proven (§7.8)."""

from collections import Counter
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from engine.errors import RuleError
from engine.hex_view import Token
from engine.rails.board import Board
from engine.rails.claims import Picks
from engine.rails.coverage import Conditions, Coverage, CoverageSearch, Prices
from engine.rails.lagrangian_bound import Budget
from engine.rails.reach import Place
from engine.rails.routes import SearchTooLarge, list_bits, order_along_path
from engine.record import Record
from engine.titles.g1862.catalogue import Face
from engine.titles.g1862.running.check import check_plan, complete_plan
from engine.titles.g1862.running.claims import MONEY, Book, Claims, list_arrangements
from engine.titles.g1862.running.freight import Way
from engine.titles.g1862.running.plan import arrange, number_chains
from engine.titles.g1862.running.proof import Proof
from engine.titles.g1862.running.runs import ALONE, PORT_HEX_PAYS, SUBSIDY, Aim, Plan, Problem, Run, Survey
from engine.titles.g1862.running.score import score_runs

MAX_FIRST_RUNS = 2_000
"""Steps from home that are tried for each train."""


def find_first_plan(problem: Problem) -> Plan:
    """Return a legal plan: the dearest run from home that is seen at once, and what can run beside it.

    It has no run only where no train can run at all.
    """
    survey = Survey(problem)
    runs = [run for face in dict.fromkeys(problem.runnable) if (run := _find_run_from_home(survey, face)) is not None]
    alone = [score_runs(survey, number_chains(survey, [run])) for run in runs]
    if not alone:
        return Plan((), 0, 0)
    alone.sort(key=lambda plan: (-plan.revenue, -plan.subsidy))
    for plan in alone:
        try:
            return check_plan(problem, complete_plan(problem, plan).runs)
        except RuleError:
            continue  # what was added gets in the way; where trains may stay idle, that is no loss
    return alone[0]


def _find_run_from_home(survey: Survey, face: Face) -> Run | None:
    """Return a run of a train that begins at home, the dearest of the first that are found."""
    if not survey.home:
        return None
    start = survey.home.bit_length() - 1
    ways: list[tuple[tuple[int, ...], tuple[int, ...], int, int]] = [((start,), (), 0, 1)]
    best: tuple[int, Run] | None = None
    tried = 0
    while ways and tried < MAX_FIRST_RUNS:
        nodes, links, track, length = ways.pop(0)
        for way in survey.graph.exits[nodes[-1]]:
            stop = 1 << way.to
            tried += 1
            if way.mask & track or way.to in nodes or stop & survey.closed:
                continue
            longer = length + (survey.list_steps(way.link) if face.kind == "freight" else not stop & survey.towns)
            if longer > (face.hexes + 1 if face.kind == "freight" else face.visited):
                continue
            if face.kind == "local" and stop & survey.areas:
                continue
            run = Run(face.name, (*nodes, way.to), (*links, way.link))
            if not stop & survey.towns:
                worth = sum(survey.values[node] for node in run.nodes)
                if best is None or worth > best[0]:
                    best = (worth, run)
            if not stop & survey.terminal:
                ways.append((run.nodes, run.links, track | way.mask, longer))
    return best[1] if best else None


_LOOK_TRIES = 10_000
"""Claims tried for each of several ways to join the Freights, so that none is left out, before the search goes on.

More are wasted: once each way was looked at, most of their plans are worth too little to be tried.
"""
MAX_TRIES = 1_000_000
"""Claims tried before the best found has to do; less than a second."""
_UNASKED_TRIES = MAX_TRIES // 2
"""Claims tried for a company that runs without a question, while a player waits for the answer."""
_WAY_TRIES = 900_000
"""Claims tried at most in one of two ways to finish, before the other gets its turn."""
_SHORT_TRIES = 60_000
"""Claims tried by growing plans before the spots have their turn; often that is all it takes."""
_FAR = 12
"""A bound that is more than this part of the best known above it is far."""
_STEP = 10 << 17
"""What a bound is halved down to: £10 of revenue, or less."""
NOTHING = Plan((), 0, 0)


class Best(Record, frozen=True):
    """The best plan found.

    Args:
        plan: the runs. exact: no plan has more.
        bound: pounds that no plan can exceed, of what was asked for: revenue, subsidy, or both together.
        effort: of the search, about: the claims that it listed, and one for every hundred that it tried.
    """

    plan: Plan
    exact: bool
    bound: int
    effort: int = 0


def find_best_plan(problem: Problem, aim: Aim = "revenue", *, budget: int = MAX_TRIES, known: Plan = NOTHING) -> Best:
    """Return the runs with the most revenue, then subsidy, then trains that run.

    Where the answer needs more than the budget it is the best found, with a
    bound; asked again with that plan as ``known`` and a larger budget, the
    search goes on with the proof. Cut off before it has any, it returns a
    plan found at a glance: where a train can run, there always is one.

    Rule: 1862 §7.8, §8.0 for ``aim`` "both".
    """
    if not problem.runnable or problem.home is None:
        return Best(NOTHING, exact=True, bound=0)
    search = _Search(problem, aim, budget)
    try:
        best = search.find_best(known)
    except SearchTooLarge:
        best = Best(known, exact=False, bound=search.ceiling)
    # Where all that touch are joined, a set may be worth less than its parts seemed to be: then nothing is proven.
    exact = best.exact and _find_earnings(best.plan, aim) >= best.bound
    # A search cut short finds no less than one glance: else more tries could find less.
    plan = best.plan if exact and best.plan.runs else max(best.plan, find_first_plan(problem), key=search.weigh_plan)
    exact = exact and plan is best.plan
    effort = search.listed + (budget - search.budget.left) // 100
    return Best(plan, exact or not plan.runs, max(best.bound, _find_earnings(plan, aim)), effort)


def find_best_unasked(problem: Problem) -> Plan:
    """Return the plan with the most revenue and subsidy together that is found while a player waits (§8.0)."""
    # Where no one decides anything the same companies run on the same track round after round.
    return _find_known_best(*_list_parts(problem), "both", _UNASKED_TRIES).plan


def find_best_quickly(problem: Problem, tries: int) -> Best:
    """Return the plan with the most revenue that a short search finds; it is remembered for a while."""
    return _find_known_best(*_list_parts(problem), "revenue", tries)


Standing = tuple[tuple[Place, tuple[Token, ...]], ...]


def _list_parts(problem: Problem) -> tuple[Board, str, Standing, tuple[Any, ...]]:
    board, company, _, *others = msgspec.structs.astuple(problem)
    return board, company, tuple(problem.bases.items()), tuple(others)


@lru_cache(maxsize=256)
def _find_known_best(
    board: Board, company: str, bases: Standing, others: tuple[Any, ...], aim: Aim, budget: int
) -> Best:
    return find_best_plan(Problem(board, company, dict(bases), *others), aim, budget=budget)


def _find_earnings(plan: Plan, aim: Aim) -> int:
    """Return the pounds of a plan of what was asked for."""
    return {"revenue": plan.revenue, "subsidy": plan.subsidy, "both": plan.revenue + plan.subsidy}[aim]


def _count_trains(claim_sets: list[Claims]) -> int:
    """Return how many trains have a claim to run."""
    return sum(claim_set.size for claim_set in claim_sets if claim_set.claims)


class _Part(NamedTuple):
    """One way to join the Freights.

    Args:
        bound: what no plan of it exceeds. search: can go on. claim_sets: what it picks from.
        whole: the claims with credit for all that they come to.
    """

    bound: int
    claim_sets: list[Claims]
    search: CoverageSearch
    whole: list[Claims]


class _Search:
    """One question: all ways to join the Freights, one after the other, with the best so far as floor."""

    def __init__(self, problem: Problem, aim: Aim, budget: int) -> None:
        self.problem = problem
        self.aim = aim
        self.budget = Budget(budget)
        self.listed = 0
        self.book = Book(problem, aim)
        self.prices = {hanging: Prices(self.book.worth) for hanging in (True, False)}
        self.value = 0
        self.plan = NOTHING

    def find_best(self, known: Plan) -> Best:
        """Return the best plan, or what is known.

        The order does not depend on the budget, so that more tries never find less.
        """
        self.value, self.plan = self.weigh_plan(known), known
        ways = list_arrangements(self.problem)
        tries = _LOOK_TRIES if len(ways) > 1 else 0
        first = [self._look(self.book.make_claim_sets(one), tries) for one in ways]
        proven = self.value
        for part in sorted(first, key=lambda part: -part.bound):
            if part.bound > self.value:
                sharper = self.book.sharpen_all(part.whole)
                last = part if sharper == part.whole else self._look(sharper, 0)
                proven = max(proven, self._finish(last, min(part.bound, last.bound)))
        if proven > self.value and self.problem.rules.all_run:
            self.plan = complete_plan(self.problem, self.plan)
        proven = max(proven, self.value)
        return Best(self.plan, proven == self.value, self._find_pounds(proven))

    def _finish(self, part: "_Part", bound: int) -> int:
        """Search one way to join the Freights to its end; return what no plan of it exceeds.

        Where the bound is far from the best known, much seems to be possible that is not connected with home: then
        plans grow from there first. Else they grow for a short while, and then the spots that are hard to come to are
        first.
        """
        grow, by_spots, rest = self._finish_growing, self._finish_by_spots, self.budget.left
        ways = [(grow, _SHORT_TRIES), (by_spots, _WAY_TRIES), (grow, rest)]
        if (bound - self.value) * _FAR > self.value:
            ways = [(grow, _WAY_TRIES), (by_spots, rest)]
        for finish, tries in ways:
            if bound > self.value and not self.budget.is_spent:
                self.budget.reserve = max(0, self.budget.left - tries)
                bound = finish(part, bound)
        self.budget.reserve = 0
        return bound

    def _finish_growing(self, part: "_Part", bound: int) -> int:
        all_run = len(self.plan.runs) >= _count_trains(part.claim_sets)
        cover = part.search.finish((self.value, all_run), self.budget.left - self.budget.reserve)
        return min(bound, self._keep(part.claim_sets, cover))

    def _finish_by_spots(self, part: "_Part", bound: int) -> int:
        """Look for plans in the upper half of what is open, again and again: little is worth so much."""
        trains, find_goal = _count_trains(part.whole), part.search.rules.find_goal
        while bound >= (goal := find_goal(self.value, len(self.plan.runs) >= trains)):
            target = max(goal, self.value + (bound - self.value) // 2 // _STEP * _STEP)
            wanted = lambda: max(target, find_goal(self.value, len(self.plan.runs) >= trains))  # noqa: B023, E731
            still_open = Proof(self.book, part.whole, part.search, self._keep_picks, wanted).search(bound)
            if still_open:
                return min(bound, max(still_open, self.value))
            bound = self.value if target == goal else max(self.value, target - 1)
        return self.value

    def _look(self, claim_sets: list[Claims], tries: int) -> "_Part":
        """Look for a first plan by one way to join the Freights, with the credit that makes the bound lower."""
        parts = []
        self.listed += sum(len(claim_set.claims) for claim_set in claim_sets)
        most = _count_trains(claim_sets)
        for credited, hanging in self.book.list_credits(claim_sets):
            search = self._make_search(credited, hanging=hanging)
            cover = search.look((self.value, len(self.plan.runs) >= most))
            parts.append(_Part(self._keep(credited, cover), credited, search, claim_sets))
            if parts[-1].bound <= self.value:
                break
        best = min(parts, key=lambda part: part.bound)
        if best.bound > self.value:
            cover = best.search.finish((self.value, len(self.plan.runs) >= most), tries)
            best = best._replace(bound=self._keep(best.claim_sets, cover))
        return best

    def _make_search(self, claim_sets: list[Claims], *, hanging: bool) -> CoverageSearch:
        """Return the search of one way to join the Freights."""
        rules = Conditions(
            self.book.survey.home,
            lambda picks: self.book.connect_picks(claim_sets, picks) is not None,
            hanging,
            lambda value, all_run: (value // MONEY + 1) * MONEY if all_run else value + 1,
        )
        return CoverageSearch(claim_sets, rules, self.prices[hanging], self.budget)

    def _keep_picks(self, claim_sets: list[Claims], value: int, picks: Picks) -> bool:
        """Keep picks that are better than the best known, if they are connected; return whether they are."""
        if value <= self.value or self.book.connect_picks(claim_sets, picks) is None:
            return False
        self.value, self.plan = value, self._make_plan(claim_sets, picks)
        return True

    def _keep(self, claim_sets: list[Claims], cover: Coverage) -> int:
        """Keep what is better, and return what one way to join the Freights cannot exceed."""
        if cover.value > self.value:
            self.value, self.plan = cover.value, self._make_plan(claim_sets, cover.picks)
        return cover.bound

    @property
    def ceiling(self) -> int:
        """Pounds that no plan has, whatever its runs: every spot and hex paid, every Freight right across the map."""
        survey = self.book.survey
        spots = 0
        for spot in survey.spot:
            spots |= spot
        hexes = len(self.problem.board.map.hexes)
        freights = sum(face.kind == "freight" for face in self.problem.runnable)
        revenue = sum(survey.values[spot] for spot in list_bits(spots)) + freights * hexes * PORT_HEX_PAYS
        return {"revenue": revenue, "subsidy": hexes * SUBSIDY, "both": revenue + hexes * SUBSIDY}[self.aim]

    def weigh_plan(self, plan: Plan) -> int:
        """Return what a plan weighs, its stops as if they were the most."""
        if not plan.runs:
            return 0
        scale = self.book.scale
        stops = sum(run.counted.bit_count() for run in plan.runs)
        return plan.revenue * scale.revenue + plan.subsidy * scale.subsidy + len(plan.runs) * scale.train - stops

    def _find_pounds(self, weight: int) -> int:
        """Return the money in a weight, in tens: what weighs beside it is less than that."""
        scale = self.book.scale
        return weight // (scale.revenue if self.aim == "revenue" else scale.subsidy) // 10 * 10

    def _make_plan(self, claim_sets: list[Claims], picks: Picks) -> Plan:
        """Return picks as runs, in the order of the company's trains, chains together."""
        ways = self.book.connect_picks(claim_sets, picks)
        assert ways is not None, "picks that were settled are connected"
        singles: dict[str, list[Run]] = {}
        for face, way in zip(self.book.faces, ways, strict=False):
            if way:
                nodes, links = order_along_path(self.problem.board.graph, way[1][0].bits)
                singles.setdefault(face.name, []).append(Run(face.name, nodes, links))
        first = len(self.book.faces)
        chains = [self._make_chain(way, number) for number, way in enumerate(way for way in ways[first:] if way)]
        runs: list[Run] = []
        for face in self.problem.runnable:
            if face.kind != "freight":
                runs += singles.get(face.name, [])[:1]
                singles[face.name] = singles.get(face.name, [])[1:]
                continue
            mine = next((chain for chain in chains if any(run.train == face.name for run in chain)), None)
            if mine and not any(run.chain == mine[0].chain for run in runs):
                runs += mine
                chains.remove(mine)
        if self.problem.rules.touching_joins:
            # Where three Freights end at one stop the first two are joined: those of the longest chain.
            long = Counter(run.chain for run in runs if run.chain != ALONE)
            runs = sorted(runs, key=lambda run: -long[run.chain])
        return score_runs(self.book.survey, runs)

    def _make_chain(self, way: Way, number: int) -> list[Run]:
        """Return the runs of a chain, each from where the one before it ends."""
        names = {face.hexes: face.name for face in self.problem.runnable if face.kind == "freight"}
        runs = [
            Run(names[piece.hexes], *order_along_path(self.problem.board.graph, piece.bits), chain=number)
            for piece in way[1]
        ]
        line = arrange(runs, -1)
        assert line is not None, "a chain goes from end to end"
        return line
