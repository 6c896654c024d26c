"""How the Freights of a company are joined: which trains form a chain, and which chains there can be (15.7-15.11)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple

from engine.rails.routes import SearchTooLarge
from engine.titles.g1862.running.paths import Path
from engine.titles.g1862.running.runs import End, Problem, Survey

ENDLESS = 1 << 62
PATIENCE = 200_000
"""Paths that are tried when all chains of a team are looked for; about a quarter of a second."""

Team = tuple[int, ...]
"""Freights that form one chain, by the hexes they go, the shortest first."""


class Piece(NamedTuple):
    """The part of a chain that one Freight runs."""

    hexes: int
    bits: int


class Arrangement(NamedTuple):
    """Which Freights run, in which chains; and those not permanent that do not run."""

    teams: tuple[Team, ...]
    idle: Team


class Yard:
    """The runs that each Freight of a company can make, and the chains of them."""

    def __init__(self, survey: Survey, found: list[Path]) -> None:
        self.survey = survey
        self.found = found
        self.node_mask = (1 << survey.links_at) - 1
        self._lines: dict[int, dict[int, dict[int, list[int]]]] = {}
        self._pairs: dict[Team, dict[int, frozenset[int]]] = {}
        self.patience = ENDLESS
        self.leisure = 4 * PATIENCE

    def lines(self, hexes: int) -> dict[int, dict[int, list[int]]]:
        """Return the paths of a Freight by their two ends, either way round."""
        if hexes not in self._lines:
            lines: dict[int, dict[int, list[int]]] = {}
            for bits, length, a, b in self.found:
                if length <= hexes:
                    lines.setdefault(a, {}).setdefault(b, []).append(bits)
                    lines.setdefault(b, {}).setdefault(a, []).append(bits)
            self._lines[hexes] = lines
        return self._lines[hexes]

    def pairs(self, team: Team) -> dict[int, frozenset[int]]:
        """Return which ends a chain may join, if its parts did not get in each other's way."""
        if team not in self._pairs:
            self._pairs[team] = self._joined(team)
        return self._pairs[team]

    def _joined(self, team: Team) -> dict[int, frozenset[int]]:
        if len(team) == 1:
            return {a: frozenset(bs) for a, bs in self.lines(team[0]).items()}
        found: dict[int, set[int]] = {}
        for train in dict.fromkeys(team):
            rest = self.pairs(without(team, train))
            for a, mids in self.lines(train).items():
                for onward in (number for mid in mids for number in self.joints(mid)):
                    if onward in rest:
                        found.setdefault(a, set()).update(rest[onward])
        return {a: frozenset(bs) for a, bs in found.items()}

    def joints(self, number: int) -> tuple[int, ...]:
        """Return the ends from which a chain may go on where one of its parts ends: cities, on 18xx.games all stops."""
        end = self.survey.ends[number]
        if end.kind == "city":
            return (number,)
        if not self.survey.rules.touching_joins:
            return ()
        return tuple(other.number for other in self.survey.ends if other.node == end.node)

    def chains(self, team: Team, a: int, b: int) -> Iterator[tuple[Piece, ...]]:
        """Yield each chain of all these trains from end to end."""
        start = self.survey.ends[a]
        yield from self._chains(team, start, b, self.bit(start))

    def bit(self, end: End) -> int:
        """Return the bit of a stop that may be a joint."""
        return 1 << end.node if end.kind == "city" or self.survey.rules.touching_joins else 0

    def _chains(self, team: Team, at: End, goal: int, used: int) -> Iterator[tuple[Piece, ...]]:
        for train in dict.fromkeys(team):
            lines = self.lines(train).get(at.number, {})
            rest = without(team, train)
            self._try(lines)
            if not rest:
                yield from self._last(train, lines.get(goal, ()), at, goal, used)
                continue
            onward = self.pairs(rest)
            for joint, paths in ((self.survey.ends[n], lines[mid]) for mid in lines for n in self.joints(mid)):
                if goal not in onward.get(joint.number, ()) or not self.fresh(joint, used):
                    continue
                for bits in paths:
                    if self.fits(bits, at, used):
                        taken = self.bit(joint) if self.survey.rules.crossing else bits & self.node_mask
                        for tail in self._chains(rest, joint, goal, used | taken):
                            yield (Piece(train, bits), *tail)

    def _last(self, train: int, paths: Sequence[int], at: End, goal: int, used: int) -> Iterator[tuple[Piece, ...]]:
        if self.fresh(self.survey.ends[goal], used):
            yield from ((Piece(train, bits),) for bits in paths if self.fits(bits, at, used))

    def _try(self, lines: Mapping[int, Sequence[int]]) -> None:
        self.patience -= sum(map(len, lines.values()))
        if self.patience < 0:
            raise SearchTooLarge

    def fresh(self, end: End, used: int) -> bool:
        """Tell whether no part of a chain has ended here yet: else 18xx.games finds other ends (differences 49)."""
        return not self.survey.rules.crossing or not self.bit(end) & used

    def fits(self, bits: int, at: End, used: int) -> bool:
        """Tell whether a part can go on from an end of a chain: it comes to none of its stops again (15.11)."""
        return self.survey.rules.crossing or bits & self.node_mask & used == self.bit(at)

    def growth(self, chain: tuple[Piece, ...], ends: tuple[int, int], train: int) -> int | None:
        """Return a path by which one more Freight could be joined to either end of a chain."""
        used = 0
        for piece in chain:
            used |= piece.bits & self.node_mask
        for here, there in (ends, ends[::-1]):
            at, far = self.survey.ends[here], self.survey.ends[there]
            if at.kind != "city":
                continue
            for goal, paths in self.lines(train).get(here, {}).items():
                if self.survey.may_join(self.survey.ends[goal], far):
                    path = next((bits for bits in paths if self.fits(bits, at, used)), None)
                    if path is not None:
                        return path
        return None


