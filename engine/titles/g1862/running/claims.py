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


class Claims(ClaimSet):
    """The claims of a train or a team, with the ways to run each."""

    def __init__(self, claims: list[Claim], ways: list["Chains | tuple[Way, ...]"]) -> None:
        order = sorted(range(len(claims)), key=lambda number: claims[number].drops != 0)
        super().__init__([claims[number] for number in order])
        self._ways = [ways[number] for number in order]

    def list_ways(self, number: int) -> tuple[Way, ...]:
        """Return the ways to run a claim; none if no chain fits."""
        ways = self._ways[number]
        return ways.ways if isinstance(ways, Chains) else ways

    def list_choices(self, number: int) -> "Chains | tuple[Way, ...]":
        """Return the ways to run a claim, those of a chain to be looked for as they are asked for."""
        return self._ways[number]

    def is_possible(self, number: int) -> bool:
        """Return whether a claim can be run at all."""
        ways = self._ways[number]
        return ways.is_possible if isinstance(ways, Chains) else bool(ways)

    def sharpen(self) -> "Claims":
        """Return what can really be run, each claim with what it really meets; itself if that is not worth the time."""
        teams = [ways for ways in self._ways if isinstance(ways, Chains)]
        if not teams or not Chains.search(teams):
            return self
        claims, kept = [], list[Chains | tuple[Way, ...]]()
        for number, claim in enumerate(self.claims):
            ways = self.list_ways(number)
            if ways:
                meets = 0
                for way in ways:
                    meets |= way[0]
                claims.append(claim._replace(meets=meets))
                kept.append(self._ways[number])
        return Claims(claims, kept)

    def find_ends(self, number: int) -> tuple[int, int] | None:
        """Return the ends of a Freight or chain, ``None`` of another train."""
        ways = self._ways[number]
        return ways.ends if isinstance(ways, Chains) else None


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
        claims = []
        for claim, ways in found.items():
            meets = 0
            for way in ways:
                meets |= way
            claims.append(claim._replace(meets=meets))
        return Claims(claims, [find_widest(ways) for ways in found.values()])

    def _make_claim(self, spots: int, towns: int, hexes: int, *, drops: bool) -> Claim:
        bonus, pays = self.scale.train, spots | towns
        if self.shared_hexes:
            pays |= hexes << len(self.survey.nodes)
        else:
            bonus += hexes.bit_count() * SUBSIDY * self.scale.subsidy
        return Claim(pays, spots if drops else 0, bonus, 0)

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
                    claims.append(Claim(ends[a].spot | ends[b].spot, 0, bonus, self._find_meeting_stops(team, a, b)))
                    ways.append(Chains(self.yard, team, (a, b), idle))
            self._teams[team, idle] = Claims(claims, ways)
        return self._teams[team, idle]

    def _find_meeting_stops(self, team: Team, a: int, b: int) -> int:
        """Return all stops where the chains of a team between two ends may meet others."""
        if len(team) > 1:
            return self.survey.meeting
        meets = 0
        for bits in self.yard.find_lines(team[0])[a][b]:
            meets |= bits
        return meets & self.survey.meeting

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

    def sharpen_all(self, claim_sets: list[Claims]) -> list[Claims]:
        """Return claims whose chains of Freights are all looked for, where that does not take too long.

        Chains that cannot be run are left out, the others meet only what they really come to.
        """
        sharp = {id(claim_set): claim_set.sharpen() for claim_set in claim_sets}
        return [sharp[id(claim_set)] for claim_set in claim_sets]

    def connect_picks(self, claim_sets: list[Claims], picks: Picks) -> list[Way | None] | None:
        """Return a way to run each pick so that all are connected, home among them; ``None`` if there is none."""
        if self.problem.rules.touching_joins and self._has_touching_ends(claim_sets, picks):
            return None
        choices = [
            claim_set.list_choices(pick.claim) for claim_set, pick in zip(claim_sets, picks, strict=True) if pick
        ]
        chosen = connect(choices, self.survey.home)
        if chosen is None:
            return None
        left = iter(chosen)
        return [next(left) if pick else None for pick in picks]

    def _has_touching_ends(self, claim_sets: list[Claims], picks: Picks) -> bool:
        """Return whether Freights that are not joined end at the same stop."""
        ended = 0
        for claim_set, pick in zip(claim_sets, picks, strict=True):
            ends = claim_set.find_ends(pick.claim) if pick else None
            spots = 0
            for number in ends or ():
                spots |= 1 << self.survey.ends[number].node
            if spots & ended:
                return True
            ended |= spots
        return False


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
