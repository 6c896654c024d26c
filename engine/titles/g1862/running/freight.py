"""The chains that the Freights of a company can run (§7.8.1)."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from engine.rails.routes import SearchTooLarge
from engine.titles.g1862.running.paths import Path
from engine.titles.g1862.running.runs import RunEnd, Survey

UNLIMITED_TRIES = 1 << 62
MAX_TRIES = 200_000
"""Paths that are tried when all chains of a team are looked for; less than a tenth of a second."""

Team = tuple[int, ...]
"""Freights that form one chain, by the hexes they go, the shortest first."""


class Piece(NamedTuple):
    """The part of a chain that one Freight runs."""

    hexes: int
    bits: int


Way = tuple[int, tuple[Piece, ...]]
"""Where a run meets others, as bits of stops, and its pieces; one piece but for joined Freights."""
Tail = tuple[Team, int, int, int]
"""Where a chain has come to: the Freights that are left, the end it is at, the stops it took and those it met."""


class Part(NamedTuple):
    """A path of a Freight within a chain: bits that must be free, its own, the stops it takes and those it meets."""

    test: int
    bits: int
    taken: int
    meets: int


class Onward(NamedTuple):
    """A train that goes on with a chain, the trains after it, its paths from there, and its parts by their joints."""

    train: int
    rest: Team
    tries: int
    parts: list[tuple[int, list[Part]]]


class Yard:
    """The runs that each Freight of a company can make, and the chains of them."""

    def __init__(self, survey: Survey, found: list[Path]) -> None:
        self.survey = survey
        self.found = found
        self.node_mask = (1 << survey.links_at) - 1
        self._lines: dict[int, dict[int, dict[int, list[int]]]] = {}
        self._pairs: dict[Team, dict[int, frozenset[int]]] = {}
        self._parts: dict[tuple[int, int], list[tuple[int, list[Part]]]] = {}
        self._ways_on: dict[tuple[Team, int, int], list[Onward]] = {}
        self._wide: dict[tuple[int, int, int], list[int]] = {}
        self._reach: dict[tuple[Team, int, int], int] = {}
        # Where chains of a team from an end came to before their last train, of chains that were found.
        self._almost: dict[tuple[Team, int], list[Tail]] = {}
        self.patience = UNLIMITED_TRIES
        self.leisure = 4 * MAX_TRIES

    def find_lines(self, hexes: int) -> dict[int, dict[int, list[int]]]:
        """Return the paths of a Freight by their two ends, either way round."""
        if hexes not in self._lines:
            lines: dict[int, dict[int, list[int]]] = {}
            for bits, length, a, b in self.found:
                if length <= hexes:
                    lines.setdefault(a, {}).setdefault(b, []).append(bits)
                    lines.setdefault(b, {}).setdefault(a, []).append(bits)
            self._lines[hexes] = lines
        return self._lines[hexes]

    def find_pairs(self, team: Team) -> dict[int, frozenset[int]]:
        """Return which ends a chain may join, if its parts did not get in each other's way."""
        if team not in self._pairs:
            self._pairs[team] = self._join_lines(team)
        return self._pairs[team]

    def _join_lines(self, team: Team) -> dict[int, frozenset[int]]:
        if len(team) == 1:
            return {a: frozenset(bs) for a, bs in self.find_lines(team[0]).items()}
        found: dict[int, set[int]] = {}
        for train in dict.fromkeys(team):
            rest = self.find_pairs(remove_train(team, train))
            for a, mids in self.find_lines(train).items():
                for onward in (number for mid in mids for number in self.list_joints(mid)):
                    if onward in rest:
                        found.setdefault(a, set()).update(rest[onward])
        return {a: frozenset(bs) for a, bs in found.items()}

    def list_joints(self, number: int) -> tuple[int, ...]:
        """Return the ends from which a chain may go on where one of its parts ends: cities, or all stops."""
        end = self.survey.ends[number]
        if end.kind == "city":
            return (number,)
        if not self.survey.rules.touching_joins:
            return ()
        return tuple(other.number for other in self.survey.ends if other.node == end.node)

    def list_chains(self, team: Team, a: int, b: int) -> Iterator[tuple[Piece, ...]]:
        """Yield the chains of all these trains from end to end, of those that take the same stops the first."""
        start = self.survey.ends[a]
        yield from self._list_chains((team, start.number, self.make_bit(start), 0), b, set())

    def make_bit(self, end: RunEnd) -> int:
        """Return the bit of a stop that may be a joint."""
        return 1 << end.node if end.kind == "city" or self.survey.rules.touching_joins else 0

    def _list_chains(self, tail: Tail, goal: int, known: set[Tail]) -> Iterator[tuple[Piece, ...]]:
        """Yield the ways to end a chain; where one got as far with the same stops before, nothing can be new.

        Raises:
            SearchTooLarge: patience is at an end.
        """
        team, number, used, met = tail
        for way in self._list_onward(team, number, goal):
            self.patience -= way.tries
            if self.patience < 0:
                raise SearchTooLarge
            if not way.rest:
                yield from ((Piece(way.train, bits),) for bits in self._list_last_parts(tail, goal))
            for joint, parts in way.parts:
                for test, bits, taken, meets in parts:
                    if test & used:
                        continue
                    more = (way.rest, joint, used | taken, met | meets)
                    if more in known:
                        continue
                    for end in self._list_chains(more, goal, known):
                        yield (Piece(way.train, bits), *end)
                    known.add(more)

    def has_chain(self, team: Team, a: int, b: int) -> bool:
        """Return whether there is a chain of all these trains from end to end.

        Chains to many goals begin alike: what led to another goal from there is tried first.
        """
        almost = self._almost.setdefault((team, a), [])
        if any(any(self._list_last_parts(tail, b)) for tail in almost):
            return True
        found = self._find_before_last((team, a, self.make_bit(self.survey.ends[a]), 0), b, set())
        if found is None:
            return False
        almost.append(found)
        return True

    def _find_before_last(self, tail: Tail, goal: int, dead: set[Tail]) -> Tail | None:
        """Return where a chain has come to before its last train, which then ends it; ``None`` if there is no chain."""
        team, number, used, _ = tail
        if len(team) == 1:
            return tail if any(self._list_last_parts(tail, goal)) else None
        for way in self._list_onward(team, number, goal):
            for joint, parts in way.parts:
                for test, _, taken, _ in parts:
                    more = (way.rest, joint, used | taken, 0)
                    if test & used or more in dead:
                        continue
                    found = self._find_before_last(more, goal, dead)
                    if found is not None:
                        return found
                    dead.add(more)
        return None

    def _list_onward(self, team: Team, number: int, goal: int) -> list[Onward]:
        """Return by which trains a chain may go on from an end, and where, so that the others may lead to the goal."""
        key = (team, number, goal)
        if key not in self._ways_on:
            ways = self._ways_on[key] = []
            for train in dict.fromkeys(team):
                rest, tries = remove_train(team, train), sum(map(len, self.find_lines(train).get(number, {}).values()))
                may = self.find_pairs(rest) if rest else {}
                parts = [one for one in self._list_parts_from(train, number) if goal in may.get(one[0], ())]
                ways.append(Onward(train, rest, tries, parts))
        return self._ways_on[key]

    def _list_parts_from(self, train: int, number: int) -> list[tuple[int, list[Part]]]:
        """Return where a chain may go on after a Freight from one end, and by which parts it comes there."""
        if (train, number) not in self._parts:
            lines, ends = self.find_lines(train).get(number, {}), self.survey.ends
            self._parts[train, number] = [
                (joint, [self._make_part(bits, ends[number], ends[joint]) for bits in paths])
                for mid, paths in ((mid, self._list_wide(train, number, mid)) for mid in lines)
                for joint in self.list_joints(mid)
            ]
        return self._parts[train, number]

    def _list_wide(self, train: int, number: int, mid: int) -> list[int]:
        """Return the paths between two ends that a chain needs; where parts may cross, those that meet the most."""
        key = (train, number, mid)
        if key not in self._wide:
            paths = self.find_lines(train).get(number, {}).get(mid, [])
            if self.survey.rules.crossing and len(paths) > 1:
                widest: dict[int, tuple[Piece, ...]] = {}
                for bits in paths:
                    widest.setdefault(bits & self.survey.meeting, (Piece(train, bits),))
                paths = [pieces[0].bits for _, pieces in find_widest(widest)]
            self._wide[key] = paths
        return self._wide[key]

    def _make_part(self, bits: int, at: RunEnd, joint: RunEnd) -> Part:
        stops, meets = bits & self.node_mask, bits & self.survey.meeting
        if self.survey.rules.crossing:
            return Part(self.make_bit(joint), bits, self.make_bit(joint), meets)
        return Part(stops & ~self.make_bit(at), bits, stops, meets)

    def find_reach(self, team: Team, number: int, goal: int) -> int:
        """Return the stops at which chains of a team between two ends may meet others, were no part in the way."""
        key = (team, number, goal)
        if key not in self._reach:
            met = 0
            for way in self._list_onward(team, number, goal):
                for bits in () if way.rest else self.find_lines(way.train).get(number, {}).get(goal, ()):
                    met |= bits
                for joint, parts in way.parts:
                    for part in parts:
                        met |= part.meets
                    met |= self.find_reach(way.rest, joint, goal)
            self._reach[key] = met & self.survey.meeting
        return self._reach[key]

    def _list_last_parts(self, tail: Tail, goal: int) -> Iterator[int]:
        """Yield the paths by which the only train left ends a chain."""
        team, number, used, _ = tail
        if self.is_fresh(self.survey.ends[goal], used):
            at, paths = self.survey.ends[number], self._list_wide(team[0], number, goal)
            yield from (bits for bits in paths if self.fits(bits, at, used))

    def is_fresh(self, end: RunEnd, used: int) -> bool:
        """Return whether no part of a chain that may cross has ended here yet; else its ends are others."""
        return not self.survey.rules.crossing or not self.make_bit(end) & used

    def fits(self, bits: int, at: RunEnd, used: int) -> bool:
        """Return whether a part can go on from an end of a chain: it comes to none of its stops again (§7.8.1)."""
        return self.survey.rules.crossing or bits & self.node_mask & used == self.make_bit(at)

    def find_growth(self, chain: tuple[Piece, ...], ends: tuple[int, int], train: int) -> int | None:
        """Return a path by which one more Freight could be joined to either end of a chain."""
        used = 0
        for piece in chain:
            used |= piece.bits & self.node_mask
        for here, there in (ends, ends[::-1]):
            at, far = self.survey.ends[here], self.survey.ends[there]
            if at.kind != "city":
                continue
            for goal, paths in self.find_lines(train).get(here, {}).items():
                if self.survey.may_join(self.survey.ends[goal], far):
                    path = next((bits for bits in paths if self.fits(bits, at, used)), None)
                    if path is not None:
                        return path
        return None


