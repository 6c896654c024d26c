"""What each train, or team of Freights, can claim: spots, bonus, and where it meets others (§7.8.1)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from engine.rails.claims import Claim, ClaimSet, Picks
from engine.rails.routes import list_bits
from engine.titles.g1862.catalogue import Face, Kind
from engine.titles.g1862.running.freight import Chains, Piece, Team, Way, Yard, find_widest
from engine.titles.g1862.running.paths import Path, find_paths
from engine.titles.g1862.running.runs import SUBSIDY, Aim, Problem, Survey


class Arrangement(NamedTuple):
    """Which Freights run, in which chains; and those not permanent that do not run."""

    teams: tuple[Team, ...]
    idle: Team


def list_arrangements(problem: Problem) -> list[Arrangement]:
    """Return the ways to join the Freights, the most trains and the most chains first.

    Those not permanent form one chain, with a permanent one if any runs (§7.8.1).
    """
    lasting = tuple(sorted(face.hexes for face in problem.runnable if problem.is_permanent(face)))
    others = tuple(sorted(f.hexes for f in problem.runnable if f.kind == "freight" and not problem.is_permanent(f)))
    found: dict[Arrangement, None] = {}
    for some, rest in _list_subsets(others):
        for split in _list_partitions(lasting):
            for teams in _join_others(split, some):
                found[Arrangement(tuple(sorted(teams)), rest)] = None
        if some and lasting:
            found[Arrangement((some,), tuple(sorted(rest + lasting)))] = None
    return sorted(found, key=lambda one: (len(one.idle), -len(one.teams), one))


def _join_others(split: tuple[Team, ...], others: Team) -> Iterator[tuple[Team, ...]]:
    """Yield chains of the permanent trains, the others joined to one of them."""
    if not others:
        yield split
    elif not split:
        yield (others,)
    for number in range(len(split) if others else 0):
        yield (*split[:number], tuple(sorted(split[number] + others)), *split[number + 1 :])


def _list_subsets(team: Team) -> list[tuple[Team, Team]]:
    """Return each set of trains out of a team, with those left."""
    counts = sorted(Counter(team).items())
    found = []
    for taken in product(*(range(count, -1, -1) for _, count in counts)):
        some = tuple(train for (train, _), many in zip(counts, taken, strict=True) for _ in range(many))
        rest = tuple(train for (train, count), many in zip(counts, taken, strict=True) for _ in range(count - many))
        found.append((some, rest))
    return found


def _list_partitions(team: Team) -> set[tuple[Team, ...]]:
    """Return each way to divide a team into chains."""
    if not team:
        return {()}
    found = set()
    for rest in _list_partitions(team[1:]):
        found.add(tuple(sorted(((team[0],), *rest))))
        for number, part in enumerate(rest):
            parts = (*rest[:number], tuple(sorted((team[0], *part))), *rest[number + 1 :])
            found.add(tuple(sorted(parts)))
    return found


class Scale(NamedTuple):
    """What a pound of revenue, a pound of subsidy and a running train weigh; a stop that is counted weighs -1."""

    revenue: int
    subsidy: int
    train: int = 64


SCALES: dict[Aim, Scale] = {
    "revenue": Scale(1 << 17, 1 << 10),
    "both": Scale((1 << 19) + (1 << 10), 1 << 19),
    "subsidy": Scale(1 << 10, 1 << 19),
}
MONEY = 10 << 10
"""Of which every weight of money is a multiple, as money comes in tens; what weighs beside it in a plan is less."""


class Claims(ClaimSet):
    """The claims of a train, or of a team of so many, with the ways to run each."""

    def __init__(self, claims: list[Claim], ways: list["Chains | tuple[Way, ...]"], size: int = 1) -> None:
        super().__init__(claims)
        self._ways = ways
        self.size = size
        self.has_chains = any(isinstance(each, Chains) for each in ways)

    def list_choices(self, number: int) -> "Chains | tuple[Way, ...]":
        """Return the ways to run a claim, those of a chain to be looked for as they are asked for."""
        return self._ways[number]

    def is_possible(self, number: int) -> bool:
        """Return whether a claim can be run at all."""
        ways = self._ways[number]
        return ways.is_possible if isinstance(ways, Chains) else bool(ways)

    def sharpen(self, survey: Survey) -> "Claims":
        """Return a claim for each way that can really be run; itself if that is not worth the time."""
        teams = [ways for ways in self._ways if isinstance(ways, Chains)]
        if not teams or not Chains.search(teams):
            return self
        claims, kept = [], list[Chains | tuple[Way, ...]]()
        for claim, ways in zip(self.claims, self._ways, strict=True):
            for way in ways.ways if isinstance(ways, Chains) else ways:
                claims.append(_give_credit(survey, claim, way[0]))
                kept.append((way,))
        return Claims(claims, kept, self.size)

    @cached_property
    def paid_alone(self) -> "Claims":
        """The same claims with credit for what they are paid alone, for which they hang on no other.

        Those that pay the same are one, however they are run.
        """
        claims, kept = list[Claim](), list[Chains | tuple[Way, ...]]()
        found: dict[Claim, dict[int, tuple[Piece, ...]]] = {}
        for claim, ways in zip(self.claims, self._ways, strict=True):
            pays, drops, bonus, meets, *_, apart = claim
            if isinstance(ways, Chains):
                claims.append(Claim(pays, drops, bonus, meets, pays, drops, apart))
                kept.append(ways)
            else:
                found.setdefault(Claim(pays, drops, bonus, 0, pays, drops, apart), {}).update(ways)
        for claim, choices in found.items():
            meets = 0
            for way in choices:
                meets |= way
            claims.append(claim._replace(meets=meets))
            kept.append(find_widest(choices))
        return Claims(claims, kept, self.size)


class Book:
    """The claims of all trains of a problem, made when asked for."""

    def __init__(self, problem: Problem, aim: Aim) -> None:
        self.problem = problem
        self.survey = Survey(problem)
        self.scale = SCALES[aim]
        self.faces = sorted((f for f in problem.runnable if f.kind != "freight"), key=lambda face: face.name)
        self._claim_sets: dict[str, Claims] = {}
        self._teams: dict[tuple[Team, Team], Claims] = {}

    @cached_property
    def shared_hexes(self) -> bool:
        """Whether several Locals may touch the same hexes, which pay once."""
        return sum(face.kind == "local" for face in self.faces) > 1

    @cached_property
    def worth(self) -> list[int]:
        """What each spot weighs: stops first, then hexes if several Locals run."""
        worth = [value * self.scale.revenue - 1 if value else 0 for value in self.survey.values]
        if self.shared_hexes:
            worth += [SUBSIDY * self.scale.subsidy] * len(self.problem.board.map.hexes)
        return worth

    @cached_property
    def yard(self) -> Yard:
        """The Freights."""
        most = max(face.hexes for face in self.problem.runnable if face.kind == "freight")
        return Yard(self.survey, find_paths(self.survey, "freight", most))

    def list_paths(self, kind: Kind) -> list[Path]:
        """Return the paths of Express or Local trains."""
        if kind not in self._paths:
            most = max(face.visited for face in self.faces if face.kind == kind)
            self._paths[kind] = find_paths(self.survey, kind, most)
        return self._paths[kind]

    @cached_property
    def _paths(self) -> dict[Kind, list[Path]]:
        return {}

    def list_claims_of_face(self, face: Face) -> Claims:
        """Return the claims of an Express or Local."""
        if face.name not in self._claim_sets:
            self._claim_sets[face.name] = self._list_claims(face)
        return self._claim_sets[face.name]

    def _list_claims(self, face: Face) -> Claims:
        found: dict[Claim, dict[int, tuple[Piece, ...]]] = {}
        local = face.kind == "local"
        known: dict[tuple[int, int, int], Claim] = {}
        for bits, length, a, b in self.list_paths(face.kind):
            if length > face.visited:
                continue
            nodes = bits & (1 << self.survey.links_at) - 1
            spots = bits & self.survey.large | self.survey.ends[a].spot | self.survey.ends[b].spot
            towns = nodes & self.survey.towns if local else 0
            hexes = self.survey.find_hexes(list_bits(bits >> self.survey.links_at & self._link_mask)) if local else 0
            key = (spots, towns, hexes)
            if key not in known:
                known[key] = self._make_claim(spots, towns, hexes, drops=length > face.scored)
            found.setdefault(known[key], {}).setdefault(nodes & self.survey.meeting, (Piece(0, bits),))
        claims = [
            (_give_credit(self.survey, claim, way[0]), way)
            for claim, ways in found.items()
            for way in find_widest(ways)
        ]
        kept = _leave_out_lesser([claim for claim, _ in claims])
        return Claims([claims[number][0] for number in kept], [(claims[number][1],) for number in kept])

    def _make_claim(self, spots: int, towns: int, hexes: int, *, drops: bool) -> Claim:
        bonus, pays = self.scale.train, spots | towns
        if self.shared_hexes:
            pays |= hexes << len(self.survey.nodes)
        else:
            bonus += hexes.bit_count() * SUBSIDY * self.scale.subsidy
        return Claim(pays, spots if drops else 0, bonus, 0, 0, 0)

    @cached_property
    def _link_mask(self) -> int:
        return (1 << len(self.survey.graph.links)) - 1

    def list_claims_of_team(self, team: Team, idle: Team) -> Claims:
        """Return the claims of a team of Freights, beside others that stay idle."""
        if (team, idle) not in self._teams:
            claims, ways = [], list[Chains | tuple[Way, ...]]()
            ends, survey = self.survey.ends, self.survey
            for a, goals in sorted(self.yard.find_pairs(team).items()):
                for b in sorted(goals):
                    loop = ends[a].node == ends[b].node  # legal where parts may cross, and worth less than one of them
                    if b < a or loop or not (len(team) == 1 or survey.may_join(ends[a], ends[b])):
                        continue
                    bonus = survey.find_bonus(ends[a], ends[b]) * self.scale.revenue + len(team) * self.scale.train
                    apart = 1 << ends[a].node | 1 << ends[b].node if survey.rules.touching_joins else 0
                    chains = Chains(self.yard, team, (a, b), idle)
                    alone = ((way[0], (way,)) for way in chains.ways) if len(team) == 1 else ()
                    for meets, choices in alone or ((survey.meeting, chains),):
                        claim = Claim(ends[a].spot | ends[b].spot, 0, bonus, 0, 0, 0, apart)
                        claims.append(_give_credit(survey, claim, meets))
                        ways.append(choices)
            self._teams[team, idle] = Claims(claims, ways, len(team))
        return self._teams[team, idle]

    def make_claim_sets(self, arrangement: Arrangement) -> list[Claims]:
        """Return the claims of each train and team, those alike side by side."""
        others = {
            face.hexes
            for face in self.problem.runnable
            if face.kind == "freight" and not self.problem.is_permanent(face)
        }
        running = any(set(team) & others for team in arrangement.teams)
        claim_sets = [self.list_claims_of_face(face) for face in self.faces]
        for team in arrangement.teams:
            grows = self.problem.rules.all_run and (not running or set(team) & others)
            claim_sets.append(self.list_claims_of_team(team, arrangement.idle if grows else ()))
        return claim_sets

    def list_credits(self, claim_sets: list[Claims]) -> Iterator[tuple[list[Claims], bool]]:
        """Yield the claims, and if Freights run, first with credit for pay alone: they pass much without being paid.

        With each goes whether the claims hang on others; chains that were not looked for may come anywhere.
        """
        if len(claim_sets) > len(self.faces):
            yield [claim_set.paid_alone for claim_set in claim_sets], False
        if not any(claim_set.has_chains for claim_set in claim_sets):
            yield claim_sets, True

    def sharpen_all(self, claim_sets: list[Claims]) -> list[Claims]:
        """Return claims whose chains of Freights are all looked for, where that does not take too long.

        Chains that cannot be run are left out, the others meet only what they really come to.
        """
        sharp = {id(claim_set): claim_set.sharpen(self.survey) for claim_set in claim_sets}
        return [sharp[id(claim_set)] for claim_set in claim_sets]

    def connect_picks(self, claim_sets: list[Claims], picks: Picks) -> list[Way | None] | None:
        """Return a way to run each pick so that all are connected, home among them; ``None`` if there is none."""
        choices = [
            claim_set.list_choices(pick) for claim_set, pick in zip(claim_sets, picks, strict=True) if pick is not None
        ]
        chosen = connect(choices, self.survey.home)
        if chosen is None:
            return None
        left = iter(chosen)
        return [None if pick is None else next(left) for pick in picks]


def _give_credit(survey: Survey, claim: Claim, meets: int) -> Claim:
    """Return a claim that meets others at some stops, with credit for what it passes there without being paid.

    Whatever runs first come to, they have to their credit; each of the others hangs on one of them by a stop that is
    to that one's credit.
    """
    visits = survey.find_spots(list_bits(meets))
    return Claim(claim.pays, claim.drops, claim.bonus, meets, claim.pays | visits, visits, claim.apart)


def _leave_out_lesser(claims: Sequence[Claim]) -> list[int]:
    """Return the numbers of claims but for those that another serves as well: it pays no less and meets no fewer."""
    order = sorted(range(len(claims)), key=lambda number: (-claims[number].pays.bit_count(), number))
    kept: list[int] = []
    having: dict[int, int] = {}  # of each spot the places in ``kept`` of the claims that it pays, as bits
    for number in order:
        claim, places = claims[number], -1
        for spot in list_bits(claim.pays):
            places &= having.get(spot, 0)
        if not any(_serves(claims[kept[place]], claim) for place in list_bits(places)):
            for spot in list_bits(claim.pays):
                having[spot] = having.get(spot, 0) | 1 << len(kept)
            kept.append(number)
    return sorted(kept)


def _serves(other: Claim, claim: Claim) -> bool:
    """Return whether a claim that pays at all spots of another can take its place."""
    if other.bonus < claim.bonus or claim.meets & ~other.meets:
        return False
    return not other.drops or other.drops == claim.drops or bool(other.drops & ~claim.pays and not claim.drops)


def connect(choices: Sequence[Chains | tuple[Way, ...]], home: int) -> list[Way] | None:
    """Return one way for each run so that all are connected and one is at home, or ``None``."""
    wide = [_find_meeting_stops(ways) for ways in choices]
    return _choose_ways(choices, wide, [], home) if _is_connected(wide, home) else None


def _find_meeting_stops(ways: Chains | tuple[Way, ...]) -> int:
    """Return all stops where a run meets others by any of its ways."""
    if isinstance(ways, Chains):
        return ways.reach
    meets = 0
    for way in ways:
        meets |= way[0]
    return meets


def _choose_ways(
    choices: Sequence[Chains | tuple[Way, ...]], wide: list[int], chosen: list[Way], home: int
) -> list[Way] | None:
    """Return ways for all runs, those chosen for the first; ``wide`` has where each run may meet others."""
    place = len(chosen)
    if place == len(choices):
        return chosen
    for way in choices[place]:
        meets = [*wide[:place], way[0], *wide[place + 1 :]]
        found = _choose_ways(choices, meets, [*chosen, way], home) if _is_connected(meets, home) else None
        if found is not None:
            return found
    return None


def _is_connected(meets: list[int], home: int) -> bool:
    """Return whether runs that come to these stops are connected, home among them."""
    group, left = home, meets
    while left:
        near = [stops for stops in left if stops & group]
        if not near:
            return False
        left = [stops for stops in left if not stops & group]
        for stops in near:
            group |= stops
    return True
