"""What runs earn together: every spot pays one run, every hex one subsidy (§7.8, §7.8.3, §7.8.2, §7.8.1)."""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, islice, product
from operator import or_

import msgspec

from engine.errors import RuleError
from engine.rails.claims import BitSums
from engine.rails.maps import measure_distance
from engine.rails.routes import list_bits, make_mask
from engine.rails.runs import make_plan
from engine.titles.g1862.catalogue import FACES, rule
from engine.titles.g1862.running.runs import (
    ALONE,
    HEX_PAYS,
    PORT_HEX_PAYS,
    SUBSIDY,
    Plan,
    Run,
    RunEnd,
    Survey,
)
from engine.words import join_words

MAX_COMBINATIONS = 20_000
"""Ways to leave stops out that are looked at; no company has so many."""
_NOT_PERMANENT = 6
"""Freights that go fewer hexes are not permanent then, whatever the game's length."""

Ends = dict[int, tuple[int, int]]
"""First and last stop of each Freight that is in no set yet, by its number among the runs."""


def number_sets(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return runs, in their order, with the number of the set that each Freight is in."""
    number_of = {run: number for number, one in enumerate(list_sets(runs)) for run in one}
    return tuple(msgspec.structs.replace(run, chain=number_of.get(at, ALONE)) for at, run in enumerate(runs))


def list_sets(runs: Sequence[Run]) -> list[list[int]]:
    """Return the sets of Freights, by their numbers among the runs: first the one with those not permanent."""
    left: Ends = {at: (run.nodes[0], run.nodes[-1]) for at, run in enumerate(runs) if run.train[-1] == "F"}
    found = []
    first = next((at for at in left if _is_passing(runs[at])), None)
    if first is not None:
        found.append(_take_set(runs, first, left))
    while left:
        found.append(_take_set(runs, next(iter(left)), left))
    return found


def _is_passing(run: Run) -> bool:
    return FACES[run.train].hexes < _NOT_PERMANENT


def _take_set(runs: Sequence[Run], at: int, left: Ends) -> list[int]:
    """Return the set that a Freight is in, and take it out of those left."""
    a, b = left[at]
    found = [at, *_find_onward(runs, a, at, left), *_find_onward(runs, b, at, left)]
    left.pop(at, None)
    return list(dict.fromkeys(found))


def _find_onward(runs: Sequence[Run], node: int, at: int, left: Ends) -> list[int]:
    """Return the Freights that go on from a stop; where several could, one branch of them."""
    left.pop(at, None)
    there = [other for other, ends in left.items() if node in ends]
    if len(there) < 2:
        return [other for one in there for other in _follow_branch(runs, node, one, left)]
    branches = [_follow_branch(runs, node, one, dict(left)) for one in there]
    passing = [branch for branch in branches if any(_is_passing(runs[one]) for one in branch)]
    chosen = passing[0] if passing else max(branches, key=len)
    for one in chosen:
        left.pop(one, None)
    return chosen


def _follow_branch(runs: Sequence[Run], came_by: int, at: int, left: Ends) -> list[int]:
    found = [at]
    for end in left[at]:
        if end != came_by:
            found += _find_onward(runs, end, at, left)
    return list(dict.fromkeys(found))


def _find_ends(runs: Sequence[Run], one: Sequence[int]) -> list[int]:
    """Return the ends of a set."""
    count: dict[int, int] = {}
    for at in one:
        for node in (runs[at].nodes[0], runs[at].nodes[-1]):
            count[node] = count.get(node, 0) + 1
    ends = [node for node, times in count.items() if times == 1]
    if len(ends) == 1:
        names = join_words([runs[at].train for at in one])
        raise RuleError(f"{names} lead out and back, so their chain has only one end.", rule("7.8.1"))
    return ends or [next(iter(count))] * 2


def _check_sets(runs: Sequence[Run], found: Sequence[Sequence[int]]) -> None:
    """Refuse Freights that are not permanent and not all in one set, with a permanent one if any runs (§7.8.1)."""
    passing = [one for one in found if any(_is_passing(runs[at]) for at in one)]
    if len(passing) > 1:
        a, b = (runs[one[0]].train for one in passing[:2])
        raise RuleError(
            f"The {a} and the {b} must be joined: Freights that aren't permanent run end to end as one chain.",
            rule("7.8.1"),
        )
    if passing and len(found) > 1 and all(_is_passing(runs[at]) for at in passing[0]):
        name = runs[passing[0][0]].train
        raise RuleError(f"The {name} must be joined end to end with a permanent Freight that runs.", rule("7.8.1"))


def score_joined(survey: Survey, runs: Sequence[Run]) -> Plan:
    """Return runs with what each of them scores there; what a train leaves out is chosen for all at once.

    Raises:
        RuleError: the Freights may not be joined so.
    """
    found = list_sets(runs)
    _check_sets(runs, found)
    ends = {at: _find_ends(runs, one) for one in found for at in one}
    counted = _choose_counted(survey, runs, ends)
    done: list[Run] = []
    paid = hexes = 0
    for at, run in enumerate(runs):
        stops = [node for node in counted[at] if not survey.spot[node] & paid]
        revenue = sum(survey.values[node] for node in _list_once(survey, stops))
        paid |= survey.find_spots(counted[at])
        if ends.get(at) and at == next(one[0] for one in found if at in one):
            revenue += _find_bonus(survey, [runs[other] for one in found if at in one for other in one], ends[at])
        subsidy = 0
        if FACES[run.train].kind == "local":
            new = survey.find_hexes(run.links) & ~hexes
            hexes |= new
            subsidy = new.bit_count() * SUBSIDY
        left_out = 0 if at in ends else make_mask(node for node in _list_stops(survey, run) if node not in counted[at])
        done.append(
            msgspec.structs.replace(run, counted=make_mask(stops), revenue=revenue, subsidy=subsidy, left_out=left_out)
        )
    return make_plan(done)


def _list_once(survey: Survey, stops: Sequence[int]) -> Iterator[int]:
    """Yield stops, but of an area only the first."""
    seen = 0
    for node in stops:
        if not survey.spot[node] & seen:
            seen |= survey.spot[node]
            yield node


def _list_stops(survey: Survey, run: Run) -> list[int]:
    return [node for node in run.nodes if not survey.towns >> node & 1]


def _choose_counted(survey: Survey, runs: Sequence[Run], ends: dict[int, list[int]]) -> list[list[int]]:
    """Return the stops that each run counts: the choice with the most, each stop once however many come there."""
    choices: list[list[tuple[int, ...]]] = []
    for at, run in enumerate(runs):
        if at in ends:
            choices.append([tuple(node for node in dict.fromkeys(ends[at]) if node in (run.nodes[0], run.nodes[-1]))])
        else:
            stops = _list_stops(survey, run)
            choices.append(list(combinations(stops, min(len(stops), FACES[run.train].scored))))
    best: tuple[int, tuple[tuple[int, ...], ...]] = (-1, ())
    worths, masks = BitSums(survey.values), [[make_mask(stops) for stops in options] for options in choices]
    for choice, parts in islice(zip(product(*choices), product(*masks), strict=True), MAX_COMBINATIONS):
        worth = worths[reduce(or_, parts, 0)]
        if worth > best[0]:
            best = (worth, choice)
    return [
        [*stops, *(list_bits(make_mask(run.nodes) & survey.towns) if FACES[run.train].kind == "local" else ())]
        for run, stops in zip(runs, best[1], strict=True)
    ]


def _find_bonus(survey: Survey, freights: Sequence[Run], ends: Sequence[int]) -> int:
    """Return what a set has for the hexes between its first end and its last."""
    a, b = ends[0], ends[-1]
    away = [_find_measuring_hex(survey, freights, node) for node in (a, b)]
    between = measure_distance(*away) - 1
    between += sum(coord != survey.nodes[node].coord for coord, node in zip(away, (a, b), strict=True))
    pays = PORT_HEX_PAYS if any(survey.ports >> node & 1 for node in ends) else HEX_PAYS
    return max(0, between) * pays


def _find_measuring_hex(survey: Survey, freights: Sequence[Run], node: int) -> str:
    """Return the hex from which distances to an end are measured: of an area the one before it on the way (§7.8.1)."""
    if not survey.areas >> node & 1:
        return survey.nodes[node].coord
    run = next(run for run in freights if node in run.nodes)
    first, last = survey.find_ends(run)
    return first.hex if run.nodes[0] == node else last.hex


def score_runs(survey: Survey, runs: Sequence[Run]) -> Plan:
    """Return runs with what each of them scores, so that all together score most.

    A spot that several runs come to pays the first of them that can count
    it. Trains with two numbers leave out what is told in ``left_out``, and
    beyond that what is worth least (§7.8.3).
    """
    if survey.rules.touching_joins:
        return score_joined(survey, runs)
    share = _Share(survey, runs)
    done: list[Run] = []
    touched = towns = 0
    chains: set[int] = set()
    for number, run in enumerate(runs):
        spots = share.list_spots(number)
        revenue = sum(survey.values[spot] for spot in list_bits(spots))
        subsidy = 0
        counted = make_mask(node for node in run.nodes if survey.spot[node] & spots)
        if FACES[run.train].kind == "local":
            new = make_mask(run.nodes) & survey.towns & ~towns
            towns |= new
            counted |= new
            revenue += sum(survey.values[town] for town in list_bits(new))
            hexes = survey.find_hexes(run.links) & ~touched
            touched |= hexes
            subsidy = hexes.bit_count() * SUBSIDY
        if run.chain != ALONE and run.chain not in chains:
            chains.add(run.chain)
            revenue += survey.find_bonus(*find_chain_ends(survey, [one for one in runs if one.chain == run.chain]))
        left_out = share.list_left_out(number, counted)
        done.append(msgspec.structs.replace(run, counted=counted, revenue=revenue, subsidy=subsidy, left_out=left_out))
    return make_plan(done)


def find_chain_ends(survey: Survey, chain: Sequence[Run]) -> tuple[RunEnd, RunEnd]:
    """Return the outer ends of runs that follow one another from end to end."""
    first, last = chain[0], chain[-1]
    return survey.find_end(first.nodes[0], first.links[0]), survey.find_end(last.nodes[-1], last.links[-1])


def list_visited(survey: Survey, run: Run) -> list[int]:
    """Return the large stations and areas that a run comes to, in order."""
    return [node for node in run.nodes if not survey.towns >> node & 1]


class _Share:
    """Which run scores which spot: dearest first, runs that must choose give way to one another."""

    def __init__(self, survey: Survey, runs: Sequence[Run]) -> None:
        self.survey = survey
        self.runs = runs
        self.wants = [self._list_wants(number) for number in range(len(runs))]
        faces = [FACES[run.train] for run in runs]
        self.room = [face.scored if face.kind != "freight" else 2 for face in faces]
        self.owner: dict[int, int] = {}
        every = 0
        for wants in self.wants:
            every |= wants
        for spot in sorted(list_bits(every), key=lambda spot: (-survey.values[spot], spot)):
            self._give(spot, set())

    def _list_wants(self, number: int) -> int:
        """Return the spots a run may score."""
        survey, run = self.survey, self.runs[number]
        if FACES[run.train].kind != "freight":
            return survey.find_spots(node for node in list_visited(survey, run) if not run.left_out >> node & 1)
        chain = [other for other in self.runs if other.chain == run.chain]
        first, last = find_chain_ends(survey, chain)
        return (first.spot if run is chain[0] else 0) | (last.spot if run is chain[-1] else 0)

    def _give(self, spot: int, asked: set[int]) -> bool:
        """Give a spot to a run with room, or to one that can pass another of its spots on."""
        able = [number for number, wants in enumerate(self.wants) if wants >> spot & 1 and number not in asked]
        for number in able:
            if sum(owner == number for owner in self.owner.values()) < self.room[number]:
                self.owner[spot] = number
                return True
        for number in able:
            asked.add(number)
            for other in [held for held, owner in self.owner.items() if owner == number]:
                if self._give(other, asked):
                    self.owner[spot] = number
                    return True
        return False

    def list_spots(self, number: int) -> int:
        """Return the spots a run scores."""
        return make_mask(spot for spot, owner in self.owner.items() if owner == number)

    def list_left_out(self, number: int, counted: int) -> int:
        """Return the stops a train with two numbers leaves out, so many as it must."""
        run, face = self.runs[number], FACES[self.runs[number].train]
        if face.kind == "freight":
            return 0
        left_out = run.left_out
        stops = list_visited(self.survey, run)
        must = len(stops) - face.scored
        for node in sorted(stops, key=lambda node: (self.survey.values[node], node)):
            if left_out.bit_count() < must and not counted >> node & 1:
                left_out |= 1 << node
        return left_out