class Chains:
    """The chains of one team between two ends; those that can be are looked for when asked.

    Iterated, the ways to be connected with others, each with a chain: one is looked for when it is asked for.
    """

    def __init__(self, yard: Yard, team: Team, ends: tuple[int, int], idle: Team) -> None:
        self.yard = yard
        self.team = team
        self.ends = ends
        self.idle = idle
        self._found: list[Way] = []
        self._within: set[int] = set()  # ways to meet that are within one of these

    def __iter__(self) -> Iterator[Way]:
        """Yield those found before first."""
        if "ways" in self.__dict__:
            yield from self.ways
            return
        place = 0
        while place < len(self._found) or self._find_one_more():
            yield self._found[place]
            place += 1

    def _find_one_more(self) -> bool:
        """Look for one more way that is not within another; return whether there is one."""
        for chain, meets in self._left:
            if meets in self._within:
                continue
            if not all(meets & ~wider for wider, _ in self._found):
                self._within.add(meets)
            elif self._is_complete(chain):
                self._found.append((meets, chain))
                return True
        return False

    @cached_property
    def _left(self) -> Iterator[tuple[tuple[Piece, ...], int]]:
        return self._list_chains()

    @property
    def reach(self) -> int:
        """The stops at which these chains meet others, or a few more."""
        return self.yard.find_reach(self.team, *self.ends)

    @staticmethod
    def search(teams: Sequence["Chains"]) -> bool:
        """Look for the chains of all these; return whether patience was enough."""
        yard = teams[0].yard
        granted = yard.patience = min(MAX_TRIES, yard.leisure)
        try:
            for chains in teams:
                _ = chains.ways
        except SearchTooLarge:
            return False
        finally:
            yard.leisure -= granted - max(0, yard.patience)
            yard.patience = UNLIMITED_TRIES
        return True

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """Each way to be connected with others, with a chain that has it; sets within larger ones left out.

        A chain is left out if a Freight that stays idle could be joined to it (§7.8).
        """
        found: dict[int, tuple[Piece, ...]] = {}
        for chain, meets in self._list_chains():
            if meets not in found and self._is_complete(chain):
                found[meets] = chain
        return find_widest(found)

    @cached_property
    def is_possible(self) -> bool:
        """Whether there is any such chain: the first that is found will do."""
        if not self.idle:
            return self.yard.has_chain(self.team, *self.ends)
        return any(self._is_complete(chain) for chain, _ in self._list_chains())

    def _list_chains(self) -> Iterator[tuple[tuple[Piece, ...], int]]:
        """Yield the chains with the stops at which each meets others."""
        for chain in self.yard.list_chains(self.team, *self.ends):
            meets = 0
            for piece in chain:
                meets |= piece.bits & self.yard.survey.meeting
            yield chain, meets

    def _is_complete(self, chain: tuple[Piece, ...]) -> bool:
        """Return whether no Freight that stays idle could be joined to a chain (§7.8)."""
        return all(self.yard.find_growth(chain, self.ends, train) is None for train in set(self.idle))


def find_widest(found: dict[int, tuple[Piece, ...]]) -> tuple[Way, ...]:
    """Return the ways to meet that are not within another."""
    kept: list[Way] = []
    for meets in sorted(found, key=lambda bits: (-bits.bit_count(), bits)):
        if all(meets & ~more for more, _ in kept):
            kept.append((meets, found[meets]))
    return tuple(kept)


def remove_train(team: Team, train: int) -> Team:
    """Return a team less one train."""
    at = team.index(train)
    return team[:at] + team[at + 1 :]