class Chains:
    """The chains of one team between two ends; those that can be are looked for when asked."""

    def __init__(self, yard: Yard, team: Team, ends: tuple[int, int], idle: Team) -> None:
        self.yard = yard
        self.team = team
        self.ends = ends
        self.idle = idle

    @staticmethod
    def look(teams: Sequence["Chains"]) -> bool:
        """Look for the chains of all these; tell whether patience was enough."""
        yard = teams[0].yard
        granted = yard.patience = min(PATIENCE, yard.leisure)
        try:
            for chains in teams:
                _ = chains.ways
        except SearchTooLarge:
            return False
        finally:
            yard.leisure -= granted - max(0, yard.patience)
            yard.patience = ENDLESS
        return True

    @cached_property
    def ways(self) -> tuple[tuple[int, tuple[Piece, ...]], ...]:
        """Each way to be connected with others, with a chain that has it; sets within larger ones left out.

        A chain is left out if a Freight that stays idle could be joined to it (15.3).
        """
        found: dict[int, tuple[Piece, ...]] = {}
        for chain in self.yard.chains(self.team, *self.ends):
            meets = 0
            for piece in chain:
                meets |= piece.bits & self.yard.survey.meeting
            grown = (self.yard.growth(chain, self.ends, train) for train in set(self.idle))
            if meets not in found and all(path is None for path in grown):
                found[meets] = chain
        return widest(found)


def widest(found: dict[int, tuple[Piece, ...]]) -> tuple[tuple[int, tuple[Piece, ...]], ...]:
    """Return the ways to meet that are not within another."""
    kept: list[tuple[int, tuple[Piece, ...]]] = []
    for meets in sorted(found, key=lambda bits: (-bits.bit_count(), bits)):
        if all(meets & ~more for more, _ in kept):
            kept.append((meets, found[meets]))
    return tuple(kept)


def without(team: Team, train: int) -> Team:
    """Return a team less one train."""
    at = team.index(train)
    return team[:at] + team[at + 1 :]


def arrangements(problem: Problem) -> list[Arrangement]:
    """Return the ways to join the Freights, the most trains and the most chains first.

    Those not permanent form one chain, with a permanent one if any runs (15.9).
    """
    lasting = tuple(sorted(face.hexes for face in problem.runnable if problem.lasting(face)))
    others = tuple(sorted(f.hexes for f in problem.runnable if f.kind == "freight" and not problem.lasting(f)))
    found: dict[Arrangement, None] = {}
    for some, rest in _subsets(others):
        for split in _partitions(lasting):
            for teams in _with_others(split, some):
                found[Arrangement(tuple(sorted(teams)), rest)] = None
        if some and lasting:
            found[Arrangement((some,), tuple(sorted(rest + lasting)))] = None
    return sorted(found, key=lambda one: (len(one.idle), -len(one.teams), one))


def _with_others(split: tuple[Team, ...], others: Team) -> Iterator[tuple[Team, ...]]:
    """Yield chains of the permanent trains, the others joined to one of them."""
    if not others:
        yield split
    elif not split:
        yield (others,)
    for number in range(len(split) if others else 0):
        yield (*split[:number], tuple(sorted(split[number] + others)), *split[number + 1 :])


def _subsets(team: Team) -> list[tuple[Team, Team]]:
    """Return each set of trains out of a team, with those left."""
    counts = sorted(Counter(team).items())
    found = []
    for taken in product(*(range(count, -1, -1) for _, count in counts)):
        some = tuple(train for (train, _), many in zip(counts, taken, strict=True) for _ in range(many))
        rest = tuple(train for (train, count), many in zip(counts, taken, strict=True) for _ in range(count - many))
        found.append((some, rest))
    return found


def _partitions(team: Team) -> set[tuple[Team, ...]]:
    """Return each way to divide a team into chains."""
    if not team:
        return {()}
    found = set()
    for rest in _partitions(team[1:]):
        found.add(tuple(sorted(((team[0],), *rest))))
        for number, part in enumerate(rest):
            parts = (*rest[:number], tuple(sorted((team[0], *part))), *rest[number + 1 :])
            found.add(tuple(sorted(parts)))
    return found
